/** Ages since the last poll at which the intensity may change, seconds: fine where bursts fade. The last bin has no end. */
const EDGES: readonly number[] = [0, 10, 25, 60, 150, 400, 1000, 2500];
const BINS = EDGES.length;
/** What is known of an age that is never reached is not forgotten altogether. */
const LEAST_EXPOSED = 1e-6;

/**
 * A rate of arrivals that endpoints share up to a few features of their own:
 *
 *     λ(s) = Σ_f φ_f · W[f][bin(s)],   W = E/Q,   items a second, s seconds after the last poll,
 *
 * E[f][b] being the items credited to feature f in bin b, and Q[f][b] what φ_f came to over the seconds watched there. An
 * item is credited to the features in proportion to their parts of λ: one step of expectation maximization, as for
 * self-exciting processes (Veen & Schoenberg 2008). λ being constant within a bin, its integral is a sum.
 */
export interface Intensity {
  /**
   * Takes in a poll: what the features were at the poll before, the ages at which items came since, and the age of that poll.
   *
   * @returns how many of the items the first feature is credited with
   */
  learn(features: readonly number[], ages: readonly number[], ageSeconds: number): number;
  /** Makes what was learned so far count less, by this factor. */
  fade(keep: number): void;
  /** Expected number of unseen items, ∫₀ᵃ λ(s) ds. */
  count(features: readonly number[], ageSeconds: number): number;
  /** E and Q of all features and bins. */
  figures(): number[];
  /** Takes what `figures` returned. */
  restore(figures: readonly number[]): void;
}

/**
 * @param firstGuess W of a feature at an age, before anything is learned
 * @param guessSeconds how much that counts: Q of a bin to begin with
 */
export function createIntensity(
  features: number,
  firstGuess: (feature: number, ageSeconds: number) => number,
  guessSeconds: number,
): Intensity {
  const size = features * BINS;
  const credited = new Float64Array(size);
  const exposed = new Float64Array(size).fill(guessSeconds);
  const weights = new Float64Array(size);
  /** Of each bin: the integral of W up to its beginning. */
  const counts = new Float64Array(size);

  for (let at = 0; at < size; at += 1) {
    const bin = at % BINS;
    const middle = bin === BINS - 1 ? 1.5 * edge(bin) : (edge(bin) + edge(bin + 1)) / 2;
    credited[at] = guessSeconds * firstGuess(Math.floor(at / BINS), middle);
  }
  integrate();

  function integrate(): void {
    for (let at = 0; at < size; at += 1) {
      const bin = at % BINS;
      weights[at] = (credited[at] ?? 0) / (exposed[at] ?? 1);
      if (bin === 0) continue;
      const [from, to, before] = [edge(bin - 1), edge(bin), weights[at - 1] ?? 0];
      counts[at] = (counts[at - 1] ?? 0) + before * (to - from);
    }
  }

  function watch(phi: readonly number[], ageSeconds: number): void {
    for (let at = 0; at < size; at += 1) {
      const bin = at % BINS;
      const seconds = Math.min(ageSeconds, edge(bin + 1)) - edge(bin);
      if (seconds > 0) exposed[at] = (exposed[at] ?? 0) + (phi[Math.floor(at / BINS)] ?? 0) * seconds;
    }
  }

  /** Returns the part of the first feature. */
  function credit(phi: readonly number[], ageSeconds: number): number {
    const bin = binOf(ageSeconds);
    const parts = phi.map((figure, feature) => {
      const at = feature * BINS + bin;
      return (figure * (credited[at] ?? 0)) / (exposed[at] ?? 1);
    });
    const level = parts.reduce((total, part) => total + part, 0);
    if (!(level > 0)) return 0;
    for (const [feature, part] of parts.entries()) {
      const at = feature * BINS + bin;
      credited[at] = (credited[at] ?? 0) + part / level;
    }
    return (parts[0] ?? 0) / level;
  }

  return {
    learn(phi, ages, ageSeconds) {
      watch(phi, ageSeconds);
      const first = ages.reduce((total, age) => total + credit(phi, age), 0);
      integrate();
      return first;
    },
    fade(keep) {
      for (let at = 0; at < size; at += 1) {
        if ((exposed[at] ?? 0) * keep < LEAST_EXPOSED) continue;
        credited[at] = (credited[at] ?? 0) * keep;
        exposed[at] = (exposed[at] ?? 0) * keep;
      }
    },
    count(phi, ageSeconds) {
      const bin = binOf(ageSeconds);
      const rest = ageSeconds - edge(bin);
      let total = 0;
      for (let feature = 0, at = bin; feature < features; feature += 1, at += BINS)
        total += (phi[feature] ?? 0) * ((counts[at] ?? 0) + (weights[at] ?? 0) * rest);
      return total;
    },
    figures: () => [...credited, ...exposed].map(sixDigits),
    restore(figures) {
      credited.set(figures.slice(0, size));
      exposed.set(figures.slice(size).map((seconds) => Math.max(LEAST_EXPOSED, seconds)));
      integrate();
    },
  };
}

function binOf(ageSeconds: number): number {
  let bin = BINS - 1;
  while (bin > 0 && ageSeconds < edge(bin)) bin -= 1;
  return bin;
}

function edge(bin: number): number {
  return EDGES[bin] ?? Number.POSITIVE_INFINITY;
}

/** More than the estimates are worth. */
export function sixDigits(figure: number): number {
  return Number(figure.toPrecision(6));
}
