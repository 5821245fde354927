import type { IncomingMessage } from 'node:http';
import { parseAddress, type WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';
import {
  activityParametersSchema,
  DEFAULT_LIMIT,
  quoted,
  type Read,
  readParameters,
  transfersParametersSchema,
} from './contract.ts';
import { activityCursor, type CursorCodec, transfersCursor } from './cursor.ts';
import type { Admission } from './keys.ts';
import type { Ledger, LedgerPage } from './ledger.ts';
import { describeInterface } from './openapi.ts';
import type { Position } from './page-query.ts';

/** What is to be sent, apart from the headers that every response has. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** The connection ends with this answer. */
  readonly closes?: boolean;
  /** For the log. The path itself is not logged: it is the caller's text. */
  readonly route?: string;
}

const ACTIVITY_PARAMETERS = Object.keys(activityParametersSchema.shape);
const TRANSFERS_PARAMETERS = Object.keys(transfersParametersSchema.shape);
/** A refused body up to this length is read and dropped, so that the connection can be used again. */
const DUMPED_BODY_BYTES = 65_536;

const PATHS = '/v1/trader/{address}/activity, /v1/trader/{address}/deposits-withdrawals and /openapi.json';

/** An error in the envelope: `code` is the status as text, `data` is null. */
export function failure(status: number, message: string, more: Partial<Answer> = {}): Answer {
  return { status, body: JSON.stringify({ success: false, code: String(status), message, data: null }), ...more };
}

/** Decides the answer to a request that the HTTP parser could read. */
export function createRouter(deps: {
  readonly ledger: Ledger;
  readonly urlBytes: number;
}): (request: IncomingMessage, admission: Admission) => Promise<Answer> {
  const { ledger } = deps;
  const cursors: Readonly<Record<EndpointName, CursorCodec>> = {
    activity: activityCursor(ledger.cursorSecret),
    'deposits-withdrawals': transfersCursor(ledger.cursorSecret),
  };
  const description = JSON.stringify(describeInterface());

  async function activity(wallet: WalletAddress, query: URLSearchParams): Promise<Answer> {
    const asked = readParameters(activityParametersSchema, ACTIVITY_PARAMETERS, query);
    if (!asked.ok) return failure(400, asked.reason);
    const after = readCursor(cursors.activity, wallet, asked.value.cursor);
    if (!after.ok) return failure(400, after.reason);
    const page = await ledger.activityPage(wallet, asked.value, {
      after: after.value,
      limit: asked.value.limit ?? DEFAULT_LIMIT,
    });
    return pageAnswer(page, cursors.activity, wallet);
  }

  async function transfers(wallet: WalletAddress, query: URLSearchParams): Promise<Answer> {
    const asked = readParameters(transfersParametersSchema, TRANSFERS_PARAMETERS, query);
    if (!asked.ok) return failure(400, asked.reason);
    const codec = cursors['deposits-withdrawals'];
    const after = readCursor(codec, wallet, asked.value.cursor);
    if (!after.ok) return failure(400, after.reason);
    const page = await ledger.transfersPage(wallet, { after: after.value, limit: asked.value.limit ?? DEFAULT_LIMIT });
    return pageAnswer(page, codec, wallet);
  }

  async function answer({ endpoint, query, isDescription }: Target, admission: Admission): Promise<Answer> {
    if (isDescription) return { status: 200, body: description };
    if (endpoint === null) return failure(404, `There is no such path. There are ${PATHS}.`);
    const { name, address } = endpoint;
    if (admission.plan?.endpoints.includes(name) !== true) {
      return failure(403, `The plan of this key does not include ${name}.`);
    }
    const wallet = readAddress(address);
    if (!wallet.ok) return failure(400, wallet.reason);
    return name === 'activity' ? activity(wallet.value, query) : transfers(wallet.value, query);
  }

  return async (request, admission) => {
    const target = readTarget(request.url ?? '/');
    const answered = refusalOf(request, admission, target, deps.urlBytes) ?? (await answer(target, admission));
    return { ...answered, route: target.isDescription ? 'openapi' : (target.endpoint?.name ?? 'unknown') };
  };
}

/** Path and query of a request. */
interface Target {
  readonly endpoint: { readonly name: EndpointName; readonly address: string } | null;
  readonly isDescription: boolean;
  readonly query: URLSearchParams;
}

function readTarget(url: string): Target {
  const { path, query } = splitTarget(url);
  const [, address = '', name] = /^\/v1\/trader\/([^/]*)\/(activity|deposits-withdrawals)$/.exec(path) ?? [];
  const isEndpoint = name === 'activity' || name === 'deposits-withdrawals';
  return { endpoint: isEndpoint ? { name, address } : null, isDescription: path === '/openapi.json', query };
}

/** The refusal of a request whatever its path; undefined if there is none. Ours is the order: form, key, rate, then content. */
function refusalOf(
  request: IncomingMessage,
  admission: Admission,
  { isDescription }: Target,
  urlBytes: number,
): Answer | undefined {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return failure(400, 'The Host header is missing.', { closes: true });
  }
  // Contract: every request is authenticated. Ours: the description of the interface may be read by anybody.
  if (admission.plan === undefined && !isDescription) {
    return failure(401, admission.fault ?? 'Missing API key.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  if (admission.isExceeded) {
    return failure(429, `Rate limit of ${admission.limit} requests exceeded. Wait until X-RateLimit-Reset.`);
  }
  if (request.method !== 'GET') {
    const closes = hasLongBody(request);
    return failure(405, `Only GET is answered here, not ${request.method}.`, { headers: { Allow: 'GET' }, closes });
  }
  if (hasBody(request)) return failure(400, 'A GET request here has no body.', { closes: hasLongBody(request) });
  if (Buffer.byteLength(request.url ?? '') > urlBytes) {
    return failure(414, `The address is longer than ${urlBytes} bytes. Ask for fewer market ids at once.`);
  }
  return undefined;
}

function pageAnswer(page: LedgerPage, codec: CursorCodec, wallet: WalletAddress): Answer {
  const nextCursor = page.next === null ? null : codec.encode(wallet, page.next);
  const data = `{"items":[${page.items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
  return { status: 200, body: `{"success":true,"code":"0","message":"success","data":${data}}` };
}

function readCursor(codec: CursorCodec, wallet: WalletAddress, text: string | undefined): Read<Position | null> {
  if (text === undefined) return { ok: true, value: null };
  const position = codec.decode(wallet, text);
  if (position !== undefined) return { ok: true, value: position };
  const hint = text.includes(' ') ? ' A + must be URL-encoded as %2B.' : '';
  return {
    ok: false,
    reason: `cursor must be the nextCursor that this endpoint gave for this wallet; got ${quoted(text)}.${hint}`,
  };
}

function readAddress(segment: string): Read<WalletAddress> {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // Kept as it came: it is no address either way.
  }
  const parsed = text === text.trim() ? parseAddress(text) : parseAddress(`"${text}"`);
  return parsed.ok ? { ok: true, value: parsed.address } : { ok: false, reason: `address: ${parsed.reason}` };
}

/** Path and query of a request target, which may be a whole URL (RFC 9112, section 3.2.2). */
function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = relative.indexOf('?');
  if (mark === -1) return { path: relative, query: new URLSearchParams() };
  return { path: relative.slice(0, mark), query: new URLSearchParams(relative.slice(mark + 1)) };
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Whether the connection is rather closed than read on to the end of the refused body. */
function hasLongBody(request: IncomingMessage): boolean {
  if (!hasBody(request)) return false;
  const isShort = Number(request.headers['content-length'] ?? Number.NaN) <= DUMPED_BODY_BYTES;
  return !isShort || request.headers.expect !== undefined;
}
