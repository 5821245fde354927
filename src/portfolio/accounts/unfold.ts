import { Exact, sum, toDecimalText } from '../../lib/exact.ts';
import type { Market } from '../market.ts';
import { applyFill, type Holding, type Position } from '../positions/position.ts';
import { type Account, fillOfRecord, holdingOf, type Sums } from './account.ts';

/**
 * Returns the positions of a folded market as they were, except that the gains of all closed
 * outcomes are assigned to one of them.
 * @param account a whole one
 */
export function positionsOf({ market: key, old, recent }: Account, market: Market): Position[] {
  const sides = new Map([
    ...(old?.left ?? []).map(([outcome, side]) => [outcome, side] as const),
    ...recent.map(({ outcome, side }) => [outcome, side] as const),
  ]);
  const gained = gainedOf(old);
  return [...sides].map(([outcome, side], index) => {
    const left = old?.left.find(([other]) => other === outcome);
    const base = { ...holdingOf(left), ...(index === 0 && gained) };
    const fills = recent.filter((fill) => fill.outcome === outcome).map(fillOfRecord);
    return {
      ...market,
      market: key,
      outcome,
      side,
      held: fills.reduce<Holding>((held, fill) => applyFill(held, fill).after, base),
      base: old === null ? null : base,
      baseSeconds: old?.lastSeconds ?? 0,
      recent: fills,
      lastSeconds: fills.at(-1)?.[0] ?? old?.lastSeconds ?? 0,
      boundarySeconds: 0,
    };
  });
}

/** Returns the total gain before the recent fills, and what had been paid for it, in USDC. */
function gainedOf(old: Sums | null) {
  if (old === null) return { realized: '0', costOfSold: '0' };
  const costOfSold = new Exact(old.paid).minus(sum(old.left.map(([, , , cost]) => cost)));
  return {
    realized: toDecimalText(new Exact(old.back).minus(costOfSold)),
    costOfSold: toDecimalText(costOfSold),
  };
}
