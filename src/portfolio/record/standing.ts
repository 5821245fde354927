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
  /** Mature markets, and days (UTC) on which they were bought. */
  markets: z.number(),
  days: z.number(),
  /** Markets that were bought, mature or not. */
  bought: z.number(),
  won: z.number(),
  /** Markets of which some shares have no known end; they count as lost. */
  withoutEnd: z.number(),
  /** Mean price of the first purchases, cents; null without a market. */
  priceCents: z.number().nullable(),
  /** Mean of what they came to, cents a share, and its standard error; null without a market. */
  edgeCents: z.number().nullable(),
  errorCents: z.number().nullable(),
  /**
   * True if there are enough of them to compare: 20 markets, bought on 8 days, with Σ of their
   * prices 5 at least.
   */
  isRanked: z.boolean(),
  /**
   * Unix seconds at which about there will be 20 markets; null if there are, or if nothing can be
   * said.
   */
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
 * A span of a record: what its mature markets came to, and what the time until the next one matures
 * changes of that.
 */
export interface SpanSums
  extends Pick<
      Standing,
      'markets' | 'days' | 'won' | 'withoutEnd' | 'priceCents' | 'edgeCents' | 'errorCents'
    >,
    Pick<Standing, 'isRanked' | 'oneIn'> {
  /** Unix seconds of the first market of the span that is kept one by one; null without one. */
  readonly firstSeconds: number | null;
  /** Number of these, and number of the span's markets that are missing to twenty. */
  readonly single: number;
  readonly missing: number;
  /** Unix seconds of the one that is the twentieth of the span; null without it. */
  readonly twentiethSeconds: number | null;
  /**
   * Seconds after its first purchase from which a market is mature; null if too few have closed.
   */
  readonly afterSeconds: number | null;
  /** Unix seconds up to which the record itself says that markets are mature. */
  readonly matureToSeconds: number | null;
  /** Unix seconds of the last market that is mature, and of the next one; null if there is none. */
  readonly lastSeconds: number | null;
  readonly nextSeconds: number | null;
}

/** First purchases count from `fromSeconds` on and before `toSeconds`, Unix seconds. */
interface Span {
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
}

/**
 * Works out what the mature markets of a span came to. Each counts once, and what has not come back
 * counts as lost. The error is the larger of two: from the prices, where markets of one event may
 * end together, (Σ√(p(1 − p)))² summed over events; and from what they came to, about 0, where
 * markets bought on one day (UTC) may, (Σe)² summed over days.
 */
export function standingOf(
  record: WalletRecord,
  span: Span & { readonly nowSeconds: number },
): Standing {
  return standingAt(spanSumsOf(record, span), span.nowSeconds);
}

/**
 * Works out what a span's mature markets come to at a time, so that only another market that
 * matures changes it.
 */
export function spanSumsOf(
  record: WalletRecord,
  {
    fromSeconds: from = Number.NEGATIVE_INFINITY,
    toSeconds: to = Number.POSITIVE_INFINITY,
    nowSeconds,
  }: Span & { readonly nowSeconds: number },
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
 * The standing at a time at which no market of the span has become mature, or immature, since the
 * sums were made.
 */
export function standingAt(sums: SpanSums, nowSeconds: number): Standing {
  const { markets, days, won, withoutEnd, priceCents, edgeCents, errorCents, isRanked, oneIn } =
    sums;
  return {
    ...{
      markets,
      days,
      won,
      withoutEnd,
      priceCents,
      edgeCents,
      errorCents,
      isRanked,
    },
    bought: RANKED_MARKETS - sums.missing,
    enoughAtSeconds: markets >= RANKED_MARKETS ? null : enoughAt(sums, nowSeconds),
    matureToSeconds: matureBy(sums.afterSeconds, sums.matureToSeconds, nowSeconds),
    oneIn,
  };
}

/**
 * Time at which about 20 markets of a span will be mature, by what is bought already or else by the
 * wallet's pace in it; null if nothing can be said. Unix seconds.
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
