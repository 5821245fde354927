import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { WalletAddress } from '../domain/address.ts';
import { type ActivityItem, envelopeSchema, type TransferItem } from '../domain/records.ts';
import { createRedactor } from '../lib/log/redact.ts';
import { BudgetExhausted, type VenueCall, VenueCallError, type VenueResponse, VenueResponseError } from './errors.ts';
import {
  createHttpTransport,
  type HttpAnswer,
  type HttpTimeouts,
  type HttpTransport,
  TransportError,
} from './http-transport.ts';
import { createIncidentLog } from './incident-log.ts';
import { type ActivityFilters, activityQuery, pagingQuery, type TransferPaging } from './query.ts';
import type { Budget, Permit, Priority } from './rate-limit/budget.ts';
import { type ReadPage, readActivityPage, readTransferPage, type SkippedItem, UnreadablePage } from './read.ts';

export type { ActivityFilters } from './query.ts';

export interface CallOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal;
  /** Asked for leave to send each request; the client's own budget if left out. */
  readonly budget?: Pick<Budget, 'acquire'>;
  /** The server whose people ask; left out for the poller. */
  readonly guildId?: string;
  /** The whole call, with waits and retries, is given up after so long, ms. Default: `personMs`; a poll has no limit. */
  readonly withinMs?: number;
}

/** When a page was shown. */
interface PageTimes {
  /** Local clock, epoch ms. */
  readonly receivedAtMs: number;
  /** The venue's clock when the page was received, epoch ms. */
  readonly venueNowMs: number;
  /** Between these it lies also if its `Date` was refused, for then it is not known which of the two clocks is wrong. */
  readonly earliestNowMs: number;
  readonly latestNowMs: number;
}

/** One page, newest first. */
export interface VenuePage<Item> extends PageTimes {
  readonly items: readonly Item[];
  /** Items that could not be read; logged and counted already. */
  readonly skipped: readonly SkippedItem[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** An answer with status 200. */
export interface UnreadPage<Item> extends PageTimes {
  /** Of its bytes. */
  hash(): string;
  /** @throws VenueResponseError it is no page */
  read(): VenuePage<Item>;
}

/**
 * The venue's two lists. Both calls wait for the budget, retry 5xx and network faults a bounded number of times, never a 429, and
 * @throws VenueResponseError the venue answered, but not with a page
 * @throws VenueCallError the call brought no answer of the venue
 * @throws the signal's reason when it is aborted
 */
export interface VenueClient {
  activity(...call: ActivityCall): Promise<VenuePage<ActivityItem>>;
  transfers(...call: TransferCall): Promise<VenuePage<TransferItem>>;
  /** For who may know the page already. */
  readonly unread: {
    activity(...call: ActivityCall): Promise<UnreadPage<ActivityItem>>;
    transfers(...call: TransferCall): Promise<UnreadPage<TransferItem>>;
  };
  stats(): VenueStats;
  /** Ends requests in flight (they reject with `VenueCallError`) and closes the connections. */
  close(): Promise<void>;
}

type ActivityCall = [address: WalletAddress, filters: ActivityFilters, options: CallOptions];
type TransferCall = [address: WalletAddress, paging: TransferPaging, options: CallOptions];

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
  /** Defaults: connect 5,000, headers 10,000, pause within a body 10,000, one try 20,000, a person's and a background call 12,000. */
  readonly timeouts?: Partial<VenueTimeouts>;
  /** Further tries after the first. Defaults: poller 2, person 1, background 0. */
  readonly retries?: Partial<Record<Priority, number>>;
  /** The poller does not ask again for the same before this has passed (POLL_MIN_SECONDS), ms. Default 0. */
  readonly pollMinMs?: number;
}

export interface VenueTimeouts extends HttpTimeouts {
  /** A person's or a background call as a whole, with waits and retries. */
  readonly personMs: number;
}

/** Since the client was made. */
export interface VenueStats {
  readonly requests: number;
  readonly retries: number;
  readonly skippedItems: number;
}

/** How long a person waits for a page, and a background call: ms. */
export const USUAL_CALL_LIMIT_MS = 12_000;
const DEFAULT_TIMEOUTS: VenueTimeouts = {
  connectMs: 5_000,
  headersMs: 10_000,
  bodyMs: 10_000,
  tryMs: 20_000,
  personMs: USUAL_CALL_LIMIT_MS,
};
const DEFAULT_RETRIES: Readonly<Record<Priority, number>> = { poller: 2, person: 1, background: 0 };
const FIRST_RETRY_MS: Readonly<Record<Priority, number>> = { poller: 1_000, person: 500, background: 500 };
const LONGEST_RETRY_MS = 15_000;
const VENUE_MESSAGE_MAX = 200;
/** Characters of a long body that are searched for words, before they are cut further. */
const VENUE_WORDS_READ = 10_000;

/** The figures of an envelope that count: `code` and `message` only explain, so an odd one costs no page. */
const tolerantEnvelopeSchema = envelopeSchema.extend({
  code: envelopeSchema.shape.code.catch(''),
  message: envelopeSchema.shape.message.catch(''),
});

interface Request<Item> {
  readonly call: VenueCall;
  readonly query: URLSearchParams;
  readonly limit: number | undefined;
  readonly read: (data: unknown, wallet: WalletAddress, limit?: number) => ReadPage<Item>;
  readonly options: CallOptions;
}

/** A try that brought nothing. */
interface Failure {
  readonly reason: string;
  /** A 5xx; null when no answer came. */
  readonly status: number | null;
  readonly cause: unknown;
  /** Asking again at once is no use. */
  readonly isFinal: boolean;
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
  const incidents = createIncidentLog({ log, budget, nowMs });
  const redact = createRedactor([deps.apiKey], '[key]');

  const send = async <Item>(request: Request<Item>): Promise<UnreadPage<Item>> => {
    const { signal, priority, withinMs } = request.options;
    const limitMs = withinMs ?? (priority === 'poller' ? null : timeouts.personMs);
    const stop = new AbortController();
    const onAbort = () => stop.abort(signal?.reason);
    const onClose = () => stop.abort(new TransportError('the client is closed', { isFinal: true }));
    const onDeadline = () => stop.abort(new TransportError(`no answer within ${limitMs} ms`, { isFinal: true }));
    signal?.addEventListener('abort', onAbort, { once: true });
    closing.signal.addEventListener('abort', onClose, { once: true });
    const deadline = limitMs === null ? undefined : setTimeout(onDeadline, limitMs);
    try {
      if (signal?.aborted === true) onAbort();
      if (closing.signal.aborted) onClose();
      return unreadPage(request, await answerTo(request, stop.signal));
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
      closing.signal.removeEventListener('abort', onClose);
    }
  };

  /** The first answer that is neither a network fault nor a 5xx. */
  const answerTo = async (request: Request<unknown>, signal: AbortSignal): Promise<HttpAnswer> => {
    const { call, options } = request;
    let last: Failure | null = null;
    for (let tries = 1; ; tries += 1) {
      const outcome = await tryOnce(request, tries, signal);
      if (!('reason' in outcome)) return outcome;
      if (outcome.isFinal) {
        // What failed before says more than that time, or the budget, ran out since.
        throw new VenueCallError(call, { ...(last ?? outcome), attempts: Math.max(1, tries - 1) });
      }
      if (tries > retries[options.priority]) throw new VenueCallError(call, { ...outcome, attempts: tries });
      last = outcome;
      stats.retries += 1;
      log.debug({ event: 'venue.retry', ...call, tries, reason: outcome.reason }, 'the venue is asked again');
    }
  };

  /** @param tries 1 for the first try; later ones wait before they are sent */
  const tryOnce = async (
    request: Request<unknown>,
    tries: number,
    signal: AbortSignal,
  ): Promise<HttpAnswer | Failure> => {
    try {
      if (tries > 1) await pause(retryDelayMs(request.options.priority, tries - 1), signal);
      const answer = await requestOnce(request, signal);
      return answer.status < 500 ? answer : serverFailure(answer);
    } catch (error) {
      return failureOf(request.call, error);
    }
  };

  const serverFailure = (answer: HttpAnswer): Failure => {
    const { status } = answer;
    const message = messageOf(answer, parseJson(answer.text()));
    const reason = `the venue answered ${status}${message === null ? '' : ` "${message}"`}`;
    return { reason, status, cause: { status }, isFinal: false };
  };

  const requestOnce = async (request: Request<unknown>, signal: AbortSignal): Promise<HttpAnswer> => {
    const { call, query, options } = request;
    const permit: Permit = await (options.budget ?? budget).acquire(options.priority, signal, options.guildId);
    if (signal.aborted) {
      permit.release();
      throw signal.reason;
    }
    stats.requests += 1;
    const path = `/v1/trader/${call.wallet}/${call.endpoint}${query.size > 0 ? `?${query}` : ''}`;
    try {
      return await transport.get(path, signal, (facts) => {
        permit.complete(facts);
        incidents.pause(call, facts.status);
      });
    } finally {
      permit.complete(null);
    }
  };

  const unreadPage = <Item>(request: Request<Item>, answer: HttpAnswer): UnreadPage<Item> => {
    const { call } = request;
    const { status } = answer;
    if (status !== 200) {
      const response = { status, venueMessage: messageOf(answer, parseJson(answer.text())) };
      const retryAtMs = () => budget.snapshot().blockedUntilMs ?? nowMs() + 1_000;
      throw new VenueResponseError(call, response, status === 429 ? { retryAtMs: retryAtMs() } : {});
    }
    const times = { receivedAtMs: nowMs(), ...venueTime() };
    return {
      ...times,
      hash: answer.hash,
      read: () => ({ ...readPage(request, answer), ...times }),
    };
  };

  const readPage = <Item>(request: Request<Item>, answer: HttpAnswer): ReadPage<Item> => {
    const { call } = request;
    const json = parseJson(answer.text());
    const response = { status: answer.status, venueMessage: messageOf(answer, json) };
    const bad = (reason: string) => new VenueResponseError(call, response, { reason });
    if (json === undefined) throw bad(`the body is not JSON (${answer.contentType ?? 'no content type'})`);
    const envelope = tolerantEnvelopeSchema.safeParse(json);
    if (!envelope.success) throw bad('the body has no envelope with "success" and "data"');
    if (!envelope.data.success) throw bad('the venue says that the request failed');
    const read = readData(request, envelope.data.data, response);
    stats.skippedItems += read.skipped.length;
    incidents.skipped(
      call,
      read.skipped.map((item) => ({ ...item, reason: redact(item.reason) })),
    );
    return read;
  };

  const venueTime = () => {
    const venueNowMs = budget.venueNowMs();
    const reportedMs = budget.skewKnown ? null : budget.reportedNowMs();
    incidents.clock(reportedMs !== null);
    const times = [venueNowMs, reportedMs ?? venueNowMs];
    return { venueNowMs, earliestNowMs: Math.min(...times), latestNowMs: Math.max(...times) };
  };

  const readData = <Item>(request: Request<Item>, data: unknown, response: VenueResponse): ReadPage<Item> => {
    try {
      return request.read(data, request.call.wallet, request.limit);
    } catch (error) {
      if (!(error instanceof UnreadablePage)) throw error;
      throw new VenueResponseError(request.call, response, { reason: redact(`"data" is no page: ${error.message}`) });
    }
  };

  /** The venue's own words: the envelope's message, or the start of a body that has no envelope. */
  const messageOf = (answer: HttpAnswer, json: unknown): string | null => {
    const envelope = tolerantEnvelopeSchema.safeParse(json);
    const texts = redact(envelope.success ? envelope.data.message : answer.status === 200 ? '' : answer.text())
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

  const unread: VenueClient['unread'] = {
    activity: (wallet, filters, options) =>
      send({
        call: { endpoint: 'activity', wallet },
        query: activityQuery(filters),
        limit: filters.limit,
        read: readActivityPage,
        options,
      }),
    transfers: (wallet, paging, options) =>
      send({
        call: { endpoint: 'deposits-withdrawals', wallet },
        query: pagingQuery(paging),
        limit: paging.limit,
        read: readTransferPage,
        options,
      }),
  };

  return {
    unread,
    activity: async (...call) => (await unread.activity(...call)).read(),
    transfers: async (...call) => (await unread.transfers(...call)).read(),
    stats: () => ({ ...stats }),
    async close() {
      closing.abort();
      await transport.close();
    },
  };
}

/** @throws what was thrown, if it is no failure of the network or the budget; VenueResponseError if what came is not worth reading */
function failureOf(call: VenueCall, error: unknown): Failure {
  if (error instanceof BudgetExhausted) return { reason: error.message, status: null, cause: error, isFinal: true };
  if (!(error instanceof TransportError)) throw error;
  const { message: reason, venue, isFinal } = error;
  if (venue === null) return { reason, status: null, cause: error, isFinal };
  throw new VenueResponseError(call, { ...venue, venueMessage: null }, { reason, cause: error });
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
