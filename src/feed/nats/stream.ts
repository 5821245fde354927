import { isDeepStrictEqual } from 'node:util';
import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { reasonOf } from '../../lib/error.ts';
import { DAY_MS } from '../../lib/time.ts';
import { NatsError } from './address.ts';
import { PAGE_SUBJECTS } from './wire.ts';

export const STREAM = 'walletbell_pages';
/** Settings of the stream that the operator must not change. */
const KIND = {
  subjects: [PAGE_SUBJECTS],
  storage: 'file',
  retention: 'limits',
  discard: 'old',
} satisfies Partial<StreamConfig>;
/**
 * Age above which pages are deleted, in ms. A bot that was away for longer gets the next page of
 * each endpoint instead of those that it missed.
 */
const MAX_AGE_MS = DAY_MS;
const MAX_BYTES = 1_073_741_824;
/**
 * Time within which a page published twice counts as one, in ms. A publisher without confirmation
 * retries at once.
 */
const DUPLICATES_MS = 2 * 60_000;
const NOT_FOUND = 404;

/**
 * Opens JetStream's manager and creates the stream of pages if needed.
 *
 * @throws {NatsError} if JetStream is unusable, or as {@link ensureStream}
 */
export async function openStream(
  connection: NatsConnection,
  log?: Logger,
): Promise<JetStreamManager> {
  try {
    const manager = await jetstreamManager(connection);
    await ensureStream(manager, log);
    return manager;
  } catch (error) {
    if (error instanceof NatsError) throw error;
    const reason = reasonOf(error);
    throw new NatsError(
      `JetStream of NATS cannot be used (${reason}). Start nats-server with -js and a store_dir ` +
        'with space, and let the user of NATS_URL use it.',
      error,
    );
  }
}

/**
 * Returns the stream of pages, creating it if needed. The operator may change `max_age`,
 * `max_bytes` and `num_replicas`.
 *
 * @param log passed if there was a stream before: logs that it had to be created again
 * @throws {NatsError} if a stream of this name has other subjects or settings
 */
export async function ensureStream(manager: JetStreamManager, log?: Logger): Promise<StreamInfo> {
  const found = await findStream(manager);
  if (found !== null) return found;
  const limits = {
    max_age: nanos(MAX_AGE_MS),
    max_bytes: MAX_BYTES,
    duplicate_window: nanos(DUPLICATES_MS),
  };
  const made = await manager.streams.add({ name: STREAM, ...KIND, ...limits });
  log?.warn({ event: 'nats.stream_made_anew', stream: STREAM });
  return made;
}

/**
 * Returns the stream of pages; null if there is none.
 *
 * @throws {NatsError} as {@link ensureStream}
 */
export async function findStream(manager: JetStreamManager): Promise<StreamInfo | null> {
  const found = await manager.streams.info(STREAM).catch(unlessMissing);
  if (found === null) return null;
  const { subjects, storage, retention, discard } = found.config;
  if (isDeepStrictEqual({ subjects, storage, retention, discard }, KIND)) return found;
  const isNow =
    `subjects ${subjects?.join(',')}, storage ${storage}, retention ${retention}, ` +
    `discard ${discard}`;
  throw new NatsError(
    `The stream ${STREAM} is not as it must be: ${isNow}. ` +
      `Needed: ${PAGE_SUBJECTS}, file, limits, old. ` +
      `Delete it (nats stream rm ${STREAM}); it is made anew.`,
    undefined,
  );
}

/**
 * Returns null if JetStream reports that the thing does not exist.
 *
 * @throws any other error
 */
export function unlessMissing(error: unknown): null {
  if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return null;
  throw error;
}
