import { groupBy } from '../lib/group-by.ts';
import { DRAWN_BELOW_USDC } from './bar-chart.ts';
import { type ChartData, createFrame, round } from './frame.ts';
import { moneyTicks } from './money-axis.ts';
import { timeTicks } from './time-axis.ts';

/** A change of the sum. */
export interface StepPoint {
  readonly seconds: number;
  /** USDC from here on. */
  readonly value: number;
}

/** What a step chart shows. */
interface StepChartData extends ChartData {
  /** `#rrggbb`. */
  readonly colour: string;
  /** Oldest first. */
  readonly points: readonly StepPoint[];
  /** USDC before the first point. */
  readonly startValue: number;
}

/** A chart of a sum that changes in steps, as SVG; null if there is no step, or none that could be drawn. */
export function stepChart(data: StepChartData): string | null {
  const { language, points, startValue, fromSeconds, toSeconds, colour } = data;
  const values = [startValue, ...points.map(({ value }) => value)];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (points.length === 0 || !(Math.max(Math.abs(low), Math.abs(high)) < DRAWN_BELOW_USDC)) return null;
  const frame = createFrame({
    ...data,
    legend: [],
    money: moneyTicks(low, high, language),
    time: timeTicks(fromSeconds, toSeconds, language),
  });
  const path = [`M${round(frame.left)} ${round(frame.y(startValue))}`];
  for (const { seconds, value } of thinned(points, ({ seconds }) => Math.floor(frame.x(seconds)))) {
    path.push(`H${round(frame.x(seconds))}V${round(frame.y(value))}`);
  }
  path.push(`H${round(frame.right)}`);
  const last = points.at(-1)?.value ?? startValue;
  const outline = path.join('');
  const area = `${outline}V${round(frame.y(0))}H${round(frame.left)}Z`;
  return frame.svg(
    [
      `<path d="${area}" fill="${colour}" fill-opacity="0.22"/>`,
      `<path d="${outline}" fill="none" stroke="${colour}" stroke-width="3.5" stroke-linejoin="round"/>`,
      `<circle cx="${round(frame.right)}" cy="${round(frame.y(last))}" r="6" fill="${colour}"/>`,
    ].join(''),
  );
}

/**
 * The points that can be seen: of those in one column of the picture the first, the least, the greatest and the last.
 *
 * @param points oldest first
 */
function thinned(points: readonly StepPoint[], columnOf: (point: StepPoint) => number): StepPoint[] {
  return [...groupBy(points, columnOf).values()].flatMap((inColumn) => {
    const bySize = inColumn.toSorted((a, b) => a.value - b.value);
    const kept = new Set([inColumn[0], bySize[0], bySize.at(-1), inColumn.at(-1)]);
    return inColumn.filter((point) => kept.has(point));
  });
}
