import * as z from 'zod';
import { ACTIONS, type ActivityItem } from '../domain/records.ts';
import { present } from '../embeds/embed-parts.ts';
import { abbreviated, escapeText, inlineCode } from '../embeds/text/escape.ts';
import type { ActivityFilters } from '../feed/interface.ts';
import { readDuration } from '../language/duration.ts';
import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';
import type { Texts } from '../language/texts.ts';
import { UserError } from '../language/user-error.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../lib/time.ts';
import { isMarketId } from '../portfolio/market.ts';

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
/** Days back from today, by the words of every language. */
const DAYS_BACK = new Map(
  LANGUAGE_TAGS.flatMap((tag) => {
    const { today, yesterday } = languageFor(tag).texts.names.typed;
    return [[today, 0] as const, [yesterday, 1] as const];
  }),
);
/** Words around a duration that turn it into a time in the past, in every language. */
const AGO = LANGUAGE_TAGS.flatMap((tag) => languageFor(tag).texts.format.ago);
const DAY_WORD = /^([\p{L}’]+?)(?: ?(?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/u;
/** Maximum code points of a typed text that a refusal quotes. */
export const QUOTED_LIMIT = 60;
const MARKET_LIMIT = 200;

const seconds = z.int().min(0);

/** Filters of a list; null: not filtered by this. */
export const filtersSchema = z.object({
  /** The venue selects by id; a slug is compared with each record of a scan. */
  market: z.object({ by: z.enum(['id', 'slug']), name: z.string().max(MARKET_LIMIT) }).nullable(),
  action: z.enum(ACTIONS).nullable(),
  /** Unix seconds, both inclusive. */
  fromSeconds: seconds.nullable(),
  toSeconds: seconds.nullable(),
  txHash: z.string().max(MARKET_LIMIT).nullable(),
});
export type Filters = z.infer<typeof filtersSchema>;

export const NO_FILTERS: Filters = {
  market: null,
  action: null,
  fromSeconds: null,
  toSeconds: null,
  txHash: null,
};

/**
 * Reads the options of `/activity`.
 *
 * @param typed returns an option as typed; null if omitted
 * @param nowSeconds the venue's clock, in Unix seconds
 * @param idOf returns the id of a market by its slug in lower case, if a list has shown it
 *   recently, because the venue selects by id only
 * @throws UserError that quotes the value and says what is accepted
 */
export function readFilters(
  typed: (option: 'market' | 'action' | 'from' | 'to' | 'transaction') => string | null,
  nowSeconds: number,
  idOf: (slug: string) => string | undefined,
): Filters {
  const read = <Value>(
    option: 'market' | 'action' | 'transaction',
    parse: (text: string) => Value | undefined,
  ) => {
    const text = typed(option);
    const value = text === null ? null : parse(text);
    if (value !== undefined) return value;
    const quoted = inlineCode(text ?? '', QUOTED_LIMIT);
    throw new UserError(({ texts }) => texts.lists.refused[option](quoted, ACTIONS.join(', ')));
  };
  const timeIn = (option: 'from' | 'to') => {
    const text = typed(option);
    if (text === null) return null;
    return readTime(text, option, nowSeconds);
  };
  const fromSeconds = timeIn('from');
  const toSeconds = timeIn('to');
  if (fromSeconds !== null && toSeconds !== null && fromSeconds > toSeconds) {
    throw new UserError(({ texts }) =>
      texts.lists.refused.fromAfterTo(`<t:${fromSeconds}:f>`, `<t:${toSeconds}:f>`),
    );
  }
  return {
    market: read('market', (text) => readMarket(text, idOf)),
    action: read('action', (text) => ACTIONS.find((name) => name === text)),
    fromSeconds,
    toSeconds,
    txHash: read('transaction', (text) => /^0x[0-9a-f]{64}$/.exec(text.trim().toLowerCase())?.[0]),
  };
}

/** Returns a market id or a slug; undefined if the text can be neither. */
function readMarket(
  text: string,
  idOf: (slug: string) => string | undefined,
): Filters['market'] | undefined {
  const name = text.trim();
  if (isMarketId(name)) return { by: 'id', name };
  const slug = name.toLowerCase();
  if (!/^[\p{L}\p{N}._~-]+$/u.test(slug) || slug.length > MARKET_LIMIT) return undefined;
  const id = idOf(slug);
  if (id === undefined) return { by: 'slug', name: slug };
  return { by: 'id', name: id };
}

/** Returns the filters that the venue applies, as its query parameters. */
export function venueFilters({ market, fromSeconds, toSeconds, txHash }: Filters): ActivityFilters {
  return {
    ...(market?.by === 'id' && { marketIds: [market.name] }),
    ...(fromSeconds !== null && { fromTimestampSeconds: fromSeconds }),
    ...(toSeconds !== null && { toTimestampSeconds: toSeconds }),
    ...(txHash !== null && { txHash }),
  };
}

/**
 * True if a record passes the filters that the venue does not apply: action, and market by slug.
 */
export function passes(
  item: Pick<ActivityItem, 'action' | 'marketSlug'>,
  { action, market }: Filters,
): boolean {
  if (action !== null && item.action !== action) return false;
  return market?.by !== 'slug' || item.marketSlug.toLowerCase() === market.name;
}

/** True if such a filter is set, so that fewer records are shown than the venue returns. */
export function isPostFiltered({ action, market }: Filters): boolean {
  return action !== null || market?.by === 'slug';
}

export function isNarrowed(filters: Filters): boolean {
  return Object.values(filters).some((filter) => filter !== null);
}

/** Returns the filters as text, escaped for markdown; empty if there are none. */
export function describeFilters(
  { action, market, fromSeconds, toSeconds, txHash }: Filters,
  { texts }: Language,
) {
  const { filters } = texts.lists;
  return present(
    action !== null && filters[action],
    market !== null && filters.market(escapeText(market.name, 80, filters.withoutName)),
    fromSeconds !== null && filters.from(`<t:${fromSeconds}:f>`),
    toSeconds !== null && filters.to(`<t:${toSeconds}:f>`),
    txHash !== null && filters.transaction(abbreviated(txHash)),
  );
}

/** Key of the catalog's sentence that says why a text is rejected. */
type Why = Exclude<
  keyof Texts['lists']['refused'],
  'action' | 'transaction' | 'market' | 'fromAfterTo' | 'time'
>;

/**
 * Reads a time as a person writes it, in UTC: a duration back from now (`2h`, `3 days ago`, `1d
 * 12h`), `now`, `today`, `yesterday`, a date, a date with a time, or Unix seconds. A day without a
 * time means its first second at the beginning of a range, and its last at the end.
 *
 * @param option the end of the range that it is for
 * @param nowSeconds the venue's clock, in Unix seconds
 * @returns Unix seconds
 * @throws UserError that quotes the text and says what is accepted
 */
export function readTime(text: string, option: 'from' | 'to', nowSeconds: number): number {
  const typed = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\d) ?(?:z|utc)$/, '');
  const refuse = (why: Why) =>
    new UserError(({ texts }) => {
      const { refused } = texts.lists;
      const reason = refused[why](inlineCode(text, QUOTED_LIMIT));
      return refused.time(reason);
    });
  const read = readMoment(typed, option, nowSeconds);
  if (typeof read !== 'number') throw refuse(read);
  if (read < 0) throw refuse('before1970');
  if (option === 'from' && !(read <= nowSeconds)) throw refuse('inFuture');
  return read;
}

/**
 * Returns Unix seconds, or why the text is not a time.
 *
 * @param typed lower case, single spaces, without `UTC`
 */
function readMoment(typed: string, option: 'from' | 'to', nowSeconds: number): number | Why {
  if (typed === 'now') return nowSeconds;
  if (/^\d{12,}$/.test(typed)) return 'milliseconds';
  if (/^\d{9,11}$/.test(typed)) return Number(typed);
  const ago = readDuration(withoutAgo(typed));
  if (ago === 'unknown-unit') return 'unknownUnit';
  if (typeof ago === 'number') return nowSeconds - ago;
  const date = DATE.exec(typed);
  if (date !== null) {
    const [year = 0, month = 0, day = 0] = date.slice(1, 4).map(Number);
    const midnight = midnightOf(year, month, day);
    return midnight === null ? 'noDay' : onDay(midnight, date.slice(4), option);
  }
  const day = DAY_WORD.exec(typed);
  const daysBack = DAYS_BACK.get(day?.[1] ?? '');
  if (day === null || daysBack === undefined) return 'noTime';
  const today = Math.floor(nowSeconds / DAY_SECONDS);
  const midnight = (today - daysBack) * DAY_SECONDS;
  return onDay(midnight, day.slice(2), option);
}

/** Removes the words that mark a time in the past: `3 days ago`, `vor 3 tagen`, `3日前`. */
function withoutAgo(typed: string): string {
  for (const { before, after } of AGO) {
    const isAround = typed.startsWith(before) && typed.endsWith(after);
    if (isAround) return typed.slice(before.length, typed.length - after.length).trim();
  }
  return typed;
}

/**
 * Returns the beginning of a day in UTC, in Unix seconds; null if there is no such day.
 *
 * @param month from 1 on
 */
function midnightOf(year: number, month: number, day: number): number | null {
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // `Date.UTC` reads the years 0 to 99 as years of the last century.
  const isReal =
    midnight.getUTCFullYear() === year &&
    midnight.getUTCMonth() === month - 1 &&
    midnight.getUTCDate() === day;
  if (isReal) return midnight.getTime() / 1000;
  return null;
}

/**
 * Returns a time on a day.
 *
 * @param clock hour, minute and second as typed; all undefined: the whole day
 */
function onDay(
  midnight: number,
  clock: readonly (string | undefined)[],
  option: 'from' | 'to',
): number | Why {
  if (clock[0] === undefined) return option === 'to' ? midnight + DAY_SECONDS - 1 : midnight;
  const [hour = 0, minute = 0, second = 0] = clock.map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return 'noTimeOfDay';
  return midnight + hour * HOUR_SECONDS + minute * 60 + second;
}
