import {
  AckPolicy,
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
import { NatsError } from './address.ts';
import { PAGE_SUBJECTS } from './wire.ts';

export const STREAM = 'walletbell_pages';
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new NatsError(
      `JetStream of NATS cannot be used (${reason}). Start nats-server with -js and a store_dir with space, and let the user of NATS_URL use it.`,
      error,
    );
  }
}

/**
 * Makes the stream of pages, or takes the one that is there. Its limits (`max_age`, `max_bytes`, `num_replicas`) are the operator's to change.
 *
 * @throws {NatsError} if there is one of this name that keeps something else, or keeps it otherwise
 */
export async function ensureStream(manager: JetStreamManager): Promise<StreamInfo> {
  const found = await findStream(manager);
  if (found !== null) return found;
  return manager.streams.add({
    name: STREAM,
    subjects: [PAGE_SUBJECTS],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: MAX_AGE_MS * NANOS_PER_MS,
    max_bytes: MAX_BYTES,
    duplicate_window: DUPLICATES_MS * NANOS_PER_MS,
  });
}

/**
 * The stream of pages as it is; null if there is none.
 *
 * @throws {NatsError} as {@link ensureStream}
 */
export async function findStream(manager: JetStreamManager): Promise<StreamInfo | null> {
  const found = await manager.streams.info(STREAM).catch(unlessMissing);
  return found === null ? null : checked(found);
}

function checked(found: StreamInfo): StreamInfo {
  const { subjects, storage, retention, discard } = found.config;
  const isOurs =
    subjects?.length === 1 &&
    subjects[0] === PAGE_SUBJECTS &&
    storage === StorageType.File &&
    retention === RetentionPolicy.Limits &&
    discard === DiscardPolicy.Old;
  if (isOurs) return found;
  throw new NatsError(
    `The stream ${STREAM} is not as it must be: subjects ${subjects?.join(',')}, storage ${storage}, retention ${retention}, discard ${discard}. Needed: ${PAGE_SUBJECTS}, file, limits, old. Delete it (nats stream rm ${STREAM}); it is made anew.`,
    undefined,
  );
}

/**
 * Makes the durable consumer of a bot, or takes the one that is there. A new one begins with what comes from now on: what the
 * bot lacks of before, the feed gives it by its poll list.
 *
 * @param bot id of its store
 */
export async function ensureConsumer(manager: JetStreamManager, bot: string): Promise<string> {
  const name = `bot_${bot}`;
  const found = await manager.consumers.info(STREAM, name).catch(unlessMissing);
  if (found === null) {
    await manager.consumers.add(STREAM, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.New,
      ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
      max_ack_pending: MAX_ACK_PENDING,
    });
  }
  return name;
}

/** Half of the time after which an unanswered page comes again, ms: so often more time is asked for. */
export const MORE_TIME_MS = ACK_WAIT_MS / 3;

function unlessMissing(error: unknown): null {
  if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
  throw error;
}
