import { plural } from '../plural.ts';

const form = plural('en-US');
type Text = string | undefined;

/** What alerts say beyond the event: the position, results, the record of a wallet, consensus. */
export const news = {
  /** `percent` has its sign. */
  gain: (amount: string, percent: Text) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  /** What a trade does to the position, as far as it was seen. `shares` have their unit, `gain` is as above. */
  position: {
    opens: 'Opens a position',
    firstInMarket: 'first trade in this market',
    adds: (shares: string) => `Adds to ${shares}`,
    now: (shares: string) => `now ${shares}`,
    reduces: (shares: string) => `Reduces to ${shares}`,
    closes: 'Closes the position',
    entry: (price: string) => `average entry ${price}`,
    realized: (gain: string) => `realized ${gain}`,
    realizedOfSeen: (gain: string) => `Realized ${gain} on what was seen bought`,
    unseen: (shares: string) => `${shares} not seen bought: result unknown`,
    since: (time: string) => `as far as seen since ${time}`,
    otherSide: (shares: string) => `Also holds ${shares} of the other side`,
    unusual: (amount: string) => `**Unusual size**: ${amount}`,
    usual: (trades: string, amount: string) => `95 % of its last ${trades} trades were ${amount} or less`,
  },
  /** The same in a few words. */
  brief: {
    opens: 'opens',
    adds: 'adds',
    reduces: 'reduces',
    closes: 'closes',
    unseen: 'not seen bought, result unknown',
    partlyUnseen: 'partly not seen bought',
    realized: (amount: string) => `realized ${amount}`,
    unusual: '**unusual size**',
    /** Between two of them. */
    comma: ', ',
    since: (texts: string, time: string) => `${texts} (seen since ${time})`,
  },

  /** `side` is an outcome; counts are of wallets and at least two. */
  consensus: {
    took: (count: string, side: string) => `${count} watched wallets took ${side}`,
    nowTook: (count: string, side: string) => `Now ${count} watched wallets took ${side}`,
    disagree: (count: string, side: string, opposing: string, opposingSide: Text) =>
      `Watched wallets disagree: ${count} on ${side}, ${opposing} ${opposingSide === undefined ? 'against' : `on ${opposingSide}`}`,
    side: (side: string, weight: string) => `${side}: ${weight}`,
    otherOutcomes: 'Other outcomes',
    unknownSide: 'one outcome',
    weight: (amount: string, shares: string, average: Text) =>
      `**${amount}** for ${shares}${average === undefined ? '' : `, ${average} on average`}`,
    stake: (wallet: string, amount: string, average: Text) =>
      `${wallet} ${amount}${average === undefined ? '' : `, ${average} on average`}`,
    more: (count: string, _n: number) => `… and ${count} more`,
    hedged: (count: string, n: number) =>
      `${count} more bought both sides and ${form(n, { one: 'counts', other: 'count' })} on neither`,
    bought: (from: string, to: string) => `Bought between ${from} and ${to}`,
    rule: (wallets: string, duration: string) => `Purchases of ${wallets} or more wallets within ${duration}`,
    agreeLine: (count: string, side: string) => `**${count} watched wallets on ${side}**`,
    disagreeLine: (count: string, side: string, opposing: string, opposingSide: Text) =>
      `**${count} watched wallets on ${side}, ${opposing} on ${opposingSide ?? 'other outcomes'}**`,
    against: (amount: string, opposing: string) => `${amount} against ${opposing}`,
  },

  /** What became of purchases that rang. */
  result: {
    title: (wallet: string, gain: string) => `${wallet} closed what rang here: ${gain}`,
    line: (amount: string, percent: Text) =>
      `**Closed what rang here, ${amount}**${percent === undefined ? '' : ` (${percent})`}`,
    paid: (amount: string) => `Paid ${amount}`,
    received: (amount: string) => `received ${amount}`,
    noFees: 'no fees',
    fees: (amount: string) => `fees of ${amount} counted`,
    held: (from: string, to: string, duration: string) => `From ${from} to ${to}, ${duration}`,
    footer: 'Result of the purchases that rang here',
  },
  /** A wallet's record in the room, by its alerts. */
  score: {
    noneClosed: 'Alerts here: none closed yet',
    /** `low` and `high` are percentages without their sign. */
    won: (won: string, markets: string, n: number, low: string, high: string) =>
      `Alerts here: ${won} of ${markets} closed ${form(n, { one: 'market', other: 'markets' })} won (95 % interval ${low} to ${high} %)`,
    perDollar: (percent: string, error: Text) => `${percent}${error === undefined ? '' : ` ± ${error} %`} per dollar`,
    smallSample: '**small sample**',
    open: (count: string, _n: number, oldest: Text) =>
      `${count} still open${oldest === undefined ? '' : `, the oldest since ${oldest}`}`,
    givenUp: (count: string, _n: number) => `${count} given up unseen`,
  },
};
export type NewsWords = typeof news;
