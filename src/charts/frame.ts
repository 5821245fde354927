import type { Language } from '../language/language.ts';
import type { MoneyTick } from './money-axis.ts';
import { escapeXml } from './text.ts';
import type { TimeTick } from './time-axis.ts';

/** Size of a chart in units. Text is large because a phone shows it less than half as wide. */
export const WIDTH = 800;
export const HEIGHT = 400;
export const FONT = 'Inter';

export const COLOURS = {
  panel: '#1f2228',
  edge: '#4a4e57',
  text: '#f2f3f5',
  dim: '#c4c9d1',
  grid: '#3b3f47',
  zero: '#8a909b',
};
export const MARGIN = 28;
/** Where the axes begin, below title and legend. */
export const TOP = 112;
const BOTTOM = 350;
export const RIGHT = WIDTH - MARGIN;
export const LABEL_SIZE = 21;
/** Width of a digit as a part of the text size, rounded up. */
export const DIGIT_WIDTH = 0.64;

/** What every chart over a time shows. */
export interface ChartData {
  /** Of the axes, see `chartLanguage`. */
  readonly language: Language;
  /** Drawable text, see `drawable`. */
  readonly title: string;
  /** Small print at the end of the second line, drawable as well. */
  readonly note: string;
  /** Unix seconds. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** Title, legend and axes of a chart. */
interface FrameData extends Omit<ChartData, 'language'> {
  /** Names and their `#rrggbb`. */
  readonly legend: readonly { readonly name: string; readonly colour: string }[];
  readonly money: readonly MoneyTick[];
  readonly time: readonly TimeTick[];
}

/** Panel, title, legend and axes of a chart, and where values lie on it: units of the chart, by Unix seconds and by USDC. */
export function createFrame(data: FrameData) {
  const { money, time, fromSeconds, toSeconds } = data;
  const longest = Math.max(...money.map(({ label }) => label.length));
  const left = MARGIN + Math.ceil(longest * LABEL_SIZE * DIGIT_WIDTH) + 10;
  const low = money[0]?.value ?? 0;
  const high = money.at(-1)?.value ?? 1;
  const x = (seconds: number) => left + ((seconds - fromSeconds) / (toSeconds - fromSeconds)) * (RIGHT - left);
  const y = (usdc: number) => BOTTOM - ((usdc - low) / (high - low)) * (BOTTOM - TOP);

  const grid = money.map(({ value, label }) => {
    const isZero = value === 0;
    return (
      line(left, y(value), RIGHT, y(value), isZero ? COLOURS.zero : COLOURS.grid, isZero ? 2 : 1) +
      text(label, left - 10, y(value) + 7, LABEL_SIZE, COLOURS.dim, 'end')
    );
  });
  const dates = time.map(({ seconds, label }) => {
    // A label at the edge stands inside it.
    const half = (label.length * LABEL_SIZE * DIGIT_WIDTH) / 2;
    const place = Math.min(Math.max(x(seconds), MARGIN + half), WIDTH - 12 - half);
    return (
      line(x(seconds), BOTTOM, x(seconds), BOTTOM + 7, COLOURS.zero, 2) +
      text(label, place, BOTTOM + 32, LABEL_SIZE, COLOURS.dim, 'middle')
    );
  });
  return {
    left,
    right: RIGHT,
    x,
    y,
    /** The whole chart, with these marks between its axes. */
    svg: (marks: string) => panel(data, HEIGHT, [...grid, ...dates, marks].join('')),
  };
}

/** The panel of a chart with title and legend, as SVG. @param height of the chart, units */
export function panel(
  { title, note, legend: entries }: Pick<FrameData, 'title' | 'note' | 'legend'>,
  height: number,
  content: string,
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}">`,
    `<clipPath id="inside"><rect x="0" y="0" width="${RIGHT}" height="${height}"/></clipPath>`,
    `<rect x="1" y="1" width="${WIDTH - 2}" height="${height - 2}" rx="16" fill="${COLOURS.panel}" stroke="${COLOURS.edge}" stroke-width="2"/>`,
    `<g clip-path="url(#inside)">${text(title, MARGIN, 46, 28, COLOURS.text, 'start')}</g>`,
    legend(entries),
    text(note, RIGHT, 84, LABEL_SIZE - 2, COLOURS.dim, 'end'),
    content,
    '</svg>',
  ].join('');
}

function legend(entries: FrameData['legend']): string {
  let place = MARGIN;
  return entries
    .map(({ name, colour }) => {
      const drawn =
        rectangle(place, 69, 16, 16, colour) + text(name, place + 24, 84, LABEL_SIZE, COLOURS.text, 'start');
      place += 24 + name.length * LABEL_SIZE * DIGIT_WIDTH + 18;
      return drawn;
    })
    .join('');
}

/** A rectangle as SVG, with rounded corners. */
export function rectangle(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="2" fill="${fill}"/>`;
}

/** A coordinate, to the hundredth. */
export function round(value: number): string {
  return value.toFixed(2);
}

/** A line as SVG. */
export function line(x1: number, y1: number, x2: number, y2: number, stroke: string, width: number): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" stroke-width="${width}"/>`;
}

/** A text as SVG: any, escaped here. @param y of its base line */
export function text(
  content: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  anchor: 'start' | 'middle' | 'end',
): string {
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${fill}" text-anchor="${anchor}">${escapeXml(content)}</text>`;
}
