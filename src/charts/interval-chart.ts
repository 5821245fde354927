import type { Language } from '../language/language.ts';
import {
  type ChartData,
  COLOURS,
  DIGIT_WIDTH,
  LABEL_SIZE,
  line,
  MARGIN,
  panel,
  RIGHT,
  round,
  TOP,
  text,
} from './frame.ts';
import { MINUS, roundValues } from './money-axis.ts';

/** Units of a chart. */
const ROW = 34;
const NAME_WIDTH = 250;
const CAP = 8;
const RADIUS = 7;
/** Room below the rows, for the axis. */
const BELOW = 50;
const LABEL_GAP = 16;
/** What reaches so many times as far as the middle row is cut off: one row does not squash all others. */
const OUTLIER = 4;
const ARROW = 10;
/** Room below the axis for what a cut row means. */
const NOTE = 30;
/** No chart is drawn of cents from here on: its axis would be unreadable. */
const DRAWN_BELOW = 1e6;
/** Seen by people of every kind of colour vision, on the dark panel of the charts. */
const COLOUR = '#4da3ff';

/** One row: a figure with its error. */
export interface IntervalRow {
  /** Drawable text, see `drawable`. */
  readonly name: string;
  readonly cents: number;
  /** Half the length of the bar, not negative. */
  readonly errorCents: number;
}

/** What an interval chart shows. */
interface IntervalChartData extends Pick<ChartData, 'language' | 'title'> {
  /** What an arrow at the edge means; shown if there are some. */
  readonly beyond: string;
  /** From the top down. */
  readonly rows: readonly IntervalRow[];
}

/**
 * A chart of cents with error bars, a row each, as SVG; null without rows, or if they cannot be drawn. A figure far beyond the
 * others is an arrow at the edge and its text.
 */
export function intervalChart({ language, title, beyond, rows }: IntervalChartData): string | null {
  const values = rows.flatMap(endsOf);
  if (rows.length === 0 || !values.every((value) => Math.abs(value) < DRAWN_BELOW)) return null;
  const limit = limitOf(rows);
  const shown = values.map((value) => Math.min(Math.max(value, -limit), limit));
  const axis = centsAxis(Math.min(...shown), Math.max(...shown), language);
  const bottom = TOP + rows.length * ROW;
  const grid = axis.ticks.map(({ cents, label }) => {
    const isZero = cents === 0;
    const at = axis.x(cents);
    return (
      line(at, TOP, at, bottom, isZero ? COLOURS.zero : COLOURS.grid, isZero ? 2 : 1) +
      text(label, at, bottom + 32, LABEL_SIZE, COLOURS.dim, 'middle')
    );
  });
  const scale: Scale = { limit, x: axis.x, figure: (cents) => centsText(cents, 0, language) };
  const marks = rows.map((row, index) => {
    const y = TOP + (index + 0.5) * ROW;
    const name = text(row.name, MARGIN, y + 7, LABEL_SIZE, COLOURS.text, 'start');
    return name + rowMarks(row, y, scale);
  });
  const isCut = values.some((value) => Math.abs(value) > limit);
  const noteY = bottom + BELOW + NOTE / 2;
  const note = isCut
    ? [arrow(MARGIN, noteY - 7, 1), text(beyond, MARGIN + ARROW + 8, noteY, LABEL_SIZE - 2, COLOURS.dim, 'start')]
    : [];
  const height = bottom + BELOW + (isCut ? NOTE : 0);
  return panel({ title, note: '', legend: [] }, height, [...grid, ...marks, ...note].join(''));
}

/** Where figures lie, how far the axis reaches on either side at the most, and how a figure beyond is written. */
interface Scale {
  readonly limit: number;
  readonly x: (cents: number) => number;
  readonly figure: (cents: number) => string;
}

function endsOf({ cents, errorCents }: IntervalRow): number[] {
  return [cents - errorCents, cents + errorCents];
}

/** How far the axis may reach on either side. */
function limitOf(rows: readonly IntervalRow[]): number {
  const reaches = rows.map((row) => Math.max(...endsOf(row).map(Math.abs))).toSorted((a, b) => a - b);
  const middle = reaches[Math.floor((reaches.length - 1) / 2)] ?? 0;
  return middle === 0 ? Number.POSITIVE_INFINITY : OUTLIER * middle;
}

/** The bar and the dot of a row; of a figure beyond the axis an arrow and its text. */
function rowMarks({ cents, errorCents }: IntervalRow, y: number, { limit, x, figure }: Scale): string {
  if (Math.abs(cents) > limit) {
    const side = Math.sign(cents);
    const at = x(side * limit) - side * ARROW;
    const anchor = side > 0 ? 'end' : 'start';
    return arrow(at, y, side) + text(figure(cents), at - side * 8, y + 7, LABEL_SIZE, COLOURS.text, anchor);
  }
  const [from, to] = [Math.max(cents - errorCents, -limit), Math.min(cents + errorCents, limit)];
  const end = (at: number, isCut: boolean, side: number) =>
    isCut ? arrow(x(at) - side * ARROW, y, side) : line(x(at), y - CAP, x(at), y + CAP, COLOUR, 3);
  return [
    line(x(from), y, x(to), y, COLOUR, 3),
    end(from, cents - errorCents < -limit, -1),
    end(to, cents + errorCents > limit, 1),
    `<circle cx="${round(x(cents))}" cy="${round(y)}" r="${RADIUS}" fill="${COLOUR}"/>`,
  ].join('');
}

/** An arrow head that begins at `x`. @param side 1 points to the right, −1 to the left */
function arrow(x: number, y: number, side: number): string {
  const points = [
    [x, y - CAP],
    [x + side * ARROW, y],
    [x, y + CAP],
  ];
  return `<polygon points="${points.map((point) => point.map(round).join(',')).join(' ')}" fill="${COLOUR}"/>`;
}

/** Cents with their sign. */
function centsText(cents: number, digits: number, { tag, texts }: Language): string {
  const figure = new Intl.NumberFormat(tag, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'exceptZero',
  })
    .format(cents)
    .replace('-', MINUS);
  return texts.format.cents(figure).replace(/\s/g, ' ');
}

/** A horizontal axis of cents. */
function centsAxis(low: number, high: number, language: Language) {
  const { values, exponent } = roundValues(low, high, 5);
  const digits = Math.max(0, -exponent);
  const ticks = values.map((cents) => ({ cents, label: centsText(cents, digits, language) }));
  const last = ticks.at(-1);
  const left = MARGIN + NAME_WIDTH;
  // The last label stands inside of the picture.
  const right = RIGHT - ((last?.label.length ?? 0) * LABEL_SIZE * DIGIT_WIDTH) / 2 + LABEL_GAP;
  const [first, end] = [ticks[0]?.cents ?? 0, last?.cents ?? 1];
  return { ticks, x: (cents: number) => left + ((cents - first) / (end - first)) * (right - left) };
}
