import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  type TlsOptions,
} from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { reasonOf } from '../../lib/error.ts';
import { createTroubleLog } from '../../lib/log/trouble-log.ts';
import { decoded, parseUrl } from '../../lib/text/url.ts';
import { NatsError, type NatsFiles, shownNats } from './address.ts';

const CONNECT_LIMIT_MS = 5_000;
const RECONNECT_MS = 1_000;
const PING_MS = 5_000;

/**
 * Connects, and from then on connects again whenever the connection breaks.
 *
 * @param urls one or several servers of a cluster: `nats://…` or `tls://…`, with `user:password@`
 *   or `token@`
 * @param name shown by the server's monitoring
 * @param onChange called when the connection breaks, and when it is there again
 * @throws {NatsError} if no server can be reached or none lets us in
 */
export async function connectNats(
  urls: readonly string[],
  files: NatsFiles,
  name: string,
  log: Logger,
  onChange: (isUp: boolean) => void = () => {},
): Promise<NatsConnection> {
  const servers = shownNats(urls);
  try {
    const connection = await connect(connectionOptions(urls, files, name));
    void reportStatus(connection, log.child({ servers }), onChange);
    log.info({ event: 'nats.connected', servers });
    return connection;
  } catch (error) {
    throw new NatsError(`NATS at ${servers} ${explained(reasonOf(error))}.`, error);
  }
}

/** Ends a connection when what is on its way has been sent; at once where the server is away. */
export async function disconnect(connection: NatsConnection): Promise<void> {
  await connection.drain().catch(() => connection.close());
}

function connectionOptions(
  urls: readonly string[],
  files: NatsFiles,
  name: string,
): NodeConnectionOptions {
  const {
    NATS_CREDENTIALS: credentials,
    NATS_CA: caFile,
    NATS_CERT: certFile,
    NATS_KEY: keyFile,
  } = files;
  const first = parseUrl(urls[0] ?? '');
  const options: NodeConnectionOptions = {
    servers: urls.map((url) => parseUrl(url)?.host ?? url),
    name,
    ...loginOf(decoded(first?.username ?? ''), decoded(first?.password ?? '')),
    timeout: CONNECT_LIMIT_MS,
    // The first connection must succeed; later ones are tried for ever, also where a password is
    // wrong for a while.
    reconnect: true,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
  };
  if (credentials !== null) options.authenticator = credsAuthenticator(readFileSync(credentials));
  if (first?.protocol !== 'tls:' && caFile === null && certFile === null) return options;
  const tlsFiles: TlsOptions = {};
  if (caFile !== null) tlsFiles.caFile = caFile;
  if (certFile !== null) tlsFiles.certFile = certFile;
  if (keyFile !== null) tlsFiles.keyFile = keyFile;
  const tls = { ...tlsFiles, checkServerIdentity: identityCheck(urls) };
  return { ...options, tls };
}

/** Login that a URL names: by user and password, by token, or none. */
function loginOf(
  user: string,
  pass: string,
): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  if (user === '') return {};
  if (pass === '') return { token: user };
  return { user, pass };
}

/**
 * Makes the check of a server's certificate. For a server named by its IP address the client tells
 * TLS no name, and Node takes "localhost" for its name.
 */
function identityCheck(urls: readonly string[]) {
  const hosts = urls.map((url) => (parseUrl(url)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1'));
  const meant = hosts.filter((each) => each === 'localhost' || isIP(each) !== 0);
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    const names = host === 'localhost' && meant.length > 0 ? meant : [host];
    const faults = names.map((name) => checkServerIdentity(name, certificate));
    if (faults.includes(undefined)) return undefined;
    return faults[0];
  };
}

/**
 * By a pattern of what the client says: what it means, and what the operator can do. The first that
 * fits counts.
 */
const FAULTS: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [
    /does not support 'tls'/,
    'offers no TLS, which NATS_URL (tls://), NATS_CA or NATS_CERT ask for',
  ],
  [
    /certificate has expired/i,
    'has a certificate that has expired: renew it there, and check the clock of this machine',
  ],
  [/altnames/i, 'has a certificate of another name: name it in NATS_URL as its certificate does'],
  [
    /issuer|self.signed|verify the first|unable to get/i,
    'has a certificate of an authority that is not known: check NATS_CA',
  ],
  [
    /key values mismatch|PEM routines|asn1/i,
    'cannot be reached: NATS_KEY is not the key of the certificate in NATS_CERT',
  ],
  [
    /certificate required|bad certificate|unknown ca|alert/i,
    'does not take our certificate, or wants one: check NATS_CERT and NATS_KEY',
  ],
  [/certificate|handshake|\btls\b/i, 'cannot be trusted: check NATS_URL and NATS_CA'],
  [
    /authoriz|authentic|permission/i,
    'refuses us: check user, password or token in NATS_URL, or NATS_CREDENTIALS',
  ],
  [/credentials|seed|nkey/i, 'cannot be asked: NATS_CREDENTIALS is not a credentials file of NATS'],
  [
    /^timeout$/i,
    'does not answer in time: ' +
      'check NATS_URL, and NATS_CERT and NATS_KEY where the server wants a certificate of ours',
  ],
  [/^/, 'cannot be reached: check NATS_URL, and that nats-server runs'],
];

function explained(reason: string): string {
  const [, fault = ''] = FAULTS.find(([pattern]) => pattern.test(reason)) ?? [];
  return `${fault} (${reason})`;
}

/** @param log with the servers */
async function reportStatus(
  connection: NatsConnection,
  log: Logger,
  onChange: (isUp: boolean) => void,
) {
  const clock = { log, monotonicMs: () => performance.now() };
  const trouble = createTroubleLog(
    clock,
    'warn',
    { event: 'nats.error' },
    { event: 'nats.error_over' },
  );
  let isUp = true;
  for await (const status of connection.status()) {
    if (status.type === 'error') {
      trouble.failed('connection', { reason: explained(reasonOf(status.error)) });
    }
    // Each attempt that is refused counts as a connection that has broken.
    if (status.type !== (isUp ? 'disconnect' : 'reconnect')) continue;
    isUp = !isUp;
    onChange(isUp);
    if (isUp) {
      log.info({ event: 'nats.connected' });
      trouble.succeeded('connection');
    } else log.warn({ event: 'nats.disconnected' });
  }
}
