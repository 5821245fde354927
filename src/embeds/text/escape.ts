import type { Language } from '../../language/language.ts';
import { countCodePoints } from '../../lib/text/cut-text.ts';
import { distinctNames, shortName } from './short-name.ts';
import { LEAST_NAME_EMS, plainEmsIn } from './width.ts';

/** Zero-width space, put between two characters that Discord must not read together. */
const BREAK = '\u200b';
const LEFT_TO_RIGHT_MARK = '\u200e';
const ELLIPSIS = '…';
/**
 * Maximum UTF-16 units of a text that are read: a field of a hostile item may be megabytes long.
 */
const RAW_MAX = 8192;

// Chains have a realistic maximum length, so that one "character" cannot fill a message.
const EMOJI_OR_JOINER =
  /(\p{Emoji}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,8})|[\u200d\ufe0e\ufe0f]/gu;
const WORDS = /^[\p{L}\p{M} .'’&/_-]*$/u;
const QUOTES = /["“”„‟«»「」『』〝〞＂]/g;
/**
 * A colon that may begin an emoji code, which a later colon of the text or of our own words could
 * close.
 */
const EMOJI_CODE_START = /:(?=[\w+-]+(?::|$))/g;
const LOOKALIKES: Readonly<Record<string, string>> = {
  '\\': '\u2216',
  '`': '\u02cb',
  '*': '\u2217',
  _: '\u02cd',
  '[': '(',
  ']': ')',
};
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/**
 * Returns a text's length as Discord counts it (its staff, discord-api-docs#1315): code points,
 * with the ends trimmed.
 */
export function textLength(text: string): number {
  return countCodePoints(text.trim());
}

/**
 * Escapes foreign text for places where Discord reads markdown: it is shown literally and has no
 * effect. It cannot produce formatting, links, mentions, timestamps, emoji codes or invites, no
 * invisible or right-to-left characters affect the text around it, and it stays on one line.
 *
 * @param maxCodePoints of the result, including escapes and the final …; at least 1
 * @param fallback our own words, returned unchanged if nothing visible is left
 */
export function escapeText(text: string, maxCodePoints: number, fallback: string): string {
  return shorten(text, maxCodePoints, fallback, escapeMarkdown);
}

/** Whether `escapeText` shows anything of a foreign text. */
export function isVisible(text: string): boolean {
  return clean(text) !== '';
}

/**
 * Cleans and cuts foreign text like `escapeText` but does not escape it, for places where Discord
 * shows text literally (footer, author, autocomplete choice).
 */
export function plainText(text: string, maxCodePoints: number, fallback: string): string {
  return shorten(text, maxCodePoints, fallback, (cleaned) => cleaned);
}

/**
 * Returns a foreign name of an outcome or an action for use among our own amounts and prices: in
 * quotes unless it consists of words only, so that no part of it can be mistaken for a figure.
 * Cleaned and cut like `escapeText`.
 *
 * @param maxCodePoints of the result, including quotes; at least 5
 * @param escaping `plainText` for places where Discord shows text literally
 */
export function wordAmongFigures(
  text: string,
  maxCodePoints: number,
  fallback: string,
  { texts }: Language,
  escaping = escapeText,
): string {
  if (WORDS.test(text)) return escaping(text, maxCodePoints, fallback);
  const [before, after] = texts.format.quotes;
  const shownMax = maxCodePoints - before.length - after.length;
  const shown = escaping(text.replace(QUOTES, '’'), shownMax, '');
  return shown === '' ? fallback : before + shown + after;
}

/**
 * Returns foreign text between backticks: it is shown literally, mentions no one, and stays on one
 * line. A lookalike replaces its own backticks.
 *
 * @param maxCodePoints of the text, without the backticks
 * @returns an empty pair of quotes in backticks if nothing visible is left
 */
export function inlineCode(text: string, maxCodePoints: number): string {
  const harmless = (cleaned: string) =>
    cleaned.replaceAll('`', LOOKALIKES['`'] ?? '').replaceAll('@', `@${BREAK}`);
  return `\`${shorten(text, maxCodePoints, '""', harmless)}\``;
}

/**
 * Returns foreign text with a link, `[text](url)`; without a url the same as `escapeText`. In a
 * masked link Discord formats but does not unescape (discord-api-docs#6185), and it drops the link
 * if the text contains an address (#7721), so lookalikes replace markdown characters here. An
 * embed's description supports masked links, its title does not (#6088).
 *
 * @param url from `links.ts`, which removes everything that could end the mask
 * @param maxCodePoints of the text, without the url
 */
export function maskedLink(
  text: string,
  url: string | undefined,
  maxCodePoints: number,
  fallback: string,
): string {
  if (url === undefined) return escapeText(text, maxCodePoints, fallback);
  return `[${shorten(text, maxCodePoints, fallback, replaceMarkdown)}](${url})`;
}

/**
 * Cuts the markets' names of one message, each to a width as `shortName` does; cleaned, not yet
 * escaped. `wholeText` of a name leaves space for its escapes. Names that would look alike become
 * wider.
 *
 * @param wanted the names, with a width in ems for each; a cut name gets at least {@link
 *   LEAST_NAME_EMS}
 */
export function namesWithin(
  wanted: readonly { readonly name: string; readonly ems: number }[],
): string[] {
  const cleaned = wanted.map(({ name }) => clean(name));
  const widths = wanted.map(({ ems }) => Math.max(LEAST_NAME_EMS, ems));
  return distinctNames(cleaned, widths, plainEmsIn);
}

/** Cuts one name as {@link namesWithin} does. */
export function nameWithin(name: string, ems: number): string {
  const [short = ''] = namesWithin([{ name, ems }]);
  return short;
}

/** Returns the code points that a whole text can need once it is escaped. */
export function wholeText(text: string): number {
  return 2 * text.length + 2;
}

/**
 * Returns an abbreviated transaction hash, `0x12ab…90ef`, escaped because the venue may send
 * anything in this field.
 *
 * @param fallback our own words, returned unchanged if nothing visible is left
 */
export function shortTxHash(txHash: string, fallback: string): string {
  return escapeText(abbreviated(plainText(txHash, 200, '')), 30, fallback);
}

/**
 * Returns the ends of a long hash, `0x12ab…90ef`; a text of at most 13 code points is unchanged.
 */
export function abbreviated(hash: string): string {
  const points = Array.from(hash);
  if (points.length <= 13) return hash;
  return `${points.slice(0, 6).join('')}…${points.slice(-4).join('')}`;
}

function shorten(
  text: string,
  maxCodePoints: number,
  fallback: string,
  transform: (cleaned: string) => string,
): string {
  if (!Number.isInteger(maxCodePoints) || maxCodePoints < 1) {
    throw new RangeError(`maxCodePoints is ${maxCodePoints}. Accepted: a whole number from 1.`);
  }
  const visible = clean(text);
  if (visible === '') return fallback;
  const cleaned = text.length > RAW_MAX ? visible + ELLIPSIS : visible;
  // Otherwise a figure after right-to-left text would be drawn in front of it.
  const tail = RIGHT_TO_LEFT.test(cleaned) && maxCodePoints > 2 ? LEFT_TO_RIGHT_MARK : '';
  const short = shortName(cleaned, maxCodePoints - tail.length, (part) =>
    countCodePoints(transform(part)),
  );
  return transform(short) + tail;
}

/**
 * Returns the start of a text as one line of visible text, without control, invisible,
 * bidirectional and stacked combining characters.
 */
function clean(text: string): string {
  return (
    text
      .slice(0, RAW_MAX)
      .replace(/\ufeff|(?!\s|\u0085|\u200d|\ufe0e|\ufe0f)[\p{C}\p{DI}]/gu, '')
      .replace(EMOJI_OR_JOINER, (_match, emoji: string | undefined) => emoji ?? '')
      // U+2800 is a Braille pattern without dots: blank, but not whitespace.
      .replace(/[\s\u0085\u2800]+/gu, ' ')
      .replace(/(^| )\p{M}+/gu, '$1')
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}

/**
 * Escapes markdown. Discord reads a backslash before anything except a letter, digit or space as
 * "this character, literally".
 */
function escapeMarkdown(text: string): string {
  return (
    breakAddresses(text.replace(/[\\`*_~|[\]<>]/g, '\\$&'))
      .replace(EMOJI_CODE_START, '\\:')
      // Otherwise an earlier link of ours would end here: the link rule uses the last "](", even an
      // escaped one.
      .replaceAll('](', ']\\(')
      // Headings, lists and small print exist only at the start of a line.
      .replace(/^[#+-]/, '\\$&')
      .replace(/^(\d+)\.(?=\s|$)/, '$1\\.')
  );
}

/**
 * Replaces markdown in the text of a masked link. The text never starts a line of ours, but parsers
 * built on the clients' rules read it as a line of its own, with heading, small print, quote and
 * list.
 */
function replaceMarkdown(text: string): string {
  const similar = text.replace(/[\\`*_[\]]/g, (character) => LOOKALIKES[character] ?? '');
  return breakAddresses(similar)
    .replace(/[<~|]/g, `$&${BREAK}`)
    .replace(EMOJI_CODE_START, `:${BREAK}`)
    .replace(/^(?=[#>+-]|\d+\.)/, BREAK);
}

/**
 * Breaks addresses: pings, web addresses and invites need a break, because a backslash is not safe
 * with every parser.
 */
function breakAddresses(text: string): string {
  return text
    .replaceAll('@', `@${BREAK}`)
    .replace(/:(?=\/)/g, `:${BREAK}`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, `.${BREAK}`);
}
