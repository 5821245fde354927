import { plural } from '../plural.ts';

const form = plural('en-US');
/** The card of a wallet above its list. A figure comes written out, and as `n` where the plural depends on it. */
export const card = {
  /** @param reach a phrase of `lists.reach`: from which records the card was made */
  fromList: (reach: string) => `Based on ${reach}.`,
  knownFromFirst: 'All trades since its first',
  knownSince: (time: string) => `All trades since ${time}`,
  seen: (records: string, n: number) =>
    `${records} ${form(n, { one: 'trade or redemption', other: 'trades and redemptions' })} on record`,
  /** @param windows parts such as `24 h $135.00`, joined by dots */
  volume: (windows: string) => `**Volume** ${windows}`,
  /** @param window a length of time, one of `lists.totals.windows` */
  volumeIn: (window: string, usdc: string) => `${window} ${usdc}`,
  /** @param parts of the two below, joined by dots */
  realized: (parts: string) => `**Realized** ${parts}`,
  /**
   * @param gain `+$10.00 (+25%)`
   * @param positions figure of `n` closed positions, of which `won` gained
   */
  onClosed: (gain: string, positions: string, n: number, won: string, percent: string) =>
    `${gain} on ${positions} closed ${form(n, { one: 'position', other: 'positions' })}, ${won} won (${percent})`,
  onOpen: (gain: string) => `${gain} on open positions`,
  maker: (percent: string) => `**Maker** ${percent}`,
  /** @param fills figure of `n`, of both roles */
  taker: (percent: string, fills: string, n: number) =>
    `**taker** ${percent} of ${fills} ${form(n, { one: 'fill', other: 'fills' })} in 30 d`,
  usualOfFew: (median: string, trades: string, n: number) =>
    `**Usual trade** median ${median}, of only ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  usual: (median: string, p95: string, trades: string) =>
    `**Usual trade** median ${median}, 95% up to ${p95}, of the last ${trades} trades`,
  /** @param what one of the four below */
  lastDeposit: (what: string) => `**Last deposit** ${what}`,
  lastWithdrawal: (what: string) => `**last withdrawal** ${what}`,
  noTransfer: 'none',
  noTransferSince: (time: string) => `none since ${time}`,
  transfer: (usdc: string, time: string) => `${usdc} ${time}`,
  transferBeforeGap: (usdc: string, time: string, since: string) => `${usdc} ${time} (complete since ${since})`,
  /** What its first purchases came to. */
  record: (record: string) => `**Record** ${record}`,
  positions: {
    open: (positions: string) => `**Open positions** ${positions}`,
    cost: (usdc: string) => `cost ${usdc}`,
    /** @param shares with their unit */
    at: (shares: string, averageEntry: string) => `${shares} at ${averageEntry}`,
    withoutTitle: 'Untitled market',
    /** For an outcome whose name cannot be shown. */
    withoutSide: 'shares',
    more: (positions: string) => `… and ${positions} more`,
  },
  /** At most 40 characters. */
  didNotFit: (lines: string, _n: number) => `${lines} more not shown`,
};
export type CardWords = typeof card;
