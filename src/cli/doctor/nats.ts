import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import type { Role } from '../../app/config.ts';
import { NatsError, type NatsServers, shownNats } from '../../feed/nats/address.ts';
import { connectNats } from '../../feed/nats/connection.ts';
import { findStream, STREAM } from '../../feed/nats/stream.ts';
import { decode, STATE } from '../../feed/nats/wire.ts';
import { reasonOf } from '../../lib/error.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Time to wait for a feed, in ms; a feed reports its state once a second. */
const LISTEN_MS = 3_000;
/** Fill level from which the stream is close to dropping pages that a bot may not have read yet. */
const NEARLY_FULL = 0.8;

/**
 * Checks NATS between feed and bots, and changes nothing.
 *
 * @param isInUse whether a process has this configuration's store open; for a feed, that is the
 *   feed which is received
 * @throws {NatsError} if NATS cannot be used
 */
export async function checkNats(
  nats: NatsServers,
  role: Role,
  isInUse: boolean,
): Promise<readonly Finding[]> {
  const connection = await connectNats(nats, 'walletbell doctor', pino({ level: 'silent' }));
  try {
    const heard = ok('nats', `${shownNats(nats)} lets us in.`);
    return [heard, await streamFinding(connection), await feedFinding(connection, role, isInUse)];
  } finally {
    await connection.close();
  }
}

async function streamFinding(connection: NatsConnection): Promise<Finding> {
  try {
    const found = await findStream(await jetstreamManager(connection));
    if (found === null) return ok('stream', `${STREAM} is not there yet. The feed makes it.`);
    const { messages, bytes } = found.state;
    const limit = found.config.max_bytes;
    const text = `${STREAM}: ${messages} pages, ${Math.round(bytes / 1_048_576)} MiB.`;
    if (limit > 0 && bytes > NEARLY_FULL * limit) {
      return warn(
        'stream',
        `${text} It is nearly full: raise max_bytes, or a bot that was away misses pages.`,
      );
    }
    return ok('stream', text);
  } catch (error) {
    if (error instanceof NatsError) return fail('stream', error.message);
    const advice = 'Start nats-server with -js, and let this user use it.';
    return fail('stream', `JetStream does not work (${reasonOf(error)}). ${advice}`);
  }
}

async function feedFinding(
  connection: NatsConnection,
  role: Role,
  isInUse: boolean,
): Promise<Finding> {
  let hasMessage = false;
  try {
    for await (const { data } of connection.subscribe(STATE.subject, {
      timeout: LISTEN_MS,
      max: 1,
    })) {
      decode(STATE.asked, data);
      hasMessage = true;
    }
  } catch {
    // There is no feed, or it is another release, which does not work with this one.
  }
  const isBot = role === 'bot';
  if (isBot && !hasMessage) {
    return warn('feed', `not heard for ${LISTEN_MS / 1000} s: start it with ROLE=feed.`);
  }
  if (isBot) return ok('feed', 'it is heard.');
  if (!hasMessage) return ok('feed', 'none is running.');
  if (isInUse) return ok('feed', 'running, which is as it should be.');
  return warn(
    'feed',
    'another feed is running. Two need one store, one of them with STANDBY=true.',
  );
}
