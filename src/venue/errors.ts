import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

/** What was asked for. */
export interface VenueCall {
  readonly endpoint: EndpointName;
  readonly wallet: WalletAddress;
}

/** What the venue answered instead of a page. */
export interface VenueResponse {
  readonly status: number;
  /** The envelope's `message`, or the start of the body where there is no envelope, cut to a sane length; null if it was empty. */
  readonly venueMessage: string | null;
}

export type VenueErrorKind = VenueResponseError['kind'] | VenueCallError['kind'];

/** Why a call to the venue brought no page. `cause` is always set; neither the key nor a header is ever part of it. */
export abstract class VenueError extends Error {
  abstract readonly kind: VenueErrorKind;
  /** Whether the venue was not asked at all, because the feed is a process of its own and away. */
  readonly isFeedAway: boolean = false;
  readonly call: VenueCall;
  /** Local clock, epoch ms: when requests go on, if it is a matter of the rate limit and known. */
  readonly retryAtMs: number | null;

  constructor(message: string, context: { call: VenueCall; cause: unknown; retryAtMs?: number | null }) {
    super(message, { cause: context.cause });
    this.name = new.target.name;
    this.call = context.call;
    this.retryAtMs = context.retryAtMs ?? null;
  }
}

/**
 * The venue answered, but not with a page:
 * - `unauthorized` (401): the key is missing, malformed or revoked. Nothing will work until it is replaced.
 * - `notInPlan` (403): the key is good, but its plan does not include this endpoint. The other endpoint may still work.
 * - `rateLimited` (429): the key's window is used up. The budget holds requests back until `retryAtMs`.
 * - `badResponse`: what the interface does not describe: no envelope, no data, no JSON, too large, an unexpected status.
 */
export class VenueResponseError extends VenueError {
  readonly kind: 'unauthorized' | 'notInPlan' | 'rateLimited' | 'badResponse';
  readonly status: number;
  readonly venueMessage: string | null;

  /** @param reason what is wrong with the answer, where its status does not say it */
  constructor(
    call: VenueCall,
    response: VenueResponse,
    context: { readonly reason?: string; readonly retryAtMs?: number; readonly cause?: unknown } = {},
  ) {
    const { reason, retryAtMs = null, cause = response } = context;
    const kind = reason === undefined ? (KINDS[response.status] ?? 'badResponse') : 'badResponse';
    super(`${attempt(call)}: ${explained(kind, call, response, reason, retryAtMs)}`, { call, cause, retryAtMs });
    this.kind = kind;
    this.status = response.status;
    this.venueMessage = response.venueMessage;
  }
}

/**
 * The call brought no answer of the venue:
 * - `unreachable`: network faults, time-outs and 5xx, after the retries.
 * - `budgetExhausted`: it could not be sent in time, because the rate limit is used up for now.
 */
export class VenueCallError extends VenueError {
  readonly kind: 'unreachable' | 'budgetExhausted';
  /** The last 5xx status; null when no answer came. */
  readonly status: number | null;
  /** Requests that were sent. */
  readonly attempts: number;

  constructor(
    call: VenueCall,
    failure: {
      readonly reason: string;
      readonly attempts: number;
      readonly status?: number | null;
      readonly cause: unknown;
    },
  ) {
    const { reason, attempts, status = null, cause } = failure;
    if (cause instanceof BudgetExhausted) super(cause.message, { call, cause, retryAtMs: cause.resetAtMs });
    else {
      const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`;
      const advice = 'It is tried again later; if it stays so, check VENUE_BASE_URL and the network.';
      super(`${attempt(call)}: ${reason}, after ${tries}. ${advice}`, { call, cause });
    }
    this.kind = cause instanceof BudgetExhausted ? 'budgetExhausted' : 'unreachable';
    this.status = status;
    this.attempts = attempts;
  }
}

/** The budget's refusal: a waiting person could not be given a request in time. Nothing was sent. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted';
  /** Local clock, epoch ms: when there is budget again, as far as known. */
  readonly resetAtMs: number | null;

  constructor(reason: string, resetAtMs: number | null) {
    const when = resetAtMs === null ? 'Try again in a minute' : `Try again after ${isoTime(resetAtMs)}`;
    super(`No request could be sent in time: ${reason}. ${when}.`);
    this.resetAtMs = resetAtMs;
  }
}

const KINDS: Readonly<Record<number, VenueResponseError['kind']>> = {
  401: 'unauthorized',
  403: 'notInPlan',
  429: 'rateLimited',
};

function attempt({ endpoint, wallet }: VenueCall): string {
  return `Reading ${endpoint} of ${wallet}`;
}

function explained(
  kind: VenueResponseError['kind'],
  { endpoint }: VenueCall,
  { status, venueMessage }: VenueResponse,
  reason = 'an answer that the interface does not describe',
  retryAtMs: number | null = null,
): string {
  const answer = `${status}${venueMessage === null ? '' : `, "${venueMessage}"`}`;
  switch (kind) {
    case 'unauthorized':
      return `the venue refused the key (${answer}). Check VENUE_API_KEY; a lost or revoked key is replaced in the account's settings.`;
    case 'notInPlan':
      return `the key's plan does not include the endpoint "${endpoint}" (${answer}). Use a plan that covers it.`;
    case 'rateLimited': {
      const when = retryAtMs === null ? 'after the pause' : `at ${isoTime(retryAtMs)}`;
      return `the venue's rate limit is used up (${answer}). Requests go on ${when}; if this repeats, lower BUDGET_SHARE or ask whether another program uses the key.`;
    }
    case 'badResponse':
      return `${reason} (status ${answer}). ${adviceFor(status)}`;
  }
}

function adviceFor(status: number): string {
  if (status === 404) return 'Check VENUE_BASE_URL: it is the address of the venue API, without /v1.';
  if (status === 400 || status === 422) return 'Check the address and the filters of the request.';
  if (status >= 300 && status < 400) return 'Redirects are not followed: set VENUE_BASE_URL to the final address.';
  return 'Check that VENUE_BASE_URL is the address of the venue API itself and not of a proxy or web page.';
}

/** ISO time; a time beyond what a Date can hold is cut to the last one that it can. */
function isoTime(epochMs: number): string {
  return new Date(Math.min(epochMs, 8.64e15)).toISOString();
}
