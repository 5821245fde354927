/** What the prior is mixed from: Gamma distributions of this shape, their means from one item a year to one a second. */
const SHAPE = 2;
const RATES: readonly number[] = Array.from({ length: 17 }, (_, step) => 3e-8 * 3 ** step);
/** Each in the form of evidence: `SHAPE` items in so many seconds. */
const SPANS: readonly number[] = RATES.map((rate) => SHAPE / rate);
const LOG_SPANS: readonly number[] = SPANS.map(Math.log);
/** Before anything is learned: log-normal, about this median and so many e-folds wide. */
const FIRST_MEDIAN = 8.7e-5;
const FIRST_WIDTH = 2.8;
/** Share of the prior that is spread evenly: no rate is ever ruled out. */
const UNDECIDED = 0.003;
const LEAST_MASS_SECONDS = 100_000;
/** The prior follows the last twenty-odd hours of watching, counted in endpoint·seconds of this many endpoints. */
const MEMORY_SECONDS = 86_400;

/** Time scales of self-excitation, seconds: a burst, a run of trades, a session, a day's mood. */
export const SCALES: readonly number[] = [90, 450, 2400, 14_400];
/** How many further items an item brings at each scale, before anything is learned. */
const FIRST_GUESS: readonly number[] = [0.25, 0.1, 0.05, 0.05];
const GUESS_ITEMS = 10;
const MEMORY_ITEMS = 20_000;
/** Expectation maximization forgets its wrong beginnings only if the memory grows more slowly than the evidence. */
const MEMORY_SHARE = 0.5;

/** What endpoints of one name have in common: how their base rates are spread, and how strongly trades beget trades. */
export interface Shared {
  /** Expected base rate, items a second, of an endpoint with so many first trades in so many seconds. */
  baseRate(firstTrades: number, seconds: number): number;
  /** Tells the prior what an endpoint looks like now, `elapsedSeconds` after it was told before; gives its base rate. */
  learnRate(firstTrades: number, seconds: number, elapsedSeconds: number, endpoints: number): number;
  /** Items brought by an item at one of `SCALES`, over all endpoints. */
  branching(scale: number): number;
  /** Adds what `items` new items showed: how many of them each scale brought, of how many it could have, both weighed. */
  learnBranching(items: number, brought: ArrayLike<number>, chances: ArrayLike<number>): void;
}

/**
 * Empirical Bayes: the spread of the base rates is itself estimated (a mixture of Gamma distributions, fitted by
 * expectation maximization as the polls come in), so that a new or quiet endpoint is taken for what its like turned out to be.
 */
export function createShared(): Shared {
  const prior = Float64Array.from(RATES, (rate) => Math.exp(-0.5 * (Math.log(rate / FIRST_MEDIAN) / FIRST_WIDTH) ** 2));
  scale(prior, 1 / sum(prior));
  const posterior = new Float64Array(RATES.length);
  const brought = Float64Array.from(FIRST_GUESS, (share) => share * GUESS_ITEMS);
  const chances = Float64Array.from(FIRST_GUESS, () => GUESS_ITEMS);
  let mass = 0;
  let told = GUESS_ITEMS;

  /** Bayes over the mixture: leaves the components' weights in `posterior` and returns the mean rate. */
  function weigh(firstTrades: number, seconds: number): number {
    const items = SHAPE + firstTrades;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let step = 0; step < RATES.length; step += 1) {
      const score = SHAPE * (LOG_SPANS[step] ?? 0) - items * Math.log((SPANS[step] ?? 0) + seconds);
      posterior[step] = score;
      if (score > greatest) greatest = score;
    }
    let total = 0;
    let rate = 0;
    for (let step = 0; step < RATES.length; step += 1) {
      const share = (prior[step] ?? 0) + UNDECIDED / RATES.length;
      const weight = share * Math.exp((posterior[step] ?? 0) - greatest);
      posterior[step] = weight;
      total += weight;
      rate += (weight * items) / ((SPANS[step] ?? 0) + seconds);
    }
    for (let step = 0; step < RATES.length; step += 1) posterior[step] = (posterior[step] ?? 0) / total;
    return rate / total;
  }

  return {
    baseRate: weigh,
    learnRate(firstTrades, seconds, elapsedSeconds, endpoints) {
      const rate = weigh(firstTrades, seconds);
      if (elapsedSeconds <= 0) return rate;
      mass = Math.min(mass + elapsedSeconds, Math.max(LEAST_MASS_SECONDS, endpoints * MEMORY_SECONDS));
      const step = Math.min(0.05, elapsedSeconds / Math.max(LEAST_MASS_SECONDS, mass));
      for (let at = 0; at < prior.length; at += 1) {
        prior[at] = (prior[at] ?? 0) * (1 - step) + (posterior[at] ?? 0) * step;
      }
      return rate;
    },
    branching: (index) => (brought[index] ?? 0) / (chances[index] ?? 1),
    learnBranching(items, newlyBrought, newChances) {
      if (items === 0) {
        for (let index = 0; index < brought.length; index += 1)
          chances[index] = (chances[index] ?? 0) + (newChances[index] ?? 0);
        return;
      }
      told += items;
      const keep = Math.exp(-items / Math.min(MEMORY_ITEMS, MEMORY_SHARE * told));
      for (let index = 0; index < brought.length; index += 1) {
        brought[index] = (brought[index] ?? 0) * keep + (newlyBrought[index] ?? 0);
        chances[index] = (chances[index] ?? 0) * keep + (newChances[index] ?? 0);
      }
    },
  };
}

function sum(figures: Float64Array): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

function scale(figures: Float64Array, by: number): void {
  for (let index = 0; index < figures.length; index += 1) figures[index] = (figures[index] ?? 0) * by;
}
