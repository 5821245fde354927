import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('en-US');
type Text = string | undefined;

const on = (outcome: Text) => (outcome === undefined ? '' : ` on ${outcome}`);
const at = (price: Text) => (price === undefined ? '' : ` at ${price}`);

/**
 * Texts that a channel gets: first lines, embeds, lists and buttons of alerts. In all of them
 * `price` is a figure and undefined where there is none, `from` and `to` are times. Where there are
 * a figure and a count, the figure is the count as it is written.
 */
export const alerts = (venue: VenueForms, { slash }: Terms) => ({
  /**
   * The first line, after the wallet's name: all that a lock screen shows. Amounts of transfers and
   * gains are bold already.
   */
  headline: {
    buy: 'BUY',
    sell: 'SELL',
    redeem: 'REDEEM',
    unknownAction: 'unknown action',
    unknownOutcome: 'unknown outcome',
    /**
     * `action` is one of those above, or the venue's own word; `outcome` the market's own, such as
     * Yes.
     */
    trade: (action: string, outcome: string, amount: string, price: Text) =>
      `${action} **${outcome} ${amount}**${at(price)}`,
    /**
     * After it where messages before have shown other fills of the same purchase: what all of them
     * come to, these included.
     */
    partOf: (total: string) => `part of ${total}`,
    deposit: (amount: string) => `deposited ${amount}`,
    withdrawal: (amount: string) => `withdrew ${amount}`,
    /** `type` is the venue's own word. */
    otherTransfer: (type: string, amount: string) => `${type} ${amount}`,
    unknownTransfer: 'unknown transfer',
    /** `where` is one of `lines`: from, to, other side, via bridge. */
    moved: (transfer: string, where: string) => `${transfer} ${where}`,
    /** `outcome` is bold already; undefined where the wallet held several, or it is not known. */
    closed: (gain: string, outcome: Text) =>
      `closed ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    /**
     * The market was settled. `outcome` is what the wallet held, bold already; undefined where it
     * held several.
     */
    won: (gain: string, outcome: Text) => `won ${gain}${on(outcome)}`,
    lost: (gain: string, outcome: Text) => `lost ${gain}${on(outcome)}`,
    /** Whose it is, before one of the next two. */
    of: (wallet: string, said: string) => `${wallet}: ${said}`,
    late: (figure: string, count: number) =>
      `${figure} late ${form(count, { one: 'alert', other: 'alerts' })}`,
    missing: {
      trades: 'some trades may be missing here',
      transfers: 'some transfers may be missing here',
      /** The channel's watch of the wallet cannot be read. */
      watch: 'no alerts for now, its settings can’t be read',
    },
    /** Several alerts of one message: of one wallet, and of several, which are counted. */
    severalOf: (figure: string, count: number, wallet: string) =>
      `${figure} ${form(count, { one: 'alert', other: 'alerts' })} of ${wallet}`,
    several: (figure: string, count: number, wallets: string) =>
      `${figure} ${form(count, { one: 'alert', other: 'alerts' })} of ${wallets} wallets`,
    /** Says the largest of several alerts. */
    largest: (said: string) => `largest: ${said}`,
  },
  fills: (figure: string, count: number) =>
    `${figure} ${form(count, { one: 'fill', other: 'fills' })}`,
  redemptions: (figure: string, count: number) =>
    `${figure} ${form(count, { one: 'redemption', other: 'redemptions' })}`,
  roles: { maker: 'maker', taker: 'taker', both: 'maker and taker' },
  marketWithoutTitle: 'Untitled market',
  links: {
    transaction: 'transaction',
    hash: (hash: string) => `tx ${hash}`,
    unknownHash: 'unknown',
    short: 'tx',
  },
  transfers: {
    unknownAddress: 'an unknown address',
  },

  /** Time from the event to its alert: in small print, from a minute on before its first line. */
  late: (delay: string) => `${delay} late`,
  clocksDisagree: (ahead: string) => `Delay unknown: dated ${ahead} later than this alert`,

  /** A record that the venue has changed since its alert. `wallet`: empty where its name is above. */
  amended: {
    trade: (wallet: string, change: string) =>
      `${venue.start} changed a trade${wallet === '' ? '' : ` of ${wallet}`}: ${change}`,
    redemption: (wallet: string, change: string) =>
      `${venue.start} changed a redemption${wallet === '' ? '' : ` of ${wallet}`}: ${change}`,
    /** `before` and `after` are amounts, or numbers of shares where the amount is as before. */
    change: (outcome: string, before: string, after: string) =>
      `**${outcome} ${before}** is now **${after}**`,
    cause: 'Figures of alerts that were posted before stay as they were',
  },

  /** Something may not have been posted. */
  gap: {
    /** In small print. */
    causes: {
      overflow: 'Too much happened at once to read all of it',
      unclear: `${venue.start} showed records that couldn’t be read, or changed old ones`,
      damage: 'The data stored for this wallet was damaged',
      backlog: 'Too many alerts were waiting for this channel',
      watch: 'The settings stored for this wallet are damaged',
    },
    /** Times, the second one without a date where it is soon after the first. */
    missing: {
      trades: (from: string, to: string) =>
        `Some trades or redemptions between ${from} and ${to} may be missing.`,
      transfers: (from: string, to: string) =>
        `Some deposits or withdrawals between ${from} and ${to} may be missing.`,
      watch: (_from: string, _to: string) =>
        'Alerts for this wallet are paused in this channel. ' +
        `The bot’s operator can repair its settings, or you can add it again with ${slash.add}.`,
    },
  },

  /** Lines of `/activity` and `/flows`. `what` is an outcome and an amount. */
  lines: {
    buy: (what: string) => `**Bought ${what}**`,
    sell: (what: string) => `**Sold ${what}**`,
    redeem: (what: string) => `**Redeemed ${what}**`,
    other: (action: string, what: string) => `**${action} ${what}**`,
    unknownAction: 'Unknown action',
    unknownTransfer: 'Unknown transfer',
    paid: (amount: string) => `paid ${amount}`,
    received: (amount: string) => `received ${amount}`,
    net: (amount: string) => `net ${amount}`,
    from: (address: string) => `from ${address}`,
    to: (address: string) => `to ${address}`,
    otherSide: (address: string) => `counterparty ${address}`,
    viaBridge: 'via bridge',
  },

  /** Parts of one message that tells of all that comes late. */
  catchUp: {
    range: (from: string, to: string) => `${from} – ${to}`,
    /** @param what one of `kinds` or `other` */
    paid: (what: string, amount: string) => `${what}, paid **${amount}**`,
    received: (what: string, amount: string) => `${what}, received **${amount}**`,
    moved: (what: string, amount: string) => `${what}, **${amount}**`,
    kinds: {
      buy: (count: string, n: number) => `${count} ${form(n, { one: 'buy', other: 'buys' })}`,
      sell: (count: string, n: number) => `${count} ${form(n, { one: 'sell', other: 'sells' })}`,
      redeem: (count: string, n: number) =>
        `${count} ${form(n, { one: 'redemption', other: 'redemptions' })}`,
      deposit: (count: string, n: number) =>
        `${count} ${form(n, { one: 'deposit', other: 'deposits' })}`,
      withdrawal: (count: string, n: number) =>
        `${count} ${form(n, { one: 'withdrawal', other: 'withdrawals' })}`,
    },
    /** `kind` is the venue's own word. */
    other: (count: string, kind: string) => `${count} × ${kind}`,
    unknownKind: 'unknown',
    results: (count: string, n: number) =>
      `${count} ${form(n, { one: 'result', other: 'results' })} of alerts here`,
    agreements: (count: string, n: number) =>
      `${count} consensus ${form(n, { one: 'alert', other: 'alerts' })}`,
    amended: (count: string, n: number) =>
      `${count} ${form(n, { one: 'changed trade', other: 'changed trades' })}`,
    gaps: (count: string, n: number) =>
      `${count} possible ${form(n, { one: 'gap', other: 'gaps' })}`,
    more: (count: string, _n: number) =>
      `… and ${count} more. ${slash.activity} and ${slash.flows} list them all.`,
  },
});
export type AlertWords = ReturnType<typeof alerts>;
