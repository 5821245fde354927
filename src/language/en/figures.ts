import { plural } from '../plural.ts';

const form = plural('en-US');
/** Signs and words beside figures. */
export const format = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  /** Between a figure and its unit. */
  unitGap: ' ',
  /** Before and after what is quoted. */
  quotes: ['“', '”'] as readonly [before: string, after: string],
  /**
   * Names of lengths of time as people type them, in lower case: those of week, day, hour, minute
   * and second. Any language's are read everywhere, so that the others need only their own.
   */
  typed: {
    w: ['w', 'wk', 'wks', 'week', 'weeks'],
    d: ['d', 'day', 'days'],
    h: ['h', 'hr', 'hrs', 'hour', 'hours'],
    m: ['m', 'min', 'mins', 'minute', 'minutes'],
    s: ['s', 'sec', 'secs', 'second', 'seconds'],
  } as Partial<Record<'w' | 'd' | 'h' | 'm' | 's', readonly string[]>>,
  /**
   * Words around a length of time that make it a time ago, lower case; empty where there is none.
   */
  ago: [{ before: '', after: 'ago' }],
  /** Sign of dollars: `$` or, where that might be another currency, `US$`. */
  currencyDisplay: 'narrowSymbol' as 'narrowSymbol' | 'symbol',
  percent: (figure: string) => `${figure}%`,
  /** A price per share. */
  cents: (figure: string) => `${figure}¢`,
  /** A figure that is none. */
  unknown: 'unknown',
  shares: (figure: string, n: number) => `${figure} ${form(n, { one: 'share', other: 'shares' })}`,
};
export type NumberTexts = typeof format;
