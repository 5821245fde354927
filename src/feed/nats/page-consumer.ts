import { setMaxListeners } from 'node:events';
import {
  type ConsumerMessages,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  PubHeaders,
} from '@nats-io/jetstream';
import type { Logger } from 'pino';
import type { WalletAddress } from '../../domain/address.ts';
import { backOffMs } from '../../lib/backoff.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Endpoint } from '../../poll-policy/schedule.ts';
import type { AnyPolledPage, TakePage } from '../polled-page.ts';
import { beginConsumer, isConsumerLost, MORE_TIME_MS, STREAM } from './stream.ts';
import { decode, OtherVersion, pageMessage, pageSubject, readPageSubject, WIRE_VERSION } from './wire.ts';

/** Pages that are asked for ahead. */
const AHEAD = 200;
const FIRST_RETRY_MS = 500;
const RETRY_LIMIT_MS = 30_000;
/** A page that cannot be taken so often, while others can, is given up. */
const ATTEMPTS = 8;
/** With no page for this long the consumer counts as idle, ms. */
const IDLE_MS = 2_000;

export interface PageConsumerDeps {
  readonly jetStream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Id of the bot's store: its runs go on where the one before was. */
  readonly bot: string;
  readonly isWatched: (wallet: WalletAddress) => boolean;
  readonly takePage: TakePage;
  /** A page has been taken. */
  readonly onTaken: (endpoint: Endpoint, page: AnyPolledPage, isOpen: boolean) => void;
  /** A page could not be taken, again and again, while others could. */
  readonly onAbandoned: (page: AnyPolledPage, error: unknown) => Promise<void>;
  /** Whether the stream can be read; said again and again. */
  readonly onReadable: (isReadable: boolean) => void;
  /** The feed speaks another version than we. */
  readonly onOtherVersion: (error: OtherVersion) => void;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
}

/** Takes the pages of the stream: those of one endpoint one after the other, those of different endpoints side by side. */
export interface PageConsumer {
  start(): void;
  /** Takes no more, and waits for the pages under way. What was not taken comes again. */
  stop(): Promise<void>;
  /** All pages up to this pollId that were received have been taken, but for those that alone cannot be. */
  readonly received: number;
  /** Whether all that was received has been taken, but for those. */
  isIdle(): boolean;
}

export function createPageConsumer(deps: PageConsumerDeps): PageConsumer {
  const { log } = deps;
  const stopping = new AbortController();
  // Each page that waits for its next attempt listens to it.
  setMaxListeners(AHEAD * 2, stopping.signal);
  /** The last page of each endpoint that waits or is being taken. */
  const queues = new Map<string, Promise<void>>();
  /** Messages that wait or are being taken, each with its pollId. */
  const underWay = new Map<JsMsg, number>();
  /** The consumer that is read at present. */
  let reading: { readonly name: string; readonly messages: ConsumerMessages } | undefined;
  let running: Promise<void> = Promise.resolve();
  let moreTime: NodeJS.Timeout | undefined;
  let received = 0;
  /** When a page last came, or pages were asked for. */
  let receivedMs = Number.NEGATIVE_INFINITY;
  /** Pages taken in this run; and, by subject, how many had been when one began to fail that still does. */
  let takenCount = 0;
  const failingSinceCount = new Map<string, number>();
  /** Waiting pages that are left out, because a later one of their endpoint waits behind a page that was given up. */
  const leftOut = new Set<JsMsg>();

  const { untaken, unread } = troublesOf(deps);

  const pause = (delayMs: number) => deps.sleep(delayMs, stopping.signal);

  /** Whether pages of a subject fail while others are taken. */
  const failsAlone = (subject: string) => takenCount > (failingSinceCount.get(subject) ?? Number.POSITIVE_INFINITY);

  const take = async (endpoint: Endpoint, page: AnyPolledPage) => {
    const { isOpen } = await deps.takePage(page);
    takenCount += 1;
    deps.onTaken(endpoint, page, isOpen);
  };

  /** Of the pages that wait behind it only the newest is tried: it shows what the others have, or how far it reaches. */
  const giveUp = async (subject: string, page: AnyPolledPage, fault: unknown) => {
    await deps.onAbandoned(page, fault);
    const [, ...behind] = [...underWay.keys()].filter((message) => message.subject === subject);
    for (const message of behind.slice(0, -1)) leftOut.add(message);
  };

  /** Takes a page, however often that has to be tried. @returns whether it was taken, or given up */
  const takeAtLast = async (endpoint: Endpoint, page: AnyPolledPage): Promise<boolean> => {
    const subject = pageSubject(endpoint);
    let failedAtCount = Number.POSITIVE_INFINITY;
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        await take(endpoint, page).catch((error: unknown) => {
          // While no page can be taken at all, the store is away: that passes.
          const isAlone = takenCount > failedAtCount;
          failedAtCount = takenCount;
          if (attempt + 1 < ATTEMPTS || !isAlone) throw error;
          return giveUp(subject, page, error);
        });
        failingSinceCount.delete(subject);
        untaken.succeeded(subject);
        return true;
      } catch (error) {
        if (!failingSinceCount.has(subject)) failingSinceCount.set(subject, takenCount);
        untaken.failed(subject, { wallet: page.wallet, endpoint: page.endpoint, error });
      }
      await pause(backOffMs(attempt, FIRST_RETRY_MS, RETRY_LIMIT_MS, deps.random));
    }
    return false;
  };

  const handle = async (message: JsMsg, endpoint: Endpoint) => {
    if (leftOut.delete(message)) {
      message.ack();
      return;
    }
    let page: AnyPolledPage;
    try {
      page = readPage(message, endpoint);
    } catch (error) {
      if (error instanceof OtherVersion && error.version > WIRE_VERSION) {
        deps.onOtherVersion(error);
        return;
      }
      // Damaged, or left by an earlier release. The feed sees that this page was not taken, and publishes the next one.
      log.error({ event: 'page.unreadable', wallet: endpoint.wallet, endpoint: endpoint.name, err: error });
      message.term();
      return;
    }
    if (await takeAtLast(endpoint, page)) message.ack();
  };

  const enqueue = (message: JsMsg) => {
    receivedMs = deps.monotonicMs();
    const pollId = pollIdOf(message);
    received = Math.max(received, pollId);
    const endpoint = readPageSubject(message.subject);
    if (endpoint === null || !deps.isWatched(endpoint.wallet)) {
      message.ack();
      return;
    }
    underWay.set(message, pollId);
    const before = queues.get(message.subject) ?? Promise.resolve();
    const turn = before
      .then(() => handle(message, endpoint))
      .catch((error: unknown) =>
        untaken.failed(pageSubject(endpoint), { wallet: endpoint.wallet, endpoint: endpoint.name, error }),
      )
      .finally(() => {
        underWay.delete(message);
        if (queues.get(message.subject) === turn) queues.delete(message.subject);
      });
    queues.set(message.subject, turn);
  };

  const readable = () => {
    deps.onReadable(true);
    unread.succeeded(STREAM);
  };
  const notReadable = (error: unknown) => {
    if (stopping.signal.aborted) return;
    deps.onReadable(false);
    unread.failed(STREAM, { error });
  };

  const consume = async () => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        reading = undefined;
        const onStreamMade = () => log.warn({ event: 'nats.stream_made_anew', stream: STREAM });
        const name = await beginConsumer(deps.manager, deps.bot, onStreamMade);
        const consumer = await deps.jetStream.consumers.get(STREAM, name);
        const messages = await consumer.consume({ max_messages: AHEAD, abort_on_missing_resource: true });
        receivedMs = deps.monotonicMs();
        reading = { name, messages };
        if (stopping.signal.aborted) await messages.close();
        readable();
        for await (const message of messages) {
          attempt = 0;
          readable();
          enqueue(message);
        }
      } catch (error) {
        notReadable(error);
      }
      await pause(backOffMs(attempt, FIRST_RETRY_MS, RETRY_LIMIT_MS, deps.random));
    }
  };

  /** Ends the reading of a consumer that is given nothing more: another one is begun. */
  const lookAtConsumer = async () => {
    const looked = reading;
    if (looked === undefined) return;
    try {
      const isLost = await isConsumerLost(deps.manager, looked.name);
      if (reading !== looked) return;
      readable();
      if (!isLost) return;
      log.warn({ event: 'nats.consumer_lost', consumer: looked.name });
      await looked.messages.close();
    } catch (error) {
      if (reading === looked) notReadable(error);
    }
  };

  /** What is under way of endpoints that do not fail alone: one of those must not hold back what others lack. */
  const sound = () => [...underWay].filter(([{ subject }]) => !failsAlone(subject));

  return {
    start() {
      moreTime = setInterval(() => {
        for (const message of underWay.keys()) message.working();
        void lookAtConsumer();
      }, MORE_TIME_MS);
      running = consume();
    },
    async stop() {
      stopping.abort();
      clearInterval(moreTime);
      await reading?.messages.close();
      await running;
      await Promise.all(queues.values());
    },
    get received() {
      return sound().reduce((least, [, pollId]) => Math.min(least, Math.max(0, pollId - 1)), received);
    },
    isIdle: () => reading !== undefined && sound().length === 0 && deps.monotonicMs() - receivedMs > IDLE_MS,
  };
}

/** A page's pollId is its message's id, so that a page of others need not be parsed; 0 if it has none. */
function pollIdOf({ headers }: JsMsg): number {
  const pollId = Number(headers?.get(PubHeaders.MsgIdHdr) ?? 0);
  return Number.isSafeInteger(pollId) && pollId > 0 ? pollId : 0;
}

/** @throws if the message is no page of this endpoint */
function readPage(message: JsMsg, { wallet, name }: Endpoint): AnyPolledPage {
  const { page } = decode(pageMessage, message.data);
  if (page.wallet === wallet && page.endpoint === name) return page;
  throw new Error(`The page is of ${page.endpoint} of ${page.wallet}, and its subject of ${name} of ${wallet}.`);
}

/** What would otherwise be logged for each page, and for each attempt. */
function troublesOf({ log, monotonicMs }: PageConsumerDeps) {
  return {
    untaken: createTroubleLog<{ readonly wallet: string; readonly endpoint: string; readonly error: unknown }>({
      onFailure: ({ error, ...rest }) => log.error({ event: 'page.not_taken', ...rest, err: error }),
      onOver: (count) => log.info({ event: 'page.taken_again', ...count }),
      monotonicMs,
    }),
    unread: createTroubleLog<{ readonly error: unknown }>({
      onFailure: ({ error, ...count }) =>
        // What JetStream answers is no fault of ours: where it was asked says nothing.
        log.warn({
          event: 'nats.consumer_failed',
          ...count,
          ...(error instanceof JetStreamApiError ? { reason: error.message } : { err: error }),
        }),
      onOver: (count) => log.info({ event: 'nats.consumer_works_again', ...count }),
      monotonicMs,
    }),
  };
}
