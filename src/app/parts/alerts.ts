import { createAlerts } from '../../alerts/alerts.ts';
import { createHandOn } from '../../alerts/hand-on.ts';
import { createIntake } from '../../alerts/intake.ts';
import { createPositionAsker } from '../../alerts/scheduled/ask-feed.ts';
import { createFirstReading } from '../../alerts/wallets/first-reading.ts';
import { walletsWithAlerts } from '../../alerts/wallets/waiting-search.ts';
import { isHandedOn } from '../../alerts-out/settings.ts';
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
  const {
    collections,
    channelQueues,
    registry,
    channelSettings,
    feed,
    venueNowMs,
    venueNowSeconds,
  } = parts;
  const isGone = (channelId: string) => channelQueues.get(channelId).block?.isGone === true;
  const verdicts = createVerdicts(context, collections.verdicts);
  const { alertsOut, CATCH_UP_AFTER_MINUTES } = context.config;
  const handOn = createHandOn({
    watchesOf: registry.ofWallet,
    keptOwnersOf(wallet) {
      if (registry.unreadableChannels(wallet).length > 0) return null;
      return new Set(registry.keptOfWallet(wallet).map(({ ownerId }) => ownerId));
    },
    isMeant: (ownerId) => isHandedOn(alertsOut, ownerId),
    isBetterThanLuck: (watch) => verdicts.of(watch) === 'better',
    lateAfterMs: CATCH_UP_AFTER_MINUTES * 60_000,
    venueNowSeconds,
  });
  const alerts = createAlerts(context, {
    store,
    posted: collections.posted,
    registry,
    channelSettings,
    verdicts,
    isGone,
    venueNowSeconds,
    handOn,
  });
  const { walletIndex, alertBuilder, outbox } = alerts;
  const positionAsker = createPositionAsker(context, {
    feed,
    registry,
    walletIndex,
    outbox,
    signal,
  });
  const onGap = ops.metrics.gaps;
  const onAmended = ops.metrics.amended;
  const firstReading = createFirstReading(context, {
    registry,
    channelSettings,
    outbox,
    walletIndex,
    findWaiting: (wallets) => walletsWithAlerts(store, wallets),
    signal,
  });
  const intake = createIntake(context, {
    registry,
    alertBuilder,
    outbox,
    whenKnown: firstReading.whenKnown,
    onGap,
    onAmended,
  });
  const clock = createChannelClock({ channelSettings, venueNowMs });
  const later = createLater(context, {
    room: collections.later,
    outbox,
    clock,
    registry,
    channelSettings,
    builder: alertBuilder,
    decisions: alerts.decisions,
    venueNowMs,
    holdMs: positionAsker.awaitingAnswerMs,
    keysInQueue: (channelId) => keysInQueue(channelQueues.get(channelId)),
    signal,
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
