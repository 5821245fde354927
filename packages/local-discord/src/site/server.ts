import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Asset } from './bundle.ts';
import type { SiteEvent } from './protocol.ts';
import { requestSchema, type SiteRequest } from './requests.ts';

/**
 * Allows only resources of this server: no script, style, picture or request from or to elsewhere.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;
/** Space for a file of Discord's 10 MiB in base64, and the JSON around it. */
const BODY_LIMIT_BYTES = 15_000_000;

export interface SiteServerDeps {
  readonly port: number;
  readonly assets: ReadonlyMap<string, Asset>;
  /** Origin of the pictures in messages. */
  readonly mediaRoot: string;
  /**
   * Starts sending the person's view to a page. Returns a function that stops it, or null for an
   * unknown person.
   */
  readonly follow: (
    personId: string | null,
    notify: (event: SiteEvent) => void,
  ) => (() => void) | null;
  /** @throws Error with a text for the person */
  readonly act: (request: SiteRequest) => Promise<unknown>;
}

/**
 * Serves the page on loopback.
 *
 * @throws Error that names the port if it cannot be bound
 */
export async function startSiteServer(deps: SiteServerDeps) {
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { error: textOf(error) });
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A foreign domain that resolves to 127.0.0.1 must not reach the page's interface.
    if (!hosts.includes(request.headers.host ?? '')) {
      return sendJson(response, 403, { error: 'Not by this name.' });
    }
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://page');
    if (request.method === 'POST' && pathname === '/act') return readAndAct(request, response);
    if (request.method !== 'GET') {
      return sendJson(response, 405, { error: `${request.method} is not answered here.` });
    }
    if (pathname === '/events') return sendEvents(request, response, searchParams.get('as'));
    if (pathname.startsWith('/cdn/')) {
      return sendMedia(response, `${deps.mediaRoot}${pathname}${search}`);
    }
    const asset = deps.assets.get(pathname);
    if (!asset) return sendJson(response, 404, { error: `There is no ${pathname}.` });
    const body = await readFile(asset.file);
    response.writeHead(200, { ...HEADERS, 'Content-Type': asset.contentType }).end(body);
  }

  async function readAndAct(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin } = request.headers;
    const isOwn = origin === undefined || hosts.some((host) => origin === `http://${host}`);
    // A form on another site can send text, but not this content type without a preflight request.
    const isJson = request.headers['content-type'] === 'application/json';
    if (!isOwn || !isJson) {
      return sendJson(response, 403, { error: 'Only the page itself may ask for this.' });
    }
    const parsed = requestSchema.safeParse(JSON.parse(await readBody(request)));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return sendJson(response, 400, {
        error: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not accepted'}`,
      });
    }
    // A failed request is a normal response with a text for the person, because an error status
    // would show up in the browser's console.
    const answer = await deps.act(parsed.data).then(
      (result) => ({ result }),
      (reason: unknown) => ({ error: textOf(reason) }),
    );
    sendJson(response, 200, answer);
  }

  function sendEvents(
    request: IncomingMessage,
    response: ServerResponse,
    personId: string | null,
  ): void {
    const waiting: SiteEvent[] = [];
    const write = (event: SiteEvent) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
    let notify = (event: SiteEvent) => void waiting.push(event);
    const end = deps.follow(personId, (event) => notify(event));
    if (end === null) {
      sendJson(response, 404, { error: `Nobody here has the id ${personId}.` });
      return;
    }
    request.socket.setNoDelay(true);
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
    for (const event of waiting) write(event);
    notify = write;
    response.on('close', end);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new Error(`The page cannot be served on 127.0.0.1, port ${deps.port}: ${cause.message}`, {
          cause,
        }),
      );
    });
    server.listen(deps.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : deps.port;
  hosts = [`127.0.0.1:${port}`, `localhost:${port}`];

  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

async function sendMedia(response: ServerResponse, address: string): Promise<void> {
  const file = await fetch(address);
  const body = Buffer.from(await file.arrayBuffer());
  const contentType = file.headers.get('content-type') ?? 'application/octet-stream';
  response.writeHead(file.status, { ...HEADERS, 'Content-Type': contentType }).end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) {
      throw new Error(`The request has more than ${BODY_LIMIT_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
