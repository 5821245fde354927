import { isDeepStrictEqual } from 'node:util';
import {
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
export const NANOS_PER_MS = 1_000_000;
/** A bot that was away for longer is given the next page of each endpoint instead of those that it has missed. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_BYTES = 1_073_741_824;
/** The same page published twice within this is one: a publisher that got no answer asks again at once. */
const DUPLICATES_MS = 2 * 60_000;
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

/** Null where JetStream says that there is none. @throws what it says otherwise */
export function unlessMissing(error: unknown): null {
  if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
  throw error;
}
