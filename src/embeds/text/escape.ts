import type { Language } from '../../language/language.ts';
import { countCodePoints } from '../../lib/text/cut-text.ts';
import { distinctNames, shortName } from './short-name.ts';
import { LEAST_NAME_EMS, plainEmsIn } from './width.ts';

/** Zero-width space, between two characters that Discord must not read together. */
const BREAK = '\u200b';
const LEFT_TO_RIGHT_MARK = '\u200e';
const ELLIPSIS = '…';
/** UTF-16 units of a text that are read: a field of a hostile item may be megabytes long. */
const RAW_MAX = 8192;

// A chain is kept to a length that people use, so that one "character" cannot fill a message.
const EMOJI_OR_JOINER =
  /(\p{Emoji}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,8})|[\u200d\ufe0e\ufe0f]/gu;
const WORDS = /^[\p{L}\p{M} .'’&/_-]*$/u;
const QUOTES = /["“”„‟«»「」『』〝〞＂]/g;
/**
 * A colon that may begin an emoji's code: a later one of the text closes it, or one of our own
 * words.
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

/** Counts a text as Discord does (its staff, discord-api-docs#1315): code points, ends trimmed. */
export function textLength(text: string): number {
  return countCodePoints(text.trim());
}

/**
 * Somebody else's text for a place where Discord reads markdown: it shows as written and does
 * nothing. No formatting, link, mention, timestamp, emoji code or invite comes to life, nothing
 * invisible or right-to-left spills out of it, and it stays on one line.
 *
 * @param maxCodePoints of the result, escapes and the closing … included; at least 1
 * @param fallback our own words, returned as they are if nothing visible is left
 */
export function escapeText(text: string, maxCodePoints: number, fallback: string): string {
  return shorten(text, maxCodePoints, fallback, escapeMarkdown);
}

/**
 * Somebody else's text for a place where Discord shows text as it stands (footer, author,
 * autocomplete choice): cleaned and cut like `escapeText`, not escaped.
 */
export function plainText(text: string, maxCodePoints: number, fallback: string): string {
  return shorten(text, maxCodePoints, fallback, (cleaned) => cleaned);
}

/**
 * Somebody else's name of an outcome or an action, which stands among our own amounts and prices:
 * in quotes, unless it is nothing but words, so that no part of it passes for a figure. Cleaned and
 * cut like `escapeText`.
 *
 * @param maxCodePoints of the result, quotes included; at least 5
 * @param escaping `plainText` where Discord shows text as it stands
 */
export function wordAmongFigures(
  text: string,
  maxCodePoints: number,
  fallback: string,
  { texts }: Pick<Language, 'texts'>,
  escaping = escapeText,
): string {
  if (WORDS.test(text)) return escaping(text, maxCodePoints, fallback);
  const [before, after] = texts.format.quotes;
  const room = maxCodePoints - before.length - after.length;
  const shown = escaping(text.replace(QUOTES, '’'), room, '');
  return shown === '' ? fallback : before + shown + after;
}

/**
 * Somebody else's text between backticks: it shows as written, mentions nobody, and stays on one
 * line. A backtick of its own gives way to a lookalike.
 *
 * @param maxCodePoints of the text, not counting the backticks
 * @returns an empty pair of quotes if nothing visible is left
 */
export function inlineCode(text: string, maxCodePoints: number): string {
  const harmless = (cleaned: string) =>
    cleaned.replaceAll('`', LOOKALIKES['`'] ?? '').replaceAll('@', `@${BREAK}`);
  return `\`${shorten(text, maxCodePoints, '""', harmless)}\``;
}

/**
 * Somebody else's text behind a link, `[text](url)`; without a url `escapeText` alone. Inside a
 * mask Discord formats but does not unescape (discord-api-docs#6185), and drops the link if its
 * text holds an address (#7721), so that here the characters of markdown give way to lookalikes.
 * The description of an embed takes masks, its title does not (#6088).
 *
 * @param url from `links.ts`, which leaves nothing in it that could end the mask
 * @param maxCodePoints of the text, not counting the url
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
 * Markets' names of one message, each cut to a width as `shortName` does, cleaned and not yet
 * escaped: `wholeText` of one has room for its escapes. Names that would read alike are wider.
 *
 * @param wanted the names, and ems for each: a name that is cut has {@link LEAST_NAME_EMS} anyway
 */
export function namesWithin(
  wanted: readonly { readonly name: string; readonly ems: number }[],
): string[] {
  const cleaned = wanted.map(({ name }) => clean(name.slice(0, RAW_MAX)));
  const rooms = wanted.map(({ ems }) => Math.max(LEAST_NAME_EMS, ems));
  return distinctNames(cleaned, rooms, plainEmsIn);
}

/** One name, cut as {@link namesWithin} does. */
export function nameWithin(name: string, ems: number): string {
  const [short = ''] = namesWithin([{ name, ems }]);
  return short;
}

/** Code points that all of a text has room in once it is escaped. */
export function wholeText(text: string): number {
  return 2 * text.length + 2;
}

/**
 * A transaction hash cut for reading, `0x12ab…90ef`, escaped: the venue may send anything under
 * this name.
 * @param fallback our own words, returned as they are if nothing visible is left
 */
export function shortTxHash(txHash: string, fallback: string): string {
  return escapeText(abbreviated(plainText(txHash, 200, '')), 30, fallback);
}

/** A long hash by its ends, `0x12ab…90ef`; a text of at most 13 code points as it is. */
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
  const visible = clean(text.slice(0, RAW_MAX));
  if (visible === '') return fallback;
  const cleaned = text.length > RAW_MAX ? visible + ELLIPSIS : visible;
  // A figure after a right-to-left text would otherwise be drawn in front of it.
  const tail = RIGHT_TO_LEFT.test(cleaned) && maxCodePoints > 2 ? LEFT_TO_RIGHT_MARK : '';
  const short = shortName(cleaned, maxCodePoints - tail.length, (part) =>
    countCodePoints(transform(part)),
  );
  return transform(short) + tail;
}

/**
 * One line of visible text, without control, invisible, bidirectional and stacked combining
 * characters.
 */
function clean(text: string): string {
  return (
    text
      .replace(/\ufeff|(?!\s|\u0085|\u200d|\ufe0e|\ufe0f)[\p{C}\p{DI}]/gu, '')
      .replace(EMOJI_OR_JOINER, (_match, emoji: string | undefined) => emoji ?? '')
      // U+2800 is a Braille pattern without dots: blank, though not whitespace.
      .replace(/[\s\u0085\u2800]+/gu, ' ')
      .replace(/(^| )\p{M}+/gu, '$1')
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}

/**
 * Discord takes a backslash before anything that is not a letter, digit or space as "this
 * character, literally".
 */
function escapeMarkdown(text: string): string {
  return (
    breakAddresses(text.replace(/[\\`*_~|[\]<>]/g, '\\$&'))
      .replace(EMOJI_CODE_START, '\\:')
      // A link of ours further up would end here otherwise: its rule takes the last "](", and an
      // escaped one too.
      .replaceAll('](', ']\\(')
      // Headings, lists and small print exist at the start of a line only.
      .replace(/^[#+-]/, '\\$&')
      .replace(/^(\d+)\.(?=\s|$)/, '$1\\.')
  );
}

/**
 * For the text of a masked link. It never starts a line of ours, but parsers that are built on the
 * clients' rules read it as one of its own, with heading, small print, quote and list.
 */
function replaceMarkdown(text: string): string {
  const similar = text.replace(/[\\`*_[\]]/g, (character) => LOOKALIKES[character] ?? '');
  return breakAddresses(similar)
    .replace(/[<~|]/g, `$&${BREAK}`)
    .replace(EMOJI_CODE_START, `:${BREAK}`)
    .replace(/^(?=[#>+-]|\d+\.)/, BREAK);
}

/**
 * A break rather than a backslash where it must hold whoever reads: pings, web addresses, invites.
 */
function breakAddresses(text: string): string {
  return text
    .replaceAll('@', `@${BREAK}`)
    .replace(/:(?=\/)/g, `:${BREAK}`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, `.${BREAK}`);
}
