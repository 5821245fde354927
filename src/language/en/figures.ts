import { plural } from '../plural.ts';

const form = plural('en-US');
/** Symbols and words next to figures. */
export const format = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  /** Between a figure and its unit. */
  unitGap: ' ',
  /** Before and after a quotation. */
  quotes: ['“', '”'] as readonly [before: string, after: string],
  /**
   * Names of units of time as people type them, in lower case: week, day, hour, minute and second.
   * The names in every language are accepted everywhere, so each language only needs its own.
   */
  typed: {
    w: ['w', 'wk', 'wks', 'week', 'weeks'],
    d: ['d', 'day', 'days'],
    h: ['h', 'hr', 'hrs', 'hour', 'hours'],
    m: ['m', 'min', 'mins', 'minute', 'minutes'],
    s: ['s', 'sec', 'secs', 'second', 'seconds'],
  } as Partial<Record<'w' | 'd' | 'h' | 'm' | 's', readonly string[]>>,
  /**
   * Words around a duration that turn it into a time in the past, in lower case; empty if there is
   * none.
   */
  ago: [{ before: '', after: 'ago' }],
  /** Dollar sign: `$` or, if that might be another currency, `US$`. */
  currencyDisplay: 'narrowSymbol' as 'narrowSymbol' | 'symbol',
  percent: (figure: string) => `${figure}%`,
  /** A price per share. */
  cents: (figure: string) => `${figure}¢`,
  /** A value that is not a number. */
  unknown: 'unknown',
  shares: (figure: string, n: number) => `${figure} ${form(n, { one: 'share', other: 'shares' })}`,
};
export type NumberTexts = typeof format;
