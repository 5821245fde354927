import { createHash } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { isDistinct } from '../lib/log/redact.ts';
import { parseUrl } from '../lib/url.ts';
import type { ResponseFacts } from './rate-limit/budget.ts';

export interface HttpTimeouts {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Longest pause within a body. */
  readonly bodyMs: number;
  /** One try, from sending to the last byte. */
  readonly tryMs: number;
}

/** A complete answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string | null;
  /** Of the body's bytes. */
  hash(): string;
  /** The body without the key. */
  text(): string;
}

/**
 * No usable answer: the network failed, time ran out, or (`venue` set) what came is not worth reading. It stands in for errors of the
 * HTTP library, some of which carry raw bytes of the response.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** Such as ECONNREFUSED or UND_ERR_SOCKET. */
  readonly code: string | null;
  /** Asking again at once is no use. */
  readonly isFinal: boolean;
  readonly venue: { readonly status: number } | null;

  constructor(
    reason: string,
    context: { code?: string | null; isFinal?: boolean; venue?: { readonly status: number } } = {},
  ) {
    super(reason);
    this.code = context.code ?? null;
    this.isFinal = context.isFinal ?? false;
    this.venue = context.venue ?? null;
  }
}

/** One authenticated GET at a time over a keep-alive pool; follows no redirect, reads no body beyond 1 MB. */
export interface HttpTransport {
  /**
   * @param path from the base URL on, query included
   * @param onHeaders called once, as soon as the headers are there
   * @throws TransportError
   * @throws the signal's reason when it is aborted
   */
  get(path: string, signal: AbortSignal, onHeaders: (facts: ResponseFacts) => void): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/**
 * Ten times what a page of 100 records takes, with room for titles in any script. Parsing as many bytes of hostile JSON
 * (a list in a list in a list …) takes a tenth of a second.
 */
const BODY_MAX_BYTES = 1_000_000;
/** Of an answer that is no success, only the words matter. */
const REFUSAL_MAX_BYTES = 65_536;
const CONNECTIONS = 16;

/** @throws TypeError a base URL or a key that cannot be used; the key itself is not shown */
export function createHttpTransport(deps: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeouts: HttpTimeouts;
}): HttpTransport {
  const { apiKey, timeouts } = deps;
  const base = readBaseUrl(deps.baseUrl);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      'The API key is empty or has characters that a header cannot carry (spaces, line ends, accents).',
    );
  }
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, '');
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json', 'accept-encoding': 'identity' };
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    keepAliveTimeout: 30_000,
  });

  return {
    async get(path, signal, onHeaders) {
      const abort = new AbortController();
      const onAbort = () => abort.abort();
      const deadline = setTimeout(() => abort.abort(), timeouts.tryMs);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        if (signal.aborted) throw signal.reason;
        const response = await pool.request({ method: 'GET', path: `${prefix}${path}`, headers, signal: abort.signal });
        onHeaders({ status: response.statusCode, headers: response.headers });
        return await readAnswer(response, apiKey);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof TransportError) throw error;
        if (abort.signal.aborted)
          throw new TransportError(`no complete answer within ${timeouts.tryMs} ms`, { code: 'ETIMEDOUT' });
        throw networkError(error);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener('abort', onAbort);
      }
    },
    close: () => pool.destroy(),
  };
}

function readBaseUrl(text: string): URL {
  const url = parseUrl(text) ?? null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new TypeError(`Expected a base URL such as https://api.example.org, got "${text.slice(0, 100)}".`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('Expected a base URL without user name, password, query and fragment.');
  }
  return url;
}

async function readAnswer(response: Dispatcher.ResponseData, apiKey: string): Promise<HttpAnswer> {
  const { statusCode: status, headers } = response;
  const contentType = headers['content-type'] === undefined ? null : String(headers['content-type']).slice(0, 100);
  const isSuccess = status >= 200 && status < 300;
  const chunks = await (isSuccess ? readPageBody(response) : readRefusalBody(response));
  return {
    status,
    contentType,
    hash() {
      const hash = createHash('sha256');
      for (const chunk of chunks) hash.update(chunk);
      return hash.digest('base64url');
    },
    text() {
      const text = new TextDecoder().decode(Buffer.concat(chunks));
      // A server may echo the key. One that is a common word (the demo's) may well stand in a market's title.
      return isDistinct(apiKey) ? text.replaceAll(apiKey, '[key]') : text;
    },
  };
}

async function readPageBody({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Buffer[]> {
  const encoding = encodingOf(headers);
  if (encoding !== null) {
    body.on('error', ignore).destroy();
    throw new TransportError(`the body is compressed (${encoding.slice(0, 20)}) although plain text was asked for`, {
      venue: { status },
    });
  }
  const chunks: Buffer[] = [];
  if ((await readUpTo(BODY_MAX_BYTES, body, chunks)) > BODY_MAX_BYTES) {
    throw new TransportError(`the body is larger than ${BODY_MAX_BYTES / 1_000_000} MB`, { venue: { status } });
  }
  return chunks;
}

/** The status of a refusal says enough: its words may be cut, missing or unreadable. */
async function readRefusalBody({ headers, body }: Dispatcher.ResponseData): Promise<Buffer[]> {
  if (encodingOf(headers) !== null) {
    body.on('error', ignore).destroy();
    return [];
  }
  const chunks: Buffer[] = [];
  await readUpTo(REFUSAL_MAX_BYTES, body, chunks).catch(ignore);
  return chunks;
}

/** Content-Encoding; null for plain text. */
function encodingOf(headers: Dispatcher.ResponseData['headers']): string | null {
  const encoding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  return encoding === '' || encoding === 'identity' ? null : encoding;
}

/** Stops after the chunk that goes beyond the limit. @returns bytes read */
async function readUpTo(limitBytes: number, body: AsyncIterable<Buffer>, chunks: Buffer[]): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) break;
  }
  return bytes;
}

function networkError(error: unknown): TransportError {
  // With several addresses to connect to, the error is a list of errors without words of its own.
  const first: unknown = error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  if (!(first instanceof Error)) return new TransportError('the request failed');
  const code = 'code' in first && typeof first.code === 'string' ? first.code : null;
  const reason = REASONS[code ?? ''] ?? 'the connection failed';
  return new TransportError(code === null ? reason : `${reason} (${code})`, { code });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody answers at the address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
};

function ignore(): void {}
