import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';

const form = plural('en-US');

const trades = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'trade', other: 'trades' })}`;
const transfers = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'transfer', other: 'transfers' })}`;
const wallets = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'wallet', other: 'wallets' })}`;

/**
 * Digests, charts and the answers of `/watch digest`. If there are a figure and a count, the figure
 * is the formatted count. Dates are in Discord's markup, such as `<t:…:f>`.
 */
export const digest = ({ names, permissions }: Terms) => ({
  title: { day: 'Daily digest', week: 'Weekly digest' },
  /**
   * Used in a footer, and as a sentence of an answer. The clock is `09:30`, the zone
   * `Europe/Berlin`, the weekday `Monday`.
   */
  everyDay: (clock: string, zone: string) => `Every day at ${clock} (${zone})`,
  everyWeek: (weekday: string, clock: string, zone: string) =>
    `Every ${weekday} at ${clock} (${zone})`,

  behind: (figure: string, count: number) =>
    `${wallets(figure, count)} couldn’t be checked since this period ended; ` +
    'something may be missing.',

  /** Parts of two lines about all wallets together. */
  total: {
    nothing: (from: string, to: string, figure: string, count: number) =>
      `Quiet from ${from} to ${to}: ` +
      `no trades, redemptions, deposits or withdrawals from ${wallets(figure, count)}.`,
    /** Replaces `nothing` if part of that time is unknown. */
    nothingKnown: (from: string, to: string, figure: string, count: number) =>
      `Quiet from ${from} to ${to}: ` +
      `no trades, redemptions, deposits or withdrawals from ${wallets(figure, count)}. ` +
      'Part of that time is unknown.',
    /** After the sums if a wallet was not watched, or not read, during all of that time. */
    sinceWatched: 'each since you added it',
    notAllKnown: 'part of that time is unknown',
    wallets,
    /** Begins the digest. Volume is gross, without fees. */
    lead: (figure: string, count: number, usdc: string) =>
      `**${trades(figure, count)}, ${usdc}** volume`,
    /** @param trade `BUY **Yes $786** at 63.6¢` */
    largest: (wallet: string, trade: string) => `largest: ${wallet} ${trade}`,
  },

  /** Markets that were settled in the period, and verdicts on wallets that began or ended in it. */
  settled: {
    title: (figure: string, count: number) =>
      `${figure} ${form(count, { one: 'market', other: 'markets' })} settled`,
    /**
     * @param side an outcome, already bold
     * @param wallets wallets of the digest that traded it
     */
    won: (side: string, wallets: string) => `${side} won · ${wallets}`,
    lost: (side: string, wallets: string) => `${side} lost · ${wallets}`,
    /** @param price of a share, if several outcomes paid */
    paid: (side: string, price: string, wallets: string) => `${side} paid ${price} · ${wallets}`,
  },
  /**
   * After the name of a wallet.
   *
   * @param verdict the present one, such as `Could be luck`
   */
  verdicts: {
    began: (verdict: string) => `new: ${verdict}`,
    ended: (verdict: string) => `no longer better than luck: ${verdict}`,
  },

  /** Parts of one line for the wallets that have no line of their own. */
  rest: {
    volume: (figure: string, count: number, usdc: string) =>
      `… and ${figure} more ${form(count, { one: 'wallet', other: 'wallets' })}: volume ${usdc}`,
    netFlow: (usdc: string) => `net deposits ${usdc}`,
  },

  wallet: {
    /** Parts of a line that begins with the wallet's name. Volume is gross, as in `total.lead`. */
    traded: (figure: string, count: number, usdc: string) =>
      `${trades(figure, count)}, **${usdc}**`,
    transfers,
    netFlow: (usdc: string) => `net deposits ${usdc}`,
    watchedSince: (since: string) => `since you added it (${since})`,
    tradesSince: (since: string) => `trades complete only since ${since}`,
    transfersSince: (since: string) => `deposits and withdrawals complete only since ${since}`,
    tradesMissing: (from: string, to: string) => `trades may be missing from ${from} to ${to}`,
    transfersMissing: (from: string, to: string) =>
      `deposits and withdrawals may be missing from ${from} to ${to}`,
    transfersUnknown: 'deposits and withdrawals unknown',
  },

  quiet: (walletNames: readonly string[]) => `No activity: ${walletNames.join(', ')}`,
  quietAndMore: (walletNames: readonly string[], figure: string) =>
    `No activity: ${walletNames.join(', ')} and ${figure} more`,

  chart: {
    volumePerHour: (zone: string) => `Volume per hour, ${zone}`,
    volumePerDay: (zone: string) => `Volume per day, ${zone}`,
    /** Other wallets in a legend; at most seven letters. */
    others: 'others',
    /** Read aloud if the picture cannot be seen. */
    altPerHour: 'Traded volume per hour',
    altPerDay: 'Traded volume per day',
    /** Below an axis, as short as possible. Months are `Nov`. */
    day: (day: string, month: string) => `${day} ${month}`,
    month: (month: string, year: string) => `${month} ${year}`,
    date: (day: string, month: string, year: string) => `${day} ${month} ${year}`,
  },

  answer: {
    hadNone: (channel: string) => `${channel} has no digest.`,
    ended: (channel: string) => `${channel} no longer gets a digest.`,
    /** The schedule is `Every day at 09:30, Europe/Berlin`. */
    shown: (channel: string, schedule: string, next: string, nextRelative: string) =>
      `${channel} gets a digest. ${schedule}. Next: ${nextRelative} (${next}, your time).`,
    noWallet: 'No wallets are watched there yet. I’ll start once you add one.',
    waits: (why: string) => `The last one is still waiting: ${why}`,
    cannotAttach: `Give me ${permissions.attachFiles} there too, and it comes with a chart.`,
    inUtc: `Its times are UTC. Set \`${names.options['time-zone']}\` for your own.`,
  },

  errors: {
    none: (channel: string) =>
      `${channel} has no digest. ` +
      'Set one up with ' +
      `\`/${names.commands.watch} ${names.subcommands.digest} ${names.options.every}:\`.`,
    /** Values that the options accept. */
    time: 'a time from `00:00` to `23:59`',
    zone: 'a name such as `Europe/Berlin`, `America/New_York` or `UTC`',
  },
});
export type DigestWords = Translated<ReturnType<typeof digest>>;
