import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { constants, gzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import { type Answer, createRouter, failure } from './http/router.ts';
import { createKeyring, type Quota, type VenueKey } from './keys.ts';
import type { Ledger } from './ledger.ts';

/** Our choices: the contract has none of these limits. */
export const DEFAULT_LIMITS = {
  /** Size of request line and headers together; beyond it the response is 431. */
  headerBytes: 16_384,
  /** Size of the request target; beyond it the response is 414. */
  urlBytes: 8_192,
  /**
   * Time from the connection or the previous request to the end of the headers; beyond it the
   * response is 408.
   */
  headersMs: 10_000,
  /** Time that a connection may be idle between two requests. */
  keepAliveMs: 30_000,
  /** Time that a client may read nothing of its response. */
  idleMs: 30_000,
  connections: 2_000,
  /** Time that `close` waits for responses in flight. */
  graceMs: 5_000,
};

/** A response's status and the values of its rate-limit headers, for statistics. */
export interface VenueAnswer extends Quota {
  readonly status: number;
  /** The label of the request's key; undefined without a known key. */
  readonly label: string | undefined;
}

export interface VenueOptions {
  readonly ledger: Ledger;
  readonly keys: readonly VenueKey[];
  /** Default: the loopback address. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly log: Logger;
  /** Returns epoch milliseconds, for the Date header and the rate windows. */
  readonly now?: () => number;
  readonly limits?: Partial<typeof DEFAULT_LIMITS>;
  readonly onAnswer?: (answer: VenueAnswer) => void;
}

/**
 * Serves a ledger according to the venue API contract.
 *
 * @throws Error that names host and port if they cannot be bound
 */
export async function startVenue(options: VenueOptions) {
  const { ledger, log, host = '127.0.0.1', port = 0, now = Date.now } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const keyring = createKeyring(options.keys, now);
  const route = createRouter({ ledger, urlBytes: limits.urlBytes });
  const connections = new Set<Socket>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  let closing: Promise<void> | undefined;

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.headersMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.headersMs / 4)),
    // We check it ourselves, so that the rejection has the envelope.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  server.setTimeout(limits.idleMs);

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    refusal?: Answer,
  ): Promise<void> {
    latest.set(request.socket, response);
    response.on('error', (error) =>
      log.debug({ event: 'venue.disconnect', reason: error.message }),
    );
    const startMs = performance.now();
    const admission = keyring.admit(request.headersDistinct['authorization'] ?? []);
    let answer: Answer;
    try {
      answer = refusal ?? (await route(request, admission));
    } catch (error) {
      log.error({ event: 'venue.fault', err: error });
      answer = failure(500, 'The venue failed to answer. Try again; its log says more.');
    }
    const { status } = answer;
    const { body, headers } = encoded(answer.body, request.headers['accept-encoding']);
    response.writeHead(status, {
      ...headersOf(admission, now()),
      ...answer.headers,
      ...headers,
      'Content-Length': body.length,
      ...(answer.closes === true || closing !== undefined ? { Connection: 'close' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    const { limit, remaining, resetSeconds, plan } = admission;
    options.onAnswer?.({ limit, remaining, resetSeconds, status, label: plan?.label });
    const durationMs = Math.round((performance.now() - startMs) * 100) / 100;
    log.debug({
      event: 'venue.request',
      route: answer.route,
      status,
      label: plan?.label,
      durationMs,
    });
  }

  /**
   * Sends the envelope and the headers for input that the HTTP parser rejects and that therefore
   * never becomes a request.
   */
  function refuse(socket: Duplex, { status, body, headers }: Answer): void {
    if (!socket.writable) return void socket.destroy();
    const lines = Object.entries({
      ...headersOf(keyring.admitAnonymous(''), now()),
      ...headers,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
      socket.destroy(),
    );
    log.debug({ event: 'venue.request', route: 'unreadable', status });
  }

  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) => void respond(request, response));
  server.on('checkContinue', (request, response) => void respond(request, response));
  server.on('checkExpectation', (request, response) => {
    void respond(
      request,
      response,
      failure(417, 'The Expect header accepts only 100-continue.', { closes: true }),
    );
  });
  server.on('connect', (_request, socket) => {
    refuse(
      socket,
      failure(405, 'Only GET is answered here, not CONNECT.', { headers: { Allow: 'GET' } }),
    );
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = unreadableAnswer(error.code);
    const pending = latest.get(socket);
    if (error.code === 'ECONNRESET' || pending === undefined || pending.writableFinished) {
      refuse(socket, answer);
    } else {
      // The response to the previous request goes first. Nothing more is read, so that the idle
      // timeout closes a client that doesn't read it.
      socket.pause();
      pending.once('close', () => refuse(socket, answer));
    }
  });

  server.listen(port, host);
  await once(server, 'listening').catch((cause: Error) => {
    throw new Error(`Cannot listen on ${host}, port ${port}: ${cause.message}`, { cause });
  });
  const bound = server.address() as AddressInfo;

  return {
    /** The `{base_url}` of the contract, without a trailing slash. */
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    /** Replaces the keys at once; those that stay keep their rate windows. */
    setKeys: keyring.replace,
    /**
     * Stops accepting connections, finishes the responses in flight, and closes the rest. The
     * ledger stays open.
     */
    close(): Promise<void> {
      closing ??= new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), limits.graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        // Node itself keeps a connection open that has not sent a request yet.
        for (const socket of connections) {
          if (latest.get(socket)?.writableFinished !== false) socket.destroy();
        }
      });
      return closing;
    },
  };
}
/** A running venue server. */
export type Venue = Awaited<ReturnType<typeof startVenue>>;

/** Smaller bodies fit into a packet without compression. */
const COMPRESSED_FROM_BYTES = 1_024;

/**
 * Encodes a body as the client accepts it (RFC 9110, section 12.5.3): with gzip or uncompressed.
 */
function encoded(text: string, accepted: string | undefined) {
  const plain = Buffer.from(text);
  const [, quality = '1'] = /(?:^|[\s,])(?:x-)?gzip\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(
    accepted ?? '',
  ) ?? [undefined, '0'];
  if (plain.length < COMPRESSED_FROM_BYTES || Number(quality) === 0) {
    return { body: plain, headers: { Vary: 'Accept-Encoding' } };
  }
  return {
    body: gzipSync(plain, { level: constants.Z_BEST_SPEED }),
    headers: { Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' },
  };
}

function headersOf(quota: Quota, nowMs: number): Record<string, string | number> {
  return {
    Date: new Date(nowMs).toUTCString(),
    'X-RateLimit-Limit': quota.limit,
    'X-RateLimit-Remaining': quota.remaining,
    'X-RateLimit-Reset': quota.resetSeconds,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}

function unreadableAnswer(code: string | undefined): Answer {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return failure(431, 'The request line and headers are too long.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return failure(408, 'The request took too long to arrive.');
  }
  return failure(400, 'This is not a readable HTTP/1.1 request.');
}
