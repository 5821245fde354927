import { type Client, Events } from 'discord.js';
import { activity } from '../../commands/activity.ts';
import { details } from '../../commands/details.ts';
import { flows } from '../../commands/flows.ts';
import { lookUpWallets } from '../../commands/look-up-wallets.ts';
import { market } from '../../commands/market.ts';
import { contextFor } from '../../commands/shared/context.ts';
import { noteWallet } from '../../commands/shared/wallet-option.ts';
import { watch } from '../../commands/watch.ts';
import { readBackWallets, settleMarkets } from '../alerts/ask-feed.ts';
import { TokenRefused } from '../delivery/failures.ts';
import { createDispatcher } from '../discord/dispatch.ts';
import { followSession, keepLoggedIn } from '../discord/gateway/gateway.ts';
import { createHoldings, followGuildEvents } from '../discord/guilds/guilds.ts';
import { createWelcomes } from '../discord/guilds/welcome.ts';
import { keepRegistering } from '../discord/register.ts';
import { languageFor } from '../language/language.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { createGreeting, createPersons, type Persons } from '../persons/persons.ts';
import type { CommandUse } from '../slash-commands/slash-command.ts';
import { defaultChannelSettings } from '../watches/channel-settings.ts';
import { keepEndingLeaving } from '../watches/leaving.ts';
import { personOf } from '../watches/owner.ts';
import { type BotParts, createParts } from './bot-parts.ts';
import type { AppContext, StopSteps } from './context.ts';
import { addBotGauges, addFeedGauges } from './gauges.ts';
import { dropMoved, loadStore } from './load.ts';

/** Builds all parts of the bot half, with the feed in this process or in another, wires them and sets them going. */
export async function startBot(context: AppContext): Promise<StopSteps> {
  const { log, ops, signal, store } = context;
  const parts = await createParts(context);
  const { collections, registry, feed, outbox, client, deliveryWorker, noticeRunner } = parts;
  const welcomes = createWelcomes(context, { ...parts, welcomes: collections.welcomes });
  await dropMoved(store, log);
  await loadStore(context, { ...parts, store, isServed: parts.admission.isServed });

  const owned = collections.all.filter((collection) => collection !== collections.persons);
  const holdings = createHoldings({ ...parts, collections: owned });
  const sendFirst = createGreeting(context, parts.sender);
  const persons = createPersons(context, { ...parts, documents: parts.personDocuments, holdings, sendFirst });
  followWatches(context, parts);
  void parts.positionAsker.run();
  void readBackWallets(context, { ...parts, signal });
  void settleMarkets(context, { ...parts, signal });

  await parts.imports.finish();

  answerDiscord(context, parts, persons);
  const stopFollowing = followGuildEvents(context, { ...parts, holdings, welcomes });

  await ops.activate({
    ...parts,
    store,
    isIdle: () => registry.size === 0,
    isPolledElsewhere: context.config.nats !== null,
  });
  addFeedGauges(ops.metrics, feed, () => [...registry.wallets()].length);
  addBotGauges(ops.metrics, parts, context.nowMs);
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

/** Informs feed, alerts and delivery of watches that are added, changed or removed. */
function followWatches(
  { log }: AppContext,
  { registry, channelSettings, feed, alertBuilder, outbox, intake, pruneWallet, deliveryWorker }: BotParts,
): void {
  registry.listen({
    walletAdded: (wallet) => feed.watch(wallet),
    walletRemoved(wallet) {
      feed.unwatch(wallet);
      intake.forget(wallet);
      alertBuilder.evictWallet(wallet);
      outbox
        .forget(wallet, () => registry.isNeeded(wallet))
        .catch((error: unknown) => log.error({ event: 'wallet.not_forgotten', wallet, err: error }));
    },
    watchEnding({ ownerId, channelId, wallet }) {
      if (alertBuilder.recordIn(channelId, wallet) === null) return;
      channelSettings
        .change(channelId, (settings = defaultChannelSettings(ownerId, channelId)) => ({
          ...settings,
          rankedBefore: settings.rankedBefore + 1,
        }))
        .catch((error: unknown) => log.error({ event: 'channel.ranked_not_counted', channel: channelId, err: error }));
    },
    watchRemoved({ wallet, ownerId }) {
      // Nothing is kept of a person longer than they have a watch.
      if (personOf(ownerId) === null || registry.ofWallet(wallet).length === 0) return;
      pruneWallet(wallet).catch((error: unknown) => log.error({ event: 'wallet.not_pruned', wallet, err: error }));
    },
    async beginWatches(begun, store) {
      await outbox.catchUp(begun, store);
      for (const { watch } of begun) {
        feed.watchersChanged(watch.wallet);
        // What was kept while it rested is known again before its next poll.
        outbox
          .stateOf(watch.wallet)
          .then((state) => alertBuilder.note(watch.wallet, state))
          .catch((error: unknown) => log.error({ event: 'wallet.not_read', wallet: watch.wallet, err: error }));
      }
    },
    channelChanged(channelId) {
      const isKept = registry.ofChannel(channelId).length > 0 || registry.hasUnreadable(channelId);
      if (isKept) return deliveryWorker.reconsider(channelId);
      deliveryWorker
        .forget(channelId)
        .catch((error: unknown) => log.error({ event: 'channel.not_forgotten', channel: channelId, err: error }));
    },
  });
}

/** Answers commands and follows the session. */
function answerDiscord(context: AppContext, parts: BotParts, persons: Persons): void {
  const { config, log, onFatal, ops, signal } = context;
  const { client } = parts;
  const commands = [watch, activity, flows, market];
  const onDone = ({ user, locale }: CommandUse) => {
    persons
      .seen(user.id, languageFor(locale).tag)
      .catch((error: unknown) => log.error({ event: 'person.not_noted', err: error }));
  };
  const dispatch = createDispatcher(context, {
    commands,
    messageCommands: [lookUpWallets],
    components: [details],
    contextOf: contextFor(context, { ...parts, ...parts.alertBuilder, knowledge: parts.knowledgeOf, persons, ops }),
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
