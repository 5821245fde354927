import { seededRandom as uniformNumbers } from '../support/random.ts';

export type Random = ReturnType<typeof seededRandom>;

/** Creates seeded uniform numbers in [0, 1), and the distributions that the benches draw from. */
export function seededRandom(seed: number) {
  const uniform = uniformNumbers((seed * 2_654_435_761) >>> 0);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
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
    whole: (below: number): number => Math.floor(uniform() * below),
  });
}
