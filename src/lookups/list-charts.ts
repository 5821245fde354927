import { backTicks, DAY, FIRST_MONDAY, rangeLabel, type TimeTick } from '../charts/axes.ts';
import {
  type BarSeries,
  barChart,
  chartLanguage,
  type StepPoint,
  stepChart,
} from '../charts/chart.ts';
import type { ActivityItem, TransferItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import { Exact, sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { HOUR_SECONDS } from '../lib/time.ts';

const MINUTE = 60;
const BUCKETS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR_SECONDS,
  3 * HOUR_SECONDS,
  6 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
];
const LENGTHS = [
  ['weeks', 7 * DAY],
  ['days', DAY],
  ['hours', HOUR_SECONDS],
] as const;
const MOST_BUCKETS = 40;
/** Minimum number of buckets, so that a single bar is not as wide as the picture. */
const LEAST_BUCKETS = 12;
/**
 * Longest range whose axis counts back from its end, and whose note says "last 15 min", because the
 * reader's time zone is unknown. A longer range names days, where a shift of a few hours does not
 * matter.
 */
const COUNTED_BACK = 10 * DAY;
/** Maximum age of the newest record, as a share of the range, for a note that says "last". */
const NEWEST_PART = 0.1;
const KINDS = [
  { action: 'Buy', key: 'bought', colour: '#37c871', direction: 'up' },
  { action: 'Sell', key: 'sold', colour: '#ff6b6b', direction: 'down' },
  { action: 'Redeem', key: 'redeemed', colour: '#b48cf2', direction: 'down' },
] as const;

/** `seconds`: Unix seconds. */
export type Amount = Readonly<Record<'seconds' | 'series' | 'usdc', number>>;

/**
 * Sums amounts in at most forty buckets of a round length: from a minute to 28 days, then doubled.
 * Days begin at midnight UTC, weeks on Monday.
 *
 * @returns `bars`: the buckets with amounts, oldest first
 */
export function intoBuckets(amounts: readonly Amount[], seriesCount: number) {
  const [first, last] = spanOf(amounts);
  // One bucket more than the span holds, because its ends lie within buckets.
  const fits = (seconds: number) => (last - first) / seconds + 1 <= MOST_BUCKETS;
  let length = BUCKETS.find(fits) ?? 28 * DAY;
  while (!fits(length)) length *= 2;
  const offset = length % (7 * DAY) === 0 ? FIRST_MONDAY : 0;
  const startOf = (seconds: number) => Math.floor((seconds - offset) / length) * length + offset;
  const valuesOf = (own: readonly Amount[]) => {
    const values: number[] = [];
    for (let series = 0; series < seriesCount; series += 1) {
      const amounts = own.filter((amount) => amount.series === series);
      values.push(sum(amounts.map(({ usdc }) => usdc)).toNumber());
    }
    return values;
  };
  const count = (startOf(last) - startOf(first)) / length + 1;
  const missing = Math.max(0, LEAST_BUCKETS - count);
  const oldestFirst = [...groupBy(amounts, ({ seconds }) => startOf(seconds))];
  oldestFirst.sort(([a], [b]) => a - b);
  return {
    bucketSeconds: length,
    fromSeconds: startOf(first) - missing * length,
    toSeconds: startOf(last) + length,
    bars: oldestFirst.map(([fromSeconds, own]) => ({
      fromSeconds,
      toSeconds: fromSeconds + length,
      values: valuesOf(own),
    })),
  };
}

/**
 * Draws purchases upwards, and sales and redemptions downwards, over time, in gross USDC; null if
 * there are none.
 *
 * @param name of the wallet, drawable text
 * @param nowSeconds time of the list's request by the venue's clock, in Unix seconds
 */
export function tradesChart(
  items: readonly ActivityItem[],
  name: string,
  nowSeconds: number,
  language: Language,
) {
  const kinds = KINDS.filter(({ action }) => items.some((item) => item.action === action));
  const amounts: Amount[] = [];
  for (const { action, time, grossValue } of items) {
    const series = kinds.findIndex((kind) => kind.action === action);
    if (series >= 0) amounts.push({ seconds: time, series, usdc: Math.abs(grossValue) });
  }
  if (amounts.length === 0) return null;
  const drawn = chartLanguage(language);
  const { chart } = drawn.texts.lists;
  const buckets = intoBuckets(amounts, kinds.length);
  const series = kinds.map(
    ({ key, colour, direction }): BarSeries => ({ name: chart[key], colour, direction }),
  );
  const { alerts, lists, watch } = language.texts;
  const kindNames = kinds.map(({ key }) => lists.chart[key]);
  const bucket = per(buckets.bucketSeconds, chart);
  const span = spanText(spanOf(amounts), nowSeconds, drawn);
  return barChart({
    ...buckets,
    language: drawn,
    alt: alerts.headline.of(lists.activity.title(name), kindNames.join(watch.comma)),
    title: drawn.texts.lists.activity.title(name),
    series,
    note: `${bucket} · ${span}`,
    time: ticksOf(buckets, drawn),
  });
}

/** Returns `last 15 min` if the records reach up to the request, else the days. */
function spanText(
  [first, last]: readonly [firstSeconds: number, lastSeconds: number],
  nowSeconds: number,
  language: Language,
): string {
  const span = nowSeconds - first;
  const isNewest = nowSeconds - last <= Math.max(MINUTE, NEWEST_PART * span);
  if (!isNewest || span > COUNTED_BACK) return rangeLabel(first, last, language);
  const { last: texts } = language.texts.lists.chart;
  if (span < 2 * HOUR_SECONDS) return texts.minutes(Math.max(1, Math.ceil(span / MINUTE)));
  if (span < 2 * DAY) return texts.hours(Math.ceil(span / HOUR_SECONDS));
  return texts.days(Math.ceil(span / DAY));
}

/** Returns labels of the time axis; undefined for the default ones, days and months. */
function ticksOf(
  { fromSeconds, toSeconds }: Readonly<Record<'fromSeconds' | 'toSeconds', number>>,
  language: Language,
): TimeTick[] | undefined {
  if (toSeconds - fromSeconds > COUNTED_BACK) return undefined;
  return backTicks(fromSeconds, toSeconds, language);
}

function spanOf(amounts: readonly Amount[]): [firstSeconds: number, lastSeconds: number] {
  const times = amounts.map(({ seconds }) => seconds);
  return [Math.min(...times), Math.max(...times)];
}

/** Returns `per hour`, `per 15 min`, `per 2 weeks`. */
function per(seconds: number, { per: texts }: Language['texts']['lists']['chart']): string {
  for (const [name, length] of LENGTHS) {
    if (seconds % length === 0) return texts[name](seconds / length);
  }
  return texts.minutes(seconds / MINUTE);
}

/**
 * Returns deposits minus withdrawals in USDC after each transfer, exact, oldest first; transfers of
 * the same second are one step.
 */
export function netDeposits(items: readonly TransferItem[]): StepPoint[] {
  const moved = items.filter(({ type }) => type === 'deposit' || type === 'withdrawal');
  const oldestFirst = [...groupBy(moved, ({ time }) => time)];
  oldestFirst.sort(([a], [b]) => a - b);
  let net = new Exact(0);
  return oldestFirst.map(([seconds, own]) => {
    const changes = own.map(({ type, amount }) => (type === 'deposit' ? amount : -amount));
    net = sum([net, ...changes]);
    return { seconds, value: net.toNumber() };
  });
}

/**
 * Draws net deposits over time, from zero up to now; null if there is nothing to draw.
 *
 * @param name of the wallet, drawable text
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function flowsChart(
  items: readonly TransferItem[],
  name: string,
  nowSeconds: number,
  language: Language,
) {
  const points = netDeposits(items);
  const [first] = points;
  if (first === undefined) return null;
  const last = Math.max(nowSeconds, ...points.map(({ seconds }) => seconds));
  // Makes the level before the first transfer visible.
  const margin = Math.max(MINUTE, Math.ceil((last - first.seconds) * 0.04));
  const drawn = chartLanguage(language);
  const range = { fromSeconds: first.seconds - margin, toSeconds: last };
  const frame = {
    ...range,
    language: drawn,
    alt: language.texts.lists.chart.netDeposits(name),
    title: drawn.texts.lists.chart.netDeposits(name),
    note: spanText([first.seconds, last], last, drawn),
    time: ticksOf(range, drawn),
  };
  return stepChart(frame, points);
}
