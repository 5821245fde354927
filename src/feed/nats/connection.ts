import { readFileSync } from 'node:fs';
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { parseUrl } from '../../lib/url.ts';
import { type NatsAddress, NatsError, shownNats } from './address.ts';

const CONNECT_LIMIT_MS = 5_000;
const RECONNECT_MS = 1_000;
const PING_MS = 5_000;

/**
 * Connects, and from then on connects again whenever the connection breaks.
 *
 * @param name shown by the server's monitoring
 * @param onChange called when the connection breaks, and when it is there again
 * @throws {NatsError} if no server can be reached or none lets us in
 */
export async function connectNats(
  address: NatsAddress,
  name: string,
  log: Logger,
  onChange: (isUp: boolean) => void = () => {},
): Promise<NatsConnection> {
  const shown = shownNats(address.urls);
  try {
    const connection = await connect(connectionOptions(address, name));
    void reportStatus(connection, shown, log, onChange);
    log.info({ event: 'nats.connected', servers: shown });
    return connection;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NatsError(`NATS at ${shown} ${explained(reason)} (${reason}).`, error);
  }
}

/** Ends a connection when what is on its way has been sent; at once where the server is away. */
export async function disconnect(connection: NatsConnection): Promise<void> {
  await connection.drain().catch(() => connection.close());
}

function connectionOptions({ urls, credentialsFile, caFile }: NatsAddress, name: string): NodeConnectionOptions {
  const first = parseUrl(urls[0] ?? '');
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  const login = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  const isTls = first?.protocol === 'tls:';
  return {
    servers: urls.map((url) => parseUrl(url)?.host ?? url),
    name,
    ...login,
    ...(credentialsFile === null ? {} : { authenticator: credsAuthenticator(readFileSync(credentialsFile)) }),
    ...(isTls || caFile !== null ? { tls: caFile === null ? {} : { caFile } } : {}),
    timeout: CONNECT_LIMIT_MS,
    // The first connection must succeed; later ones are tried for ever.
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
  };
}

function explained(reason: string): string {
  if (/authoriz|authentic|permission/i.test(reason))
    return 'refuses us: check user, password or token in NATS_URL, or NATS_CREDENTIALS';
  if (/certificate|self.signed|tls|handshake/i.test(reason))
    return 'cannot be trusted: check tls:// in NATS_URL, and NATS_CA';
  return 'cannot be reached: check NATS_URL, and that nats-server runs';
}

async function reportStatus(
  connection: NatsConnection,
  shown: string,
  log: Logger,
  onChange: (isUp: boolean) => void,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') onChange(status.type === 'reconnect');
    if (status.type === 'disconnect') log.warn({ event: 'nats.disconnected', servers: shown });
    if (status.type === 'reconnect') log.info({ event: 'nats.connected', servers: shown });
    if (status.type === 'error') log.warn({ event: 'nats.error', reason: String(status.error) });
  }
}
