import { plural } from '../../plural.ts';

const form = plural('en-US');
type Text = string | undefined;

/**
 * Facts that alerts tell beyond the event: the position, results, the record of a wallet,
 * consensus. Where there are a figure and a count, the figure is the count as it is written.
 */
export const news = {
  /** `percent` has its sign. */
  gain: (amount: string, percent: Text) =>
    `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  /**
   * Change that a trade makes to the position. `shares` have their unit; `average` is a price,
   * `part` a bare figure.
   */
  position: {
    opens: (shares: string) => `New position: ${shares}`,
    firstInMarket: 'first trade in this market',
    now: (held: string) => `Now ${held}`,
    closes: 'closed',
    /** A sale that leaves nothing; `closes` is said of a redemption. */
    allSold: 'all sold',
    left: (shares: string) => `${shares} left`,
    /** Number of shares bought, where `now` does not follow from what was held before. */
    bought: (figure: string) => `bought ${figure}`,
    /** The average price of what was sold. */
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
    /** `what` is a number of shares and their outcome, `price` their average. */
    at: (what: string, price: string) => `${what} at ${price}`,
    /** It has got out of all that it held. */
    out: (wallet: string) => `${wallet} out`,
  },

  /** `side` is an outcome, bold already; counts are of wallets and at least two. */
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
     * In the place of what is left, of a wallet that has sold all of it.
     *
     * @param what from `priced`
     */
    allSold: (what: string) => `bought ${what}, all sold`,
    /** After what is left, where a part was sold. `soldUnknown`: nobody knows. */
    halfSold: ', half sold',
    partSold: (percent: string) => `, ${percent} sold`,
    soldUnknown: ', maybe sold since',
    more: (count: string, _n: number) => `… and ${count} more`,
    hedged: (count: string, n: number) =>
      `${count} more bought both sides ` +
      `and ${form(n, { one: 'counts', other: 'count' })} on neither`,
    within: (duration: string) => `all within ${duration}`,
    /** @param wallet that bought before the others */
    firstWithin: (wallet: string, duration: string) => `${wallet} first, within ${duration}`,
    against: (amount: string, opposing: string) => `${amount} against ${opposing}`,
  },

  /** Outcome of purchases that were alerted. */
  result: {
    /**
     * Gain of a position, in the alert that closes it.
     *
     * @param gain with its percent
     */
    position: (gain: string) => `position ${gain}`,
    /**
     * In the place of `position` and `cost` where the channel was alerted to a part of it.
     *
     * @param paid for that part
     */
    ofAlerted: (paid: string, gain: string) => `of ${paid} alerted here: ${gain}`,
    paid: (amount: string) => `Paid ${amount}`,
    /** Sum that was paid, within a line. */
    cost: (amount: string) => `paid ${amount}`,
    received: (amount: string) => `received ${amount}`,
    fees: (amount: string) => `fees ${amount}`,
    /**
     * In the place of `received` where the market was settled: what was sold before, and what the
     * rest is worth.
     */
    cameTo: (amount: string) => `final value ${amount}`,
    /** `outcome` is bold already, `payout` a price. */
    settled: (outcome: string, payout: string) =>
      `Market settled: ${outcome} pays ${payout} a share`,
    held: (duration: string) => `held ${duration}`,
    /**
     * Several results, above a line each: what they came to, how many of them gained, and the link
     * of each line. `gain` is bold already.
     */
    severalClosed: (count: string, gain: string) => `${count} positions closed: ${gain}`,
    gained: (count: string, all: string) => `${count} of ${all} in profit`,
    firstAlert: 'first alert',
  },
};
export type NewsWords = typeof news;
