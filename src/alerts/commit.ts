import type { WalletAddress } from '../domain/address.ts';
import type { Machine } from '../lib/machine.ts';
import { withContextOf } from './alert.ts';
import type { AlertBuilder } from './builder/build.ts';
import type { CatchUp } from './catch-up.ts';
import type { Decisions, HeldRecord } from './decisions.ts';
import type { HandingOn } from './hand-on.ts';
import { notWaiting } from './not-waiting.ts';
import { createOutboxBounds } from './outbox-bounds.ts';
import type { WaitingAlerts } from './waiting-alerts.ts';
import {
  type Change,
  channelsById,
  type NewAlert,
  type WalletState,
} from './wallets/wallet-document.ts';
import type { WalletDocuments } from './wallets/wallet-documents.ts';
import type { WalletIndex } from './wallets/wallet-index.ts';

/**
 * Makes what commits to the wallets' documents: what follows from a page or an answer, and the
 * alerts for their channels.
 */
export function createCommit(
  { log, onFailpoint }: Machine,
  parts: {
    readonly documents: Pick<WalletDocuments, 'run' | 'read' | 'write'>;
    readonly waiting: Pick<WaitingAlerts, 'set' | 'announce'>;
    readonly catchUp: Pick<CatchUp, 'noteCommitted'>;
    readonly walletIndex: Pick<WalletIndex, 'notePurchases' | 'noteStored'>;
    readonly builder: Pick<AlertBuilder, 'afterDelivery'>;
    readonly decisions: Pick<Decisions, 'held'>;
    readonly handingOn: Pick<HandingOn, 'add' | 'tell'>;
    /** Tells whether a channel hears later. */
    readonly isLater: (channelId: string) => boolean;
  },
) {
  const { documents, waiting, catchUp, walletIndex, builder, decisions, handingOn, isLater } =
    parts;
  const bounded = createOutboxBounds();

  /** The state once alerts are given up, and the results that follow. */
  const afterGivingUp = (
    wallet: WalletAddress,
    dropped: readonly NewAlert[],
    state: WalletState,
  ): Change => {
    if (dropped.length === 0) return { state, alerts: [] };
    return builder.afterDelivery(wallet, state, channelsById(dropped), null);
  };

  /**
   * Stores what changes and the alerts that follow from it in one write. Rejects if the store does:
   * whether the write has landed all the same shows at the next call for the wallet, which goes on
   * from what the store holds.
   *
   * @param change what is new, from what is stored at that moment: two endpoints of a wallet share
   *   its document. Null: nothing
   * @returns whether there was something
   */
  return (wallet: WalletAddress, change: (state: WalletState) => Change | null): Promise<boolean> =>
    documents.run(wallet, async () => {
      const before = await documents.read(wallet);
      const changed = change(before.state);
      if (changed === null) return false;
      const { alerts, contexts } = changed;
      const news = notWaiting(alerts, before.outbox, isLater);
      if (news.length > 0) onFailpoint('poll.detected');
      const inContext = withContextOf(contexts);
      const all = [...before.outbox.map(inContext), ...news];
      const { kept, dropped } = bounded(wallet, all);
      const withChange = { ...before.state, ...changed.state };
      const afterDrops = afterGivingUp(wallet, dropped, withChange);
      const results = notWaiting(afterDrops.alerts, kept, isLater);
      const outbox = [...kept, ...results];
      const handed = { ...changed, alerts: [...alerts, ...afterDrops.alerts] };
      const state = handingOn.add(wallet, afterDrops.state, handed);
      // Before the store has said yes: another wallet's page may be looked at meanwhile, and
      // neither must miss what the other has bought, nor announce the same consensus again.
      walletIndex.notePurchases(wallet, state);
      await documents.write(wallet, { state, outbox });
      walletIndex.noteStored(wallet, state);
      catchUp.noteCommitted(wallet, alerts, inContext);
      if (news.length > 0) onFailpoint('poll.stored');
      decisions.held(heldForGood(changed));
      if (dropped.length > 0) {
        const channels = new Set(dropped.flatMap((alert) => alert.channels)).size;
        log.error({ event: 'outbox.backlog_dropped', wallet, channels, alerts: dropped.length });
        decisions.held(heldByBacklog(wallet, dropped));
      }
      // Each channel that has lost alerts has a notice in the outbox: no other need be named.
      waiting.set(wallet, outbox);
      // What waited for its context may now be sent: all of it is looked at again.
      waiting.announce(contexts === undefined ? [...news, ...results] : outbox);
      handingOn.tell(wallet, state);
      return true;
    });
}

/** Records that channels do not get: one that hears later may want what is held from it now. */
function heldForGood({ alerts, held = [] }: Change): HeldRecord[] {
  const channelsById = new Map(alerts.map(({ id, channels }) => [id, channels]));
  return held.filter(({ alert, channelId }) => {
    const channels = channelsById.get(alert.id);
    return !channels?.includes(channelId);
  });
}

/** Alerts that channels do not get because too much waited for them. */
function heldByBacklog(wallet: WalletAddress, dropped: readonly NewAlert[]): HeldRecord[] {
  const held: HeldRecord[] = [];
  for (const { id, event, channels } of dropped) {
    const alert = { id, wallet, event };
    for (const channelId of channels) held.push({ alert, channelId, hold: { by: 'backlog' } });
  }
  return held;
}
