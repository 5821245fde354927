import { Events } from 'discord.js';
import type { Logger } from 'pino';
import { contextFor } from '../../commands/shared/context.ts';
import { noteWallet } from '../../commands/shared/wallet-option.ts';
import { COMPONENTS, MESSAGE_COMMANDS, SLASH_COMMANDS } from '../../commands/slash-commands.ts';
import { readBackWallets, settleMarkets } from '../alerts/scheduled/ask-feed.ts';
import { judgeDaily } from '../alerts/scheduled/daily-verdicts.ts';
import { remakeRecords } from '../alerts/scheduled/remake-records.ts';
import { TokenRefused } from '../delivery/failures.ts';
import { createDispatcher } from '../discord/dispatch.ts';
import { followSession, keepLoggedIn } from '../discord/gateway/gateway.ts';
import { followGuildEvents } from '../discord/guilds/guilds.ts';
import { createOwnerData } from '../discord/guilds/owner-data.ts';
import { createWelcomes } from '../discord/guilds/welcome.ts';
import { keepRegistering } from '../discord/register.ts';
import { languageFor } from '../language/language.ts';
import { EXIT_CONFIG } from '../lib/error.ts';
import { createGreeting, createPersons, type Persons } from '../persons/persons.ts';
import type { CommandUse } from '../slash-commands/slash-command.ts';
import { defaultChannelSettings } from '../watches/channel-settings.ts';
import { personOf } from '../watches/owner.ts';
import { type BotParts, createParts } from './bot-parts.ts';
import type { AppContext, StopSteps } from './context.ts';
import { addBotGauges, addFeedGauges } from './gauges.ts';
import { dropMoved, loadStore } from './load.ts';

/** Interval at which watches are deleted whose removal can no longer be undone, in ms. */
const LEAVING_MS = 5_000;

/**
 * Creates all parts of the bot half, with the feed in this process or in another, connects them and
 * starts them.
 */
export async function startBot(context: AppContext): Promise<StopSteps> {
  const { config, log, onFatal, ops, signal, store } = context;
  const parts = await createParts(context);
  const { collections, registry, feed, outbox, client, deliveryWorker, noticeRunners } = parts;
  const { alertsOut } = parts;
  const welcomes = createWelcomes(context, { ...parts, welcomes: collections.welcomes });
  await dropMoved(store, log);
  await loadStore(context, parts);

  const owned = collections.all.filter((collection) => collection !== collections.persons);
  const ownerData = createOwnerData({ ...parts, collections: owned });
  const sendFirst = createGreeting(context, parts.sender);
  const persons = createPersons(context, {
    ...parts,
    documents: parts.personDocuments,
    ownerData,
    sendFirst,
  });
  followWatches(context, parts);
  void parts.positionAsker.run();
  parts.firstReading.listen((wallet, committed) => {
    feed.noteTaken(wallet, committed);
    for (const { channelId } of registry.ofWallet(wallet)) deliveryWorker.reconsider(channelId);
    registry.unreadableChannels(wallet).forEach(deliveryWorker.reconsider);
    alertsOut.reconsider();
  });
  feed.giveWay(parts.firstReading.isHurrying);
  const allKnown = parts.firstReading.run();

  await parts.imports.finish();

  answerDiscord(context, parts, persons);
  const stopFollowing = followGuildEvents(context, { ...parts, ownerData, welcomes });

  await ops.activate({
    ...parts,
    store,
    isIdle: () => registry.size === 0,
  });
  addFeedGauges(ops.metrics, feed, () => [...registry.wallets()].length);
  addBotGauges(ops.metrics, parts, context.nowMs);
  const stopPersons = persons.start();
  const stopChanges = parts.changes.start();
  const leavingTimer = setInterval(() => {
    registry
      .endLeaving(context.nowMs(), parts.firstReading.isWalletKnown)
      .catch(logged(log, { event: 'watch.not_removed' }));
  }, LEAVING_MS).unref();
  await feed.start(parts.intake);
  // Another process may be working on a copy of this store, or with these shards.
  void feed.taken.then(() => {
    if (signal.aborted) return;
    deliveryWorker.start();
    for (const { start } of noticeRunners) start(deliveryWorker.reconsider);
    void parts.firstReading.whenReadableKnown().then(() => {
      if (!signal.aborted) startWithReadable(context, parts);
    });
    void allKnown.then(() => {
      if (!signal.aborted) startWithAll(context, parts);
    });
    keepLoggedIn(context, { client, token: config.DISCORD_TOKEN, signal }).catch(
      (error: unknown) => {
        const isRefused = error instanceof TokenRefused;
        if (isRefused) log.fatal({ event: 'discord.token_refused', reason: error.message });
        else log.fatal({ event: 'discord.login_failed', err: error });
        onFatal(isRefused ? EXIT_CONFIG : 1);
      },
    );
  });

  return [
    parts.limits.stop,
    stopFollowing,
    stopPersons,
    stopChanges,
    () => clearInterval(leavingTimer),
    ops.stop,
    feed.stop,
    ...noticeRunners.map(({ stop }) => stop),
    deliveryWorker.stop,
    alertsOut.stop,
    parts.later.idle,
    () => client.destroy(),
    outbox.idle,
  ];
}

/**
 * Starts work for delayed channels, receivers and the venue's past, once all wallets have been read
 * that the store can return. A wallet that cannot be read joins once it can.
 */
function startWithReadable(context: AppContext, parts: BotParts): void {
  const { log, signal } = context;
  reconsiderAll(parts);
  parts.later.start();
  parts.alertsOut.start().catch(logged(log, { event: 'alerts_out.not_started' }));
  void readBackWallets(context, { ...parts, signal });
  void settleMarkets(context, { ...parts, signal });
  void remakeRecords(context, { ...parts, signal });
}

/** Starts work that compares all wallets, and reconsiders what waited for the last of them. */
function startWithAll(context: AppContext, parts: BotParts): void {
  reconsiderAll(parts);
  void judgeDaily(context, { ...parts, signal: context.signal });
}

/**
 * Lets all channels reconsider their waiting alerts, including channels that no longer watch its
 * wallets.
 */
function reconsiderAll({ later, deliveryWorker }: BotParts): void {
  for (const channelId of later.channels()) deliveryWorker.reconsider(channelId);
}

/** Logs an error with a line about what failed because of it. */
const logged = (log: Logger, line: object) => (error: unknown) =>
  log.error({ ...line, err: error });

/** Notifies feed, alerts and delivery of added, changed and removed watches. */
function followWatches(
  { log }: AppContext,
  {
    registry,
    channelSettings,
    verdicts,
    feed,
    walletIndex,
    outbox,
    catchUp,
    decisions,
    intake,
    deliveryWorker,
  }: BotParts,
): void {
  registry.listen({
    walletAdded: (wallet) => feed.watch(wallet),
    // The owner that has left no longer pays for its polls.
    watchersChanged: feed.watchersChanged,
    walletRemoved(wallet) {
      feed.unwatch(wallet);
      intake.forget(wallet);
      walletIndex.evict(wallet);
      const isNeeded = () => registry.isNeeded(wallet);
      outbox.forget(wallet, isNeeded).catch(logged(log, { event: 'wallet.not_forgotten', wallet }));
    },
    watchEnding({ ownerId, channelId, wallet }) {
      verdicts.forget({ channelId, wallet });
      if (!walletIndex.isRankedIn(channelId, wallet)) return;
      channelSettings
        .change(channelId, (settings = defaultChannelSettings(ownerId, channelId)) => ({
          ...settings,
          rankedBefore: settings.rankedBefore + 1,
        }))
        .catch(logged(log, { event: 'channel.ranked_not_counted', channel: channelId }));
    },
    watchRemoved({ channelId, wallet, ownerId }) {
      decisions.forget(channelId, wallet);
      // Data of a person is not kept longer than their watch.
      const isAll = personOf(ownerId) !== null && registry.ofWallet(wallet).length > 0;
      const pruned = isAll ? outbox.prune(wallet) : outbox.forgetUnwatched(wallet);
      pruned.catch(logged(log, { event: 'wallet.not_pruned', wallet }));
    },
    async beginWatches(begun, store) {
      await catchUp.give(begun, store);
      for (const { wallet } of begun.map(({ watch }) => watch)) {
        feed.watchersChanged(wallet);
        // Data kept while it was suspended is indexed again before its next poll.
        const noted = outbox.stateOf(wallet).then((state) => walletIndex.note(wallet, state));
        noted.catch(logged(log, { event: 'wallet.not_read', wallet }));
      }
    },
    channelChanged(channelId) {
      if (registry.isChannelNeeded(channelId)) return deliveryWorker.reconsider(channelId);
      deliveryWorker
        .forget(channelId)
        .catch(logged(log, { event: 'channel.not_forgotten', channel: channelId }));
    },
  });
}

function answerDiscord(context: AppContext, parts: BotParts, persons: Persons): void {
  const { config, log, onFatal, ops, signal } = context;
  const { client } = parts;
  const onDone = ({ user, locale }: CommandUse) => {
    persons
      .seen(user.id, languageFor(locale).tag)
      .catch(logged(log, { event: 'person.not_noted' }));
  };
  const dispatch = createDispatcher(context, {
    commands: SLASH_COMMANDS,
    messageCommands: MESSAGE_COMMANDS,
    components: COMPONENTS,
    contextOf: contextFor(context, {
      ...parts,
      ...parts.walletIndex,
      knowledge: parts.knowledgeOf,
      persons,
      ops,
    }),
    onAccepted: noteWallet,
    onDone,
    languageFor: parts.languageFor,
    whenKnown: parts.firstReading.whenOwnerKnown,
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
    // Commands are the same for all processes; the one with shard 0 registers them.
    if (!ready.ws.shards.has(0)) return;
    void keepRegistering(context, {
      client: ready,
      commands: [...SLASH_COMMANDS, ...MESSAGE_COMMANDS],
      signal,
    });
  });
}
