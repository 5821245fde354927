import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Pool, util } from 'undici';
import { isDistinct } from '../lib/log/redact.ts';
import { withoutEndSlashes } from '../lib/text/url.ts';
import type { ResponseFacts } from './rate-limit/headers.ts';

/**
 * Time-outs in ms. `bodyMs`: longest pause within a body; `tryMs`: one attempt, from sending to the
 * last byte.
 */
export const HTTP_TIMEOUTS = { connectMs: 5_000, headersMs: 10_000, bodyMs: 10_000, tryMs: 20_000 };

/** A response with any status. */
export type HttpAnswer = ReturnType<typeof answerOf>;

/**
 * No usable response: network fault, time-out or 5xx. It replaces the HTTP library's errors, some
 * of which contain raw bytes.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** True if an immediate retry would not help. */
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal = false } = {}) {
    super(reason);
    this.isFinal = isFinal;
  }
}

/**
 * Ten times the size of a page of 100 records, which leaves space for titles in any script. Parsing
 * this many bytes of hostile JSON (a list in a list in a list …) takes a tenth of a second.
 */
const BODY_MAX_BYTES = 1_000_000;
/** Size limit of an unsuccessful response: only its message matters. */
const REFUSAL_MAX_BYTES = 65_536;
/**
 * Maximum number of concurrent polls: twice what 10,000 polls a minute need if a response takes
 * 0.75 s.
 */
export const POLLS_IN_FLIGHT_MOST = 256;
/** Connections are opened on demand. People's lookups never queue behind polls. */
const CONNECTIONS = POLLS_IN_FLIGHT_MOST + 64;

/**
 * Creates a client that sends authenticated GETs over a keep-alive pool. It does not follow
 * redirects and reads at most 1 MB of a body, as sent and decompressed.
 *
 * @param baseUrl without user name, query or fragment
 * @param apiKey valid in a header: the configuration rejects others
 */
export function createHttpTransport(
  baseUrl: string,
  apiKey: string,
  timeouts: typeof HTTP_TIMEOUTS,
) {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = withoutEndSlashes(pathname);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: 'application/json',
    // A page of 100 records is 73 kB of plain text, and 9 kB compressed.
    'accept-encoding': 'gzip',
  };
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    keepAliveTimeout: 30_000,
  });

  return {
    /**
     * Sends one GET. It uses undici's callbacks because one stream per poll keeps the garbage
     * collector busy.
     *
     * @param path relative to the base URL, with its query
     * @param signal used by one request at a time (`createSignals`)
     * @param onHeaders called once, as soon as the headers are there
     * @throws TransportError
     * @throws the signal's reason when it is aborted
     */
    get: (
      path: string,
      signal: AbortSignal,
      onHeaders: (facts: ResponseFacts) => void,
    ): Promise<HttpAnswer> =>
      new Promise((resolve, reject) => {
        let abort: (() => void) | undefined;
        let answer: ReturnType<typeof answerOf> | undefined;
        let isOver = false;
        const end = (error?: unknown) => {
          isOver = true;
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          if (error === undefined && answer !== undefined) resolve(answer);
          else reject(error);
          abort?.();
        };
        const onAbort = () => end(signal.reason);
        const onLimit = () =>
          end(new TransportError(`no complete answer within ${timeouts.tryMs} ms`));
        const timer = setTimeout(onLimit, timeouts.tryMs);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) return onAbort();
        pool.dispatch(
          { method: 'GET', path: prefix + path, headers },
          {
            onConnect(abortRequest) {
              abort = abortRequest;
              if (isOver) abort();
            },
            onHeaders(status, raw) {
              if (status < 200) return true;
              const received = util.parseHeaders(raw);
              answer = answerOf(status, received, apiKey);
              onHeaders({ status, headers: received });
              return true;
            },
            onData(chunk) {
              if (answer?.add(chunk) === false) end();
              return true;
            },
            onComplete: () => end(),
            // The status of a refusal says enough: its body may be cut, missing or unreadable.
            onError: (error) => end(answer?.isSuccess === false ? undefined : networkError(error)),
          },
        );
      }),
    close: (): Promise<void> => pool.destroy(),
  };
}

/** Collects a response whose body is still to come. */
function answerOf(status: number, headers: ResponseFacts['headers'], apiKey: string) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const isSuccess = status >= 200 && status < 300;
  const limitBytes = isSuccess ? BODY_MAX_BYTES : REFUSAL_MAX_BYTES;
  const encoding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip';
  const isReadable = isGzip || encoding === '' || encoding === 'identity';
  let fault = isReadable
    ? null
    : `the body is compressed (${encoding.slice(0, 20)}) although gzip or plain text was asked for`;
  const tooLarge = `the body is larger than ${limitBytes / 1_000_000} MB`;

  /** Decompresses the body; if that fails, sets `fault` and returns an empty buffer. */
  const decompressed = (body: Buffer): Buffer => {
    try {
      return gunzipSync(body, { maxOutputLength: limitBytes });
    } catch (error) {
      const code = codeOf(error);
      fault ??=
        code === 'ERR_BUFFER_TOO_LARGE'
          ? tooLarge
          : `the compressed body cannot be read (${code ?? 'no gzip'})`;
      return Buffer.alloc(0);
    }
  };
  return {
    status,
    isSuccess,
    contentType:
      headers['content-type'] === undefined ? null : String(headers['content-type']).slice(0, 100),
    /**
     * Why the body of a success is unusable or could not be decompressed by `text`; null if there
     * is no fault.
     */
    get fault() {
      if (isSuccess) return fault;
      return null;
    },
    /** @returns whether to read more of the body */
    add(chunk: Buffer): boolean {
      if (fault !== null) return false;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) fault = tooLarge;
      return fault === null;
    },
    /**
     * Returns a hash of the body as it was sent, so that an unchanged page need not be
     * decompressed.
     */
    hash(): string {
      const hash = createHash('sha256');
      for (const chunk of chunks) hash.update(chunk);
      return hash.digest('base64url');
    },
    /**
     * Returns the body with the key redacted; empty, with the reason in `fault`, if it cannot be
     * decompressed.
     */
    text(): string {
      const body = Buffer.concat(chunks);
      const text = new TextDecoder().decode(isGzip ? decompressed(body) : body);
      // A server may echo the key. A key that is a common word, like the demo's, can occur in a
      // market's title.
      return isDistinct(apiKey) ? text.replaceAll(apiKey, '[key]') : text;
    },
  };
}

function networkError(error: unknown): TransportError {
  // If several addresses were tried, the error is an AggregateError with an empty message.
  const first: unknown =
    error instanceof AggregateError && error.message === '' ? error.errors[0] : error;
  const code = codeOf(first);
  const reason = REASONS[code ?? ''] ?? 'the connection failed';
  if (code === null) return new TransportError(reason);
  return new TransportError(`${reason} (${code})`);
}

/** Returns an error code such as ECONNREFUSED; null if the error has no code that is a string. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (typeof error.code === 'string') return error.code;
  return null;
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
