import { MINUS, roundValues } from '../charts/axes.ts';
import {
  type Chart,
  COLOURS,
  chartLanguage,
  DIGIT_WIDTH,
  drawable,
  gridLine,
  heading,
  LABEL_SIZE,
  line,
  MARGIN,
  panel,
  RIGHT,
  rectangle,
  round,
  text,
} from '../charts/chart.ts';
import { shortAddress } from '../domain/address.ts';
import { codePointsWithin, plainEmsIn } from '../embeds/text/width.ts';
import type { Language } from '../language/language.ts';
import { RANKED_SHOWN } from './embed.ts';
import type { Ranking, ScoredWallet } from './ranking.ts';

const NAME_MAX = 17;
/** Height of a row in units. Its name is in a column on the left, with its dot next to it. */
const ROW = 38;
const ROW_MIDDLE = ROW / 2;
const NAMES_WIDTH = 320;
const NAMES_GAP = 24;
/** Units per em of `plainEmsIn`; the charts' font is wider than that function assumes. */
const EM = 1.1 * LABEL_SIZE;
/** Distance from the middle of a row down to the baseline of its letters. */
const BASE_BELOW = 11;
const CAP = 10;
const RADIUS = 9;
/** Space below the rows for the axis. */
const BELOW = 58;
/**
 * Multiple of the middle row's extent from which a row is cut off, so that one row does not
 * compress all others.
 */
const OUTLIER = 4;
const ARROW = 13;
/** Space below the axis for the explanation of a cut row. */
const NOTE = 40;
/** Number of cents from which no chart is drawn, because its axis would be unreadable. */
const DRAWN_BELOW = 1e6;
/** Visible with every kind of color vision, on the dark panel of the charts. */
const COLOUR = '#4da3ff';
/**
 * Color of the band: dark enough for a dot on it to stand out, while its ends are light against the
 * panel.
 */
const BAND = '#434851';

/** `luckCents`: from zero to either end of the band, not negative. */
type Row = Readonly<Record<'cents' | 'luckCents', number>>;

/**
 * Draws the result per share of the ranked wallets' first purchases, in cents: a dot for each
 * wallet in the answer, and around zero, in a grey band, what luck alone explains. A value far
 * beyond the others is an arrow at the edge with a label. Null if no wallet is ranked, or if they
 * cannot be drawn.
 */
export function scoresPicture({ ranked }: Ranking, reader: Language): Chart | null {
  const language = chartLanguage(reader);
  const { chart } = language.texts.scores;
  const rows = ranked.slice(0, RANKED_SHOWN).map((score, index) => ({
    name: nameOf(score, index + 1),
    cents: score.record.since.edgeCents ?? 0,
    luckCents: score.record.luckCents ?? 0,
  }));
  const values = rows.flatMap(endsOf);
  if (rows.length === 0 || !values.every((value) => Math.abs(value) < DRAWN_BELOW)) return null;
  const reaches = rows.map((row) => Math.max(...endsOf(row).map(Math.abs)));
  reaches.sort((a, b) => a - b);
  const middle = Math.floor((reaches.length - 1) / 2);
  // If the middle row has no extent, nothing is cut off.
  const limit = OUTLIER * (reaches[middle] || Number.POSITIVE_INFINITY);
  const shown = values.map((value) => Math.min(Math.max(value, -limit), limit));
  const namesWidth = Math.max(...rows.map(({ name }) => plainEmsIn(name))) * EM;
  const left = MARGIN + Math.min(NAMES_WIDTH, namesWidth) + NAMES_GAP;
  const axis = centsAxis(left, [Math.min(...shown), Math.max(...shown)], language);
  const { svg: head, top } = heading(chart.title, '', []);
  const bottom = top + rows.length * ROW;
  const grid = axis.ticks.map(({ cents, label }) => {
    const at = axis.x(cents);
    const figure = text(label, at, bottom + 41, LABEL_SIZE, COLOURS.dim, 'middle');
    return gridLine(cents, at, top, at, bottom) + figure;
  });
  const marks = rows.map((row, index) => {
    const y = top + index * ROW + ROW_MIDDLE;
    const name = text(row.name, MARGIN, y + BASE_BELOW, LABEL_SIZE, COLOURS.text, 'start');
    return name + luckBand(row.luckCents, y, axis) + edgeMark(row.cents, y, axis, language);
  });
  const isCut = rows.some(({ cents }) => cents < axis.low || cents > axis.high);
  const legend: string[] = [];
  if (isCut) {
    const noteY = bottom + BELOW + NOTE / 2;
    const note = text(chart.beyond, MARGIN + ARROW + 10, noteY, LABEL_SIZE, COLOURS.dim, 'start');
    legend.push(arrow(MARGIN, noteY - 10, 1), note);
  }
  const height = bottom + BELOW + (isCut ? NOTE : 0);
  return {
    alt: reader.texts.scores.chart.alt,
    svg: panel(height, [head, ...grid, ...marks, ...legend].join('')),
  };
}

/** Returns `1. Whale`, cut to its column; the address if the name cannot be drawn. */
function nameOf({ wallet, label }: ScoredWallet, rank: number): string {
  const number = `${rank}. `;
  const name = drawable(label ?? '', NAME_MAX, shortAddress(wallet));
  const ems = NAMES_WIDTH / EM - plainEmsIn(number);
  return number + drawable(name, codePointsWithin(name, ems), name);
}

function endsOf({ cents, luckCents }: Row): number[] {
  return [-luckCents, cents, luckCents];
}

/**
 * Draws what luck alone explains, around zero; without an end line if the band continues beyond the
 * axis.
 */
function luckBand(luckCents: number, y: number, { low, high, x }: ReturnType<typeof centsAxis>) {
  const from = x(Math.max(-luckCents, low));
  const to = x(Math.min(luckCents, high));
  const end = (at: number) => line(at, y - CAP, at, y + CAP, COLOURS.zero, 2);
  return [
    rectangle(from, y - CAP, to - from, 2 * CAP, BAND),
    -luckCents >= low ? end(from) : '',
    luckCents <= high ? end(to) : '',
  ].join('');
}

/** Draws the dot of a row; for a value beyond the axis, an arrow and its label. */
function edgeMark(
  cents: number,
  y: number,
  { low, high, x }: ReturnType<typeof centsAxis>,
  language: Language,
): string {
  if (cents < low || cents > high) {
    const side = cents < low ? -1 : 1;
    const at = x(side < 0 ? low : high) - side * ARROW;
    const anchor = side > 0 ? 'end' : 'start';
    const words = centsText(cents, 0, language);
    const left = at - side * 8;
    const figure = text(words, left, y + BASE_BELOW, LABEL_SIZE, COLOURS.text, anchor);
    return arrow(at, y, side) + figure;
  }
  return `<circle cx="${round(x(cents))}" cy="${round(y)}" r="${RADIUS}" fill="${COLOUR}"/>`;
}

/**
 * Returns an arrow head that begins at `x`.
 *
 * @param side 1 points to the right, −1 to the left
 */
function arrow(x: number, y: number, side: number): string {
  const points = [
    [x, y - CAP],
    [x + side * ARROW, y],
    [x, y + CAP],
  ];
  const corners = points.map((point) => point.map(round).join(','));
  return `<polygon points="${corners.join(' ')}" fill="${COLOUR}"/>`;
}

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

/**
 * @param start left edge of the space next to the names
 * @param range of the cents that are shown
 */
function centsAxis(
  start: number,
  [least, most]: readonly [least: number, most: number],
  language: Language,
) {
  const { values, exponent } = roundValues(least, most);
  const digits = Math.max(0, -exponent);
  const ticks = values.map((cents) => ({ cents, label: centsText(cents, digits, language) }));
  // The last label stays inside the picture; the first may extend below the names.
  const longest = Math.max(...ticks.map(({ label }) => label.length));
  const half = (longest * LABEL_SIZE * DIGIT_WIDTH) / 2;
  const left = Math.max(start + CAP, MARGIN + half);
  const right = RIGHT - half;
  const low = values[0] ?? 0;
  const high = values.at(-1) ?? 1;
  return {
    ticks,
    low,
    high,
    x: (cents: number) => left + ((cents - low) / (high - low)) * (right - left),
  };
}
