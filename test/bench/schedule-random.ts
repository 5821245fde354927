/** Seeded uniform numbers in [0, 1) (mulberry32) and the distributions that the bench draws from. */
export interface Random {
  (): number;
  normal(): number;
  exponential(mean: number): number;
  poisson(mean: number): number;
  logNormal(median: number, sigma: number): number;
  pareto(least: number, shape: number): number;
  whole(below: number): number;
}

export function seededRandom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const exponential = (mean: number): number => -mean * Math.log(1 - uniform());
  return Object.assign(uniform, {
    normal,
    exponential,
    poisson(mean: number): number {
      let count = 0;
      for (let sum = exponential(1); sum < mean; sum += exponential(1)) count += 1;
      return count;
    },
    logNormal: (median: number, sigma: number): number => median * Math.exp(sigma * normal()),
    pareto: (least: number, shape: number): number => least * (1 - uniform()) ** (-1 / shape),
    whole: (below: number): number => Math.floor(uniform() * below),
  });
}
