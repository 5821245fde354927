import { plural } from '../plural.ts';

const form = plural('en-US');
/**
 * The card of a wallet above its list. A figure comes written out, and as `n` where the plural
 * depends on it.
 */
export const card = {
  /** @param reach a phrase of `lists.reach`: from which records the card was made */
  fromList: (reach: string) => `Based on ${reach}.`,
  knownFromFirst: 'All trades since its first',
  /** Of fields. */
  names: {
    realized: 'Realized',
    volume: 'Volume',
    usual: 'Usual trade',
    lastDeposit: 'Last deposit',
    lastWithdrawal: 'Last withdrawal',
    record: 'Record',
    positions: 'Open positions',
  },
  /** @param window a length of time, one of `lists.totals.windows` */
  volumeIn: (window: string, usdc: string) => `${window} ${usdc}`,
  /** Closed positions. @param all figure of `n` */
  won: (won: string, all: string, _n: number) => `${won} of ${all} won`,
  /** What sales of positions brought that are open still. */
  onOpen: (gain: string) => `${gain} on open`,
  /** Of the fills of 30 days. */
  taker: (percent: string) => `taker ${percent}`,
  /** What the median rests on. @param trades figure of `n` */
  ofFew: (trades: string, n: number) =>
    `only ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  upTo: (p95: string) => `95% up to ${p95}`,
  noTransfer: 'none',
  /** After `noTransfer`. */
  since: (time: string) => `since ${time}`,
  /** What came before may be missing. */
  completeSince: (time: string) => `complete since ${time}`,
  positions: {
    /** @param positions figure of `n` @param cost what all of them cost */
    all: (positions: string, _n: number, cost: string) => `${positions} · cost ${cost}`,
    /** @param paid `Yes $12.00` */
    at: (paid: string, averageEntry: string) => `${paid} at ${averageEntry}`,
    withoutTitle: 'Untitled market',
    /** For an outcome whose name cannot be shown. */
    withoutSide: 'shares',
  },
  /** Fields. At most 40 characters. */
  didNotFit: (lines: string, _n: number) => `${lines} more not shown`,
};
export type CardWords = typeof card;
