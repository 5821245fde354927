import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { type NatsConnection, RequestError } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { ENDPOINT_NAMES, type EndpointName } from '../../domain/records.ts';
import { createSightings } from '../../lib/async/lasting.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Watchers } from '../../poll-policy/fair-schedule.ts';
import { type CallOptions, lookupOf } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import type { LocalFeed } from '../feed.ts';
import { disconnect } from './connection.ts';
import { createPollLists } from './poll-lists.ts';
import { createPublisher } from './publisher.ts';
import { ensureStream, openStream } from './stream.ts';
import * as wire from './wire.ts';

const STATE_EVERY_MS = 1_000;
/** Time within which a connected bot answers, in ms. The new bot's list waits for it. */
const PRESENCE_LIMIT_MS = 1_000;
/**
 * Maximum lookups in progress, separately for people and for background work. Beyond it the feed
 * asks them to try again later.
 */
const LOOKUPS_LIMIT = 1_000;
const UNASKED = {
  kind: 'unreachable',
  message: 'The feed could not ask the venue.',
  retryAtMs: null,
} as const;
/**
 * Time for which two feeds must be active together before they count as rivals and not as a
 * takeover, in ms.
 */
const BESIDE_LIMIT_MS = 10_000;
/** Silence after which a feed counts as stopped, in ms. */
const SILENT_MS = 5_000;
/**
 * Time per IDENTIFY and bucket of shards (topics/gateway.mdx, "Rate limiting"), in ms, with a
 * margin for transit.
 */
const SLOT_MS = 5_500;

/** Serves the feed to bots in other processes. */
export function createFeedServer(
  machine: Machine,
  deps: {
    readonly connection: NatsConnection;
    /** Creates the feed within this process. */
    readonly feedFor: (watchers: Watchers) => LocalFeed;
    readonly fence: () => Promise<void>;
    /** Called when another feed that started before this one uses the same NATS. */
    readonly onRival: (reason: string) => void;
  },
) {
  const { log, monotonicMs } = machine;
  const { connection, fence } = deps;
  const own = { feed: randomUUID(), beganMs: machine.nowMs() };
  let timer: NodeJS.Timeout | undefined;
  const takeIdentifySlot = createIdentifySlots(monotonicMs);
  const refused = createTroubleLog(machine, 'error', { event: 'feed.bot_refused' });
  const unserved = createTroubleLog(machine, 'error', { event: 'feed.message_refused' });

  const pollLists = createPollLists(machine, {
    onAdded: (wallet) => feed.watch(wallet),
    onRemoved(wallet) {
      feed.unwatch(wallet);
      publisher.forget(wallet);
    },
    onWatchersChanged: (wallet) => feed.watchersChanged(wallet),
    onOpen: (endpoint) => feed.expedite(endpoint),
    onCommitted: (pollId) => feed.raisePollId(pollId),
  });
  const feed = deps.feedFor(pollLists);
  const publisher = createPublisher(machine, {
    connection,
    jetStream: jetstream(connection),
    pollLists,
    fence,
  });

  const answerLookup = createLookupDesk(log, feed);
  const speak = createSpeaker(connection, fence, () => ({ ...own, ...stateOf(feed) }));

  const answerPollList = async (message: wire.PollListMessage) => {
    // If a bot was killed and starts again, its previous run may have sent a message a moment ago.
    const inTheWay = pollLists.inTheWay(message).map(({ instance }) =>
      connection
        .request(wire.presenceSubject(instance), undefined, { timeout: PRESENCE_LIMIT_MS })
        .catch((error: unknown) => {
          // A bot that does not answer in time may still be connected; it counts as silent after a
          // while.
          if (error instanceof RequestError && error.isNoResponders()) pollLists.gone(instance);
        }),
    );
    if (inTheWay.length > 0) await Promise.all(inTheWay);
    const reply = pollLists.take(message);
    if (reply.answer === 'refused') {
      refused.failed(message.instance, { bot: message.bot, reason: reply.reason });
    }
    return reply;
  };

  const onFault = (err: unknown, subject: string) => unserved.failed(subject, { subject, err });

  return {
    feed,
    async start(): Promise<void> {
      const manager = await openStream(connection);
      // Each working bot has a consumer, which remains after it stops.
      if ((await ensureStream(manager)).state.consumer_count > 0) pollLists.expectBots();
      wire.listen(connection, wire.STATE, createRivalWatch(machine, own, deps.onRival), onFault);
      wire.listen(connection, wire.POLL_LIST, answerPollList, onFault);
      wire.listen(connection, wire.LOOKUP, answerLookup, onFault);
      wire.listen(
        connection,
        wire.PROXY,
        async ({ wallet, account }) => ({
          proxy: await feed.proxyOf(wallet, account === null ? {} : { account }),
        }),
        onFault,
      );
      wire.listen(
        connection,
        wire.SETTLEMENTS,
        async ({ markets }) => ({
          settlements: (await feed.settlements(markets)).map((each) => ({
            ...each,
            payouts: [...each.payouts],
          })),
        }),
        onFault,
      );
      wire.listen(
        connection,
        wire.IDENTIFY,
        ({ bucket }) => ({ waitMs: takeIdentifySlot(bucket) }),
        onFault,
      );
      timer = setInterval(() => {
        void speak();
        publisher.flushUnchanged();
        pollLists.forgetSilent();
      }, STATE_EVERY_MS);
      feed.start(publisher);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await feed.stop();
      await disconnect(connection);
    },
  };
}

/** Answers lookups. Identical background lookups share one request. */
function createLookupDesk(log: Logger, feed: LocalFeed) {
  const underWay = { person: 0, background: 0 };
  /** Background lookups in progress, by request. */
  const shared = new Map<string, ReturnType<typeof lookUp>>();

  const lookUp = ({ endpoint, wallet, account, ...rest }: wire.LookupRequest) => {
    const { priority, withinMs, ...filters } = rest;
    const options: CallOptions = { priority, withinMs };
    const whose = account === null ? options : { ...options, account };
    return lookupOf(feed.lookups, endpoint)(wallet, filters, whose);
  };

  const lookupShared = (request: wire.LookupRequest) => {
    const key = JSON.stringify({ ...request, account: null });
    const page = shared.get(key) ?? lookUp(request).finally(() => shared.delete(key));
    shared.set(key, page);
    return page;
  };

  return async (request: wire.LookupRequest) => {
    const { priority } = request;
    underWay[priority] += 1;
    try {
      if (underWay[priority] > LOOKUPS_LIMIT) throw new Error('Too many look-ups are under way.');
      const page = await (priority === 'background' ? lookupShared : lookUp)(request);
      return { page, budget: feed.budget.snapshot() };
    } catch (error) {
      const isOfVenue = error instanceof VenueError;
      if (!isOfVenue) log.warn({ event: 'feed.look_up_failed', err: error });
      const { kind, message, retryAtMs } = isOfVenue ? error : UNASKED;
      return { error: { kind, message, retryAtMs }, budget: feed.budget.snapshot() };
    } finally {
      underWay[priority] -= 1;
    }
  };
}

/**
 * Publishes the feed's state, unless its store may belong to another feed by now, because two feeds
 * that publish together count as rivals.
 */
function createSpeaker(
  connection: NatsConnection,
  fence: () => Promise<void>,
  state: () => wire.FeedState,
) {
  let isSpeaking = false;
  return async (): Promise<void> => {
    // After a long wait for the store, only one state is published.
    if (isSpeaking) return;
    isSpeaking = true;
    const published = fence().then(() =>
      connection.publish(wire.STATE.subject, wire.encode(state())),
    );
    await published.catch(() => {});
    isSpeaking = false;
  };
}

function stateOf(feed: LocalFeed): Omit<wire.FeedState, keyof Identity> {
  return {
    venueNowMs: feed.budget.venueNowMs(),
    isClockKnown: feed.budget.skewKnown(),
    reportedNowMs: feed.budget.reportedNowMs(),
    budget: feed.budget.snapshot(),
    stats: feed.stats(),
    troubles: byEndpoint(feed.availability.trouble),
    reachedSinceMs: byEndpoint(feed.availability.reachedSinceMs),
    listings: byEndpoint(feed.availability.listing),
    lastPollMs: feed.lastPollMs(),
  };
}

/** Reads a value for each endpoint, leaving out nulls. */
function byEndpoint<Value>(read: (name: EndpointName) => Value | null) {
  const all = ENDPOINT_NAMES.map((name) => [name, read(name)]);
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

type Identity = Pick<wire.FeedState, 'feed' | 'beganMs'>;

/**
 * Makes sure that only one feed uses a NATS. If there are two, the later one ends. A feed that was
 * suspended and resumes after its standby has taken over publishes once or twice before it finds
 * that it has lost its store; that alone is no reason to end.
 *
 * @param onRival called when another feed that started before this one uses the same NATS
 * @returns a function to call with every feed's state, including this feed's own
 */
export function createRivalWatch(
  { monotonicMs, log }: Machine,
  own: Identity,
  onRival: (reason: string) => void,
) {
  let rival: string | null = null;
  const sightings = createSightings(BESIDE_LIMIT_MS, SILENT_MS, monotonicMs);
  return ({ feed, beganMs }: Identity): undefined => {
    if (feed === own.feed) return;
    if (rival !== feed) sightings.over();
    rival = feed;
    const isOursLater = own.beganMs === beganMs ? own.feed > feed : own.beganMs > beganMs;
    const { isFirst, hasLasted } = sightings.seen();
    if (isFirst) log.warn({ event: 'feed.other_heard', feed, isLater: !isOursLater });
    if (!isOursLater || !hasLasted) return;
    onRival(
      'Another feed, which began before this one, works on the same NATS. ' +
        'Two feeds need one store, one of them with STANDBY=true.',
    );
  };
}

/**
 * Gives the bots of one token their turns to log in. No turn is reserved for a bot that must wait,
 * because a bot that crashes and asks again would reserve all future turns.
 *
 * @param monotonicMs a clock that never jumps, in ms
 * @returns a function that takes the turn of a bucket (shard id modulo max_concurrency) if it is
 *   free, and returns how long the bot must wait before it asks again, in ms; 0: it is its turn
 */
export function createIdentifySlots(monotonicMs: () => number) {
  const freeMs = new Map<number, number>();
  return (bucket: number): number => {
    const now = monotonicMs();
    const waitMs = Math.max(0, (freeMs.get(bucket) ?? now) - now);
    if (waitMs === 0) freeMs.set(bucket, now + SLOT_MS);
    return waitMs;
  };
}
