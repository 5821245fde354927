import { plural } from '../plural.ts';

const form = plural('en-US');
type Text = string | undefined;

/**
 * What alerts say beyond the event: the position, results, the record of a wallet, consensus. Where there are a figure and
 * a count, the figure is the count as it is written.
 */
export const news = {
  /** `percent` has its sign. */
  gain: (amount: string, percent: Text) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  /** What a trade does to the position. `shares` have their unit, figures of what may be more a plus (`1,000+`), of what is not exact an `≈`; `average` is a price, `part` a bare figure. */
  position: {
    opens: (shares: string) => `New position: ${shares}`,
    opensSeen: (shares: string) => `First buy seen here: ${shares}`,
    firstInMarket: 'first trade in this market',
    now: (shares: string, average: Text) => `Now ${shares}${average === undefined ? '' : `, avg ${average}`}`,
    was: (shares: string) => `was ${shares}`,
    closes: 'position closed',
    left: (shares: string) => `${shares} left`,
    bought: (shares: string, average: Text) => `${shares}${average === undefined ? '' : ` bought at avg ${average}`}`,
    unseen: (part: string, shares: string) => `${part} of ${shares} not seen bought`,
    allUnseen: (shares: string) => `${shares} not seen bought`,
    unknownGain: 'profit unknown',
    otherSide: (shares: string) => `also holds ${shares} of the other side`,
    /** `factor` is a number, such as 4.2. */
    size: (factor: string) => `${factor} × its usual size`,
  },
  /** The same in a few words. */
  brief: {
    opens: 'new position',
    adds: 'adds',
    reduces: 'reduces',
    closes: 'position closed',
    unseen: 'not seen bought, profit unknown',
    partlyUnseen: 'partly not seen bought',
    size: (factor: string) => `**${factor} × usual size**`,
  },

  /** `side` is an outcome, bold already; counts are of wallets and at least two. */
  consensus: {
    took: (count: string, side: string) => `${count} watched wallets bought ${side}`,
    nowTook: (count: string, side: string) => `Now ${count} watched wallets bought ${side}`,
    disagree: (count: string, side: string, opposing: string, opposingSide: Text) =>
      `Watched wallets disagree: ${count} on ${side}, ${opposing} ${opposingSide === undefined ? 'against' : `on ${opposingSide}`}`,
    otherOutcomes: 'other outcomes',
    unknownSide: 'one outcome',
    weight: (side: string, amount: string, shares: string, average: Text) =>
      `${side} ${amount} · ${shares}${average === undefined ? '' : `, avg ${average}`}`,
    stake: (wallet: string, amount: string, average: Text) =>
      `${wallet} ${amount}${average === undefined ? '' : ` at avg ${average}`}`,
    more: (count: string, _n: number) => `… and ${count} more`,
    hedged: (count: string, n: number) =>
      `${count} more bought both sides and ${form(n, { one: 'counts', other: 'count' })} on neither`,
    within: (duration: string) => `bought within ${duration}`,
    rule: (wallets: string, duration: string) => `${wallets} or more wallets within ${duration}`,
    against: (amount: string, opposing: string) => `${amount} against ${opposing}`,
  },

  /** What became of purchases that were alerted. */
  result: {
    paid: (amount: string) => `Paid ${amount}`,
    received: (amount: string) => `received ${amount}`,
    fees: (amount: string) => `fees ${amount} included`,
    held: (duration: string) => `held ${duration}`,
    footer: 'Closed',
  },
  /** A wallet's record in the channel, by its alerts. */
  score: {
    noneClosed: 'alerts here: none closed yet',
    won: (won: string, markets: string, _n: number) => `alerts here: ${won} of ${markets} closed won`,
    /** Goes on after one of those. `age` is a duration. */
    open: (count: string, _n: number, age: Text) => `${count} open${age === undefined ? '' : ` (oldest ${age})`}`,
    givenUp: (count: string, _n: number) => `${count} no longer tracked: no end seen`,
    comma: ', ',
    /** Percentages per dollar paid. */
    perDollar: (percent: string, error: Text) => `${percent}${error === undefined ? '' : ` ± ${error}`}`,
    smallSample: 'small sample',
  },
};
export type NewsWords = typeof news;
