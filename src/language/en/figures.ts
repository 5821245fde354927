import { plural } from '../plural.ts';

const form = plural('en-US');
/** What stands beside figures. */
export const format = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  /** How dollars are written: `$` or, where that might be another currency, `US$`. */
  currencyDisplay: 'narrowSymbol' as 'narrowSymbol' | 'symbol',
  percent: (figure: string) => `${figure}%`,
  /** A figure that is none. */
  unknown: 'unknown',
  shares: (figure: string, n: number) => `${figure} ${form(n, { one: 'share', other: 'shares' })}`,
};
export type NumberTexts = typeof format;
