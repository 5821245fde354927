import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { WalletAddress } from '../../domain/address.ts';
import type { EndpointName } from '../../domain/records.ts';
import type { LocalizedText } from '../../language/language.ts';
import { createSightings } from '../../lib/lasting.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { VenueStats } from '../../venue/client.ts';
import { type Budget, UNKNOWN_BUDGET } from '../../venue/rate-limit/budget.ts';
import type { Trouble } from '../availability.ts';
import type { Feed } from '../feed.ts';
import type { PageSink } from '../polled-page.ts';
import { disconnect } from './connection.ts';
import { createPageConsumer, type PageConsumer } from './page-consumer.ts';
import { createPollListClient } from './poll-list-client.ts';
import { createRemoteLookUps } from './remote-look-ups.ts';
import { openStream } from './stream.ts';
import {
  decode,
  encode,
  type FeedState,
  IDENTIFY_SUBJECT,
  identifyReply,
  OtherVersion,
  type PollListMessage,
  presenceSubject,
  SETTLEMENTS_SUBJECT,
  STATE_SUBJECT,
  settlementsReply,
  stateMessage,
  UNCHANGED_SUBJECT,
  unchangedMessage,
} from './wire.ts';

/** A feed that says nothing for this long is away. */
const SILENT_MS = 10_000;
/** A feed of another version that is heard for this long is no mistake of a moment, ms. */
const OTHER_VERSION_LIMIT_MS = 15_000;
const IDENTIFY_LIMIT_MS = 3_000;
const SETTLEMENTS_LIMIT_MS = 5_000;

export interface RemoteFeedDeps {
  readonly connection: NatsConnection;
  /** Id of the bot's store. */
  readonly bot: string;
  readonly shards: PollListMessage['shards'];
  /** The servers that watch a wallet. */
  readonly guildsOf: (wallet: WalletAddress) => readonly string[];
  /** The bot cannot work with this feed: it must end. */
  readonly onUnusable: (reason: string) => void;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms from any origin. */
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
}

/** What the bot half uses of the venue besides the feed. */
export interface VenueView extends Pick<Budget, 'acquire' | 'snapshot' | 'venueNowMs' | 'reportedNowMs' | 'skewKnown'> {
  stats(): VenueStats;
}

/** The feed of another process, over NATS. */
export interface RemoteFeed extends Feed {
  readonly venue: VenueView;
  /** The servers that watch a wallet may be others now. */
  readonly changed: (wallet: WalletAddress) => void;
  /** Waits for this process's turn to log a shard in, among all bots. At once where the feed does not answer. */
  awaitIdentify(bucket: number, signal: AbortSignal): Promise<void>;
  /** Resolves once a feed has taken this bot: before, it must not log in to Discord nor send. */
  readonly taken: Promise<void>;
  /** Why no feed has taken this bot yet, in its own words; null if one has, or none has answered. */
  refusal(): string | null;
  /** Since when the feed has not been heard, or its pages cannot be read, epoch ms; null while all is well. */
  awaySinceMs(): number | null;
  /** When the feed last polled with success, epoch ms; null where that is not known. */
  lastPollMs(): number | null;
}

export function createRemoteFeed(deps: RemoteFeedDeps): RemoteFeed {
  const { connection, log, nowMs, monotonicMs } = deps;
  let state: FeedState | null = null;
  const heardFeeds = new Set<string>();
  const now = () => ({ monotonicMs: monotonicMs(), wallMs: nowMs() });
  let heard = now();
  /** Since when the stream of pages cannot be read; null while it can. */
  let unreadSince: typeof heard | null = null;
  let consumer: PageConsumer | undefined;
  let isStopped = false;
  const lastSeconds = new Map<string, number>();
  const keyOf = ({ wallet, name }: Endpoint) => `${wallet}:${name}`;

  const instance = randomUUID();
  let onTaken = () => {};
  const taken = new Promise<void>((resolve) => {
    onTaken = resolve;
  });
  const pollList = createPollListClient({
    ...deps,
    instance,
    consumer: () => consumer ?? { received: 0, isIdle: () => false },
    onTaken,
    onRefused: deps.onUnusable,
  });

  const otherVersion = createSightings(OTHER_VERSION_LIMIT_MS, SILENT_MS, monotonicMs);
  let isUnusable = false;
  /** One odd message ends nobody. */
  const onOtherVersion = (error: OtherVersion) => {
    const { isFirst, hasLasted } = otherVersion.seen();
    if (isFirst) log.warn({ event: 'feed.other_version', reason: error.message });
    if (!hasLasted || isUnusable) return;
    isUnusable = true;
    deps.onUnusable(error.message);
  };

  const unreadable = createTroubleLog<{ readonly subject: string; readonly error: unknown }>({
    onFailure: ({ error, ...rest }) => log.warn({ event: 'nats.message_unreadable', ...rest, err: error }),
    monotonicMs,
  });
  const listen = (subject: string, handle: (message: Msg) => void) => {
    connection.subscribe(subject, {
      callback(error, message) {
        try {
          if (error !== null) throw error;
          handle(message);
        } catch (failure) {
          if (failure instanceof OtherVersion) onOtherVersion(failure);
          else unreadable.failed(subject, { subject, error: failure });
        }
      },
    });
  };

  const onState = (message: Msg) => {
    const said = decode(stateMessage, message.data);
    // Of two feeds that are heard in turn one ends soon.
    if (!heardFeeds.has(said.feed)) {
      heardFeeds.add(said.feed);
      log.info({ event: 'feed.heard', feed: said.feed });
      pollList.sayAll();
    }
    otherVersion.over();
    state = said;
    heard = now();
  };

  const onUnchanged = (message: Msg, sink: PageSink) => {
    for (const [name, wallet, pollId, seconds] of decode(unchangedMessage, message.data).polls) {
      const endpoint = { name, wallet };
      // It says nothing to a bot that has not taken the page that is still the same.
      if (pollList.committedOf(endpoint) !== pollId) continue;
      lastSeconds.set(keyOf(endpoint), seconds);
      sink.unchanged(wallet, name, seconds);
    }
  };

  /** Since when nothing comes of the feed, neither its state nor its pages, epoch ms; null while both come. */
  const awaySinceMs = () => {
    const since = unreadSince !== null && unreadSince.monotonicMs < heard.monotonicMs ? unreadSince : heard;
    return monotonicMs() - since.monotonicMs > SILENT_MS ? since.wallMs : null;
  };

  const trouble = (name: EndpointName): Trouble | null => {
    const awayMs = awaySinceMs();
    if (awayMs !== null) return { kind: 'unreachable', sinceMs: awayMs, say: feedAwayText(awayMs) };
    const found = state?.troubles[name];
    return found === undefined ? null : { ...found, say: troubleText(found.kind, name) };
  };

  /** The venue's clock: as far from ours as the feed's word was when it came. */
  const venueNowMs = () => (state === null ? nowMs() : state.venueNowMs + (monotonicMs() - heard.monotonicMs));

  return {
    lookUps: createRemoteLookUps(connection),
    availability: {
      trouble,
      reachedSinceMs: (name) => (awaySinceMs() === null ? (state?.reachedSinceMs[name] ?? null) : null),
      isOpen: (name) => {
        const kind = state?.troubles[name]?.kind;
        return kind !== 'key' && kind !== 'plan';
      },
    },
    venue: {
      // The feed's budget decides; a bot only counts its servers' shares.
      acquire: async () => ({ complete() {}, release() {} }),
      snapshot: () => state?.budget ?? UNKNOWN_BUDGET,
      venueNowMs,
      reportedNowMs: () => (state === null ? null : state.reportedNowMs),
      get skewKnown() {
        return state?.isClockKnown ?? false;
      },
      stats: () => state?.stats ?? { requests: 0, retries: 0, skippedItems: 0 },
    },
    load: () => true,
    async settlements(markets) {
      const limits = { timeout: SETTLEMENTS_LIMIT_MS };
      const reply = await connection.request(SETTLEMENTS_SUBJECT, encode({ markets }), limits);
      const asked = new Set(markets);
      return decode(settlementsReply, reply.data).settlements.filter(({ market }) => asked.has(market));
    },
    watch: (wallet, committed = {}) => pollList.watch(wallet, committed),
    unwatch(wallet) {
      pollList.unwatch(wallet);
      for (const name of ['activity', 'deposits-withdrawals'] as const) lastSeconds.delete(keyOf({ wallet, name }));
    },
    changed: pollList.changed,
    outlook: (endpoint) => ({ lastSeconds: lastSeconds.get(keyOf(endpoint)) ?? null, nextSeconds: null }),
    async awaitIdentify(bucket, signal) {
      try {
        while (!signal.aborted) {
          const reply = await connection.request(IDENTIFY_SUBJECT, encode({ bucket }), { timeout: IDENTIFY_LIMIT_MS });
          const { waitMs } = decode(identifyReply, reply.data);
          if (waitMs === 0) return;
          await deps.sleep(waitMs, signal);
        }
      } catch (error) {
        log.warn({ event: 'feed.no_turn', bucket, err: error });
      }
    },
    awaySinceMs,
    lastPollMs: () => state?.lastPollMs ?? null,
    taken,
    refusal: pollList.refusal,
    async start(sink) {
      const manager = await openStream(connection);
      const pages = createPageConsumer({
        ...deps,
        jetStream: jetstream(connection),
        manager,
        isWatched: pollList.isWatched,
        takePage: sink.takePage,
        onAbandoned: async (page, error) => {
          await sink.abandon(page);
          log.error({ event: 'page.abandoned', wallet: page.wallet, endpoint: page.endpoint, err: error });
          pollList.committed({ wallet: page.wallet, name: page.endpoint }, page.pollId, false);
        },
        onTaken(endpoint, { pollId, venueSeconds }, isOpen) {
          lastSeconds.set(keyOf(endpoint), venueSeconds);
          pollList.committed(endpoint, pollId, isOpen);
        },
        onReadable(isReadable) {
          unreadSince = isReadable ? null : (unreadSince ?? now());
        },
        onOtherVersion,
      });
      listen(STATE_SUBJECT, onState);
      listen(UNCHANGED_SUBJECT, (message) => onUnchanged(message, sink));
      listen(presenceSubject(instance), (message) => void message.respond());
      void taken.then(() => {
        if (isStopped) return;
        consumer = pages;
        pages.start();
      });
      pollList.start();
    },
    async stop() {
      isStopped = true;
      await pollList.stop();
      await consumer?.stop();
      await disconnect(connection);
    },
  };
}

/** What people read while the feed is away. @param sinceMs epoch ms */
export function feedAwayText(sinceMs: number): LocalizedText {
  return ({ texts }) => texts.watch.status.feedAway(new Date(sinceMs).toISOString());
}

function troubleText(kind: Trouble['kind'], name: EndpointName): LocalizedText {
  return ({ texts }) => {
    const { status } = texts.watch;
    return { key: status.keyRefused, plan: status.notInPlan[name], unreachable: status.unreachable }[kind];
  };
}
