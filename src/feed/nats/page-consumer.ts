import { setMaxListeners } from 'node:events';
import {
  type ConsumerMessages,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  PubHeaders,
} from '@nats-io/jetstream';
import type { WalletAddress } from '../../domain/address.ts';
import { backOffMs } from '../../lib/async/backoff.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import type { Machine } from '../../lib/machine.ts';
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

/** Takes the pages of the stream: those of one endpoint one after the other, those of different endpoints side by side. */
export function createPageConsumer(
  { log, monotonicMs, random, sleep }: Machine,
  deps: {
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
  },
) {
  const { jetStream, manager, bot, isWatched, takePage, onTaken, onAbandoned, onReadable } = deps;
  const stopping = new AbortController();
  // Each page that waits for its next attempt listens to it.
  setMaxListeners(AHEAD * 2, stopping.signal);
  /** By subject: the pages of an endpoint are taken one after the other. */
  const turns = createKeyedMutex();
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

  const untaken = createTroubleLog<{ readonly wallet: string; readonly endpoint: string; readonly err: unknown }>({
    onFailure: (fields) => log.error({ event: 'page.not_taken', ...fields }),
    onOver: (count) => log.info({ event: 'page.taken_again', ...count }),
    monotonicMs,
  });
  const unread = createTroubleLog<{ readonly err: unknown } | { readonly reason: string }>({
    onFailure: (fields) => log.warn({ event: 'nats.consumer_failed', ...fields }),
    onOver: (count) => log.info({ event: 'nats.consumer_works_again', ...count }),
    monotonicMs,
  });

  const pauseAfter = (attempt: number) =>
    sleep(backOffMs(attempt, FIRST_RETRY_MS, RETRY_LIMIT_MS, random), stopping.signal);

  /** Takes a page, however often that has to be tried. @returns whether it was taken, or given up */
  const takeAtLast = async (endpoint: Endpoint, page: AnyPolledPage): Promise<boolean> => {
    const subject = pageSubject(endpoint);
    let failedAtCount = Number.POSITIVE_INFINITY;
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        try {
          const { isOpen } = await takePage(page);
          takenCount += 1;
          onTaken(endpoint, page, isOpen);
        } catch (error) {
          // While no page can be taken at all, the store is away: that passes.
          const isAlone = takenCount > failedAtCount;
          failedAtCount = takenCount;
          if (attempt + 1 < ATTEMPTS || !isAlone) throw error;
          await onAbandoned(page, error);
          // Of the pages that wait behind it only the newest is tried: it shows what the others have, or how far it reaches.
          const [, ...behind] = [...underWay.keys()].filter((message) => message.subject === subject);
          for (const message of behind.slice(0, -1)) leftOut.add(message);
        }
        failingSinceCount.delete(subject);
        untaken.succeeded(subject);
        return true;
      } catch (err) {
        failingSinceCount.set(subject, failingSinceCount.get(subject) ?? takenCount);
        untaken.failed(subject, { wallet: page.wallet, endpoint: page.endpoint, err });
      }
      await pauseAfter(attempt);
    }
    return false;
  };

  const handle = async (message: JsMsg, endpoint: Endpoint) => {
    if (leftOut.delete(message)) return message.ack();
    const { wallet, name } = endpoint;
    let page: AnyPolledPage;
    try {
      ({ page } = decode(pageMessage, message.data));
      if (page.wallet !== wallet || page.endpoint !== name) {
        throw new Error(`The page is of ${page.endpoint} of ${page.wallet}, and its subject of ${name} of ${wallet}.`);
      }
    } catch (err) {
      if (err instanceof OtherVersion && err.version > WIRE_VERSION) return deps.onOtherVersion(err);
      // Damaged, or left by an earlier release. The feed sees that this page was not taken, and publishes the next one.
      log.error({ event: 'page.unreadable', wallet, endpoint: name, err });
      return message.term();
    }
    if (await takeAtLast(endpoint, page)) message.ack();
  };

  const enqueue = (message: JsMsg) => {
    const { subject, headers } = message;
    receivedMs = monotonicMs();
    // A page's pollId is its message's id, so that a page of others need not be parsed.
    const id = Number(headers?.get(PubHeaders.MsgIdHdr) ?? 0);
    const pollId = Number.isSafeInteger(id) && id > 0 ? id : 0;
    received = Math.max(received, pollId);
    const endpoint = readPageSubject(subject);
    if (endpoint === null || !isWatched(endpoint.wallet)) return message.ack();
    underWay.set(message, pollId);
    turns
      .run(subject, () => handle(message, endpoint).finally(() => underWay.delete(message)))
      .catch((err: unknown) => untaken.failed(subject, { wallet: endpoint.wallet, endpoint: endpoint.name, err }));
  };

  const readable = () => {
    onReadable(true);
    unread.succeeded(STREAM);
  };
  const notReadable = (error: unknown) => {
    if (stopping.signal.aborted) return;
    onReadable(false);
    // What JetStream answers is no fault of ours: where it was asked says nothing.
    unread.failed(STREAM, error instanceof JetStreamApiError ? { reason: error.message } : { err: error });
  };

  const consume = async () => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        reading = undefined;
        const onStreamMade = () => log.warn({ event: 'nats.stream_made_anew', stream: STREAM });
        const name = await beginConsumer(manager, bot, onStreamMade);
        const consumer = await jetStream.consumers.get(STREAM, name);
        const messages = await consumer.consume({ max_messages: AHEAD, abort_on_missing_resource: true });
        receivedMs = monotonicMs();
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
      await pauseAfter(attempt);
    }
  };

  /** Ends the reading of a consumer that is given nothing more: another one is begun. */
  const lookAtConsumer = async () => {
    const looked = reading;
    if (looked === undefined) return;
    try {
      const isLost = await isConsumerLost(manager, looked.name);
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
  const sound = () =>
    [...underWay].filter(([{ subject }]) => takenCount <= (failingSinceCount.get(subject) ?? Number.POSITIVE_INFINITY));

  return {
    start(): void {
      moreTime = setInterval(() => {
        for (const message of underWay.keys()) message.working();
        void lookAtConsumer();
      }, MORE_TIME_MS);
      running = consume();
    },
    /** Takes no more, and waits for the pages under way. What was not taken comes again. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(moreTime);
      await reading?.messages.close();
      await running;
      await turns.idle();
    },
    /** All pages up to this pollId that were received have been taken, but for those that alone cannot be. */
    get received(): number {
      return sound().reduce((least, [, pollId]) => Math.min(least, Math.max(0, pollId - 1)), received);
    },
    /** Whether all that was received has been taken, but for those. */
    isIdle: () => reading !== undefined && sound().length === 0 && monotonicMs() - receivedMs > IDLE_MS,
  };
}
