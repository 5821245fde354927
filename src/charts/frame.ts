import type { Language } from '../language/language.ts';
import type { MoneyTick } from './money-axis.ts';
import { escapeXml } from './text.ts';
import type { TimeTick } from './time-axis.ts';

/** Size of a chart in units. A phone shows it less than half as wide: letters of 32 units come to 12 pixels there. */
const WIDTH = 800;
const HEIGHT = 500;
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
const BOTTOM = 438;
export const RIGHT = WIDTH - MARGIN;
export const LABEL_SIZE = 32;
const TITLE_SIZE = 42;
const NOTE_SIZE = 28;
/** Mean width of a letter as a part of the text size, rounded up. */
const LETTER_WIDTH = 0.6;
/** Width of a digit as a part of the text size, rounded up. */
export const DIGIT_WIDTH = 0.64;

/** What every chart over a time shows. */
export interface ChartData {
  /** Of the axes, see `chartLanguage`. */
  readonly language: Language;
  /** Drawable text, see `drawable`. */
  readonly title: string;
  /** Small print in a line of its own, drawable as well; empty for none. */
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
  const { top, svg: head } = heading(data);
  const low = money[0]?.value ?? 0;
  const high = money.at(-1)?.value ?? 1;
  const x = (seconds: number) => left + ((seconds - fromSeconds) / (toSeconds - fromSeconds)) * (RIGHT - left);
  const y = (usdc: number) => BOTTOM - ((usdc - low) / (high - low)) * (BOTTOM - top);

  const grid = money.map(({ value, label }) => {
    const isZero = value === 0;
    return (
      line(left, y(value), RIGHT, y(value), isZero ? COLOURS.zero : COLOURS.grid, isZero ? 2 : 1) +
      text(label, left - 10, y(value) + 11, LABEL_SIZE, COLOURS.dim, 'end')
    );
  });
  const dates = time.map(({ seconds, label }) => {
    // A label at the edge stands inside it.
    const half = (label.length * LABEL_SIZE * DIGIT_WIDTH) / 2;
    const place = Math.min(Math.max(x(seconds), MARGIN + half), WIDTH - 12 - half);
    return (
      line(x(seconds), BOTTOM, x(seconds), BOTTOM + 8, COLOURS.zero, 2) +
      text(label, place, BOTTOM + 43, LABEL_SIZE, COLOURS.dim, 'middle')
    );
  });
  return {
    left,
    right: RIGHT,
    x,
    y,
    /** The whole chart, with these marks between its axes. */
    svg: (marks: string) => panel(HEIGHT, [head, ...grid, ...dates, marks].join('')),
  };
}

/** Title, legend and note as SVG, and `top`, where what is below them may begin. Texts that are too long for a line are smaller. */
export function heading({ title, note, legend: entries }: Pick<FrameData, 'title' | 'note' | 'legend'>) {
  let y = 60;
  const parts = [fitting(title, y, TITLE_SIZE, COLOURS.text)];
  if (entries.length > 0) {
    y += 50;
    parts.push(legend(entries, y));
  }
  if (note !== '') {
    y += 42;
    parts.push(fitting(note, y, NOTE_SIZE, COLOURS.dim));
  }
  return { svg: parts.join(''), top: y + 32 };
}

function fitting(content: string, y: number, size: number, fill: string): string {
  const widest = (RIGHT - MARGIN) / (content.length * LETTER_WIDTH);
  return text(content, MARGIN, y, Math.min(size, Math.floor(widest)), fill, 'start');
}

/** The panel of a chart as SVG. @param height of the chart, units */
export function panel(height: number, content: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}">`,
    `<rect x="1" y="1" width="${WIDTH - 2}" height="${height - 2}" rx="16" fill="${COLOURS.panel}" stroke="${COLOURS.edge}" stroke-width="2"/>`,
    content,
    '</svg>',
  ].join('');
}

function legend(entries: FrameData['legend'], y: number): string {
  const widthOf = (name: string) => 1.1 + name.length * LETTER_WIDTH + 0.8;
  const width = entries.reduce((sum, { name }) => sum + widthOf(name), -0.8);
  const size = Math.min(LABEL_SIZE, Math.floor((RIGHT - MARGIN) / width));
  let place = MARGIN;
  return entries
    .map(({ name, colour }) => {
      const square = 0.75 * size;
      const drawn =
        rectangle(place, y - square, square, square, colour) +
        text(name, place + 1.1 * size, y, size, COLOURS.text, 'start');
      place += widthOf(name) * size;
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

/** Any text as SVG, escaped here. @param y of its base line */
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
