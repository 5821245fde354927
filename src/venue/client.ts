import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createRedactor } from '../lib/redact.ts';
import type { WalletAddress } from './address.ts';
import { BadResponse, BudgetExhausted, NotInPlan, RateLimited, Unauthorized, Unreachable } from './errors.ts';
import {
  createHttpTransport,
  type HttpAnswer,
  type HttpTimeouts,
  type HttpTransport,
  TransportError,
} from './http-transport.ts';
import { type ActivityFilters, activityQuery, pagingQuery, type TransferPaging } from './query.ts';
import type { Budget, Permit, Priority } from './rate-limit/budget.ts';
import { type ReadPage, readActivityPage, readTransferPage, type SkippedItem, UnreadablePage } from './read.ts';
import { type ActivityItem, type EndpointName, envelopeSchema, type TransferItem } from './schema.ts';

export type { ActivityFilters, TransferPaging } from './query.ts';

export interface CallOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal;
  /** Asked for leave to send each request; the client's own budget if left out. */
  readonly budget?: Pick<Budget, 'acquire'>;
}

/** One page, newest first. */
export interface VenuePage<Item> {
  readonly items: readonly Item[];
  /** Items that could not be read; logged and counted already. */
  readonly skipped: readonly SkippedItem[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  /** Local clock, epoch ms. */
  readonly receivedAtMs: number;
  /** The venue's clock when the page was received, epoch ms. */
  readonly venueNowMs: number;
  /** Between these it lies also if its `Date` was refused, for then it is not known which of the two clocks is wrong. */
  readonly earliestNowMs: number;
  readonly latestNowMs: number;
}

/**
 * The venue's two lists. Both calls wait for the budget, retry 5xx and network faults a bounded number of times, never a 429, and
 * @throws VenueError one of its kinds
 * @throws the signal's reason when it is aborted
 */
export interface VenueClient {
  activity(address: WalletAddress, filters: ActivityFilters, options: CallOptions): Promise<VenuePage<ActivityItem>>;
  transfers(address: WalletAddress, paging: TransferPaging, options: CallOptions): Promise<VenuePage<TransferItem>>;
  stats(): VenueStats;
  /** Ends requests in flight (they reject with `Unreachable`) and closes the connections. */
  close(): Promise<void>;
}

export interface VenueClientDeps {
  /** `{base_url}` of the interface; a path prefix and a trailing slash are fine. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly budget: Budget;
  readonly log: Logger;
  /** 0 ≤ random() < 1, for the jitter of retries. */
  readonly random: () => number;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** Defaults: connect 5,000, headers 10,000, pause within a body 10,000, one try 20,000, a person's call 12,000. */
  readonly timeouts?: Partial<VenueTimeouts>;
  /** Further tries after the first. Defaults: poller 2, person 1. */
  readonly retries?: Partial<Record<Priority, number>>;
  /** The poller does not ask again for the same before this has passed (POLL_MIN_SECONDS), ms. Default 0. */
  readonly pollMinMs?: number;
}

export interface VenueTimeouts extends HttpTimeouts {
  /** A person's whole call, with waits and retries. */
  readonly personMs: number;
}

/** Since the client was made. */
export interface VenueStats {
  readonly requests: number;
  readonly retries: number;
  readonly skippedItems: number;
}

const DEFAULT_TIMEOUTS: VenueTimeouts = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyMs: 10_000,
  tryMs: 20_000,
  personMs: 12_000,
};
const DEFAULT_RETRIES: Readonly<Record<Priority, number>> = { poller: 2, person: 1 };
const FIRST_RETRY_MS: Readonly<Record<Priority, number>> = { poller: 1_000, person: 500 };
const LONGEST_RETRY_MS = 15_000;
const VENUE_MESSAGE_MAX = 200;
/** Requests that are refused together end their pauses as little apart. */
const PAUSE_JITTER_MS = 1_000;
/** Of a long body only so much is searched for words, and then cut further. */
const VENUE_WORDS_READ = 10_000;
/** Pages with skipped items that were logged at warning level and are not repeated there at every poll. */
const SKIPS_REMEMBERED = 1_000;

/** The figures of an envelope that count: `code` and `message` only explain, so an odd one costs no page. */
const tolerantEnvelopeSchema = envelopeSchema.extend({
  code: envelopeSchema.shape.code.catch(''),
  message: envelopeSchema.shape.message.catch(''),
});

interface Call<Item> {
  readonly endpoint: EndpointName;
  readonly address: WalletAddress;
  readonly query: URLSearchParams;
  readonly limit: number | undefined;
  readonly read: (data: unknown, wallet: WalletAddress, limit?: number) => ReadPage<Item>;
  readonly options: CallOptions;
}

/** @throws TypeError a base URL or a key that cannot be used; the key itself is not shown */
export function createVenueClient(deps: VenueClientDeps): VenueClient {
  const { budget, log, random, nowMs, pollMinMs = 0 } = deps;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...deps.timeouts };
  // Where it has to wait for long, the schedule does so.
  const pollRetries = pollMinMs > LONGEST_RETRY_MS ? { poller: 0 } : {};
  const retries = { ...DEFAULT_RETRIES, ...pollRetries, ...deps.retries };
  const transport: HttpTransport = createHttpTransport({ baseUrl: deps.baseUrl, apiKey: deps.apiKey, timeouts });
  const closing = new AbortController();
  // One a request that waits for the budget or for an answer.
  setMaxListeners(0, closing.signal);
  const stats = { requests: 0, retries: 0, skippedItems: 0 };
  const loggedSkips = new LRUCache<string, true>({ max: SKIPS_REMEMBERED });
  /** End of the pause that was logged last, epoch ms; null when none is under way. */
  let loggedPauseMs: number | null = null;
  let isClockRefused = false;

  const redact = createRedactor([deps.apiKey], '[key]');

  const call = async <Item>(request: Call<Item>): Promise<VenuePage<Item>> => {
    const { signal, priority } = request.options;
    const attempt = `Reading ${request.endpoint} of ${request.address}`;
    const stop = new AbortController();
    const onAbort = () => stop.abort(signal?.reason);
    const onClose = () => stop.abort(new TransportError('the client is closed', { isFinal: true }));
    const onDeadline = () =>
      stop.abort(new TransportError(`no answer within ${timeouts.personMs} ms`, { isFinal: true }));
    signal?.addEventListener('abort', onAbort, { once: true });
    closing.signal.addEventListener('abort', onClose, { once: true });
    const deadline = priority === 'person' ? setTimeout(onDeadline, timeouts.personMs) : undefined;
    try {
      if (signal?.aborted === true) onAbort();
      if (closing.signal.aborted) onClose();
      const answer = await answered(request, attempt, stop.signal);
      return page(request, attempt, answer);
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
      closing.signal.removeEventListener('abort', onClose);
    }
  };

  /** The first answer that is neither a network fault nor a 5xx. */
  const answered = async (request: Call<unknown>, attempt: string, signal: AbortSignal): Promise<HttpAnswer> => {
    const { priority } = request.options;
    let last: { readonly reason: string; readonly status: number | null; readonly cause: unknown } | null = null;
    for (let tries = 0; ; tries += 1) {
      try {
        if (tries > 0) await pause(retryDelayMs(priority, tries), signal);
        const answer = await once(request, signal);
        if (answer.status < 500) return answer;
        last = {
          reason: `the venue answered ${answer.status}${quoted(messageOf(answer, parseJson(answer.text)))}`,
          status: answer.status,
          cause: { status: answer.status },
        };
      } catch (error) {
        if (error instanceof BudgetExhausted && last === null) throw error;
        if (!(error instanceof TransportError) && !(error instanceof BudgetExhausted)) throw error;
        if (error instanceof TransportError && error.venue !== null) {
          throw new BadResponse(attempt, error.message, { status: error.venue.status, venueMessage: null }, error);
        }
        const isFinal = error instanceof BudgetExhausted || error.isFinal;
        if (!isFinal || last === null) last = { reason: error.message, status: null, cause: error };
        if (isFinal) throw unreachable(attempt, last, tries);
      }
      if (tries >= retries[priority]) throw unreachable(attempt, last, tries + 1);
      stats.retries += 1;
      log.debug(
        {
          event: 'venue.retry',
          endpoint: request.endpoint,
          wallet: request.address,
          tries: tries + 1,
          reason: last.reason,
        },
        'the venue is asked again',
      );
    }
  };

  const once = async (request: Call<unknown>, signal: AbortSignal): Promise<HttpAnswer> => {
    const permit: Permit = await (request.options.budget ?? budget).acquire(request.options.priority, signal);
    if (signal.aborted) {
      permit.release();
      throw signal.reason;
    }
    stats.requests += 1;
    try {
      return await transport.get(
        `/v1/trader/${request.address}/${request.endpoint}${request.query.size > 0 ? `?${request.query}` : ''}`,
        signal,
        (facts) => {
          permit.settle(facts);
          notePause(request.endpoint, facts.status);
        },
      );
    } finally {
      permit.settle(null);
    }
  };

  /** Says once that requests are held back, again if it lasts longer than was said, and when they go on. */
  const notePause = (endpoint: EndpointName, status: number) => {
    const { pause } = budget.snapshot();
    if (pause === null) {
      if (loggedPauseMs !== null) log.info({ event: 'venue.rate_limit_over', endpoint });
      loggedPauseMs = null;
      return;
    }
    if (loggedPauseMs !== null && pause.untilMs <= loggedPauseMs + PAUSE_JITTER_MS) return;
    loggedPauseMs = pause.untilMs;
    log.warn(
      { event: 'venue.rate_limited', endpoint, status, pauseMs: Math.max(0, pause.untilMs - nowMs()) },
      'the rate limit is used up; the venue is asked again after the pause',
    );
  };

  const page = <Item>(request: Call<Item>, attempt: string, answer: HttpAnswer): VenuePage<Item> => {
    const json = parseJson(answer.text);
    const venue = { status: answer.status, venueMessage: messageOf(answer, json) };
    if (answer.status === 401) throw new Unauthorized(attempt, venue);
    if (answer.status === 403) throw new NotInPlan(attempt, venue, request.endpoint);
    if (answer.status === 429)
      throw new RateLimited(attempt, venue, budget.snapshot().blockedUntilMs ?? nowMs() + 1_000);
    if (answer.status !== 200) throw new BadResponse(attempt, 'an answer that the interface does not describe', venue);
    if (json === undefined) {
      throw new BadResponse(attempt, `the body is not JSON (${answer.contentType ?? 'no content type'})`, venue);
    }
    const envelope = tolerantEnvelopeSchema.safeParse(json);
    if (!envelope.success) throw new BadResponse(attempt, 'the body has no envelope with "success" and "data"', venue);
    if (!envelope.data.success) throw new BadResponse(attempt, 'the venue says that the request failed', venue);
    const read = readOrFail(request, attempt, envelope.data.data, venue);
    noteSkipped(request, read.skipped);
    const receivedAtMs = nowMs();
    return { ...read, receivedAtMs, ...venueTime() };
  };

  const venueTime = () => {
    const venueNowMs = budget.venueNowMs();
    const reportedMs = budget.skewKnown ? null : budget.reportedNowMs();
    const isRefused = reportedMs !== null;
    if (isRefused !== isClockRefused) {
      isClockRefused = isRefused;
      const skewSeconds = Math.round((budget.snapshot().skewMs ?? 0) / 1000);
      if (isRefused) {
        log.error(
          { event: 'venue.clock_refused', skewSeconds },
          "the venue's clock and this machine's are more than a day apart: this machine's counts",
        );
      } else log.info({ event: 'venue.clock_accepted', skewSeconds });
    }
    const times = [venueNowMs, reportedMs ?? venueNowMs];
    return { venueNowMs, earliestNowMs: Math.min(...times), latestNowMs: Math.max(...times) };
  };

  const readOrFail = <Item>(
    request: Call<Item>,
    attempt: string,
    data: unknown,
    venue: { readonly status: number; readonly venueMessage: string | null },
  ): ReadPage<Item> => {
    try {
      return request.read(data, request.address, request.limit);
    } catch (error) {
      if (!(error instanceof UnreadablePage)) throw error;
      throw new BadResponse(attempt, redact(`"data" is no page: ${error.message}`), venue);
    }
  };

  const noteSkipped = (request: Call<unknown>, skipped: readonly SkippedItem[]) => {
    stats.skippedItems += skipped.length;
    const [first] = skipped;
    if (first === undefined) return;
    const { index, reason, txHash } = first;
    const key = `${request.endpoint} ${request.address} ${txHash ?? index} ${reason}`;
    const level = loggedSkips.has(key) ? 'debug' : 'warn';
    loggedSkips.set(key, true);
    log[level](
      {
        event: 'venue.items_skipped',
        endpoint: request.endpoint,
        wallet: request.address,
        items: skipped.length,
        index,
        txHash,
        reason: redact(reason),
      },
      'items of a page could not be read and were skipped; the reason is that of the first',
    );
  };

  /** The venue's own words: the envelope's message, or the start of a body that has no envelope. */
  const messageOf = (answer: HttpAnswer, json: unknown): string | null => {
    const envelope = tolerantEnvelopeSchema.safeParse(json);
    const texts = redact(envelope.success ? envelope.data.message : answer.status === 200 ? '' : answer.text)
      .slice(0, VENUE_WORDS_READ)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    if (texts === '') return null;
    return texts.length > VENUE_MESSAGE_MAX ? `${texts.slice(0, VENUE_MESSAGE_MAX)}…` : texts;
  };

  /** Exponential backoff with full jitter: anywhere between the least time and a bound that doubles. */
  const retryDelayMs = (priority: Priority, retry: number) =>
    (priority === 'poller' ? pollMinMs : 0) +
    random() * Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS[priority] * 2 ** (retry - 1));

  return {
    activity: (address, filters, options) =>
      call({
        endpoint: 'activity',
        address,
        query: activityQuery(filters),
        limit: filters.limit,
        read: readActivityPage,
        options,
      }),
    transfers: (address, paging, options) =>
      call({
        endpoint: 'deposits-withdrawals',
        address,
        query: pagingQuery(paging),
        limit: paging.limit,
        read: readTransferPage,
        options,
      }),
    stats: () => ({ ...stats }),
    async close() {
      closing.abort();
      await transport.close();
    },
  };
}

function unreachable(
  attempt: string,
  last: { readonly reason: string; readonly status: number | null; readonly cause: unknown },
  attempts: number,
): Unreachable {
  return new Unreachable(attempt, last.reason, {
    status: last.status,
    attempts: Math.max(1, attempts),
    cause: last.cause,
  });
}

function quoted(texts: string | null): string {
  return texts === null ? '' : ` "${texts}"`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body; the caller says what was expected instead.
    return undefined;
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
