import { z } from 'zod';
import { sum } from '../../lib/exact.ts';
import type { AlertedPositions } from './alerted-positions.ts';

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

/**
 * The score of a wallet's alerts in these channels. The return is a ratio estimator, Σreceived / Σpaid, over markets (forty
 * fills of one market are one observation); its standard error is that of the residuals received − ratio·paid
 * (Cochran, "Sampling Techniques", chapter 6).
 *
 * @returns null if no alert of a purchase was delivered there
 */
export function scoreOf({ open, records }: AlertedPositions, channels: ReadonlySet<string>): Score | null {
  const chosen = records.filter(({ channelId }) => channels.has(channelId));
  const openPositions = open.filter(({ channelId, outcomes }) => channels.has(channelId) && outcomes.length > 0);
  if (chosen.length === 0 && openPositions.length === 0) return null;
  const count = (name: 'markets' | 'won' | 'paidPaid' | 'receivedReceived' | 'paidReceived' | 'abandoned') =>
    chosen.reduce((total, record) => total + record[name], 0);
  const markets = count('markets');
  const paid = sum(chosen.map((record) => record.paid)).toNumber();
  const received = sum(chosen.map((record) => record.received)).toNumber();
  const winRate = markets === 0 ? 0 : count('won') / markets;
  const ratio = paid === 0 ? 1 : received / paid;
  // Σ(received − ratio·paid)².
  const residuals = Math.max(
    0,
    count('receivedReceived') - 2 * ratio * count('paidReceived') + ratio * ratio * count('paidPaid'),
  );
  const [winRateLow, winRateHigh] = wilsonInterval(winRate, markets);
  return {
    markets,
    winRate,
    winRateLow,
    winRateHigh,
    perDollar: ratio - 1,
    perDollarError: markets < 2 || paid === 0 ? null : Math.sqrt((residuals * markets) / (markets - 1)) / paid,
    isSmall: markets < SMALL_SAMPLE,
    open: openPositions.length,
    oldestOpenSeconds:
      openPositions.length === 0 ? null : Math.min(...openPositions.map(({ openedSeconds }) => openedSeconds)),
    abandoned: count('abandoned'),
  };
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
