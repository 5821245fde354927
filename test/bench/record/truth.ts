import { entryKeys } from '../../../src/domain/market-keys.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import type { Settlement } from '../../../src/domain/settlement.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import type { Life } from './styles.ts';

/**
 * The true result of a wallet's shares in one market, whether the bot knows it or not. USDC,
 * including fees.
 */
export interface TrueMarket {
  /** The bot's short hash of the market. */
  readonly market: string;
  /** Time of the first purchase in Unix seconds, and its mean price, 0 to 1. */
  readonly firstSeconds: number;
  readonly price: number;
  readonly paid: number;
  /** Proceeds of sales and redemptions, plus the final value of the remaining shares. */
  readonly back: number;
  /**
   * The part of `back` from remaining shares that are in no pair and whose outcome the bot cannot
   * know.
   */
  readonly backUnknown: number;
}

interface Hand {
  bought: number;
  left: number;
}

/**
 * Returns the result of each market of a wallet, computed share by share in floating point and
 * independently of the bot's functions. Bought shares were sold, redeemed or remain; shares beyond
 * those bought don't count.
 *
 * @param settlements outcomes of markets that the bot knows
 */
export function trueMarkets(
  { items, ends }: Life,
  settlements: ReadonlyMap<string, Settlement>,
  nowSeconds: number,
): TrueMarket[] {
  const listed = items.filter(({ time }) => time < nowSeconds).toReversed();
  return [...groupBy(listed, ({ conditionId }) => conditionId)].flatMap(([conditionId, own]) => {
    const { market } = entryKeys(own[0]);
    const winner = ends.get(conditionId)?.winner;
    const sums = winner === undefined ? null : sumUp(own, winner, settlements.has(market));
    return sums === null ? [] : [{ market, ...sums }];
  });
}

/**
 * @param items of one market, oldest first
 * @returns null without a purchase
 */
function sumUp(
  items: readonly ActivityItem[],
  winner: string,
  isSettled: boolean,
): Omit<TrueMarket, 'market'> | null {
  const first = items.find(({ action }) => action === 'Buy');
  if (first === undefined) return null;
  const hands = { Yes: { bought: 0, left: 0 }, No: { bought: 0, left: 0 } };
  let paid = 0;
  let back = 0;
  for (const { action, positionSide, quantity, transferNetAmount } of items) {
    const hand: Hand = positionSide === 'Yes' ? hands.Yes : hands.No;
    if (action === 'Buy') {
      hand.bought += quantity;
      hand.left += quantity;
      paid += transferNetAmount;
    } else {
      const own = Math.min(quantity, hand.left);
      hand.left -= own;
      back -= (own / quantity) * transferNetAmount;
    }
  }
  const valueLeft = winner === 'Yes' ? hands.Yes.left : hands.No.left;
  const pairs = Math.min(hands.Yes.left, hands.No.left);
  return {
    firstSeconds: first.time,
    price: priceOf(items, first),
    paid,
    back: back + valueLeft,
    backUnknown: isSettled ? 0 : valueLeft - pairs,
  };
}

/** Returns the mean price of the first purchase: all fills of its outcome in its transaction. */
function priceOf(items: readonly ActivityItem[], first: ActivityItem): number {
  const lot = items.filter(
    ({ action, txHash, tokenId }) =>
      action === 'Buy' && txHash === first.txHash && tokenId === first.tokenId,
  );
  const shares = lot.reduce((total, { quantity }) => total + quantity, 0);
  return lot.reduce((total, { quantity, price }) => total + quantity * (price / 100), 0) / shares;
}
