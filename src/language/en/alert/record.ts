import { plural } from '../../plural.ts';
import type { Translated } from '../../translated.ts';

const form = plural('en-US');

/**
 * Result of a wallet's first purchases, wherever it appears. A figure is a formatted number; `n` is
 * the same number for its plural.
 */
export const record = {
  /** Begins a track record. */
  verdicts: {
    better: 'Better than luck',
    luck: 'Could be luck',
    noEdge: 'No edge shown',
    tooEarly: 'Too early to say',
  },
  /** Within a sentence. */
  betterThanLuck: 'better than luck',
  /**
   * After a verdict.
   *
   * @param cents including their sign
   */
  share: (cents: string) => `${cents} a share`,
  /**
   * @param share from `share`
   * @param cents what luck alone explains, including their sign
   */
  luckExplains: (share: string, cents: string) => `${share}, luck alone explains up to ${cents}`,
  /** Why a wallet is no longer better than luck. */
  moreCompared: 'more wallets are compared now',
  beyondLuck: (cents: string) =>
    `${cents} a share is beyond luck. ` +
    'If you pay more than that above this wallet’s price, no proven edge is left.',
  /** After a verdict. */
  markets: (markets: string, n: number) =>
    `${markets} ${form(n, { one: 'market', other: 'markets' })}`,
  /** After a number of markets: how many of them are unresolved. */
  noKnownEnd: (count: string, _n: number) => `${count} unresolved`,
  /**
   * @param percent of the markets
   * @param paidFor the mean price as a percentage: at fair prices a buyer wins this share
   */
  won: (percent: string, paidFor: string) => `won ${percent}, paid for ${paidFor}`,
  /** Counts of markets. */
  withoutEnd: (count: string, markets: string, _n: number) =>
    `${count} of ${markets} unresolved, counted as $0`,
  upTo: (day: string) => `buys up to ${day}`,
  oneIn: (n: string) => `counts one market in ${n}`,
  /** Figures from before the channel watched the wallet. */
  before: (figures: string) => `before you watched it: ${figures}`,
  /** Why it is too early. */
  boughtOn: (days: string, n: number) =>
    `bought on only ${days} ${form(n, { one: 'day', other: 'days' })}`,
  tooCheap: (markets: string) => `too many long shots to judge from ${markets} markets`,
  unknownPace: 'how long its markets take isn’t known yet',
  firstVerdict: (day: string) => `first verdict around ${day}`,
};
export type RecordWords = Translated<typeof record>;
