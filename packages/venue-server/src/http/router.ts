import type { IncomingMessage } from 'node:http';
import { readAddress, type WalletAddress } from '../address.ts';
import {
  activityParametersSchema,
  DEFAULT_LIMIT,
  quoted,
  readParameters,
  transfersParametersSchema,
} from '../contract.ts';
import type { Admission } from '../keys.ts';
import type { Ledger } from '../ledger.ts';
import { describeInterface } from '../openapi.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../records.ts';
import { createCursors } from './cursor.ts';

/** A response, without the headers that every response has. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Closes the connection after this response. */
  readonly closes?: boolean;
  /** For the log. The path itself is not logged because it is the caller's text. */
  readonly route?: string;
}

/**
 * A rejected body up to this length is read and discarded, so that the connection can be reused.
 */
const DUMPED_BODY_BYTES = 65_536;

const LISTS = ENDPOINT_NAMES.map((name) => `/v1/trader/{address}/${name}`);
const PATHS = `${LISTS.join(', ')} and /openapi.json`;

/** Parameters of each list. */
const PARAMETERS = {
  activity: activityParametersSchema,
  'deposits-withdrawals': transfersParametersSchema,
} satisfies Readonly<Record<EndpointName, unknown>>;

/** Returns an error in the envelope: `code` is the status as text, `data` is null. */
export function failure(status: number, message: string, more: Partial<Answer> = {}): Answer {
  return {
    status,
    body: JSON.stringify({ success: false, code: String(status), message, data: null }),
    ...more,
  };
}

/** Creates the function that answers a request that the HTTP parser accepted. */
export function createRouter({
  ledger,
  urlBytes,
}: {
  readonly ledger: Ledger;
  readonly urlBytes: number;
}) {
  const cursors = createCursors(ledger.cursorSecret);
  const description = JSON.stringify(describeInterface());

  const pages: Readonly<Record<EndpointName, Ledger['activityPage']>> = {
    activity: ledger.activityPage,
    'deposits-withdrawals': (wallet, _filters, request) => ledger.transfersPage(wallet, request),
  };

  async function page(
    name: EndpointName,
    wallet: WalletAddress,
    query: URLSearchParams,
  ): Promise<Answer> {
    const asked = readParameters(PARAMETERS[name], query);
    if (!asked.ok) return failure(400, asked.reason);
    const { cursor, limit = DEFAULT_LIMIT, ...filters } = asked.value;
    const after = cursor === undefined ? null : cursors.decode(name, wallet, cursor);
    if (after === undefined) return failure(400, `cursor must be ${cursorFault(cursor ?? '')}`);
    const request = { after, limit };
    const { items, next } = await pages[name](wallet, filters, request);
    const nextCursor = next === null ? null : cursors.encode(name, wallet, next);
    const data = `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
    return { status: 200, body: `{"success":true,"code":"0","message":"success","data":${data}}` };
  }

  async function answer(
    { name, address, query, isDescription }: Target,
    { plan }: Admission,
  ): Promise<Answer> {
    if (isDescription) return { status: 200, body: description };
    if (name === null) return failure(404, `There is no such path. There are ${PATHS}.`);
    if (plan?.endpoints.includes(name) !== true) {
      return failure(403, `The plan of this key does not include ${name}.`);
    }
    const parsed = readAddress(decoded(address));
    return parsed.ok
      ? page(name, parsed.address, query)
      : failure(400, `address: ${parsed.reason}`);
  }

  return async (request: IncomingMessage, admission: Admission): Promise<Answer> => {
    const target = readTarget(request.url ?? '/');
    const answered =
      refusalOf(request, admission, target, urlBytes) ?? (await answer(target, admission));
    return { ...answered, route: target.isDescription ? 'openapi' : (target.name ?? 'unknown') };
  };
}

/** Path and query of a request. */
interface Target {
  readonly name: EndpointName | null;
  readonly address: string;
  readonly isDescription: boolean;
  readonly query: URLSearchParams;
}

/** @param url a request target, which may be a whole URL (RFC 9112, section 3.2.2) */
function readTarget(url: string): Target {
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?#]*/i, '').split('?');
  const [, address = '', last] = /^\/v1\/trader\/([^/]*)\/([^/]+)$/.exec(path) ?? [];
  return {
    name: ENDPOINT_NAMES.find((name) => name === last) ?? null,
    address,
    isDescription: path === '/openapi.json',
    query: new URLSearchParams(query.join('?')),
  };
}

/**
 * Returns the error response that applies whatever the path, or undefined if there is none. The
 * order is our choice: form, key, rate, then content.
 */
function refusalOf(
  request: IncomingMessage,
  { plan, fault = '', isExceeded, limit }: Admission,
  { isDescription }: Target,
  urlBytes: number,
): Answer | undefined {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return failure(400, 'The Host header is missing.', { closes: true });
  }
  // Contract: every request is authenticated. Our choice: the description of the interface is
  // public.
  if (plan === undefined && !isDescription) {
    return failure(401, fault, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  if (isExceeded) {
    return failure(429, `Rate limit of ${limit} requests exceeded. Wait until X-RateLimit-Reset.`);
  }
  const { 'transfer-encoding': encoding, 'content-length': length, expect } = request.headers;
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  // Closes the connection instead of reading a long body to its end.
  const closes = hasBody && (!(Number(length) <= DUMPED_BODY_BYTES) || expect !== undefined);
  if (request.method !== 'GET') {
    return failure(405, `Only GET is answered here, not ${request.method}.`, {
      headers: { Allow: 'GET' },
      closes,
    });
  }
  if (hasBody) return failure(400, 'A GET request here has no body.', { closes });
  if (Buffer.byteLength(request.url ?? '') > urlBytes) {
    return failure(
      414,
      `The address is longer than ${urlBytes} bytes. Ask for fewer market ids at once.`,
    );
  }
  return undefined;
}

function cursorFault(text: string): string {
  const hint = text.includes(' ') ? ' A + must be URL-encoded as %2B.' : '';
  return `the nextCursor that this endpoint gave for this wallet; got ${quoted(text)}.${hint}`;
}

/**
 * Returns the decoded path segment. A segment that is badly encoded or has spaces around it stays
 * an invalid address either way.
 */
function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return text === text.trim() ? text : `"${text}"`;
  } catch {
    return segment;
  }
}
