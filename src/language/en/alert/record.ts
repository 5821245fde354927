import { plural } from '../../plural.ts';

const form = plural('en-US');

/**
 * Result of a wallet's first purchases, wherever it is said. A figure comes written out, and as `n`
 * for its plural.
 */
export const record = {
  /** Begins a record. */
  verdicts: {
    better: 'Better than luck',
    luck: 'Could be luck',
    noEdge: 'No edge shown',
    tooEarly: 'Too early to say',
  },
  /** Among other words. */
  betterThanLuck: 'better than luck',
  /** Behind a verdict. @param cents with their sign */
  share: (cents: string) => `${cents} a share`,
  /** @param share from `share` @param cents where a verdict begins, with their sign */
  luckReaches: (share: string, cents: string) => `${share}, luck alone reaches ${cents}`,
  /** Why a wallet is not better than luck any more. */
  moreCompared: 'more wallets are compared now',
  beyondLuck: (cents: string) =>
    `${cents} a share is beyond luck: ` +
    'paying more than that above its price leaves no edge that is shown',
  /** Behind a verdict. */
  markets: (markets: string, n: number) =>
    `${markets} ${form(n, { one: 'market', other: 'markets' })}`,
  /** Follows the markets that were named before: says how many of them. */
  noKnownEnd: (count: string, n: number) =>
    `${count} ${form(n, { one: 'has', other: 'have' })} no known end`,
  /** @param percent of the markets; @param n how many @param price their mean */
  won: (percent: string, markets: string, n: number, price: string) =>
    `won ${percent} of ${markets} ${form(n, { one: 'market', other: 'markets' })} ` +
    `at ${price} on average`,
  /** Markets. */
  withoutEnd: (count: string, markets: string, n: number) =>
    `${count} of ${markets} ${form(n, { one: 'has', other: 'have' })} no known end, ` +
    'counted as lost',
  upTo: (day: string) => `buys up to ${day}`,
  oneIn: (n: string) => `counts one market in ${n}`,
  /** Figures of what the wallet did before the room watched it. */
  before: (figures: string) => `before you watched it: ${figures}`,
  /** Why it is too early. */
  boughtOn: (days: string, n: number) =>
    `bought on only ${days} ${form(n, { one: 'day', other: 'days' })}`,
  tooCheap: (markets: string) => `prices too low to judge by ${markets} markets`,
  unknownPace: 'how long its markets take isn’t known yet',
  firstWord: (day: string) => `first word about ${day}`,
};
export type RecordWords = typeof record;
