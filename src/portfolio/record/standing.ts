import * as z from 'zod';
import { groupBy } from '../../lib/group-by.ts';
import { dayOf } from './days.ts';
import type { FirstPurchase } from './first-purchase.ts';
import { addUp, isMature, matureAfter, matureTo, squaresOfEvents, sumOf, type WalletRecord } from './record.ts';

/** What the mature markets of a span came to. Stored with the details of an alert. */
export const standingSchema = z.object({
  /** Mature markets, and days (UTC) on which they were bought. */
  markets: z.number(),
  days: z.number(),
  won: z.number(),
  /** Markets of which some shares have no known end; they count as lost. */
  withoutEnd: z.number(),
  /** Mean price of the first purchases, cents; null without a market. */
  priceCents: z.number().nullable(),
  /** Mean of what they came to, cents a share, and its standard error; null without a market. */
  edgeCents: z.number().nullable(),
  errorCents: z.number().nullable(),
  /** Whether there are enough of them to compare: 20 markets, bought on 8 days, with Σ of their prices 5 at least. */
  isRanked: z.boolean(),
  /** Unix seconds at which about there will be 20 markets; null if there are, or if nothing can be said. */
  enoughAtSeconds: z.number().nullable(),
  /** Unix seconds up to which first purchases count; null while none does. */
  matureToSeconds: z.number().nullable(),
  /** One market in so many was kept. */
  oneIn: z.number(),
});
export type Standing = z.infer<typeof standingSchema>;

export const RANKED_MARKETS = 20;
export const RANKED_DAYS = 8;
const RANKED_PRICES = 5;

/**
 * What the mature markets of a span came to. Each counts once, and what has not come back counts as lost. The error is
 * the larger of two: from the prices, where markets of one event may end together, (Σ√(p(1 − p)))² summed over events;
 * and from what they came to, about 0, where markets bought on one day (UTC) may, (Σe)² summed over days. First
 * purchases count from `fromSeconds` on and before `toSeconds`, Unix seconds.
 */
export function standingOf(
  record: WalletRecord,
  {
    fromSeconds: from = Number.NEGATIVE_INFINITY,
    toSeconds: to = Number.POSITIVE_INFINITY,
    nowSeconds,
  }: { readonly fromSeconds?: number; readonly toSeconds?: number; readonly nowSeconds: number },
): Standing {
  const matureToSeconds = matureTo(record.markets, record.matureToSeconds, nowSeconds);
  const inSpan = record.markets.filter(({ atSeconds }) => atSeconds >= from && atSeconds < to);
  const mature = inSpan.filter((first) => isMature(first, matureToSeconds));
  const folded = record.days.filter((day) => day.fromSeconds >= from && day.toSeconds < to);
  const all = [...folded, ...addUp(mature, [])];
  const markets = sumOf(all, (day) => day.markets);
  const prices = sumOf(all, (day) => day.prices);
  const byDay = [...groupBy(all, ({ fromSeconds }) => dayOf(fromSeconds)).values()];
  const daySquares = sumOf(byDay, (sameDay) => sumOf(sameDay, ({ cents }) => cents) ** 2);
  const eventSquares = sumOf(folded, (day) => day.eventSquares) + squaresOfEvents(mature);
  const error = Math.max(Math.sqrt(eventSquares) * 100, Math.sqrt(daySquares));
  return {
    markets,
    days: byDay.length,
    won: sumOf(all, (day) => day.won),
    withoutEnd: sumOf(all, (day) => day.withoutEnd),
    priceCents: markets === 0 ? null : (prices / markets) * 100,
    edgeCents: markets === 0 ? null : sumOf(all, (day) => day.cents) / markets,
    errorCents: markets === 0 ? null : error / markets,
    isRanked: markets >= RANKED_MARKETS && byDay.length >= RANKED_DAYS && prices >= RANKED_PRICES,
    enoughAtSeconds: markets >= RANKED_MARKETS ? null : enoughAt(record, inSpan, markets - mature.length, nowSeconds),
    matureToSeconds,
    oneIn: record.oneIn,
  };
}

/**
 * When about 20 markets of a span will be mature, by what is bought already or else by the wallet's pace in it; null if
 * nothing can be said. Unix seconds.
 *
 * @param inSpan those of the span that are kept one by one, oldest first; @param folded how many more there are
 */
function enoughAt(
  { markets }: WalletRecord,
  inSpan: readonly FirstPurchase[],
  folded: number,
  nowSeconds: number,
): number | null {
  const after = matureAfter(markets);
  const [first] = inSpan;
  if (after === null || first === undefined) return null;
  const last = inSpan[RANKED_MARKETS - folded - 1];
  if (last !== undefined) return last.atSeconds + after;
  const secondsEach = Math.max(0, nowSeconds - first.atSeconds) / inSpan.length;
  return nowSeconds + secondsEach * (RANKED_MARKETS - folded - inSpan.length) + after;
}
