import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { type Msg, type NatsConnection, RequestError } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { ENDPOINT_NAMES } from '../../domain/records.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { FairShareDeps } from '../../poll-policy/fair-share.ts';
import type { Store } from '../../store/store.ts';
import type { VenueStats } from '../../venue/client.ts';
import { VenueError } from '../../venue/errors.ts';
import type { Budget } from '../../venue/rate-limit/budget.ts';
import type { LocalFeed } from '../feed.ts';
import { disconnect } from './connection.ts';
import { createIdentifySlots } from './identify-slots.ts';
import { createPollLists, type PollLists } from './poll-lists.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createRivalWatch } from './rival.ts';
import { POLL_LIST_PREFIX, storedListSchema } from './stored-list.ts';
import { openStream } from './stream.ts';
import {
  decode,
  encode,
  type FeedState,
  IDENTIFY_SUBJECT,
  identifyMessage,
  type ListEntry,
  LOOK_UP_SUBJECT,
  type LookUpRequest,
  lookUpMessage,
  POLL_LIST_SUBJECT,
  pollListMessage,
  presenceSubject,
  SETTLEMENTS_SUBJECT,
  STATE_SUBJECT,
  settlementsMessage,
  stateMessage,
} from './wire.ts';

const STATE_EVERY_MS = 1_000;
/** What a bot has changed is stored this often, ms: after a crash it says all of it again. */
const STORE_EVERY_MS = 30_000;
/** Wallets in one document. */
const ENTRIES_PER_DOCUMENT = 5_000;
/** A bot that is connected answers within this, ms; its list waits meanwhile. */
const PRESENCE_LIMIT_MS = 1_000;
/** Look-ups under way at the most, of people and of bots by themselves: beyond, they are told to try again. */
const LOOK_UPS_LIMIT = 1_000;

export interface FeedServerDeps {
  readonly connection: NatsConnection;
  /** The feed as a part of this process. */
  readonly feed: LocalFeed;
  readonly budget: Budget;
  readonly venueStats: () => VenueStats;
  readonly store: Pick<Store, 'set' | 'delete'>;
  readonly fence: () => Promise<void>;
  readonly lastPollMs: () => number | null;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** Another feed, which began before this one, works on the same NATS. */
  readonly onRival: (reason: string) => void;
}

/** The feed for bots in other processes. */
export interface FeedServer {
  /** Whom the fair share is between. */
  readonly shares: Omit<FairShareDeps, 'groupOf'>;
  /** Wallets that are polled. */
  wallets(): number;
  /** Takes a document of the store. False if it cannot be read. */
  load(key: string, document: unknown): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createFeedServer(deps: FeedServerDeps): FeedServer {
  const { connection, feed, log } = deps;
  const own = { feed: randomUUID(), beganMs: deps.nowMs() };
  const changed = new Set<string>();
  /** How many documents a bot's list had. */
  const documents = new Map<string, number>();
  const timers: NodeJS.Timeout[] = [];
  let publisher: Publisher | undefined;
  const { refused, unserved } = troublesOf(deps);
  const identifySlots = createIdentifySlots(deps.monotonicMs);
  const lookUps = { person: 0, background: 0 };
  /** Background look-ups under way, by what they ask. */
  const shared = new Map<string, ReturnType<typeof lookUp>>();
  let storing: Promise<void> = Promise.resolve();

  const pollLists: PollLists = createPollLists({
    monotonicMs: deps.monotonicMs,
    onAdded: (wallet) => feed.watch(wallet),
    onRemoved(wallet) {
      feed.unwatch(wallet);
      publisher?.forget(wallet);
    },
    onOpen: feed.expedite,
    onCommitted: feed.raisePollId,
    onChanged: (bot) => changed.add(bot),
  });

  const storeList = async (bot: string) => {
    const entries = pollLists.entriesOf(bot).map(({ wallet, guilds, committed }) => ({ wallet, guilds, committed }));
    const count = Math.ceil(entries.length / ENTRIES_PER_DOCUMENT);
    for (let index = 0; index < count; index += 1) {
      const part = entries.slice(index * ENTRIES_PER_DOCUMENT, (index + 1) * ENTRIES_PER_DOCUMENT);
      await deps.store.set(`${POLL_LIST_PREFIX}${bot}:${index}`, { version: 1, bot, entries: part });
    }
    for (let index = count; index < (documents.get(bot) ?? 0); index += 1) {
      await deps.store.delete(`${POLL_LIST_PREFIX}${bot}:${index}`);
    }
    documents.set(bot, count);
  };

  const storeChanged = () => {
    for (const bot of pollLists.forgetSilent()) {
      log.warn({ event: 'feed.bot_forgotten', bot });
      changed.add(bot);
    }
    storing = storing.then(async () => {
      for (const bot of [...changed]) {
        changed.delete(bot);
        await storeList(bot).catch((error: unknown) => {
          changed.add(bot);
          log.warn({ event: 'feed.list_not_stored', bot, err: error });
        });
      }
    });
    return storing;
  };

  /** Whether a run of a bot is connected. One that does not answer in time may be: it counts as silent by and by. */
  const isConnected = async (instance: string) => {
    try {
      await connection.request(presenceSubject(instance), undefined, { timeout: PRESENCE_LIMIT_MS });
      return true;
    } catch (error) {
      return !(error instanceof RequestError && error.isNoResponders());
    }
  };

  const answerPollList = async (message: Msg) => {
    const said = decode(pollListMessage, message.data);
    // Of a bot that was killed and starts again the former run may have spoken a moment ago.
    const inTheWay = pollLists.inTheWay(said).map(async (instance) => {
      if (!(await isConnected(instance))) pollLists.gone(instance);
    });
    if (inTheWay.length > 0) await Promise.all(inTheWay);
    const isNew = !pollLists.bots().includes(said.bot);
    const reply = pollLists.take(said);
    if (isNew) log.info({ event: 'feed.bot_joined', bot: said.bot });
    if (reply.answer === 'refused') refused.failed(said.instance, { bot: said.bot, reason: reply.reason });
    else refused.succeeded(said.instance);
    message.respond(encode(reply));
  };

  const lookUp = ({ endpoint, wallet, priority, withinMs, guild, ...filters }: LookUpRequest) => {
    const options = { priority, withinMs, ...(guild === null ? {} : { guildId: guild }) };
    return endpoint === 'activity'
      ? feed.lookUps.activity(wallet, filters, options)
      : feed.lookUps.transfers(wallet, filters, options);
  };

  /** One request for all that ask the same meanwhile. */
  const lookUpShared = (request: LookUpRequest) => {
    const key = JSON.stringify({ ...request, guild: null });
    const page = shared.get(key) ?? lookUp(request).finally(() => shared.delete(key));
    shared.set(key, page);
    return page;
  };

  const onLookUp = async (message: Msg) => {
    const { request } = decode(lookUpMessage, message.data);
    const { priority } = request;
    lookUps[priority] += 1;
    try {
      if (lookUps[priority] > LOOK_UPS_LIMIT) throw new Error('Too many look-ups are under way.');
      const page = await (priority === 'background' ? lookUpShared : lookUp)(request);
      message.respond(encode({ page }));
    } catch (error) {
      const isOfVenue = error instanceof VenueError;
      if (!isOfVenue) log.warn({ event: 'feed.look_up_failed', err: error });
      const {
        kind,
        message: text,
        retryAtMs,
      } = isOfVenue ? error : { kind: 'unreachable', message: 'The feed could not ask the venue.', retryAtMs: null };
      message.respond(encode({ error: { kind, message: text, retryAtMs } }));
    } finally {
      lookUps[priority] -= 1;
    }
  };

  const state = (): FeedState => ({
    ...own,
    venueNowMs: deps.budget.venueNowMs(),
    isClockKnown: deps.budget.skewKnown,
    reportedNowMs: deps.budget.reportedNowMs(),
    budget: deps.budget.snapshot(),
    stats: deps.venueStats(),
    troubles: Object.fromEntries(
      ENDPOINT_NAMES.flatMap((name) => {
        const trouble = feed.availability.trouble(name);
        return trouble === null ? [] : [[name, { kind: trouble.kind, sinceMs: trouble.sinceMs }]];
      }),
    ),
    reachedSinceMs: Object.fromEntries(
      ENDPOINT_NAMES.flatMap((name) => {
        const sinceMs = feed.availability.reachedSinceMs(name);
        return sinceMs === null ? [] : [[name, sinceMs]];
      }),
    ),
    lastPollMs: deps.lastPollMs(),
  });

  const serve = (subject: string, handle: (message: Msg) => void | Promise<void>) => {
    connection.subscribe(subject, {
      callback(error, message) {
        Promise.resolve()
          .then(() => {
            if (error !== null) throw error;
            return handle(message);
          })
          .catch((failure: unknown) => unserved.failed(subject, { subject, error: failure }));
      },
    });
  };

  let isSpeaking = false;
  /** Says how the feed is, unless its store may be another one's by now: two that speak side by side are rivals. */
  const speak = async () => {
    if (isSpeaking) return;
    isSpeaking = true;
    await deps
      .fence()
      .then(() => connection.publish(STATE_SUBJECT, encode(state())))
      .catch(() => {});
    isSpeaking = false;
  };

  const hearFeed = createRivalWatch(own, deps);

  return {
    shares: pollLists,
    wallets: pollLists.walletCount,
    load(key, document) {
      const parsed = storedListSchema.safeParse(document);
      if (!parsed.success) return false;
      const { bot, entries } = parsed.data;
      pollLists.restore(
        bot,
        entries.map((entry): ListEntry => ({ ...entry, open: [] })),
      );
      documents.set(bot, Math.max(documents.get(bot) ?? 0, Number(key.split(':').at(-1)) + 1));
      return true;
    },
    async start() {
      const manager = await openStream(connection);
      const opened = createPublisher({
        connection,
        jetStream: jetstream(connection),
        manager,
        pollLists,
        fence: deps.fence,
        monotonicMs: deps.monotonicMs,
        log,
      });
      publisher = opened;
      serve(STATE_SUBJECT, (message) => hearFeed(decode(stateMessage, message.data)));
      serve(POLL_LIST_SUBJECT, answerPollList);
      serve(LOOK_UP_SUBJECT, onLookUp);
      serve(SETTLEMENTS_SUBJECT, async (message) => {
        const found = await feed.settlements(decode(settlementsMessage, message.data).markets);
        message.respond(encode({ settlements: found.map((each) => ({ ...each, payouts: [...each.payouts] })) }));
      });
      serve(IDENTIFY_SUBJECT, (message) => {
        const { bucket } = decode(identifyMessage, message.data);
        message.respond(encode({ waitMs: identifySlots.take(bucket) }));
      });
      timers.push(
        setInterval(() => {
          void speak();
          opened.flushUnchanged();
        }, STATE_EVERY_MS),
        setInterval(() => void storeChanged(), STORE_EVERY_MS),
      );
      feed.start(opened);
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await feed.stop();
      await storeChanged();
      await disconnect(connection);
    },
  };
}

/** What bots would otherwise make the feed log once a second. */
function troublesOf({ log, monotonicMs }: FeedServerDeps) {
  return {
    refused: createTroubleLog<{ readonly bot: string; readonly reason: string | null }>({
      onFailure: (fields) => log.error({ event: 'feed.bot_refused', ...fields }),
      monotonicMs,
    }),
    unserved: createTroubleLog<{ readonly subject: string; readonly error: unknown }>({
      onFailure: ({ error, ...rest }) => log.error({ event: 'feed.message_refused', ...rest, err: error }),
      monotonicMs,
    }),
  };
}
