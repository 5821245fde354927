import { plural } from '../../plural.ts';

const form = plural('en-US');

/**
 * What the first purchases of a wallet came to, wherever it is said. A figure comes written out,
 * and as `n` for its plural.
 */
export const record = {
  /** @param percent of the markets; @param price their mean */
  won: (percent: string, markets: string, price: string) =>
    `won ${percent} of ${markets} at ${price}`,
  /** Cents a share, with their sign; @param error one standard error */
  edge: (edge: string) => `${edge}/share`,
  edgeAndError: (edge: string, error: string) => `${edge} ± ${error} a share`,
  betterThanLuck: 'better than luck',
  /** Markets. */
  withoutEnd: (count: string, markets: string, n: number) =>
    `${count} of ${markets} ${form(n, { one: 'has', other: 'have' })} no known end, counted as lost`,
  upTo: (day: string) => `buys up to ${day}`,
  oneIn: (n: string) => `counts one market in ${n}`,
  /** Of what the wallet did before the room watched it. */
  before: (figures: string) => `before you watched it: ${figures}`,
  /** Why a wallet is not ranked. */
  tooEarly: (markets: string, needed: string, _n: number) =>
    `too early: ${markets} of ${needed} markets`,
  fromAbout: (tooEarly: string, day: string) => `${tooEarly}, from about ${day}`,
  tooFewDays: (days: string, needed: string, _n: number) =>
    `too early: bought on ${days} of ${needed} days`,
  tooCheap: 'too early: long shots need more markets',
};
export type RecordWords = typeof record;
