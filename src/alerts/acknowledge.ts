import type { WalletAddress } from '../domain/address.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Delivered } from '../portfolio/results/alerted-positions.ts';
import type { Alert } from './alert.ts';
import type { WalletEvent } from './kinds/kinds.ts';
import { newAlerts } from './new-alerts.ts';
import type { OutboxParts } from './outbox-parts.ts';
import {
  type Change,
  type ChannelsById,
  channelsById,
  onlyFor,
  type WalletState,
  withoutChannels,
} from './wallets/wallet-document.ts';

export type { Delivered };

/** Alerts that are removed from a channel's waiting list. */
interface TakenOut {
  readonly wallet: WalletAddress;
  readonly channelId: string;
  readonly taken: ChannelsById;
  readonly events: readonly WalletEvent[];
  /** Ids of alerts that are still being moved to this channel's own list, because it is delayed. */
  readonly onTheWay: ReadonlySet<string>;
}

/** Whether a delayed channel's time has reached an alert. */
type IsReleased = (alert: Pick<Alert, 'wallet' | 'id'>) => boolean;

/**
 * Returns the function that removes alerts from the wallets' documents and stores the consequences
 * in the same write.
 */
export function createAcknowledge(parts: OutboxParts) {
  const { documents, waiting, walletIndex, builder, receiverOutbox } = parts;

  /**
   * Removes a channel's waiting alerts from the wallet's document, if they are there: the alerts of
   * a delayed channel wait elsewhere. The consequences are stored in the same write.
   * @param follow returns the new state and the alerts that result from the removal
   */
  const takeOut = (
    wallet: WalletAddress,
    channelId: string,
    alerts: readonly Pick<Alert, 'id' | 'event'>[],
    follow: (state: WalletState, taken: TakenOut) => Change,
  ): Promise<void> =>
    documents.run(wallet, async () => {
      const before = await documents.readFor(wallet, channelId);
      const ids = new Set(alerts.map(({ id }) => id));
      const taken = channelsById(alerts.map(({ id }) => ({ id, channels: [channelId] })));
      // The document of an unwatched wallet may have been deleted at the start.
      const isEmpty = before.outbox.length === 0 && Object.keys(before.state).length === 0;
      if (isEmpty) return waiting.set(wallet, [], [channelId]);
      const events = alerts.map(({ event }) => event);
      const onTheWay = new Set(
        before.outbox.filter(({ delayed }) => delayed?.includes(channelId)).map(({ id }) => id),
      );
      const followed = follow(before.state, { wallet, channelId, taken, events, onTheWay });
      const { alerts: further } = followed;
      const state = receiverOutbox.add(wallet, followed.state, { alerts: further });
      const added = newAlerts(further, before.outbox, builder.isLater);
      const outbox = [...withoutChannels(before.outbox, taken), ...added];
      const isIn = before.outbox.some(
        ({ id, channels }) => ids.has(id) && channels.includes(channelId),
      );
      if (!isIn && added.length === 0 && state === before.state) return;
      // Nothing is kept for a channel that does not watch the wallet.
      const isKept = builder.isRemembered(channelId, wallet);
      const since = { channelId, isKept, done: [...ids], added };
      await documents.writeAfter(wallet, { state, outbox }, since);
      if (state.knowledge?.unannounced !== before.state.knowledge?.unannounced) {
        walletIndex.noteUnannounced(wallet, state);
      }
      // Only these channels change, and thousands of channels may be waiting for the same alerts.
      const changed = new Set([channelId, ...added.flatMap(({ channels }) => channels)]);
      const ofChanged = outbox.map((alert) => onlyFor(alert, (other) => changed.has(other)));
      waiting.set(wallet, ofChanged, changed);
      if (added.length > 0) waiting.announce(added);
      receiverOutbox.notify(wallet, state);
    });

  /**
   * Returns the state after a channel has received alerts, or never will (null), and the results
   * that this brings.
   */
  const counted = (
    state: WalletState,
    out: TakenOut,
    delivered: Delivered | null,
    isReleased: IsReleased,
  ): Change => {
    const { wallet, channelId, taken, events, onTheWay } = out;
    const posted = delivered === null ? state : builder.afterPosting(state, channelId, events);
    const isReleasedHere = (other: string, id: string) =>
      other === channelId && !onTheWay.has(id) && isReleased({ wallet, id });
    return builder.afterDelivery(wallet, posted, taken, delivered, isReleasedHere);
  };

  /**
   * Removes alerts from the documents that a channel has received, or will never receive (null).
   * @param isReleased left out where the delayed time does not matter
   */
  return async (
    channelId: string,
    alerts: readonly Pick<Alert, 'wallet' | 'id' | 'event'>[],
    delivered: Delivered | null,
    isReleased: IsReleased = () => false,
  ): Promise<void> => {
    const acknowledged = [...groupBy(alerts, ({ wallet }) => wallet)].map(([wallet, own]) =>
      takeOut(wallet, channelId, own, (state, taken) =>
        counted(state, taken, delivered, isReleased),
      ),
    );
    await Promise.all(acknowledged);
  };
}
