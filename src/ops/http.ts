import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Logger } from 'pino';
import { OperatorError, reasonOf } from '../lib/error.ts';
import { type ListenAddress, originOf } from '../lib/listen.ts';

const CONNECTIONS = 50;

type Page = ReturnType<typeof json>;

export class ListenError extends OperatorError {
  constructor({ host, port }: ListenAddress, cause: unknown) {
    const reason = reasonOf(cause);
    const advice = 'Choose others, or 0 for a free port.';
    super(`HTTP_PORT ${port} of ${host} cannot be listened on: ${reason}. ${advice}`, cause);
  }
}

/**
 * Serves a few pages for the operator, by GET and HEAD only.
 *
 * @param options `pages` by path, rendered for each request
 * @throws {ListenError}
 */
export async function serveHttp(options: {
  readonly address: ListenAddress;
  readonly pages: Readonly<Record<string, () => Promise<Page>>>;
  readonly log: Logger;
}) {
  const { pages, log } = options;
  const { host, port: wanted } = options.address;
  const answer = async (incoming: IncomingMessage): Promise<Page> => {
    const { method = '', url = '', headers } = incoming;
    if (!isOwnHost(headers.host ?? '', host)) {
      return json(421, {
        error: 'Ask for this machine by its address, by localhost, or by the name in HTTP_PORT.',
      });
    }
    const path = url.split('?')[0] ?? '';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) {
      return json(404, { error: `There is ${Object.keys(pages).join(', ')}.` });
    }
    if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'Only GET and HEAD.' });
    return page();
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Bodies are not read, so the connection is closed after the response.
    if (
      incoming.headers['content-length'] !== undefined ||
      incoming.headers['transfer-encoding'] !== undefined
    ) {
      outgoing.shouldKeepAlive = false;
    }
    const { status, contentType, body } = await answer(incoming).catch((error: unknown) => {
      log.error({ event: 'http.failed', path: incoming.url, err: error });
      return json(500, { error: 'It is logged.' });
    });
    const bytes = Buffer.from(body);
    if (status === 405) outgoing.setHeader('allow', 'GET, HEAD');
    outgoing.writeHead(status, {
      'content-type': contentType,
      'content-length': bytes.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    outgoing.end(incoming.method === 'HEAD' ? undefined : bytes);
  };

  const limits = {
    maxHeaderSize: 8_192,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
  };
  const server = createServer(limits, (incoming, outgoing) => void handle(incoming, outgoing));
  server.maxConnections = CONNECTIONS;
  server.listen(wanted, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new ListenError(options.address, error);
  });
  server.on('error', (error) => log.error({ event: 'http.failed', err: error }));
  const { address, port } = server.address() as AddressInfo;
  const url = originOf({ host: address, port });
  log.info({ event: 'http.listening', url });
  return {
    url,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Whether a Host header names this server. Another web page can point its own domain name here (DNS
 * rebinding) and would then read what is served. It cannot do so with an IP address, with
 * `localhost`, or, on another machine, with a name without a dot, such as a container's.
 *
 * @param boundHost the address or name that is listened on
 */
export function isOwnHost(header: string, boundHost: string): boolean {
  // HTTP/1.0 has none; a browser always sends it.
  if (header === '') return true;
  const name = (/^\[([^\]]*)\](?::\d*)?$/.exec(header) ??
    /^([^:]*)(?::\d*)?$/.exec(header))?.[1]?.toLowerCase();
  if (name === undefined) return false;
  if (isIP(name) !== 0 || name === 'localhost' || name === boundHost.toLowerCase()) return true;
  const isLoopback = boundHost === 'localhost' || boundHost === '::1' || /^127\./.test(boundHost);
  return !isLoopback && /^[a-z0-9_-]+$/.test(name);
}

export function json(status: number, value: unknown) {
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: `${JSON.stringify(value)}\n`,
  };
}
