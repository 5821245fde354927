import { Exact } from '../book/exact.ts';
import type { Volume } from '../book/volume.ts';
import { type Bar, type BarSeries, barChart } from '../chart/bars.ts';
import { chartLanguage, drawable } from '../chart/text.ts';
import type { Language } from '../language/language.ts';
import { shortAddress, type WalletAddress } from '../venue/address.ts';
import type { Period } from './figures.ts';
import type { Schedule } from './schedule.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Seen by people of every kind of colour vision, on the dark panel of the charts. */
const COLOURS = ['#4da3ff', '#ffb454', '#37c871'] as const;
const OTHERS_COLOUR = '#9aa3b2';
/** Together with the others they fill the line of the legend. */
const NAME_MAX = 12;

export interface PictureData {
  readonly schedule: Schedule;
  readonly period: Period;
  readonly wallets: readonly {
    readonly wallet: WalletAddress;
    readonly label: string | undefined;
    readonly volume: Volume;
  }[];
  /** What the room's wall clock is ahead of UTC, seconds. */
  readonly offsetSeconds: number;
  /** What the room reads. */
  readonly language: Language;
}

/**
 * Bars of traded volume, an hour each for a day and 24 hours each for a week, the three wallets that traded most in colours
 * of their own. Null if nothing was traded.
 */
export function digestPicture(data: PictureData): string | null {
  const { schedule, period, wallets, offsetSeconds } = data;
  const language = chartLanguage(data.language);
  const words = language.words.digest.chart;
  const bucketSeconds = schedule.every === 'day' ? HOUR_SECONDS : DAY_SECONDS;
  const { fromSeconds, toSeconds } = period;
  const traded = wallets
    .map(({ wallet, label, volume }) => ({ wallet, label, buckets: bucketSums(volume, period, bucketSeconds) }))
    .map((row) => ({ ...row, total: [...row.buckets.values()].reduce((sum, value) => sum.plus(value), new Exact(0)) }))
    .filter(({ total }) => total.gt(0))
    .toSorted((a, b) => b.total.comparedTo(a.total) || (a.wallet < b.wallet ? -1 : 1));
  const named = traded.slice(0, COLOURS.length);
  const others = traded.slice(COLOURS.length);
  const series: BarSeries[] = [
    ...named.map(({ wallet, label }, index) => ({
      name: drawable(label ?? '', NAME_MAX, shortAddress(wallet)),
      colour: COLOURS[index] ?? OTHERS_COLOUR,
      direction: 'up' as const,
    })),
    ...(others.length === 0 ? [] : [{ name: words.others, colour: OTHERS_COLOUR, direction: 'up' as const }]),
  ];
  const bars: Bar[] = [];
  for (let start = fromSeconds; start < toSeconds; start += bucketSeconds) {
    const rest = others.reduce((sum, { buckets }) => sum.plus(buckets.get(start) ?? 0), new Exact(0));
    const values = named.map(({ buckets }) => (buckets.get(start) ?? new Exact(0)).toNumber());
    // By the room's wall clock, so that its midnight is where the axis says so.
    bars.push({
      fromSeconds: start + offsetSeconds,
      values: [...values, ...(others.length === 0 ? [] : [rest.toNumber()])],
    });
  }
  const zone = drawable(schedule.timeZone, 40, 'UTC');
  return barChart({
    language,
    title: schedule.every === 'day' ? words.volumePerHour(zone) : words.volumePerDay(zone),
    note: '',
    series,
    bars,
    bucketSeconds,
    fromSeconds: fromSeconds + offsetSeconds,
    toSeconds: fromSeconds + bars.length * bucketSeconds + offsetSeconds,
  });
}

function bucketSums(volume: Volume, { fromSeconds, toSeconds }: Period, bucketSeconds: number): Map<number, Exact> {
  const buckets = new Map<number, Exact>();
  for (const { startSeconds, sums } of volume) {
    if (startSeconds < fromSeconds || startSeconds >= toSeconds) continue;
    const start = startSeconds - ((startSeconds - fromSeconds) % bucketSeconds);
    buckets.set(start, (buckets.get(start) ?? new Exact(0)).plus(sums.bought ?? 0).plus(sums.sold ?? 0));
  }
  return buckets;
}
