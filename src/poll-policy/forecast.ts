import { DAY_SECONDS, HOUR_SECONDS } from '../lib/time.ts';
import { createIntensity, sixDigits } from './intensity.ts';

/** Memory of the active endpoints' intensity: about this many recent items in total. */
const MEMORY_ITEMS = 2000;
/**
 * Memory of the silent endpoints' intensity, in fair rounds; short, because they may become active
 * together.
 */
const SILENT_MEMORY_ROUNDS = 2.4;
/**
 * The silent endpoints' mean rate counts as this many items at each age; in it, the mean rate of
 * all endpoints counts as this many items.
 */
const SILENT_PRIOR_ITEMS = 50;
const SILENT_LEVEL_ITEMS = 0.5;
/** Weight of the first guess, in items. */
const GUESS_ITEMS = 5;
/** First guess: further items per second that an item brings, decaying with its age. */
const FIRST_ECHO = 0.1;
/**
 * Time constants of the decayed item counts, in seconds: a burst, a run of trades, a session, an
 * afternoon, a day.
 */
const DECAYS_SECONDS: readonly number[] = [60, 300, 1800, 10_800, DAY_SECONDS];
/** Weight of the mean rate of all endpoints in an endpoint's own rate, in items. */
const PRIOR_ITEMS = 1;
/** Mean interval between items of an endpoint before anything is known, in seconds. */
const FIRST_SECONDS = 8 * HOUR_SECONDS;
const SILENT: readonly number[] = [1];

export type Forecast = ReturnType<typeof createForecast>;

/** Creates the data about one endpoint as of its last poll; by default, nothing is known. */
export function createForecast(
  counts = DECAYS_SECONDS.map(() => 0),
  credits = 0,
  watchedSeconds = 0,
) {
  return {
    /** Σⱼ exp(−(t − tⱼ)/τ) over its items at times tⱼ, for each τ of `DECAYS_SECONDS`. */
    counts,
    /** Items not credited to earlier items, and the seconds in which they came. */
    credits,
    watchedSeconds,
    /** Features of λ, derived from the above. */
    features: SILENT,
  };
}

/**
 * Forecasts when items come at the endpoints of one name: λ of `createIntensity`, with these
 * features of an endpoint:
 *
 * - its own rate, Gamma–Poisson: (credits + 1) / (watched seconds + 1/mean rate of all), where
 *   credits are its items minus those brought by other items;
 * - Σⱼ exp(−(t − tⱼ)/τ)/τ over its items at times tⱼ, for each τ of `DECAYS_SECONDS`.
 *
 * Short τ model bursts, long ones a changing rate; the shared weights determine the influence of
 * each. Endpoints that never had an item have no features. They share one intensity, which rises
 * within minutes when silent endpoints become active, and returns to the mean of all while none
 * does.
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
   * Computes the features.
   *
   * @param own data for the endpoint's own rate
   */
  function conclude(
    forecast: Forecast,
    own: Pick<Forecast, 'credits' | 'watchedSeconds'> = forecast,
  ): void {
    if (forecast.counts.at(-1) === 0) return;
    const ownRate =
      (own.credits + PRIOR_ITEMS) / (own.watchedSeconds + (PRIOR_ITEMS * watchedSeconds) / credits);
    const echoes = forecast.counts.map((figure, index) => figure / (DECAYS_SECONDS[index] ?? 1));
    forecast.features = [ownRate, ...echoes];
  }

  /** Learns from a poll, except for what `conclude` sets. */
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
    /** Learns from a first page, which shows earlier items: their times, ascending. */
    first(forecast: Forecast, times: readonly number[], nowSeconds: number): void {
      const [begin] = times;
      if (begin === undefined) return;
      // Observation begins with the first item of the page, which therefore does not count, because
      // nothing is known of the time before.
      addItem(forecast);
      // Weights are learned with the whole page's rate. With a rate hardly known yet, the counts
      // would explain too much.
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
     * Learns from a later poll: the ages at which items came since the previous poll, ascending,
     * and the age of that poll.
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
     * Accounts for a period without known items, such as that between a stored document and a
     * restart.
     */
    resume(forecast: Forecast, seconds: number): void {
      decay(forecast, seconds);
      conclude(forecast);
    },
    /** Returns the expected number of unseen items. */
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

/** Counts items that came at these ages, ascending, and advances time by `ageSeconds` in total. */
function countItems(forecast: Forecast, ages: readonly number[], ageSeconds: number): void {
  let last = 0;
  for (const age of ages) {
    decay(forecast, age - last);
    addItem(forecast);
    last = age;
  }
  decay(forecast, ageSeconds - last);
}

function firstGuess(feature: number, ageSeconds: number): number {
  const scale = DECAYS_SECONDS[feature - 1];
  if (scale === undefined) return 1;
  return FIRST_ECHO * Math.exp(-ageSeconds / scale);
}

/**
 * Returns the value of a poll: N·a^(9/8), which is about the expected waiting time, since for a
 * constant rate N·a is twice ∫₀ᵃ s·λ(s) ds. Long waits count slightly more than proportionally,
 * which hardly raises the mean delay and clearly lowers the longest ones.
 */
export function urgencyOf(unseenItems: number, ageSeconds: number): number {
  return unseenItems * ageSeconds * Math.sqrt(Math.sqrt(Math.sqrt(ageSeconds)));
}
