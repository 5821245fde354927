import type { Logger } from 'pino';
import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { Endpoint, Schedule } from '../poll-policy/schedule.ts';
import type { Store } from '../store/store.ts';
import type { VenueClient } from '../venue/client.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { createVenueAvailability, type VenueAvailability } from './availability.ts';
import type { CronTimer } from './cron-timer.ts';
import { createLearning, type Learning } from './learning.ts';
import { type LookUps, reportingAvailability } from './observe.ts';
import { createPollLoop, type PollLoopDeps } from './poll-loop.ts';
import type { PageSink } from './polled-page.ts';
import { createPoller, type Poller, type PollOutcome } from './poller.ts';
import { createSettlements, SETTLEMENTS_PREFIX } from './settlements/settlements.ts';

export interface FeedDeps {
  readonly client: VenueClient;
  readonly budget: Pick<Budget, 'pollAllowance' | 'venueNowMs'>;
  readonly schedule: Schedule;
  readonly store: Pick<Store, 'set' | 'delete'>;
  readonly cronTimer: CronTimer;
  /** No endpoint of a wallet is polled more often than once in this time (POLL_MIN_SECONDS), ms. */
  readonly pollMinMs: number;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms from any origin. */
  readonly monotonicMs: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  /** Called with how each poll has ended. */
  readonly onOutcome?: (endpoint: EndpointName, outcome: PollOutcome) => void;
  readonly onTick?: PollLoopDeps['onTick'];
}

/** PollIds by endpoint. */
export type Committed = Readonly<Partial<Record<EndpointName, number>>>;

/** The feed half: shows what the venue shows of the wallets on its poll list, as early as the budget allows. */
export interface Feed {
  /** What people look up; it also shows whether the venue accepts the key. */
  readonly lookUps: LookUps;
  readonly availability: Pick<VenueAvailability, 'trouble' | 'reachedSinceMs' | 'isOpen'>;
  /** Takes a document of the store that is the feed's own. False if it cannot be read. */
  readonly load: Learning['load'];
  /**
   * Puts a wallet on the poll list.
   *
   * @param committed the pollIds of the last pages that have been taken of it, by endpoint
   */
  watch(wallet: WalletAddress, committed?: Committed): void;
  unwatch(wallet: WalletAddress): void;
  /** When an endpoint was last polled, and is expected to be polled next, Unix seconds; null where not known. */
  outlook(endpoint: Endpoint): ReturnType<Schedule['outlook']>;
  /**
   * How markets ended, as far as that was known at the last full hour.
   *
   * @param markets short hashes of their condition ids, at most 1,000
   * @returns rejects if there are more, or a feed of another process does not answer
   */
  settlements(markets: readonly string[]): Promise<readonly Settlement[]>;
  /** Begins to hand pages on. */
  start(sink: PageSink): Promise<void> | void;
  /** Plans no more, and waits for the pages under way. */
  stop(): Promise<void>;
}

type LocalSink = Pick<PageSink, 'takePage' | 'unchanged'>;

/** A feed in this process. */
export interface LocalFeed extends Feed {
  start(sink: LocalSink): void;
  /** Polls the endpoint again soon: something on its last page is open. */
  expedite(endpoint: Endpoint): void;
  readonly raisePollId: Poller['raisePollId'];
}

/** The feed as a part of the process: its pages are handed on by a call. */
export function createFeed(deps: FeedDeps): LocalFeed {
  const { client, schedule, budget, store, log, nowMs } = deps;
  const watched = new Set<WalletAddress>();
  const availability = createVenueAvailability({ nowMs, log, onChange: schedule.setAvailable });
  const learning = createLearning({ store, schedule, log });
  const nowSeconds = () => budget.venueNowMs() / 1000;
  const settlements = createSettlements({ store, nowSeconds, log });
  let sink: LocalSink = { takePage: async () => ({ isOpen: false }), unchanged: () => false };

  const poller = createPoller({
    client,
    isWatched: (wallet) => watched.has(wallet),
    sink: { takePage: (page) => sink.takePage(page), unchanged: (...poll) => sink.unchanged(...poll) },
    schedule: {
      ...schedule,
      polled(endpoint, report) {
        schedule.polled(endpoint, report);
        if (report.freshTimesSeconds.length + report.pageTimesSeconds.length > 0) learning.changed(endpoint.wallet);
      },
    },
    availability,
    nowSeconds,
    nowMs,
    monotonicMs: deps.monotonicMs,
    log,
    onActivity: settlements.count,
    ...(deps.onOutcome === undefined ? {} : { onOutcome: deps.onOutcome }),
  });
  const pollLoop = createPollLoop({
    ...deps,
    availability,
    poll: poller.poll,
    anyWallet: () => watched[Symbol.iterator]().next().value,
  });

  return {
    lookUps: reportingAvailability(client, availability),
    availability,
    load: (key, document) => (key.startsWith(SETTLEMENTS_PREFIX) ? settlements : learning).load(key, document),
    settlements: async (markets) => settlements.of(markets),
    expedite: schedule.expedite,
    raisePollId: poller.raisePollId,
    watch(wallet, committed = {}) {
      for (const pollId of Object.values(committed)) poller.raisePollId(pollId);
      watched.add(wallet);
      for (const name of ENDPOINT_NAMES) {
        const learned = learning.of(wallet, name);
        if (learned === undefined) schedule.add({ wallet, name });
        else schedule.add({ wallet, name }, learned);
      }
    },
    unwatch(wallet) {
      watched.delete(wallet);
      schedule.remove(wallet);
      poller.forget(wallet);
      learning
        .forget(wallet)
        .catch((error: unknown) => log.warn({ event: 'wallet.not_forgotten', wallet, err: error }));
    },
    outlook: schedule.outlook,
    start(taker) {
      sink = taker;
      learning.start();
      settlements.start();
      pollLoop.start();
    },
    async stop() {
      await pollLoop.stop();
      await learning.stop();
      await settlements.stop();
    },
  };
}
