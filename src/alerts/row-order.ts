import { kindOf } from '../alerts/kinds/kinds.ts';
import { sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';
import { marketKey } from '../portfolio/market.ts';
import {
  type Alert,
  type AlertGroup,
  groupAlerts,
  hasResult,
  isLateList,
  isOfSeveral,
  newestTimeMs,
  usdcOf,
  walletOf,
} from './alert.ts';

/**
 * Alert groups in the order in which a message lists them: notices first, as a catch-up may have no
 * room for the last rows, then the market with the most USDC, within a market as they came, transfers
 * last. Results keep their order.
 */
export function inRowOrder<Group extends Pick<AlertGroup, 'kind' | 'alerts'>>(
  groups: readonly Group[],
): Group[] {
  if (groups.some((group) => hasResult(group) || isOfSeveral(group))) return [...groups];
  const notices = groups.filter(isNotice);
  const others = groups.filter((group) => !isNotice(group));
  const byMarket = [...groupBy(others, marketOf)].map(([market, own]) => ({
    own,
    usdc: market === null ? -1 : sum(own.map(({ alerts }) => usdcOf(alerts) ?? 0)).toNumber(),
  }));
  return [...notices, ...byMarket.toSorted((a, b) => b.usdc - a.usdc).flatMap(({ own }) => own)];
}

/** Rows of a wallet's alerts that are sent late, in their order. */
export function lateRows(alerts: readonly Alert[]): AlertGroup[] {
  return lateMarkets(alerts).flat();
}

/**
 * Those rows, the ones of a market together: the one with its newest trade last, for it is the
 * wallet's last word.
 */
export function lateMarkets(alerts: readonly Alert[]): [AlertGroup, ...AlertGroup[]][] {
  const groups = groupAlerts(alerts).map((own): AlertGroup => ({ kind: 'alert', alerts: own }));
  const rows = inRowOrder(groups.toSorted((a, b) => newestTimeMs(a) - newestTimeMs(b)));
  return [...groupBy(rows, (row) => marketOf(row) ?? row).values()];
}

function isNotice({ alerts: [{ event }] }: Pick<AlertGroup, 'alerts'>): boolean {
  return kindOf(event).isNotice === true;
}

/** A wallet's market; null of what is no trade, and of several alerts that are sent late. */
function marketOf(group: Pick<AlertGroup, 'kind' | 'alerts'>): string | null {
  const [{ event }] = group.alerts;
  if (event.kind !== 'activity' || isLateList(group)) return null;
  return JSON.stringify([walletOf(group), marketKey(event.item)]);
}
