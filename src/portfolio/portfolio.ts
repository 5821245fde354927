import * as z from 'zod';
import { Exact } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { notWhole } from './accounts/account.ts';
import { accountsSchema, NO_ACCOUNTS } from './accounts/accounts.ts';
import { positionsOf } from './accounts/unfold.ts';
import { gapsSchema } from './gaps.ts';
import type { Market } from './market.ts';
import {
  isClosed,
  isKnown,
  LATE_SECONDS,
  type Position,
  positionSchema,
} from './positions/position.ts';
import { largestTradeSchema } from './trades/trades.ts';
import { volumeSchema } from './trades/volume.ts';

/**
 * Maximum number of positions kept separately. Beyond it, the markets without a fill for the
 * longest time are folded into their accounts.
 */
const POSITIONS_LIMIT = 100;
/** Maximum number of markets remembered as no longer known; the newest are kept. */
const LOST_LIMIT = 1_000;

/**
 * Knowledge of a wallet's trades, of limited size. Stored in the wallet's document, in the same
 * write as its detection state. Amounts are USDC, as decimal texts.
 */
export const portfolioSchema = z.object({
  /** Unix seconds. Earlier trades are unknown, unless `isWhole`. */
  sinceSeconds: z.number(),
  /** True if all trades are known, from the wallet's first on. */
  isWhole: z.boolean(),
  /**
   * Positions in markets that are known from their first record on, see {@link followedPositions}.
   */
  positions: z.array(positionSchema),
  /** Accounts of all markets in which the wallet was seen to buy. */
  accounts: accountsSchema,
  /**
   * Hashes of markets that are no longer completely known, the newest last. Those beyond the limit
   * are treated like markets that no longer have an account: a purchase opens them again.
   */
  lostMarkets: z.array(z.string()),
  /**
   * Unix seconds and gross USDC of each of the last trades, in the order in which they were listed.
   */
  sizes: z.array(z.tuple([z.number(), z.number()]).readonly()),
  volume: volumeSchema,
  /** Oldest first. */
  largest: z.array(largestTradeSchema),
  /**
   * Time from which all deposits and withdrawals are known, in Unix seconds; null before their
   * first page.
   */
  transfersSinceSeconds: z.number().nullable(),
  /**
   * Time from which all trades are known except for the gaps, in Unix seconds; null: from
   * `sinceSeconds` on. Positions begin again after a gap, volume does not.
   */
  seenSinceSeconds: z.number().nullable().default(null),
  gaps: gapsSchema.default([]),
});
export type Portfolio = z.infer<typeof portfolioSchema>;

/**
 * Returns an empty portfolio.
 * @param sinceSeconds time from which all trades will be added, in Unix seconds
 */
export function newPortfolio(sinceSeconds: number, isWhole: boolean): Portfolio {
  return {
    sinceSeconds,
    isWhole,
    positions: [],
    accounts: NO_ACCOUNTS,
    lostMarkets: [],
    sizes: [],
    volume: [],
    largest: [],
    transfersSinceSeconds: null,
    seenSinceSeconds: null,
    gaps: [],
  };
}

/**
 * Returns the positions in a market if it has been tracked since the wallet's first record in it,
 * otherwise null. Outcomes that are not included are not held.
 * @param market its id, and the short hash of its `marketKey`, null if unknown
 * @param shown market data for positions that have been folded
 */
export function followedPositions(
  { positions, accounts, isWhole, lostMarkets }: Portfolio,
  { marketId, key }: { readonly marketId: string; readonly key: string | null },
  shown: Market = { marketId, marketTitle: '', marketSlug: '', eventSlug: '' },
): readonly Position[] | null {
  const isMeant = (named: { readonly market: string; readonly marketId: string }) =>
    key === null ? named.marketId === marketId : named.market === key;
  const own = positions.filter(isMeant);
  if (own.length > 0) return own;
  const account = accounts.markets.find(isMeant);
  if (account !== undefined) return account.isWhole ? positionsOf(account, shown) : null;
  const isLost = key === null ? lostMarkets.length > 0 : lostMarkets.includes(key);
  if (isWhole && !isLost) return [];
  return null;
}

/** Returns positions as in `followedPositions`; null also if the holdings are not known exactly. */
export function positionsIn(portfolio: Portfolio, market: Parameters<typeof followedPositions>[1]) {
  const own = followedPositions(portfolio, market);
  if (own?.every(isKnown) === true) return own;
  return null;
}

/** Returns the open positions, highest cost first. */
export function openPositions({ positions }: Portfolio): readonly Position[] {
  return positions
    .filter(({ held }) => !isClosed(held))
    .sort((a, b) => new Exact(b.held.cost).comparedTo(a.held.cost));
}

/**
 * Folds markets into their accounts: those without remaining shares, as soon as no late record can
 * change them (`LATE_SECONDS` before the wallet's newest), and those beyond the newest 100
 * positions, including their remaining shares. Gives up markets in which more was sold than bought,
 * once no late record can show what was bought before; those beyond the 100 at once, because an
 * account does not keep that.
 * @param lostMarkets markets that are no longer known
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function foldPositions(
  portfolio: Portfolio,
  lostMarkets: ReadonlySet<string>,
  nowSeconds: number,
): Portfolio {
  const newestFirst = portfolio.positions
    .filter(({ market }) => !lostMarkets.has(market))
    .sort((a, b) => b.lastSeconds - a.lastSeconds);
  const newestSeconds = newestFirst[0]?.lastSeconds ?? nowSeconds;
  const lateSeconds = Math.min(nowSeconds, newestSeconds) - LATE_SECONDS;
  const hasUnknownSale = ({ base }: Position) => base !== null && base.unknownSold !== '0';
  const isOver = (position: Position) =>
    isClosed(position.held) && isKnown(position) && position.lastSeconds < lateSeconds;
  const whole = new Set<string>();
  for (const { market, isWhole } of portfolio.accounts.markets) if (isWhole) whole.add(market);
  const kept: Position[] = [];
  const lost = new Set(lostMarkets);
  for (const [market, own] of groupBy(newestFirst, (position) => position.market)) {
    if (own.some(hasUnknownSale)) lost.add(market);
    else if (own.every(isOver)) continue;
    else if (kept.length + own.length <= POSITIONS_LIMIT) kept.push(...own);
    else if (!whole.has(market) || !own.every(isKnown)) lost.add(market);
  }
  return { ...withLost(portfolio, lost), positions: kept };
}

/** Remembers which markets are no longer completely known. */
function withLost(portfolio: Portfolio, lost: ReadonlySet<string>): Portfolio {
  if (lost.size === 0) return portfolio;
  const before = portfolio.lostMarkets.filter((market) => !lost.has(market));
  const markets = portfolio.accounts.markets.map((account) =>
    lost.has(account.market) ? notWhole(account) : account,
  );
  return {
    ...portfolio,
    accounts: { ...portfolio.accounts, markets },
    lostMarkets: [...before, ...lost].slice(-LOST_LIMIT),
  };
}
