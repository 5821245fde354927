import { escapeText } from '../embeds/escape.ts';
import type { ListWords } from '../language/en/lists.ts';
import type { LocalizedText } from '../language/language.ts';
import { readDuration } from '../lib/duration.ts';

const DAY = 86_400;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_WORD = /^(today|yesterday)(?: (?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
/** Of what a person typed, as much is told again. Code points. */
export const QUOTED_LIMIT = 60;

export type ReadTime =
  | { readonly ok: true; readonly seconds: number }
  | { readonly ok: false; readonly reason: LocalizedText };

/** Picks the sentence that says why a text is not taken. */
type Why = (texts: ListWords['refused']) => (typed: string) => string;

/**
 * Reads a time as a person writes it, in UTC: a length of time back from now (`2h`, `3 days ago`, `1d 12h`), `now`,
 * `today`, `yesterday`, a date, a date with a time, Unix seconds. A day without a time is its first second at the
 * beginning of a range, and its last at the end.
 *
 * @param option its name, for the reason of a refusal, which says what is accepted
 */
export function readTime(text: string, option: 'from' | 'to', nowSeconds: number): ReadTime {
  const refuse = (why: Why): ReadTime => ({
    ok: false,
    reason({ texts }) {
      const { refused } = texts.lists;
      return refused.time(option, why(refused)(escapeText(text, QUOTED_LIMIT, refused.emptyText)));
    },
  });
  const wanted = text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\d) ?(?:z|utc)$/, '');
  if (wanted === 'now') return { ok: true, seconds: nowSeconds };
  if (/^\d{12,}$/.test(wanted)) return refuse(({ milliseconds }) => milliseconds);
  if (/^\d{9,11}$/.test(wanted)) return inRange(Number(wanted), option, nowSeconds, refuse);

  const ago = readDuration(wanted.replace(/ ago$/, ''));
  if (ago === 'unknown-unit') return refuse(({ unknownUnit }) => unknownUnit);
  if (typeof ago === 'number') return inRange(nowSeconds - ago, option, nowSeconds, refuse);
  const date = DATE.exec(wanted);
  const day = DAY_WORD.exec(wanted);
  if (date === null && day === null) return refuse(({ noTime }) => noTime);
  const midnight =
    date === null
      ? Math.floor(nowSeconds / DAY) * DAY - (day?.[1] === 'yesterday' ? DAY : 0)
      : dayStart(Number(date[1]), Number(date[2]), Number(date[3]));
  if (midnight === null) return refuse(({ noDay }) => noDay);
  const [hour, minute, second] = date === null ? (day ?? []).slice(2) : date.slice(4);
  const isWholeDay = hour === undefined;
  const clock = Number(hour ?? 0) * 3_600 + Number(minute ?? 0) * 60 + Number(second ?? 0);
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) {
    return refuse(({ noTimeOfDay }) => noTimeOfDay);
  }
  const seconds = midnight + (isWholeDay && option === 'to' ? DAY - 1 : clock);
  return inRange(seconds, option, nowSeconds, refuse);
}

function dayStart(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 1000 : null;
}

function inRange(seconds: number, option: 'from' | 'to', nowSeconds: number, refuse: (why: Why) => ReadTime): ReadTime {
  if (seconds < 0) return refuse((texts) => texts.before1970);
  if (option === 'from' && seconds > nowSeconds) return refuse(({ inFuture }) => inFuture);
  return { ok: true, seconds };
}
