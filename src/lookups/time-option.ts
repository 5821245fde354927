import { inlineCode } from '../embeds/text/escape.ts';
import { readDuration } from '../language/duration.ts';
import type { ListWords } from '../language/en/lists.ts';
import { LANGUAGE_TAGS, languageFor } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';

const DAY = 86_400;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
/** Days back from today, by the words of every language. */
const DAYS_BACK = new Map(
  LANGUAGE_TAGS.flatMap((tag) => {
    const { today, yesterday } = languageFor(tag).texts.names.typed;
    return [[today, 0] as const, [yesterday, 1] as const];
  }),
);
const DAY_WORD = /^([\p{L}’]+?)(?: ?(?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/u;
/** Code points of a typed text that a refusal repeats. */
export const QUOTED_LIMIT = 60;

/** The sentence of the catalogue that says why a text is refused. */
type Why = Exclude<keyof ListWords['refused'], 'action' | 'transaction' | 'market' | 'fromAfterTo' | 'time'>;

/**
 * Reads a time as a person writes it, in UTC: a length of time back from now (`2h`, `3 days ago`, `1d 12h`), `now`,
 * `today`, `yesterday`, a date, a date with a time, Unix seconds. A day without a time is its first second at the
 * beginning of a range, and its last at the end.
 *
 * @param option which end of a range it is
 * @param nowSeconds the venue's clock, Unix seconds
 * @returns Unix seconds
 * @throws UserError that quotes the text and says what is accepted
 */
export function readTime(text: string, option: 'from' | 'to', nowSeconds: number): number {
  const typed = text
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\d) ?(?:z|utc)$/, '');
  const read = typed === 'now' ? nowSeconds : readMoment(typed, option, nowSeconds);
  const checked = typeof read === 'number' ? inRange(read, option, nowSeconds) : read;
  if (typeof checked === 'number') return checked;
  throw new UserError(({ texts: { lists } }) =>
    lists.refused.time(lists.refused[checked](inlineCode(text, QUOTED_LIMIT))),
  );
}

/** Unix seconds, or why the text is no time. @param typed lower case, single spaces, without `UTC` */
function readMoment(typed: string, option: 'from' | 'to', nowSeconds: number): number | Why {
  if (/^\d{12,}$/.test(typed)) return 'milliseconds';
  if (/^\d{9,11}$/.test(typed)) return Number(typed);
  const ago = readDuration(typed.replace(/ ago$/, ''));
  if (ago === 'unknown-unit') return 'unknownUnit';
  if (typeof ago === 'number') return nowSeconds - ago;
  const date = DATE.exec(typed);
  if (date !== null) {
    const midnight = dayStart(Number(date[1]), Number(date[2]), Number(date[3]));
    return midnight === null ? 'noDay' : onDay(midnight, date.slice(4), option);
  }
  const day = DAY_WORD.exec(typed);
  const daysBack = DAYS_BACK.get(day?.[1] ?? '');
  if (day === null || daysBack === undefined) return 'noTime';
  return onDay((Math.floor(nowSeconds / DAY) - daysBack) * DAY, day.slice(2), option);
}

/** A time of a day. @param clock hour, minute and second as they were typed; all undefined: the whole day */
function onDay(midnight: number, clock: readonly (string | undefined)[], option: 'from' | 'to'): number | Why {
  if (clock[0] === undefined) return option === 'to' ? midnight + DAY - 1 : midnight;
  const [hour = 0, minute = 0, second = 0] = clock.map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return 'noTimeOfDay';
  return midnight + hour * 3_600 + minute * 60 + second;
}

/** Midnight UTC of a date in Unix seconds; null if there is no such day. */
function dayStart(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 1000 : null;
}

/** The time itself, or why it cannot be asked for. */
function inRange(seconds: number, option: 'from' | 'to', nowSeconds: number): number | Why {
  if (seconds < 0) return 'before1970';
  if (option === 'from' && seconds > nowSeconds) return 'inFuture';
  return seconds;
}
