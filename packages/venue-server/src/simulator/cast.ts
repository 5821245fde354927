import type { Term } from './markets.ts';

/**
 * `fast` acts every few seconds, `brisk` every minute or two, `steady` a few times an hour, `slow`
 * a few times a day.
 */
export type Pace = 'fast' | 'brisk' | 'steady' | 'slow';

/** Why a holding is given up before its market ends; none of it is by knowledge of that end. */
export type Exit = 'soon' | 'risen' | 'fallen' | 'moved';

/** How a trader plays. */
export interface Style {
  /** For people. */
  readonly words: string;
  /** How much more than its price a share is worth that it buys first in a market, in the mean. */
  readonly edgeCents: number;
  /** Prices at which it opens a position. */
  readonly leastCents: number;
  readonly mostCents: number;
  /** Whether it adds to a position: at times, or whenever the price has fallen. */
  readonly adds: 'sometimes' | 'fallen';
  readonly exit?: Exit;
  /** Gives a holding up by buying the other side instead of selling. */
  readonly isHedger?: boolean;
  readonly hasEvenStakes?: boolean;
}

export interface Part {
  readonly handle: string;
  readonly pace: Pace;
  readonly style: Style;
}

const FAIR = { edgeCents: 0, leastCents: 5, mostCents: 95, adds: 'sometimes' } as const;

function trader(handle: string, pace: Pace, words: string, style: Partial<Style>): Part {
  return { handle, pace, style: { ...FAIR, words, ...style } };
}

/** Fastest first. */
export const CAST: readonly Part[] = [
  trader('quickdraw', 'fast', 'round trips: in and soon out again', { exit: 'soon' }),
  trader('metronome', 'fast', 'even stakes, held to the end', { hasEvenStakes: true }),
  trader('hailstorm', 'fast', 'averages down: buys more when the price has fallen', {
    adds: 'fallen',
  }),
  trader('tidewatcher', 'brisk', 'sells winners early, holds losers to the end', { exit: 'risen' }),
  trader(
    'copperline',
    'brisk',
    'buys what is worth 15¢ more than its price, and holds it to the end',
    {
      edgeCents: 15,
      leastCents: 15,
      mostCents: 75,
    },
  ),
  trader('lamplighter', 'steady', 'favourites at 80¢ and more, held to the end', {
    leastCents: 80,
    mostCents: 97,
  }),
  trader('northbound', 'steady', 'long shots at 20¢ and less, held to the end', {
    leastCents: 2,
    mostCents: 20,
  }),
  trader('quietriver', 'steady', 'gets out by buying the other side', {
    exit: 'moved',
    isHedger: true,
  }),
  trader('oldharbor', 'slow', 'cuts losers, lets winners run', { exit: 'fallen' }),
  trader('winterking', 'slow', 'even chances, held to the end', { leastCents: 35, mostCents: 65 }),
];

/** When a trader of a pace does what. */
export interface Rhythm {
  /** Between two bursts. */
  readonly restSeconds: number;
  /** Between two deeds of a burst. */
  readonly stepSeconds: number;
  readonly deedsPerBurst: number;
  readonly stakeUsdc: number;
  /** The markets it trades in most. */
  readonly term: Term;
  /** From settlement to redemption, mean. */
  readonly reactionSeconds: number;
  /**
   * In the past it trades at times only, so that months are some thousands of records: from the end
   * of one session to the next (mean), and how long they last. The last one lasts until now and
   * goes on.
   */
  readonly sessions: {
    readonly everySeconds: number;
    readonly lengthSeconds: number;
    readonly lastSeconds: number;
  };
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

export const RHYTHMS: Readonly<Record<Pace, Rhythm>> = {
  fast: {
    restSeconds: 25,
    stepSeconds: 2,
    deedsPerBurst: 3,
    stakeUsdc: 40,
    term: 'minutes',
    reactionSeconds: 6,
    sessions: { everySeconds: 1.5 * DAY, lengthSeconds: 90, lastSeconds: 600 },
  },
  brisk: {
    restSeconds: 240,
    stepSeconds: 6,
    deedsPerBurst: 3,
    stakeUsdc: 150,
    term: 'hours',
    reactionSeconds: 120,
    sessions: { everySeconds: DAY, lengthSeconds: 600, lastSeconds: HOUR },
  },
  steady: {
    restSeconds: 2_400,
    stepSeconds: 20,
    deedsPerBurst: 2,
    stakeUsdc: 600,
    term: 'days',
    reactionSeconds: 0.5 * HOUR,
    sessions: { everySeconds: 0.8 * DAY, lengthSeconds: 1.5 * HOUR, lastSeconds: 6 * HOUR },
  },
  slow: {
    restSeconds: 30_000,
    stepSeconds: 60,
    deedsPerBurst: 2,
    stakeUsdc: 9_000,
    term: 'weeks',
    reactionSeconds: 4 * HOUR,
    sessions: { everySeconds: DAY, lengthSeconds: 2 * DAY, lastSeconds: 5 * DAY },
  },
};
