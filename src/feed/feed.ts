import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import type { Endpoint, Schedule } from '../poll-policy/schedule.ts';
import type { Store } from '../store/store.ts';
import type { VenueClient } from '../venue/client.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { createVenueAvailability, reportingAvailability } from './availability.ts';
import type { CronTimer } from './cron-timer.ts';
import type { Committed, PageSink } from './interface.ts';
import { createLearning } from './learning.ts';
import { createPollLoop } from './poll-loop.ts';
import { createPoller } from './poller.ts';
import { createRateLimitMemory, RATE_LIMIT_KEY } from './rate-limit-memory.ts';
import { createSettlements, SETTLEMENTS_PREFIX } from './settlements/settlements.ts';

export type LocalFeed = ReturnType<typeof createFeed>;

/** The feed within this process; it delivers its pages by function calls. */
export function createFeed(
  machine: Machine,
  deps: {
    readonly client: VenueClient;
    readonly budget: Budget;
    readonly schedule: Schedule;
    readonly store: Pick<Store, 'set' | 'delete'>;
    readonly cronTimer: CronTimer;
    readonly pollMinMs: number;
    readonly ops: Pick<Ops, 'polled' | 'ticked'>;
  },
) {
  const { client, budget, schedule, store } = deps;
  const watched = new Set<WalletAddress>();
  const availability = createVenueAvailability(machine, schedule.setAvailable);
  const learning = createLearning(machine, { store, schedule });
  const nowSeconds = () => budget.venueNowMs() / 1000;
  const rateLimit = createRateLimitMemory(machine, { store, budget });
  const settlements = createSettlements(machine, { store, nowSeconds });
  let lastPollMs: number | null = null;
  let isBusy = () => false;
  /** Set by start(); nothing is polled before that. */
  let sink: Pick<PageSink, 'takePage' | 'unchanged'>;

  const poller = createPoller(machine, {
    client,
    watched,
    sink: () => sink,
    schedule,
    learning,
    availability,
    nowSeconds,
    onRecords: { activity: settlements.count },
    onOutcome(endpoint, outcome) {
      if (outcome === 'ok') lastPollMs = machine.nowMs();
      rateLimit.answered();
      deps.ops.polled(endpoint, outcome);
    },
  });
  const pollLoop = createPollLoop(machine, {
    cronTimer: deps.cronTimer,
    pollMinMs: deps.pollMinMs,
    budget,
    schedule,
    availability,
    poll: poller.poll,
    isBusy: () => isBusy(),
    ops: deps.ops,
    watched,
  });

  return {
    lookups: reportingAvailability(client, availability),
    proxyOf: client.proxyOf,
    availability,
    budget,
    stats: client.stats,
    load(key: string, document: unknown): boolean {
      if (key === RATE_LIMIT_KEY) return rateLimit.load(document);
      return (key.startsWith(SETTLEMENTS_PREFIX) ? settlements : learning).load(key, document);
    },
    settlements: async (markets: readonly string[]) => settlements.of(markets),
    /** Polls the endpoint again soon, because its last page left something open. */
    expedite: (endpoint: Endpoint) => schedule.expedite(endpoint),
    raisePollId: poller.raisePollId,
    noteTaken(_wallet: WalletAddress, committed: Committed) {
      for (const pollId of Object.values(committed)) poller.raisePollId(pollId);
    },
    giveWay(to: () => boolean) {
      isBusy = to;
    },
    watch(wallet: WalletAddress) {
      watched.add(wallet);
      const learned = learning.take(wallet);
      for (const name of ENDPOINT_NAMES) schedule.add({ wallet, name }, learned[name]);
    },
    unwatch(wallet: WalletAddress) {
      watched.delete(wallet);
      schedule.remove(wallet);
      poller.forget(wallet);
      void learning.forget(wallet);
    },
    watchersChanged: schedule.watchersChanged,
    walletCount: () => watched.size,
    lastSeconds: schedule.lastSeconds,
    awaitIdentify: null,
    taken: Promise.resolve(),
    trouble: () => null,
    lastPollMs: () => lastPollMs,
    start(taker: typeof sink) {
      sink = taker;
      learning.start();
      settlements.start();
      rateLimit.start();
      pollLoop.start();
    },
    async stop() {
      await pollLoop.stop();
      await learning.stop();
      await settlements.stop();
      await rateLimit.stop();
      await client.close();
    },
  };
}
