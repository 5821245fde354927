import { DRAWN_BELOW_USDC } from './bar-chart.ts';
import { type ChartData, createFrame, round } from './frame.ts';
import { moneyTicks } from './money-axis.ts';
import { timeTicks } from './time-axis.ts';

const COLOUR = '#4da3ff';

/** A change of the sum. */
export interface StepPoint {
  readonly seconds: number;
  /** USDC from here on. */
  readonly value: number;
}

/**
 * A chart of a sum that changes in steps from zero on, as SVG; null if there is no step, or none that could be drawn.
 *
 * @param points oldest first
 */
export function stepChart(data: ChartData, points: readonly StepPoint[]): string | null {
  const { language, fromSeconds, toSeconds } = data;
  const values = [0, ...points.map(({ value }) => value)];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (points.length === 0 || !(Math.max(Math.abs(low), Math.abs(high)) < DRAWN_BELOW_USDC)) return null;
  const frame = createFrame({
    ...data,
    legend: [],
    money: moneyTicks(low, high, language),
    time: timeTicks(fromSeconds, toSeconds, language),
  });
  const steps = points.map(({ seconds, value }) => `H${round(frame.x(seconds))}V${round(frame.y(value))}`);
  const outline = `M${round(frame.left)} ${round(frame.y(0))}${steps.join('')}H${round(frame.right)}`;
  const area = `${outline}V${round(frame.y(0))}H${round(frame.left)}Z`;
  return frame.svg(
    [
      `<path d="${area}" fill="${COLOUR}" fill-opacity="0.22"/>`,
      `<path d="${outline}" fill="none" stroke="${COLOUR}" stroke-width="3.5" stroke-linejoin="round"/>`,
      `<circle cx="${round(frame.right)}" cy="${round(frame.y(values.at(-1) ?? 0))}" r="6" fill="${COLOUR}"/>`,
    ].join(''),
  );
}
