import { ENGLISH, type Language } from '../language/language.ts';
import { MINUS, type MoneyTick, moneyTicks, type TimeTick, timeTicks } from './axes.ts';

/**
 * Width of a chart in units. A phone shows it at less than half that width, so letters of 32 units
 * become 12 pixels there.
 */
const WIDTH = 800;
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
export const RIGHT = WIDTH - MARGIN;
export const LABEL_SIZE = 32;
const TITLE_SIZE = 42;
const NOTE_SIZE = 28;
/** Mean width of a letter relative to the text size, rounded up. */
const LETTER_WIDTH = 0.6;
/** Width of a digit relative to the text size, rounded up. */
export const DIGIT_WIDTH = 0.64;
/**
 * Amount from which no chart is drawn, in USDC: it cannot be real money, and the axis would be
 * unreadable.
 */
const DRAWN_BELOW_USDC = 1e15;
/** Height of a chart over time, in units. */
const HEIGHT = 500;
const BOTTOM = 438;
const WIDEST_BAR = 40;
/** Gap between two bars as a share of a bucket's width. */
const GAP_SHARE = 0.18;
/** Minimum height of a bar in units, so that every amount above 0 is visible. */
const LEAST_HEIGHT = 1.5;
const STEP_COLOUR = '#4da3ff';
/**
 * Characters in the charts' font; others would be empty boxes. A test compares this with the font's
 * table.
 */
const DRAWN =
  /[ -~\u00a1-\u00ac\u00ae-\u0148\u014a-\u017e\u0391-\u03a1\u03a3-\u03ce\u0400-\u045f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2212]/u;
/** Maximum UTF-16 units of a text that are read. */
const RAW_MAX = 2_000;

/** A chart as SVG, with its alternative text in the reader's language. */
export type Chart = Readonly<Record<'alt' | 'svg', string>>;

interface TimeChart extends Pick<Chart, 'alt'> {
  /** Language of the axes, see `chartLanguage`. */
  readonly language: Language;
  /** Drawable text, see `drawable`. */
  readonly title: string;
  /** Small print on a separate line, also drawable; empty for none. */
  readonly note: string;
  /** Limits of the time axis, in Unix seconds. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Labels of the time axis; default: round UTC times. */
  readonly time?: readonly TimeTick[] | undefined;
}

/** One color of the bars. Bars of one direction are stacked on each other. */
export interface BarSeries {
  readonly name: string;
  /** `#rrggbb`. */
  readonly colour: string;
  readonly direction: 'up' | 'down';
}

interface BarChart extends TimeChart {
  readonly series: readonly BarSeries[];
  /** Time buckets with amounts, in any order. */
  readonly bars: readonly {
    /** Limits of the time bucket, in Unix seconds. */
    readonly fromSeconds: number;
    readonly toSeconds: number;
    /** USDC of each series, in order; not negative. */
    readonly values: readonly number[];
  }[];
}

/** `value`: USDC from this time on. */
export type StepPoint = Readonly<Record<'seconds' | 'value', number>>;

/**
 * Returns a chart of amounts in time buckets; null if there is nothing to draw, or if it cannot be
 * drawn.
 */
export function barChart({ series, bars, ...data }: BarChart): Chart | null {
  const heightOf = (direction: BarSeries['direction']) => {
    const heights = bars.map(({ values }) => {
      const stacked = values.filter((_, index) => series[index]?.direction === direction);
      return stacked.reduce((sum, value) => sum + value, 0);
    });
    return Math.max(0, ...heights);
  };
  const up = heightOf('up');
  const down = heightOf('down');
  if (up + down === 0 || !(Math.max(up, down) < DRAWN_BELOW_USDC)) return null;
  // Bars that go down are amounts too, so their ticks have no minus.
  const money = moneyTicks(-down, up, data.language).map((tick) => ({
    ...tick,
    label: tick.label.replace(MINUS, ''),
  }));
  const axes = createAxes(data, money, series);
  const marks = bars.map((bar) => {
    const slot = axes.x(bar.toSeconds) - axes.x(bar.fromSeconds);
    const width = Math.min(WIDEST_BAR, slot * (1 - GAP_SHARE));
    const left = axes.x(bar.fromSeconds) + (slot - width) / 2;
    const stacked = { up: 0, down: 0 };
    return series.map(({ direction, colour }, index) => {
      const value = bar.values[index] ?? 0;
      if (value === 0) return '';
      const isUp = direction === 'up';
      const sign = isUp ? 1 : -1;
      const base = axes.y(sign * stacked[direction]);
      stacked[direction] += value;
      const height = Math.max(LEAST_HEIGHT, Math.abs(axes.y(sign * stacked[direction]) - base));
      return rectangle(left, isUp ? base - height : base, width, height, colour);
    });
  });
  return { alt: data.alt, svg: axes.svg(marks.flat().join('')) };
}

/**
 * Returns a chart of a sum that changes in steps, oldest first, starting from zero; null if no step
 * can be drawn.
 */
export function stepChart(data: TimeChart, points: readonly StepPoint[]): Chart | null {
  const values = [0, ...points.map(({ value }) => value)];
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (points.length === 0 || !(Math.max(-low, high) < DRAWN_BELOW_USDC)) return null;
  const money = moneyTicks(low, high, data.language);
  const { left, x, y, svg } = createAxes(data, money, []);
  const steps = points.map(({ seconds, value }) => {
    const across = round(x(seconds));
    const down = round(y(value));
    return `H${across}V${down}`;
  });
  const outline = `M${round(left)} ${round(y(0))}${steps.join('')}H${round(RIGHT)}`;
  const area = `${outline}V${round(y(0))}H${round(left)}Z`;
  const end = round(y(values.at(-1) ?? 0));
  const stroke = `stroke="${STEP_COLOUR}" stroke-width="3.5" stroke-linejoin="round"`;
  const marks = [
    `<path d="${area}" fill="${STEP_COLOUR}" fill-opacity="0.22"/>`,
    `<path d="${outline}" fill="none" ${stroke}/>`,
    `<circle cx="${round(RIGHT)}" cy="${end}" r="6" fill="${STEP_COLOUR}"/>`,
  ];
  return { alt: data.alt, svg: svg(marks.join('')) };
}

/**
 * Draws title, legend and axes of a chart. `x` and `y` convert Unix seconds and USDC to units of
 * the chart.
 */
function createAxes(chart: TimeChart, money: readonly MoneyTick[], series: readonly BarSeries[]) {
  const { language, title, note, fromSeconds, toSeconds, time } = chart;
  const longest = Math.max(...money.map(({ label }) => label.length));
  const left = MARGIN + Math.ceil(longest * LABEL_SIZE * DIGIT_WIDTH) + 10;
  const { top, svg: head } = heading(title, note, series);
  const low = money[0]?.value ?? 0;
  const high = money.at(-1)?.value ?? 1;
  const x = (seconds: number) => {
    const part = (seconds - fromSeconds) / (toSeconds - fromSeconds);
    return left + part * (RIGHT - left);
  };
  const y = (usdc: number) => {
    const part = (usdc - low) / (high - low);
    return BOTTOM - part * (BOTTOM - top);
  };

  const grid = money.map(({ value, label }) => {
    const at = y(value);
    const figure = text(label, left - 10, at + 11, LABEL_SIZE, COLOURS.dim, 'end');
    return gridLine(value, left, at, RIGHT, at) + figure;
  });
  const times = time ?? timeTicks(fromSeconds, toSeconds, language);
  const dates = times.map(({ seconds, label }) => {
    const at = x(seconds);
    const half = (label.length * LABEL_SIZE * DIGIT_WIDTH) / 2;
    // A label at the edge is moved inside.
    const place = Math.min(Math.max(at, MARGIN + half), WIDTH - 12 - half);
    const tick = line(at, BOTTOM, at, BOTTOM + 8, COLOURS.zero, 2);
    return tick + text(label, place, BOTTOM + 43, LABEL_SIZE, COLOURS.dim, 'middle');
  });
  return {
    left,
    x,
    y,
    /** Returns the whole chart, with these marks between its axes. */
    svg: (marks: string) => panel(HEIGHT, [head, ...grid, ...dates, marks].join('')),
  };
}

/**
 * Returns title, legend and note as SVG, and `top`, where the content below may begin. Texts too
 * long for a line are shrunk.
 */
export function heading(title: string, note: string, series: readonly BarSeries[]) {
  let y = 60;
  const parts = [fitting(title, y, TITLE_SIZE, COLOURS.text)];
  if (series.length > 0) {
    y += 50;
    parts.push(legend(series, y));
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

/**
 * Returns the panel of a chart as SVG.
 *
 * @param height of the chart, in units
 */
export function panel(height: number, content: string): string {
  const picture = attributes({
    xmlns: 'http://www.w3.org/2000/svg',
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
    'font-family': FONT,
  });
  const frame = attributes({
    x: 1,
    y: 1,
    width: WIDTH - 2,
    height: height - 2,
    rx: 16,
    fill: COLOURS.panel,
    stroke: COLOURS.edge,
    'stroke-width': 2,
  });
  return `<svg ${picture}><rect ${frame}/>${content}</svg>`;
}

/**
 * Returns attributes of an SVG element, in order.
 *
 * @param values must not need escaping
 */
function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');
}

function legend(series: readonly BarSeries[], y: number): string {
  const widthOf = (name: string) => 1.1 + name.length * LETTER_WIDTH + 0.8;
  const width = series.reduce((sum, { name }) => sum + widthOf(name), -0.8);
  const size = Math.min(LABEL_SIZE, Math.floor((RIGHT - MARGIN) / width));
  let place = MARGIN;
  return series
    .map(({ name, colour }) => {
      const side = 0.75 * size;
      const square = rectangle(place, y - side, side, side, colour);
      const label = text(name, place + 1.1 * size, y, size, COLOURS.text, 'start');
      place += widthOf(name) * size;
      return square + label;
    })
    .join('');
}

export function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
): string {
  const frame = attributes({
    x: round(x),
    y: round(y),
    width: round(width),
    height: round(height),
    rx: 2,
    fill,
  });
  return `<rect ${frame}/>`;
}

/** Formats a coordinate, to the hundredth. */
export function round(value: number): string {
  return value.toFixed(2);
}

/**
 * Returns a grid line as SVG, from one point to another.
 *
 * @param value at which it is drawn; the line at zero is emphasized
 */
export function gridLine(value: number, x1: number, y1: number, x2: number, y2: number): string {
  if (value === 0) return line(x1, y1, x2, y2, COLOURS.zero, 2);
  return line(x1, y1, x2, y2, COLOURS.grid, 1);
}

export function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  width: number,
): string {
  const ends = attributes({
    x1: round(x1),
    y1: round(y1),
    x2: round(x2),
    y2: round(y2),
  });
  return `<line ${ends} stroke="${stroke}" stroke-width="${width}"/>`;
}

type Anchor = 'start' | 'middle' | 'end';

/**
 * Returns any text as SVG, escaped here.
 *
 * @param y of its baseline
 */
export function text(
  content: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  anchor: Anchor,
): string {
  // Nothing breaks a line here, and the font has no word joiner.
  const drawn = content.replaceAll('\u2060', '');
  const escaped = drawn.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const place = attributes({
    x: round(x),
    y: round(y),
    'font-size': size,
    fill,
    'text-anchor': anchor,
  });
  return `<text ${place}>${escaped}</text>`;
}

/**
 * Converts foreign text for a chart, not yet escaped: one line of characters that the font has;
 * others are left out.
 *
 * @param maxCharacters of the result, including the final …
 * @param fallback our own words, used if nothing is left
 */
export function drawable(text: string, maxCharacters: number, fallback: string): string {
  const line = text.slice(0, RAW_MAX).normalize('NFC').replace(/\s+/gu, ' ');
  const characters = Array.from(line).filter((character) => DRAWN.test(character));
  const kept = characters.join('').replace(/ {2,}/g, ' ').trim();
  if (!/[^ \p{P}\p{S}]/u.test(kept)) return fallback;
  if (kept.length <= maxCharacters) return kept;
  return `${kept.slice(0, maxCharacters - 1).trimEnd()}…`;
}

/**
 * Returns the language of a chart: English if the charts' font lacks the letters of the reader's
 * language.
 */
export function chartLanguage(language: Language): Language {
  const letters = Array.from(language.texts.lists.chart.bought);
  return letters.every((letter) => DRAWN.test(letter)) ? language : ENGLISH;
}
