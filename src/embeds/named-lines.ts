import type { Market } from '../portfolio/market.ts';
import { marketNameOf, present } from './embed-parts.ts';
import { maskedLink, namesWithin, nameWithin, wholeText } from './text/escape.ts';
import { emsIn, LEAST_NAME_EMS, plainEmsIn } from './text/width.ts';

type Named = Pick<Market, 'marketTitle' | 'marketSlug'>;

/** Ems of a market's name that has a line or two of its own in a list: some 75 letters. */
export const OWN_LINE_EMS = 40;

/**
 * Ems in two lines of a list on a phone (390 px), and in three, less what a word too long leaves at
 * the end of one.
 */
const TWO_LINES = 35;
const THREE_LINES = 51;

/** A line of a message that names a market. */
export interface NamedLine {
  /** Undefined where it names none. */
  readonly market: Named | undefined;
  /** Ems that it has left for the name. */
  readonly ems: number;
  /**
   * Writes the line.
   *
   * @param name cut and cleaned, not yet escaped; empty where there is none
   */
  readonly write: (name: string) => string;
}

/** A line that names no market. */
export function unnamedLine(text: string): NamedLine {
  return { market: undefined, ems: 0, write: () => text };
}

/**
 * Writes lines that stand in one message. No market's name is cut so far that it might be another
 * one's: see `namesWithin`.
 */
export function writeLines(lines: readonly NamedLine[]): string[] {
  const wanted = lines.map(({ market, ems }) => ({
    name: market === undefined ? '' : marketNameOf(market),
    ems,
  }));
  const names = namesWithin(wanted);
  return lines.map(({ write }, index) => write(names[index] ?? ''));
}

/** Ems that a market's name needs at least: all of a short one. */
function neededEmsOf(market: Named): number {
  return Math.min(LEAST_NAME_EMS, plainEmsIn(marketNameOf(market)));
}

/**
 * Ems for a market's name behind other words: what is left of the first line, or else of so many
 * that the name tells which market it is, all of the last of them.
 *
 * @param said markdown
 * @param linesEms of one line of a phone, of two, and so on, as far as wanted
 */
export function emsBeside(market: Named, said: string, linesEms: readonly number[]): number {
  const neededEms = neededEmsOf(market);
  const saidEms = emsIn(present(said, ''));
  const lineEms = linesEms.find((ems) => ems - saidEms >= neededEms) ?? linesEms.at(-1) ?? 0;
  return lineEms - saidEms;
}

/**
 * Cuts markets' names for a message that says them at several places, as `writeLines` does.
 *
 * @returns the name for a place with so many ems, of those that were wanted
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
 * A line that ends with a market's name behind its link, and begins with the first of some texts
 * that leaves it room: in two lines of an embed, or else in three.
 *
 * @param texts markdown, the longest first
 * @param fallback as `maskedLink` has it
 */
export function lineBeside(
  market: Named,
  texts: readonly [string, ...string[]],
  url: string | undefined,
  fallback: string,
): NamedLine {
  const neededEms = neededEmsOf(market);
  const fitting = (lineEms: number) =>
    texts.find((said) => emsBeside(market, said, [lineEms]) >= neededEms);
  const said = fitting(TWO_LINES) ?? fitting(THREE_LINES) ?? texts.at(-1) ?? texts[0];
  return {
    market,
    ems: emsBeside(market, said, [TWO_LINES, THREE_LINES]),
    write: (name) => present(said, linkedName(name, url, fallback)),
  };
}

/**
 * A market's name that is cut already, behind a link.
 *
 * @param fallback as `maskedLink` has it
 */
export function linkedName(name: string, url: string | undefined, fallback: string): string {
  return maskedLink(name, url, wholeText(name), fallback);
}
