import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../domain/records.ts';
import { drawnTime } from '../../language/drawn-time.ts';
import type { LocalizedText } from '../../language/language.ts';
import { createSightings } from '../../lib/async/lasting.ts';
import { reasonOf } from '../../lib/error.ts';
import type { Account } from '../../lib/fair-shares/account.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import { type Endpoint, keyOf } from '../../poll-policy/types.ts';
import { type Lookups, lookupsBy, USUAL_CALL_LIMIT_MS } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import { PROXY_LIMIT_MS, type ProxyLookup } from '../../venue/proxy-lookup.ts';
import { type BudgetSnapshot, UNKNOWN_BUDGET } from '../../venue/rate-limit/budget.ts';
import { troubleText } from '../availability.ts';
import type { Feed, PageSink } from '../interface.ts';
import { disconnect } from './connection.ts';
import { createPageConsumer } from './page-consumer.ts';
import { createPollListClient } from './poll-list-client.ts';
import { openStream } from './stream.ts';
import * as wire from './wire.ts';

/** Silence after which a feed counts as unreachable, in ms. */
const SILENT_MS = 10_000;
/** Time for which a feed of another version must be seen before the bot ends, in ms. */
const OTHER_VERSION_LIMIT_MS = 15_000;
const IDENTIFY_LIMIT_MS = 3_000;
const SETTLEMENTS_LIMIT_MS = 5_000;
/** Delay after the feed's own timeout before a lookup without an answer fails, in ms. */
const ANSWER_DELAY_MS = 2_000;

/** A feed in another process, over NATS. */
export function createRemoteFeed(
  machine: Machine,
  {
    connection,
    bot,
    shards,
    watchersOf,
    onUnusable,
  }: {
    readonly connection: NatsConnection;
    readonly bot: string;
    readonly shards: wire.PollListMessage['shards'];
    readonly watchersOf: (wallet: WalletAddress) => readonly Account[];
    /** Called when the bot cannot work with this feed and must end. */
    readonly onUnusable: (reason: string) => void;
  },
): Feed {
  let consumer: ReturnType<typeof createPageConsumer> | null = null;
  const instance = randomUUID();
  const pollList = createPollListClient(machine, {
    connection,
    bot,
    instance,
    shards,
    watchersOf,
    onRefused: onUnusable,
  });
  const pages = createRemotePages(pollList);
  const news = createFeedNews(machine, pollList.sayAll);
  const { onFault, onOtherVersion, isOfOurVersion } = createFaults(machine, onUnusable);

  const onState = (message: wire.FeedState): undefined => {
    isOfOurVersion();
    news.take(message);
  };

  /**
   * Returns since when the feed's state or its pages have not arrived, in epoch ms; null while both
   * arrive.
   */
  const awaySinceMs = () => {
    const lastMessageAt = news.lastMessageAt();
    const unread = consumer?.unreadSince() ?? lastMessageAt;
    const since = unread.monotonicMs < lastMessageAt.monotonicMs ? unread : lastMessageAt;
    if (machine.monotonicMs() - since.monotonicMs <= SILENT_MS) return null;
    return since.wallMs;
  };

  return {
    lookups: createRemoteLookups(connection, news.takeBudget),
    proxyOf: createRemoteProxyLookup(machine, connection),
    availability: availabilityBy(news.state, awaySinceMs),
    budget: budgetBy(machine, news),
    stats: () => news.state()?.stats ?? { requests: 0, retries: 0, skippedItems: 0 },
    load: () => true,
    async settlements(markets) {
      const asked = new Set(markets);
      const reply = await wire.ask(
        connection,
        wire.SETTLEMENTS,
        { markets: [...markets] },
        SETTLEMENTS_LIMIT_MS,
      );
      return reply.settlements.filter(({ market }) => asked.has(market));
    },
    watch: pollList.watch,
    noteTaken: pollList.noteTaken,
    giveWay() {},
    unwatch(wallet) {
      pollList.unwatch(wallet);
      pages.forget(wallet);
    },
    watchersChanged: pollList.changed,
    lastSeconds: pages.lastSeconds,
    awaitIdentify: (bucket, signal) => awaitIdentify(machine, connection, bucket, signal),
    taken: pollList.taken,
    trouble() {
      // Only /readyz shows it, because nobody can use Discord commands before the bot has logged
      // in.
      const refusal = pollList.refusal();
      if (refusal !== null) {
        return () => `The bot logs in to Discord and sends once the feed has taken it. ${refusal}`;
      }
      const sinceMs = awaySinceMs();
      if (sinceMs === null) return null;
      return feedAwayText(sinceMs);
    },
    lastPollMs: () => news.state()?.lastPollMs ?? null,
    async start(sink) {
      const opened = createPageConsumer(machine, {
        manager: await openStream(connection),
        bot,
        isWatched: pollList.isWatched,
        sink: pages.takerFor(sink),
        onOtherVersion,
      });
      consumer = opened;
      wire.listen(connection, wire.STATE, onState, onFault);
      wire.listen(connection, wire.UNCHANGED, pages.unchangedFor(sink), onFault);
      const presence = wire.presenceSubject(instance);
      connection.subscribe(presence, {
        callback: (error, message) =>
          void (error === null ? message.respond() : onFault(error, presence)),
      });
      void pollList.taken.then(opened.start);
      pollList.start(opened.received);
    },
    async stop() {
      await pollList.stop();
      await consumer?.stop();
      await disconnect(connection);
    },
  };
}

/**
 * Passes on the feed's pages, reports which were accepted, and tracks when each endpoint was polled
 * last.
 */
function createRemotePages(pollList: ReturnType<typeof createPollListClient>) {
  const lastSeconds = new Map<string, number>();
  return {
    takerFor: (sink: PageSink): Pick<PageSink, 'takePage' | 'abandon'> => ({
      async takePage(page) {
        const { wallet, endpoint: name, pollId, venueSeconds } = page;
        const taken = await sink.takePage(page);
        lastSeconds.set(keyOf({ wallet, name }), venueSeconds);
        // Greater than the page's own if this bot has a later page; the feed then continues above
        // it.
        pollList.committed({ wallet, name }, Math.max(pollId, taken.pollId), taken.isOpen);
        return taken;
      },
      async abandon(page) {
        await sink.abandon(page);
        pollList.committed({ wallet: page.wallet, name: page.endpoint }, page.pollId, false);
      },
    }),
    unchangedFor:
      (sink: PageSink) =>
      ({ polls }: { readonly polls: wire.UnchangedPolls }): undefined => {
        for (const [name, wallet, pollId, seconds] of polls) {
          // Ignored by a bot that has not processed the unchanged page.
          if (pollList.committedOf({ name, wallet }) !== pollId) continue;
          lastSeconds.set(keyOf({ name, wallet }), seconds);
          sink.unchanged(wallet, name, seconds);
        }
      },
    lastSeconds: (endpoint: Endpoint) => lastSeconds.get(keyOf(endpoint)) ?? null,
    forget(wallet: WalletAddress): void {
      for (const name of ENDPOINT_NAMES) lastSeconds.delete(keyOf({ wallet, name }));
    },
  };
}

type FeedNews = ReturnType<typeof createFeedNews>;

/**
 * Keeps the feed's latest state, and when it arrived.
 *
 * @param onNewFeed called for each run of the feed, at its first message
 */
function createFeedNews({ log, nowMs, monotonicMs }: Machine, onNewFeed: () => void) {
  let state: wire.FeedState | null = null;
  /**
   * Budget of the feed, from its state or from the answer to a lookup, so that the next lookup
   * accounts for the last one.
   */
  let budget: BudgetSnapshot = UNKNOWN_BUDGET;
  const knownFeeds = new Set<string>();
  const now = () => ({ monotonicMs: monotonicMs(), wallMs: nowMs() });
  let lastMessageAt = now();
  return {
    state: () => state,
    budget: () => budget,
    /** Time when its last message arrived, or listening began, by both clocks. */
    lastMessageAt: () => lastMessageAt,
    take(message: wire.FeedState): void {
      // If two feeds alternate, one of them ends soon.
      if (!knownFeeds.has(message.feed)) {
        knownFeeds.add(message.feed);
        log.info({ event: 'feed.heard', feed: message.feed });
        onNewFeed();
      }
      state = message;
      budget = message.budget;
      lastMessageAt = now();
    },
    takeBudget(snapshot: BudgetSnapshot): void {
      budget = snapshot;
    },
  };
}

/** Decides what an unreadable message means. A single one does not end the bot. */
function createFaults(machine: Machine, onUnusable: (reason: string) => void) {
  const otherVersion = createSightings(OTHER_VERSION_LIMIT_MS, SILENT_MS, machine.monotonicMs);
  const unreadable = createTroubleLog(machine, 'warn', { event: 'nats.message_unreadable' });
  let isUnusable = false;
  const onOtherVersion = (error: wire.OtherVersion): void => {
    const { isFirst, hasLasted } = otherVersion.seen();
    if (isFirst) machine.log.warn({ event: 'feed.other_version', reason: error.message });
    if (!hasLasted || isUnusable) return;
    isUnusable = true;
    onUnusable(error.message);
  };
  return {
    onOtherVersion,
    onFault(err: unknown, subject: string): void {
      if (err instanceof wire.OtherVersion) onOtherVersion(err);
      else unreadable.failed(subject, { subject, err });
    },
    /** Called when a feed of this version sent a message. */
    isOfOurVersion: otherVersion.over,
  };
}

function availabilityBy(
  state: FeedNews['state'],
  awaySinceMs: () => number | null,
): Feed['availability'] {
  const current = () => (awaySinceMs() === null ? state() : null);
  return {
    trouble(name) {
      const awayMs = awaySinceMs();
      if (awayMs !== null) {
        const say = feedAwayText(awayMs);
        return { kind: 'unreachable', hasAnswered: false, sinceMs: awayMs, say };
      }
      const found = state()?.troubles[name];
      if (found === undefined) return null;
      return { ...found, say: troubleText(found.kind, name) };
    },
    reachedSinceMs: (name) => current()?.reachedSinceMs[name] ?? null,
    listing: (name) => current()?.listings[name] ?? null,
    isOpen: (name) => (state()?.troubles[name]?.kind ?? 'unreachable') === 'unreachable',
  };
}

/** Budget of the feed. The feed enforces it; a bot only accounts for its owners' shares. */
function budgetBy({ nowMs, monotonicMs }: Machine, news: FeedNews): Feed['budget'] {
  return {
    acquire: async () => ({ complete() {}, trust() {} }),
    snapshot: news.budget,
    /** The feed's venue time, advanced by the time since it arrived. */
    venueNowMs() {
      const state = news.state();
      if (state === null) return nowMs();
      return state.venueNowMs + (monotonicMs() - news.lastMessageAt().monotonicMs);
    },
    reportedNowMs: () => news.state()?.reportedNowMs ?? null,
    skewKnown: () => news.state()?.isClockKnown ?? false,
  };
}

/** Waits for a bucket's turn to log in; returns at once if the feed does not answer. */
async function awaitIdentify(
  { log, sleep }: Machine,
  connection: NatsConnection,
  bucket: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const { waitMs } = await wire.ask(connection, wire.IDENTIFY, { bucket }, IDENTIFY_LIMIT_MS);
      if (waitMs === 0) return;
      await sleep(waitMs, signal);
    }
  } catch (error) {
    log.warn({ event: 'feed.no_turn', bucket, err: error });
  }
}

/**
 * Lookups that a feed in another process answers.
 *
 * @param onBudget called with the feed's budget after each
 * @throws VenueError
 */
export function createRemoteLookups(
  connection: NatsConnection,
  onBudget: (budget: BudgetSnapshot) => void,
): Lookups {
  return lookupsBy((endpoint) => {
    const { schema } = ENDPOINTS[endpoint];
    const exchange = { ...wire.LOOKUP, answered: wire.lookupReply(schema) };
    return async (wallet, filters, options) => {
      const { withinMs = USUAL_CALL_LIMIT_MS, account = null } = options;
      const priority = options.priority === 'background' ? 'background' : 'person';
      const call = { endpoint, wallet };
      const request = { ...call, priority, withinMs, account, ...filters } as const;
      await options.budget?.acquire(priority, options.signal);
      try {
        const answer = await wire.ask(connection, exchange, request, withinMs + ANSWER_DELAY_MS);
        onBudget(answer.budget);
        if ('page' in answer) return answer.page;
        const { kind, message, retryAtMs } = answer.error;
        throw new VenueError(kind, message, { call, retryAtMs, cause: answer.error });
      } catch (error) {
        if (error instanceof VenueError) throw error;
        if (error instanceof wire.Unreadable) {
          throw new VenueError('badResponse', 'The answer of the feed cannot be read.', {
            call,
            cause: error,
          });
        }
        throw new VenueError('unreachable', 'The feed does not answer.', {
          call,
          cause: error,
          isFeedAway: true,
        });
      }
    };
  });
}

/**
 * Lookup of proxy addresses that a feed in another process answers. Like the local one, it never
 * rejects.
 */
function createRemoteProxyLookup({ log }: Machine, connection: NatsConnection): ProxyLookup {
  return async (wallet, { budget, account = null }) => {
    try {
      await budget?.acquire('person');
      const limitMs = PROXY_LIMIT_MS + ANSWER_DELAY_MS;
      return (await wire.ask(connection, wire.PROXY, { wallet, account }, limitMs)).proxy;
    } catch (error) {
      log.debug({ event: 'venue.proxy_unknown', wallet, reason: reasonOf(error) });
      return null;
    }
  };
}

function feedAwayText(sinceMs: number): LocalizedText {
  return ({ texts }) => texts.watch.status.feedAway(drawnTime(sinceMs, 'f'));
}
