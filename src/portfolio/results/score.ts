import * as z from 'zod';
import type { AlertedPositions } from './alerted-positions.ts';
import { addSums, NO_MARKETS, type ReturnSums } from './record.ts';

/** With fewer closed markets than this a score says little. */
const SMALL_SAMPLE = 20;
/** The 97.5th percentile of the normal distribution: half of 5 % on each side. */
const Z95 = 1.96;

/** How a wallet's alerts did, over closed markets, and how sure that is. */
export const scoreSchema = z.object({
  /** Closed markets. */
  markets: z.number(),
  /** Share of them that gained, 0 to 1, and its 95 % interval (Wilson). */
  winRate: z.number(),
  winRateLow: z.number(),
  winRateHigh: z.number(),
  /** USDC gained per USDC paid at the wallet's prices, fees counted: received / paid − 1. */
  perDollar: z.number(),
  /** Standard error of that; null with fewer than two markets. */
  perDollarError: z.number().nullable(),
  /** Whether there are fewer than 20 closed markets. */
  isSmall: z.boolean(),
  /** Open markets, and Unix seconds of the oldest alerted purchase in them; null if there are none. */
  open: z.number(),
  oldestOpenSeconds: z.number().nullable(),
  /** Markets that were abandoned before they were closed. */
  abandoned: z.number(),
});
export type Score = Readonly<z.infer<typeof scoreSchema>>;

/** USDC gained per USDC paid, and its standard error; null with fewer than two markets. */
export interface ReturnPerDollar {
  readonly perDollar: number;
  readonly error: number | null;
}

/**
 * A ratio estimator, Σreceived / Σpaid − 1, over markets (forty fills of one market are one observation); its standard error
 * is that of the residuals received − ratio·paid (Cochran, "Sampling Techniques", chapter 6).
 */
export function returnPerDollar(sums: ReturnSums): ReturnPerDollar {
  const { markets, paidPaid, receivedReceived, paidReceived } = sums;
  const [paid, received] = [Number(sums.paid), Number(sums.received)];
  const ratio = paid === 0 ? 1 : received / paid;
  // Σ(received − ratio·paid)².
  const residuals = Math.max(0, receivedReceived - 2 * ratio * paidReceived + ratio * ratio * paidPaid);
  return {
    perDollar: ratio - 1,
    error: markets < 2 || paid === 0 ? null : Math.sqrt((residuals * markets) / (markets - 1)) / paid,
  };
}

/**
 * The score of a wallet's alerts in these channels.
 *
 * @returns null if no alert of a purchase was delivered there
 */
export function scoreOf({ open, records }: AlertedPositions, channels: ReadonlySet<string>): Score | null {
  const chosen = records.filter(({ channelId }) => channels.has(channelId));
  const openPositions = open.filter(({ channelId, outcomes }) => channels.has(channelId) && outcomes.length > 0);
  if (chosen.length === 0 && openPositions.length === 0) return null;
  const count = (name: 'won' | 'abandoned') => chosen.reduce((total, record) => total + record[name], 0);
  const closed = chosen.reduce<ReturnSums>(addSums, NO_MARKETS);
  const { markets } = closed;
  const winRate = markets === 0 ? 0 : count('won') / markets;
  const [winRateLow, winRateHigh] = wilsonInterval(winRate, markets);
  const { perDollar, error } = returnPerDollar(closed);
  return {
    markets,
    winRate,
    winRateLow,
    winRateHigh,
    perDollar,
    perDollarError: error,
    isSmall: markets < SMALL_SAMPLE,
    open: openPositions.length,
    oldestOpenSeconds:
      openPositions.length === 0 ? null : Math.min(...openPositions.map(({ openedSeconds }) => openedSeconds)),
    abandoned: count('abandoned'),
  };
}

/** The score in that one of these channels where most markets are closed: each market counts once. Null as for `scoreOf`. */
export function largestScore(alertedPositions: AlertedPositions, channels: readonly string[]): Score | null {
  return channels
    .map((channelId) => scoreOf(alertedPositions, new Set([channelId])))
    .reduce((largest, next) => ((next?.markets ?? -1) > (largest?.markets ?? -1) ? next : largest), null);
}

/** The score in each channel by itself, where enough markets are closed for it to say something. */
export function scoresByChannel(alertedPositions: AlertedPositions): ReadonlyMap<string, Score> {
  return new Map(
    alertedPositions.records.flatMap(({ channelId }) => {
      const score = scoreOf(alertedPositions, new Set([channelId]));
      return score === null || score.isSmall ? [] : [[channelId, score] as const];
    }),
  );
}

/** The 95 % score interval of a proportion (Wilson 1927). @param share 0 to 1, of `count` observations */
function wilsonInterval(share: number, count: number): readonly [low: number, high: number] {
  if (count === 0) return [0, 1];
  const z2 = (Z95 * Z95) / count;
  const middle = (share + z2 / 2) / (1 + z2);
  const halfWidth = (Z95 * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count))) / (1 + z2);
  return [Math.max(0, middle - halfWidth), Math.min(1, middle + halfWidth)];
}
