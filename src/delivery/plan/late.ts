import {
  type Alert,
  type AlertGroup,
  eventTimeMs,
  isLateList,
  purchaseKey,
  walletOf,
} from '../../alerts/alert.ts';
import { kindOf } from '../../alerts/kinds/kinds.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { WatchSettings } from '../../watches/watch-settings.ts';
import { cooledAtMs } from './cooldowns.ts';
import type { NoiseContext } from './mentions.ts';

/** Groups that come as messages of their own: more are rows of one message. */
const APART_MOST = 3;
/**
 * Wallets of which a channel gets the late alerts in a message each: as long as more wait, each is a
 * row with its sums, five in a message.
 */
const LISTS_MOST = 10;
/** Age from which an alert shows that nothing could be sent or polled for a while, ms. */
const OUTAGE_MS = 300_000;

/** Settings by which alerts count as late, and the channel's clock and memory. */
export interface LateContext extends Pick<NoiseContext, 'nowMs' | 'cooldowns'> {
  /** Alerts of events that are older than this are no news: a wallet's are sent together. */
  readonly catchUpAfterMs: number;
  /** True if each alert is a line of a list, where several late ones are one line with their sums. */
  readonly isCompact: boolean;
}

/**
 * Makes one group of what a wallet has that is late, up to the first that is not; of all that it has
 * where an outage has kept many, and the wallet gets a message of its own. Those come first, where
 * nothing of their wallet does: the rest, with nothing in between, is one message or few.
 */
export function lateTogether(
  groups: readonly AlertGroup[],
  settingsOf: (wallet: WalletAddress) => WatchSettings | undefined,
  context: LateContext,
): AlertGroup[] {
  const isOlder = (alert: Alert, ageMs: number) =>
    isOld(alert, settingsOf(alert.wallet), context, ageMs);
  const keptByOutage = new Set<WalletAddress>();
  for (const [wallet, own] of groupBy(groups, walletOf)) {
    // What may be missing of an earlier time says nothing of when the rest was found.
    const hasOld = own.some(({ alerts }) =>
      alerts.some((alert) => kindOf(alert.event).isNotice !== true && isOlder(alert, OUTAGE_MS)),
    );
    if (own.length > APART_MOST && hasOld) keptByOutage.add(wallet);
  }
  if (context.isCompact || keptByOutage.size > LISTS_MOST) keptByOutage.clear();
  const isLateAlert = (alert: Alert) =>
    keptByOutage.has(alert.wallet) || isOlder(alert, Number.POSITIVE_INFINITY);
  const together: AlertGroup[] = [];
  /** Place of the group that goes on, by wallet. */
  const places = new Map<WalletAddress, number>();
  for (const group of groups) {
    const wallet = walletOf(group);
    const isLate = group.alerts.every(isLateAlert);
    const place = places.get(wallet) ?? -1;
    const before = together[place];
    if (isLate && before !== undefined) {
      together[place] = {
        kind: 'late',
        alerts: [...before.alerts, ...group.alerts],
        earlierByKey: { ...earlierByKey(before), ...earlierByKey(group) },
      };
      continue;
    }
    if (isLate) places.set(wallet, together.length);
    else places.delete(wallet);
    together.push(group);
  }
  return listsFirst(areTooMany(together) ? together.map(asRow) : together);
}

/**
 * Decided once, with the message: what waits when it is sent again says nothing of how it looks.
 */
function areTooMany(groups: readonly AlertGroup[]): boolean {
  return groups.filter(isLateList).length > LISTS_MOST;
}

function asRow(group: AlertGroup): AlertGroup {
  return isLateList(group) ? { ...group, isRow: true } : group;
}

/** Sums that earlier messages have shown of a group's purchases, USDC. */
function earlierByKey({ alerts, earlierUsdc, ...group }: AlertGroup): Record<string, string> {
  const key = purchaseKey(alerts[0]);
  if (key === null || earlierUsdc === undefined) return { ...group.earlierByKey };
  return { [key]: earlierUsdc };
}

/** The groups, lists before all others whose wallet has nothing before them. */
function listsFirst(groups: readonly AlertGroup[]): AlertGroup[] {
  const seen = new Set<WalletAddress>();
  const first: AlertGroup[] = [];
  const others: AlertGroup[] = [];
  for (const group of groups) {
    const wallet = walletOf(group);
    if (isLateList(group) && !seen.has(wallet)) first.push(group);
    else others.push(group);
    seen.add(wallet);
  }
  return [...first, ...others];
}

/**
 * Whether an alert is older than an age by its own time, and not because a cooldown kept it.
 *
 * @param ageMs `catchUpAfterMs` counts in its place where that is less
 */
function isOld(
  alert: Alert,
  settings: WatchSettings | undefined,
  { nowMs, cooldowns, catchUpAfterMs }: LateContext,
  ageMs: number,
) {
  const readyMs = settings === undefined ? null : cooledAtMs(alert, cooldowns, settings);
  const lateMs = Math.min(ageMs, catchUpAfterMs);
  return nowMs - Math.max(eventTimeMs(alert), readyMs ?? 0) > lateMs;
}
