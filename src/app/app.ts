import { Events, PermissionFlagsBits } from 'discord.js';
import type { Logger } from 'pino';
import { activity } from '../../commands/activity.ts';
import { createDetails } from '../../commands/details.ts';
import { flows } from '../../commands/flows.ts';
import { createCardLists } from '../../commands/lists/card-lists.ts';
import { contextFor } from '../../commands/shared/context.ts';
import { createRecency } from '../../commands/shared/recency.ts';
import { noteWallet } from '../../commands/shared/wallet-option.ts';
import { watch } from '../../commands/watch.ts';
import { createAlertBuilder, KNOWLEDGE, wantsSince } from '../alerts/build.ts';
import { createIntake, type Intake } from '../alerts/intake.ts';
import { createOutbox } from '../alerts/outbox.ts';
import { createPictureCache } from '../charts/picture-cache.ts';
import { createChartRenderer } from '../charts/render.ts';
import { createAlertMessages } from '../delivery/alert-messages.ts';
import { createArrivalCheck } from '../delivery/arrival-check.ts';
import { createChannelQueueStore } from '../delivery/channel-queue.ts';
import { type AlertMessage, createComposer } from '../delivery/compose.ts';
import { TokenRefused } from '../delivery/refusals.ts';
import { createSendGate } from '../delivery/send-gate.ts';
import { createSender } from '../delivery/sender.ts';
import { createDeliveryWorker } from '../delivery/worker.ts';
import { createAlertFillsLookup } from '../details/alert-fills.ts';
import { createDetailsKeeper } from '../details/keeper.ts';
import { createDetailsRecords } from '../details/records.ts';
import { createDigestComposer } from '../digests/compose.ts';
import { createDigestDocuments } from '../digests/documents.ts';
import { createDigestRunner } from '../digests/runner.ts';
import { createDigestSender } from '../digests/sender.ts';
import { createAdmission } from '../discord/admission.ts';
import { createDiscordClient, createRest } from '../discord/client.ts';
import { createDispatcher } from '../discord/dispatch.ts';
import { followSession, logIn, trackGateway } from '../discord/gateway.ts';
import { followGuildEvents } from '../discord/guilds.ts';
import { hasPermission, serverChannel } from '../discord/permissions.ts';
import { createQuotas } from '../discord/quotas/quotas.ts';
import { keepRegistering } from '../discord/register.ts';
import { shownSharding } from '../discord/shards.ts';
import { createWelcomes, type Welcomes } from '../discord/welcome.ts';
import { createLinks } from '../embeds/links.ts';
import { readFailpoint } from '../lib/failpoints.ts';
import { namingGuilds } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import { createPageScanCache } from '../lookups/page-scan-cache.ts';
import { createPagerStore } from '../lookups/pager-store.ts';
import { createNoticeDocuments } from '../notices/documents.ts';
import { createNoticeRunner } from '../notices/runner.ts';
import { createOps, type Ops } from '../ops/ops.ts';
import { readKnowledge } from '../portfolio/wallet-knowledge.ts';
import { createFence } from '../store/fence.ts';
import { createQuarantine } from '../store/quarantine.ts';
import type { Store } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { channelLanguages, createChannelSettings } from '../watches/channel-settings.ts';
import { createRegistry } from '../watches/registry.ts';
import { createRestingGuilds } from '../watches/resting-guilds.ts';
import { createImports } from '../watches/transfer/imports.ts';
import { type Config, EXIT_CONFIG } from './config.ts';
import { type AppContext, monotonicMs, nowMs, type Running, random, sleep, stopInOrder, takeStore } from './context.ts';
import { dropMoved } from './documents/moved.ts';
import { createFeedHalf, type FeedHalf } from './feed-half.ts';
import {
  arrivalOf,
  instrumentedCommand,
  instrumentedComponent,
  instrumentedOutbox,
  instrumentedSend,
  instrumentedStore,
} from './instrumented.ts';
import { loadStore } from './load.ts';
import { statusReaders } from './status.ts';

/** Some three hundred charts. */
const PICTURES_BYTES = 16_000_000;
/** For tests alone: ends the process in the middle of its work. */
const KILL_SWITCH = 'WALLETBELL_TEST_KILL_AT';

type Documents = ReturnType<typeof createDocuments>;
type Polling = ReturnType<typeof createPolling>;
type Limits = ReturnType<typeof createLimits>;
type Discord = ReturnType<typeof createDiscord>;
type Presentation = ReturnType<typeof createPresentation>;
type Delivery = ReturnType<typeof createDelivery>;

/** Starts the process that the configuration describes. */
export async function startApp(
  config: Config,
  log: Logger,
  redact: (text: string) => string,
  onFatal: (exitCode: number) => void,
): Promise<Running> {
  if (config.role !== 'feed') return startBot(config, log, redact, onFatal);
  const { startFeed } = await import('./feed-app.ts');
  return startFeed(config, log, redact, onFatal);
}

/** Builds all parts of the bot half, with the feed in this process or in another, wires them and sets them going. */
async function startBot(
  config: Config,
  log: Logger,
  redact: (text: string) => string,
  onFatal: (exitCode: number) => void,
): Promise<Running> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const parts = () => ({ ...documents, ...polling, ...discord, ...delivery, availability: polling.feed.availability });
  const ops = createOps({
    ...statusReaders(parts, nowMs),
    feedTrouble: () => polling.half.trouble(),
    poller: config.nats === null ? 'here' : { lastPollMs: () => polling.half.lastPollMs() },
    version: VERSION,
    identity: { role: config.role, shards: shownSharding(config.sharding) },
    http: config.http,
    heartbeatUrl: config.heartbeatUrl,
    pollMinMs: config.pollMinSeconds * 1000,
    redact,
    nowMs,
    monotonicMs,
    log,
  });
  const { telemetry } = ops;
  if (config.isStandby) await ops.start();
  const opened = await takeStore({ config, log, onFatal });
  const onFailpoint = readFailpoint(process.env[KILL_SWITCH], () => process.kill(process.pid, 'SIGKILL'));
  const context: AppContext = { config, log, redact, onFatal, telemetry, onFailpoint, signal };
  const documents = createDocuments(instrumentedStore(opened, { telemetry, monotonicMs }), context);
  const polling = createPolling(documents, await createFeedHalf(documents.store, documents.registry, context), context);
  const limits = createLimits(documents, polling, context);
  const discord = createDiscord(documents.store, context);
  const welcomes = createWelcomes({
    client: discord.client,
    store: documents.store,
    admission: limits.admission,
    nowMs,
    log,
  });
  await dropMoved(documents.store, log);
  await loadStore({
    ...documents,
    ...polling,
    welcomes,
    isServed: limits.admission.isServed,
    imports: limits.imports,
    nowMs,
    log,
  });

  const intake = createIntake({
    registry: documents.registry,
    alertBuilder: polling.alertBuilder,
    outbox: instrumentedOutbox(polling.outbox, { telemetry }),
    putAside: createQuarantine(documents.store, log),
    log,
  });
  const presentation = createPresentation(documents, discord, context);
  const delivery = createDelivery({ documents, polling, intake, discord, presentation }, context);
  followWatches({ documents, polling, intake, delivery }, context);

  await limits.imports.finish();

  const stopFollowing = answerDiscord(
    { documents, polling, limits, discord, presentation, delivery, welcomes, ops },
    context,
  );

  if (!config.isStandby) await ops.start();
  ops.activate();
  delivery.deliveryWorker.start();
  delivery.noticeRunner.start(delivery.deliveryWorker.reconsider);
  await polling.feed.start(intake);
  startLogin(discord, context);

  return {
    async stop() {
      stopping.abort();
      await stopInOrder([
        stopFollowing,
        ops.stop,
        polling.feed.stop,
        delivery.noticeRunner.stop,
        delivery.deliveryWorker.stop,
        () => discord.client.destroy(),
        polling.half.close,
        polling.outbox.idle,
        documents.store.close,
      ]);
    },
  };
}

/** The store, and the parts that keep documents in it. */
function createDocuments(store: Store, { log }: AppContext) {
  return {
    store,
    registry: createRegistry({ store, log }),
    channelSettings: createChannelSettings(store),
    resting: createRestingGuilds(store),
    digests: createDigestDocuments(store),
    channelQueues: createChannelQueueStore(store, nowMs),
    pagers: createPagerStore(store, nowMs),
    detailsRecords: createDetailsRecords(store, nowMs),
    notices: createNoticeDocuments(store),
  };
}

/** What alerts are made of and kept in, and the feed that they come from. */
function createPolling(
  { store, registry, channelSettings, channelQueues }: Documents,
  half: FeedHalf,
  { log, onFailpoint }: AppContext,
) {
  const { venue, feed } = half;
  const alertBuilder = createAlertBuilder({
    registry,
    channelSettings,
    isGone: (channelId) => channelQueues.get(channelId).block?.gone === true,
    venueNowSeconds: () => venue.venueNowMs() / 1000,
    log,
  });
  const outbox = createOutbox({ store, log, onFailpoint, onDelivered: alertBuilder.onDelivered });
  return { half, venue, feed, budget: venue, alertBuilder, outbox };
}

/** Who may use the bot, and how much. */
function createLimits({ store, registry }: Documents, { budget }: Polling, { config, log, onFailpoint }: AppContext) {
  const admission = createAdmission(config.allowedGuilds, config.limitExceptions);
  const quotas = createQuotas({
    limits: {
      watchesPerGuild: config.watchesPerGuild,
      commandsPerMinute: { user: config.commandsPerMinuteUser, guild: config.commandsPerMinuteGuild },
      lookupShare: config.lookupShare,
    },
    exceptions: config.limitExceptions,
    admission,
    registry,
    budget,
    nowMs,
    clockMs: monotonicMs,
  });
  return { admission, quotas, imports: createImports({ store, registry, quotas, nowMs, log, onFailpoint }) };
}

/** The ways to Discord: the gateway's client, and REST for messages. */
function createDiscord({ prove }: Store, { config, redact }: AppContext) {
  const { discordApiUrl: apiUrl, discordToken: token, sharding } = config;
  const client = createDiscordClient(apiUrl, sharding, redact);
  return {
    client,
    gateway: trackGateway(client),
    rest: createRest({ apiUrl, token, redact, sharding, fence: createFence({ prove, nowMs, monotonicMs }) }),
    /** Whether the bot has a permission in a channel. */
    mayIn: (permission: bigint) => (channelId: string) => hasPermission(client, channelId, permission),
  };
}

/** What alerts, digests and answers are shown with. */
function createPresentation({ channelSettings }: Documents, { client }: Discord, { config }: AppContext) {
  const links = createLinks({
    market: config.marketUrl ?? undefined,
    transaction: config.txUrl ?? undefined,
    wallet: config.walletUrl ?? undefined,
  });
  const languageOf = channelLanguages(
    channelSettings,
    (channelId) => serverChannel(client, channelId)?.guild.preferredLocale,
  );
  return { links, languageOf, charts: createChartRenderer() };
}

/** What brings alerts and digests to their channels. */
function createDelivery(
  {
    documents,
    polling,
    intake,
    discord,
    presentation,
  }: {
    readonly documents: Documents;
    readonly polling: Polling;
    readonly intake: Intake;
    readonly discord: Discord;
    readonly presentation: Presentation;
  },
  { config, log, onFatal, telemetry, onFailpoint }: AppContext,
) {
  const { registry, channelSettings, channelQueues } = documents;
  const { budget, outbox } = polling;
  const { client, rest, mayIn } = discord;
  const { links, languageOf, charts } = presentation;
  const guildLog = namingGuilds(log, (channelId) => serverChannel(client, channelId)?.guildId);
  const gate = createSendGate({ monotonicMs, sleep, random, log });
  const direct = createSender({
    rest,
    selfId: () => client.user?.id ?? null,
    canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory),
  });
  const knowledgeOf = knowledgeReader(polling, log);
  const sender = {
    ...direct,
    send: instrumentedSend(direct.send, { telemetry, monotonicMs }),
    edit: instrumentedSend(direct.edit, { telemetry, monotonicMs }),
  };
  const composer = createComposer({
    registry,
    channelSettings,
    links,
    languageOf,
    scoreIn: polling.alertBuilder.scoreIn,
    venueNowMs: budget.venueNowMs,
    polledAtMs(wallet, name) {
      const seconds = intake.pageSeconds(wallet, name);
      return seconds === null ? null : seconds * 1000;
    },
    catchUpAfterMs: config.catchUpAfterMinutes * 60_000,
    keepDetails: createDetailsKeeper({
      records: documents.detailsRecords,
      registry,
      knowledgeOf,
      nowMs,
      log: guildLog,
    }),
  });
  const isRead = (wallet: WalletAddress, sinceMs: number) =>
    ENDPOINT_NAMES.every(
      (name) => !polling.feed.availability.isOpen(name) || (intake.pageSeconds(wallet, name) ?? 0) * 1000 >= sinceMs,
    );
  const arrivalCheck = createArrivalCheck({ findReferences: sender.findReferences, nowMs, log: guildLog });
  const digestRunner = createDigestRunner({
    documents: documents.digests,
    registry,
    compose: createDigestComposer({
      registry,
      knowledgeOf,
      isRead,
      charts,
      links,
      languageOf,
      nowMs,
      log,
    }),
    isRead: (channelId, sinceMs) => registry.ofChannel(channelId).every(({ wallet }) => isRead(wallet, sinceMs)),
    send: createDigestSender({ rest, canAttach: mayIn(PermissionFlagsBits.AttachFiles) }),
    arrivalCheck,
    nowMs,
    log: guildLog,
    onFailpoint,
  });
  const noticeRunner = createNoticeRunner({
    documents: documents.notices,
    registry,
    availability: polling.feed.availability,
    sender,
    arrivalCheck,
    languageOf,
    nowMs,
    log: guildLog,
  });
  const alertMessages = createAlertMessages<AlertMessage>({
    ...composer,
    ...sender,
    arrivalCheck,
    outbox,
    channelQueues,
    nowMs,
    venueNowMs: budget.venueNowMs,
    log: guildLog,
    onFailpoint,
    onArrived(channelId, alerts) {
      const [first] = alerts;
      const guildId = first === undefined ? undefined : registry.get(channelId, first.wallet)?.guildId;
      telemetry.arrived(arrivalOf(alerts, budget.venueNowMs(), guildId ?? null));
    },
  });
  const deliveryWorker = createDeliveryWorker({
    sources: [alertMessages, digestRunner, noticeRunner],
    channelQueues,
    gate,
    nowMs,
    sleep,
    random,
    log: guildLog,
    onRefused: () => onFatal(EXIT_CONFIG),
  });
  outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  return { deliveryWorker, noticeRunner };
}

/** Informs feed, alerts and delivery of watches that are added, changed or removed. */
function followWatches(
  {
    documents: { registry },
    polling: { half, feed, alertBuilder, outbox },
    intake,
    delivery: { deliveryWorker },
  }: {
    readonly documents: Documents;
    readonly polling: Polling;
    readonly intake: Intake;
    readonly delivery: Delivery;
  },
  { log }: AppContext,
): void {
  registry.listen({
    walletAdded: (wallet) => feed.watch(wallet),
    walletRemoved(wallet) {
      feed.unwatch(wallet);
      intake.forget(wallet);
      alertBuilder.evictWallet(wallet);
      outbox.forget(wallet).catch((error: unknown) => log.error({ event: 'wallet.not_forgotten', wallet, err: error }));
    },
    watchBegun(watch, fromSeconds) {
      const { wallet, channelId } = watch;
      half.watchersChanged(wallet);
      outbox
        .catchUp(wallet, channelId, (alert) => wantsSince(watch, fromSeconds, alert))
        .catch((error: unknown) => log.error({ event: 'watch.not_caught_up', wallet, channel: channelId, err: error }));
    },
    channelChanged(channelId) {
      if (registry.ofChannel(channelId).length > 0) return deliveryWorker.reconsider(channelId);
      deliveryWorker
        .forget(channelId)
        .catch((error: unknown) => log.error({ event: 'channel.not_forgotten', channel: channelId, err: error }));
    },
  });
}

/** Reads what is known of a wallet from its document. */
function knowledgeReader({ outbox }: Polling, log: Logger) {
  return async (wallet: WalletAddress) => readKnowledge((await outbox.pollState(wallet))[KNOWLEDGE], wallet, log);
}

/** Answers commands and follows the session and the servers. @returns stops following the servers */
function answerDiscord(
  {
    documents,
    polling,
    limits,
    discord: { client },
    presentation,
    delivery: { deliveryWorker },
    welcomes,
    ops,
  }: {
    readonly documents: Documents;
    readonly polling: Polling;
    readonly limits: Limits;
    readonly discord: Discord;
    readonly presentation: Presentation;
    readonly delivery: Delivery;
    readonly welcomes: Welcomes;
    readonly ops: Ops;
  },
  { config: { sharding }, log, onFatal, telemetry, signal }: AppContext,
) {
  const { registry, channelSettings, digests, resting, pagers, detailsRecords } = documents;
  const { budget, feed } = polling;
  const { admission, quotas, imports } = limits;
  const commands = [watch, activity, flows].map((command) =>
    instrumentedCommand(command, { telemetry, monotonicMs, log }),
  );
  const details = createDetails({
    fills: createAlertFillsLookup(feed.lookUps, monotonicMs),
    records: detailsRecords,
    clockMs: monotonicMs,
  });
  const components = [instrumentedComponent(details, { telemetry, monotonicMs, log })];
  const venueClock = () => ({
    nowMs: budget.venueNowMs(),
    isKnown: budget.skewKnown,
    reportedMs: budget.reportedNowMs(),
  });
  const contextOf = contextFor({
    venue: feed.lookUps,
    registry,
    channelSettings,
    digests,
    deliveryWorker,
    availability: feed.availability,
    feed,
    ops,
    knowledge: knowledgeReader(polling, log),
    pagers,
    recent: createRecency(),
    scans: { activity: createPageScanCache(), flows: createPageScanCache() },
    cardLists: createCardLists(),
    ...presentation,
    pictures: createPictureCache(PICTURES_BYTES),
    quotas,
    imports,
    venueClock,
    nowMs,
    log,
  });
  const dispatch = createDispatcher({ commands, components, contextOf, onAccepted: noteWallet, quotas, log });
  followSession({
    client,
    sharding,
    log,
    signal,
    onFinalClose: (isStartable) => onFatal(isStartable ? 1 : EXIT_CONFIG),
  });
  const stopFollowing = followGuildEvents({
    client,
    registry,
    channelSettings,
    digests,
    detailsRecords,
    resting,
    admission,
    deliveryWorker,
    welcomes,
    venueNowSeconds: () => budget.venueNowMs() / 1000,
    log,
  });
  client.on(Events.InteractionCreate, dispatch);
  client.on(Events.ClientReady, (ready) => {
    // They are the same for all processes: the one with shard 0 registers them.
    if (!ready.ws.shards.has(0)) return;
    void keepRegistering({ client: ready, commands, sleep, random, log, signal });
  });
  return stopFollowing;
}

/** Logs in without being waited for. */
function startLogin({ client }: Discord, { config, log, onFatal, signal }: AppContext): void {
  logIn({ client, token: config.discordToken, sleep, random, log, signal }).catch((error: unknown) => {
    if (error instanceof TokenRefused) {
      log.fatal({ event: 'discord.token_refused', reason: error.message });
      return onFatal(EXIT_CONFIG);
    }
    log.fatal({ event: 'discord.login_failed', err: error });
    onFatal(1);
  });
}
