import * as z from 'zod';
import type { Settlement } from '../../domain/settlement.ts';
import { decimalText, Exact, toDecimalText } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { DAY_SECONDS } from '../../lib/time.ts';
import { LATE_SECONDS } from '../positions/position.ts';
import { mergeDays } from '../record/days.ts';
import type { RecordFill } from '../record/first-purchase.ts';
import {
  type Account,
  accountSchema,
  lastSecondsOf,
  newAccount,
  outcomeOf,
  type Sums,
  sumsOf,
  withFills,
  withSettlement,
} from './account.ts';

/**
 * Maximum number of accounts kept separately. Beyond it, the oldest by first purchase are added up
 * by day.
 */
const ACCOUNTS_LIMIT = 1_000;
/**
 * Time for which an account is kept after the market's last record, in seconds, the same as for
 * settlements.
 */
const KEPT_SECONDS = 400 * DAY_SECONDS;

/**
 * Accounts no longer kept separately, of markets first bought on one day and on the same side of
 * each channel's boundary.
 */
const daySchema = z.object({
  /** Times of the markets' earliest and latest first purchases, in Unix seconds. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
  markets: z.number(),
  /** Σ of the prices of the markets' first purchases, each from 0 to 1. */
  prices: z.number(),
  /** USDC paid and returned, fees included. */
  paid: decimalText,
  back: decimalText,
  /** Number of markets with unresolved shares, number of these shares, and USDC paid for them. */
  withoutEnd: z.number(),
  sharesWithoutEnd: decimalText,
  paidWithoutEnd: decimalText,
});
export type AccountDay = z.infer<typeof daySchema>;

/**
 * Accounts of everything a wallet did, by market. Limited in size; stored with the knowledge about
 * the wallet.
 */
export const accountsSchema = z.object({
  markets: z.array(accountSchema).readonly(),
  /** Older ones, oldest first. */
  days: z.array(daySchema).readonly(),
});
export type Accounts = Readonly<z.infer<typeof accountsSchema>>;

export const NO_ACCOUNTS: Accounts = { markets: [], days: [] };

/**
 * Adds trades, redemptions and ends of markets.
 * @param matureToSeconds time up to which markets are mature by the wallet's track record, in Unix
 *   seconds; null if none is
 * @param boundaries times at which channels began to watch the wallet, in Unix seconds
 * @param isFollowed whether a market without an account is tracked from the wallet's first record
 *   in it
 */
export function addToAccounts(
  { markets, days }: Accounts,
  events: readonly (RecordFill | Settlement)[],
  matureToSeconds: number | null,
  boundaries: readonly number[],
  isFollowed = (_market: string): boolean => false,
): Accounts {
  const accounts = new Map(markets.map((account) => [account.market, account]));
  const fills = events.filter((event) => 'action' in event);
  const newestSeconds = newestOf(markets, fills);
  for (const [market, own] of groupBy(fills, (fill) => fill.market)) {
    accounts.set(
      market,
      withFills(
        accounts.get(market) ?? newAccount(market, own[0].marketId, isFollowed(market)),
        own,
        newestSeconds,
      ),
    );
  }
  for (const account of accounts.values()) {
    const isOver = account.recent.some(({ atSeconds }) => atSeconds < newestSeconds - LATE_SECONDS);
    if (isOver) accounts.set(account.market, withFills(account, [], newestSeconds));
  }
  for (const event of events) {
    const account = accounts.get(event.market);
    if (account !== undefined && !('action' in event)) {
      accounts.set(event.market, withSettlement(account, event));
    }
  }
  // Sales without a purchase have no result.
  const bought = [...accounts.values()].filter(
    ({ old, recent }) => old !== null || recent.length > 0,
  );
  return addUpOldest({ markets: bought, days }, newestSeconds, matureToSeconds, boundaries);
}

/** Returns the accounts, except those of some markets. */
export function withoutMarkets(accounts: Accounts, markets: ReadonlySet<string>): Accounts {
  if (!accounts.markets.some(({ market }) => markets.has(market))) return accounts;
  return { ...accounts, markets: accounts.markets.filter(({ market }) => !markets.has(market)) };
}

/** Replaces the accounts of some markets, but keeps their known settlements. */
export function replaceAccounts(
  { markets, days }: Accounts,
  replacing: readonly Account[],
): Accounts {
  const before = new Map(markets.map((account) => [account.market, account]));
  for (const account of replacing) {
    const settled = before.get(account.market)?.settled;
    before.set(account.market, settled === undefined ? account : { ...account, settled });
  }
  return { markets: [...before.values()], days };
}

function newestOf(accounts: readonly Account[], fills: readonly RecordFill[]): number {
  let newestSeconds = 0;
  for (const account of accounts) newestSeconds = Math.max(newestSeconds, lastSecondsOf(account));
  for (const { atSeconds } of fills) newestSeconds = Math.max(newestSeconds, atSeconds);
  return newestSeconds;
}

/**
 * Adds up by day the accounts that are mature and have been inactive for long, and the oldest
 * beyond the limit, whatever their outcome.
 */
function addUpOldest(
  { markets, days }: Accounts,
  newestSeconds: number,
  matureToSeconds: number | null,
  boundaries: readonly number[],
): Accounts {
  const isQuiet = ({ firstSeconds, lastSeconds }: Sums) =>
    lastSeconds < newestSeconds - KEPT_SECONDS &&
    matureToSeconds !== null &&
    firstSeconds <= matureToSeconds;
  const dropped = new Set<Account>();
  for (const account of markets) {
    const { old, recent } = account;
    if (recent.length === 0 && old !== null && isQuiet(old)) dropped.add(account);
  }
  const tooMany = markets.length - dropped.size - ACCOUNTS_LIMIT;
  if (tooMany > 0) {
    const others = markets
      .filter((account) => !dropped.has(account))
      .sort((a, b) => firstSecondsOf(a) - firstSecondsOf(b));
    for (const account of others.slice(0, tooMany)) dropped.add(account);
  }
  if (dropped.size === 0) return { markets, days };
  const added = [...dropped].flatMap(dayOfAccount);
  return {
    markets: markets.filter((account) => !dropped.has(account)),
    days: mergeDays([...days, ...added], boundaries, plus),
  };
}

function firstSecondsOf(account: Account): number {
  return (account.old ?? sumsOf(account))?.firstSeconds ?? 0;
}

function dayOfAccount(account: Account): AccountDay[] {
  const sums = sumsOf(account);
  if (sums === null) return [];
  const { paid, back, withoutEnd } = outcomeOf(account, sums, undefined);
  return [
    {
      fromSeconds: sums.firstSeconds,
      toSeconds: sums.firstSeconds,
      markets: 1,
      prices: sums.firstPrice,
      paid: toDecimalText(paid),
      back: toDecimalText(back),
      withoutEnd: withoutEnd.shares.isZero() ? 0 : 1,
      sharesWithoutEnd: toDecimalText(withoutEnd.shares),
      paidWithoutEnd: toDecimalText(withoutEnd.paid),
    },
  ];
}

function plus(one: AccountDay, other: AccountDay): AccountDay {
  const exact = (name: 'paid' | 'back' | 'sharesWithoutEnd' | 'paidWithoutEnd') =>
    toDecimalText(new Exact(one[name]).plus(other[name]));
  return {
    fromSeconds: Math.min(one.fromSeconds, other.fromSeconds),
    toSeconds: Math.max(one.toSeconds, other.toSeconds),
    markets: one.markets + other.markets,
    prices: one.prices + other.prices,
    paid: exact('paid'),
    back: exact('back'),
    withoutEnd: one.withoutEnd + other.withoutEnd,
    sharesWithoutEnd: exact('sharesWithoutEnd'),
    paidWithoutEnd: exact('paidWithoutEnd'),
  };
}
