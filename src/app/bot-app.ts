import { Events } from 'discord.js';
import { activity } from '../../commands/activity.ts';
import { createDetails } from '../../commands/details.ts';
import { flows } from '../../commands/flows.ts';
import { lookUpWallets } from '../../commands/look-up-wallets.ts';
import { market } from '../../commands/market.ts';
import { contextFor } from '../../commands/shared/context.ts';
import { noteWallet } from '../../commands/shared/wallet-option.ts';
import { watch } from '../../commands/watch.ts';
import { createIntake } from '../alerts/intake.ts';
import { readBackWallets } from '../alerts/read-back.ts';
import { settleMarkets } from '../alerts/settle.ts';
import { TokenRefused } from '../delivery/failures.ts';
import { createAlertFillsLookup } from '../details/alert-fills.ts';
import { createDispatcher } from '../discord/dispatch.ts';
import { followSession, keepLoggedIn } from '../discord/gateway/gateway.ts';
import { shownSharding } from '../discord/gateway/shards.ts';
import { followGuildEvents } from '../discord/guilds/guilds.ts';
import { createHoldings } from '../discord/guilds/holdings.ts';
import { createWelcomes } from '../discord/guilds/welcome.ts';
import { keepRegistering } from '../discord/register.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import { languageFor } from '../language/language.ts';
import { readFailpoint } from '../lib/failpoints.ts';
import { createOps } from '../ops/ops.ts';
import { createGreeting } from '../persons/greeting.ts';
import { createPersons, type Persons } from '../persons/persons.ts';
import type { CommandUse } from '../slash-commands/slash-command.ts';
import { createQuarantine } from '../store/quarantine.ts';
import { keepEndingLeaving } from '../watches/leaving.ts';
import { createDelivery, type Delivery } from './bot-delivery.ts';
import {
  createDiscord,
  createDocuments,
  createLimits,
  createPolling,
  createPresentation,
  type Discord,
  type Documents,
  knowledgeReader,
  type Limits,
  type Polling,
  type Presentation,
} from './bot-parts.ts';
import { EXIT_CONFIG } from './config.ts';
import {
  type AppContext,
  type Given,
  monotonicMs,
  nowMs,
  type Running,
  random,
  sleep,
  stopInOrder,
  takeStore,
} from './context.ts';
import { dropMoved } from './documents/moved.ts';
import { openFeed } from './feed-half.ts';
import { followWatches } from './follow-watches.ts';
import { addBotGauges, addFeedGauges } from './gauges.ts';
import { loadStore } from './load.ts';

/** For tests alone: ends the process in the middle of its work. */
const KILL_SWITCH = 'WALLETBELL_TEST_KILL_AT';

/** Builds all parts of the bot half, with the feed in this process or in another, wires them and sets them going. */
export async function startBot(given: Given): Promise<Running> {
  const { config, log, redact } = given;
  const stopping = new AbortController();
  const { signal } = stopping;
  const identity = { role: config.role, shards: shownSharding(config.sharding) };
  const ops = createOps({ nowMs, monotonicMs, log }, { ...config, identity, redact });
  if (config.isStandby) await ops.start();
  const store = ops.measured(await takeStore(given));
  const onFailpoint = readFailpoint(process.env[KILL_SWITCH], () => process.kill(process.pid, 'SIGKILL'));
  const context: AppContext = { ...given, nowMs, monotonicMs, sleep, random, onFailpoint, ops, signal };
  const documents = createDocuments(store, context);
  const polling = createPolling(documents, await openFeed(context, documents.store, documents.registry), context);
  const limits = createLimits(documents, polling, context);
  const discord = createDiscord(documents.store, polling, context);
  const welcomes = createWelcomes(context, {
    ...discord,
    welcomes: documents.collections.welcomes,
    admission: limits.admission,
  });
  await dropMoved(documents.store, log);
  await loadStore(context, { ...documents, ...polling, isServed: limits.admission.isServed });

  const intake = createIntake(context, {
    ...polling,
    registry: documents.registry,
    onGap: ops.metrics.gaps,
    putAside: createQuarantine(documents.store, log),
  });
  const presentation = createPresentation(documents, discord, context);
  const delivery = createDelivery(documents, polling, intake, discord, presentation, context);
  const { collections, registry } = documents;
  const { deliveryWorker } = delivery;
  const owned = collections.all.filter((collection) => collection !== collections.persons);
  const { pruneWallet } = polling;
  const venueNowSeconds = () => polling.budget.venueNowMs() / 1000;
  const holdings = createHoldings({ registry, collections: owned, deliveryWorker, pruneWallet });
  const persons = createPersons(context, {
    ...documents,
    documents: documents.persons,
    ...limits,
    holdings,
    deliveryWorker,
    sendFirst: createGreeting(context, discord.sender),
    venueNowSeconds,
  });
  followWatches(documents, polling, intake, delivery, context);
  void polling.positionAsker.run();
  void readBackWallets(context, { ...polling, registry, signal });
  void settleMarkets(context, { ...polling, registry, venueNowSeconds, signal });

  await limits.imports.finish();

  const parts = { ...documents, ...polling, ...limits, ...discord, ...presentation, ...delivery };
  answerDiscord({ ...parts, persons }, context);
  const stopFollowing = followGuildEvents(context, {
    client: discord.client,
    registry,
    holdings,
    resting: documents.resting,
    admission: limits.admission,
    deliveryWorker,
    welcomes,
    venueNowSeconds,
  });

  if (!config.isStandby) await ops.start();
  ops.activate({
    ...parts,
    venueTroubles: () => ENDPOINT_NAMES.map((name) => polling.feed.availability.trouble(name)),
    isIdle: () => registry.size === 0,
    feedTrouble: polling.feed.trouble,
    polledElsewhereMs: config.nats === null ? null : polling.feed.lastPollMs,
  });
  addFeedGauges(ops.metrics, polling.budget, polling.feed, () => [...registry.wallets()].length);
  addBotGauges(ops.metrics, parts, nowMs);
  const stopPersons = persons.start();
  const stopLeaving = keepEndingLeaving(context, registry);
  await polling.feed.start(intake);
  // Another process may work on a copy of this store, or with these shards.
  void polling.feed.taken.then(() => {
    if (signal.aborted) return;
    delivery.deliveryWorker.start();
    delivery.noticeRunner.start(delivery.deliveryWorker.reconsider);
    startLogin(discord, context);
  });

  return {
    async stop() {
      stopping.abort();
      await stopInOrder([
        stopFollowing,
        stopPersons,
        stopLeaving,
        ops.stop,
        polling.feed.stop,
        delivery.noticeRunner.stop,
        delivery.deliveryWorker.stop,
        () => discord.client.destroy(),
        polling.outbox.idle,
        documents.store.close,
      ]);
    },
  };
}

/** Answers commands and follows the session. */
function answerDiscord(
  parts: Omit<Documents, 'persons'> & Polling & Limits & Discord & Presentation & Delivery & { persons: Persons },
  context: AppContext,
) {
  const { config, log, onFatal, ops, signal } = context;
  const { client } = parts;
  const commands = [watch, activity, flows, market];
  const details = createDetails(context, {
    fills: createAlertFillsLookup(parts.feed.lookUps, monotonicMs),
    records: parts.detailsRecords,
  });
  const onDone = ({ user, locale }: CommandUse) => {
    parts.persons
      .seen(user.id, languageFor(locale).tag)
      .catch((error: unknown) => log.error({ event: 'person.not_noted', err: error }));
  };
  const dispatch = createDispatcher(context, {
    commands,
    messageCommands: [lookUpWallets],
    components: [details],
    contextOf: contextFor(context, {
      ...parts,
      knowledge: knowledgeReader(parts),
      rankedIn: parts.alertBuilder.rankedIn,
      held: parts.alertBuilder.held,
      ops,
    }),
    onAccepted: noteWallet,
    onDone,
    languageFor: parts.languageFor,
    quotas: parts.quotas,
    onEnd: ops.metrics.commanded,
  });
  followSession(context, {
    client,
    sharding: config.sharding,
    signal,
    onFinalClose: (isStartable) => onFatal(isStartable ? 1 : EXIT_CONFIG),
  });
  client.on(Events.InteractionCreate, dispatch);
  client.on(Events.ClientReady, (ready) => {
    // They are the same for all processes: the one with shard 0 registers them.
    if (!ready.ws.shards.has(0)) return;
    void keepRegistering(context, { client: ready, commands: [...commands, lookUpWallets], signal });
  });
}

/** Logs in without being waited for. */
function startLogin({ client }: Discord, context: AppContext): void {
  const { config, log, onFatal, signal } = context;
  keepLoggedIn(context, { client, token: config.discordToken, signal }).catch((error: unknown) => {
    if (error instanceof TokenRefused) {
      log.fatal({ event: 'discord.token_refused', reason: error.message });
      return onFatal(EXIT_CONFIG);
    }
    log.fatal({ event: 'discord.login_failed', err: error });
    onFatal(1);
  });
}
