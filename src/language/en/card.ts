import { plural } from '../plural.ts';
import type { Translated } from '../translated.ts';

const form = plural('en-US');
/**
 * The card of a wallet above its list. A figure is a formatted number; `n` is the same number if
 * the plural depends on it.
 */
export const card = {
  /** @param reach a phrase of `lists.reach`: the records on which the card is based */
  fromList: (reach: string) => `Based on ${reach}.`,
  /** Names of fields. */
  names: {
    cameBack: 'Returned',
    open: 'Open',
    volume: 'Volume',
    usual: 'Usual trade',
  },
  /** @param window a duration, one of `lists.totals.windows` */
  volumeIn: (window: string, usdc: string) => `${window} ${usdc}`,
  cameBack: {
    /** Amount that returned, and amount paid. */
    sum: (back: string, paid: string) => `${back} on ${paid} paid`,
    /** A gain that can only grow. */
    atLeast: (gain: string) => `at least ${gain}`,
    markets: (markets: string, n: number, day: string) =>
      `${markets} ${form(n, { one: 'market', other: 'markets' })} entered by ${day}`,
    /**
     * About these markets.
     *
     * @param paid for the shares still held in them
     */
    withoutEnd: (count: string, _n: number, paid: string) =>
      `${count} unresolved (${paid} paid), counted as $0`,
    /** Replaces a sum. */
    tooEarly: 'too early for a sum',
  },
  /**
   * Number of trades on which the median is based.
   *
   * @param trades formatted `n`
   */
  ofFew: (trades: string, n: number) =>
    `only ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  upTo: (p95: string) => `rarely above ${p95}`,
  positions: {
    /**
     * @param markets formatted `n`
     * @param paid for everything held there
     */
    all: (markets: string, n: number, paid: string) =>
      `${markets} ${form(n, { one: 'market', other: 'markets' })} · ${paid} paid`,
    withoutTitle: 'Untitled market',
    /** For an outcome whose name cannot be shown. */
    withoutSide: 'shares',
  },
  /** Fields. At most 40 characters. */
  didNotFit: (lines: string, _n: number) => `${lines} more not shown`,
};
export type CardWords = Translated<typeof card>;
