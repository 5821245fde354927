import { z } from 'zod';
import { Exact, stored } from '../lib/exact.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/**
 * Hours are kept apart for so long, days for the rest: a weekly summary that is told a week late looks back by two, and
 * begins and ends at hours of its room.
 */
export const HOURS_KEPT_SECONDS = 15 * DAY_SECONDS;
const DAYS_KEPT_SECONDS = 32 * DAY_SECONDS;

/** Names of the sums that a span of time holds. */
export const SUMS = ['bought', 'sold', 'redeemed', 'realized', 'fees', 'deposited', 'withdrawn'] as const;
/** Names of its counts; `unknownSales`: sales and redemptions of more shares than were known. */
export const COUNTS = ['trades', 'maker', 'taker', 'unknownSales'] as const;
type SumName = (typeof SUMS)[number];
type CountName = (typeof COUNTS)[number];

const spanSchema = z.object({
  startSeconds: z.number(),
  lengthSeconds: z.union([z.literal(HOUR_SECONDS), z.literal(DAY_SECONDS)]),
  /** Decimal texts in USDC; what is absent is nought. */
  sums: z.partialRecord(z.enum(SUMS), z.string()),
  counts: z.partialRecord(z.enum(COUNTS), z.number()),
});

/** What happened hour by hour in the last fifteen days and day by day (UTC) in the rest of a month, oldest first. */
export const volumeSchema = z.array(spanSchema);
export type Volume = z.infer<typeof volumeSchema>;
type Span = Volume[number];

export interface Entry {
  readonly timeSeconds: number;
  readonly sums: Partial<Readonly<Record<SumName, string | number>>>;
  readonly counts: Partial<Readonly<Record<CountName, number>>>;
}

/** Adds what happened and drops what is older than a month. @param nowSeconds Unix seconds */
export function addToVolume(volume: Volume, entries: readonly Entry[], nowSeconds: number): Volume {
  const spans = new Map<string, Span>();
  const put = (timeSeconds: number, sums: Entry['sums'], counts: Entry['counts'], isDay: boolean) => {
    const lengthSeconds = isDay ? DAY_SECONDS : HOUR_SECONDS;
    const startSeconds = Math.floor(timeSeconds / lengthSeconds) * lengthSeconds;
    const id = `${startSeconds}:${lengthSeconds}`;
    const span = spans.get(id) ?? { startSeconds, lengthSeconds, sums: {}, counts: {} };
    spans.set(id, merge(span, sums, counts));
  };
  const isOld = (startSeconds: number) =>
    Math.floor(startSeconds / DAY_SECONDS) * DAY_SECONDS + DAY_SECONDS <= nowSeconds - HOURS_KEPT_SECONDS;
  for (const span of volume) {
    const { startSeconds, lengthSeconds, sums, counts } = span;
    const isDay = lengthSeconds === DAY_SECONDS;
    const id = `${startSeconds}:${lengthSeconds}`;
    // As a rule nothing is added to it, and then nothing need be reckoned.
    if ((isDay || !isOld(startSeconds)) && !spans.has(id)) spans.set(id, span);
    else put(startSeconds, sums, counts, isDay || isOld(startSeconds));
  }
  for (const { timeSeconds, sums, counts } of entries) put(timeSeconds, sums, counts, isOld(timeSeconds));
  return [...spans.values()]
    .filter(({ startSeconds }) => startSeconds >= nowSeconds - DAYS_KEPT_SECONDS)
    .sort((a, b) => a.startSeconds - b.startSeconds || a.lengthSeconds - b.lengthSeconds);
}

/** Sums and counts of the spans that begin at or after a time, and before another. Unix seconds. */
export function volumeBetween(
  volume: Volume,
  fromSeconds: number,
  toSeconds = Number.POSITIVE_INFINITY,
): { readonly sums: Readonly<Record<SumName, Exact>>; readonly counts: Readonly<Record<CountName, number>> } {
  const meant = volume.filter(({ startSeconds }) => startSeconds >= fromSeconds && startSeconds < toSeconds);
  const sumOf = (name: SumName) => meant.reduce((sum, { sums }) => sum.plus(sums[name] ?? 0), new Exact(0));
  const countOf = (name: CountName) => meant.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  return {
    sums: {
      bought: sumOf('bought'),
      sold: sumOf('sold'),
      redeemed: sumOf('redeemed'),
      realized: sumOf('realized'),
      fees: sumOf('fees'),
      deposited: sumOf('deposited'),
      withdrawn: sumOf('withdrawn'),
    },
    counts: {
      trades: countOf('trades'),
      maker: countOf('maker'),
      taker: countOf('taker'),
      unknownSales: countOf('unknownSales'),
    },
  };
}

function merge(span: Span, sums: Entry['sums'], counts: Entry['counts']): Span {
  const mergedSums = { ...span.sums };
  for (const name of SUMS) {
    const added = sums[name];
    if (added !== undefined) mergedSums[name] = stored(new Exact(mergedSums[name] ?? 0).plus(added));
  }
  const mergedCounts = { ...span.counts };
  for (const name of COUNTS) {
    const added = counts[name];
    if (added !== undefined) mergedCounts[name] = (mergedCounts[name] ?? 0) + added;
  }
  return { ...span, sums: mergedSums, counts: mergedCounts };
}
