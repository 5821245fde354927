import type { Account } from '../../lib/fair-shares/account.ts';

/**
 * Divides WATCHES_TOTAL among the payers that have watches and the asking payer, by their weights.
 *
 * @param held watches by owner
 * @returns `watches`: number of watches of the asking payer; `share`: maximum number for it once
 *   the total is reached, rounded up so that a payer below its share may add one
 */
export function shareOfTotal(
  total: number,
  held: readonly { readonly account: Account; readonly watches: number }[],
  asking: Account,
) {
  const weights = new Map([[asking.payer, asking.weight]]);
  let watches = 0;
  for (const each of held) {
    if (each.watches > 0) weights.set(each.account.payer, each.account.weight);
    if (each.account.payer === asking.payer) watches += each.watches;
  }
  const ofAll = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { watches, share: Math.ceil((total * asking.weight) / ofAll) };
}
