/**
 * Ages since the last poll at which the intensity may change, in seconds; fine where bursts fade.
 * The last bin is open-ended.
 */
const EDGES: readonly number[] = [0, 10, 25, 60, 150, 400, 1000, 2500];
const BINS = EDGES.length;
/** Minimum exposure of a bin, so that an age that is never reached is not forgotten altogether. */
const LEAST_EXPOSED = 1e-6;

/**
 * Models a rate of arrivals that endpoints share, apart from a few features of their own:
 *
 * λ(s) = Σ_f φ_f · W[f][bin(s)], W = E/Q, items per second, s seconds after the last poll,
 *
 * where E[f][b] are the items credited to feature f in bin b, and Q[f][b] is the sum of φ_f over
 * the seconds watched there. An item is credited to the features in proportion to their parts of λ:
 * one step of expectation maximization, as for self-exciting processes (Veen & Schoenberg 2008).
 * Since λ is constant within a bin, its integral is a sum.
 *
 * @param firstGuess W of a feature at an age, before anything is learned
 * @param guessSeconds weight of the first guess: the initial Q of a bin
 * @param priorItems items added to each bin permanently
 * @param priorSecondsOf Q of these items, computed from everything learned
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
  /** Integral of W up to the start of each bin. */
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

  /** Credits an item, and returns the part credited to the first feature. */
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
     * Learns from a poll: the features at the previous poll, the ages at which items came since,
     * and the age of that poll.
     *
     * @returns the number of items credited to the first feature
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
    /** Scales the weight of everything learned so far by this factor. */
    fade(keep: number): void {
      for (let at = 0; at < size; at += 1) {
        if ((exposed[at] ?? 0) * keep < LEAST_EXPOSED) continue;
        credited[at] = (credited[at] ?? 0) * keep;
        exposed[at] = (exposed[at] ?? 0) * keep;
      }
    },
    /** Returns the expected number of unseen items, ∫₀ᵃ λ(s) ds. */
    count(phi: readonly number[], ageSeconds: number): number {
      const bin = binOf(ageSeconds);
      const rest = ageSeconds - edge(bin);
      let total = 0;
      for (let feature = 0, at = bin; feature < features; feature += 1, at += BINS) {
        total += (phi[feature] ?? 0) * ((counts[at] ?? 0) + (weights[at] ?? 0) * rest);
      }
      return total;
    },
    /** Returns E and Q of all features and bins. */
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

/** Rounds to six digits, which is more precise than the estimates are. */
export function sixDigits(figure: number): number {
  return Number(figure.toPrecision(6));
}
