import { PermissionFlagsBits } from 'discord.js';
import { createAlertMessages } from '../delivery/alert-messages.ts';
import { createComposer } from '../delivery/compose.ts';
import { classifyFailure } from '../delivery/failures.ts';
import { createPace } from '../delivery/pace.ts';
import { createPost } from '../delivery/post.ts';
import { createSendGate } from '../delivery/send-gate.ts';
import { createDeliveryWorker } from '../delivery/worker.ts';
import { createDetailsKeeper } from '../details/records.ts';
import { createDigestComposer } from '../digests/compose.ts';
import { createDigestRunner } from '../digests/runner.ts';
import { requestsPerSecond } from '../discord/gateway/shards.ts';
import { serverChannel } from '../discord/permissions.ts';
import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { namingGuilds } from '../lib/log/log.ts';
import { createNoticeRunner } from '../notices/runner.ts';
import type { BotParts } from './bot-parts.ts';
import type { AppContext } from './context.ts';

/** Of Discord's requests a second one in so many is for messages to persons. */
const PERSONS_PART = 5;

export type Delivery = ReturnType<typeof createDelivery>;

/** What brings alerts and digests to their channels. */
export function createDelivery(context: AppContext, parts: BotParts) {
  const { config, log, onFatal, ops, signal } = context;
  const { registry, personDocuments: persons, feed, intake, outbox, positionAsker, client, mayIn } = parts;
  const { venueNowMs } = parts.budget;
  const machine = { ...context, log: namingGuilds(log, (channelId) => serverChannel(client, channelId)?.guildId) };
  const personEveryMs = (1_000 * PERSONS_PART) / requestsPerSecond(config.sharding);
  const toPersons = createPace(context, personEveryMs, signal);
  const { metrics } = ops;
  /**
   * Counts how each attempt ends. Messages to persons keep to a part of Discord's rate: many of them at once must not hold up
   * the servers.
   */
  const counted =
    <Args extends unknown[], Result>(send: (channelId: string, ...args: Args) => Promise<Result>) =>
    async (channelId: string, ...args: Args): Promise<Result> => {
      const isPersons = persons.ofChannel(channelId) !== undefined;
      if (isPersons) await toPersons();
      const observe = metrics.sendSeconds.startTimer();
      try {
        const sent = await send(channelId, ...args);
        metrics.sends({ outcome: 'sent' });
        if (isPersons) persons.trust(channelId);
        return sent;
      } catch (error) {
        metrics.sends({ outcome: classifyFailure(error).kind });
        throw error;
      } finally {
        observe();
      }
    };
  const sender = { send: counted(parts.sender.send), edit: counted(parts.sender.edit) };
  const post = createPost(machine, parts.sender);
  /** What is sent with, and what is shown. */
  const shared = { ...parts, ...parts.alertBuilder, venueNowMs, sender, post };
  const composer = createComposer({
    ...shared,
    showsEmbeds: mayIn(PermissionFlagsBits.EmbedLinks),
    polledAtMs(wallet, name) {
      const seconds = intake.pageSeconds(wallet, name);
      return seconds === null ? null : seconds * 1000;
    },
    catchUpAfterMs: config.CATCH_UP_AFTER_MINUTES * 60_000,
    keepDetails: createDetailsKeeper({ ...machine, ...shared, records: parts.detailsRecords }),
  });
  const isRead = (wallet: WalletAddress, sinceMs: number) =>
    ENDPOINT_NAMES.every(
      (name) => !feed.availability.isOpen(name) || (intake.pageSeconds(wallet, name) ?? 0) * 1000 >= sinceMs,
    );
  const digestRunner = createDigestRunner(machine, {
    ...shared,
    documents: parts.digests,
    compose: createDigestComposer(context, { ...shared, isRead }),
    isRead: (channelId, sinceMs) => registry.ofChannel(channelId).every(({ wallet }) => isRead(wallet, sinceMs)),
    canAttach: mayIn(PermissionFlagsBits.AttachFiles),
  });
  const { availability } = feed;
  const noticeRunner = createNoticeRunner(machine, { ...parts.collections, ...shared, availability });
  const alertMessages = createAlertMessages(machine, {
    ...shared,
    ...composer,
    ...sender,
    holdMs: positionAsker.heldMs,
    onArrived(channelId, alerts) {
      const atSeconds = venueNowMs() / 1000;
      for (const { wallet, event } of alerts) {
        if (event.kind === 'gap') metrics.gapNotices({ cause: event.gap.cause });
        if (event.kind !== 'activity' && event.kind !== 'transfer') continue;
        ops.arrived(registry.get(channelId, wallet)?.ownerId ?? null, {
          delaySeconds: Math.max(0, atSeconds - event.item.time),
          saysPosition: event.kind === 'activity' ? event.context !== undefined : null,
        });
      }
    },
  });
  const deliveryWorker = createDeliveryWorker(machine, {
    channelQueues: parts.channelQueues,
    sources: [alertMessages, digestRunner, noticeRunner],
    gate: createSendGate(context),
    // Whoever has closed their messages is asked again only when they use the bot.
    isRechecked: (channelId) => persons.ofChannel(channelId) === undefined,
    onRefused: () => onFatal(EXIT_CONFIG),
  });
  for (const { listen } of [outbox, positionAsker])
    listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  return { deliveryWorker, noticeRunner };
}
