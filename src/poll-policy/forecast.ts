import { createIntensity, type Piece } from './intensity.ts';

/** What is believed of the known endpoints follows about the last so many items, of all of them. */
const MEMORY_ITEMS = 1000;
/** What is believed of the silent ones follows about as much of the past as takes each so long: they may wake together. */
const SILENT_MEMORY_SECONDS = 1000;
/** The first guess counts for so many items' worth of watching. */
const GUESS_ITEMS = 5;
/** First guess: so many further items for each second that an item counts, fading with its age. */
const FIRST_ECHO = 0.1;
/** Of a page, expected to be unseen: then it goes first, before it overflows. */
const GUARD_SHARE = 0.5;
/** And so much if its busiest time came back right after the last poll, once it has waited a fair round. */
const NEARLY_FULL = 0.8;
const LONGEST_AGE_SECONDS = 86_400;
/** Time constants of the decayed item counts, seconds: a burst, a run of trades, a session, an afternoon, a day. */
const DECAYS_SECONDS: readonly number[] = [60, 300, 1800, 10_800, 86_400];
/** The decay whose greatest count says how busy an endpoint can be: index into `DECAYS_SECONDS`. */
const PEAK_DECAY = 1;
const PEAK_MEMORY_SECONDS = 7 * 86_400;
/** What is older than about this no longer counts towards an endpoint's own rate. */
const BASE_MEMORY_SECONDS = 30 * 86_400;
/** The mean rate of all counts towards an endpoint's own as so many items. */
const PRIOR_ITEMS = 0.5;
/** Own rate of all endpoints before anything is known: so many items in so many seconds. */
const FIRST_ITEMS = 1;
const FIRST_SECONDS = 1200;
/** λ of an endpoint that never had an item, before anything is known, items a second. */
const FIRST_SILENT_RATE = 0.3 * (3 / 3600);
const FIRST_SILENT_SECONDS = 450;
const SILENT: readonly number[] = [1];

/** What is known of one endpoint, as of its last poll. */
export interface Forecast {
  /** Its own rate (items that no earlier item brought), then its decayed counts by their time constants: items a second. */
  readonly features: number[];
  /** Items credited to its own rate, and the seconds in which they came. */
  credits: number;
  watchedSeconds: number;
  /** The greatest rate over about five minutes, items a second. */
  peakRate: number;
  /** Whether it never had an item. */
  isSilent: boolean;
  /** The age at which half a page is expected to be unseen, seconds. */
  guardAgeSeconds: number;
  /** The waiting, as believed when this bin of ages was entered. */
  readonly piece: Piece;
}

export function createForecast(): Forecast {
  return {
    features: [0, ...DECAYS_SECONDS.map(() => 0)],
    credits: 0,
    watchedSeconds: 0,
    peakRate: 0,
    isSilent: true,
    guardAgeSeconds: Number.POSITIVE_INFINITY,
    piece: { base: 0, slope: 0, fromSeconds: 0, untilSeconds: 0 },
  };
}

/**
 * When items are expected at the endpoints of one name: λ of `Intensity`, with these features of an endpoint:
 *
 * - its own rate, Gamma–Poisson: (credits + ½) / (watched seconds + ½/mean rate of all), credits being its items less those that
 *   others brought;
 * - Σⱼ exp(−(t − tⱼ)/τ)/τ over its items at times tⱼ, for each τ of `DECAYS_SECONDS`.
 *
 * Short τ do the work of bursts, long ones that of a rate that changes, and the shared weights say how much of each to believe. Endpoints
 * that never had an item have no features: they share one intensity, which notices within minutes when the silent wake.
 */
export interface Population {
  join(forecast: Forecast): void;
  leave(forecast: Forecast): void;
  /** Takes in a first page: item times, ascending. */
  first(forecast: Forecast, times: readonly number[], nowSeconds: number): void;
  /** Takes in a later poll: the ages at which items came since the poll before, ascending, and the age of that poll. */
  later(forecast: Forecast, ages: readonly number[], ageSeconds: number): void;
  /** Takes in a time in which nothing is known to have come, such as that between a stored document and a restart. */
  resume(forecast: Forecast, seconds: number): void;
  /** Expected waiting of unseen items, item·seconds. */
  waiting(forecast: Forecast, ageSeconds: number): number;
  /** Expected unseen items. */
  count(forecast: Forecast, ageSeconds: number): number;
  /** The share of a page that may be unseen, if that is so much that the page may overflow; else 0. */
  overflow(forecast: Forecast, ageSeconds: number, waitedRounds: number): number;
  figures(): number[];
  /** Takes what `figures` returned. */
  restore(figures: readonly number[]): void;
}

export function createPopulation(pageSize: number): Population {
  const known = createIntensity(1 + DECAYS_SECONDS.length, firstGuess, GUESS_ITEMS);
  const silent = createIntensity(1, () => FIRST_SILENT_RATE, FIRST_SILENT_SECONDS);
  let size = 0;
  let credits = FIRST_ITEMS;
  let watchedSeconds = FIRST_SECONDS;

  const waiting = (forecast: Forecast, ageSeconds: number): number => {
    if (forecast.isSilent) return silent.waiting(SILENT, ageSeconds);
    const { piece } = forecast;
    if (!(ageSeconds >= piece.fromSeconds && ageSeconds < piece.untilSeconds))
      known.pieceAt(forecast.features, ageSeconds, piece);
    return piece.base + piece.slope * ageSeconds * ageSeconds;
  };
  const count = (forecast: Forecast, ageSeconds: number): number =>
    forecast.isSilent ? silent.count(SILENT, ageSeconds) : known.count(forecast.features, ageSeconds);

  function gain(forecast: Forecast, items: number, seconds: number): void {
    forecast.credits += items;
    forecast.watchedSeconds += seconds;
    credits += items;
    watchedSeconds += seconds;
  }

  function decay({ features }: Forecast, seconds: number): void {
    for (const [index, scale] of DECAYS_SECONDS.entries())
      features[index + 1] = (features[index + 1] ?? 0) * Math.exp(-seconds / scale);
  }

  function addItem(forecast: Forecast): void {
    const { features } = forecast;
    for (const [index, scale] of DECAYS_SECONDS.entries()) features[index + 1] = (features[index + 1] ?? 0) + 1 / scale;
    forecast.peakRate = Math.max(forecast.peakRate, features[1 + PEAK_DECAY] ?? 0);
    forecast.isSilent = false;
  }

  /** Sets what follows from the rest. */
  function conclude(forecast: Forecast): void {
    const priorSeconds = (PRIOR_ITEMS * watchedSeconds) / credits;
    forecast.features[0] = (forecast.credits + PRIOR_ITEMS) / (forecast.watchedSeconds + priorSeconds);
    forecast.piece.untilSeconds = 0;
    // Of the silent it is asked for anew each time: others may wake before their next poll.
    forecast.guardAgeSeconds = forecast.isSilent
      ? Number.POSITIVE_INFINITY
      : ageOf(GUARD_SHARE * pageSize, (age) => known.count(forecast.features, age), LONGEST_AGE_SECONDS);
  }

  function learn(forecast: Forecast, ages: readonly number[], ageSeconds: number): void {
    if (!forecast.isSilent) {
      if (ages.length > 0) known.fade((1 - 1 / MEMORY_ITEMS) ** ages.length);
      known.watch(forecast.features, ageSeconds);
      const own = ages.reduce((sum, age) => sum + known.credit(forecast.features, age, 1), 0);
      gain(forecast, own, ageSeconds);
      return;
    }
    silent.fade(Math.exp(-ageSeconds / (SILENT_MEMORY_SECONDS * Math.max(1, size))));
    silent.watch(SILENT, ageSeconds);
    const [first] = ages;
    if (first !== undefined) silent.credit(SILENT, first, ages.length);
    gain(forecast, first === undefined ? 0 : 1, ageSeconds);
  }

  return {
    join(forecast) {
      size += 1;
      credits += forecast.credits;
      watchedSeconds += forecast.watchedSeconds;
    },
    leave(forecast) {
      size -= 1;
      credits -= forecast.credits;
      watchedSeconds -= forecast.watchedSeconds;
    },
    first(forecast, times, nowSeconds) {
      let last = times[0] ?? nowSeconds;
      for (const [index, time] of times.entries()) {
        // Watching begins with the first item of the page, which therefore does not count: what came before it is not known.
        if (index > 0) learn(forecast, [time - last], time - last);
        decay(forecast, time - last);
        addItem(forecast);
        conclude(forecast);
        last = time;
      }
      if (times.length > 0) learn(forecast, [], nowSeconds - last);
      decay(forecast, nowSeconds - last);
      conclude(forecast);
    },
    later(forecast, ages, ageSeconds) {
      learn(forecast, ages, ageSeconds);
      let last = 0;
      for (const age of ages) {
        decay(forecast, age - last);
        addItem(forecast);
        last = age;
      }
      decay(forecast, ageSeconds - last);
      const keep = Math.exp(-ageSeconds / BASE_MEMORY_SECONDS);
      gain(forecast, forecast.credits * (keep - 1), forecast.watchedSeconds * (keep - 1));
      forecast.peakRate *= Math.exp(-ageSeconds / PEAK_MEMORY_SECONDS);
      conclude(forecast);
    },
    resume(forecast, seconds) {
      decay(forecast, seconds);
      conclude(forecast);
    },
    waiting,
    count,
    overflow(forecast, ageSeconds, waitedRounds) {
      const atBusiest = waitedRounds >= 1 ? (forecast.peakRate * ageSeconds) / pageSize : 0;
      if (ageSeconds < forecast.guardAgeSeconds && atBusiest < NEARLY_FULL) return 0;
      return Math.max(atBusiest, count(forecast, ageSeconds) / pageSize);
    },
    figures: () => [...known.figures(), ...silent.figures()],
    restore(figures) {
      known.restore(figures.slice(0, known.length));
      silent.restore(figures.slice(known.length));
    },
  };
}

function firstGuess(feature: number, ageSeconds: number): number {
  const scale = DECAYS_SECONDS[feature - 1];
  return scale === undefined ? 1 : FIRST_ECHO * Math.exp(-ageSeconds / scale);
}

/** The age at which a figure that grows with it comes to so much, by bisection; the longest if it never does. */
export function ageOf(figure: number, at: (ageSeconds: number) => number, longestSeconds: number): number {
  if (at(longestSeconds) < figure) return longestSeconds;
  let [low, high] = [0, longestSeconds];
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (at(middle) < figure) low = middle;
    else high = middle;
  }
  return high;
}
