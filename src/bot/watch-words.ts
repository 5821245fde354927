import { formatCents, formatUsdc } from '../alert/format.ts';
import { escapeText } from '../alert/text.ts';
import { KINDS, type Kind, MARKET_NAME_LIMIT, MARKETS_LIMIT, type WatchSettings } from '../watch/settings.ts';
import { isPaused, type Watch } from '../watch/watch.ts';
import { durationText } from './duration.ts';

type Markets = WatchSettings['markets'];

/** A text that says nothing about a setting but that it is not wanted. */
const NOTHING = /^(none|any|all|off|no)$/i;
const PLURALS: Readonly<Record<Kind, string>> = {
  buy: 'buys',
  sell: 'sells',
  redeem: 'redemptions',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
};
/** What people also call the kinds, in the singular. */
const OTHER_NAMES: Readonly<Record<string, readonly Kind[]>> = {
  redemption: ['redeem'],
  withdraw: ['withdrawal'],
  trade: ['buy', 'sell'],
  transfer: ['deposit', 'withdrawal'],
  flow: ['deposit', 'withdrawal'],
};
/** The longest part of a market's name that is shown, in characters. */
const SHOWN_NAME_LIMIT = 60;
const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** What a pause means for what happens while it lasts. */
export const NOT_MADE_UP_FOR = 'What happens meanwhile is not made up for.';
export const KINDS_ACCEPTED = `all, or some of ${KINDS.join(', ')}`;
export const MARKETS_ACCEPTED = `"only: ID, SLUG", "except: ID, SLUG" (${MARKETS_LIMIT} markets at the most), or "any"`;

/** Whether a text asks for a setting to be taken away: `none`, `any`, `all`, `off`. */
export function isNothing(text: string): boolean {
  return NOTHING.test(text.trim());
}

/**
 * Reads kinds as people type them: `buy, sell`, `buys and sells`, `trades`, `all`.
 *
 * @returns null for all kinds; undefined if the text is something else
 */
export function parseKinds(text: string): WatchSettings['kinds'] | undefined {
  if (/^(all|any)$/i.test(text.trim())) return null;
  const words = text
    .toLowerCase()
    .split(/[\s,;+&]+/)
    .filter((word) => word !== '' && word !== 'and');
  const named = words.map((word) => kindsNamed(word) ?? kindsNamed(word.replace(/s$/, '')));
  if (named.length === 0 || named.includes(undefined)) return undefined;
  const chosen = new Set(named.flatMap((kinds) => kinds ?? []));
  return chosen.size === KINDS.length ? null : KINDS.filter((kind) => chosen.has(kind));
}

function kindsNamed(word: string): readonly Kind[] | undefined {
  const kind = KINDS.find((candidate) => candidate === word);
  if (kind !== undefined) return [kind];
  return Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
}

/** Kinds as `parseKinds` reads them back. */
export function kindsText(kinds: WatchSettings['kinds']): string {
  return kinds === null ? 'all' : kinds.join(', ');
}

/**
 * Reads markets as people type them: `only: rain-in-paris, 501`, `except: 501`, a bare list as `only`, `any`.
 *
 * @returns null for any market; undefined if the text is something else
 */
export function parseMarkets(text: string): Markets | undefined {
  if (isNothing(text)) return null;
  const [, mode = 'only', list = ''] = /^(?:(only|except)(?::|\s|$))?(.*)$/is.exec(text.trim()) ?? [];
  const names = [...new Set(list.toLowerCase().split(/[\s,;]+/))].filter((name) => name !== '');
  const isRight = names.every(
    (name) => name.length <= MARKET_NAME_LIMIT && /^[\p{L}\p{N}][\p{L}\p{N}._~%-]*$/u.test(name),
  );
  if (names.length === 0 || names.length > MARKETS_LIMIT || !isRight) return undefined;
  return { mode: mode.toLowerCase() === 'except' ? 'except' : 'only', names };
}

/** Markets as `parseMarkets` reads them back. */
export function marketsText(markets: Markets): string {
  return markets === null ? 'any' : `${markets.mode}: ${markets.names.join(', ')}`;
}

/**
 * What differs from a watch that nobody has edited, a phrase each, ready for a place where markdown is read.
 *
 * @param marketsShown how many market names are written out; the others are counted
 */
export function settingsWords(settings: WatchSettings, marketsShown: number = MARKETS_LIMIT): string[] {
  const { kinds, minUsdc, markets, priceCents, liquidityRole, cooldownSeconds, style, mention, silentBelowUsdc } =
    settings;
  return [
    ...(kinds === null ? [] : [`${kindsWords(kinds)} only`]),
    ...(minUsdc > 0 ? [`from ${formatUsdc(minUsdc)}`] : []),
    ...(markets === null ? [] : [marketsWords(markets, marketsShown)]),
    ...(priceCents === null ? [] : [bandWords(priceCents)]),
    ...(liquidityRole === null ? [] : [`${liquidityRole} trades only`]),
    ...(cooldownSeconds > 0 ? [`at most one alert per market in ${durationText(cooldownSeconds)}`] : []),
    ...(style === 'each' ? ['each fill on its own'] : []),
    ...(mention === null ? [] : [mentionWords(mention)]),
    ...(silentBelowUsdc > 0 ? [`silent below ${formatUsdc(silentBelowUsdc)}`] : []),
  ];
}

/** What a watch rings for and how, a line each. */
export function settingsLines(settings: WatchSettings): string[] {
  const words = settingsWords(settings);
  if (words.length > 0) return words.map((phrase) => `• ${phrase}`);
  return [`Everything rings: ${kindsWords(null)}.`];
}

/** Until when a watch is paused, in words; null if it is not. */
export function pauseWords(watch: Pick<Watch, 'pause'>, nowSeconds: number): string | null {
  if (!isPaused(watch, nowSeconds)) return null;
  const until = watch.pause?.untilSeconds ?? null;
  return until === null ? 'paused until somebody uses `/watch resume`' : `paused until <t:${until}:f> (<t:${until}:R>)`;
}

/** The kinds in a sentence: `buys, sells and redemptions`; null stands for all of them. */
export function kindsWords(kinds: WatchSettings['kinds']): string {
  return listFormat.format((kinds ?? KINDS).map((kind) => PLURALS[kind])).replace(', and ', ' and ');
}

function marketsWords({ mode, names }: NonNullable<Markets>, shownCount: number): string {
  const shown = names.slice(0, shownCount).map((name) => escapeText(name, SHOWN_NAME_LIMIT, 'a market without a name'));
  const more = names.length > shownCount ? ` and ${names.length - shownCount} more` : '';
  return `${mode === 'only' ? 'only in' : 'not in'} ${shown.join(', ')}${more}`;
}

function bandWords({ min, max }: NonNullable<WatchSettings['priceCents']>): string {
  if (min === 0) return `trades at ${formatCents(max)} or less`;
  if (max === 100) return `trades at ${formatCents(min)} or more`;
  return min === max ? `trades at ${formatCents(min)}` : `trades at ${formatCents(min)} to ${formatCents(max)}`;
}

function mentionWords({ roleId, minUsdc, cooldownSeconds }: NonNullable<WatchSettings['mention']>): string {
  const threshold = minUsdc > 0 ? ` from ${formatUsdc(minUsdc)}` : '';
  const pause = cooldownSeconds > 0 ? `, at most once in ${durationText(cooldownSeconds)}` : '';
  return `mentions <@&${roleId}>${threshold}${pause}`;
}
