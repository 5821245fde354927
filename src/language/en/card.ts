import { plural } from '../plural.ts';

const form = plural('en-US');
/**
 * The card of a wallet above its list. A figure comes written out, and as `n` where the plural
 * depends on it.
 */
export const card = {
  /** @param reach a phrase of `lists.reach`: from which records the card was made */
  fromList: (reach: string) => `Based on ${reach}.`,
  /** Names of fields. */
  names: {
    cameBack: 'Returned',
    open: 'Open',
    volume: 'Volume',
    usual: 'Usual trade',
  },
  /** @param window a length of time, one of `lists.totals.windows` */
  volumeIn: (window: string, usdc: string) => `${window} ${usdc}`,
  cameBack: {
    /** Sum that came back, and the sum that was paid. */
    sum: (back: string, paid: string) => `${back} on ${paid} paid`,
    /** A gain that can only grow. */
    atLeast: (gain: string) => `at least ${gain}`,
    markets: (markets: string, n: number, day: string) =>
      `${markets} ${form(n, { one: 'market', other: 'markets' })} entered by ${day}`,
    /**
     * Speaks of these markets.
     *
     * @param paid for what is left of them
     */
    withoutEnd: (count: string, _n: number, paid: string) =>
      `${count} unresolved (${paid} paid), counted as $0`,
    /** In the place of a sum. */
    tooEarly: 'too early for a sum',
  },
  /**
   * Trades that the median rests on.
   *
   * @param trades figure of `n`
   */
  ofFew: (trades: string, n: number) =>
    `only ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  upTo: (p95: string) => `rarely above ${p95}`,
  positions: {
    /**
     * @param markets figure of `n`
     * @param paid for all that is held there
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
export type CardWords = typeof card;
