import * as z from 'zod';
import { Exact, sum, toDecimalText } from '../../lib/exact.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../lib/time.ts';

/**
 * Time for which hourly sums are kept before they are merged into days, in seconds. A weekly digest
 * sent up to a week late looks back two weeks, and begins and ends at hours of the channel's time
 * zone.
 */
export const HOURS_KEPT_SECONDS = 15 * DAY_SECONDS;
const DAYS_KEPT_SECONDS = 32 * DAY_SECONDS;
/**
 * Time for which the newest sums are kept by the second, in seconds. It is longer than any command
 * takes, so that for a channel that is just beginning to watch, the hour has not been summed up
 * across its beginning.
 */
const SECONDS_KEPT_SECONDS = 120;

/**
 * Sums of a span of time: USDC, and counts. `trades`: purchases and sales, where the fills of one
 * transaction and outcome on one page are one; `transfers`: deposits and withdrawals.
 */
const MONEY = ['bought', 'sold', 'redeemed', 'deposited', 'withdrawn'] as const;
const SUMS = [...MONEY, 'trades', 'redemptions', 'transfers'] as const;
type SumName = (typeof SUMS)[number];

const spanSchema = z.object({
  /**
   * Unix seconds: a full hour, midnight UTC, or the time at which a channel began to watch in that
   * span.
   */
  startSeconds: z.number(),
  /** Maximum length, in seconds. */
  lengthSeconds: z.union([z.literal(1), z.literal(HOUR_SECONDS), z.literal(DAY_SECONDS)]),
  /** Decimal texts; absent ones are 0. */
  sums: z.partialRecord(z.enum(SUMS), z.string()),
});

/**
 * Volume by the hour for the last 15 days, and by the day (UTC) for the rest of 32 days; oldest
 * first, without empty spans. No span extends across the time at which a channel began to watch.
 */
export const volumeSchema = z.array(spanSchema);
export type Volume = z.infer<typeof volumeSchema>;
type Span = Volume[number];

/** Amounts added to the volume at one moment. */
export interface VolumeEntry {
  readonly timeSeconds: number;
  readonly sums: Partial<Readonly<Record<SumName, string | number>>>;
}

/**
 * Adds entries, merges hours older than 15 days into days, and removes days older than 32.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param boundaries times at which channels began to watch the wallet, in Unix seconds
 */
export function addToVolume(
  volume: Volume,
  entries: readonly VolumeEntry[],
  nowSeconds: number,
  boundaries: readonly number[],
): Volume {
  const newestFirst = boundaries.toSorted((a, b) => b - a);
  const spans = new Map<string, Span>();
  const idOf = ({ startSeconds, lengthSeconds }: Omit<Span, 'sums'>) =>
    `${startSeconds}:${lengthSeconds}`;
  const add = (
    timeSeconds: number,
    added: VolumeEntry['sums'],
    lengthSeconds: Span['lengthSeconds'],
  ) => {
    const begun = newestFirst.find((boundary) => boundary <= timeSeconds) ?? 0;
    const startSeconds = Math.max(Math.floor(timeSeconds / lengthSeconds) * lengthSeconds, begun);
    const id = idOf({ startSeconds, lengthSeconds });
    const sums = { ...spans.get(id)?.sums };
    for (const name of SUMS) {
      const amount = added[name];
      if (amount === undefined) continue;
      const before = new Exact(sums[name] ?? 0);
      sums[name] = toDecimalText(before.plus(amount));
    }
    spans.set(id, { startSeconds, lengthSeconds, sums });
  };
  const lengthAt = (timeSeconds: number): Span['lengthSeconds'] => {
    const dayEnd = Math.floor(timeSeconds / DAY_SECONDS) * DAY_SECONDS + DAY_SECONDS;
    if (dayEnd <= nowSeconds - HOURS_KEPT_SECONDS) return DAY_SECONDS;
    if (timeSeconds > nowSeconds - SECONDS_KEPT_SECONDS) return 1;
    return HOUR_SECONDS;
  };
  for (const span of volume) {
    const { startSeconds, lengthSeconds, sums } = span;
    const wanted = lengthAt(startSeconds);
    const id = idOf(span);
    const isLongEnough = lengthSeconds >= wanted;
    // Most spans are unchanged, so their decimals are not parsed.
    if (isLongEnough && !spans.has(id)) spans.set(id, span);
    else add(startSeconds, sums, isLongEnough ? lengthSeconds : wanted);
  }
  for (const { timeSeconds, sums } of entries) add(timeSeconds, sums, lengthAt(timeSeconds));
  const keptFromSeconds = nowSeconds - DAYS_KEPT_SECONDS;
  return [...spans.values()]
    .filter(({ startSeconds }) => startSeconds >= keptFromSeconds)
    .sort((a, b) => a.startSeconds - b.startSeconds || a.lengthSeconds - b.lengthSeconds);
}

/**
 * Returns the sums of the spans that begin at or after `fromSeconds` and before `toSeconds`, in
 * Unix seconds.
 */
export function volumeBetween(
  volume: Volume,
  fromSeconds: number,
  toSeconds = Number.POSITIVE_INFINITY,
): Readonly<Record<SumName, Exact>> {
  const spans = volume.filter(
    ({ startSeconds }) => startSeconds >= fromSeconds && startSeconds < toSeconds,
  );
  const totalOf = (name: SumName) => sum(spans.map(({ sums }) => sums[name] ?? 0));
  const totals = SUMS.map((name) => [name, totalOf(name)]);
  return Object.fromEntries(totals) as Record<SumName, Exact>;
}
