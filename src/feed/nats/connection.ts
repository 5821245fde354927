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
import { createMachine } from '../../lib/machine.ts';
import { decoded, parseUrl } from '../../lib/text/url.ts';
import { NatsError, type NatsServers, shownNats } from './address.ts';

const CONNECT_LIMIT_MS = 5_000;
const RECONNECT_MS = 1_000;
const PING_MS = 5_000;

/**
 * Connects to NATS, and reconnects whenever the connection breaks.
 *
 * @param name shown by the server's monitoring
 * @param onChange called when the connection breaks and when it is restored
 * @throws {NatsError} if no server can be reached or none accepts the login
 */
export async function connectNats(
  nats: NatsServers,
  name: string,
  log: Logger,
  onChange: (isUp: boolean) => void = () => {},
): Promise<NatsConnection> {
  const servers = shownNats(nats);
  try {
    const connection = await connect(connectionOptions(nats, name));
    void reportStatus(connection, log.child({ servers }), onChange);
    log.info({ event: 'nats.connected', servers });
    return connection;
  } catch (error) {
    throw new NatsError(`NATS at ${servers} ${explained(reasonOf(error))}.`, error);
  }
}

/**
 * Closes a connection after pending messages have been sent; at once if the server is unreachable.
 */
export async function disconnect(connection: NatsConnection): Promise<void> {
  await connection.drain().catch(() => connection.close());
}

function connectionOptions({ urls, files }: NatsServers, name: string): NodeConnectionOptions {
  const { credentials, ca, cert, key } = files;
  const first = parseUrl(urls[0] ?? '');
  const options: NodeConnectionOptions = {
    servers: urls.map((url) => parseUrl(url)?.host ?? url),
    name,
    ...loginOf(decoded(first?.username ?? ''), decoded(first?.password ?? '')),
    timeout: CONNECT_LIMIT_MS,
    // The first connection must succeed. Later ones are retried forever, even if a password is
    // temporarily wrong.
    reconnect: true,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
  };
  if (credentials !== undefined) {
    options.authenticator = credsAuthenticator(readFileSync(credentials));
  }
  if (first?.protocol !== 'tls:' && ca === undefined && cert === undefined) return options;
  const tlsFiles: TlsOptions = {};
  if (ca !== undefined) tlsFiles.caFile = ca;
  if (cert !== undefined) tlsFiles.certFile = cert;
  if (key !== undefined) tlsFiles.keyFile = key;
  const tls = { ...tlsFiles, checkServerIdentity: identityCheck(urls) };
  return { ...options, tls };
}

/** Returns the login in a URL: user and password, a token, or none. */
function loginOf(
  user: string,
  pass: string,
): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  if (user === '') return {};
  if (pass === '') return { token: user };
  return { user, pass };
}

/**
 * Creates the check of a server's certificate. For a server named by IP address the client gives
 * TLS no name, and Node then assumes "localhost".
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
 * Explanations of the client's errors and what the operator can do, by pattern. The first match is
 * used.
 */
const FAULTS: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/does not support 'tls'/, 'offers no TLS, which NATS_URL asks for (tls://, ca or cert)'],
  [
    /certificate has expired/i,
    'has a certificate that has expired: renew it there, and check the clock of this machine',
  ],
  [/altnames/i, 'has a certificate of another name: name it in NATS_URL as its certificate does'],
  [
    /issuer|self.signed|verify the first|unable to get/i,
    'has a certificate of an authority that is not known: check ca in NATS_URL',
  ],
  [
    /key values mismatch|PEM routines|asn1/i,
    'cannot be reached: in NATS_URL, key is not the key of the certificate in cert',
  ],
  [
    /certificate required|bad certificate|unknown ca|alert/i,
    'does not take our certificate, or wants one: check cert and key in NATS_URL',
  ],
  [/certificate|handshake|\btls\b/i, 'cannot be trusted: check NATS_URL and its ca'],
  [
    /authoriz|authentic|permission/i,
    'refuses us: check user, password, token or credentials in NATS_URL',
  ],
  [
    /credentials|seed|nkey/i,
    'cannot be asked: credentials in NATS_URL names no credentials file of NATS',
  ],
  [
    /^timeout$/i,
    'does not answer in time: ' +
      'check NATS_URL, and its cert and key where the server wants a certificate of ours',
  ],
  [/^/, 'cannot be reached: check NATS_URL, and that nats-server runs'],
];

function explained(reason: string): string {
  const [, fault = ''] = FAULTS.find(([pattern]) => pattern.test(reason)) ?? [];
  return `${fault} (${reason})`;
}

/** @param log adds the servers to each entry */
async function reportStatus(
  connection: NatsConnection,
  log: Logger,
  onChange: (isUp: boolean) => void,
) {
  const trouble = createTroubleLog(
    createMachine(log),
    'warn',
    { event: 'nats.error' },
    { event: 'nats.error_over' },
  );
  let isUp = true;
  for await (const status of connection.status()) {
    if (status.type === 'error') {
      trouble.failed('connection', { reason: explained(reasonOf(status.error)) });
    }
    // Each rejected attempt counts as a broken connection.
    if (status.type !== (isUp ? 'disconnect' : 'reconnect')) continue;
    isUp = !isUp;
    onChange(isUp);
    if (isUp) {
      log.info({ event: 'nats.connected' });
      trouble.succeeded('connection');
    } else log.warn({ event: 'nats.disconnected' });
  }
}
