import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { OperatorError, reasonOf } from '../lib/error.ts';
import { acceptsGzip } from '../lib/http-headers.ts';
import { type ListenAddress, originOf } from '../lib/listen.ts';
import type { Machine } from '../lib/machine.ts';
import { decoded } from '../lib/text/url.ts';
import type { Pace } from './pace.ts';
import type { createPages, LastAnswer } from './pages.ts';
import { PageRefused } from './place.ts';
import { readQuery } from './query.ts';
import { SourceError } from './source.ts';

/** Time for which the answer to a request is reused for equal requests, in ms. */
const SHARED_MS = 1_000;
const SHARED_MOST = 2_000;
/**
 * Total size of the compressed answers that are reused while the source's page is unchanged, in
 * bytes: about 400 full ones.
 */
const LASTING_BYTES = 6_000_000;
const URL_BYTES = 8_192;
const TIMEOUTS = { headersMs: 10_000, keepAliveMs: 30_000, idleMs: 30_000 };
const GRACE_MS = 2_000;

interface Answer {
  readonly status: number;
  /** A page is compressed, because most clients accept that and it is cached that way. */
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServerOptions extends ListenAddress {
  /** Key that requests must carry. */
  readonly key: string;
  readonly pages: ReturnType<typeof createPages>;
  readonly pace: Pace;
  /** Returns the proxy address of a profile; null if there is none. */
  readonly proxyOf: (address: string) => Promise<string | null>;
  /** Returns the seconds by which lists are late, as far as known. */
  readonly lateSeconds: () => number;
  /** Returns the body of /metrics. */
  readonly metrics: (stats: ServerStats) => string;
}

/**
 * Counts since the start: requests for pages, requests for which Polymarket gave no page, and
 * unchanged pages.
 */
export interface ServerStats {
  readonly requests: number;
  readonly failures: number;
  readonly unchanged: number;
}

/**
 * Serves the venue's interface. Besides its two lists, there is `/v1/trader/{address}/proxy`, for
 * the address under which a profile's trades are listed, and `/metrics`, which needs no key.
 *
 * @throws {OperatorError} that names the address, if it cannot be bound
 */
export async function startServer(machine: Machine, options: ServerOptions) {
  const { log, nowMs } = machine;
  const { pages, pace, key } = options;
  const shared = new Map<string, { readonly answer: Promise<Answer>; doneMs: number | null }>();
  const lasting = new LRUCache<string, LastAnswer>({
    maxSize: LASTING_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  const stats = { requests: 0, failures: 0, unchanged: 0 };

  const answerTo = async (list: string, wallet: string, query: URLSearchParams) => {
    if (list === 'proxy')
      return { status: 200, body: success({ proxy: await options.proxyOf(wallet) }) };
    if (list !== 'activity' && list !== 'deposits-withdrawals') return notFound();
    const read = readQuery(list, query);
    if ('fault' in read) return failure(400, read.fault);
    const { cursor, limit, ...filters } = read.asked;
    const name = nameOf(list, wallet, query);
    const request = { wallet, limit, cursor, last: lasting.get(name) };
    const page = await (list === 'activity'
      ? pages.activity(request, filters)
      : pages.transfers(request));
    if ('body' in page) {
      stats.unchanged += 1;
      return { status: 200, body: page.body };
    }
    const { items, nextCursor, sourceHash } = page;
    const body = gzipSync(success({ items, nextCursor }), { level: constants.Z_BEST_SPEED });
    if (sourceHash === null) lasting.delete(name);
    else lasting.set(name, { sourceHash, body });
    return { status: 200, body };
  };

  const answered = async (list: string, wallet: string, query: URLSearchParams) => {
    if (!pace.take()) {
      return failure(429, `Rate limit of ${pace.state().limit} requests a minute exceeded.`);
    }
    try {
      return await answerTo(list, wallet, query);
    } catch (error) {
      if (error instanceof PageRefused) return failure(error.status, error.message);
      stats.failures += 1;
      if (error instanceof SourceError) return failure(error.status, error.message);
      log.error({ event: 'polymarket.fault', err: error });
      return failure(500, 'The gateway failed to answer. Its log says more.');
    }
  };

  /** Returns the answer; equal requests within a second share one. */
  const share = (list: string, wallet: string, query: URLSearchParams) => {
    const name = nameOf(list, wallet, query);
    const found = shared.get(name);
    const isFresh = (doneMs: number | null) =>
      doneMs === null || Math.abs(nowMs() - doneMs) < SHARED_MS;
    if (found !== undefined && isFresh(found.doneMs)) return found.answer;
    for (const [other, { doneMs }] of shared) {
      if (shared.size < SHARED_MOST && isFresh(doneMs)) break;
      shared.delete(other);
    }
    const answer = answered(list, wallet, query);
    const entry = { answer, doneMs: null as number | null };
    shared.delete(name);
    shared.set(name, entry);
    void answer.then(({ status }) => {
      entry.doneMs = nowMs();
      if (status !== 200 && shared.get(name) === entry) shared.delete(name);
    });
    return answer;
  };

  const route = async (request: IncomingMessage): Promise<Answer> => {
    const [path = '', ...rest] = (request.url ?? '/')
      .replace(/^https?:\/\/[^/?#]*/i, '')
      .split('?');
    if (path === '/metrics' && request.method === 'GET') {
      return {
        status: 200,
        body: options.metrics(stats),
        headers: { 'Content-Type': 'text/plain' },
      };
    }
    if (!isKey(request.headersDistinct['authorization'] ?? [], key)) {
      const message = 'The key is missing or wrong. Send it as: Authorization: Bearer KEY.';
      return { ...failure(401, message), headers: { 'WWW-Authenticate': 'Bearer' } };
    }
    if (request.method !== 'GET') {
      const message = `Only GET is answered here, not ${request.method}.`;
      return { ...failure(405, message), headers: { Allow: 'GET' } };
    }
    if (Buffer.byteLength(request.url ?? '') > URL_BYTES) {
      return failure(414, `The address is longer than ${URL_BYTES} bytes.`);
    }
    const [, address = '', list = ''] = /^\/v1\/trader\/([^/]*)\/([a-z-]+)$/.exec(path) ?? [];
    if (list === '') return notFound();
    const wallet = decoded(address).toLowerCase();
    if (!/^0x[0-9a-f]{40}$/.test(wallet)) {
      return failure(400, 'address: not a wallet. Accepted: 0x followed by 40 hex digits.');
    }
    stats.requests += 1;
    return share(list, wallet, new URLSearchParams(rest.join('?')));
  };

  const server = createServer({
    headersTimeout: TIMEOUTS.headersMs,
    requestTimeout: TIMEOUTS.headersMs,
    keepAliveTimeout: TIMEOUTS.keepAliveMs,
  });
  server.setTimeout(TIMEOUTS.idleMs);
  server.on('request', (request, response) => {
    response.on('error', (error) => log.debug({ event: 'polymarket.disconnect', err: error }));
    // Discards the request's body, which is not used.
    request.resume();
    void route(request).then(({ status, body, headers }) => {
      const isZipped = typeof body !== 'string' && acceptsGzip(request.headers['accept-encoding']);
      const sent = typeof body === 'string' || isZipped ? body : gunzipSync(body);
      const { limit, remaining, resetSeconds } = pace.state();
      response.writeHead(status, {
        Date: new Date(nowMs()).toUTCString(),
        'Content-Type': 'application/json; charset=utf-8',
        'X-RateLimit-Limit': limit,
        'X-RateLimit-Remaining': remaining,
        'X-RateLimit-Reset': resetSeconds,
        'X-Listing-Delay-Seconds': Math.round(options.lateSeconds()),
        Vary: 'Accept-Encoding',
        ...(isZipped && { 'Content-Encoding': 'gzip' }),
        ...headers,
        'Content-Length': Buffer.byteLength(sent),
      });
      response.end(request.method === 'HEAD' ? undefined : sent);
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  try {
    server.listen(options.port, options.host);
    await once(server, 'listening');
  } catch (error) {
    throw new OperatorError(
      `The gateway cannot listen on ${options.host}:${options.port}: ${reasonOf(error)}.`,
      error,
    );
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: originOf({ ...options, port }),
    stats: () => ({ ...stats }),
    /** Stops listening, and gives open requests at most two seconds to finish. */
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

const nameOf = (list: string, wallet: string, query: URLSearchParams) =>
  `${list} ${wallet} ${query}`;

const success = (data: unknown) =>
  JSON.stringify({ success: true, code: '0', message: 'success', data });

function failure(status: number, message: string): Answer {
  return {
    status,
    body: JSON.stringify({ success: false, code: String(status), message, data: null }),
  };
}

const notFound = () =>
  failure(
    404,
    'There is no such path. There are /v1/trader/{address}/activity, ' +
      '/v1/trader/{address}/deposits-withdrawals and /v1/trader/{address}/proxy.',
  );

function isKey(values: readonly string[], key: string): boolean {
  const [value = '', ...others] = values;
  const [, given] = /^Bearer +(\S+)$/i.exec(value) ?? [];
  if (given === undefined || others.length > 0) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}
