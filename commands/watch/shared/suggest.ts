import type { Choice } from '../../../src/discord/slash-command.ts';
import type { Language } from '../../../src/language/language.ts';
import { parseDuration } from '../../../src/lib/duration.ts';
import { COOLDOWN_LIMIT_SECONDS, KINDS, type Kind } from '../../../src/watches/settings.ts';
import { RESETTABLE, resetName } from './changes.ts';
import { durationText, durationWords } from './duration-words.ts';
import { NAME_SEPARATORS, typedName } from './typed-names.ts';
import { marketsText, parseMarkets } from './words.ts';

const CHOICE_LENGTH = 100;
const ALL = same('all');
const KIND_STARTS: readonly (readonly Kind[])[] = [
  ['buy', 'sell'],
  ['buy'],
  ['sell'],
  ['buy', 'sell', 'redeem'],
  ['deposit', 'withdrawal'],
  ['redeem'],
];
const COOLDOWN_STARTS = ['none', '1m', '5m', '10m', '30m', '1h', '6h', '1d'];
const PAUSE_STARTS = ['30m', '1h', '2h', '8h', '12h', '1d', '3d', '7d'];

/** What the options of the settings suggest while they are typed: names in the language of whoever types. */
export function suggestSetting(option: string, typed: string, language: Language): Choice[] {
  const { settings, comma } = language.texts.watch;
  switch (option) {
    case 'kinds': {
      const named = (kind: Kind): Choice => ({ name: settings.kind[kind], value: kind });
      if (typed.trim() !== '') return fitting(listGoingOn(typed, KINDS.map(named), comma));
      return [ALL, ...KIND_STARTS.map((kinds) => listOf(kinds.map(named), comma))];
    }
    case 'reset':
      return fitting(
        listGoingOn(
          typed,
          RESETTABLE.map((part) => ({ name: resetName(part, language), value: part })),
          comma,
        ),
      );
    case 'markets':
      return fitting(marketsLike(typed).map(same));
    case 'cooldown':
    case 'mention-cooldown':
      return durationsLike(typed, COOLDOWN_STARTS, COOLDOWN_LIMIT_SECONDS, language);
    default:
      return [];
  }
}

/** How long a pause may be: lengths that are like what has been typed. */
export function suggestPause(typed: string, limitSeconds: number, language: Language): Choice[] {
  return durationsLike(typed, PAUSE_STARTS, limitSeconds, language);
}

/** Lists that begin with the names typed so far, and go on with one more. */
function listGoingOn(typed: string, parts: readonly Choice[], comma: string): Choice[] {
  const texts = typed.split(NAME_SEPARATORS).map(typedName);
  const last = texts.pop() ?? '';
  const namesOf = ({ name, value }: Choice) => [typedName(name), value];
  const called = (word: string) => (part: Choice) => namesOf(part).includes(word);
  const begun = texts.flatMap((word) => parts.find(called(word)) ?? []);
  const left = parts.filter((part) => !begun.includes(part));
  const endings = left.filter((part) => namesOf(part).some((name) => name.startsWith(last))).map((part) => [part]);
  const whole = left.find(called(last));
  const further = whole === undefined ? [] : left.filter((part) => part !== whole).map((part) => [whole, part]);
  return [...endings, ...further].map((ending) => listOf([...begun, ...ending], comma));
}

function listOf(parts: readonly Choice[], comma: string): Choice {
  return { name: parts.map(({ name }) => name).join(comma), value: parts.map(({ value }) => value).join(', ') };
}

function marketsLike(typed: string): string[] {
  if (typed.trim() === '') return ['any'];
  const markets = parseMarkets(typed);
  if (markets === undefined || markets === null) return markets === null ? ['any'] : [];
  const other = markets.mode === 'only' ? 'except' : 'only';
  return [marketsText(markets), marketsText({ ...markets, mode: other })];
}

function durationsLike(typed: string, starts: readonly string[], limitSeconds: number, language: Language): Choice[] {
  const text = typed.trim().toLowerCase();
  const named = (value: string): Choice => {
    const seconds = parseDuration(value);
    return seconds === null ? same(value) : { name: durationWords(seconds, language), value };
  };
  if (text === '') return starts.map(named);
  const read = /^\d+$/.test(text)
    ? ['m', 'h', 'd', 's'].map((unit) => parseDuration(text + unit))
    : [parseDuration(text)];
  const known = read.flatMap((seconds) =>
    seconds === null || seconds < 1 || seconds > limitSeconds ? [] : [durationText(seconds)],
  );
  return [...new Set([...known, ...starts.filter((start) => start.startsWith(text))])].map(named);
}

function fitting(choices: readonly Choice[]): Choice[] {
  return choices.filter(({ name, value }) => Math.max(name.length, value.length) <= CHOICE_LENGTH);
}

/** What is typed in every language alike. */
function same(text: string): Choice {
  return { name: text, value: text };
}
