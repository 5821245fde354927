import { plural } from '../plural.ts';

const form = plural('en-US');
/** What stands beside figures. */
export const format = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  /** A figure that is none. */
  unknown: 'unknown',
  shares: (figure: string, n: number) => `${figure} ${form(n, { one: 'share', other: 'shares' })}`,
};
export type NumberTexts = typeof format;
