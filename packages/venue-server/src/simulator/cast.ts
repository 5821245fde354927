import type { Term } from './markets.ts';

/**
 * `fast` acts every few seconds, `brisk` every minute or two, `steady` a few times an hour, `slow`
 * a few times a day.
 */
export type Pace = 'fast' | 'brisk' | 'steady' | 'slow';

/** The reason for closing a position before its market ends; never knowledge of the outcome. */
export type Exit = 'soon' | 'risen' | 'fallen' | 'moved';

/** A trader's strategy. */
export interface Style {
  /** Description for people. */
  readonly words: string;
  /**
   * Mean difference between value and price of the shares that it buys first in a market, in cents.
   */
  readonly edgeCents: number;
  /** Range of prices at which it opens a position, in cents. */
  readonly leastCents: number;
  readonly mostCents: number;
  /** When it adds to a position: sometimes, or whenever the price has fallen. */
  readonly adds: 'sometimes' | 'fallen';
  readonly exit?: Exit;
  /** Whether it closes a position by buying the other side instead of selling. */
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

/** Timing and size of a pace's trading. */
export interface Rhythm {
  /** Seconds between two bursts. */
  readonly restSeconds: number;
  /** Seconds between two actions of a burst. */
  readonly stepSeconds: number;
  readonly deedsPerBurst: number;
  readonly stakeUsdc: number;
  /** Term of the markets it trades most. */
  readonly term: Term;
  /** Mean time from settlement to redemption. */
  readonly reactionSeconds: number;
  /**
   * In the past a trader is active only during sessions, so that months have only some thousands of
   * records. `everySeconds` is the mean time from the end of a session to the start of the next.
   * The last session is still running when live play begins.
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
