import { createAlerts } from '../../alerts/alerts.ts';
import { createIntake } from '../../alerts/intake.ts';
import { createReceiverRouting } from '../../alerts/receiver-outbox.ts';
import { createPositionAsker } from '../../alerts/scheduled/ask-feed.ts';
import { createFirstReading } from '../../alerts/wallets/first-reading.ts';
import { walletsWithAlerts } from '../../alerts/wallets/waiting-search.ts';
import { hasReceiver } from '../../alerts-out/settings.ts';
import { keysInQueue } from '../../delivery/channel-queue.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { createLater } from '../../later/later.ts';
import { createChannelClock } from '../../watches/channel-clock.ts';
import { createVerdicts } from '../../watches/verdicts.ts';
import type { AppContext } from '../context.ts';
import type { DocumentParts } from './documents.ts';
import type { FeedParts } from './feed.ts';

export type AlertParts = ReturnType<typeof createAlertParts>;

/** Creates the parts that create and store alerts. */
export function createAlertParts(context: AppContext, parts: DocumentParts & FeedParts) {
  const { store, signal, ops } = context;
  const { collections, channelQueues, registry } = parts;
  const isGone = (channelId: string) => channelQueues.get(channelId).block?.isGone === true;
  const verdicts = createVerdicts(context, collections.verdicts);
  const { alertsOut, CATCH_UP_AFTER_MINUTES } = context.config;
  const routeToReceivers = createReceiverRouting({
    watchesOf: registry.ofWallet,
    keptOwnersOf(wallet) {
      if (registry.unreadableChannels(wallet).length > 0) return null;
      return new Set(registry.keptOfWallet(wallet).map(({ ownerId }) => ownerId));
    },
    isMeant: (ownerId) => hasReceiver(alertsOut, ownerId),
    isBetterThanLuck: (watch) => verdicts.of(watch) === 'better',
    lateAfterMs: CATCH_UP_AFTER_MINUTES * 60_000,
    venueNowSeconds: parts.venueNowSeconds,
  });
  const alerts = createAlerts(context, {
    ...parts,
    store,
    posted: collections.posted,
    verdicts,
    isGone,
    routeToReceivers,
  });
  const { alertBuilder, outbox } = alerts;
  const shared = { ...parts, ...alerts, signal };
  const positionAsker = createPositionAsker(context, shared);
  const firstReading = createFirstReading(context, {
    ...shared,
    findWaiting: (wallets) => walletsWithAlerts(store, wallets),
  });
  const intake = createIntake(context, {
    ...shared,
    whenKnown: firstReading.whenKnown,
    onGap: ops.metrics.gaps,
    onAmended: ops.metrics.amended,
  });
  const clock = createChannelClock(parts);
  const later = createLater(context, {
    ...shared,
    delayedAlerts: collections.later,
    clock,
    builder: alertBuilder,
    awaitingAnswerMs: positionAsker.awaitingAnswerMs,
    keysInQueue: (channelId) => keysInQueue(channelQueues.get(channelId)),
  });
  const knowledgeOf = async (wallet: WalletAddress) => (await outbox.stateOf(wallet)).knowledge;
  return {
    ...alerts,
    verdicts,
    positionAsker,
    firstReading,
    intake,
    clock,
    later,
    knowledgeOf,
    pruneWallet: outbox.prune,
  };
}
