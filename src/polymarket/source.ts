import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { reasonOf } from '../lib/error.ts';
import { retryAfterMs, singleHeader } from '../lib/http-headers.ts';
import type { Machine } from '../lib/machine.ts';
import { isOvergrown, parseJson } from '../lib/text/json.ts';
import { withoutEndSlashes } from '../lib/text/url.ts';
import type { Pace } from './pace.ts';
import {
  activityPageSchema,
  type Market,
  readLagSeconds,
  readMarkets,
  readPayouts,
  readProxyWallet,
} from './source-rows.ts';

/** Maximum conditions in one request (documented for the Data API). */
export const CONDITIONS_MOST = 20;
/**
 * Maximum bytes of a body, as sent and decompressed: a page of 1,000 rows is smaller than a
 * million.
 */
const BODY_MAX_BYTES = 1_500_000;
/**
 * Maximum objects and lists in a body: a page of 1,000 rows has about 1,000, a list of 20 markets a
 * few hundred.
 */
const BODY_MAX_OBJECTS = 50_000;
const TIMEOUTS = { connectMs: 5_000, headersMs: 10_000, bodyMs: 10_000, answerMs: 20_000 };
/** Duration of a response from which requests count as delayed, in ms. */
const SLOW_MS = 2_000;
/** Time for which the age of a page counts, in ms. */
const AGE_KEPT_MS = 60_000;
const CONNECTIONS = 32;
const WORDS_MAX = 200;

/** Why the source gave no page. `status` is the status of the gateway's response. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly status: 429 | 502 | 503;

  constructor(status: SourceError['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/** The source rejects a cursor that it has issued, because it is too old or too far down. */
export class CursorRefused extends SourceError {}
/** Statuses of that rejection. */
const CURSOR_STATUSES = [400, 410, 422];

export interface ActivityQuery {
  readonly user: string;
  readonly types: readonly string[];
  /** Unix seconds, inclusive. The source treats 0 as three years ago. */
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  readonly conditions?: readonly string[];
  readonly limit: number;
  readonly cursor?: string;
}

export interface SourcePage {
  readonly rows: readonly unknown[];
  readonly nextCursor: string | null;
}

/** A page as it was sent; an unchanged one need not be parsed. */
export interface SentPage {
  /** Hash of the body as it was sent. */
  readonly hash: string;
  /** @throws {SourceError} if it is not a page */
  read(): SourcePage;
}

export type Source = ReturnType<typeof createSource>;

/** Reads Polymarket's public Data API and Gamma. It caches nothing and retries nothing. */
export function createSource(
  machine: Machine,
  {
    dataUrl,
    gammaUrl,
    pace,
    answerMs = TIMEOUTS.answerMs,
  }: {
    readonly dataUrl: string;
    readonly gammaUrl: string;
    readonly pace: Pace;
    /** Time limit of a whole response, in ms, because a body may arrive very slowly. */
    readonly answerMs?: number;
  },
) {
  const data = createReader(machine, dataUrl, answerMs);
  const gamma = createReader(machine, gammaUrl, answerMs);
  /**
   * Greatest recent age of a page (`Age`), in seconds; each page is as old as its own cached copy.
   */
  let oldest = { ageSeconds: 0, atMs: 0 };
  const isRecent = () => Math.abs(machine.nowMs() - oldest.atMs) < AGE_KEPT_MS;

  return {
    /**
     * Returns one page of a wallet's activity, newest first.
     *
     * @throws {SourceError}
     */
    async activity(query: ActivityQuery): Promise<SentPage> {
      const answer = await data.get(`/v2/activity?${searchOf(query)}`);
      const refusal = refusalOf(answer, query.cursor !== undefined, pace);
      if (refusal !== null) throw refusal;
      if (answer.ageSeconds >= oldest.ageSeconds || !isRecent()) {
        oldest = { ageSeconds: answer.ageSeconds, atMs: machine.nowMs() };
      }
      return { hash: answer.hash(), read: () => readPage(answer) };
    },
    /**
     * Returns the markets of up to {@link CONDITIONS_MOST} conditions.
     *
     * @throws {SourceError}
     */
    async markets(conditions: readonly string[]): Promise<readonly Market[]> {
      const found = await marketsBy(gamma, conditions, false);
      const known = new Set(found.map(({ conditionId }) => conditionId));
      const missing = conditions.filter((condition) => !known.has(condition));
      if (missing.length === 0) return found;
      return [...found, ...(await marketsBy(gamma, missing, true))];
    },
    /**
     * Returns the payouts of ended markets, from 0 to 1 per outcome, by condition.
     *
     * @throws {SourceError}
     */
    async payouts(conditions: readonly string[]) {
      const answer = await data.get(`/v2/resolutions?condition=${conditions.join(',')}`);
      const payouts = answer.status === 200 ? readPayouts(answer.json()) : undefined;
      if (payouts === undefined) throw unexpected(answer);
      return payouts;
    },
    /**
     * Returns the seconds by which the source says that it is late; null if it states none.
     *
     * @throws {SourceError}
     */
    async lagSeconds(): Promise<number | null> {
      const answer = await data.get('/v2/status');
      return answer.status === 200 ? readLagSeconds(answer.json()) : null;
    },
    /**
     * Returns the proxy address of a profile; null if there is none.
     *
     * @throws {SourceError}
     */
    async proxyOf(address: string): Promise<string | null> {
      const answer = await gamma.get(`/public-profile?address=${address}`);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw unexpected(answer);
      return readProxyWallet(answer.json());
    },
    /** Returns the greatest age of a page within the last minute, in seconds. */
    ageSeconds: () => (isRecent() ? oldest.ageSeconds : 0),
    async close(): Promise<void> {
      await Promise.all([data.close(), gamma.close()]);
    },
  };
}

function searchOf(query: ActivityQuery): URLSearchParams {
  const search = new URLSearchParams({
    user: query.user,
    type: query.types.join(','),
    exclude_deposits_withdrawals: 'false',
    limit: String(query.limit),
    // Omitted or 0, it means three years: "the first purchase" could then be wrong.
    start: String(Math.max(1, query.startSeconds ?? 1)),
  });
  if (query.endSeconds !== undefined) search.set('end', String(query.endSeconds));
  if (query.conditions !== undefined) search.set('condition', query.conditions.join(','));
  if (query.cursor !== undefined) search.set('cursor', query.cursor);
  return search;
}

/** Returns why a response is not a page, by its status; null if it may be one. Adapts the pace. */
function refusalOf(answer: SourceAnswer, hasCursor: boolean, pace: Pace): SourceError | null {
  const { status } = answer;
  if (answer.tookMs >= SLOW_MS) pace.slowDown();
  if (status === 200) return null;
  const words = answer.words();
  const isOverload = status === 503 && answer.retryAfterMs !== null;
  if (status === 429 || isOverload) pace.block(answer.retryAfterMs);
  if (status === 429) return new SourceError(429, `Polymarket refuses further requests: ${words}`);
  if (isOverload) return new SourceError(503, `Polymarket is overloaded: ${words}`);
  if (hasCursor && CURSOR_STATUSES.includes(status)) {
    return new CursorRefused(502, `Polymarket refuses its cursor: ${words}`);
  }
  return unexpected(answer);
}

function unexpected(answer: SourceAnswer): SourceError {
  return new SourceError(502, `Polymarket answered ${answer.status}: ${answer.words()}`);
}

/** @throws {SourceError} if the response is not a page */
function readPage(answer: SourceAnswer): SourcePage {
  const page = activityPageSchema.safeParse(answer.json());
  if (!page.success) {
    const field = page.error.issues[0]?.path.join('.') || 'the body';
    throw new SourceError(502, `Polymarket's answer is no page (${field}): ${answer.words()}`);
  }
  const { has_more: hasMore, next_cursor: nextCursor } = page.data.pagination;
  return { rows: page.data.data, nextCursor: hasMore && nextCursor ? nextCursor : null };
}

type Reader = ReturnType<typeof createReader>;
type SourceAnswer = Awaited<ReturnType<Reader['get']>>;

async function marketsBy(gamma: Reader, conditions: readonly string[], isClosed: boolean) {
  const search = new URLSearchParams();
  for (const condition of conditions) search.append('condition_ids', condition);
  if (isClosed) search.set('closed', 'true');
  search.set('limit', String(CONDITIONS_MOST));
  const answer = await gamma.get(`/markets?${search}`);
  const markets = answer.status === 200 ? readMarkets(answer.json()) : undefined;
  if (markets === undefined) {
    throw new SourceError(502, `Polymarket's Gamma answered ${answer.status}: ${answer.words()}`);
  }
  return markets.filter(({ conditionId }) => conditions.includes(conditionId));
}

/**
 * Sends GET requests to one address; does not follow redirects, and rejects a body above 1.5 MB.
 */
function createReader({ nowMs, monotonicMs }: Machine, baseUrl: string, answerMs: number) {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = withoutEndSlashes(pathname);
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: TIMEOUTS.connectMs },
    headersTimeout: TIMEOUTS.headersMs,
    bodyTimeout: TIMEOUTS.bodyMs,
    keepAliveTimeout: 30_000,
  });
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip' };

  const request = async (path: string) => {
    const {
      statusCode,
      headers: received,
      body,
    } = await pool.request({
      method: 'GET',
      path: prefix + path,
      headers,
      signal: AbortSignal.timeout(answerMs),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > BODY_MAX_BYTES) throw new Error('the body is larger than 1.5 MB');
      chunks.push(chunk);
    }
    const isZipped = singleHeader(received['content-encoding'])?.toLowerCase() === 'gzip';
    return { statusCode, received, sent: Buffer.concat(chunks), isZipped };
  };

  return {
    /** @throws {SourceError} 502 if there is no response */
    async get(path: string) {
      const startMs = monotonicMs();
      const { statusCode, received, sent, isZipped } = await request(path).catch(noAnswer);
      const tookMs = monotonicMs() - startMs;
      const age = singleHeader(received['age']) ?? '';
      const text = () => textOf(sent, isZipped);
      return {
        status: statusCode,
        hash: () => createHash('sha256').update(sent).digest('base64url'),
        /** @throws {SourceError} 502 if it cannot be read */
        json: () => parseJson(text()),
        /** Returns its beginning in one line, for messages. */
        words: () => beginningOf(text()),
        retryAfterMs: retryAfterMs(received['retry-after'], nowMs()),
        ageSeconds: /^\d{1,7}$/.test(age) ? Number(age) : 0,
        tookMs,
      };
    },
    close: () => pool.destroy(),
  };
}

function noAnswer(error: unknown): never {
  throw new SourceError(502, `Polymarket gave no answer: ${reasonOf(error)}`);
}

/**
 * Returns a body as text.
 *
 * @throws {SourceError} 502 if it cannot be decompressed or has too many objects
 */
function textOf(sent: Buffer, isZipped: boolean): string {
  try {
    const plain = isZipped ? gunzipSync(sent, { maxOutputLength: BODY_MAX_BYTES }) : sent;
    if (isOvergrown(plain, { groups: BODY_MAX_OBJECTS, commas: Number.POSITIVE_INFINITY })) {
      throw new Error(`the body holds more than ${BODY_MAX_OBJECTS} objects`);
    }
    return plain.toString('utf8');
  } catch (error) {
    return noAnswer(error);
  }
}

const beginningOf = (text: string) =>
  text
    .slice(0, 2_000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, WORDS_MAX);
