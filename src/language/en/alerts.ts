import { slash } from './names.ts';

type Text = string | undefined;

const at = (price: Text) => (price === undefined ? '' : ` at ${price}`);

/**
 * What rings in a channel: embeds, lines and buttons of alerts. In all of them `wallet` is a wallet's name, `what` one of
 * `holdings`, `price` a figure or one of `prices` and undefined where there is none, `from` and `to` are times.
 */
export const alerts = {
  titles: {
    buy: (wallet: string, what: string, price: Text) => `${wallet} bought ${what}${at(price)}`,
    sell: (wallet: string, what: string, price: Text) => `${wallet} sold ${what}${at(price)}`,
    redeem: (wallet: string, what: string, paidOut: Text) =>
      `${wallet} redeemed ${what}${paidOut === undefined ? '' : `, paid out ${paidOut}`}`,
    /** `action` and `type` are the venue's own words, for what nobody has described. */
    other: (wallet: string, action: string, what: string, price: Text) => `${wallet}: ${action} ${what}${at(price)}`,
    deposit: (wallet: string, amount: string) => `${wallet} deposited ${amount}`,
    bridgedDeposit: (wallet: string, amount: string) => `${wallet} deposited ${amount} via bridge`,
    withdrawal: (wallet: string, amount: string) => `${wallet} withdrew ${amount}`,
    otherTransfer: (wallet: string, type: string, amount: string) => `${wallet}: ${type} ${amount}`,
    unknownAction: 'unknown action',
    unknownTransfer: 'unknown transfer',
  },
  holdings: {
    /** `side` is an outcome, such as Yes. */
    of: (quantity: string, side: string) => `${quantity} ${side}`,
    ofUnknown: (quantity: string) => `${quantity} of an unknown outcome`,
  },
  prices: { average: (price: string) => `${price} avg` },
  money: {
    paid: (amount: string) => `Paid **${amount}**`,
    received: (amount: string) => `Received **${amount}**`,
    net: (amount: string) => `Net **${amount}**`,
    gross: (amount: string) => `gross ${amount}`,
    fee: (amount: string) => `fee ${amount}`,
    fees: (amount: string) => `fees ${amount}`,
    noFee: 'no fee',
  },
  roles: { maker: 'maker', taker: 'taker', both: 'maker and taker', unknown: 'maker or taker unknown' },
  marketWithoutTitle: 'Market without a title',
  span: (from: string, to: string) => `${from} to ${to}`,
  links: {
    openWallet: 'open the wallet',
    transaction: 'transaction',
    hash: (hash: string) => `tx ${hash}`,
    unknownHash: 'unknown',
    short: 'tx',
    largest: 'largest tx',
  },
  transfers: {
    senderUnknown: 'The venue does not name the sender of a bridged deposit.',
    from: (address: string) => `from ${address}`,
    to: (address: string) => `to ${address}`,
    otherSide: (address: string) => `other side: ${address}`,
    unknownAddress: 'an unknown address',
  },

  /** Footers: how long after the event its alert rang. */
  delivered: {
    atOnce: 'Rang at once',
    clocksDisagree: (ahead: string) => `Delay unknown, the clocks disagree: dated ${ahead} ahead of this alert`,
    after: {
      trade: (delay: string) => `Rang ${delay} after the trade`,
      redemption: (delay: string) => `Rang ${delay} after the redemption`,
      deposit: (delay: string) => `Rang ${delay} after the deposit`,
      withdrawal: (delay: string) => `Rang ${delay} after the withdrawal`,
      event: (delay: string) => `Rang ${delay} after it happened`,
      fills: (delay: string) => `Rang ${delay} after the fills`,
      redemptions: (delay: string) => `Rang ${delay} after the redemptions`,
      lastFill: (delay: string) => `Rang ${delay} after the last fill`,
      lastRedemption: (delay: string) => `Rang ${delay} after the last redemption`,
      lastItem: (delay: string) => `Rang ${delay} after the last of them`,
    },
    /** `rang` is one of the texts above. */
    sinceFirst: {
      fill: (delivered: string, delay: string) => `${delivered}, ${delay} after the first`,
      redemption: (delivered: string, delay: string) => `${delivered}, ${delay} after the first`,
      item: (delivered: string, delay: string) => `${delivered}, ${delay} after the first`,
    },
  },

  /** Something may not have rung. */
  gap: {
    titles: {
      trades: (wallet: string) => `${wallet}: some trades may be missing here`,
      transfers: (wallet: string) => `${wallet}: some transfers may be missing here`,
    },
    /** The beginning of a sentence that ends with `missing`. */
    causes: {
      overflow: 'More arrived between two looks than one page shows',
      damage: 'What the bot had stored of this wallet was damaged',
      backlog: 'More waited for this channel than the bot keeps',
    },
    missing: {
      trades: (cause: string, from: string, to: string) =>
        `${cause}, so some trades or redemptions between ${from} and ${to} may not have rung.`,
      transfers: (cause: string, from: string, to: string) =>
        `${cause}, so some deposits or withdrawals between ${from} and ${to} may not have rung.`,
    },
    listed: {
      trades: (address: string) => `${slash.activity} lists them, for ${address}`,
      transfers: (address: string) => `${slash.flows} lists them, for ${address}`,
    },
    lines: {
      trades: (from: string, to: string) => `Some trades between ${from} and ${to} may be missing.`,
      transfers: (from: string, to: string) => `Some transfers between ${from} and ${to} may be missing.`,
    },
    notice: 'Gap notice',
  },

  /** Several fills in one embed. */
  fills: {
    counts: {
      fill: (count: string) => `**${count} fills**`,
      redemption: (count: string) => `**${count} redemptions**`,
    },
    /** `fills` is one of `counts`; a list follows. */
    inOneTransaction: (fills: string) => `${fills} in one transaction:`,
    inTransactions: (fills: string, transactions: string) => `${fills} in ${transactions} transactions:`,
    row: (quantity: string, price: string) => `${quantity} at ${price}`,
    smaller: (count: string, _n: number) => `… and ${count} smaller`,
    average: (price: string) => `average ${price}`,
    best: (price: string) => `best ${price}`,
    worst: (price: string) => `worst ${price}`,
    range: (low: string, high: string) => `from ${low} to ${high}`,
    allAt: (price: string) => `all at ${price}`,
  },

  /** Lines of a list. */
  lines: {
    buy: (what: string, price: Text) => `**Bought ${what}**${at(price)}`,
    sell: (what: string, price: Text) => `**Sold ${what}**${at(price)}`,
    redeem: (what: string) => `**Redeemed ${what}**`,
    other: (action: string, what: string, price: Text) => `**${action} ${what}**${at(price)}`,
    deposit: (amount: string) => `**Deposited ${amount}**`,
    withdrawal: (amount: string) => `**Withdrew ${amount}**`,
    otherTransfer: (type: string, amount: string) => `**${type} ${amount}**`,
    unknownAction: 'Unknown action',
    unknownTransfer: 'Unknown transfer',
    paid: (amount: string) => `paid ${amount}`,
    received: (amount: string) => `received ${amount}`,
    net: (amount: string) => `net ${amount}`,
    from: (address: string) => `from ${address}`,
    to: (address: string) => `to ${address}`,
    otherSide: (address: string) => `other side ${address}`,
    viaBridge: 'via bridge',
  },

  /** What comes late, told together. */
  catchUp: {
    title: (wallet: string, count: string) => `${wallet}: ${count} alerts that come late`,
    /** `totals` is a list of those below. */
    summary: (from: string, to: string, totals: string) => `From ${from} to ${to}. ${totals}.`,
    line: (count: string, from: string, to: string, totals: string) =>
      `${count} alerts that come late, ${from} to ${to}: ${totals}.`,
    paid: (count: string, kind: string, amount: string) => `${count} × ${kind}, paid **${amount}**`,
    received: (count: string, kind: string, amount: string) => `${count} × ${kind}, received **${amount}**`,
    moved: (count: string, kind: string, amount: string) => `${count} × ${kind}, of **${amount}**`,
    kinds: { buy: 'Buy', sell: 'Sell', redeem: 'Redeem', deposit: 'deposit', withdrawal: 'withdrawal' },
    unknownKind: 'unknown',
    results: (count: string) => `${count} × result of what rang here`,
    agreements: (count: string) => `${count} × consensus`,
    gaps: (count: string) => `${count} × something may be missing`,
    more: (count: string, _n: number) => `… and ${count} more. ${slash.activity} and ${slash.flows} list them all.`,
    openWallet: 'Open the wallet',
    footer: (count: string) => `Catch-up of ${count}`,
  },
};
export type AlertWords = typeof alerts;
