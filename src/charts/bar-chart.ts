import { type ChartData, createFrame, rectangle } from './frame.ts';
import { MINUS, moneyTicks } from './money-axis.ts';
import { type TimeTick, timeTicks } from './time-axis.ts';

/** No chart is drawn of amounts from here on, USDC: they are no real money, and their axis would be unreadable. */
export const DRAWN_BELOW_USDC = 1e15;
/** Units of a chart. */
const WIDEST_BAR = 40;
/** Part of a bucket's width between two bars. */
const GAP_SHARE = 0.18;
/** Units of a chart: so that every amount above 0 can be seen. */
const LEAST_HEIGHT = 1.5;

/** One colour of the bars. Those that go up are stacked on each other, and so are those that go down. */
export interface BarSeries {
  readonly name: string;
  /** `#rrggbb`. */
  readonly colour: string;
  readonly direction: 'up' | 'down';
}

/** The amounts of one bucket of time. */
export interface Bar {
  /** Unix seconds: where its time bucket begins. */
  readonly fromSeconds: number;
  /** Where it ends, if it is longer or shorter than the others. */
  readonly toSeconds?: number;
  /** USDC of each series, in their order; not negative. */
  readonly values: readonly number[];
}

/** What a bar chart shows. */
interface BarChartData extends ChartData {
  readonly series: readonly BarSeries[];
  /** Buckets that hold something, in any order. */
  readonly bars: readonly Bar[];
  readonly bucketSeconds: number;
  /** What the axis of time says; left out: round times of UTC. */
  readonly time?: readonly TimeTick[];
}

/** A chart of amounts in buckets of time, as SVG; null if there is nothing to draw, or nothing that could be drawn. */
export function barChart(data: BarChartData): string | null {
  const { language, series, bars, bucketSeconds, fromSeconds, toSeconds } = data;
  const heightOf = (direction: BarSeries['direction']) =>
    Math.max(
      0,
      ...bars.map(({ values }) =>
        values.reduce((sum, value, index) => sum + (series[index]?.direction === direction ? value : 0), 0),
      ),
    );
  const [up, down] = [heightOf('up'), heightOf('down')];
  if (up + down === 0 || !(Math.max(up, down) < DRAWN_BELOW_USDC)) return null;
  const frame = createFrame({
    ...data,
    legend: series,
    // Bars that go down stand for amounts too: their ticks have no minus.
    money: moneyTicks(-down, up, language).map(({ value, label }) => ({ value, label: label.replace(MINUS, '') })),
    time: data.time ?? timeTicks(fromSeconds, toSeconds, language),
  });
  const marks = bars.map((bar) => {
    const slot = frame.x(bar.toSeconds ?? bar.fromSeconds + bucketSeconds) - frame.x(bar.fromSeconds);
    const width = Math.min(WIDEST_BAR, slot * (1 - GAP_SHARE));
    const left = frame.x(bar.fromSeconds) + (slot - width) / 2;
    const stacked = { up: 0, down: 0 };
    return series.map(({ direction, colour }, index) => {
      const value = bar.values[index] ?? 0;
      if (value === 0) return '';
      const sign = direction === 'up' ? 1 : -1;
      const base = frame.y(sign * stacked[direction]);
      stacked[direction] += value;
      const height = Math.max(LEAST_HEIGHT, Math.abs(frame.y(sign * stacked[direction]) - base));
      return rectangle(left, direction === 'up' ? base - height : base, width, height, colour);
    });
  });
  return frame.svg(marks.flat().join(''));
}
