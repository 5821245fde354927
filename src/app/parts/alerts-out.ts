import { createMover } from '../../alerts-out/mover.ts';
import { createPoster, type Poster } from '../../alerts-out/poster.ts';
import { hasReceiver } from '../../alerts-out/settings.ts';
import { createFilteredAlone } from '../../delivery/messages/filtered-alone.ts';
import { createWishes } from '../../delivery/messages/wishes.ts';
import { createFence } from '../../store/store.ts';
import type { AppContext } from '../context.ts';
import type { AlertParts } from './alerts.ts';
import type { DocumentParts } from './documents.ts';
import type { FeedParts } from './feed.ts';

/** Creates the parts that deliver alerts to a receiver outside Discord. */
export function createAlertsOutParts(
  context: AppContext,
  parts: DocumentParts & FeedParts & AlertParts,
) {
  const { config, ops, signal, store } = context;
  const { collections, registry, outbox, positionAsker, walletIndex } = parts;
  const settings = config.alertsOut;
  const queue = collections.receiverQueue;
  let poster: Poster | null = null;
  const filteredAlone = createFilteredAlone(
    createWishes(parts),
    ({ channelId, wallet, event }) =>
      event.kind === 'activity' && walletIndex.isUnannounced(channelId, wallet, event.item),
  );
  const mover = createMover(context, {
    queue,
    outbox,
    isMeant: (ownerId, wallet) =>
      hasReceiver(settings, ownerId) &&
      poster?.isGone() !== true &&
      registry.ofWallet(wallet).some((watch) => watch.ownerId === ownerId),
    awaitingAnswerMs: positionAsker.awaitingAnswerMs,
    isFilteredAlone: (alert) => filteredAlone(alert.channelId, [alert]).length > 0,
    isWalletKnown: parts.firstReading.isWalletKnown,
    signal,
  });
  if (settings !== null) {
    poster = createPoster(context, {
      settings,
      queue,
      isUnsure: mover.isUnsure,
      fence: createFence(context, store.prove),
      onOutcome: (outcome) => ops.metrics.alertsOut({ outcome }),
      signal,
    });
    mover.listen(poster.look);
  }
  return {
    alertsOut: {
      /** True if alerts of an owner are delivered outside Discord. */
      hasReceiver: (ownerId: string) => hasReceiver(settings, ownerId),
      /** Number of waiting alerts, and of alerts dropped because too many waited. */
      counts() {
        const { waiting, dropped } = queue.counts();
        return { waiting, dropped: dropped + outbox.droppedForReceivers() };
      },
      /**
       * Deletes waiting alerts of owners that are no longer configured, then starts to move and
       * post.
       */
      async start(): Promise<void> {
        for (const ownerId of queue.owners()) {
          if (!hasReceiver(settings, ownerId)) await queue.forget({ ownerId });
        }
        mover.start();
        poster?.start();
      },
      /** Checks again for alerts that may be posted, because another wallet has been read. */
      reconsider: () => poster?.look(),
      /** Resolves when nothing is moved or posted any more, after the signal. */
      async stop(): Promise<void> {
        await poster?.stop();
        await mover.idle();
        await queue.idle();
      },
    },
  };
}
