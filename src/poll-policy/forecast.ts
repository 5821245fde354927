import { DAY_SECONDS, HOUR_SECONDS } from '../lib/time.ts';
import { createIntensity, sixDigits } from './intensity.ts';

/** Memory of the known endpoints' intensity: about the last so many items of all of them. */
const MEMORY_ITEMS = 2000;
/**
 * Memory of the silent ones' intensity: about so many fair rounds, since they may wake together.
 */
const SILENT_MEMORY_ROUNDS = 2.4;
/**
 * The silent ones' mean rate counts for so many items at each age, and the mean rate of all for so
 * many in that.
 */
const SILENT_PRIOR_ITEMS = 50;
const SILENT_LEVEL_ITEMS = 0.5;
/** The first guess counts for so many items' worth of watching. */
const GUESS_ITEMS = 5;
/** First guess: so many further items for each second that an item counts, fading with its age. */
const FIRST_ECHO = 0.1;
/**
 * Time constants of the decayed item counts, seconds: a burst, a run of trades, a session, an
 * afternoon, a day.
 */
const DECAYS_SECONDS: readonly number[] = [60, 300, 1800, 10_800, DAY_SECONDS];
/** The mean rate of all counts towards an endpoint's own as so many items. */
const PRIOR_ITEMS = 1;
/** Own rate of all endpoints before anything is known: an item in so long. */
const FIRST_SECONDS = 8 * HOUR_SECONDS;
const SILENT: readonly number[] = [1];

export type Forecast = ReturnType<typeof createForecast>;

/** Makes what is known of one endpoint, as of its last poll: by default nothing yet. */
export function createForecast(
  counts = DECAYS_SECONDS.map(() => 0),
  credits = 0,
  watchedSeconds = 0,
) {
  return {
    /** Σⱼ exp(−(t − tⱼ)/τ) over its items at times tⱼ, for each τ of `DECAYS_SECONDS`. */
    counts,
    /** Items that no earlier item of it brought, and the seconds in which they came. */
    credits,
    watchedSeconds,
    /** λ's features, which follow from these. */
    features: SILENT,
  };
}

/**
 * Forecasts when items come at the endpoints of one name: λ of `createIntensity`, with these
 * features of an endpoint:
 *
 * - its own rate, Gamma–Poisson: (credits + 1) / (watched seconds + 1/mean rate of all), credits
 *   being its items less those that others brought;
 * - Σⱼ exp(−(t − tⱼ)/τ)/τ over its items at times tⱼ, for each τ of `DECAYS_SECONDS`.
 *
 * Short τ do the work of bursts, long ones that of a rate that changes, and the shared weights say
 * how much of each to believe. Endpoints that never had an item have no features: they share one
 * intensity, which notices within minutes when the silent wake, and returns to the mean of all
 * while none does.
 */
export function createPopulation() {
  let credits = 1;
  let watchedSeconds = FIRST_SECONDS;
  const known = createIntensity(1 + DECAYS_SECONDS.length, firstGuess, GUESS_ITEMS);
  const silent = createIntensity(1, () => 0, 0, SILENT_PRIOR_ITEMS, silentPriorSeconds);
  const figuresOfKnown = known.figures().length;
  let size = 0;
  const isSilent = ({ features }: Forecast): boolean => features === SILENT;
  const count = (forecast: Forecast, ageSeconds: number): number =>
    (isSilent(forecast) ? silent : known).count(forecast.features, ageSeconds);

  function silentPriorSeconds(items: number, seconds: number): number {
    const rate =
      (items + SILENT_LEVEL_ITEMS) / (seconds + (SILENT_LEVEL_ITEMS * watchedSeconds) / credits);
    return SILENT_PRIOR_ITEMS / rate;
  }

  function gain(forecast: Forecast, items: number, seconds: number): void {
    forecast.credits += items;
    forecast.watchedSeconds += seconds;
    credits += items;
    watchedSeconds += seconds;
  }

  /**
   * Sets what follows from the rest.
   *
   * @param own of which the own rate follows
   */
  function conclude(
    forecast: Forecast,
    own: Pick<Forecast, 'credits' | 'watchedSeconds'> = forecast,
  ): void {
    if (forecast.counts.at(-1) === 0) return;
    const ownRate =
      (own.credits + PRIOR_ITEMS) / (own.watchedSeconds + (PRIOR_ITEMS * watchedSeconds) / credits);
    forecast.features = featuresOf(ownRate, forecast);
  }

  /** Takes in a poll, but for what `conclude` sets. */
  function take(
    forecast: Forecast,
    ages: readonly number[],
    ageSeconds: number,
    waitedRounds = 0,
  ): void {
    if (isSilent(forecast)) {
      silent.fade(Math.exp(-waitedRounds / (SILENT_MEMORY_ROUNDS * Math.max(1, size))));
      const [first = 0] = ages;
      silent.learn(SILENT, new Array<number>(ages.length).fill(first), ageSeconds);
      gain(forecast, Math.min(1, ages.length), ageSeconds);
    } else {
      const keep = (1 - 1 / MEMORY_ITEMS) ** ages.length;
      if (keep < 1) known.fade(keep);
      credits *= keep;
      watchedSeconds *= keep;
      gain(forecast, known.learn(forecast.features, ages, ageSeconds), ageSeconds);
    }
    countItems(forecast, ages, ageSeconds);
  }

  return {
    grow(by: number): void {
      size += by;
    },
    /** Takes in a first page that shows what was before: item times, ascending. */
    first(forecast: Forecast, times: readonly number[], nowSeconds: number): void {
      const [begin] = times;
      if (begin === undefined) return;
      // Watching begins with the first item of the page, which therefore does not count: what came
      // before is unknown.
      addItem(forecast);
      // Weights are learned beside the whole page's rate: beside one hardly known the counts would
      // explain too much.
      const ofPage = { credits: times.length - 1, watchedSeconds: nowSeconds - begin };
      conclude(forecast, ofPage);
      let last = begin;
      for (const time of times.slice(1)) {
        take(forecast, [time - last], time - last);
        conclude(forecast, ofPage);
        last = time;
      }
      take(forecast, [], nowSeconds - last);
      conclude(forecast);
    },
    /**
     * Takes in a later poll: ages at which items came since the poll before, ascending, and the age
     * of that poll.
     */
    later(
      forecast: Forecast,
      ages: readonly number[],
      ageSeconds: number,
      waitedRounds: number,
    ): void {
      take(forecast, ages, ageSeconds, waitedRounds);
      conclude(forecast);
    },
    /**
     * Takes in a time in which nothing is known to have come, such as that between a stored
     * document and a restart.
     */
    resume(forecast: Forecast, seconds: number): void {
      decay(forecast, seconds);
      conclude(forecast);
    },
    /** Expected unseen items. */
    count,
    figures: () => [
      ...[credits, watchedSeconds].map(sixDigits),
      ...known.figures(),
      ...silent.figures(),
    ],
    restore(figures: readonly number[]): void {
      [credits = 1, watchedSeconds = FIRST_SECONDS] = figures.map((figure) =>
        Math.max(Number.EPSILON, figure),
      );
      known.restore(figures.slice(2, 2 + figuresOfKnown));
      silent.restore(figures.slice(2 + figuresOfKnown));
    },
  };
}

function decay(forecast: Forecast, seconds: number): void {
  for (const [index, scale] of DECAYS_SECONDS.entries()) {
    forecast.counts[index] = (forecast.counts[index] ?? 0) * Math.exp(-seconds / scale);
  }
}

function addItem({ counts }: Forecast): void {
  for (const index of counts.keys()) counts[index] = (counts[index] ?? 0) + 1;
}

/** Counts items that came at these ages, ascending, and lets `ageSeconds` go by in all. */
function countItems(forecast: Forecast, ages: readonly number[], ageSeconds: number): void {
  let last = 0;
  for (const age of ages) {
    decay(forecast, age - last);
    addItem(forecast);
    last = age;
  }
  decay(forecast, ageSeconds - last);
}

function featuresOf(ownRate: number, { counts }: Forecast): readonly number[] {
  return [ownRate, ...counts.map((figure, index) => figure / (DECAYS_SECONDS[index] ?? 1))];
}

function firstGuess(feature: number, ageSeconds: number): number {
  const scale = DECAYS_SECONDS[feature - 1];
  if (scale === undefined) return 1;
  return FIRST_ECHO * Math.exp(-ageSeconds / scale);
}

/**
 * Worth of a poll: N·a^(9/8), about the expected waiting, since for a constant rate N·a is twice
 * ∫₀ᵃ s·λ(s) ds. Long waits count a little more than in proportion: of the mean delay that takes
 * little, of the longest ones much.
 */
export function urgencyOf(unseenItems: number, ageSeconds: number): number {
  return unseenItems * ageSeconds * Math.sqrt(Math.sqrt(Math.sqrt(ageSeconds)));
}
