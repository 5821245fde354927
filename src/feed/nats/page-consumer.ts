import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  type ConsumerConfig,
  type ConsumerInfo,
  type ConsumerMessages,
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
  PubHeaders,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { WalletAddress } from '../../domain/address.ts';
import { backOffMs } from '../../lib/async/backoff.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { AnyPolledPage, PageSink } from '../interface.ts';
import { ensureStream, findStream, STREAM, unlessMissing } from './stream.ts';
import { decode, OtherVersion, pageMessage, readPageSubject, WIRE_VERSION } from './wire.ts';

/** Number of pages requested in advance. */
const AHEAD = 200;
const FIRST_RETRY_MS = 500;
const RETRY_LIMIT_MS = 30_000;
/** Attempts at a page before it is given up, provided that other pages succeed. */
const ATTEMPTS = 8;
/** Time without pages after which the consumer counts as idle, in ms. */
const IDLE_MS = 2_000;
/** Time after which a page that is neither acknowledged nor extended is redelivered, in ms. */
const ACK_WAIT_MS = 60_000;
const MAX_ACK_PENDING = 2_000;
/**
 * Interval at which pages are extended and the consumer is checked, in ms: a third of the
 * redelivery time.
 */
export const MORE_TIME_MS = ACK_WAIT_MS / 3;

interface PageConsumerDeps {
  readonly manager: JetStreamManager;
  /** Id of the bot's store. A new run continues where the previous one stopped. */
  readonly bot: string;
  readonly isWatched: (wallet: WalletAddress) => boolean;
  readonly sink: Pick<PageSink, 'takePage' | 'abandon'>;
  /** Called when the feed uses another version. */
  readonly onOtherVersion: (error: OtherVersion) => void;
}

/**
 * Processes the pages of the stream: those of one endpoint one after the other, those of different
 * endpoints in parallel.
 */
export function createPageConsumer(machine: Machine, deps: PageConsumerDeps) {
  const { log, monotonicMs } = machine;
  const { manager, bot } = deps;
  const stopping = new AbortController();
  // Each page that waits for its next attempt listens to it.
  setMaxListeners(AHEAD * 2, stopping.signal);
  const pages = createPageTaker(machine, deps, stopping.signal);
  const stream = createStreamHealth(machine, stopping.signal);
  let reading: { readonly name: string; readonly messages: ConsumerMessages } | undefined;
  let running: Promise<void> = Promise.resolve();
  let moreTime: NodeJS.Timeout | undefined;
  /** Time when a page last arrived or pages were requested, in monotonic ms. */
  let receivedMs = Number.NEGATIVE_INFINITY;

  const consume = async () => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        reading = undefined;
        const name = await beginConsumer(manager, bot, log);
        const consumer = await manager.jetstream().consumers.get(STREAM, name);
        const messages = await consumer.consume({
          max_messages: AHEAD,
          abort_on_missing_resource: true,
        });
        receivedMs = monotonicMs();
        reading = { name, messages };
        // `messages` closes only after it has been read, so waiting here would never end.
        if (stopping.signal.aborted) void messages.close();
        stream.readable();
        for await (const message of messages) {
          attempt = 0;
          stream.readable();
          receivedMs = monotonicMs();
          pages.enqueue(message);
        }
      } catch (error) {
        stream.failed(error);
      }
      await pauseAfter(machine, attempt, stopping.signal);
    }
  };

  /** Closes a consumer that will receive nothing more; `consume` then creates another one. */
  const lookAtConsumer = async () => {
    const looked = reading;
    if (looked === undefined) return;
    try {
      // The consumer comes first, because the stream can only grow in between.
      const consumer = await manager.consumers.info(STREAM, looked.name).catch(unlessMissing);
      const info = await findStream(manager);
      if (reading !== looked) return;
      stream.readable();
      // If a stream was reset, a consumer receives nothing until the stream has grown past the
      // consumer's position.
      if (
        consumer !== null &&
        info !== null &&
        consumer.delivered.stream_seq <= info.state.last_seq
      ) {
        return;
      }
      log.warn({ event: 'nats.consumer_lost', consumer: looked.name });
      await looked.messages.close();
    } catch (error) {
      if (reading === looked) stream.failed(error);
    }
  };

  return {
    start(): void {
      if (stopping.signal.aborted) return;
      moreTime = setInterval(() => {
        pages.askForTime();
        void lookAtConsumer();
      }, MORE_TIME_MS);
      running = consume();
    },
    /** Stops receiving, and waits for the pages in progress. Unprocessed pages are redelivered. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(moreTime);
      await reading?.messages.close();
      await running;
      await pages.idle();
    },
    /**
     * Since when the stream of pages cannot be read, by both clocks, in ms; null while it can be.
     */
    unreadSince: stream.unreadSince,
    /**
     * Returns the pollId up to which all received pages have been processed, not counting endpoints
     * that fail alone; null if all were, and nothing more has arrived for a while.
     */
    received(): number | null {
      const sound = pages.sound();
      const isIdle =
        reading !== undefined && sound.length === 0 && monotonicMs() - receivedMs > IDLE_MS;
      if (isIdle) return null;
      const before = sound.map((pollId) => Math.max(0, pollId - 1));
      return Math.min(pages.newest(), ...before);
    },
  };
}

/** Processes each page, retrying as often as needed, and acknowledges it. */
function createPageTaker(machine: Machine, deps: PageConsumerDeps, stopping: AbortSignal) {
  const { isWatched, sink } = deps;
  /** Locks by subject: pages of one endpoint are processed one after the other. */
  const turns = createKeyedMutex();
  /** Messages that wait or are being processed, with their pollIds. */
  const underWay = new Map<JsMsg, number>();
  /** Greatest pollId received. */
  let newest = 0;
  /**
   * Number of pages processed in this run; and, for each failing subject, that number when it began
   * to fail.
   */
  let takenCount = 0;
  const failingSinceCount = new Map<string, number>();

  const untaken = createTroubleLog(
    machine,
    'error',
    { event: 'page.not_taken' },
    { event: 'page.taken_again' },
  );
  const unreadable = createTroubleLog(machine, 'error', { event: 'page.unreadable' });

  const giveUp = async (subject: string, page: AnyPolledPage, error: unknown) => {
    await sink.abandon(page);
    machine.log.error({
      event: 'page.abandoned',
      wallet: page.wallet,
      endpoint: page.endpoint,
      err: error,
    });
    // Only the newest of the pages waiting behind it is tried, because it contains the others'
    // records or shows how far it reaches.
    const [, ...behind] = [...underWay.keys()].filter((message) => message.subject === subject);
    for (const message of behind.slice(0, -1)) underWay.delete(message);
  };

  /**
   * Processes a page, retrying as often as needed.
   *
   * @returns true once it was processed or given up
   */
  const takeAtLast = async (subject: string, page: AnyPolledPage): Promise<boolean> => {
    let failedAtCount = Number.POSITIVE_INFINITY;
    for (let attempt = 0; !stopping.aborted; attempt += 1) {
      try {
        try {
          await sink.takePage(page);
          takenCount += 1;
        } catch (error) {
          // If no page at all succeeds, the store is unavailable, which is temporary.
          const isAlone = takenCount > failedAtCount;
          failedAtCount = takenCount;
          if (attempt + 1 < ATTEMPTS || !isAlone) throw error;
          await giveUp(subject, page, error);
        }
        failingSinceCount.delete(subject);
        untaken.succeeded(subject);
        return true;
      } catch (err) {
        failingSinceCount.set(subject, failingSinceCount.get(subject) ?? takenCount);
        untaken.failed(subject, { wallet: page.wallet, endpoint: page.endpoint, err });
      }
      await pauseAfter(machine, attempt, stopping);
    }
    return false;
  };

  const handle = async (message: JsMsg, endpoint: Endpoint) => {
    if (!underWay.has(message)) return message.ack();
    let page: AnyPolledPage;
    try {
      page = readPage(message, endpoint);
    } catch (err) {
      if (err instanceof OtherVersion && err.version > WIRE_VERSION) {
        return deps.onOtherVersion(err);
      }
      // The message is damaged, or from an earlier release. The feed notices that this page was not
      // processed and publishes the next one.
      unreadable.failed('page', { wallet: endpoint.wallet, endpoint: endpoint.name, err });
      return message.term();
    }
    if (await takeAtLast(message.subject, page)) message.ack();
  };

  return {
    enqueue(message: JsMsg): void {
      const { subject } = message;
      const pollId = pollIdOf(message);
      newest = Math.max(newest, pollId);
      const endpoint = readPageSubject(subject);
      if (endpoint === null || !isWatched(endpoint.wallet)) {
        message.ack();
        return;
      }
      underWay.set(message, pollId);
      turns
        .run(subject, () => handle(message, endpoint).finally(() => underWay.delete(message)))
        .catch((err: unknown) =>
          untaken.failed(subject, { wallet: endpoint.wallet, endpoint: endpoint.name, err }),
        );
    },
    /** Keeps pages in progress from being redelivered. */
    askForTime(): void {
      for (const message of underWay.keys()) message.working();
    },
    idle: turns.idle,
    newest: () => newest,
    /**
     * PollIds of pages in progress, without endpoints that fail alone, which must not delay what
     * others need.
     */
    sound: (): number[] =>
      [...underWay]
        .filter(
          ([{ subject }]) =>
            takenCount <= (failingSinceCount.get(subject) ?? Number.POSITIVE_INFINITY),
        )
        .map(([, pollId]) => pollId),
  };
}

/** Tracks and logs since when the stream of pages cannot be read. */
function createStreamHealth(machine: Machine, stopping: AbortSignal) {
  let unreadSince: { readonly monotonicMs: number; readonly wallMs: number } | null = null;
  const worksAgain = { event: 'nats.consumer_works_again' };
  const unread = createTroubleLog(machine, 'warn', { event: 'nats.consumer_failed' }, worksAgain);
  return {
    unreadSince: () => unreadSince,
    readable(): void {
      unreadSince = null;
      unread.succeeded(STREAM);
    },
    failed(error: unknown): void {
      if (stopping.aborted) return;
      unreadSince ??= { monotonicMs: machine.monotonicMs(), wallMs: machine.nowMs() };
      // A response of JetStream is not our fault, so a stack trace would be of no use.
      const isAnswer = error instanceof JetStreamApiError;
      unread.failed(STREAM, isAnswer ? { reason: error.message } : { err: error });
    },
  };
}

const pauseAfter = ({ sleep, random }: Machine, attempt: number, signal: AbortSignal) =>
  sleep(backOffMs(attempt, FIRST_RETRY_MS, RETRY_LIMIT_MS, random), signal);

/** Reads the pollId from the message's id, so that unwatched pages need not be parsed. */
function pollIdOf({ headers }: JsMsg): number {
  const id = Number(headers?.get(PubHeaders.MsgIdHdr) ?? 0);
  if (!Number.isSafeInteger(id) || id < 0) return 0;
  return id;
}

/**
 * @throws if the message is damaged, has another version, or has another endpoint than its subject
 */
function readPage({ data }: JsMsg, { wallet, name }: Endpoint): AnyPolledPage {
  const { page } = decode(pageMessage, data);
  if (page.wallet === wallet && page.endpoint === name) return page;
  const ofPage = `${page.endpoint} of ${page.wallet}`;
  throw new Error(`The page is of ${ofPage}, and its subject of ${name} of ${wallet}.`);
}

/**
 * Creates a durable consumer for a bot's run, in place of the previous run's. It starts after the
 * last message that the previous one acknowledged; without a previous one, it starts with new
 * messages, and the feed supplies what the bot lacks according to its poll list. Each run gets its
 * own consumer, because half of an old one's pages would go to a dead connection, and a consumer
 * positioned beyond the end of the stream receives nothing.
 *
 * @param bot id of its store
 * @returns its name
 * @throws {NatsError} as {@link ensureStream}
 */
async function beginConsumer(manager: JetStreamManager, bot: string, log: Logger): Promise<string> {
  const { state } = await ensureStream(manager, log);
  const prefix = `bot_${bot}=`;
  const before: ConsumerInfo[] = [];
  for await (const info of manager.consumers.list(STREAM)) {
    if (info.name.startsWith(prefix)) before.push(info);
  }
  const acknowledged = Math.min(
    state.last_seq,
    ...before.map(({ ack_floor }) => ack_floor.stream_seq),
  );
  const begin: Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_seq'> =
    before.length === 0
      ? { deliver_policy: 'new' }
      : { deliver_policy: 'by_start_sequence', opt_start_seq: acknowledged + 1 };
  const { name } = await manager.consumers.add(STREAM, {
    durable_name: prefix + randomBytes(8).toString('hex'),
    ack_policy: 'explicit',
    ...begin,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: MAX_ACK_PENDING,
  });
  for (const { name: old } of before) {
    await manager.consumers.delete(STREAM, old).catch(unlessMissing);
  }
  return name;
}
