import { defaultChannelSettings } from '../watches/channel-settings.ts';
import { personOf } from '../watches/owner.ts';
import type { Delivery } from './bot-delivery.ts';
import type { BotParts } from './bot-parts.ts';
import type { AppContext } from './context.ts';

/** Informs feed, alerts and delivery of watches that are added, changed or removed. */
export function followWatches(
  { log }: AppContext,
  { registry, channelSettings, feed, alertBuilder, outbox, intake, pruneWallet }: BotParts,
  { deliveryWorker }: Delivery,
): void {
  registry.listen({
    walletAdded: (wallet) => feed.watch(wallet),
    walletRemoved(wallet) {
      feed.unwatch(wallet);
      intake.forget(wallet);
      alertBuilder.evictWallet(wallet);
      outbox
        .forget(wallet, () => registry.isNeeded(wallet))
        .catch((error: unknown) => log.error({ event: 'wallet.not_forgotten', wallet, err: error }));
    },
    watchEnding({ ownerId, channelId, wallet }) {
      if (alertBuilder.recordIn(channelId, wallet) === null) return;
      channelSettings
        .change(channelId, (settings = defaultChannelSettings(ownerId, channelId)) => ({
          ...settings,
          rankedBefore: settings.rankedBefore + 1,
        }))
        .catch((error: unknown) => log.error({ event: 'channel.ranked_not_counted', channel: channelId, err: error }));
    },
    watchRemoved({ wallet, ownerId }) {
      // Nothing is kept of a person longer than they have a watch.
      if (personOf(ownerId) === null || registry.ofWallet(wallet).length === 0) return;
      pruneWallet(wallet).catch((error: unknown) => log.error({ event: 'wallet.not_pruned', wallet, err: error }));
    },
    async beginWatches(begun, store) {
      await outbox.catchUp(begun, store);
      for (const { watch } of begun) {
        feed.watchersChanged(watch.wallet);
        // What was kept while it rested is known again before its next poll.
        outbox
          .stateOf(watch.wallet)
          .then((state) => alertBuilder.note(watch.wallet, state))
          .catch((error: unknown) => log.error({ event: 'wallet.not_read', wallet: watch.wallet, err: error }));
      }
    },
    channelChanged(channelId) {
      const isKept = registry.ofChannel(channelId).length > 0 || registry.hasUnreadable(channelId);
      if (isKept) return deliveryWorker.reconsider(channelId);
      deliveryWorker
        .forget(channelId)
        .catch((error: unknown) => log.error({ event: 'channel.not_forgotten', channel: channelId, err: error }));
    },
  });
}
