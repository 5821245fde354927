import { plural } from '../../plural.ts';
import type { Translated } from '../../translated.ts';

const form = plural('en-US');
type Text = string | undefined;

/**
 * Facts in alerts beyond the event: the position, results, a wallet's track record, consensus. If
 * there are a figure and a count, the figure is the formatted count.
 */
export const news = {
  /** `percent` includes its sign. */
  gain: (amount: string, percent: Text) =>
    `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  /**
   * Change of the position by a trade. `shares` includes the unit; `average` is a price, `part` a
   * bare figure.
   */
  position: {
    opens: (shares: string) => `New position: ${shares}`,
    firstInMarket: 'first trade in this market',
    now: (held: string) => `Now ${held}`,
    closes: 'closed',
    /** A sale that leaves nothing; `closes` is used for a redemption. */
    allSold: 'all sold',
    left: (shares: string) => `${shares} left`,
    /** Number of shares bought, if `now` does not result from the earlier position. */
    bought: (figure: string) => `bought ${figure}`,
    /** Average purchase price of the shares sold. */
    entry: (average: string) => `entry ${average}`,
    otherSide: (shares: string) => `also holds ${shares} on the other side`,
    /** `factor` is a number, such as 4.2. */
    size: (factor: string) => `${factor}× usual`,
  },

  /**
   * Holdings of the channel's other wallets in the market of an alert. `wallets` are joined by
   * dots, `holdings` by plus signs.
   */
  alsoHere: {
    line: (wallets: string) => `also here: ${wallets}`,
    holds: (wallet: string, holdings: string) => `${wallet} ${holdings}`,
    /** `what` is a number of shares and their outcome, `price` their average price. */
    at: (what: string, price: string) => `${what} at ${price}`,
    /** The wallet has sold everything that it held. */
    out: (wallet: string) => `${wallet} out`,
  },

  /** `side` is an outcome, already bold; counts are numbers of wallets, at least two. */
  consensus: {
    took: (count: string, side: string) => `${count} wallets bought ${side}`,
    nowTook: (count: string, side: string) => `Now ${count} wallets bought ${side}`,
    disagree: (count: string, side: string, opposing: string, opposingSide: Text) =>
      `Wallets disagree: ${count} on ${side}, ` +
      `${opposing} ${opposingSide === undefined ? 'against' : `on ${opposingSide}`}`,
    otherOutcomes: 'other outcomes',
    unknownSide: 'unknown outcome',
    /** `average` is a price. */
    priced: (amount: string, average: Text) =>
      `${amount}${average === undefined ? '' : ` at ${average}`}`,
    /**
     * Replaces the remaining position if the wallet has sold all of it.
     *
     * @param what from `priced`
     */
    allSold: (what: string) => `bought ${what}, all sold`,
    /**
     * After the remaining position, if part of it was sold. `soldUnknown`: it is unknown how much.
     */
    halfSold: ', half sold',
    partSold: (percent: string) => `, ${percent} sold`,
    soldUnknown: ', maybe sold since',
    more: (count: string, _n: number) => `… and ${count} more`,
    hedged: (count: string, n: number) =>
      `${count} more bought both sides ` +
      `and ${form(n, { one: 'counts', other: 'count' })} on neither`,
    within: (duration: string) => `all within ${duration}`,
    /** @param wallet the wallet that bought before the others */
    firstWithin: (wallet: string, duration: string) => `${wallet} first, within ${duration}`,
    against: (amount: string, opposing: string) => `${amount} against ${opposing}`,
  },

  /** Outcome of purchases that were alerted. */
  result: {
    /**
     * Gain of a position, in the alert that closes it.
     *
     * @param gain including its percentage
     */
    position: (gain: string) => `position ${gain}`,
    /**
     * Replaces `position` and `cost` if only part of it was alerted in the channel.
     *
     * @param paid amount paid for that part
     */
    ofAlerted: (paid: string, gain: string) => `of ${paid} alerted here: ${gain}`,
    paid: (amount: string) => `Paid ${amount}`,
    /** Amount paid, within a line. */
    cost: (amount: string) => `paid ${amount}`,
    received: (amount: string) => `received ${amount}`,
    fees: (amount: string) => `fees ${amount}`,
    /**
     * Replaces `received` if the market was settled: amount from earlier sales, and value of the
     * rest.
     */
    cameTo: (amount: string) => `final value ${amount}`,
    /** `outcome` is already bold, `payout` is a price. */
    settled: (outcome: string, payout: string) =>
      `Market settled: ${outcome} pays ${payout} a share`,
    held: (duration: string) => `held ${duration}`,
    /**
     * Several results, with one line each below: their total, the number of gains, and the link of
     * each line. `gain` is already bold.
     */
    severalClosed: (count: string, gain: string) => `${count} positions closed: ${gain}`,
    gained: (count: string, all: string) => `${count} of ${all} in profit`,
    firstAlert: 'first alert',
  },
};
export type NewsWords = Translated<typeof news>;
