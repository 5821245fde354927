import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('en-US');
type Text = string | undefined;

const on = (outcome: Text) => (outcome === undefined ? '' : ` on ${outcome}`);
const at = (price: Text) => (price === undefined ? '' : ` at ${price}`);

/**
 * Texts posted in a channel: first lines, embeds, lists and buttons of alerts. Throughout, `price`
 * is a figure, undefined if there is none; `from` and `to` are times. If there are a figure and a
 * count, the figure is the formatted count.
 */
export const alerts = (venue: VenueForms, { slash }: Terms) => ({
  /**
   * The first line, after the wallet's name; it is all that a lock screen shows. Amounts of
   * transfers and gains are already bold.
   */
  headline: {
    buy: 'BUY',
    sell: 'SELL',
    redeem: 'REDEEM',
    unknownAction: 'unknown action',
    unknownOutcome: 'unknown outcome',
    /**
     * `action` is one of the above, or the venue's own word; `outcome` is the market's own, such as
     * Yes.
     */
    trade: (action: string, outcome: string, amount: string, price: Text) =>
      `${action} **${outcome} ${amount}**${at(price)}`,
    /**
     * Appended if earlier messages have shown other fills of the same purchase: the total of all of
     * them, including these.
     */
    partOf: (total: string) => `part of ${total}`,
    deposit: (amount: string) => `deposited ${amount}`,
    withdrawal: (amount: string) => `withdrew ${amount}`,
    /** `type` is the venue's own word. */
    otherTransfer: (type: string, amount: string) => `${type} ${amount}`,
    unknownTransfer: 'unknown transfer',
    /** `where` is one of `lines`: from, to, other side, via bridge. */
    moved: (transfer: string, where: string) => `${transfer} ${where}`,
    /** `outcome` is already bold; undefined if the wallet held several, or if it is unknown. */
    closed: (gain: string, outcome: Text) =>
      `closed ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    /**
     * The market was settled. `outcome` is what the wallet held, already bold; undefined if it held
     * several.
     */
    won: (gain: string, outcome: Text) => `won ${gain}${on(outcome)}`,
    lost: (gain: string, outcome: Text) => `lost ${gain}${on(outcome)}`,
    /** The wallet, before one of the next two. */
    of: (wallet: string, sentence: string) => `${wallet}: ${sentence}`,
    late: (figure: string, count: number) =>
      `${figure} late ${form(count, { one: 'alert', other: 'alerts' })}`,
    missing: {
      trades: 'some trades may be missing here',
      transfers: 'some transfers may be missing here',
      /** The channel's watch of the wallet cannot be read. */
      watch: 'no alerts for now, its settings can’t be read',
    },
    /** Several alerts in one message, of one wallet or of a number of wallets. */
    severalOf: (figure: string, count: number, wallet: string) =>
      `${figure} ${form(count, { one: 'alert', other: 'alerts' })} of ${wallet}`,
    several: (figure: string, count: number, wallets: string) =>
      `${figure} ${form(count, { one: 'alert', other: 'alerts' })} of ${wallets} wallets`,
    /** Introduces the largest of several alerts. */
    largest: (sentence: string) => `largest: ${sentence}`,
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

  /**
   * Time from the event to its alert: in small print; from a minute on at the start of the first
   * line.
   */
  late: (delay: string) => `${delay} late`,
  clocksDisagree: (ahead: string) => `Delay unknown: dated ${ahead} later than this alert`,

  /** A record that the venue has changed since its alert. `wallet`: empty if its name is above. */
  amended: {
    trade: (wallet: string, change: string) =>
      `${venue.start} changed a trade${wallet === '' ? '' : ` of ${wallet}`}: ${change}`,
    redemption: (wallet: string, change: string) =>
      `${venue.start} changed a redemption${wallet === '' ? '' : ` of ${wallet}`}: ${change}`,
    /** `before` and `after` are amounts, or numbers of shares if the amount is unchanged. */
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
      backlog: 'Too many alerts were waiting here',
      watch: 'The settings stored for this wallet are damaged',
    },
    /** Times; the second one has no date if it is soon after the first. */
    missing: {
      trades: (from: string, to: string) =>
        `Some trades or redemptions between ${from} and ${to} may be missing.`,
      transfers: (from: string, to: string) =>
        `Some deposits or withdrawals between ${from} and ${to} may be missing.`,
      watch: (_from: string, _to: string) =>
        'Alerts for this wallet are paused here. ' +
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

  /** Parts of one message with all late alerts. */
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
export type AlertWords = Translated<ReturnType<typeof alerts>>;
