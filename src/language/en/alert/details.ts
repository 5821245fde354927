import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('en-US');

/**
 * Texts under alerts, and the answer of Details. A figure is a formatted number; `n` is the same
 * number if the plural depends on it. Times are in Discord's markup.
 */
export const details = (venue: VenueForms, { slash }: Terms) => ({
  buttons: {
    openMarket: 'View market',
    details: 'Details',
    /** Shown in a menu of several alerts before one is chosen. */
    menu: 'Details or mute…',
    /** `wallet`: set if there are several. */
    mute: (wallet: string | undefined) => `Mute ${wallet === undefined ? '' : `${wallet} `}1 h`,
    activity: 'Activity',
    flows: 'Flows',
  },
  /** Action as a heading. `other`: an action without a name. */
  headings: { buy: 'BUY', sell: 'SELL', redeem: 'REDEEM', other: 'OTHER' },
  title: (what: string) => `Details: ${what}`,
  openWallet: 'open the wallet',
  marketWithoutTitle: 'Untitled market',
  unknownHash: 'unknown transaction',
  money: {
    paid: (amount: string) => `Paid **${amount}**`,
    received: (amount: string) => `Received **${amount}**`,
    net: (amount: string) => `Net **${amount}**`,
    gross: (amount: string) => `gross ${amount}`,
    fees: (amount: string) => `fees ${amount}`,
    noFees: 'no fees',
  },
  prices: {
    average: (price: string) => `average ${price}`,
    best: (price: string) => `best ${price}`,
    worst: (price: string) => `worst ${price}`,
    allAt: (price: string) => `all at ${price}`,
    range: (low: string, high: string) => `from ${low} to ${high}`,
  },
  roles: { maker: 'maker', taker: 'taker', unknown: 'maker or taker unknown' },
  times: {
    traded: (time: string) => `Traded ${time}`,
    tradedBetween: (from: string, to: string) => `Traded from ${from} to ${to}`,
    seen: (time: string) => `Seen by the bot ${time}`,
    posted: (time: string) => `Posted ${time}`,
    /** For a message to which more was added later. */
    lastChange: (time: string) => `last change ${time}`,
  },
  fills: {
    trades: (count: string, n: number) => `${count} ${form(n, { one: 'fill', other: 'fills' })}`,
    redemptions: (count: string, n: number) =>
      `${count} ${form(n, { one: 'redemption', other: 'redemptions' })}`,
    /** @param fills one of the above */
    inTransactions: (fills: string, count: string, n: number) =>
      `${fills} in ${count} ${form(n, { one: 'transaction', other: 'transactions' })}`,
    /** @param fills one of the above */
    title: (fills: string) => `${fills}, newest first`,
    row: (quantity: string, price: string) => `${quantity} at ${price}`,
    gross: (amount: string) => `gross ${amount}`,
    fee: (amount: string) => `fee ${amount}`,
    inFile: (count: string) => `… and ${count} more. All of them are in the file.`,
    leftOut: (count: string) => `… and ${count} more. Discord didn’t take the file here.`,
  },
  position: {
    atAlert: 'Position at the time of the alert',
    asOfNow: 'Position now',
    holds: (shares: string) => `Holds ${shares}`,
    entry: (price: string) => `average entry ${price}`,
    cost: (amount: string) => `cost ${amount}, listed fees included`,
    realized: (gain: string, percent: string | undefined) =>
      `Realized **${gain}**${percent === undefined ? '' : ` (${percent})`} at average ` +
      'cost, after listed fees',
    result: (gain: string, percent: string | undefined) =>
      `Result of the alerts here: **${gain}**${percent === undefined ? '' : ` (${percent})`}`,
    /** Between the alert's own trades, if the position changed by more than these. */
    boughtMeanwhile: (shares: string) => `bought ${shares} in between`,
    soldMeanwhile: (shares: string) => `sold ${shares} in between`,
    otherSide: (shares: string) => `Also holds ${shares} on other outcomes`,
    firstInMarket: 'First trade in this market',
    size: (usdc: string, trades: string, p95: string) =>
      `Trade of ${usdc} in total; 95% of its last ${trades} trades were ${p95} or less`,
    unknownThen: 'Unknown at the time.',
    unknownNow: 'Unknown: the wallet isn’t watched here, or I haven’t read its earlier trades.',
    laterNow: 'Not shown: this channel is delayed.',
  },
  record: {
    atAlert: 'Record at the time of the alert',
    asOfNow: 'Record now',
    none: 'No market is old enough yet.',
    /** @param activity name of the button that shows the card */
    onCard: (activity: string) => `What its buys returned is on its card: **${activity}** below`,
  },
  notes: {
    title: 'How to read this',
    rounded: '≈ rounded',
    asOfNow:
      'Details from the time of the alert are kept for 30 days: position and record are as of now.',
    allOfTime:
      'All fills of this market, outcome and side at that time; some may belong to another alert.',
    missing: (count: string) =>
      `${venue.start} no longer lists ${count} of the alert’s records. They aren’t counted here.`,
    cut: (count: string) => `Only the newest ${count} records were read.`,
    skipped: (count: string, n: number) =>
      `${count} ${form(n, { one: 'record', other: 'records' })} couldn’t be read.`,
  },
  errors: {
    damaged: `I can’t read this button. ${slash.activity} lists the wallet’s trades.`,
    tooOld:
      'Details are kept for 30 days, and this alert’s are gone. ' +
      `${slash.activity} lists the wallet’s trades.`,
    nothing:
      `${venue.start} doesn’t list this alert’s trades at the moment. ` +
      `Try again later, or see ${slash.activity}.`,
  },
});
export type DetailsWords = Translated<ReturnType<typeof details>>;
