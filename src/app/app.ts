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
import { createIntake } from '../alerts/intake.ts';
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
import { createLinks } from '../embeds/links.ts';
import { createCronTimer } from '../feed/cron-timer.ts';
import { createFeed } from '../feed/feed.ts';
import { readFailpoint } from '../lib/failpoints.ts';
import { namingGuilds } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import { createPageScanCache } from '../lookups/page-scan-cache.ts';
import { createPagerStore } from '../lookups/stored-lists.ts';
import { createOps } from '../ops/ops.ts';
import { createFairShare } from '../poll-policy/fair-share.ts';
import { createRoundRobin } from '../poll-policy/round-robin.ts';
import { createSchedule } from '../poll-policy/schedule.ts';
import { readKnowledge } from '../portfolio/wallet-knowledge.ts';
import { createQuarantine } from '../store/quarantine.ts';
import { openStore } from '../store/store.ts';
import type { WalletAddress } from '../venue/address.ts';
import { createVenueClient } from '../venue/client.ts';
import { createBudget } from '../venue/rate-limit/budget.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { channelLanguages, createChannelSettings } from '../watches/channel-settings.ts';
import { createRegistry } from '../watches/registry.ts';
import { createRestingGuilds } from '../watches/resting.ts';
import { createImports } from '../watches/transfer/imports.ts';
import { type Config, EXIT_CONFIG } from './config.ts';
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

/** Builds all parts from the configuration, wires them and sets them going. */
export async function startApp(
  config: Config,
  log: Logger,
  redact: (text: string) => string,
  onFatal: (exitCode: number) => void,
): Promise<Running> {
  const stopping = new AbortController();
  const nowMs = Date.now;
  const monotonicMs = () => performance.now();
  const random = Math.random;
  const { pollMinSeconds } = config;
  const pollMinMs = pollMinSeconds * 1000;
  const sleep = (delayMs: number, signal: AbortSignal) =>
    delay(Math.max(0, delayMs), undefined, { signal }).catch(() => {});

  const parts = () => ({
    budget,
    venue,
    availability,
    registry,
    outbox,
    deliveryWorker,
    store,
    channelQueues,
    gateway,
  });
  const ops = createOps({
    ...statusReaders(parts, nowMs),
    version: VERSION,
    http: config.http,
    heartbeatUrl: config.heartbeatUrl,
    pollMinMs,
    redact,
    nowMs,
    monotonicMs,
    log,
  });
  const { telemetry } = ops;
  const opened = await openStore(config.storeUrl, {
    onWarning: (reason) => log.warn({ event: 'store.warning', reason }),
    onLost(error) {
      log.fatal({ event: 'store.lost', err: error });
      onFatal(1);
    },
  });
  const store = instrumentedStore(opened, { telemetry, monotonicMs });
  const registry = createRegistry({ store, log });
  const channelSettings = createChannelSettings(store);
  const resting = createRestingGuilds(store);
  const admission = createAdmission(config.allowedGuilds, config.limitExceptions);
  const digestDocuments = createDigestDocuments(store);
  const onFailpoint = readFailpoint(process.env[KILL_SWITCH], () => process.kill(process.pid, 'SIGKILL'));
  const isGone = (channelId: string) => channelQueues.get(channelId).block?.gone === true;
  const nowSeconds = () => budget.venueNowMs() / 1000;
  const alertBuilder = createAlertBuilder({ registry, channelSettings, isGone, venueNowSeconds: nowSeconds, log });
  const outbox = createOutbox({ store, log, onFailpoint, onDelivered: alertBuilder.onDelivered });
  const channelQueues = createChannelQueueStore(store, nowMs);
  const pagers = createPagerStore(store, nowMs);
  const isRoundRobin = process.env[SCHEDULE_SWITCH] === 'round-robin';
  const schedule = isRoundRobin
    ? createRoundRobin({ pollMinSeconds })
    : createFairShare(createSchedule({ random, pollMinSeconds }), {
        guildsOf: (wallet) => new Set(registry.ofWallet(wallet).map(({ guildId }) => guildId)),
        walletsOf: (guildId) => registry.ofGuild(guildId).map(({ wallet }) => wallet),
        guildCount: () => [...registry.guilds()].length,
      });
  const budget = createBudget({ share: config.budgetShare, nowMs, monotonicMs, random });
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
  const imports = createImports({ store, registry, quotas, nowMs, log, onFailpoint });
  const { venueBaseUrl: baseUrl, venueApiKey: apiKey } = config;
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
  const { availability } = feed;
  await loadStore({
    store,
    registry,
    channelSettings,
    resting,
    isServed: admission.isServed,
    digests: digestDocuments,
    outbox,
    alertBuilder,
    channelQueues,
    pagers,
    imports,
    feed,
    nowMs,
    log,
  });

  const intake = createIntake({
    registry,
    alertBuilder,
    outbox: instrumentedOutbox(outbox, { telemetry }),
    putAside: createQuarantine(store, log),
    log,
  });

  const client = createDiscordClient(config.discordApiUrl, config.sharding, redact);
  const gateway = trackGateway(client);
  const guildOf = (channelId: string) => serverChannel(client, channelId)?.guildId;
  const links = createLinks({
    market: config.marketUrl ?? undefined,
    transaction: config.txUrl ?? undefined,
    wallet: config.walletUrl ?? undefined,
  });
  const gate = createSendGate({ monotonicMs, sleep, random, log });
  const rest = createRest(config.discordApiUrl, config.discordToken, redact, config.sharding);
  const mayIn = (permission: bigint) => (channelId: string) => hasPermission(client, channelId, permission);
  const sender = createSender({
    rest,
    selfId: () => client.user?.id ?? null,
    canReadHistory: mayIn(PermissionFlagsBits.ReadMessageHistory),
  });
  const languageOf = channelLanguages(
    channelSettings,
    (channelId) => serverChannel(client, channelId)?.guild.preferredLocale,
  );
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
  const charts = createChartRenderer();
  const isRead = (wallet: WalletAddress, sinceMs: number) =>
    ENDPOINT_NAMES.every(
      (name) => !availability.isOpen(name) || (intake.pageSeconds(wallet, name) ?? 0) * 1000 >= sinceMs,
    );
  const arrivalCheck = createArrivalCheck({
    findReferences: sender.findReferences,
    nowMs,
    log: namingGuilds(log, guildOf),
  });
  const digestRunner = createDigestRunner({
    documents: digestDocuments,
    registry,
    compose: createDigestComposer({
      registry,
      knowledgeOf: async (wallet) => readKnowledge((await outbox.pollState(wallet))[KNOWLEDGE], wallet, log),
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
    log: namingGuilds(log, guildOf),
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
    log: namingGuilds(log, guildOf),
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
    log: namingGuilds(log, guildOf),
    onRefused: () => onFatal(EXIT_CONFIG),
  });
  outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));

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

  await imports.finish();

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
    digests: digestDocuments,
    deliveryWorker,
    availability,
    feed,
    ops,
    knowledge: async (wallet) => readKnowledge((await outbox.pollState(wallet))[KNOWLEDGE], wallet, log),
    pagers,
    recent: createRecency(),
    scans: { activity: createPageScanCache(), flows: createPageScanCache() },
    cardLists: createCardLists(),
    charts,
    pictures: createPictureCache(PICTURES_BYTES),
    quotas,
    imports,
    links,
    languageOf,
    venueClock,
    nowMs,
    log,
  });
  const dispatch = createDispatcher({ commands, contextOf, onAccepted: noteWallet, quotas, log });
  const { sharding } = config;
  followSession({
    client,
    sharding,
    log,
    signal: stopping.signal,
    onFinalClose: (isStartable) => onFatal(isStartable ? 1 : EXIT_CONFIG),
  });
  const stopFollowing = followGuildEvents({
    client,
    registry,
    channelSettings,
    digests: digestDocuments,
    resting,
    admission,
    deliveryWorker,
    venueNowSeconds: nowSeconds,
    log,
  });
  client.on(Events.InteractionCreate, dispatch);
  client.on(Events.ClientReady, (ready) => {
    // They are the same for all processes: the one with shard 0 registers them.
    if (!ready.ws.shards.has(0)) return;
    void keepRegistering({ client: ready, commands, sleep, random, log, signal: stopping.signal });
  });

  await ops.start();
  deliveryWorker.start();
  feed.start(intake.takePage);
  logIn({ client, token: config.discordToken, sleep, random, log, signal: stopping.signal }).catch((error: unknown) => {
    if (error instanceof TokenRefused) {
      log.fatal({ event: 'discord.token_refused', reason: error.message });
      return onFatal(EXIT_CONFIG);
    }
    log.fatal({ event: 'discord.login_failed', err: error });
    onFatal(1);
  });

  return {
    async stop() {
      stopping.abort();
      const errors: unknown[] = [];
      const steps = [
        stopFollowing,
        ops.stop,
        feed.stop,
        deliveryWorker.stop,
        () => client.destroy(),
        venue.close,
        outbox.idle,
        store.close,
      ];
      for (const step of steps)
        await Promise.resolve()
          .then(step)
          .catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw new AggregateError(errors, 'A part could not be stopped in order.');
    },
  };
}
