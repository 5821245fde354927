import { createHash } from 'node:crypto';

/**
 * Creates a deterministic stream of random numbers: Small Fast Counter (sfc32, from Chris
 * Doty-Humphrey's PractRand), seeded with a hash of the text.
 */
export function createRandom(seed: string) {
  const hash = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), 1];

  /** 0 ≤ x < 1. */
  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }
  for (let round = 0; round < 12; round += 1) next();

  /** Returns an integer; both bounds are inclusive. */
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    between: (low: number, high: number) => low + next() * (high - low),
    chance: (probability: number) => next() < probability,
    pick<T>(list: readonly T[]): T {
      const picked = list[whole(0, list.length - 1)];
      if (picked === undefined) {
        throw new Error('Expected something to pick from, got an empty list.');
      }
      return picked;
    },
    /** Returns a waiting time of a Poisson process. */
    exponential: (mean: number) => -mean * Math.log(1 - next()),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    hex: (digits: number) =>
      Array.from({ length: digits }, () => whole(0, 15).toString(16)).join(''),
    shuffled<T>(list: readonly T[]): T[] {
      return list
        .map((value) => ({ value, order: next() }))
        .sort((left, right) => left.order - right.order)
        .map(({ value }) => value);
    },
  };
}
export type Random = ReturnType<typeof createRandom>;
