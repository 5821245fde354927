import type { Alert } from '../../../src/alerts/alert.ts';
import { createAlerts } from '../../../src/alerts/alerts.ts';
import { createIntake } from '../../../src/alerts/intake.ts';
import { createFirstReading } from '../../../src/alerts/wallets/first-reading.ts';
import { walletsWithAlerts } from '../../../src/alerts/wallets/waiting-search.ts';
import { openCollections } from '../../../src/app/documents/kinds.ts';
import { loadStore } from '../../../src/app/load.ts';
import { createAlertMessages } from '../../../src/delivery/alert-messages.ts';
import { createChannelQueueStore } from '../../../src/delivery/channel-queue.ts';
import { createComposer } from '../../../src/delivery/messages/compose.ts';
import { createPost } from '../../../src/delivery/post.ts';
import { createDetailsKeeper, createDetailsRecords } from '../../../src/details/records.ts';
import { createLinks } from '../../../src/embeds/links.ts';
import { createFeed } from '../../../src/feed/feed.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { createPagerStore } from '../../../src/lookups/pager-store.ts';
import type { AlertMessage } from '../../../src/messages/message.ts';
import { createSchedule } from '../../../src/poll-policy/schedule.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { createVenueClient } from '../../../src/venue/client.ts';
import { type Budget, createBudget } from '../../../src/venue/rate-limit/budget.ts';
import { createRegistry } from '../../../src/watches/registry.ts';
import { createVerdicts } from '../../../src/watches/verdicts.ts';
import { deliveryWorkerOf } from '../delivery-worker.ts';
import { every } from '../every.ts';
import { testMachine } from '../machine.ts';
import { undelayed } from '../undelayed.ts';
import type { SoakClock } from './clock.ts';
import type { SoakDiscord } from './discord.ts';

/** Time between two plans of requests. */
const TICK_MS = 60_000;

export type SoakBot = Awaited<ReturnType<typeof startSoakBot>>;

/**
 * Starts the bot's real parts, connected as in `src/app/bot-parts.ts`, on a virtual clock and
 * without discord.js.
 */
export async function startSoakBot(deps: {
  readonly clock: SoakClock;
  /** Returns the error of the bot's wall clock, in ms. */
  readonly wallErrorMs: () => number;
  readonly storePath: string;
  readonly venueUrl: string;
  readonly discord: Pick<
    SoakDiscord,
    'send' | 'edit' | 'editedAtMs' | 'findReferences' | 'reachOf'
  >;
  /** Called with the alerts of each message. */
  readonly onRendered: (body: AlertMessage, alerts: readonly Alert[]) => void;
  readonly random: () => number;
}) {
  const { clock, random } = deps;
  const startMs = clock.nowMs;
  const nowMs = () => clock.nowMs + deps.wallErrorMs();
  const monotonicMs = () => clock.nowMs - startMs;
  const machine = testMachine({ nowMs, monotonicMs, random, sleep: clock.sleep.bind(clock) });
  const store = patient(await openStore(`sqlite://${deps.storePath}`), clock);
  const registry = createRegistry(machine, store);
  const isGone = (channelId: string) => channelQueues.get(channelId).block?.isGone === true;
  const venueNowSeconds = () => budget.venueNowMs() / 1000;
  const collections = openCollections(machine, store);
  const { channelSettings } = collections;
  const verdicts = createVerdicts(machine, collections.verdicts);
  const { walletIndex, alertBuilder, decisions, catchUp, outbox } = createAlerts(machine, {
    store,
    posted: collections.posted,
    registry,
    channelSettings,
    verdicts,
    isGone,
    venueNowSeconds,
  });
  const channelQueues = createChannelQueueStore(
    machine,
    collections.queues,
    collections.deadLetters,
  );
  const pagers = createPagerStore(collections.lists, () => true);
  const schedule = createSchedule();
  const budget = createBudget(machine, { share: 0.9, timers: clock.timers });
  // Retries wait in real time, during which simulated days would pass.
  const retries = { poller: 0, person: 0 };
  const held = holding(budget, clock);
  const client = createVenueClient(machine, {
    baseUrl: deps.venueUrl,
    apiKey: 'soak',
    budget: held,
    retries,
  });
  const feed = createFeed(machine, {
    client,
    budget,
    schedule,
    store,
    cronTimer: every(TICK_MS, clock),
    pollMinMs: 0,
    ops: { polled() {}, ticked() {} },
  });
  const firstReading = createFirstReading(machine, {
    registry,
    channelSettings,
    outbox,
    walletIndex,
    findWaiting: (wallets) => walletsWithAlerts(store, wallets),
    signal: new AbortController().signal,
  });
  const { whenKnown } = firstReading;
  const intake = createIntake(machine, { registry, alertBuilder, outbox, whenKnown });
  const detailsRecords = createDetailsRecords(collections.details);
  const admission = { isServed: () => true };
  const loaded = { registry, collections, channelQueues, admission, outbox, firstReading, feed };
  await loadStore({ ...machine, store }, loaded);
  firstReading.listen(feed.noteTaken);
  await firstReading.run();
  const hearing = undelayed(outbox, budget.venueNowMs);
  const composer = createComposer({
    ...hearing,
    registry,
    channelSettings,
    links: createLinks({}),
    languageOf: () => ENGLISH,
    showsEmbeds: () => null,
    takesEdits: () => true,
    isQuietAt: () => false,
    alertBuilder,
    walletIndex,
    intake,
    venueNowMs: budget.venueNowMs,
    catchUpAfterMs: 15 * 60_000,
    shownIn: detailsRecords.shown,
    keepDetails: createDetailsKeeper({
      records: detailsRecords,
      registry,
      recordFor: walletIndex.recordFor,
      knowledgeOf: async (wallet) => (await outbox.stateOf(wallet)).knowledge,
      ...machine,
    }),
  });
  const alertMessages = createAlertMessages(machine, {
    send: deps.discord.send,
    edit: deps.discord.edit,
    editedAtMs: deps.discord.editedAtMs,
    post: createPost(machine, deps.discord),
    ...composer,
    awaitingAnswerMs: () => 0,
    onArrived() {},
    render(channelId, groups) {
      const rendered = composer.render(channelId, groups);
      const included = groups.slice(0, rendered.included).flatMap(({ alerts }) => alerts);
      deps.onRendered(rendered.body, included);
      return rendered;
    },
    ...hearing,
    decisions,
    channelQueues,
  });
  const deliveryWorker = deliveryWorkerOf(machine, {
    sources: [alertMessages],
    channelQueues,
    reachOf: deps.discord.reachOf,
    onRefused: (reason) => {
      throw new Error(`Discord refused the bot: ${reason}`);
    },
  });
  outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  registry.listen({
    walletAdded: feed.watch,
    walletRemoved(wallet) {
      feed.unwatch(wallet);
      intake.forget(wallet);
      walletIndex.evict(wallet);
      void outbox.forget(wallet, () => registry.ofWallet(wallet).length > 0);
    },
    watchRemoved: ({ wallet }) => void outbox.forgetUnwatched(wallet),
    beginWatches: (begun, store) => catchUp.give(begun, store),
    channelChanged(channelId) {
      if (registry.ofChannel(channelId).length > 0) deliveryWorker.reconsider(channelId);
      else void deliveryWorker.forget(channelId);
    },
  });
  deliveryWorker.start();
  feed.start(intake);
  return {
    store,
    registry,
    channelSettings,
    channelQueues,
    pagers,
    deliveryWorker,
    venue: feed.lookups,
    budget,
    outbox,
    schedule,
    async stop() {
      await feed.stop();
      await deliveryWorker.stop();
      await outbox.idle();
      await store.close();
    },
  };
}

/** Returns the store with operations that stop the virtual time. */
function patient(store: Store, clock: SoakClock): Store {
  return {
    ...store,
    get: (key) => clock.during(store.get(key)),
    set: (key, document) => clock.during(store.set(key, document)),
    delete: (key) => clock.during(store.delete(key)),
    prove: () => clock.during(store.prove()),
  };
}

/**
 * Returns the budget with permits that stop the virtual time until their request has ended, which
 * the client signals with a final `null`.
 */
function holding(budget: Budget, clock: SoakClock): Budget {
  return {
    ...budget,
    async acquire(priority, signal) {
      const permit = await budget.acquire(priority, signal);
      const end = clock.begin();
      return {
        ...permit,
        complete(response) {
          permit.complete(response);
          if (response === null) end();
        },
      };
    },
  };
}
