import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Events, Rejection } from '../events.ts';
import type { FaultAction, FaultedRequest, FaultStage } from '../faults.ts';
import type { Cdn } from '../messages/cdn.ts';
import { type FormError, Refusal, refusals } from '../refusal.ts';
import { collect, readBody } from './body.ts';
import type { Limits } from './limits.ts';
import { createRouter, type Match, type Route, requireSnowflake } from './routes.ts';

const API_PREFIX = '/api/v10';

export interface HttpDeps {
  readonly now: () => number;
  readonly routes: readonly Route[];
  readonly limits: Limits;
  readonly isToken: (token: string) => boolean;
  readonly cdn: Cdn;
  readonly events: Events;
  readonly reject: (rejection: Omit<Rejection, 'atMs'>) => void;
  readonly takeFault: (stage: FaultStage, request: FaultedRequest) => FaultAction | null;
  readonly isOutage: () => boolean;
  /** Aborts injected delays. */
  readonly closing: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly formErrors?: readonly FormError[];
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly pattern: string;
  readonly hasFiles: boolean;
  readonly match: Match | 'wrongMethod' | null;
  readonly query: URLSearchParams;
}

/**
 * Creates the REST server: authorization, limits, faults and the format of every response. The
 * routes contain the actual operations.
 */
export function createHttp(deps: HttpDeps): Server {
  const findRoute = createRouter(deps.routes);
  const server = createServer((request, response) => {
    if (deps.isOutage()) {
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://discord');
    if (url.pathname.startsWith('/cdn/')) return sendFile(deps.cdn, response, url);
    const method = request.method ?? 'GET';
    const path = url.pathname.startsWith(`${API_PREFIX}/`)
      ? url.pathname.slice(API_PREFIX.length)
      : url.pathname;
    const match = path === url.pathname ? null : findRoute(method, path);
    const pattern = match === null || match === 'wrongMethod' ? path : match.route.pattern;
    const hasFiles = request.headers['content-type']?.startsWith('multipart/form-data') ?? false;
    void handle(deps, {
      request,
      response,
      method,
      path,
      pattern,
      hasFiles,
      match,
      query: url.searchParams,
    });
  });
  server.keepAliveTimeout = 30_000;
  return server;
}

async function handle(deps: HttpDeps, exchange: Exchange): Promise<void> {
  try {
    const bytes = await collect(exchange.request);
    const before = deps.takeFault('before', exchange);
    if (before && !(await suffer(deps, exchange, before))) return;
    const answer = deps.limits.isShutOut() ? SHUT_OUT : await answerRest(deps, exchange, bytes);
    const after = answer.status < 300 ? deps.takeFault('after', exchange) : null;
    if (after && !(await suffer(deps, exchange, after))) return;
    send(deps, exchange, answer, false);
  } catch (error) {
    if (error instanceof Refusal) send(deps, exchange, refusedBy(error), false);
    else if (!exchange.request.destroyed) {
      send(deps, exchange, { status: 500, body: { message: String(error), code: 0 } }, false);
    }
  }
}

const SHUT_OUT: Answer = {
  status: 429,
  headers: { 'Retry-After': '600' },
  body: '<h1>error code: 1015</h1>',
};

async function answerRest(
  deps: HttpDeps,
  { request, match, query }: Exchange,
  bytes: Buffer,
): Promise<Answer> {
  if (match === null) throw refusals.notFound();
  if (match === 'wrongMethod') throw refusals.methodNotAllowed();
  checkCaller(deps, request, match.route);
  const { headers, refusal } = deps.limits.take(match);
  if (refusal) return refusal;
  try {
    const body = await readBody(request.headers['content-type'] ?? '', bytes);
    const param = (name: string) => match.params.get(name) ?? '';
    const id = (name: string) => requireSnowflake(name, param(name));
    return { ...match.route.handle({ ...body, query, param, id }), headers };
  } catch (error) {
    if (error instanceof Refusal) return { ...refusedBy(error), headers };
    throw error;
  }
}

function checkCaller(deps: HttpDeps, { headers }: IncomingMessage, route: Route): void {
  if (!(headers['user-agent'] ?? '').startsWith('DiscordBot (')) throw refusals.blockedUserAgent();
  if (route.auth === 'interaction') return;
  const token = /^Bot (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || !deps.isToken(token)) throw refusals.unauthorized();
}

function send(
  deps: HttpDeps,
  { response, method, path, pattern }: Exchange,
  answer: Answer,
  injected: boolean,
): void {
  deps.limits.countAnswer(answer);
  deps.events.emit('request', { atMs: deps.now(), method, path, pattern, status: answer.status });
  if (answer.status >= 400) {
    const { code, message: reason } = describe(answer.body);
    const { status, formErrors = [] } = answer;
    deps.reject({
      source: 'rest',
      route: `${method} ${path}`,
      status,
      code,
      reason,
      formErrors,
      injected,
    });
  }
  if (response.destroyed) return;
  const headers: Record<string, string> = { ...answer.headers };
  if (answer.body === undefined) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  const isText = typeof answer.body === 'string';
  const bytes = Buffer.from(isText ? String(answer.body) : JSON.stringify(answer.body));
  headers['Content-Type'] ??= isText ? 'text/html; charset=utf-8' : 'application/json';
  headers['Content-Length'] = String(bytes.byteLength);
  response.writeHead(answer.status, headers).end(bytes);
}

/** Applies a fault, and returns false if no response remains to be sent. */
async function suffer(deps: HttpDeps, exchange: Exchange, action: FaultAction): Promise<boolean> {
  const { response, method, path, pattern } = exchange;
  switch (action.kind) {
    case 'delay':
      await delay(action.ms, undefined, { signal: deps.closing, ref: false }).catch(() => {});
      return true;
    case 'answer':
      send(deps, exchange, action, true);
      return false;
    case 'cut':
      deps.events.emit('request', { atMs: deps.now(), method, path, pattern, status: 0 });
      response.destroy();
      return false;
    case 'hang':
      deps.events.emit('request', { atMs: deps.now(), method, path, pattern, status: 0 });
      return false;
  }
}

function sendFile(cdn: Cdn, response: ServerResponse, url: URL): void {
  const file = cdn.read(url.pathname, url.searchParams);
  if (!file) {
    response
      .writeHead(404, { 'Content-Type': 'text/plain' })
      .end('This content is no longer available.');
    return;
  }
  response.writeHead(200, {
    'Content-Type': file.contentType,
    'Content-Length': file.data.byteLength,
  });
  response.end(file.data);
}

function refusedBy(refusal: Refusal): Answer {
  return { status: refusal.status, body: refusal.body, formErrors: refusal.formErrors };
}

function describe(body: unknown): { code: number; message: string } {
  if (typeof body !== 'object' || body === null) return { code: 0, message: String(body ?? '') };
  const fields = new Map<string, unknown>(Object.entries(body));
  const code = fields.get('code');
  const errors = fields.get('errors');
  const detail = errors === undefined ? '' : ` ${JSON.stringify(errors)}`;
  return {
    code: typeof code === 'number' ? code : 0,
    message: `${String(fields.get('message') ?? '')}${detail}`,
  };
}
