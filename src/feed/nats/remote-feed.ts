import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { WalletAddress } from '../../domain/address.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../domain/records.ts';
import type { LocalizedText } from '../../language/language.ts';
import { createSightings } from '../../lib/async/lasting.ts';
import type { Account } from '../../lib/fair-shares/account.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import { keyOf } from '../../poll-policy/types.ts';
import { type LookUps, lookUpsBy, USUAL_CALL_LIMIT_MS } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import { type BudgetSnapshot, UNKNOWN_BUDGET } from '../../venue/rate-limit/budget.ts';
import { troubleText } from '../availability.ts';
import type { Feed } from '../interface.ts';
import { disconnect } from './connection.ts';
import { createPageConsumer } from './page-consumer.ts';
import { createPollListClient } from './poll-list-client.ts';
import { openStream } from './stream.ts';
import * as wire from './wire.ts';

/** A feed that says nothing for this long is away. */
const SILENT_MS = 10_000;
/** A feed of another version that is heard for this long is no mistake of a moment, ms. */
const OTHER_VERSION_LIMIT_MS = 15_000;
const IDENTIFY_LIMIT_MS = 3_000;
const SETTLEMENTS_LIMIT_MS = 5_000;
/** A look-up that has no answer so long after the feed itself has given up has failed, ms. */
const ANSWER_DELAY_MS = 2_000;

/** The feed of another process, over NATS. */
export function createRemoteFeed(
  machine: Machine,
  deps: {
    readonly connection: NatsConnection;
    readonly bot: string;
    readonly shards: wire.PollListMessage['shards'];
    readonly watchersOf: (wallet: WalletAddress) => readonly Account[];
    /** The bot cannot work with this feed: it must end. */
    readonly onUnusable: (reason: string) => void;
  },
): Feed {
  const { log, nowMs, monotonicMs } = machine;
  const { connection, bot, shards, watchersOf, onUnusable } = deps;
  let state: wire.FeedState | null = null;
  /**
   * Budget of the feed, from its state or from the answer to a look-up: what one look-up has used
   * counts for the next.
   */
  let budget: BudgetSnapshot = UNKNOWN_BUDGET;
  const heardFeeds = new Set<string>();
  const now = () => ({ monotonicMs: monotonicMs(), wallMs: nowMs() });
  let heard = now();
  let consumer: ReturnType<typeof createPageConsumer> | null = null;
  const lastSeconds = new Map<string, number>();

  const instance = randomUUID();
  const pollList = createPollListClient(machine, {
    connection,
    bot,
    instance,
    shards,
    watchersOf,
    onRefused: onUnusable,
  });

  const otherVersion = createSightings(OTHER_VERSION_LIMIT_MS, SILENT_MS, monotonicMs);
  let isUnusable = false;
  /** One odd message ends nobody. */
  const onOtherVersion = (error: wire.OtherVersion) => {
    const { isFirst, hasLasted } = otherVersion.seen();
    if (isFirst) log.warn({ event: 'feed.other_version', reason: error.message });
    if (!hasLasted || isUnusable) return;
    isUnusable = true;
    onUnusable(error.message);
  };

  const unreadable = createTroubleLog(machine, 'warn', { event: 'nats.message_unreadable' });
  const onFault = (err: unknown, subject: string) => {
    if (err instanceof wire.OtherVersion) onOtherVersion(err);
    else unreadable.failed(subject, { subject, err });
  };

  const onState = (said: wire.FeedState): undefined => {
    // One of two feeds that are heard in turn ends soon.
    if (!heardFeeds.has(said.feed)) {
      heardFeeds.add(said.feed);
      log.info({ event: 'feed.heard', feed: said.feed });
      pollList.sayAll();
    }
    otherVersion.over();
    state = said;
    budget = said.budget;
    heard = now();
  };

  /**
   * Since when nothing comes of the feed, neither its state nor its pages, epoch ms; null while
   * both come.
   */
  const awaySinceMs = () => {
    const unread = consumer?.unreadSince() ?? heard;
    const since = unread.monotonicMs < heard.monotonicMs ? unread : heard;
    return monotonicMs() - since.monotonicMs > SILENT_MS ? since.wallMs : null;
  };

  return {
    lookUps: createRemoteLookUps(connection, (said) => {
      budget = said;
    }),
    availability: {
      trouble(name) {
        const awayMs = awaySinceMs();
        if (awayMs !== null)
          return { kind: 'unreachable', sinceMs: awayMs, say: feedAwayText(awayMs) };
        const found = state?.troubles[name];
        return found === undefined ? null : { ...found, say: troubleText(found.kind, name) };
      },
      reachedSinceMs: (name) =>
        awaySinceMs() === null ? (state?.reachedSinceMs[name] ?? null) : null,
      isOpen: (name) => (state?.troubles[name]?.kind ?? 'unreachable') === 'unreachable',
    },
    budget: {
      // The feed's budget decides; a bot only counts its owners' shares.
      acquire: async () => ({ complete() {}, believe() {} }),
      snapshot: () => budget,
      /** As far from our clock as the feed's word was when it came. */
      venueNowMs: () =>
        state === null ? nowMs() : state.venueNowMs + (monotonicMs() - heard.monotonicMs),
      reportedNowMs: () => state?.reportedNowMs ?? null,
      skewKnown: () => state?.isClockKnown ?? false,
    },
    stats: () => state?.stats ?? { requests: 0, retries: 0, skippedItems: 0 },
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
    unwatch(wallet) {
      pollList.unwatch(wallet);
      for (const name of ENDPOINT_NAMES) lastSeconds.delete(keyOf({ wallet, name }));
    },
    watchersChanged: pollList.changed,
    lastSeconds: (endpoint) => lastSeconds.get(keyOf(endpoint)) ?? null,
    /** At once where the feed does not answer. */
    async awaitIdentify(bucket, signal) {
      try {
        while (!signal.aborted) {
          const { waitMs } = await wire.ask(
            connection,
            wire.IDENTIFY,
            { bucket },
            IDENTIFY_LIMIT_MS,
          );
          if (waitMs === 0) return;
          await machine.sleep(waitMs, signal);
        }
      } catch (error) {
        log.warn({ event: 'feed.no_turn', bucket, err: error });
      }
    },
    taken: pollList.taken,
    trouble() {
      // For /readyz alone: nobody can ask in Discord before the bot has logged in.
      const refusal = pollList.refusal();
      if (refusal !== null)
        return () => `The bot logs in to Discord and sends once the feed has taken it. ${refusal}`;
      const sinceMs = awaySinceMs();
      return sinceMs === null ? null : feedAwayText(sinceMs);
    },
    lastPollMs: () => state?.lastPollMs ?? null,
    async start(sink) {
      const opened = createPageConsumer(machine, {
        manager: await openStream(connection),
        bot,
        isWatched: pollList.isWatched,
        sink: {
          async takePage(page) {
            const { wallet, endpoint: name, pollId, venueSeconds } = page;
            const taken = await sink.takePage(page);
            lastSeconds.set(keyOf({ wallet, name }), venueSeconds);
            // Above the page's own where this bot has a later one: the feed goes on beyond it.
            pollList.committed({ wallet, name }, Math.max(pollId, taken.pollId), taken.isOpen);
            return taken;
          },
          async abandon(page) {
            await sink.abandon(page);
            pollList.committed({ wallet: page.wallet, name: page.endpoint }, page.pollId, false);
          },
        },
        onOtherVersion,
      });
      consumer = opened;
      const onUnchanged = ({ polls }: { readonly polls: wire.UnchangedPolls }): undefined => {
        for (const [name, wallet, pollId, seconds] of polls) {
          // It says nothing to a bot that has not taken the page that is still the same.
          if (pollList.committedOf({ name, wallet }) !== pollId) continue;
          lastSeconds.set(keyOf({ name, wallet }), seconds);
          sink.unchanged(wallet, name, seconds);
        }
      };
      wire.listen(connection, wire.STATE, onState, onFault);
      wire.listen(connection, wire.UNCHANGED, onUnchanged, onFault);
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
 * Look-ups that the feed of another process answers. @param onBudget takes its budget after each
 * @throws VenueError
 */
export function createRemoteLookUps(
  connection: NatsConnection,
  onBudget: (budget: BudgetSnapshot) => void,
): LookUps {
  return lookUpsBy((endpoint) => {
    const { schema } = ENDPOINTS[endpoint];
    const exchange = { ...wire.LOOK_UP, answered: wire.lookUpReply(schema) };
    return async (wallet, filters, options) => {
      const { withinMs = USUAL_CALL_LIMIT_MS, account = null } = options;
      const priority = options.priority === 'background' ? 'background' : 'person';
      const request = { endpoint, wallet, priority, withinMs, account, ...filters } as const;
      const call = { endpoint, wallet };
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

function feedAwayText(sinceMs: number): LocalizedText {
  return ({ texts }) => texts.watch.status.feedAway(new Date(sinceMs).toISOString());
}
