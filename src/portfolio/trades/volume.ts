import * as z from 'zod';
import { Exact, stored, sum } from '../../lib/exact.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/**
 * Hours are kept for so long, then they are merged into days: a weekly digest that is sent up to a week late looks back two
 * weeks, and begins and ends at hours of the channel's time zone.
 */
export const HOURS_KEPT_SECONDS = 15 * DAY_SECONDS;
const DAYS_KEPT_SECONDS = 32 * DAY_SECONDS;
/**
 * The newest sums are kept by the second: longer than any command takes, so that a room that begins to watch meanwhile finds
 * the hour not summed up over its beginning.
 */
const SECONDS_KEPT_SECONDS = 120;

/** The sums of a span of time, USDC. */
export const SUMS = ['bought', 'sold', 'redeemed', 'realized', 'fees', 'deposited', 'withdrawn'] as const;
/**
 * Its counts. `trades`: trades and redemptions; `unknownSales`: sales and redemptions of which the profit is not known exactly;
 * `transfers`: deposits and withdrawals.
 */
export const COUNTS = ['trades', 'maker', 'taker', 'unknownSales', 'transfers'] as const;
type SumName = (typeof SUMS)[number];
type CountName = (typeof COUNTS)[number];

const spanSchema = z.object({
  /** Unix seconds: a full hour, midnight UTC, or when a room began to watch in that time. */
  startSeconds: z.number(),
  /** At the most. */
  lengthSeconds: z.union([z.literal(1), z.literal(HOUR_SECONDS), z.literal(DAY_SECONDS)]),
  /** Decimal texts; what is absent is 0. */
  sums: z.partialRecord(z.enum(SUMS), z.string()),
  counts: z.partialRecord(z.enum(COUNTS), z.number()),
});

/**
 * Volume by the hour over the last 15 days, by the day (UTC) over the rest of 32 days; oldest first, without empty spans. No
 * span reaches over the time at which a room began to watch.
 */
export const volumeSchema = z.array(spanSchema);
export type Volume = z.infer<typeof volumeSchema>;
type Span = Volume[number];

/** What is added to the volume at one moment. */
export interface VolumeEntry {
  /** Unix seconds. */
  readonly timeSeconds: number;
  /** USDC. */
  readonly sums: Partial<Readonly<Record<SumName, string | number>>>;
  readonly counts: Partial<Readonly<Record<CountName, number>>>;
}

/**
 * Adds entries, merges hours that are older than 15 days into days, and drops days older than 32.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param boundaries Unix seconds at which rooms began to watch the wallet
 */
export function addToVolume(
  volume: Volume,
  entries: readonly VolumeEntry[],
  nowSeconds: number,
  boundaries: readonly number[] = [],
): Volume {
  const newestFirst = boundaries.toSorted((a, b) => b - a);
  const spans = new Map<string, Span>();
  const add = ({ timeSeconds, sums, counts }: VolumeEntry, lengthSeconds: Span['lengthSeconds']) => {
    const begun = newestFirst.find((boundary) => boundary <= timeSeconds) ?? 0;
    const startSeconds = Math.max(Math.floor(timeSeconds / lengthSeconds) * lengthSeconds, begun);
    const id = spanId({ startSeconds, lengthSeconds });
    const span = spans.get(id) ?? { startSeconds, lengthSeconds, sums: {}, counts: {} };
    spans.set(id, merge(span, sums, counts));
  };
  const lengthAt = (timeSeconds: number): Span['lengthSeconds'] => {
    const dayEnd = Math.floor(timeSeconds / DAY_SECONDS) * DAY_SECONDS + DAY_SECONDS;
    if (dayEnd <= nowSeconds - HOURS_KEPT_SECONDS) return DAY_SECONDS;
    return timeSeconds > nowSeconds - SECONDS_KEPT_SECONDS ? 1 : HOUR_SECONDS;
  };
  for (const span of volume) {
    const { startSeconds, lengthSeconds, sums, counts } = span;
    const wanted = lengthAt(startSeconds);
    // Most spans are as they were: no decimal is read for them.
    if (lengthSeconds >= wanted && !spans.has(spanId(span))) spans.set(spanId(span), span);
    else add({ timeSeconds: startSeconds, sums, counts }, lengthSeconds >= wanted ? lengthSeconds : wanted);
  }
  for (const entry of entries) add(entry, lengthAt(entry.timeSeconds));
  return [...spans.values()]
    .filter(({ startSeconds }) => startSeconds >= nowSeconds - DAYS_KEPT_SECONDS)
    .sort((a, b) => a.startSeconds - b.startSeconds || a.lengthSeconds - b.lengthSeconds);
}

/** Sums in USDC and counts of the spans that begin at or after `fromSeconds` and before `toSeconds`, Unix seconds. */
export function volumeBetween(
  volume: Volume,
  fromSeconds: number,
  toSeconds = Number.POSITIVE_INFINITY,
): { readonly sums: Readonly<Record<SumName, Exact>>; readonly counts: Readonly<Record<CountName, number>> } {
  const spans = volume.filter(({ startSeconds }) => startSeconds >= fromSeconds && startSeconds < toSeconds);
  const each = <Name extends string, Total>(names: readonly Name[], totalOf: (name: Name) => Total) =>
    Object.fromEntries(names.map((name) => [name, totalOf(name)])) as Record<Name, Total>;
  return {
    sums: each(SUMS, (name) => sum(spans.map(({ sums }) => sums[name] ?? 0))),
    counts: each(COUNTS, (name) => spans.reduce((count, { counts }) => count + (counts[name] ?? 0), 0)),
  };
}

function spanId({ startSeconds, lengthSeconds }: Pick<Span, 'startSeconds' | 'lengthSeconds'>): string {
  return `${startSeconds}:${lengthSeconds}`;
}

function merge(span: Span, sums: VolumeEntry['sums'], counts: VolumeEntry['counts']): Span {
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
