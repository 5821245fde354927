import type { Language } from '../language/language.ts';
import {
  COLOURS,
  DIGIT_WIDTH,
  LABEL_SIZE,
  type LegendEntry,
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
/** No chart is drawn of shares from here on: its axis would be unreadable. */
const DRAWN_BELOW = 1e6;

/** One row: a share with its error. */
export interface IntervalRow {
  /** Drawable text, see `drawable`. */
  readonly name: string;
  /** 0.125 is 12.5 %. */
  readonly share: number;
  /** Half the length of the bar, not negative. */
  readonly error: number;
  /** Another share of the same row, a ring; null for none. */
  readonly other: number | null;
}

/** What an interval chart shows. */
export interface IntervalChartData {
  /** Of the axis, see `chartLanguage`. */
  readonly language: Language;
  /** Drawable text. */
  readonly title: string;
  /** Of the dots and of the rings; the rings' is shown if there are some. */
  readonly dots: LegendEntry;
  readonly rings: LegendEntry;
  /** What an arrow at the edge means; shown if there are some. */
  readonly beyond: string;
  /** From the top down. */
  readonly rows: readonly IntervalRow[];
}

/**
 * A chart of shares with error bars, a row each, as SVG; null without rows, or if they cannot be drawn. A share far beyond the
 * others is an arrow at the edge and its figure.
 */
export function intervalChart({ language, title, dots, rings, beyond, rows }: IntervalChartData): string | null {
  const values = rows.flatMap(endsOf);
  if (rows.length === 0 || !values.every((value) => Math.abs(value) < DRAWN_BELOW)) return null;
  const limit = limitOf(rows);
  const shown = values.map((value) => Math.min(Math.max(value, -limit), limit));
  const axis = percentAxis(Math.min(...shown), Math.max(...shown), language);
  const bottom = TOP + rows.length * ROW;
  const grid = axis.ticks.map(({ share, label }) => {
    const isZero = share === 0;
    const at = axis.x(share);
    return (
      line(at, TOP, at, bottom, isZero ? COLOURS.zero : COLOURS.grid, isZero ? 2 : 1) +
      text(label, at, bottom + 32, LABEL_SIZE, COLOURS.dim, 'middle')
    );
  });
  const scale: Scale = {
    limit,
    x: axis.x,
    figure: (share) => percentText(share, 0, language),
  };
  const marks = rows.map((row, index) => {
    const y = TOP + (index + 0.5) * ROW;
    const name = text(row.name, MARGIN, y + 7, LABEL_SIZE, COLOURS.text, 'start');
    return name + rowMarks(row, y, scale, dots.colour) + ringMark(row, y, scale, rings.colour);
  });
  const isCut = values.some((value) => Math.abs(value) > limit);
  const noteY = bottom + BELOW + NOTE / 2;
  const note = isCut
    ? [
        arrow(MARGIN, noteY - 7, 1, dots.colour),
        text(beyond, MARGIN + ARROW + 8, noteY, LABEL_SIZE - 2, COLOURS.dim, 'start'),
      ]
    : [];
  const legend = rows.some(({ other }) => other !== null) ? [dots, rings] : [];
  const height = bottom + BELOW + (isCut ? NOTE : 0);
  return panel({ title, note: '', legend }, height, [...grid, ...marks, ...note].join(''));
}

/** Where shares lie, how far the axis reaches on either side at the most, and how a share beyond is written. */
interface Scale {
  readonly limit: number;
  readonly x: (share: number) => number;
  readonly figure: (share: number) => string;
}

function endsOf({ share, error, other }: IntervalRow): number[] {
  return [share - error, share + error, other ?? share];
}

/** How far the axis may reach on either side. */
function limitOf(rows: readonly IntervalRow[]): number {
  const reaches = rows.map((row) => Math.max(...endsOf(row).map(Math.abs))).toSorted((a, b) => a - b);
  const middle = reaches[Math.floor((reaches.length - 1) / 2)] ?? 0;
  return middle === 0 ? Number.POSITIVE_INFINITY : OUTLIER * middle;
}

/** The bar and the dot of a row; of a share beyond the axis an arrow and its figure. */
function rowMarks({ share, error }: IntervalRow, y: number, { limit, x, figure }: Scale, colour: string): string {
  if (Math.abs(share) > limit) {
    const side = Math.sign(share);
    const at = x(side * limit) - side * ARROW;
    const anchor = side > 0 ? 'end' : 'start';
    return arrow(at, y, side, colour) + text(figure(share), at - side * 8, y + 7, LABEL_SIZE, COLOURS.text, anchor);
  }
  const [from, to] = [Math.max(share - error, -limit), Math.min(share + error, limit)];
  const end = (at: number, isCut: boolean, side: number) =>
    isCut ? arrow(x(at) - side * ARROW, y, side, colour) : line(x(at), y - CAP, x(at), y + CAP, colour, 3);
  return [
    line(x(from), y, x(to), y, colour, 3),
    end(from, share - error < -limit, -1),
    end(to, share + error > limit, 1),
    `<circle cx="${round(x(share))}" cy="${round(y)}" r="${RADIUS}" fill="${colour}"/>`,
  ].join('');
}

/** The other share of a row, if there is one. */
function ringMark({ other }: IntervalRow, y: number, { limit, x }: Scale, colour: string): string {
  if (other === null) return '';
  const side = Math.sign(other);
  if (Math.abs(other) > limit) return arrow(x(side * limit) - side * ARROW, y, side, colour);
  return `<circle cx="${round(x(other))}" cy="${round(y)}" r="${RADIUS}" fill="none" stroke="${colour}" stroke-width="3"/>`;
}

/** An arrow head that begins at `x`. @param side 1 points to the right, −1 to the left */
function arrow(x: number, y: number, side: number, fill: string): string {
  const points = [
    [x, y - CAP],
    [x + side * ARROW, y],
    [x, y + CAP],
  ];
  return `<polygon points="${points.map((point) => point.map(round).join(',')).join(' ')}" fill="${fill}"/>`;
}

/** A share in per cent with its sign. */
function percentText(share: number, digits: number, { tag }: Language): string {
  return new Intl.NumberFormat(tag, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'exceptZero',
  })
    .format(share)
    .replace('-', MINUS)
    .replace(/\s/g, ' ');
}

/** A horizontal axis of shares, labelled in per cent. */
function percentAxis(low: number, high: number, language: Language) {
  // In per cent, so that steps are round in them.
  const { values, exponent } = roundValues(low * 100, high * 100, 5);
  const digits = Math.max(0, -exponent);
  const ticks = values.map((percent) => ({
    share: percent / 100,
    label: percentText(percent / 100, digits, language),
  }));
  const last = ticks.at(-1);
  const left = MARGIN + NAME_WIDTH;
  // The last label stands inside of the picture.
  const right = RIGHT - ((last?.label.length ?? 0) * LABEL_SIZE * DIGIT_WIDTH) / 2 + LABEL_GAP;
  const [first, end] = [ticks[0]?.share ?? 0, last?.share ?? 1];
  return { ticks, x: (share: number) => left + ((share - first) / (end - first)) * (right - left) };
}
