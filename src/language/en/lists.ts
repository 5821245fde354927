import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';
import type { VenueForms } from './venue.ts';

const form = plural('en-US');

/** Texts that differ between the two lists. */
export interface ListNames {
  /** @param wallet its name, escaped */
  readonly title: (wallet: string) => string;
  /** Replaces a list if the venue has nothing. */
  readonly nothing: string;
  /**
   * Accompanies a CSV file.
   *
   * @param rows formatted `n`
   */
  readonly file: (wallet: string, rows: string, n: number) => string;
  readonly expired: string;
}

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `${wallet}’s activity`,
  nothing: `${venue.start} has no trades or redemptions of this wallet.`,
  file: (wallet, rows, n) =>
    `${wallet}’s activity, ${rows} ${form(n, { one: 'row', other: 'rows' })}.`,
  expired: `This list has expired. Run ${slash.activity} again.`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Deposits and withdrawals of ${wallet}`,
  nothing: `${venue.start} has no deposits or withdrawals of this wallet.`,
  file: (wallet, rows, n) =>
    `Deposits and withdrawals of ${wallet}, ${rows} ${form(n, { one: 'row', other: 'rows' })}.`,
  expired: `This list has expired. Run ${slash.flows} again.`,
});

/**
 * Returns `all 1,200 records that could be read`, `the only record`.
 *
 * @param isLess true if some could not be read
 */
function allRecords(records: string, n: number, isLess: boolean): string {
  const what = `${n === 1 ? 'the only record' : `all ${records} records`}`;
  return isLess ? `${what} that could be read` : what;
}

/** Returns `1 record`, `1,200 records`. */
function recordsOf(records: string, n: number): string {
  return `${records} ${form(n, { one: 'record', other: 'records' })}`;
}

/**
 * `/activity` and `/flows`: lists, filters and totals. A figure is a formatted number; `n` is the
 * same number if the plural depends on it.
 */
export const lists = (venue: VenueForms, { names, slash }: Terms) => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  /** Between two sentences. */
  gap: ' ',
  /** The text of a link. */
  openWallet: 'open the wallet',
  /** @param filters joined by dots: `buys · market rain-in-paris` */
  only: (filters: string) => `Only ${filters}`,
  /** @param why a sentence that says why the list could not be read further */
  brokenOff: (why: string) => `${why} Here’s what I read up to that point.`,
  /** @param page its number */
  page: (page: string) => `Page ${page}, newest first`,
  unreadable: (records: string, n: number) => `${recordsOf(records, n)} couldn’t be read`,
  didNotFit: (records: string) => `${records} more not shown`,
  nothingYet: 'Nothing on this page yet.',
  nothingMore: 'No more records.',
  nothingMatches: 'Nothing matches.',
  fileTooLarge: (records: string, n: number) =>
    `The file has a size limit: ${records} ` +
    `older ${form(n, { one: 'record', other: 'records' })} left out.`,
  buttons: { previous: 'Previous', next: 'Next', further: 'Search further' },
  /**
   * The records on which a list is based, as far as it was read. Phrases that `sentence` can turn
   * into a sentence. Times are in Discord's markup.
   */
  reach: {
    all: allRecords,
    newest: (records: string, n: number, since: string) =>
      `the newest ${recordsOf(records, n)}, back to ${since}`,
    part: (records: string, n: number, newest: string, oldest: string) =>
      `${recordsOf(records, n)} from ${newest} back to ${oldest}`,
    /** @param reach one of the phrases above */
    foundAmong: (found: string, reach: string) => `${found} found among ${reach}`,
    sentence: (reach: string) => `${reach.charAt(0).toUpperCase()}${reach.slice(1)}.`,
  },
  filters: {
    Buy: 'buys',
    Sell: 'sells',
    Redeem: 'redemptions',
    market: (name: string) => `market ${name}`,
    withoutName: 'without a name',
    from: (time: string) => `from ${time}`,
    to: (time: string) => `to ${time}`,
    transaction: (hash: string) => `transaction ${hash}`,
  },
  totals: {
    title: 'Totals',
    buys: (records: string, n: number, usdc: string) =>
      `${records} ${form(n, { one: 'buy', other: 'buys' })} ${usdc}`,
    sells: (records: string, n: number, usdc: string) =>
      `${records} ${form(n, { one: 'sell', other: 'sells' })} ${usdc}`,
    redemptions: (records: string, n: number, usdc: string) =>
      `${records} ${form(n, { one: 'redemption', other: 'redemptions' })} ${usdc}`,
    otherKinds: (records: string, n: number) =>
      form(n, {
        one: `${records} record of another kind`,
        other: `${records} records of other kinds`,
      }),
    fees: (usdc: string) => `Fees ${usdc}`,
    windows: { day: '24 h', week: '7 d', month: '30 d' },
    /** Replaces a duration: the whole list, or as far as it was read. */
    all: 'All time',
    read: 'Read so far',
    /**
     * @param windows one or more durations
     * @param flows from below
     */
    during: (windows: string, flows: string) => `**${windows}:** ${flows}`,
    deposited: (usdc: string, records: string) => `in ${usdc} (${records})`,
    /** @param records number of withdrawals */
    withdrawn: (usdc: string, records: string) => `out ${usdc} (${records})`,
    /** @param usdc including its sign */
    net: (usdc: string) => `net **${usdc}**`,
    unknownDirection: (records: string) => `${records} of unknown direction`,
    /** @param windows one or more durations of `windows` */
    notKnownFor: (windows: readonly string[]) =>
      `Unknown for ${windows.join(', ')}: the records read so far don’t go back that far.`,
  },
  /** `/market`. Times are in Discord's markup; `names` are names of wallets. */
  market: {
    /** Used without the option. */
    title: 'Markets held here',
    wallets: (figure: string, n: number) =>
      `${figure} ${form(n, { one: 'wallet', other: 'wallets' })}`,
    since: (time: string) => `since ${time}`,
    /** Bare numbers of shares. */
    sold: (part: string, all: string) => `${part} of ${all} sold`,
    out: (time: string) => `out ${time}`,
    nobody: 'No wallet here is known to hold anything in this market.',
    nothing: (names: string) => `Nothing held: ${names}`,
    unknown: (names: string) => `Not known: ${names}`,
    /** Why holdings are unknown, after the names. */
    notInRecords: 'The records don’t show what they hold.',
    limit: 'I look up ten wallets at most.',
    paused: (count: string) => `Paused, not counted: ${count}`,
    /** Markets that do not fit in the list. */
    moreMarkets: (figure: string, n: number) =>
      `… and ${figure} more ${form(n, { one: 'market', other: 'markets' })}`,
    ended: (count: string) => `Settled markets left out: ${count}`,
    only:
      'Positions that I know for certain; wallets may hold more. ' +
      'Name a market and I’ll look it up.',
    none: 'I don’t know any open position here for certain. Name a market and I’ll look it up.',
    delayedChannel:
      `This channel is delayed, and ${slash.market} says what its wallets hold now. ` +
      'Use it in another channel.',
    allPaused: 'All wallets here are paused. Nothing to show.',
    /** Names a market without a known title. */
    withId: (id: string) => `Market ${id}`,
  },
  /** Why an option cannot be read. `typed` is the person's text, between backticks. */
  refused: {
    action: (typed: string, actions: string) =>
      `\`${names.options.action}\` can’t be ${typed}. Use one of ${actions}.`,
    transaction: (typed: string) =>
      `${typed} isn’t a transaction hash. Use 0x followed by 64 hex digits.`,
    market: (typed: string) =>
      `${typed} isn’t a market id or slug. Start typing a title and pick one from the list.`,
    fromAfterTo: (from: string, to: string) =>
      `\`${names.options.from}\` (${from}) ` +
      `is later than \`${names.options.to}\` (${to}). Swap them.`,
    /** @param why one of the sentences below */
    time: (why: string) =>
      `${why} Try \`2h\`, \`${names.typed.yesterday}\` or \`2026-11-01 14:30\` (UTC).`,
    milliseconds: (typed: string) => `${typed} looks like milliseconds. Unix times are in seconds.`,
    unknownUnit: (typed: string) => `I don’t know the unit of time in ${typed}.`,
    noTime: (typed: string) => `I can’t read ${typed} as a time.`,
    noDay: (typed: string) => `${typed} isn’t a day in the calendar.`,
    noTimeOfDay: (typed: string) => `${typed} has a time of day that doesn’t exist.`,
    before1970: (typed: string) => `${typed} is before 1970.`,
    inFuture: (typed: string) => `${typed} is in the future.`,
  },
  /**
   * Drawn into pictures, so keep them short: the type shrinks if a title has more than 30 letters,
   * and the name alone has up to 26.
   */
  chart: {
    netDeposits: (name: string) => `Net deposits of ${name}`,
    bought: 'Bought',
    sold: 'Sold',
    redeemed: 'Redeemed',
    /** Period covered by a bar. */
    per: {
      weeks: (n: number) => (n === 1 ? 'per week' : `per ${n} weeks`),
      days: (n: number) => (n === 1 ? 'per day' : `per ${n} days`),
      hours: (n: number) => (n === 1 ? 'per hour' : `per ${n} h`),
      minutes: (n: number) => (n === 1 ? 'per minute' : `per ${n} min`),
    },
    /**
     * Period up to now.
     *
     * @param n at least 2 for days and hours
     */
    last: {
      days: (n: number) => `last ${n} days`,
      hours: (n: number) => `last ${n} h`,
      minutes: (n: number) => (n === 1 ? 'last minute' : `last ${n} min`),
    },
  },
});
export type ListWords = Translated<ReturnType<typeof lists>>;
