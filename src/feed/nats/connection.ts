import { readFileSync } from 'node:fs';
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { parseUrl } from '../../lib/url.ts';

/** Where NATS is, and how to prove who we are. */
export interface NatsAddress {
  /** One or several servers of a cluster: `nats://…` or `tls://…`, with `user:password@` or `token@`. */
  readonly urls: readonly string[];
  /** Path of a credentials file (JWT and seed); null: none. */
  readonly credentialsFile: string | null;
  /** Path of the certificates that servers are checked by; null: those of the system. */
  readonly caFile: string | null;
}

/** NATS cannot be used: says what is wrong and what to do. */
export class NatsError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'NatsError';
  }
}

const ACCEPTED = 'Accepted: nats://HOST:4222 or tls://HOST:4222, with USER:PASSWORD@ or TOKEN@, several with commas.';
const CONNECT_LIMIT_MS = 5_000;
const RECONNECT_MS = 1_000;
const PING_MS = 5_000;

/** What is wrong with a list of servers; null if nothing is. Never shows a password. */
export function natsFault(text: string): string | null {
  const urls = splitUrls(text);
  const parsed = urls.map(parseUrl);
  if (urls.length === 0 || parsed.some((url) => !/^(nats|tls):$/.test(url?.protocol ?? '') || url?.host === '')) {
    return `is not the address of NATS servers. ${ACCEPTED}`;
  }
  const logins = new Set(parsed.map((url) => `${url?.username}:${url?.password}`));
  if (logins.size > 1) return `has servers with different users. ${ACCEPTED}`;
  const protocols = new Set(parsed.map((url) => url?.protocol));
  return protocols.size > 1 ? `mixes nats:// and tls://. ${ACCEPTED}` : null;
}

/** The addresses of a comma-separated list. */
export function splitUrls(text: string): readonly string[] {
  return text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
}

/** The servers without user, password and token. */
export function shownNats(urls: readonly string[]): string {
  return urls.map((url) => `${parseUrl(url)?.protocol}//${parseUrl(url)?.host}`).join(',');
}

/**
 * Connects, and from then on connects again whenever the connection breaks.
 *
 * @param name shown by the server's monitoring
 * @throws {NatsError} if no server can be reached or none lets us in
 */
export async function connectNats(address: NatsAddress, name: string, log: Logger): Promise<NatsConnection> {
  const shown = shownNats(address.urls);
  try {
    const connection = await connect(connectionOptions(address, name));
    void reportStatus(connection, shown, log);
    log.info({ event: 'nats.connected', servers: shown });
    return connection;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NatsError(`NATS at ${shown} ${explained(reason)} (${reason}).`, error);
  }
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
  if (/authoriz|authentic|permission/i.test(reason)) return 'refuses us: check user, password or token in NATS_URL, or NATS_CREDENTIALS';
  if (/certificate|self.signed|tls|handshake/i.test(reason)) return 'cannot be trusted: check tls:// in NATS_URL, and NATS_CA';
  return 'cannot be reached: check NATS_URL, and that nats-server runs';
}

async function reportStatus(connection: NatsConnection, shown: string, log: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn({ event: 'nats.disconnected', servers: shown });
    if (status.type === 'reconnect') log.info({ event: 'nats.connected', servers: shown });
    if (status.type === 'error') log.warn({ event: 'nats.error', reason: String(status.error) });
  }
}
