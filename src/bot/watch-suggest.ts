import { COOLDOWN_LIMIT_SECONDS, KINDS } from '../watch/settings.ts';
import type { Choice } from './command.ts';
import { durationText, parseDuration } from './duration.ts';
import { RESETTABLE } from './watch-changes.ts';
import { marketsText, parseMarkets } from './watch-words.ts';

const CHOICE_LENGTH = 100;
const KIND_STARTS = ['all', 'buy, sell', 'buy', 'sell', 'buy, sell, redeem', 'deposit, withdrawal', 'redeem'];
const COOLDOWN_STARTS = ['none', '1m', '5m', '10m', '30m', '1h', '6h', '1d'];
const PAUSE_STARTS = ['30m', '1h', '2h', '8h', '12h', '1d', '3d', '7d'];

/** What the options of the settings suggest while they are typed. */
export function suggestSetting(option: string, typed: string): Choice[] {
  switch (option) {
    case 'kinds':
      return choices(typed.trim() === '' ? KIND_STARTS : listGoingOn(typed, KINDS));
    case 'reset':
      return choices(listGoingOn(typed, RESETTABLE));
    case 'markets':
      return choices(marketsLike(typed));
    case 'cooldown':
    case 'mention-cooldown':
      return choices(durationsLike(typed, COOLDOWN_STARTS, COOLDOWN_LIMIT_SECONDS));
    default:
      return [];
  }
}

/** How long a pause may be: lengths that are like what has been typed. */
export function suggestPause(typed: string, limitSeconds: number): Choice[] {
  return choices(durationsLike(typed, PAUSE_STARTS, limitSeconds));
}

/** Lists that begin with the names typed so far, and go on with one more. */
function listGoingOn(typed: string, names: readonly string[]): string[] {
  const words = typed.toLowerCase().split(/[\s,;]+/);
  const last = words.pop() ?? '';
  const begun = words.filter((word) => names.includes(word));
  const left = names.filter((name) => !begun.includes(name));
  const endings = left.filter((name) => name.startsWith(last)).map((name) => [name]);
  const further = left.includes(last) ? left.filter((name) => name !== last).map((name) => [last, name]) : [];
  return [...endings, ...further].map((ending) => [...begun, ...ending].join(', '));
}

function marketsLike(typed: string): string[] {
  if (typed.trim() === '') return ['any'];
  const markets = parseMarkets(typed);
  if (markets === undefined || markets === null) return markets === null ? ['any'] : [];
  const other = markets.mode === 'only' ? 'except' : 'only';
  return [marketsText(markets), marketsText({ ...markets, mode: other })];
}

function durationsLike(typed: string, starts: readonly string[], limitSeconds: number): string[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [...starts];
  const read = /^\d+$/.test(text)
    ? ['m', 'h', 'd', 's'].map((unit) => parseDuration(text + unit))
    : [parseDuration(text)];
  const known = read.flatMap((seconds) =>
    seconds === null || seconds < 1 || seconds > limitSeconds ? [] : [durationText(seconds)],
  );
  return [...new Set([...known, ...starts.filter((start) => start.startsWith(text))])];
}

function choices(texts: readonly string[]): Choice[] {
  return texts.filter((text) => text.length <= CHOICE_LENGTH).map((text) => ({ name: text, value: text }));
}
