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
 * Positions kept one by one; of more, the markets without a fill for the longest time are folded
 * into their accounts.
 */
const POSITIONS_LIMIT = 100;
/** Markets of which it is kept that they are not known any more, the newest. */
const LOST_LIMIT = 1_000;

/**
 * Knowledge of a wallet's trades, of bounded size. Stored in the wallet's document, in the same
 * write as its detection state. Amounts are USDC, as decimal texts.
 */
export const portfolioSchema = z.object({
  /** Unix seconds: earlier trades are unknown, unless `isWhole`. */
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
   * Hashes of markets of which something is not known any more, the newest last. Of more than are
   * kept the oldest are as markets that have no account any more: a purchase opens them anew.
   */
  lostMarkets: z.array(z.string()),
  /**
   * The last trades: Unix seconds and gross USDC of each, in the order in which they were listed.
   */
  sizes: z.array(z.tuple([z.number(), z.number()]).readonly()),
  volume: volumeSchema,
  /** Oldest first. */
  largest: z.array(largestTradeSchema),
  /**
   * Unix seconds from which all deposits and withdrawals are known; null before the first page of
   * them.
   */
  transfersSinceSeconds: z.number().nullable(),
  /**
   * Unix seconds from which all trades are known but for the gaps; null: from `sinceSeconds` on.
   * Positions begin anew after a gap, volume does not.
   */
  seenSinceSeconds: z.number().nullable().default(null),
  gaps: gapsSchema.default([]),
});
export type Portfolio = z.infer<typeof portfolioSchema>;

/**
 * An empty portfolio.
 *
 * @param sinceSeconds Unix seconds from which all trades will be added
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
 * The positions of a market, where it is followed from the wallet's first record in it; null where
 * it is not. What is not among them is not held.
 *
 * @param market its id, and the short hash of its `marketKey`, null if that is not known; and what
 *   positions show of it that have been folded
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

/**
 * Positions as `followedPositions` gives them; null also where it is not known exactly what is
 * held.
 */
export function positionsIn(portfolio: Portfolio, market: Parameters<typeof followedPositions>[1]) {
  const own = followedPositions(portfolio, market);
  if (own?.every(isKnown) === true) return own;
  return null;
}

/** Open positions, highest cost first. */
export function openPositions({ positions }: Portfolio): readonly Position[] {
  return positions
    .filter(({ held }) => !isClosed(held))
    .sort((a, b) => new Exact(b.held.cost).comparedTo(a.held.cost));
}

/**
 * Folds markets into their accounts: those of which nothing is left, as soon as no late record can
 * change them any more (`LATE_SECONDS` before the wallet's newest), and those beyond the newest 100
 * positions with what is left of them. Gives up the markets in which more was sold than was bought,
 * once no late record can tell what was bought before: of those beyond the 100 at once, since an
 * account does not keep it.
 *
 * @param lostMarkets of which nothing is known any more
 * @param nowSeconds the venue's clock, Unix seconds
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

/** Keeps of which markets something is not known any more. */
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
