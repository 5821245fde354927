import { entryKeys } from '../../../src/domain/market-keys.ts';
import type { ActivityItem } from '../../../src/domain/records.ts';
import type { Settlement } from '../../../src/domain/settlement.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import type { Life } from './styles.ts';

/**
 * What a wallet's shares of one market came to, whether the bot knows it or not. USDC, fees
 * included.
 */
export interface TrueMarket {
  /** The bot's short hash. */
  readonly market: string;
  /** Unix seconds of the first purchase, and its mean price, 0 to 1. */
  readonly firstSeconds: number;
  readonly price: number;
  readonly paid: number;
  /** Sold and redeemed, and what is left paid as the market ended or will end. */
  readonly back: number;
  /**
   * What of `back` comes of shares that are left, in no pair, and of which the bot cannot know the
   * end.
   */
  readonly backUnknown: number;
}

interface Hand {
  bought: number;
  left: number;
}

/**
 * What each market of a wallet came to, counted share by share in binary arithmetic and apart from
 * the bot's functions: what was bought was sold, redeemed or is left; shares beyond those bought
 * count for nothing.
 *
 * @param settlements what the bot knows of how markets ended
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

/** Mean price of the first purchase: all that was bought of its outcome in its transaction. */
function priceOf(items: readonly ActivityItem[], first: ActivityItem): number {
  const lot = items.filter(
    ({ action, txHash, tokenId }) =>
      action === 'Buy' && txHash === first.txHash && tokenId === first.tokenId,
  );
  const shares = lot.reduce((total, { quantity }) => total + quantity, 0);
  return lot.reduce((total, { quantity, price }) => total + quantity * (price / 100), 0) / shares;
}
