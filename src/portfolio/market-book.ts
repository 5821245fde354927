import { payoutOf, type Settlement } from '../domain/settlement.ts';
import { Exact, sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { isClosed } from './positions/holding.ts';
import type { Position } from './positions/position.ts';

/** What a wallet has come to in a market of which all that it did is known. */
export type MarketStanding = ReturnType<typeof standingIn>;

/**
 * What a wallet holds in a market and what came of the rest, by average cost, fees included.
 *
 * @param positions all of the wallet in the market
 * @param settlement how the market ended; undefined if it is not known to have
 */
export function standingIn(positions: readonly Position[], settlement: Settlement | undefined) {
  const held = positions
    .filter(({ held }) => !isClosed(held))
    .map(({ outcome, side, held }) => ({
      side,
      shares: new Exact(held.shares),
      cost: new Exact(held.cost),
      /** Cents × shares. */
      entry: new Exact(held.entry),
      sinceSeconds: held.sinceSeconds,
      /** Bought since nothing was held, and what of it was sold or redeemed. */
      bought: new Exact(held.bought),
      sold: new Exact(held.bought).minus(held.shares),
      /** USDC a share that the market's end pays; undefined where that is not known. */
      payout: settlement === undefined ? undefined : payoutOf(settlement, outcome),
    }))
    .sort((a, b) => b.cost.comparedTo(a.cost));
  const settled = held.flatMap(({ shares, cost, payout }) =>
    payout === undefined ? [] : [{ cost, gain: shares.times(payout).minus(cost) }],
  );
  return {
    held,
    cost: sum(held.map(({ cost }) => cost)),
    /** USDC gained by what was sold, redeemed or settled, and what that had cost. */
    gain: sum([...positions.map((position) => position.held.realized), ...settled.map(({ gain }) => gain)]),
    gainCost: sum([...positions.map((position) => position.held.costOfSold), ...settled.map(({ cost }) => cost)]),
    /** Unix seconds of its last trade or redemption there; 0 if there was none. */
    lastSeconds: Math.max(0, ...positions.map(({ lastSeconds }) => lastSeconds)),
  };
}

/** What wallets hold together of each outcome, largest cost first. @param held of each wallet */
export function sumsBySide<
  Held extends { readonly side: string; readonly shares: Exact | string; readonly cost: Exact | string },
>(held: readonly (readonly Held[])[]) {
  return [...groupBy(held.flat(), ({ side }) => side)]
    .map(([side, own]) => ({
      side,
      own,
      wallets: held.filter((some) => some.some((outcome) => outcome.side === side)).length,
      shares: sum(own.map(({ shares }) => shares)),
      cost: sum(own.map(({ cost }) => cost)),
    }))
    .sort((a, b) => b.cost.comparedTo(a.cost));
}
