import * as z from 'zod';
import { escapeText } from '../../embeds/text/escape.ts';
import type { LocalizedText } from '../../language/language.ts';
import { readText, type Setting, suggested } from './setting.ts';
import { fitting, isNothing, same } from './typed.ts';

/** Market ids or slugs, lower case: the only ones that are announced, or the ones that are not; null: all are. */
type Markets = { mode: 'only' | 'except'; names: string[] } | null;

/** Markets that one watch can name. */
export const MARKETS_LIMIT = 20;
/** The longest market id or slug, in characters. */
export const MARKET_NAME_LIMIT = 200;
/** The longest part of a market's name that is shown, in characters. */
const SHOWN_NAME_LIMIT = 60;

const takes: LocalizedText = ({ texts }) => texts.watch.settings.accepted.markets(MARKETS_LIMIT);

export const markets: Setting<Markets> = {
  schema: z
    .object({
      mode: z.enum(['only', 'except']),
      names: z.array(z.string().min(1).max(MARKET_NAME_LIMIT)).min(1).max(MARKETS_LIMIT),
    })
    .nullable()
    .default(null),
  options: [suggested('markets', ({ settings }) => settings.markets, suggestMarkets)],
  isFilter: true,
  read: (given, present) => readText(given, 'markets', parseMarkets, takes, present),
  say({ mode, names }, { texts }, marketsShown) {
    const { settings, comma, andMore } = texts.watch;
    const shown = names
      .slice(0, marketsShown)
      .map((name) => escapeText(name, SHOWN_NAME_LIMIT, settings.unnamedMarket))
      .join(comma);
    const listed = names.length > marketsShown ? andMore(shown, names.length - marketsShown) : shown;
    return mode === 'only' ? settings.marketsOnly(listed) : settings.marketsExcept(listed);
  },
  passes({ mode, names }, { activity }) {
    if (activity === null) return true;
    const isNamed = [activity.marketId, activity.marketSlug].some((name) => names.includes(name.toLowerCase()));
    return isNamed === (mode === 'only');
  },
  columns: {
    onlyMarkets: (value) => (value?.mode === 'only' ? value.names : null),
    exceptMarkets: (value) => (value?.mode === 'except' ? value.names : null),
  },
  fromFile(cells) {
    const namesIn = (column: string) => [...new Set(cells.list(column).map((name) => name.toLowerCase()))];
    const [only, except] = [namesIn('onlyMarkets'), namesIn('exceptMarkets')];
    if (only.length > 0 && except.length > 0) throw cells.fault(({ bothMarkets }) => bothMarkets);
    const [mode, column, names] =
      only.length > 0 ? (['only', 'onlyMarkets', only] as const) : (['except', 'exceptMarkets', except] as const);
    if (names.length > MARKETS_LIMIT) {
      throw cells.fault(({ tooManyMarkets }) => tooManyMarkets(column, names.length, MARKETS_LIMIT));
    }
    const long = names.find((name) => name.length > MARKET_NAME_LIMIT);
    if (long !== undefined) {
      throw cells.unacceptable(column, long, ({ marketNames }) => marketNames(MARKET_NAME_LIMIT));
    }
    return names.length === 0 ? null : { mode, names };
  },
};

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
export function marketsText(value: Markets): string {
  return value === null ? 'any' : `${value.mode}: ${value.names.join(', ')}`;
}

function suggestMarkets(typed: string) {
  const named = typed.trim() === '' ? null : parseMarkets(typed);
  if (named === undefined) return [];
  const other = named && { ...named, mode: named.mode === 'only' ? ('except' as const) : ('only' as const) };
  return fitting([...new Set([named, other].map(marketsText))].map(same));
}
