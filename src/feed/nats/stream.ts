import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  AckPolicy,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { reasonOf } from '../../lib/error.ts';
import { NatsError } from './address.ts';
import { PAGE_SUBJECTS } from './wire.ts';

export const STREAM = 'walletbell_pages';
/** What of the stream is not the operator's to change. */
const KIND = {
  subjects: [PAGE_SUBJECTS],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
};
const NANOS_PER_MS = 1_000_000;
/** A bot that was away for longer is given the next page of each endpoint instead of those that it has missed. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_BYTES = 1_073_741_824;
/** The same page published twice within this is one: a publisher that got no answer asks again at once. */
const DUPLICATES_MS = 2 * 60_000;
/** A page that a bot neither takes nor asks more time for within this is given to it again. */
const ACK_WAIT_MS = 60_000;
const MAX_ACK_PENDING = 2_000;
const NOT_FOUND = 404;

/**
 * The manager of JetStream, with the stream of pages made.
 *
 * @throws {NatsError} if JetStream cannot be used, or as {@link ensureStream}
 */
export async function openStream(connection: NatsConnection): Promise<JetStreamManager> {
  try {
    const manager = await jetstreamManager(connection);
    await ensureStream(manager);
    return manager;
  } catch (error) {
    if (error instanceof NatsError) throw error;
    const reason = reasonOf(error);
    throw new NatsError(
      `JetStream of NATS cannot be used (${reason}). Start nats-server with -js and a store_dir with space, and let the user of NATS_URL use it.`,
      error,
    );
  }
}

/**
 * Makes the stream of pages, or takes the one that is there. Its limits (`max_age`, `max_bytes`, `num_replicas`) are the operator's to change.
 *
 * @param onMade called when there was none
 * @throws {NatsError} if there is one of this name that keeps something else, or keeps it otherwise
 */
export async function ensureStream(manager: JetStreamManager, onMade = () => {}): Promise<StreamInfo> {
  const found = await findStream(manager);
  if (found !== null) return found;
  const limits = { max_age: MAX_AGE_MS * NANOS_PER_MS, max_bytes: MAX_BYTES };
  const duplicate_window = DUPLICATES_MS * NANOS_PER_MS;
  const made = await manager.streams.add({ name: STREAM, ...KIND, ...limits, duplicate_window });
  onMade();
  return made;
}

/**
 * The stream of pages as it is; null if there is none.
 *
 * @throws {NatsError} as {@link ensureStream}
 */
export async function findStream(manager: JetStreamManager): Promise<StreamInfo | null> {
  const found = await manager.streams.info(STREAM).catch(unlessMissing);
  if (found === null) return null;
  const { subjects, storage, retention, discard } = found.config;
  if (isDeepStrictEqual({ subjects, storage, retention, discard }, KIND)) return found;
  throw new NatsError(
    `The stream ${STREAM} is not as it must be: subjects ${subjects?.join(',')}, storage ${storage}, retention ${retention}, discard ${discard}. Needed: ${PAGE_SUBJECTS}, file, limits, old. Delete it (nats stream rm ${STREAM}); it is made anew.`,
    undefined,
  );
}

/**
 * Makes a durable consumer for a run of a bot, in the place of the one before. It begins after what that one has acknowledged; if there
 * was none, with what comes from now on: what the bot lacks of before, the feed gives it by its poll list. A consumer of its own, because
 * of the old one half of the pages would go to a connection that is dead, and one that was given more than the stream has now gets nothing.
 *
 * @param bot id of its store
 * @param onStreamMade called when there was no stream to read
 * @returns its name
 * @throws {NatsError} as {@link ensureStream}
 */
export async function beginConsumer(manager: JetStreamManager, bot: string, onStreamMade: () => void): Promise<string> {
  const { state } = await ensureStream(manager, onStreamMade);
  const prefix = `bot_${bot}=`;
  const before: ConsumerInfo[] = [];
  for await (const info of manager.consumers.list(STREAM)) if (info.name.startsWith(prefix)) before.push(info);
  const acknowledged = Math.min(state.last_seq, ...before.map(({ ack_floor }) => ack_floor.stream_seq));
  const { name } = await manager.consumers.add(STREAM, {
    durable_name: prefix + randomBytes(8).toString('hex'),
    ack_policy: AckPolicy.Explicit,
    ...(before.length === 0
      ? { deliver_policy: DeliverPolicy.New }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: acknowledged + 1 }),
    ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
    max_ack_pending: MAX_ACK_PENDING,
  });
  for (const { name: old } of before) await manager.consumers.delete(STREAM, old).catch(unlessMissing);
  return name;
}

/** Whether a consumer is gone, or was given more than its stream has: a stream that was set back gives it nothing until it has grown so far again. */
export async function isConsumerLost(manager: JetStreamManager, name: string): Promise<boolean> {
  // The consumer first: the stream only grows meanwhile.
  const consumer = await manager.consumers.info(STREAM, name).catch(unlessMissing);
  const stream = await findStream(manager);
  return consumer === null || stream === null || consumer.delivered.stream_seq > stream.state.last_seq;
}

/** A third of the time after which an unanswered page comes again, ms: so often more time is asked for, and the consumer looked at. */
export const MORE_TIME_MS = ACK_WAIT_MS / 3;

function unlessMissing(error: unknown): null {
  if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
  throw error;
}
