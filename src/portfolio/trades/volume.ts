import * as z from 'zod';
import { Exact, sum, toDecimalText } from '../../lib/exact.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../lib/time.ts';

/**
 * Hours are kept for so long, then they are merged into days: a weekly digest that is sent up to a
 * week late looks back two weeks, and begins and ends at hours of the channel's time zone.
 */
export const HOURS_KEPT_SECONDS = 15 * DAY_SECONDS;
const DAYS_KEPT_SECONDS = 32 * DAY_SECONDS;
/**
 * The newest sums are kept by the second: longer than any command takes, so that a room that begins
 * to watch meanwhile finds the hour not summed up over its beginning.
 */
const SECONDS_KEPT_SECONDS = 120;

/**
 * The sums of a span of time: USDC, and counts. `trades`: purchases and sales, the fills of one
 * transaction and outcome on one page being one; `transfers`: deposits and withdrawals.
 */
const MONEY = ['bought', 'sold', 'redeemed', 'deposited', 'withdrawn'] as const;
const SUMS = [...MONEY, 'trades', 'redemptions', 'transfers'] as const;
type SumName = (typeof SUMS)[number];

const spanSchema = z.object({
  /** Unix seconds: a full hour, midnight UTC, or when a room began to watch in that time. */
  startSeconds: z.number(),
  /** Length at the most. */
  lengthSeconds: z.union([z.literal(1), z.literal(HOUR_SECONDS), z.literal(DAY_SECONDS)]),
  /** Decimal texts; what is absent is 0. */
  sums: z.partialRecord(z.enum(SUMS), z.string()),
});

/**
 * Volume by the hour over the last 15 days, by the day (UTC) over the rest of 32 days; oldest
 * first, without empty spans. No span reaches over the time at which a room began to watch.
 */
export const volumeSchema = z.array(spanSchema);
export type Volume = z.infer<typeof volumeSchema>;
type Span = Volume[number];

/** Amounts that are added to the volume at one moment. */
export interface VolumeEntry {
  readonly timeSeconds: number;
  readonly sums: Partial<Readonly<Record<SumName, string | number>>>;
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
    // Most spans are as they were: no decimal is read for them.
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
 * The sums of the spans that begin at or after `fromSeconds` and before `toSeconds`, Unix seconds.
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
