import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import {
  type CallOf,
  ENDPOINT_NAMES,
  ENDPOINTS,
  type EndpointName,
  type RecordOf,
} from '../domain/records.ts';
import { createSignals } from '../lib/async/signals.ts';
import type { Account } from '../lib/fair-shares/account.ts';
import type { Machine } from '../lib/machine.ts';
import { parseJson } from '../lib/text/json.ts';
import { answeredError, BudgetExhausted, unansweredError, type VenueCall } from './errors.ts';
import {
  createHttpTransport,
  HTTP_TIMEOUTS,
  type HttpAnswer,
  TransportError,
} from './http-transport.ts';
import { createIncidentLog } from './incident-log.ts';
import { createProxyLookup, PROXY_LIMIT_MS } from './proxy-lookup.ts';
import type { Budget, Permit, Priority } from './rate-limit/budget.ts';
import { hasRateHeaders, listingDelaySeconds } from './rate-limit/headers.ts';
import { PAGE_READERS, UnreadablePage, type VenuePage } from './read.ts';
import { createVenueWords, tolerantEnvelopeSchema, type VenueWords } from './words.ts';

/**
 * Filters of the activity endpoint; all optional, combinable. They are named like the endpoint's
 * parameters, with the unit added to a time.
 */
export const activityFiltersSchema = z.object({
  /** Records per page; the venue's default is 50, its maximum 100. */
  limit: z.int().min(1).max(100).exactOptional(),
  /** `nextCursor` of the previous page; omit it for the newest page. */
  cursor: z.string().max(4_000).exactOptional(),
  marketIds: z.array(z.string().max(500)).max(100).readonly().exactOptional(),
  txHash: z.string().max(200).exactOptional(),
  fromBlock: z.int().min(0).exactOptional(),
  toBlock: z.int().min(0).exactOptional(),
  /** Unix seconds, inclusive. */
  fromTimestampSeconds: z.number().exactOptional(),
  /** Unix seconds, inclusive. */
  toTimestampSeconds: z.number().exactOptional(),
});
export type ActivityFilters = Readonly<z.infer<typeof activityFiltersSchema>>;

/** Filters that each endpoint accepts. */
interface Filters {
  activity: ActivityFilters;
  'deposits-withdrawals': Pick<ActivityFilters, 'cursor' | 'limit'>;
}

export interface CallOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal;
  /** Budget that grants each request; default: the client's own budget. */
  readonly budget?: Pick<Budget, 'acquire'>;
  /** Account of the people asking; omitted where it does not matter. */
  readonly account?: Account;
  /**
   * Time limit of the whole call with its waits and retries, in ms. Default: `personMs`; a poll has
   * no limit.
   */
  readonly withinMs?: number;
}

/** Reads a page of one endpoint. */
export type Lookup<Name extends EndpointName> = (
  wallet: WalletAddress,
  filters: Filters[Name],
  options: CallOptions,
) => Promise<VenuePage<RecordOf<Name>>>;

/** Calls that read pages for people's lookups, one per endpoint. */
export type Lookups = { readonly [Name in EndpointName as CallOf<Name>]: Lookup<Name> };

/** Creates the call of each endpoint. */
export function lookupsBy(make: <Name extends EndpointName>(name: Name) => Lookup<Name>): Lookups {
  const calls = ENDPOINT_NAMES.map((name) => [ENDPOINTS[name].call, make(name)]);
  return Object.fromEntries(calls) as Lookups;
}

/** Returns the call of one endpoint. */
export function lookupOf<Name extends EndpointName>(lookups: Lookups, name: Name): Lookup<Name> {
  const calls: Readonly<Record<string, unknown>> = lookups;
  return calls[ENDPOINTS[name].call] as Lookup<Name>;
}

/** A path below a wallet: one of its lists, or its proxy address. */
interface Asked {
  readonly wallet: WalletAddress;
  readonly endpoint: EndpointName | 'proxy';
}

/** A response with any status except 5xx. */
interface Answered {
  readonly answer: HttpAnswer;
  readonly permit: Permit;
  /**
   * True if the response has the venue's rate-limit headers, as all of the venue's responses do.
   */
  readonly isVenues: boolean;
  readonly listingDelaySeconds: number;
}

/** A response with status 200, not parsed yet. */
export interface UnreadPage<Item> {
  /** Delay of the venue's lists in seconds, as the venue states it; 0 if it states none. */
  readonly listingDelaySeconds: number;
  /** The venue's clock when the response was received, in epoch ms. */
  readonly venueNowMs: number;
  /**
   * Bounds of the venue's time. If its `Date` was rejected, it is unknown which of the two clocks
   * is wrong; the bounds then cover both.
   */
  readonly earliestNowMs: number;
  readonly latestNowMs: number;
  /** Returns a hash of the body's bytes. */
  hash(): string;
  /** @throws VenueError if it is not a page */
  read(): VenuePage<Item>;
}

/** Time limit of a person's or a background call with its waits and retries, in ms. */
export const USUAL_CALL_LIMIT_MS = 12_000;
const DEFAULT_TIMEOUTS = { ...HTTP_TIMEOUTS, personMs: USUAL_CALL_LIMIT_MS };
const DEFAULT_RETRIES: Readonly<Record<Priority, number>> = { poller: 2, person: 1, background: 0 };
const FIRST_RETRY_MS: Readonly<Record<Priority, number>> = {
  poller: 1_000,
  person: 500,
  background: 500,
};
const LONGEST_RETRY_MS = 15_000;

/** An envelope with `success: false`: the venue's response to a key that it rejects. */
const refusalSchema = tolerantEnvelopeSchema.extend({ success: z.literal(false) });

interface VenueClientDeps {
  /** `{base_url}` of the interface; a path prefix and a trailing slash are fine. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly budget: Budget;
  readonly timeouts?: Partial<typeof DEFAULT_TIMEOUTS>;
  /** Retries after the first attempt. */
  readonly retries?: Partial<Record<Priority, number>>;
  /** Minimum delay before the poller repeats a request, in ms. Default 0. */
  readonly pollMinMs?: number;
}

export type VenueClient = ReturnType<typeof createVenueClient>;

/**
 * Creates the client of the venue's two lists. Calls wait for the budget, retry 5xx and network
 * faults a limited number of times, never retry a 429, and throw a `VenueError`, or the signal's
 * reason if it is aborted.
 */
export function createVenueClient(machine: Machine, deps: VenueClientDeps) {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...deps.timeouts };
  /** Signals of the calls that wait for the budget or for a response. */
  const signals = createSignals();
  let closed: TransportError | null = null;
  const stats = { requests: 0, retries: 0, skippedItems: 0 };
  const incidents = createIncidentLog(machine, deps.budget);
  const words = createVenueWords(deps.apiKey);
  const transport = createHttpTransport(deps.baseUrl, deps.apiKey, timeouts);
  const parts = { ...deps, transport, stats, incidents, words };
  const asking = createAsking(machine, parts);
  const reader = createPageReader(machine, parts);

  /** Runs a call. It is aborted by the client's close, the caller's signal or its time limit. */
  const within = <Result>(
    { priority, withinMs, signal }: CallOptions,
    call: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const usualMs = priority === 'poller' ? null : timeouts.personMs;
    const limitMs = withinMs ?? usualMs;
    return signals.run(async (ending) => {
      const onAbort = () => ending.abort(signal?.reason);
      const onLimit = () =>
        ending.abort(new TransportError(`no answer within ${limitMs} ms`, { isFinal: true }));
      const timer = limitMs === null ? undefined : setTimeout(onLimit, limitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      if (closed !== null) ending.abort(closed);
      try {
        return await call(ending.signal);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    });
  };

  /** Returns a page whose bytes can be compared before it is parsed. */
  const unread = <Name extends EndpointName>(
    name: Name,
    wallet: WalletAddress,
    filters: Filters[Name],
    options: CallOptions,
  ): Promise<UnreadPage<RecordOf<Name>>> =>
    within(options, async (signal) => {
      const asked = { endpoint: name, wallet };
      const answered = await asking.answerTo(asked, queryOf(filters), options, signal);
      return reader.unreadPage(asked, answered, (data) =>
        PAGE_READERS[name](data, wallet, filters.limit),
      );
    });

  const lookups = lookupsBy((name) => async (wallet, filters, options) => {
    const page = await unread(name, wallet, filters, options);
    return page.read();
  });

  const proxyOf = createProxyLookup(machine, (wallet, call) => {
    const options = { ...call, priority: 'person', withinMs: PROXY_LIMIT_MS } as const;
    const asked = { wallet, endpoint: 'proxy' } as const;
    return within(options, (signal) => asking.requestOnce(asked, '', options, signal));
  });

  return {
    ...lookups,
    unread,
    proxyOf,
    /** Counts since the client was created. */
    stats: () => ({ ...stats }),
    /** Aborts requests in flight (they reject with a `VenueError`) and closes the connections. */
    async close(): Promise<void> {
      closed = new TransportError('the client is closed', { isFinal: true });
      signals.abort(closed);
      await transport.close();
    },
  };
}

interface CallParts extends VenueClientDeps {
  readonly stats: { requests: number; retries: number; skippedItems: number };
  readonly incidents: ReturnType<typeof createIncidentLog>;
  readonly words: VenueWords;
  readonly transport: ReturnType<typeof createHttpTransport>;
}

/**
 * Creates the sender of requests. Each one waits for the budget; failed ones are retried where that
 * may help.
 */
function createAsking({ log, random, sleep }: Machine, deps: CallParts) {
  const { budget, stats, incidents, words, transport, pollMinMs = 0 } = deps;
  // If the delay is long, the poller's schedule does the waiting instead.
  const pollRetries = pollMinMs > LONGEST_RETRY_MS ? { poller: 0 } : {};
  const retries = { ...DEFAULT_RETRIES, ...pollRetries, ...deps.retries };

  /**
   * Waits before a retry, not before the first attempt. Exponential backoff with full jitter:
   * between the minimum delay and a bound that doubles.
   */
  const pauseBefore = async (attempt: number, priority: Priority, signal: AbortSignal) => {
    if (attempt === 1) return;
    const boundMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS[priority] * 2 ** (attempt - 2));
    await sleep((priority === 'poller' ? pollMinMs : 0) + random() * boundMs, signal);
    signal.throwIfAborted();
  };

  /** @throws TransportError also for a 5xx */
  const requestOnce = async (
    asked: Asked,
    query: string,
    options: CallOptions,
    signal: AbortSignal,
  ): Promise<Answered> => {
    const { priority, account } = options;
    const permit = await (options.budget ?? budget).acquire(priority, signal, account);
    try {
      signal.throwIfAborted();
      stats.requests += 1;
      let isVenues = false;
      let delaySeconds = 0;
      const answer = await transport.get(
        `/v1/trader/${asked.wallet}/${asked.endpoint}${query}`,
        signal,
        (facts) => {
          isVenues = hasRateHeaders(facts.headers);
          delaySeconds = listingDelaySeconds(facts.headers);
          permit.complete(facts);
          incidents.pause(asked, facts.status);
        },
      );
      if (answer.status < 500) {
        return { answer, permit, isVenues, listingDelaySeconds: delaySeconds };
      }
      const message = words.messageOf(answer, parseJson(answer.text()));
      const quoted = message === null ? '' : ` "${message}"`;
      throw new TransportError(`the venue answered ${answer.status}${quoted}`);
    } finally {
      permit.complete(null);
    }
  };

  return {
    requestOnce,
    /** Waits for the first response that is neither a network fault nor a 5xx. */
    async answerTo(
      asked: VenueCall,
      query: string,
      options: CallOptions,
      signal: AbortSignal,
    ): Promise<Answered> {
      const { priority } = options;
      let last: TransportError | undefined;
      for (let attempts = 1; ; attempts += 1) {
        try {
          await pauseBefore(attempts, priority, signal);
          return await requestOnce(asked, query, options, signal);
        } catch (error) {
          if (!(error instanceof TransportError || error instanceof BudgetExhausted)) throw error;
          // The previous failure explains more than the fact that time or budget has run out since.
          if (error.isFinal) throw unansweredError(asked, last ?? error, Math.max(1, attempts - 1));
          if (attempts > retries[priority]) throw unansweredError(asked, error, attempts);
          last = error;
          stats.retries += 1;
          const { message: reason } = error;
          log.debug(
            { event: 'venue.retry', ...asked, tries: attempts, reason },
            'the venue is asked again',
          );
        }
      }
    },
  };
}

/** Creates the reader that turns responses into pages. */
function createPageReader({ nowMs }: Machine, { budget, stats, incidents, words }: CallParts) {
  const readPage = <Item>(
    asked: VenueCall,
    answer: HttpAnswer,
    isVenues: boolean,
    read: (data: unknown) => VenuePage<Item>,
  ) => {
    const json = parseJson(answer.text());
    const { status } = answer;
    const bad = (reason: string) => {
      const venueMessage = words.messageOf(answer, json);
      return answeredError(asked, { status, venueMessage, reason, isVenues });
    };
    if (answer.fault !== null) throw bad(answer.fault);
    if (json === undefined) {
      throw bad(`the body is not JSON (${answer.contentType ?? 'no content type'})`);
    }
    const envelope = tolerantEnvelopeSchema.safeParse(json);
    if (!envelope.success) throw bad('the body has no envelope with "success" and "data"');
    if (!envelope.data.success) throw bad('the venue says that the request failed');
    try {
      const page = read(envelope.data.data);
      stats.skippedItems += page.skipped.length;
      const skipped = page.skipped.map((item) => ({ ...item, reason: words.redact(item.reason) }));
      incidents.skipped(asked, skipped);
      return page;
    } catch (error) {
      if (!(error instanceof UnreadablePage)) throw error;
      throw bad(words.redact(`"data" is no page: ${error.message}`));
    }
  };

  /**
   * Returns the time until which requests are held back after a response with this status, in epoch
   * ms.
   */
  const retryAtMsAfter = (status: number): number | null => {
    if (status !== 429) return null;
    return budget.snapshot().blockedUntilMs ?? nowMs() + 1_000;
  };

  return {
    unreadPage<Item>(
      asked: VenueCall,
      { answer, permit, isVenues, listingDelaySeconds: delaySeconds }: Answered,
      readData: (data: unknown) => VenuePage<Item>,
    ): UnreadPage<Item> {
      const { status, fault } = answer;
      if (fault !== null) {
        throw answeredError(asked, { status, venueMessage: null, reason: fault, isVenues });
      }
      if (status !== 200) {
        const json = parseJson(answer.text());
        const venueMessage = words.messageOf(answer, json);
        const retryAtMs = retryAtMsAfter(status);
        const isRefusal = isVenues || refusalSchema.safeParse(json).success;
        throw answeredError(asked, { status, venueMessage, retryAtMs, isVenues, isRefusal });
      }
      const read = () => readPage(asked, answer, isVenues, readData);
      let page: VenuePage<Item> | undefined;
      if (!isVenues) {
        // Only a page proves that the response came from the venue.
        page = read();
        permit.trust();
      }
      const venueNowMs = budget.venueNowMs();
      const reportedMs = budget.skewKnown() ? null : budget.reportedNowMs();
      incidents.clock(reportedMs !== null);
      const times = [venueNowMs, reportedMs ?? venueNowMs];
      return {
        listingDelaySeconds: delaySeconds,
        venueNowMs,
        earliestNowMs: Math.min(...times),
        latestNowMs: Math.max(...times),
        hash: answer.hash,
        read: () => page ?? read(),
      };
    },
  };
}

/** Returns the query of a path, with its question mark; empty if there are no filters. */
function queryOf(filters: ActivityFilters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    for (const each of [value].flat()) query.append(name.replace(/Seconds$/, ''), String(each));
  }
  if (query.size === 0) return '';
  return `?${query}`;
}
