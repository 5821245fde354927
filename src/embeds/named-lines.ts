import type { Market } from '../portfolio/market.ts';
import { marketNameOf, present } from './embed-parts.ts';
import { maskedLink, namesWithin, nameWithin, wholeText } from './text/escape.ts';
import { emsIn, LEAST_NAME_EMS, plainEmsIn } from './text/width.ts';

type Named = Pick<Market, 'marketTitle' | 'marketSlug'>;

/** Width in ems of a market's name that has a line or two of a list to itself: about 75 letters. */
export const OWN_LINE_EMS = 40;

/**
 * Width in ems of two lines of a list on a phone (390 px), and of three, minus the space that an
 * overlong word leaves at the end of a line.
 */
const TWO_LINES = 35;
const THREE_LINES = 51;

/** A line of a message that names a market. */
export interface NamedLine {
  /** Undefined if it names none. */
  readonly market: Named | undefined;
  /** Width that is left for the name, in ems. */
  readonly ems: number;
  /**
   * Formats the line.
   *
   * @param name cut and cleaned, not yet escaped; empty if there is none
   */
  readonly write: (name: string) => string;
}

/** Returns a line that names no market. */
export function unnamedLine(text: string): NamedLine {
  return { market: undefined, ems: 0, write: () => text };
}

/**
 * Formats the lines of one message. No market's name is cut so far that it could be mistaken for
 * another: see `namesWithin`.
 */
export function writeLines(lines: readonly NamedLine[]): string[] {
  const wanted = lines.map(({ market, ems }) => ({
    name: market === undefined ? '' : marketNameOf(market),
    ems,
  }));
  const names = namesWithin(wanted);
  return lines.map(({ write }, index) => write(names[index] ?? ''));
}

/** Returns the minimum width of a market's name in ems: the whole name if it is short. */
function neededEmsOf(market: Named): number {
  return Math.min(LEAST_NAME_EMS, plainEmsIn(marketNameOf(market)));
}

/**
 * Returns the width in ems for a market's name after other words: what is left of the first line,
 * or else of as many lines as the name needs to be recognized, up to all of them.
 *
 * @param markdown the other words
 * @param linesEms width of one line of a phone, of two, and so on, as many as allowed
 */
export function emsBeside(market: Named, markdown: string, linesEms: readonly number[]): number {
  const neededEms = neededEmsOf(market);
  const markdownEms = emsIn(present(markdown, ''));
  const lineEms = linesEms.find((ems) => ems - markdownEms >= neededEms) ?? linesEms.at(-1) ?? 0;
  return lineEms - markdownEms;
}

/**
 * Cuts markets' names for a message that has them in several places, as `writeLines` does.
 *
 * @returns a function that returns the cut name for a market and width from the list
 */
export function namesOf(
  wanted: readonly { readonly market: Named; readonly ems: number }[],
): (market: Named, ems: number) => string {
  const texts = wanted.map(({ market, ems }) => ({ name: marketNameOf(market), ems }));
  const names = namesWithin(texts);
  const known = new Map(texts.map(({ name, ems }, index) => [`${ems} ${name}`, names[index]]));
  return (market, ems) => {
    const name = marketNameOf(market);
    return known.get(`${ems} ${name}`) ?? nameWithin(name, ems);
  };
}

/**
 * Returns a line that ends with a market's linked name, and begins with the first text that leaves
 * enough space for it in two lines of an embed, or else in three.
 *
 * @param texts markdown, the longest first
 * @param fallback as in `maskedLink`
 */
export function lineBeside(
  market: Named,
  texts: readonly [string, ...string[]],
  url: string | undefined,
  fallback: string,
): NamedLine {
  const neededEms = neededEmsOf(market);
  const fitting = (lineEms: number) =>
    texts.find((markdown) => emsBeside(market, markdown, [lineEms]) >= neededEms);
  const markdown = fitting(TWO_LINES) ?? fitting(THREE_LINES) ?? texts.at(-1) ?? texts[0];
  return {
    market,
    ems: emsBeside(market, markdown, [TWO_LINES, THREE_LINES]),
    write: (name) => present(markdown, linkedName(name, url, fallback)),
  };
}

/**
 * Returns a market's name, already cut, with a link.
 *
 * @param fallback as in `maskedLink`
 */
export function linkedName(name: string, url: string | undefined, fallback: string): string {
  return maskedLink(name, url, wholeText(name), fallback);
}
