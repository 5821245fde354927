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

/** Maximum number of groups posted as separate messages. More become rows of one message. */
const APART_MOST = 3;
/**
 * Maximum number of wallets whose late alerts get a message each. If more are waiting, each wallet
 * is a row with its totals, five per message.
 */
const LISTS_MOST = 10;
/**
 * Age of an alert from which on it indicates that nothing could be sent or polled for some time, in
 * ms.
 */
const OUTAGE_MS = 300_000;

/** Settings that determine which alerts are late, and the channel's clock and cooldowns. */
export interface LateContext extends Pick<NoiseContext, 'nowMs' | 'cooldowns'> {
  /**
   * Age after which events are no longer news, in ms; a wallet's older alerts are sent together.
   */
  readonly catchUpAfterMs: number;
  /**
   * True if each alert is a line of a list. Several late ones are then one line with their totals.
   */
  readonly isCompact: boolean;
}

/**
 * Combines a wallet's late alerts into one group, up to the first that is not late. If an outage
 * delayed many, all the wallet's alerts are combined and it gets a message of its own. These lists
 * come first, unless something about their wallet precedes them, so that the uninterrupted rest
 * fits in few messages.
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
    // A notice about an earlier period does not indicate when the other alerts were found.
    const hasOld = own.some(({ alerts }) =>
      alerts.some((alert) => kindOf(alert.event).isNotice !== true && isOlder(alert, OUTAGE_MS)),
    );
    if (own.length > APART_MOST && hasOld) keptByOutage.add(wallet);
  }
  if (context.isCompact || keptByOutage.size > LISTS_MOST) keptByOutage.clear();
  const isLateAlert = (alert: Alert) =>
    keptByOutage.has(alert.wallet) || isOlder(alert, Number.POSITIVE_INFINITY);
  const together: AlertGroup[] = [];
  /** Index of the group being extended, by wallet. */
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
  if (together.filter(isLateList).length <= LISTS_MOST) return listsFirst(together);
  // Decided once, with the message. Alerts waiting when it is sent again do not change how it looks.
  const asRow = (group: AlertGroup) => (isLateList(group) ? { ...group, isRow: true } : group);
  return listsFirst(together.map(asRow));
}

/** Returns the USDC of a group's purchases that earlier messages have shown. */
function earlierByKey({ alerts, earlierUsdc, ...group }: AlertGroup): Record<string, string> {
  const key = purchaseKey(alerts[0]);
  if (key === null || earlierUsdc === undefined) return { ...group.earlierByKey };
  return { [key]: earlierUsdc };
}

/**
 * Returns the groups with lists before all others, unless something about their wallet precedes
 * them.
 */
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
 * Whether an alert exceeds an age by its own time, without counting time in a cooldown.
 * @param ageMs replaced by `catchUpAfterMs` if that is less
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
