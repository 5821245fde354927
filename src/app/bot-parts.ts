import { PermissionFlagsBits } from 'discord.js';
import { createAlerts } from '../alerts/alerts.ts';
import { createPositionAsker } from '../alerts/ask-feed.ts';
import { createIntake } from '../alerts/intake.ts';
import { createChartRenderer } from '../charts/render.ts';
import { createAlertMessages } from '../delivery/alert-messages.ts';
import { createChannelQueueStore } from '../delivery/channel-queue.ts';
import { createComposer } from '../delivery/compose.ts';
import { classifyFailure } from '../delivery/failures.ts';
import { createPatience } from '../delivery/patience.ts';
import { createSendGate } from '../delivery/send-gate.ts';
import { createPost, createSender } from '../delivery/sender.ts';
import { createWhy } from '../delivery/why.ts';
import { createDeliveryWorker } from '../delivery/worker.ts';
import { createDetailsKeeper, createDetailsRecords } from '../details/records.ts';
import { createDigestComposer } from '../digests/compose.ts';
import { createDigestRunner } from '../digests/runner.ts';
import { createDiscordClient, createRest } from '../discord/client.ts';
import { trackGateway } from '../discord/gateway/gateway.ts';
import { patientStrategy } from '../discord/gateway/patient-strategy.ts';
import { requestsPerSecond, shareOf } from '../discord/gateway/shards.ts';
import { nameLargeGuilds } from '../discord/guilds/large.ts';
import { learnOwners } from '../discord/guilds/owners.ts';
import { hasPermission, reachOf, serverChannel, takesEdits } from '../discord/permissions.ts';
import { createAdmission } from '../discord/quotas/exceptions.ts';
import { createQuotas } from '../discord/quotas/quotas.ts';
import { createRefusals } from '../discord/requests/refusals.ts';
import { createRequestTurns } from '../discord/requests/turns.ts';
import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import { createLinks } from '../embeds/links.ts';
import { escapeText } from '../embeds/text/escape.ts';
import { languagesNaming } from '../language/language.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { createBusiestPayers } from '../lib/fair-shares/busiest-payers.ts';
import { namingGuilds } from '../lib/log/log.ts';
import { createPagerStore } from '../lookups/pager-store.ts';
import { createNoticeRunner } from '../notices/runner.ts';
import { createPersonDocuments } from '../persons/persons.ts';
import { createFence } from '../store/store.ts';
import { PERSON_SIGN, personOf, personOwner } from '../watches/owner.ts';
import { createPayers } from '../watches/payers.ts';
import { createRegistry } from '../watches/registry.ts';
import { createImports } from '../watches/transfer/imports.ts';
import { createVerdicts } from '../watches/verdicts.ts';
import { VENUE_NAME_MAX } from './config.ts';
import type { AppContext } from './context.ts';
import { openCollections } from './documents/kinds.ts';
import { openFeed } from './feed-half.ts';
import { followLimits } from './limits.ts';

/** Code points of the venue's name with its escapes: each character of it may have one. */
const ESCAPED_NAME_MAX = 2 * VENUE_NAME_MAX + 2;

export type BotParts = Awaited<ReturnType<typeof createParts>>;

/**
 * Makes what the bot half consists of. Nothing of it works yet, and nothing has been read from the
 * store.
 */
export async function createParts(context: AppContext) {
  const { config, log, onFatal, ops, redact, signal, store } = context;
  const { sharding, VENUE_NAME: venueName } = config;

  // Parts that keep documents. Direct messages come to shard 0. What people look up elsewhere may
  // come to another process: it stores nothing of them.
  const servesPersons = sharding === 'auto' || sharding.ids.includes(0);
  const collections = openCollections(context, store);
  const { channelSettings, digests, resting } = collections;
  const registry = createRegistry(context, store);
  const channelQueues = createChannelQueueStore(
    context,
    collections.queues,
    collections.deadLetters,
  );
  const pagers = createPagerStore(
    collections.lists,
    (ownerId) => servesPersons || personOf(ownerId) === null,
  );
  const personDocuments = createPersonDocuments(collections.persons);
  const detailsRecords = createDetailsRecords(collections.details);

  // The feed, and what alerts are made of and kept in.
  const limits = followLimits(log, config.limitsPath, config.LIMITS_FILE);
  const payers = createPayers({
    secret: config.DISCORD_TOKEN,
    weightOf: (ownerId) => limits.get(ownerId)?.weight,
  });
  const feed = await openFeed(context, registry, payers);
  payers.listen((ownerId) => {
    const persons = () => [...registry.owners()].filter((owner) => personOf(owner) !== null);
    const owners = ownerId === PERSON_SIGN ? persons() : [ownerId];
    for (const { wallet } of owners.flatMap(registry.ofOwner)) feed.watchersChanged(wallet);
  });
  const { availability, budget } = feed;
  const { venueNowMs } = budget;
  const venueNowSeconds = () => venueNowMs() / 1000;
  const isGone = (channelId: string) => channelQueues.get(channelId).block?.isGone === true;
  const verdicts = createVerdicts(context, collections.verdicts);
  const { walletIndex, alertBuilder, decisions, catchUp, outbox } = createAlerts(context, {
    store,
    registry,
    channelSettings,
    verdicts,
    isGone,
    venueNowSeconds,
  });
  const positionAsker = createPositionAsker(context, {
    feed,
    registry,
    walletIndex,
    outbox,
    signal,
  });
  const { metrics } = ops;
  const intake = createIntake(context, { registry, alertBuilder, outbox, onGap: metrics.gaps });
  const knowledgeOf = async (wallet: WalletAddress) => (await outbox.stateOf(wallet)).knowledge;

  // Limits: who may use the bot, and how much.
  const limited = { ...config, LIMITS_FILE: limits };
  const admission = createAdmission(limited);
  limits.listen((ownerIds) => {
    ownerIds.forEach(payers.weightChanged);
    admission.changed(ownerIds);
  });
  const quotas = createQuotas(context, {
    limits: limited,
    admission,
    registry,
    budget,
    accountOf: payers.accountOf,
  });
  const imports = createImports(context, { pending: collections.imports, registry, quotas });

  // The ways to Discord: the gateway's client, and REST for messages.
  const { DISCORD_API_URL: apiUrl, DISCORD_TOKEN: token } = config;
  const ownerOf = (channelId: string): string | null => {
    const watchedBy = registry.ofChannel(channelId)[0]?.ownerId;
    const person = personDocuments.ofChannel(channelId);
    const personId = person === undefined ? null : personOwner(person.personId);
    return watchedBy ?? personId ?? serverChannel(client, channelId)?.guildId ?? null;
  };
  const perSecond = requestsPerSecond(sharding);
  const busiest = createBusiestPayers(context, { event: 'discord.busiest_payers' });
  void busiest.run(signal);
  const turns = createRequestTurns(context, {
    accountOf: payers.accountOf,
    ownerOf,
    perSecond,
    signal,
    onTurn: busiest.count,
  });
  const share = shareOf(sharding);
  const refusals = createRefusals(context, { share, accountOf: payers.accountOf, ownerOf });
  const { awaitIdentify } = feed;
  const buildStrategy = patientStrategy(context, signal);
  const client = createDiscordClient({
    apiUrl,
    sharding,
    redact,
    turns,
    refusals,
    awaitIdentify,
    buildStrategy,
  });
  const reachIn = (channelId: string) => {
    const ownerId = registry.ofChannel(channelId)[0]?.ownerId;
    return reachOf(client, channelId, ownerId, context.nowMs());
  };
  const fence = createFence(context, store.prove);
  const rest = createRest({ apiUrl, token, redact, turns, refusals, fence, reachOf: reachIn });
  const mayIn = (permission: bigint) => (channelId: string) =>
    hasPermission(client, channelId, permission);
  const selfId = () => client.user?.id ?? null;
  const sender = createSender({
    rest,
    selfId,
    canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory),
  });

  // Languages of alerts, digests and answers.
  const languageFor = languagesNaming(
    venueName === null ? null : escapeText(venueName, ESCAPED_NAME_MAX, ''),
  );
  const preferred = (channelId: string) =>
    personDocuments.ofChannel(channelId)?.language ??
    serverChannel(client, channelId)?.guild.preferredLocale;
  /** Language of a channel's alerts and digests: its own, else its guild's or its person's. */
  const languageOf = (channelId: string) =>
    languageFor(channelSettings.get(channelId)?.language ?? preferred(channelId));

  // Parts that bring alerts, digests and notices to their channels.
  const links = createLinks(config);
  const charts = createChartRenderer();
  const machine = {
    ...context,
    log: namingGuilds(log, (channelId) => serverChannel(client, channelId)?.guildId),
  };
  /** Counts how each attempt ends. */
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
        // Nothing was asked.
        if (kind !== 'closed') metrics.sends({ outcome: kind });
        throw error;
      } finally {
        observe();
      }
    };
  /** Parts that alerts, details, digests and notices are all made and sent with. */
  const shared = {
    ...walletIndex,
    registry,
    channelSettings,
    verdicts,
    channelQueues,
    decisions,
    outbox,
    links,
    charts,
    languageOf,
    knowledgeOf,
    venueNowMs,
    sender: { ...sender, send: counted(sender.send), edit: counted(sender.edit) },
    post: createPost(machine, sender),
  };
  const composer = createComposer({
    ...shared,
    alertBuilder,
    walletIndex,
    intake,
    showsEmbeds: mayIn(PermissionFlagsBits.EmbedLinks),
    takesEdits: (channelId) => takesEdits(client, channelId),
    catchUpAfterMs: config.CATCH_UP_AFTER_MINUTES * 60_000,
    keepDetails: createDetailsKeeper({ ...machine, ...shared, records: detailsRecords }),
  });
  const isRead = (wallet: WalletAddress, sinceMs: number) =>
    ENDPOINT_NAMES.every(
      (name) =>
        !availability.isOpen(name) || (intake.pageSeconds(wallet, name) ?? 0) * 1000 >= sinceMs,
    );
  const digestRunner = createDigestRunner(machine, {
    ...shared,
    documents: digests,
    compose: createDigestComposer(context, { ...shared, feed, isRead }),
    isRead: (channelId, sinceMs) =>
      registry.ofChannel(channelId).every(({ wallet }) => isRead(wallet, sinceMs)),
    canAttach: mayIn(PermissionFlagsBits.AttachFiles),
  });
  const noticeRunner = createNoticeRunner(machine, { ...collections, ...shared, availability });
  const alertMessages = createAlertMessages(machine, {
    ...shared,
    ...composer,
    ...shared.sender,
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
  const why = createWhy({
    ...shared,
    alertBuilder,
    composer,
    detailsRecords,
    holdMs: positionAsker.heldMs,
  });
  const deliveryWorker = createDeliveryWorker(machine, {
    channelQueues,
    sources: [alertMessages, digestRunner, noticeRunner],
    gate: createSendGate(context),
    patience: createPatience(context, {
      share,
      accountIn: (channelId) => payers.accountOf(ownerOf(channelId) ?? channelId),
    }),
    reachOf: reachIn,
    // Whoever has closed their messages is asked again only when they use the bot.
    isRechecked: (channelId) => personDocuments.ofChannel(channelId) === undefined,
    onRefused: () => onFatal(EXIT_CONFIG),
  });
  outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  learnOwners(client, payers.learn);
  nameLargeGuilds(context, client);
  return {
    collections,
    limits,
    payers,
    registry,
    channelSettings,
    digests,
    verdicts,
    resting,
    channelQueues,
    pagers,
    personDocuments,
    detailsRecords,
    feed,
    budget,
    venueNowSeconds,
    walletIndex,
    catchUp,
    outbox,
    positionAsker,
    intake,
    pruneWallet: outbox.prune,
    knowledgeOf,
    admission,
    quotas,
    imports,
    client,
    refusals,
    gateway: trackGateway(client),
    sender,
    languageFor,
    languageOf,
    links,
    charts,
    deliveryWorker,
    decisions,
    why,
    noticeRunner,
  };
}
