import * as z from 'zod';
import { type ACTIONS, type ActivityItem, actionKind } from '../../domain/records.ts';
import { decimalText, Exact, quotient, stored, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { entryKeys, marketOf, marketSchema } from '../market.ts';
import type { TradeContext } from '../trade-context.ts';

/** A trade or redemption of some shares. */
type Fill = ActivityItem & { readonly action: (typeof ACTIONS)[number] };

/** False for an action that the contract does not describe, and for 0 shares. */
export function isFill(item: ActivityItem): item is Fill {
  return item.quantity > 0 && actionKind(item.action) !== 'other';
}

type FillPlace = Pick<ActivityItem, 'time' | 'action'>;

/** The order of fills: by time, and within a second purchases first, since nobody sells what is not there yet. */
export function compareFills(a: FillPlace, b: FillPlace): number {
  return a.time - b.time || Number(b.action === 'Buy') - Number(a.action === 'Buy');
}

/** What is held of one outcome. Decimal texts, as {@link stored} writes them. */
const holdingSchema = z.object({
  shares: decimalText,
  /** USDC paid for the held shares, fees included, by average cost. */
  cost: decimalText,
  /** Cents × shares of the held shares; divided by the shares it is the average entry price. */
  entry: decimalText,
  /** Shares bought since nothing was held. */
  bought: decimalText,
  /** Unix seconds of the first purchase since nothing was held; 0 if nothing is. */
  sinceSeconds: z.number(),
  /** USDC gained by sales and redemptions: proceeds − average cost, fees included. */
  realized: decimalText,
  /** USDC that the shares sold or redeemed had cost. */
  costOfSold: decimalText,
});
export type Holding = z.infer<typeof holdingSchema>;

export const EMPTY_HOLDING: Holding = {
  shares: '0',
  cost: '0',
  entry: '0',
  bought: '0',
  sinceSeconds: 0,
  realized: '0',
  costOfSold: '0',
};

/** Fewer shares than this are a rounding of figures with six decimals (USDC has six), not a holding. */
export const DUST_SHARES = new Exact('0.000001');
/** A share pays $1 at the most: so many are worth no more than a cent. */
const CENT_SHARES = new Exact('0.01');
const CLOSED_PART = new Exact('0.001');

/**
 * Applies a fill by average cost: a sale of the part p of the holding takes p of its cost and entry along, so that the
 * averages of the rest stay.
 *
 * @param fill positive `transferNetAmount`: USDC left the wallet
 * @returns the holding after it, USDC that it realized (null for a purchase), and what the shares sold or redeemed had
 *   cost; null where more is sold than is held
 */
function applyFill(before: Holding, { time, action, quantity, price, transferNetAmount }: Fill) {
  if (action === 'Buy') {
    const after = {
      ...before,
      shares: stored(new Exact(quantity).plus(before.shares)),
      cost: stored(new Exact(before.cost).plus(transferNetAmount)),
      entry: stored(new Exact(quantity).times(price).plus(before.entry)),
      bought: stored(new Exact(quantity).plus(before.bought)),
      sinceSeconds: before.shares === '0' ? time : Math.min(time, before.sinceSeconds),
    };
    return { after, realized: null, costOfSold: '0' };
  }
  const left = new Exact(before.shares).minus(quantity);
  if (left.lt(DUST_SHARES.negated())) return null;
  const isAll = left.lt(DUST_SHARES);
  const part = isAll ? new Exact(1) : quotient(quantity, before.shares);
  const costOfSold = part.times(before.cost);
  const realized = new Exact(transferNetAmount).negated().minus(costOfSold);
  const after = {
    ...before,
    ...(isAll
      ? EMPTY_HOLDING
      : {
          shares: stored(left),
          cost: stored(new Exact(before.cost).minus(costOfSold)),
          entry: stored(new Exact(before.entry).minus(part.times(before.entry))),
        }),
    realized: stored(realized.plus(before.realized)),
    costOfSold: stored(costOfSold.plus(before.costOfSold)),
  };
  return { after, realized: stored(realized), costOfSold: stored(costOfSold) };
}

/** Whether nothing is held, or no more than a cent's worth and under a thousandth of what was bought. */
export function isClosed({ shares, bought }: Holding): boolean {
  if (shares === '0') return true;
  return CENT_SHARES.gte(shares) && CLOSED_PART.times(bought).gt(shares);
}

/** The average entry price in cents, `entry / shares`; null if nothing is held. */
export function averageEntryCents({ entry, shares }: Holding): number | null {
  return new Exact(shares).isZero() ? null : quotient(entry, shares).toNumber();
}

/** What is known of one outcome of a market. */
export const positionSchema = marketSchema.extend({
  /** From `entryKeys`. */
  market: z.string(),
  outcome: z.string(),
  /** The venue's name of the outcome, such as `Yes`. */
  side: z.string(),
  held: holdingSchema,
  /** Unix seconds of the newest fill, and of the newest sale or redemption; 0 without one. */
  lastSeconds: z.number(),
  soldSeconds: z.number(),
  /** Unix seconds: older records come from the venue's answer, and may be detected later. 0: from no answer. */
  boundarySeconds: z.number(),
});
export type Position = z.infer<typeof positionSchema>;

/** Adds a fill to its outcome's position. @returns as {@link applyFill}, with the position */
export function addFill(before: Position | undefined, fill: Fill) {
  const position = before ?? {
    ...marketOf(fill),
    ...entryKeys(fill),
    side: fill.positionSide,
    held: EMPTY_HOLDING,
    lastSeconds: 0,
    soldSeconds: 0,
    boundarySeconds: 0,
  };
  const change = applyFill(position.held, fill);
  if (change === null) return null;
  const lastSeconds = Math.max(position.lastSeconds, fill.time);
  const soldSeconds = fill.action === 'Buy' ? position.soldSeconds : fill.time;
  return { ...change, before: position.held, position: { ...position, held: change.after, lastSeconds, soldSeconds } };
}

/**
 * Adds new items to the positions of a market. A purchase that is listed late, after no sale of its outcome, only adds
 * to what is held; any other late record would change what was said of those after it.
 *
 * @param followed its positions until now, known from the wallet's first record in it
 * @param items each with what names it in the result
 * @param isNew whether nothing was traded in it before
 * @param fromSeconds Unix seconds before which an item has no place
 * @returns its positions, and what each item did but for those of 0 shares, null for a late purchase; null where one
 *   has no place or sells more than is held, so that nothing of the market is known any more
 */
export function placeInMarket<Id>(
  followed: readonly Position[],
  items: readonly (readonly [Id, ActivityItem])[],
  isNew: boolean,
  fromSeconds = 0,
) {
  const positions = new Map(followed.map((position) => [position.outcome, position]));
  // What is before a boundary may be in what the venue has answered.
  const placeFrom = Math.max(fromSeconds, ...followed.map(({ boundarySeconds }) => boundarySeconds));
  const lastSeconds = Math.max(0, ...followed.map((position) => position.lastSeconds));
  const added = items.flatMap(([id, item]) => (isFill(item) ? [{ id, fill: item, ...entryKeys(item) }] : []));
  const hasPlace = ({ outcome, fill: { time, action } }: (typeof added)[number]) =>
    time >= placeFrom && (action === 'Buy' ? time > (positions.get(outcome)?.soldSeconds ?? 0) : time >= lastSeconds);
  // Nobody knows what an unknown action does to what is held.
  if (added.length < items.filter(([, { quantity }]) => quantity > 0).length || !added.every(hasPlace)) return null;

  const contexts = new Map<Id, TradeContext | null>();
  for (const sameSecond of groupBy(
    added.sort((a, b) => compareFills(a.fill, b.fill)),
    ({ fill }) => fill.time,
  ).values()) {
    const changes = sameSecond.map((step) => {
      const change = addFill(positions.get(step.outcome), step.fill);
      if (change !== null) positions.set(step.outcome, change.position);
      return { ...step, change };
    });
    for (const { id, outcome, fill, change } of changes) {
      if (change === null) return null;
      const { before, after, realized, costOfSold } = change;
      const isPurchase = fill.action === 'Buy';
      const others = [...positions.values()].filter((position) => position.outcome !== outcome);
      const context = {
        sharesBefore: before.shares,
        sharesAfter: after.shares,
        isClosed: !isPurchase && isClosed(after),
        entryCents: averageEntryCents(isPurchase ? after : before),
        realized,
        costOfSold,
        oppositeShares: stored(sum(others.map(({ held }) => held.shares))),
        isFirstInMarket: isNew && contexts.size === 0,
      };
      contexts.set(id, fill.time < lastSeconds ? null : context);
    }
  }
  return { positions: [...positions.values()], contexts };
}
