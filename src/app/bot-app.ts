import { type Client, Events } from 'discord.js';
import { activity } from '../../commands/activity.ts';
import { createDetails } from '../../commands/details.ts';
import { flows } from '../../commands/flows.ts';
import { lookUpWallets } from '../../commands/look-up-wallets.ts';
import { market } from '../../commands/market.ts';
import { contextFor } from '../../commands/shared/context.ts';
import { noteWallet } from '../../commands/shared/wallet-option.ts';
import { watch } from '../../commands/watch.ts';
import { readBackWallets } from '../alerts/read-back.ts';
import { settleMarkets } from '../alerts/settle.ts';
import { TokenRefused } from '../delivery/failures.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import { createAlertFillsLookup } from '../details/alert-fills.ts';
import { createDispatcher } from '../discord/dispatch.ts';
import { followSession, keepLoggedIn } from '../discord/gateway/gateway.ts';
import { followGuildEvents } from '../discord/guilds/guilds.ts';
import { createHoldings } from '../discord/guilds/holdings.ts';
import { createWelcomes } from '../discord/guilds/welcome.ts';
import { keepRegistering } from '../discord/register.ts';
import { languageFor } from '../language/language.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { createGreeting } from '../persons/greeting.ts';
import { createPersons, type Persons } from '../persons/persons.ts';
import type { CommandUse } from '../slash-commands/slash-command.ts';
import { keepEndingLeaving } from '../watches/leaving.ts';
import { createDelivery } from './bot-delivery.ts';
import { type BotParts, createParts } from './bot-parts.ts';
import type { AppContext, StopSteps } from './context.ts';
import { dropMoved } from './documents/moved.ts';
import { followWatches } from './follow-watches.ts';
import { addBotGauges, addFeedGauges } from './gauges.ts';
import { loadStore } from './load.ts';

/** Builds all parts of the bot half, with the feed in this process or in another, wires them and sets them going. */
export async function startBot(context: AppContext): Promise<StopSteps> {
  const { log, ops, signal, store } = context;
  const parts = await createParts(context);
  const { collections, registry, feed, outbox, client, pruneWallet } = parts;
  const welcomes = createWelcomes(context, { ...parts, welcomes: collections.welcomes });
  await dropMoved(store, log);
  await loadStore(context, { ...parts, store, isServed: parts.admission.isServed });

  const delivery = createDelivery(context, parts);
  const { deliveryWorker, noticeRunner } = delivery;
  const owned = collections.all.filter((collection) => collection !== collections.persons);
  const holdings = createHoldings({ registry, collections: owned, deliveryWorker, pruneWallet });
  const sendFirst = createGreeting(context, parts.sender);
  const persons = createPersons(context, {
    ...parts,
    documents: parts.personDocuments,
    holdings,
    deliveryWorker,
    sendFirst,
  });
  followWatches(context, parts, delivery);
  void parts.positionAsker.run();
  void readBackWallets(context, { ...parts, signal });
  void settleMarkets(context, { ...parts, signal });

  await parts.imports.finish();

  answerDiscord(context, { ...parts, deliveryWorker, persons });
  const stopFollowing = followGuildEvents(context, { ...parts, holdings, deliveryWorker, welcomes });

  await ops.activate({
    ...parts,
    store,
    isIdle: () => registry.size === 0,
    isPolledElsewhere: context.config.nats !== null,
  });
  addFeedGauges(ops.metrics, feed, () => [...registry.wallets()].length);
  addBotGauges(ops.metrics, { ...parts, deliveryWorker }, context.nowMs);
  const stopPersons = persons.start();
  const stopLeaving = keepEndingLeaving(context, registry);
  await feed.start(parts.intake);
  // Another process may work on a copy of this store, or with these shards.
  void feed.taken.then(() => {
    if (signal.aborted) return;
    deliveryWorker.start();
    noticeRunner.start(deliveryWorker.reconsider);
    startLogin(context, client);
  });

  return [
    stopFollowing,
    stopPersons,
    stopLeaving,
    ops.stop,
    feed.stop,
    noticeRunner.stop,
    deliveryWorker.stop,
    () => client.destroy(),
    outbox.idle,
  ];
}

/** Answers commands and follows the session. */
function answerDiscord(
  context: AppContext,
  parts: BotParts & { readonly deliveryWorker: DeliveryWorker; readonly persons: Persons },
): void {
  const { config, log, onFatal, ops, signal } = context;
  const { client } = parts;
  const commands = [watch, activity, flows, market];
  const details = createDetails({
    fills: createAlertFillsLookup(parts.feed.lookUps, context.monotonicMs),
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
    contextOf: contextFor(context, { ...parts, ...parts.alertBuilder, knowledge: parts.knowledgeOf, ops }),
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
function startLogin(context: AppContext, client: Client): void {
  const { config, log, onFatal, signal } = context;
  keepLoggedIn(context, { client, token: config.DISCORD_TOKEN, signal }).catch((error: unknown) => {
    if (error instanceof TokenRefused) {
      log.fatal({ event: 'discord.token_refused', reason: error.message });
      return onFatal(EXIT_CONFIG);
    }
    log.fatal({ event: 'discord.login_failed', err: error });
    onFatal(1);
  });
}
