import * as z from 'zod';
import { groupBy } from '../../lib/group-by.ts';
import { dayOf } from './days.ts';
import {
  addUp,
  isMature,
  matureAfter,
  matureBy,
  squaresOfEvents,
  sumOf,
  type WalletRecord,
} from './record.ts';

/** Results of the mature markets of a span. Stored with the details of an alert. */
export const standingSchema = z.object({
  /** Number of mature markets, and of days (UTC) on which they were bought. */
  markets: z.number(),
  days: z.number(),
  /** Number of markets bought, mature or not. */
  bought: z.number(),
  won: z.number(),
  /** Number of markets with unresolved shares, which count as lost. */
  withoutEnd: z.number(),
  /** Mean price of the first purchases in cents; null without a market. */
  priceCents: z.number().nullable(),
  /** Mean result in cents per share, and its standard error; null without a market. */
  edgeCents: z.number().nullable(),
  errorCents: z.number().nullable(),
  /**
   * True if there are enough markets to compare: 20, bought on 8 days, with a Σ of prices of at
   * least 5.
   */
  isRanked: z.boolean(),
  /**
   * Approximate time when there will be 20 markets, in Unix seconds; null if there are, or if it
   * cannot be estimated.
   */
  enoughAtSeconds: z.number().nullable(),
  /** Time up to which first purchases count, in Unix seconds; null if none does. */
  matureToSeconds: z.number().nullable(),
  /** Only one market in this many was kept. */
  oneIn: z.number(),
});
export type Standing = z.infer<typeof standingSchema>;

export const RANKED_MARKETS = 20;
export const RANKED_DAYS = 8;
const RANKED_PRICES = 5;

/**
 * Results of a span's mature markets, and the data needed to update them until the next market
 * matures.
 */
export interface SpanSums extends Omit<Standing, 'bought' | 'enoughAtSeconds'> {
  /** Time of the span's first market kept separately, in Unix seconds; null without one. */
  readonly firstSeconds: number | null;
  /** Number of markets kept separately, and number of markets that the span lacks to twenty. */
  readonly single: number;
  readonly missing: number;
  /** Time of the span's twentieth market, in Unix seconds; null without it. */
  readonly twentiethSeconds: number | null;
  /**
   * Number of seconds after its first purchase from which a market is mature; null if too few have
   * closed.
   */
  readonly afterSeconds: number | null;
  /** Time up to which markets are mature according to the track record itself, in Unix seconds. */
  readonly matureToSeconds: number | null;
  /**
   * Times of the last mature market and of the next one, in Unix seconds; null if there is none.
   */
  readonly lastSeconds: number | null;
  readonly nextSeconds: number | null;
}

/**
 * First purchases count from `fromSeconds` on and before `toSeconds`, as of `nowSeconds`, all in
 * Unix seconds.
 */
interface Span {
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  readonly nowSeconds: number;
}

/**
 * Computes the results of a span's mature markets. Each counts once, and amounts that were not
 * returned count as lost. The error is the larger of two: from the prices, where markets of one
 * event may end together, (Σ√(p(1 − p)))² summed over events; and from the results, around 0, where
 * markets bought on one day (UTC) may end together, (Σe)² summed over days.
 */
export function standingOf(record: WalletRecord, span: Span): Standing {
  return standingAt(spanSumsOf(record, span), span.nowSeconds);
}

/**
 * Computes the results of a span's mature markets at a time, in a form that changes only when
 * another market matures.
 */
export function spanSumsOf(
  record: WalletRecord,
  {
    fromSeconds: from = Number.NEGATIVE_INFINITY,
    toSeconds: to = Number.POSITIVE_INFINITY,
    nowSeconds,
  }: Span,
): SpanSums {
  const afterSeconds = matureAfter(record.markets);
  const matureToSeconds = matureBy(afterSeconds, record.matureToSeconds, nowSeconds);
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
  const needed = RANKED_MARKETS - (markets - mature.length);
  return {
    markets,
    days: byDay.length,
    won: sumOf(all, (day) => day.won),
    withoutEnd: sumOf(all, (day) => day.withoutEnd),
    priceCents: markets === 0 ? null : (prices / markets) * 100,
    edgeCents: markets === 0 ? null : sumOf(all, (day) => day.cents) / markets,
    errorCents: markets === 0 ? null : error / markets,
    isRanked: markets >= RANKED_MARKETS && byDay.length >= RANKED_DAYS && prices >= RANKED_PRICES,
    oneIn: record.oneIn,
    firstSeconds: inSpan[0]?.atSeconds ?? null,
    single: inSpan.length,
    missing: needed - inSpan.length,
    twentiethSeconds: inSpan[needed - 1]?.atSeconds ?? null,
    afterSeconds,
    matureToSeconds: record.matureToSeconds,
    lastSeconds: mature.at(-1)?.atSeconds ?? null,
    nextSeconds: inSpan[mature.length]?.atSeconds ?? null,
  };
}

/**
 * Returns the standing at a time, if no market of the span has become mature or immature since the
 * sums were computed.
 */
export function standingAt(sums: SpanSums, nowSeconds: number): Standing {
  const {
    firstSeconds,
    twentiethSeconds,
    lastSeconds,
    nextSeconds,
    single,
    missing,
    afterSeconds,
    ...figures
  } = sums;
  return {
    ...figures,
    bought: RANKED_MARKETS - missing,
    enoughAtSeconds: figures.markets >= RANKED_MARKETS ? null : enoughAt(sums, nowSeconds),
    matureToSeconds: matureBy(afterSeconds, figures.matureToSeconds, nowSeconds),
  };
}

/**
 * Returns the approximate time when 20 markets of a span will be mature, in Unix seconds, from
 * those already bought or from the wallet's pace in it; null if it cannot be estimated.
 */
function enoughAt(
  { afterSeconds, firstSeconds, twentiethSeconds, single, missing }: SpanSums,
  nowSeconds: number,
): number | null {
  if (afterSeconds === null || firstSeconds === null) return null;
  if (twentiethSeconds !== null) return twentiethSeconds + afterSeconds;
  const secondsEach = Math.max(0, nowSeconds - firstSeconds) / single;
  return nowSeconds + secondsEach * missing + afterSeconds;
}
