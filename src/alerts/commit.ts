import type { WalletAddress } from '../domain/address.ts';
import type { Machine } from '../lib/machine.ts';
import { withContextOf } from './alert.ts';
import type { CatchUp } from './catch-up.ts';
import type { FilteredRecord } from './decisions.ts';
import { newAlerts } from './new-alerts.ts';
import { createOutboxBounds } from './outbox-bounds.ts';
import type { OutboxParts } from './outbox-parts.ts';
import {
  type Change,
  channelsById,
  type NewAlert,
  type WalletState,
} from './wallets/wallet-document.ts';

/**
 * Returns the function that commits to the wallets' documents: the changes that a page or an answer
 * brings, and the alerts for their channels.
 */
export function createCommit(
  { log, onFailpoint }: Machine,
  parts: OutboxParts & { readonly catchUp: CatchUp },
) {
  const { documents, waiting, catchUp, walletIndex, builder, decisions, receiverOutbox } = parts;
  const { isLater } = builder;
  const bounded = createOutboxBounds();

  /** Returns the state after alerts were dropped, and the results that this brings. */
  const afterGivingUp = (
    wallet: WalletAddress,
    dropped: readonly NewAlert[],
    state: WalletState,
  ): Change => {
    if (dropped.length === 0) return { state, alerts: [] };
    return builder.afterDelivery(wallet, state, channelsById(dropped), null);
  };

  /**
   * Stores a change and its alerts in one write. Rejects if the store does. Whether that write took
   * effect anyway shows at the next call for the wallet, which continues from what the store holds.
   * @param change computes the change from what is stored at that moment, because the two endpoints
   *   of a wallet share its document. Null means no change
   * @returns true if something was stored
   */
  return (wallet: WalletAddress, change: (state: WalletState) => Change | null): Promise<boolean> =>
    documents.run(wallet, async () => {
      const before = await documents.read(wallet);
      const changed = change(before.state);
      if (changed === null) return false;
      const { alerts, contexts } = changed;
      const news = newAlerts(alerts, before.outbox, isLater);
      if (news.length > 0) onFailpoint('poll.detected');
      const inContext = withContextOf(contexts);
      const all = [...before.outbox.map(inContext), ...news];
      const { kept, dropped } = bounded(wallet, all);
      const withChange = { ...before.state, ...changed.state };
      const afterDrops = afterGivingUp(wallet, dropped, withChange);
      const results = newAlerts(afterDrops.alerts, kept, isLater);
      const outbox = [...kept, ...results];
      const update = { ...changed, alerts: [...alerts, ...afterDrops.alerts] };
      const state = receiverOutbox.add(wallet, afterDrops.state, update);
      // Before the store has confirmed, because another wallet's page may be processed in the
      // meantime. Neither must miss the other's purchase or announce the same consensus twice.
      walletIndex.notePurchases(wallet, state);
      await documents.write(wallet, { state, outbox });
      walletIndex.noteStored(wallet, state);
      catchUp.noteCommitted(wallet, alerts, inContext);
      if (news.length > 0) onFailpoint('poll.stored');
      decisions.filtered(filteredForGood(changed));
      if (dropped.length > 0) {
        const channels = new Set(dropped.flatMap((alert) => alert.channels)).size;
        log.error({ event: 'outbox.backlog_dropped', wallet, channels, alerts: dropped.length });
        decisions.filtered(droppedByBacklog(wallet, dropped, isLater));
      }
      // Every channel that has lost alerts has a notice in the outbox, so no other channels need to
      // be named.
      waiting.set(wallet, outbox);
      // Alerts that were waiting for their context may now be sent, so all of them are considered
      // again.
      waiting.announce(contexts === undefined ? [...news, ...results] : outbox);
      receiverOutbox.notify(wallet, state);
      return true;
    });
}

/**
 * Returns the records that channels will never receive. Leaves out a record if a delayed channel
 * still lists its alert, because the channel may want it later even if a filter excludes it now.
 */
function filteredForGood({ alerts, filtered = [] }: Change): FilteredRecord[] {
  const channelsById = new Map(alerts.map(({ id, channels }) => [id, channels]));
  return filtered.filter(({ alert, channelId }) => {
    const channels = channelsById.get(alert.id);
    return !channels?.includes(channelId);
  });
}

/**
 * Returns the alerts that channels do not receive because too many were waiting. Leaves out delayed
 * channels, because the records must not be suggested there before their notice is posted.
 */
function droppedByBacklog(
  wallet: WalletAddress,
  dropped: readonly NewAlert[],
  isLater: (channelId: string) => boolean,
): FilteredRecord[] {
  const filtered: FilteredRecord[] = [];
  for (const { id, event, channels } of dropped) {
    const alert = { id, wallet, event };
    for (const channelId of channels) {
      if (!isLater(channelId)) filtered.push({ alert, channelId, reason: { by: 'backlog' } });
    }
  }
  return filtered;
}
