import { PermissionFlagsBits } from 'discord.js';
import { createChartRenderer } from '../../charts/render.ts';
import { createAlertMessages } from '../../delivery/alert-messages.ts';
import { classifyFailure } from '../../delivery/failures.ts';
import { createComposer } from '../../delivery/messages/compose.ts';
import { createPost } from '../../delivery/post.ts';
import { createRetryBudget } from '../../delivery/refused/retry-budget.ts';
import { createSendGate } from '../../delivery/send-gate.ts';
import { createWhy } from '../../delivery/why.ts';
import { createDeliveryWorker } from '../../delivery/worker.ts';
import { createDetailsKeeper } from '../../details/records.ts';
import { createDigestComposer } from '../../digests/compose.ts';
import { createDigestRunner } from '../../digests/runner.ts';
import { serverChannel, takesEdits } from '../../discord/permissions.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES } from '../../domain/records.ts';
import { createLinks } from '../../embeds/links.ts';
import { EXIT_CONFIG } from '../../lib/error.ts';
import { namingGuilds } from '../../lib/log/log.ts';
import { nextEndpointOutage, nextLateOutage, nextOutage } from '../../notices/outage.ts';
import { createNoticeRunner } from '../../notices/runner.ts';
import { createQuietness } from '../../watches/quiet-hours.ts';
import type { AppContext } from '../context.ts';
import type { AlertParts } from './alerts.ts';
import type { DiscordParts } from './discord.ts';
import type { DocumentParts } from './documents.ts';
import type { FeedParts } from './feed.ts';
import { createLanguages } from './languages.ts';

type Parts = DocumentParts & FeedParts & AlertParts & DiscordParts;

/** Creates the parts that deliver alerts, digests and notices to their channels. */
export function createDeliveryParts(context: AppContext, parts: Parts) {
  const { config, log, onFatal } = context;
  const { client, mayIn, registry, personDocuments, feed } = parts;
  const machine = {
    ...context,
    log: namingGuilds(log, (channelId) => serverChannel(client, channelId)?.guildId),
  };
  const languages = createLanguages(config, parts);
  const links = createLinks(config);
  const charts = createChartRenderer();
  /** Parts shared by alerts, details, digests and notices. */
  const shared = {
    ...parts,
    ...parts.walletIndex,
    outbox: { ...parts.later, stateOf: parts.outbox.stateOf },
    awaitingAnswerMs: parts.positionAsker.awaitingAnswerMs,
    isQuietAt: quietnessOf(parts),
    links,
    charts,
    languageOf: languages.languageOf,
    sender: countingSender(context, parts),
    post: createPost(machine, parts.sender),
  };
  const composer = createComposer({
    ...shared,
    showsEmbeds: mayIn(PermissionFlagsBits.EmbedLinks),
    takesEdits: (channelId) => takesEdits(client, channelId),
    catchUpAfterMs: config.CATCH_UP_AFTER_MINUTES * 60_000,
    shownIn: parts.detailsRecords.shown,
    keepDetails: createDetailsKeeper({ ...machine, ...shared, records: parts.detailsRecords }),
  });
  const isRead = readsOf(parts);
  const digestRunner = createDigestRunner(machine, {
    ...shared,
    documents: parts.digests,
    compose: createDigestComposer(context, { ...shared, isRead }),
    isRead: (channelId, sinceMs) =>
      registry.ofChannel(channelId).every(({ wallet }) => isRead(wallet, sinceMs)),
    canAttach: mayIn(PermissionFlagsBits.AttachFiles),
  });
  const { outages, notices, endpointOutages, endpointNotices } = parts.collections;
  const { lateOutages, lateNotices } = parts.collections;
  const ofVenue = { outages, notices, nextOutage };
  const ofEndpoints = {
    outages: endpointOutages,
    notices: endpointNotices,
    nextOutage: nextEndpointOutage,
  };
  const ofLists = { outages: lateOutages, notices: lateNotices, nextOutage: nextLateOutage };
  const noticeRunners = [ofVenue, ofEndpoints, ofLists].map((kind) =>
    createNoticeRunner(machine, { ...shared, availability: feed.availability, ...kind }),
  );
  const alertMessages = createAlertMessages(machine, {
    ...shared,
    ...composer,
    ...shared.sender,
    onArrived: arrivalCounter(context, parts),
  });
  const why = createWhy({
    ...shared,
    composer,
  });
  const deliveryWorker = createDeliveryWorker(machine, {
    ...parts,
    sources: [alertMessages, digestRunner, ...noticeRunners],
    gate: createSendGate(context),
    retryBudget: createRetryBudget(context, {
      share: parts.share,
      accountIn: (channelId) => parts.payers.accountOf(parts.ownerOf(channelId) ?? channelId),
    }),
    isKnown: parts.firstReading.isKnown,
    reachOf: parts.reachIn,
    // A person who has closed their direct messages is retried only when they use the bot.
    isRechecked: (channelId) => personDocuments.ofChannel(channelId) === undefined,
    onRefused: () => onFatal(EXIT_CONFIG),
  });
  parts.outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  parts.later.listen(deliveryWorker.reconsider);
  return {
    ...languages,
    links,
    charts,
    deliveryWorker,
    why,
    noticeRunners,
  };
}

/** Returns a function that checks whether a time, in epoch ms, is in a channel's quiet hours. */
function quietnessOf({ channelSettings }: Parts) {
  const isQuiet = createQuietness();
  return (channelId: string, atMs: number): boolean => {
    const hours = channelSettings.get(channelId)?.quiet ?? null;
    return hours !== null && isQuiet(hours, atMs);
  };
}

/** Wraps the sender so that its attempts are counted by result. */
function countingSender({ ops: { metrics } }: AppContext, { sender, personDocuments }: Parts) {
  const counted =
    <Args extends unknown[], Result>(send: (channelId: string, ...args: Args) => Promise<Result>) =>
    async (channelId: string, ...args: Args): Promise<Result> => {
      const observe = metrics.sendSeconds.startTimer();
      try {
        const sent = await send(channelId, ...args);
        metrics.sends({ outcome: 'sent' });
        personDocuments.trust(channelId);
        return sent;
      } catch (error) {
        const { kind } = classifyFailure(error);
        if (kind === 'messageGone') metrics.sends({ outcome: 'delivered' });
        // If closed, no request was made.
        else if (kind !== 'closed') metrics.sends({ outcome: kind });
        throw error;
      } finally {
        observe();
      }
    };
  return { ...sender, send: counted(sender.send), edit: counted(sender.edit) };
}

/**
 * Returns a function that checks whether everything that the venue offers about a wallet has been
 * read since a time, in epoch ms.
 */
function readsOf({ feed: { availability }, intake }: Parts) {
  return (wallet: WalletAddress, sinceMs: number): boolean =>
    ENDPOINT_NAMES.every((name) => {
      if (!availability.isOpen(name)) return true;
      return (intake.pageSeconds(wallet, name) ?? 0) * 1000 >= sinceMs;
    });
}

/** Counts deliveries: the delay of each alert, and the gaps that were posted. */
function arrivalCounter(
  { ops }: AppContext,
  { clock, registry }: Parts,
): Parameters<typeof createAlertMessages>[1]['onArrived'] {
  return (channelId, alerts) => {
    const atSeconds = clock.nowMs(channelId) / 1000;
    for (const { wallet, event } of alerts) {
      if (event.kind === 'gap') ops.metrics.gapNotices({ cause: event.gap.cause });
      if (event.kind !== 'activity' && event.kind !== 'transfer') continue;
      const ownerId = registry.get(channelId, wallet)?.ownerId ?? null;
      const delaySeconds = Math.max(0, atSeconds - event.item.time);
      const showsPosition = event.kind === 'activity' ? event.context !== undefined : null;
      ops.arrived(ownerId, { delaySeconds, showsPosition });
    }
  };
}
