/**
 * Ages since the last poll at which the intensity may change, s: fine where bursts fade. The last
 * bin has no end.
 */
const EDGES: readonly number[] = [0, 10, 25, 60, 150, 400, 1000, 2500];
const BINS = EDGES.length;
/** Least exposure of a bin: an age that is never reached is not forgotten altogether. */
const LEAST_EXPOSED = 1e-6;

/**
 * A rate of arrivals that endpoints share up to a few features of their own:
 *
 *     λ(s) = Σ_f φ_f · W[f][bin(s)],   W = E/Q,   items a second, s seconds after the last poll,
 *
 * E[f][b] being the items credited to feature f in bin b, and Q[f][b] what φ_f came to over the
 * seconds watched there. An item is credited to the features in proportion to their parts of λ: one
 * step of expectation maximization, as for self-exciting processes (Veen & Schoenberg 2008). λ
 * being constant within a bin, its integral is a sum.
 *
 * @param firstGuess W of a feature at an age, before anything is learned
 * @param guessSeconds how much that counts: Q of a bin to begin with
 * @param priorSecondsOf Q of as many items as `priorItems`, which count in each bin beside what was
 *   learned and are never forgotten, given all that was learned
 */
export function createIntensity(
  features: number,
  firstGuess: (feature: number, ageSeconds: number) => number,
  guessSeconds: number,
  priorItems = 0,
  priorSecondsOf: (items: number, seconds: number) => number = () => 0,
) {
  const size = features * BINS;
  const credited = new Float64Array(size);
  const exposed = new Float64Array(size).fill(guessSeconds);
  const weights = new Float64Array(size);
  /** Integral of W up to the beginning of each bin. */
  const counts = new Float64Array(size);

  for (let at = 0; at < size; at += 1) {
    const bin = at % BINS;
    const middle = bin === BINS - 1 ? 2 * edge(bin) : (edge(bin) + edge(bin + 1)) / 2;
    credited[at] = guessSeconds * firstGuess(Math.floor(at / BINS), middle);
  }
  integrate();

  function integrate(): void {
    const priorSeconds = priorSecondsOf(sum(credited), sum(exposed));
    for (let at = 0; at < size; at += 1) {
      const bin = at % BINS;
      weights[at] =
        ((credited[at] ?? 0) + priorItems) /
        Math.max(LEAST_EXPOSED, (exposed[at] ?? 0) + priorSeconds);
      if (bin === 0) {
        counts[at] = 0;
        continue;
      }
      const seconds = edge(bin) - edge(bin - 1);
      counts[at] = (counts[at - 1] ?? 0) + (weights[at - 1] ?? 0) * seconds;
    }
  }

  /** Returns the part of the first feature. */
  function credit(phi: readonly number[], ageSeconds: number): number {
    const bin = binOf(ageSeconds);
    const parts = phi.map((figure, feature) => figure * (weights[feature * BINS + bin] ?? 0));
    const level = Math.max(Number.MIN_VALUE, sum(parts));
    for (const [feature, part] of parts.entries()) {
      const at = feature * BINS + bin;
      credited[at] = (credited[at] ?? 0) + part / level;
    }
    return (parts[0] ?? 0) / level;
  }

  return {
    /**
     * Takes in a poll: the features at the poll before, the ages at which items came since, and the
     * age of that poll.
     *
     * @returns how many of the items the first feature is credited with
     */
    learn(phi: readonly number[], ages: readonly number[], ageSeconds: number): number {
      for (let at = 0; at < size; at += 1) {
        const seconds = Math.min(ageSeconds, edge((at % BINS) + 1)) - edge(at % BINS);
        if (seconds > 0) {
          exposed[at] = (exposed[at] ?? 0) + (phi[Math.floor(at / BINS)] ?? 0) * seconds;
        }
      }
      const first = ages.reduce((total, age) => total + credit(phi, age), 0);
      integrate();
      return first;
    },
    /** Makes what was learned so far count less, by this factor. */
    fade(keep: number): void {
      for (let at = 0; at < size; at += 1) {
        if ((exposed[at] ?? 0) * keep < LEAST_EXPOSED) continue;
        credited[at] = (credited[at] ?? 0) * keep;
        exposed[at] = (exposed[at] ?? 0) * keep;
      }
    },
    /** Expected number of unseen items, ∫₀ᵃ λ(s) ds. */
    count(phi: readonly number[], ageSeconds: number): number {
      const bin = binOf(ageSeconds);
      const rest = ageSeconds - edge(bin);
      let total = 0;
      for (let feature = 0, at = bin; feature < features; feature += 1, at += BINS) {
        total += (phi[feature] ?? 0) * ((counts[at] ?? 0) + (weights[at] ?? 0) * rest);
      }
      return total;
    },
    /** E and Q of all features and bins. */
    figures: () => [...credited, ...exposed].map(sixDigits),
    restore(figures: readonly number[]): void {
      credited.set(figures.slice(0, size));
      exposed.set(figures.slice(size));
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

function sum(figures: Iterable<number>): number {
  let total = 0;
  for (const figure of figures) total += figure;
  return total;
}

/** More than the estimates are worth. */
export function sixDigits(figure: number): number {
  return Number(figure.toPrecision(6));
}
