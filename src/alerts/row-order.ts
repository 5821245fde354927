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
 * Returns alert groups in the order in which a message lists them. Notices come first, because a
 * catch-up may have no space for the last rows. Then come the markets by USDC, largest first, each
 * in its original order; transfers come last. Results keep their order.
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

/** Returns the rows for a wallet's late alerts, in order. */
export function lateRows(alerts: readonly Alert[]): AlertGroup[] {
  return lateMarkets(alerts).flat();
}

/**
 * Returns these rows grouped by market. Within a market, the row with the newest trade comes last,
 * because it shows the wallet's latest move.
 */
export function lateMarkets(alerts: readonly Alert[]): [AlertGroup, ...AlertGroup[]][] {
  const groups = groupAlerts(alerts).map((own): AlertGroup => ({ kind: 'alert', alerts: own }));
  const rows = inRowOrder(groups.toSorted((a, b) => newestTimeMs(a) - newestTimeMs(b)));
  return [...groupBy(rows, (row) => marketOf(row) ?? row).values()];
}

function isNotice({ alerts: [{ event }] }: Pick<AlertGroup, 'alerts'>): boolean {
  return kindOf(event).isNotice === true;
}

/** Key of a wallet's market; null if the group is not a trade or is a late list. */
function marketOf(group: Pick<AlertGroup, 'kind' | 'alerts'>): string | null {
  const [{ event }] = group.alerts;
  if (event.kind !== 'activity' || isLateList(group)) return null;
  return JSON.stringify([walletOf(group), marketKey(event.item)]);
}
