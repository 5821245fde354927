import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { collect, readBody } from './body.ts';
import type { Cdn } from './cdn.ts';
import type { Events, Rejection } from './events.ts';
import type { FaultAction, FaultStage } from './faults.ts';
import { type BucketName, type Counters, type RateRule, tooManyRequests } from './ratelimit.ts';
import { type FormError, Refusal, refusals } from './refusal.ts';
import { createRouter, type Match, type Route, requireSnowflake } from './routes.ts';

const API_PREFIX = '/api/v10';
/** After so many 401, 403 and 429 in ten minutes Cloudflare shuts the address out (topics/rate-limits.mdx). */
const INVALID_RULE_WINDOW_MS = 600_000;

export interface HttpDeps {
  readonly now: () => number;
  readonly routes: readonly Route[];
  readonly counters: Counters;
  readonly limits: Readonly<Record<BucketName, RateRule>>;
  readonly globalLimit: RateRule;
  readonly webhookMinuteLimit: number;
  readonly invalidRequestLimit: number;
  readonly isToken: (token: string) => boolean;
  readonly channelOfToken: (interactionToken: string) => string | null;
  readonly cdn: Cdn;
  readonly events: Events;
  readonly reject: (rejection: Omit<Rejection, 'atMs'>) => void;
  readonly takeFault: (
    stage: FaultStage,
    request: { method: string; pattern: string; path: string },
  ) => FaultAction | null;
  readonly isOutage: () => boolean;
  /** Ends waits of injected delays. */
  readonly closing: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly formErrors?: readonly FormError[];
}

interface HttpTransport {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly pattern: string;
}

/** The REST side: authorisation, limits, faults and the form of every answer; what is done is in the routes. */
export function createHttp(deps: HttpDeps): { readonly server: Server; invalidRequests(): number } {
  const findRoute = createRouter(deps.routes);
  let invalidSinceMs = 0;
  let invalidCount = 0;

  function isShutOut(): boolean {
    if (deps.now() - invalidSinceMs >= INVALID_RULE_WINDOW_MS) {
      invalidSinceMs = deps.now();
      invalidCount = 0;
    }
    return invalidCount >= deps.invalidRequestLimit;
  }

  function countInvalid(answer: Answer): void {
    const isShared = answer.headers?.['X-RateLimit-Scope'] === 'shared';
    if ([401, 403, 429].includes(answer.status) && !isShared) invalidCount += 1;
  }

  function send(exchange: HttpTransport, answer: Answer, isInjected: boolean): void {
    const { response, method, path, pattern } = exchange;
    countInvalid(answer);
    deps.events.emit('request', { atMs: deps.now(), method, path, pattern, status: answer.status });
    if (answer.status >= 400) {
      const { code, message } = describe(answer.body);
      deps.reject({
        source: 'rest',
        route: `${method} ${path}`,
        status: answer.status,
        code,
        reason: message,
        formErrors: answer.formErrors ?? [],
        injected: isInjected,
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

  /** Carries a fault out; false when nothing is left to answer. */
  async function suffer(exchange: HttpTransport, action: FaultAction): Promise<boolean> {
    const { response, method, path, pattern } = exchange;
    switch (action.kind) {
      case 'delay':
        await delay(action.ms, undefined, { signal: deps.closing, ref: false }).catch(() => {});
        return true;
      case 'answer':
        send(exchange, action, true);
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

  function checkCaller({ request }: HttpTransport, route: Route): void {
    if (!(request.headers['user-agent'] ?? '').startsWith('DiscordBot (')) throw refusals.blockedUserAgent();
    if (route.auth === 'interaction') return;
    const token = /^Bot (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !deps.isToken(token)) throw refusals.unauthorized();
  }

  /** Counts the request; the answer's headers, or the 429. */
  function checkRate({ route, params }: Match): { headers: Record<string, string>; refusal: Answer | null } {
    if (route.auth === 'bot') {
      const taken = deps.counters.take('global', deps.globalLimit);
      if (taken.retryAfterMs !== null) return { headers: {}, refusal: tooManyRequests('global', taken.retryAfterMs) };
    }
    const token = params.get('token');
    const major = params.get('channel') ?? params.get('guild') ?? token ?? '';
    const name = route.bucket === 'other' ? `${route.method} ${route.pattern}` : route.bucket;
    const taken = deps.counters.take(`${name} ${major}`, deps.limits[route.bucket]);
    const headers = {
      'X-RateLimit-Limit': String(taken.limit),
      'X-RateLimit-Remaining': String(taken.remaining),
      'X-RateLimit-Reset': (taken.resetAtMs / 1000).toFixed(3),
      'X-RateLimit-Reset-After': (Math.max(0, taken.resetAtMs - deps.now()) / 1000).toFixed(3),
      'X-RateLimit-Bucket': createHash('md5').update(name).digest('hex'),
    };
    let retryAfterMs = taken.retryAfterMs;
    let scope: 'user' | 'shared' = 'user';
    const channelId = route.bucket === 'webhook' && token !== undefined ? deps.channelOfToken(token) : null;
    if (retryAfterMs === null && route.method === 'POST' && channelId !== null) {
      const rule = { limit: deps.webhookMinuteLimit, windowMs: 60_000 };
      retryAfterMs = deps.counters.take(`webhook minute ${channelId}`, rule).retryAfterMs;
      scope = 'shared';
    }
    if (retryAfterMs === null) return { headers, refusal: null };
    const answer = tooManyRequests(scope, retryAfterMs);
    return { headers, refusal: { ...answer, headers: { ...headers, ...answer.headers } } };
  }

  async function answerRest(
    exchange: HttpTransport,
    match: Match,
    bytes: Buffer,
    query: URLSearchParams,
  ): Promise<Answer> {
    checkCaller(exchange, match.route);
    const { headers, refusal } = checkRate(match);
    if (refusal) return refusal;
    try {
      const body = await readBody(exchange.request.headers['content-type'] ?? '', bytes);
      const param = (name: string) => match.params.get(name) ?? '';
      const answer = match.route.handle({
        ...body,
        query,
        param,
        id: (name) => requireSnowflake(name, param(name)),
      });
      return { ...answer, headers };
    } catch (error) {
      if (error instanceof Refusal) return { ...refusedBy(error), headers };
      throw error;
    }
  }

  async function handleRest(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const method = request.method ?? 'GET';
    const path = url.pathname.startsWith(`${API_PREFIX}/`) ? url.pathname.slice(API_PREFIX.length) : url.pathname;
    const match = path === url.pathname ? null : findRoute(method, path);
    const pattern = match === null || match === 'wrongMethod' ? path : match.route.pattern;
    const exchange: HttpTransport = { request, response, method, path, pattern };
    try {
      const bytes = await collect(request);
      const before = deps.takeFault('before', exchange);
      if (before && !(await suffer(exchange, before))) return;
      if (isShutOut()) {
        send(exchange, { status: 429, headers: { 'Retry-After': '600' }, body: '<h1>error code: 1015</h1>' }, false);
        return;
      }
      if (match === null) throw refusals.notFound();
      if (match === 'wrongMethod') throw refusals.methodNotAllowed();
      const answer = await answerRest(exchange, match, bytes, url.searchParams);
      if (answer.status < 300) {
        const after = deps.takeFault('after', exchange);
        if (after && !(await suffer(exchange, after))) return;
      }
      send(exchange, answer, false);
    } catch (error) {
      if (error instanceof Refusal) send(exchange, refusedBy(error), false);
      else if (!request.destroyed) send(exchange, { status: 500, body: { message: String(error), code: 0 } }, false);
    }
  }

  function handleCdn(response: ServerResponse, url: URL): void {
    const file = deps.cdn.read(url.pathname, url.searchParams);
    if (!file) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('This content is no longer available.');
      return;
    }
    response.writeHead(200, { 'Content-Type': file.contentType, 'Content-Length': file.data.byteLength });
    response.end(file.data);
  }

  const server = createServer((request, response) => {
    if (deps.isOutage()) {
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://double');
    if (url.pathname.startsWith('/cdn/')) handleCdn(response, url);
    else void handleRest(request, response, url);
  });
  server.keepAliveTimeout = 30_000;
  return { server, invalidRequests: () => invalidCount };
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
  return { code: typeof code === 'number' ? code : 0, message: `${String(fields.get('message') ?? '')}${detail}` };
}
