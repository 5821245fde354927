import type { WalletAddress } from '../../domain/address.ts';
import type { ActivityItem } from '../../domain/records.ts';
import type { ItemMeaning } from '../../portfolio/update.ts';
import { recordAlertId } from '../alert.ts';
import { identityOf, type RecordEvent } from '../decisions.ts';
import { kindOf } from '../kinds/kinds.ts';
import { type NewAlert, RECENT_MS } from '../wallets/wallet-document.ts';

/** Returns the event of a trade or redemption, with what is known about it. */
export function activityEvent(item: ActivityItem, { context, sizes }: Partial<ItemMeaning> = {}) {
  return {
    kind: 'activity' as const,
    item,
    ...(context && { context }),
    ...(sizes && { sizes }),
  };
}

/**
 * Creates alerts without channels for records on a wallet's first page from just before its first
 * watch. The command of another watch may have been sent earlier and its watch be stored later.
 * @param past records of the page, oldest first
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function beforeWatches(
  wallet: WalletAddress,
  past: readonly RecordEvent[],
  nowSeconds: number,
): NewAlert[] {
  const seenAtMs = nowSeconds * 1000;
  const occurrences = new Map<string, number>();
  const alerts: NewAlert[] = [];
  for (const event of past) {
    const identity = identityOf(event);
    const occurrence = (occurrences.get(identity) ?? 0) + 1;
    occurrences.set(identity, occurrence);
    const id = recordAlertId(wallet, kindOf(event).endpoint(event), identity, occurrence);
    if (event.item.time * 1000 >= seenAtMs - RECENT_MS) {
      alerts.push({ id, event, seenAtMs, channels: [] });
    }
  }
  return alerts;
}
