import { createIntensity } from './intensity.ts';

/** What is believed of the known endpoints follows about the last so many items, of all of them. */
const MEMORY_ITEMS = 1000;
/** What is believed of the silent ones follows about as much of the past as takes each so long: they may wake together. */
const SILENT_MEMORY_SECONDS = 1000;
/** The first guess counts for so many items' worth of watching. */
const GUESS_ITEMS = 5;
/** First guess: so many further items for each second that an item counts, fading with its age. */
const FIRST_ECHO = 0.1;
/** Time constants of the decayed item counts, seconds: a burst, a run of trades, a session, an afternoon, a day, a week. */
const DECAYS_SECONDS: readonly number[] = [60, 300, 1800, 10_800, 86_400, 604_800];
/** What is older than about this no longer counts towards an endpoint's own rate. */
const OWN_MEMORY_SECONDS = 30 * 86_400;
/** The mean rate of all counts towards an endpoint's own as so many items. */
const PRIOR_ITEMS = 0.5;
/** Own rate of all endpoints before anything is known: so many items in so many seconds. */
const FIRST_ITEMS = 1;
const FIRST_SECONDS = 1200;
/** λ of an endpoint that never had an item, before anything is known, items a second. */
const FIRST_SILENT_RATE = 0.3 * (3 / 3600);
const FIRST_SILENT_SECONDS = 450;
const SILENT: readonly number[] = [1];
/** Ages between which the urgency is interpolated. */
const GRID_SECONDS: readonly number[] = [
  0, 5, 10, 17, 25, 40, 60, 95, 150, 240, 400, 640, 1000, 1600, 2500, 4000, 6400, 10_000, 100_000,
];
/** How much the urgency heeds that a burst has ended: the power of N/N⁺, and the most that this may be. */
const BURST_END = 0.3;
const MOST_ENDED = 100;
/** Long waits count a little more than in proportion: of the mean delay that takes little, of the longest ones much. */
const LONG_WAITS = 0.1;
/** Of a page, expected to be unseen: then it goes first, before it overflows. */
const GUARD_SHARE = 0.5;
const LONGEST_AGE_SECONDS = 86_400;

/** What is known of one endpoint, as of its last poll. */
export interface Forecast {
  /** Σⱼ exp(−(t − tⱼ)/τ) over its items at times tⱼ, for each τ of `DECAYS_SECONDS`. */
  readonly counts: number[];
  /** Items that no earlier item of it brought, and the seconds in which they came. */
  credits: number;
  watchedSeconds: number;
  /** λ's features, which follow from these. */
  features: readonly number[];
  /** The age at which so much of a page is expected to be unseen that it may overflow, seconds. */
  guardAgeSeconds: number;
  /** As believed when the first of its ages was reached. */
  piece: Piece;
}

/** The urgency of the ages a between two others: base + slope·a². */
interface Piece {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  readonly base: number;
  readonly slope: number;
}

const NO_PIECE: Piece = { fromSeconds: 0, untilSeconds: 0, base: 0, slope: 0 };

export function createForecast(
  counts: readonly number[] = DECAYS_SECONDS.map(() => 0),
  credits = 0,
  watchedSeconds = 0,
): Forecast {
  return {
    counts: [...counts],
    credits,
    watchedSeconds,
    features: SILENT,
    guardAgeSeconds: Number.POSITIVE_INFINITY,
    piece: NO_PIECE,
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
 *
 * The urgency of an age a is N·a^1.1·(N/N⁺)^0.3, N being the expected unseen items and N⁺ those of the next a seconds. For a constant rate
 * N·a is twice the expected waiting ∫₀ᵃ s·λ(s) ds, and N/N⁺ is 1. The last factor is greater after a burst: what waits then will not be
 * joined by more, so that nothing is gained by polling later. (With λ known for good, the best times to poll have N = λ·next interval.)
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
  /** How much a poll is worth at an age; grows with it. */
  urgency(forecast: Forecast, ageSeconds: number): number;
  /** Expected unseen items. */
  count(forecast: Forecast, ageSeconds: number): number;
  /** The share of a page that is expected to be unseen, if that is so much that the page may overflow; else 0. */
  overflow(forecast: Forecast, ageSeconds: number): number;
  figures(): number[];
  restore(figures: readonly number[]): void;
}

export function createPopulation(pageSize: number): Population {
  const known = createIntensity(1 + DECAYS_SECONDS.length, firstGuess, GUESS_ITEMS);
  const silent = createIntensity(1, () => FIRST_SILENT_RATE, FIRST_SILENT_SECONDS);
  const figuresOfKnown = known.figures().length;
  let size = 0;
  let credits = FIRST_ITEMS;
  let watchedSeconds = FIRST_SECONDS;
  /** Of the silent, who are all alike, by `stepOf`; emptied at each poll of one, for they may wake together. */
  let silentPieces: Piece[] = [];
  const isSilent = ({ features }: Forecast): boolean => features === SILENT;
  const count = (forecast: Forecast, ageSeconds: number): number =>
    (isSilent(forecast) ? silent : known).count(forecast.features, ageSeconds);

  function gain(forecast: Forecast, items: number, seconds: number): void {
    forecast.credits += items;
    forecast.watchedSeconds += seconds;
    credits += items;
    watchedSeconds += seconds;
  }

  function decay(forecast: Forecast, seconds: number): void {
    for (const [index, scale] of DECAYS_SECONDS.entries())
      forecast.counts[index] = (forecast.counts[index] ?? 0) * Math.exp(-seconds / scale);
  }

  function addItem({ counts }: Forecast): void {
    for (const index of counts.keys()) counts[index] = (counts[index] ?? 0) + 1;
  }

  /**
   * Sets what follows from the rest.
   *
   * @param own of which the own rate follows
   */
  function conclude(forecast: Forecast, own: Pick<Forecast, 'credits' | 'watchedSeconds'> = forecast): void {
    forecast.piece = NO_PIECE;
    if (forecast.counts.at(-1) === 0) return;
    const ownRate = (own.credits + PRIOR_ITEMS) / (own.watchedSeconds + (PRIOR_ITEMS * watchedSeconds) / credits);
    forecast.features = [ownRate, ...forecast.counts.map((figure, index) => figure / (DECAYS_SECONDS[index] ?? 1))];
    forecast.guardAgeSeconds = ageOf(GUARD_SHARE * pageSize, (age) => count(forecast, age), LONGEST_AGE_SECONDS);
  }

  /** Takes in a poll, but for what `conclude` sets. */
  function take(forecast: Forecast, ages: readonly number[], ageSeconds: number): void {
    if (isSilent(forecast)) {
      silentPieces = [];
      silent.fade(Math.exp(-ageSeconds / (SILENT_MEMORY_SECONDS * Math.max(1, size))));
      silent.learn(
        SILENT,
        ages.map(() => ages[0] ?? 0),
        ageSeconds,
      );
      gain(forecast, Math.min(1, ages.length), ageSeconds);
    } else {
      if (ages.length > 0) known.fade((1 - 1 / MEMORY_ITEMS) ** ages.length);
      gain(forecast, known.learn(forecast.features, ages, ageSeconds), ageSeconds);
    }
    const keep = Math.exp(-ageSeconds / OWN_MEMORY_SECONDS);
    gain(forecast, forecast.credits * (keep - 1), forecast.watchedSeconds * (keep - 1));
    let last = 0;
    for (const age of ages) {
      decay(forecast, age - last);
      addItem(forecast);
      last = age;
    }
    decay(forecast, ageSeconds - last);
  }

  const silentUrgencyAt = (ageSeconds: number): number =>
    silent.count(SILENT, ageSeconds) * ageSeconds ** (1 + LONG_WAITS);

  function urgencyAt(forecast: Forecast, ageSeconds: number): number {
    const unseen = count(forecast, ageSeconds);
    if (!(unseen > 0)) return 0;
    const next = count(forecast, 2 * ageSeconds) - unseen;
    return unseen * ageSeconds ** (1 + LONG_WAITS) * Math.min(MOST_ENDED, unseen / next) ** BURST_END;
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
      const [begin] = times;
      if (begin === undefined) return;
      // Watching begins with the first item of the page, which therefore does not count: what came before it is not known.
      addItem(forecast);
      // The weights are learned beside the rate of the whole page: beside one that is hardly known yet the counts would explain too much.
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
    later(forecast, ages, ageSeconds) {
      take(forecast, ages, ageSeconds);
      conclude(forecast);
    },
    resume(forecast, seconds) {
      decay(forecast, seconds);
      conclude(forecast);
    },
    urgency(forecast, ageSeconds) {
      let { piece } = forecast;
      if (isSilent(forecast)) {
        const step = stepOf(ageSeconds);
        piece = silentPieces[step] ?? pieceOf(step, silentUrgencyAt);
        silentPieces[step] = piece;
      } else if (!(ageSeconds >= piece.fromSeconds && ageSeconds < piece.untilSeconds)) {
        piece = pieceOf(stepOf(ageSeconds), (age) => urgencyAt(forecast, age));
        forecast.piece = piece;
      }
      return piece.base + piece.slope * ageSeconds * ageSeconds;
    },
    count,
    overflow(forecast, ageSeconds) {
      return ageSeconds < forecast.guardAgeSeconds ? 0 : count(forecast, ageSeconds) / pageSize;
    },
    figures: () => [...known.figures(), ...silent.figures()],
    restore(figures) {
      known.restore(figures.slice(0, figuresOfKnown));
      silent.restore(figures.slice(figuresOfKnown));
      silentPieces = [];
    },
  };
}

/** Between which two ages of the grid an age lies: the index of the first. */
function stepOf(ageSeconds: number): number {
  let step = GRID_SECONDS.length - 2;
  while (step > 0 && ageSeconds < (GRID_SECONDS[step] ?? 0)) step -= 1;
  return step;
}

/** The urgency between two ages of the grid, as at both of them. */
function pieceOf(step: number, urgencyAt: (ageSeconds: number) => number): Piece {
  const [from = 0, to = 0] = GRID_SECONDS.slice(step);
  const low = urgencyAt(from);
  const slope = (urgencyAt(to) - low) / (to * to - from * from);
  return { fromSeconds: from, untilSeconds: to, base: low - slope * from * from, slope };
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
