import { setTimeout as delay } from 'node:timers/promises';
import { Events, PermissionFlagsBits } from 'discord.js';
import type { Logger } from 'pino';
import { activity } from '../../commands/activity.ts';
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
import { createLinks } from '../embeds/links.ts';
import { createCronTimer } from '../feed/cron-timer.ts';
import { createFeed } from '../feed/feed.ts';
import { type OnFailpoint, readFailpoint } from '../lib/failpoints.ts';
import { namingGuilds } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import { createPageScanCache } from '../lookups/page-scan-cache.ts';
import { createPagerStore } from '../lookups/pager-store.ts';
import { createOps, type Ops } from '../ops/ops.ts';
import type { Telemetry } from '../ops/telemetry.ts';
import { createFairShare } from '../poll-policy/fair-share.ts';
import { createRoundRobin } from '../poll-policy/round-robin.ts';
import { createSchedule } from '../poll-policy/schedule.ts';
import { readKnowledge } from '../portfolio/wallet-knowledge.ts';
import { shownStore } from '../store/address.ts';
import type { StoreError } from '../store/error.ts';
import { createFence } from '../store/fence.ts';
import { createQuarantine } from '../store/quarantine.ts';
import { awaitStore, openStore, type Store } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
import { createVenueClient } from '../venue/client.ts';
import { createBudget } from '../venue/rate-limit/budget.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { channelLanguages, createChannelSettings } from '../watches/channel-settings.ts';
import { createRegistry } from '../watches/registry.ts';
import { createRestingGuilds } from '../watches/resting-guilds.ts';
import { createImports } from '../watches/transfer/imports.ts';
import { type Config, EXIT_CONFIG } from './config.ts';
import { dropMoved } from './documents/moved.ts';
import {
  arrivalOf,
  instrumentedBudget,
  instrumentedCommand,
  instrumentedOutbox,
  instrumentedSend,
  instrumentedStore,
} from './instrumented.ts';
import { loadStore } from './load.ts';
import { statusReaders } from './status.ts';

/** Some three hundred charts. */
const PICTURES_BYTES = 16_000_000;
/** For the bench alone: `round-robin` polls without the schedule. */
const SCHEDULE_SWITCH = 'WALLETBELL_TEST_SCHEDULE';
/** For tests alone: ends the process in the middle of its work. */
const KILL_SWITCH = 'WALLETBELL_TEST_KILL_AT';

/** The bot at work. */
export interface Running {
  /** Stops each part. @throws AggregateError, after all of them, if some could not be stopped in order */
  stop(): Promise<void>;
}

/** What every part is built with. */
interface AppContext {
  readonly config: Config;
  readonly log: Logger;
  readonly redact: (text: string) => string;
  readonly onFatal: (exitCode: number) => void;
  readonly telemetry: Telemetry;
  readonly onFailpoint: OnFailpoint;
  /** Aborts when the bot stops. */
  readonly signal: AbortSignal;
}

type Documents = ReturnType<typeof createDocuments>;
type Polling = ReturnType<typeof createPolling>;
type Limits = ReturnType<typeof createLimits>;
type Discord = ReturnType<typeof createDiscord>;
type Presentation = ReturnType<typeof createPresentation>;
type Delivery = ReturnType<typeof createDelivery>;

const nowMs = Date.now;
const monotonicMs = () => performance.now();
const random = Math.random;
const sleep = (delayMs: number, signal: AbortSignal) =>
  delay(Math.max(0, delayMs), undefined, { signal }).catch(() => {});

/** Builds all parts from the configuration, wires them and sets them going. */
export async function startApp(
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
    version: VERSION,
    sharding: shownSharding(config.sharding),
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
  const opened = await takeStore(config, { log, onFatal });
  const onFailpoint = readFailpoint(process.env[KILL_SWITCH], () => process.kill(process.pid, 'SIGKILL'));
  const context: AppContext = { config, log, redact, onFatal, telemetry, onFailpoint, signal };
  const documents = createDocuments(instrumentedStore(opened, { telemetry, monotonicMs }), context);
  const polling = createPolling(documents, context);
  const limits = createLimits(documents, polling, context);
  await dropMoved(documents.store, log);
  await loadStore({
    ...documents,
    ...polling,
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
  const discord = createDiscord(documents.store, context);
  const presentation = createPresentation(documents, discord, context);
  const delivery = createDelivery({ documents, polling, intake, discord, presentation }, context);
  followWatches({ documents, polling, intake, delivery }, context);

  await limits.imports.finish();

  const stopFollowing = answerDiscord({ documents, polling, limits, discord, presentation, delivery, ops }, context);

  if (!config.isStandby) await ops.start();
  ops.activate();
  delivery.deliveryWorker.start();
  polling.feed.start(intake.takePage);
  startLogin(discord, context);

  return {
    async stop() {
      stopping.abort();
      await stopInOrder([
        stopFollowing,
        ops.stop,
        polling.feed.stop,
        delivery.deliveryWorker.stop,
        () => discord.client.destroy(),
        polling.venue.close,
        polling.outbox.idle,
        documents.store.close,
      ]);
    },
  };
}

/** Opens the store; a standby waits until it is free. */
function takeStore(
  { storeUrl, isStandby, sharding: shards }: Config,
  { log, onFatal }: Pick<AppContext, 'log' | 'onFatal'>,
): Promise<Store> {
  const options = {
    shards,
    onWarning: (reason: string) => log.warn({ event: 'store.warning', reason }),
    onLost(error: StoreError) {
      log.fatal({ event: 'store.lost', err: error });
      onFatal(1);
    },
  };
  if (!isStandby) return openStore(storeUrl, options);
  const startMs = monotonicMs();
  return awaitStore(storeUrl, options, {
    onWaiting: () => log.info({ event: 'standby.waiting', store: shownStore(storeUrl) }),
    onFailure: (error) => log.warn({ event: 'standby.store_failed', err: error }),
    sleep: (delayMs) => delay(delayMs),
  }).then((store) => {
    log.info({ event: 'standby.taking_over', waitedSeconds: Math.round((monotonicMs() - startMs) / 1000) });
    return store;
  });
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
  };
}

/** The venue, the feed that polls it, and what alerts are made and kept with. */
function createPolling(
  { store, registry, channelSettings, channelQueues }: Documents,
  { config, log, telemetry, onFailpoint }: AppContext,
) {
  const { pollMinSeconds, venueBaseUrl: baseUrl, venueApiKey: apiKey } = config;
  const pollMinMs = pollMinSeconds * 1000;
  const budget = createBudget({ share: config.budgetShare, nowMs, monotonicMs, random });
  const alertBuilder = createAlertBuilder({
    registry,
    channelSettings,
    isGone: (channelId) => channelQueues.get(channelId).block?.gone === true,
    venueNowSeconds: () => budget.venueNowMs() / 1000,
    log,
  });
  const outbox = createOutbox({ store, log, onFailpoint, onDelivered: alertBuilder.onDelivered });
  const isRoundRobin = process.env[SCHEDULE_SWITCH] === 'round-robin';
  const schedule = isRoundRobin
    ? createRoundRobin({ pollMinSeconds })
    : createFairShare(createSchedule({ random, pollMinSeconds }), {
        guildsOf: (wallet) => new Set(registry.ofWallet(wallet).map(({ guildId }) => guildId)),
        walletsOf: (guildId) => registry.ofGuild(guildId).map(({ wallet }) => wallet),
        guildCount: () => [...registry.guilds()].length,
      });
  const venue = createVenueClient({ baseUrl, apiKey, budget, log, random, nowMs, pollMinMs });
  const feed = createFeed({
    client: venue,
    budget: instrumentedBudget(budget, { telemetry }),
    schedule,
    store,
    cronTimer: createCronTimer({ pattern: config.pollCron, nowMs, monotonicMs, log }),
    pollMinMs,
    nowMs,
    monotonicMs,
    sleep,
    log,
    onOutcome: telemetry.polled,
  });
  return { budget, alertBuilder, outbox, venue, feed };
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
  const sender = createSender({
    rest,
    selfId: () => client.user?.id ?? null,
    canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory),
  });
  const composer = createComposer({
    registry,
    channelSettings,
    links,
    languageOf,
    venueNowMs: budget.venueNowMs,
    polledAtMs(wallet, name) {
      const seconds = intake.pageSeconds(wallet, name);
      return seconds === null ? null : seconds * 1000;
    },
    catchUpAfterMs: config.catchUpAfterMinutes * 60_000,
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
      knowledgeOf: knowledgeReader(polling, log),
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
  const alertMessages = createAlertMessages<AlertMessage>({
    ...composer,
    send: instrumentedSend(sender.send, { telemetry, monotonicMs }),
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
    sources: [alertMessages, digestRunner],
    channelQueues,
    gate,
    nowMs,
    sleep,
    random,
    log: guildLog,
    onRefused: () => onFatal(EXIT_CONFIG),
  });
  outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  return { deliveryWorker };
}

/** Tells feed, alerts and delivery of watches that are added, changed or removed. */
function followWatches(
  {
    documents: { registry },
    polling: { feed, alertBuilder, outbox },
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
    walletAdded: feed.watch,
    walletRemoved(wallet) {
      feed.unwatch(wallet);
      intake.forget(wallet);
      alertBuilder.evictWallet(wallet);
      outbox.forget(wallet).catch((error: unknown) => log.error({ event: 'wallet.not_forgotten', wallet, err: error }));
    },
    watchBegun(watch, fromSeconds) {
      const { wallet, channelId } = watch;
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
    ops,
  }: {
    readonly documents: Documents;
    readonly polling: Polling;
    readonly limits: Limits;
    readonly discord: Discord;
    readonly presentation: Presentation;
    readonly delivery: Delivery;
    readonly ops: Ops;
  },
  { config: { sharding }, log, onFatal, telemetry, signal }: AppContext,
) {
  const { registry, channelSettings, digests, resting, pagers } = documents;
  const { budget, feed } = polling;
  const { admission, quotas, imports } = limits;
  const commands = [watch, activity, flows].map((command) =>
    instrumentedCommand(command, { telemetry, monotonicMs, log }),
  );
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
  const dispatch = createDispatcher({ commands, contextOf, onAccepted: noteWallet, quotas, log });
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
    resting,
    admission,
    deliveryWorker,
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

/** Takes each step, also after one that fails. @throws AggregateError, after all of them, if some have failed */
async function stopInOrder(steps: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps)
    await Promise.resolve()
      .then(step)
      .catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'A part could not be stopped in order.');
}
