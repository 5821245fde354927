import { escapeText } from '../../../src/embeds/text/escape.ts';
import type { Language } from '../../../src/language/language.ts';
import { isPaused, type Watch } from '../../../src/watches/watch.ts';
import {
  KINDS,
  type Kind,
  MARKET_NAME_LIMIT,
  MARKETS_LIMIT,
  type WatchSettings,
} from '../../../src/watches/watch-settings.ts';
import { durationWords } from './duration-words.ts';
import { NAME_SEPARATORS, typedName, typedNames } from './typed-names.ts';

type Markets = WatchSettings['markets'];

/** A text that says nothing about a setting but that it is not wanted. */
const NOTHING = /^(none|any|all|off|no)$/i;
/** In every language, the forms of sentences and of suggestions. */
const KINDS_BY_NAME = typedNames(({ texts: { watch } }) =>
  KINDS.flatMap((kind) => [watch.settings.kind[kind], watch.settings.kinds[kind]].map((name) => [name, kind] as const)),
);
/** "and" in lists, as the languages write it that put spaces around it. */
const CONJUNCTIONS = new Set(['and', 'und', 'y', 'e', 'et']);
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

/** Whether a text asks for a setting to be taken away: `none`, `any`, `all`, `off`. */
export function isNothing(text: string): boolean {
  return NOTHING.test(text.trim());
}

/**
 * Reads kinds as people type them: `buy, sell`, `buys and sells`, `trades`, `Käufe, Verkäufe`, `all`.
 *
 * @returns null for all kinds; undefined if the text is something else
 */
export function parseKinds(text: string): WatchSettings['kinds'] | undefined {
  if (/^(all|any)$/i.test(text.trim())) return null;
  const texts = text
    .split(NAME_SEPARATORS)
    .map(typedName)
    .filter((word) => word !== '' && !CONJUNCTIONS.has(word));
  const named = texts.map((word) => kindsNamed(word) ?? kindsNamed(word.replace(/s$/, '')));
  if (named.length === 0 || named.includes(undefined)) return undefined;
  const chosen = new Set(named.flatMap((kinds) => kinds ?? []));
  return chosen.size === KINDS.length ? null : KINDS.filter((kind) => chosen.has(kind));
}

function kindsNamed(word: string): readonly Kind[] | undefined {
  const kind = KINDS_BY_NAME.get(word);
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
export function settingsWords(
  settings: WatchSettings,
  language: Language,
  marketsShown: number = MARKETS_LIMIT,
): string[] {
  const { kinds, minUsdc, markets, priceCents, liquidityRole } = settings;
  const { cooldownSeconds, style, mention, unusualOnly, silentBelowUsdc } = settings;
  const { settings: texts } = language.texts.watch;
  const { usdc } = language.format;
  return [
    ...(kinds === null ? [] : [texts.kindsOnly(kindsWords(kinds, language))]),
    ...(minUsdc > 0 ? [texts.minUsdc(usdc(minUsdc))] : []),
    ...(markets === null ? [] : [marketsWords(markets, marketsShown, language)]),
    ...(priceCents === null ? [] : [bandWords(priceCents, language)]),
    ...(liquidityRole === null ? [] : [texts.liquidity[liquidityRole]]),
    ...(cooldownSeconds > 0 ? [texts.cooldown(durationWords(cooldownSeconds, language))] : []),
    ...(style === 'each' ? [texts.eachFill] : []),
    ...(mention === null ? [] : [mentionWords(mention, language)]),
    ...(unusualOnly ? [texts.unusualOnly] : []),
    ...(silentBelowUsdc > 0 ? [texts.silentBelow(usdc(silentBelowUsdc))] : []),
  ];
}

/** What a watch alerts of and how, a line each. */
export function settingsLines(settings: WatchSettings, language: Language): string[] {
  const texts = settingsWords(settings, language);
  if (texts.length > 0) return texts.map((phrase) => `• ${phrase}`);
  return [`• ${language.texts.watch.settings.everything}`];
}

/** Until when a watch is paused, in words; null if it is not. */
export function pauseWords(watch: Pick<Watch, 'pause'>, nowSeconds: number, { texts }: Language): string | null {
  if (!isPaused(watch, nowSeconds)) return null;
  return texts.watch.pause.state(pauseEnd(watch.pause?.untilSeconds ?? null));
}

/** When a pause ends, as the catalogues take it: a date and a countdown, which Discord draws. */
export function pauseEnd(untilSeconds: number | null): { readonly at: string; readonly in: string } | null {
  return untilSeconds === null ? null : { at: `<t:${untilSeconds}:f>`, in: `<t:${untilSeconds}:R>` };
}

/** The kinds in a sentence: `buys, sells and redemptions`; null stands for all of them. */
export function kindsWords(kinds: WatchSettings['kinds'], { tag, texts }: Language): string {
  const names = (kinds ?? KINDS).map((kind) => texts.watch.settings.kinds[kind]);
  return new Intl.ListFormat(tag, { type: 'conjunction' }).format(names).replace(', and ', ' and ');
}

function marketsWords({ mode, names }: NonNullable<Markets>, shownCount: number, language: Language): string {
  const { settings, comma, andMore } = language.texts.watch;
  const shown = names
    .slice(0, shownCount)
    .map((name) => escapeText(name, SHOWN_NAME_LIMIT, settings.unnamedMarket))
    .join(comma);
  const markets = names.length > shownCount ? andMore(shown, names.length - shownCount) : shown;
  return mode === 'only' ? settings.marketsOnly(markets) : settings.marketsExcept(markets);
}

function bandWords({ min, max }: NonNullable<WatchSettings['priceCents']>, { texts, format }: Language): string {
  const { priceUpTo, priceFrom, priceExactly, priceBetween } = texts.watch.settings;
  if (min === 0) return priceUpTo(format.cents(max));
  if (max === 100) return priceFrom(format.cents(min));
  return min === max ? priceExactly(format.cents(min)) : priceBetween(format.cents(min), format.cents(max));
}

function mentionWords(
  { roleId, minUsdc, cooldownSeconds }: NonNullable<WatchSettings['mention']>,
  language: Language,
): string {
  return language.texts.watch.settings.mention(
    `<@&${roleId}>`,
    minUsdc > 0 ? language.format.usdc(minUsdc) : null,
    cooldownSeconds > 0 ? durationWords(cooldownSeconds, language) : null,
  );
}
