import { type AlertGroup, hasResult, isOfSeveral, usdcOf, walletOf } from '../alerts/alert.ts';
import { sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { marketKey } from '../portfolio/market.ts';

/**
 * Alert groups in the order in which a message lists them: the market with the most USDC first,
 * within a market as they came, transfers and notices last. Results keep their order.
 */
export function inRowOrder<Group extends Pick<AlertGroup, 'kind' | 'alerts'>>(
  groups: readonly Group[],
): Group[] {
  if (groups.some((group) => hasResult(group) || isOfSeveral(group))) return [...groups];
  const byMarket = [...groupBy(groups, marketOf)].map(([market, own]) => ({
    own,
    usdc: market === null ? -1 : sum(own.map(({ alerts }) => usdcOf(alerts) ?? 0)).toNumber(),
  }));
  return byMarket.toSorted((a, b) => b.usdc - a.usdc).flatMap(({ own }) => own);
}

/** A wallet's market; null of what is no trade, and of several alerts that are sent late. */
function marketOf(group: Pick<AlertGroup, 'kind' | 'alerts'>): string | null {
  const [{ event }] = group.alerts;
  if (event.kind !== 'activity' || (group.kind === 'late' && group.alerts.length > 1)) return null;
  return JSON.stringify([walletOf(group), marketKey(event.item)]);
}
