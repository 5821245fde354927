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
  /** From the top down. */
  readonly rows: readonly IntervalRow[];
}

/** A chart of shares with error bars, a row each, as SVG; null without rows, or if they cannot be drawn. */
export function intervalChart({ language, title, dots, rings, rows }: IntervalChartData): string | null {
  const values = rows.flatMap(({ share, error, other }) => [share - error, share + error, other ?? share]);
  if (rows.length === 0 || !values.every((value) => Math.abs(value) < DRAWN_BELOW)) return null;
  const axis = percentAxis(Math.min(...values), Math.max(...values), language);
  const bottom = TOP + rows.length * ROW;
  const grid = axis.ticks.map(({ share, label }) => {
    const isZero = share === 0;
    const at = axis.x(share);
    return (
      line(at, TOP, at, bottom, isZero ? COLOURS.zero : COLOURS.grid, isZero ? 2 : 1) +
      text(label, at, bottom + 32, LABEL_SIZE, COLOURS.dim, 'middle')
    );
  });
  const marks = rows.map(({ name, share, error, other }, index) => {
    const y = TOP + (index + 0.5) * ROW;
    const [from, to] = [axis.x(share - error), axis.x(share + error)];
    return [
      text(name, MARGIN, y + 7, LABEL_SIZE, COLOURS.text, 'start'),
      line(from, y, to, y, dots.colour, 3),
      ...[from, to].map((end) => line(end, y - CAP, end, y + CAP, dots.colour, 3)),
      `<circle cx="${round(axis.x(share))}" cy="${round(y)}" r="${RADIUS}" fill="${dots.colour}"/>`,
      ...(other === null
        ? []
        : [
            `<circle cx="${round(axis.x(other))}" cy="${round(y)}" r="${RADIUS}" fill="none" stroke="${rings.colour}" stroke-width="3"/>`,
          ]),
    ].join('');
  });
  const hasRings = rows.some(({ other }) => other !== null);
  const legend = hasRings ? [dots, rings] : [];
  return panel({ title, note: '', legend }, bottom + BELOW, [...grid, ...marks].join(''));
}

/** A horizontal axis of shares, labelled in per cent. */
function percentAxis(low: number, high: number, { tag }: Language) {
  // In per cent, so that steps are round in them.
  const { values, exponent } = roundValues(low * 100, high * 100, 5);
  const digits = Math.max(0, -exponent);
  const format = new Intl.NumberFormat(tag, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'exceptZero',
  });
  const ticks = values.map((percent) => ({
    share: percent / 100,
    label: format
      .format(percent / 100)
      .replace('-', MINUS)
      .replace(/\s/g, ' '),
  }));
  const last = ticks.at(-1);
  const left = MARGIN + NAME_WIDTH;
  // The last label stands inside of the picture.
  const right = RIGHT - ((last?.label.length ?? 0) * LABEL_SIZE * DIGIT_WIDTH) / 2 + LABEL_GAP;
  const [first, end] = [ticks[0]?.share ?? 0, last?.share ?? 1];
  return { ticks, x: (share: number) => left + ((share - first) / (end - first)) * (right - left) };
}
