import type { WalletAddress } from '../../domain/address.ts';
import { type ActivityItem, activityIdentity, transferIdentity } from '../../domain/records.ts';
import type { ItemMeaning } from '../../portfolio/update.ts';
import { recordAlertId } from '../alert.ts';
import type { RecordEvent } from '../decisions.ts';
import { type NewAlert, RECENT_MS } from '../wallets/wallet-document.ts';

/** A trade or redemption with what is known of it. */
export function activityEvent(item: ActivityItem, { context, sizes }: Partial<ItemMeaning> = {}) {
  return {
    kind: 'activity' as const,
    item,
    ...(context && { context }),
    ...(sizes && { sizes }),
  };
}

/**
 * Makes alerts for nobody of what a wallet's first page shows from just before its first watch:
 * another command may have been sent before that watch's, and its own be stored later.
 *
 * @param past of the page, oldest first
 * @param nowSeconds the venue's clock, Unix seconds
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
    const { endpoint, identity } = shownBy(event);
    const occurrence = (occurrences.get(identity) ?? 0) + 1;
    occurrences.set(identity, occurrence);
    const id = recordAlertId(wallet, endpoint, identity, occurrence);
    if (event.item.time * 1000 >= seenAtMs - RECENT_MS) {
      alerts.push({ id, event, seenAtMs, channels: [] });
    }
  }
  return alerts;
}

/** The endpoint that shows a record, and its identity there. */
function shownBy(event: RecordEvent) {
  switch (event.kind) {
    case 'activity':
      return { endpoint: 'activity', identity: activityIdentity(event.item) };
    case 'transfer':
      return { endpoint: 'deposits-withdrawals', identity: transferIdentity(event.item) };
  }
}
