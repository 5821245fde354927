import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

export interface VenueCall {
  readonly endpoint: EndpointName;
  readonly wallet: WalletAddress;
}

/**
 * Why a call returned no page. With the last two kinds the venue sent no usable response at all.
 */
export const VENUE_ERROR_KINDS = [
  // The venue's own 401: the key is missing, malformed or revoked. Nothing will work until it is
  // replaced.
  'unauthorized',
  // The venue's own 403: the key is good, but its plan does not include this endpoint. The other
  // endpoint may still work.
  'notInPlan',
  // 429: the key's window is used up. The budget holds requests back until `retryAtMs`.
  'rateLimited',
  // A response that the interface does not describe: no envelope, no data, no JSON, too large, or
  // an unexpected status.
  'badResponse',
  // Network faults, time-outs and 5xx, after the retries.
  'unreachable',
  // The request could not be sent in time, because the rate limit is used up for now.
  'budgetExhausted',
] as const;
export type VenueErrorKind = (typeof VENUE_ERROR_KINDS)[number];

/**
 * Why a call to the venue returned no page. `cause` is always set; it never contains the key or a
 * header.
 */
export class VenueError extends Error {
  override readonly name = 'VenueError';
  readonly kind: VenueErrorKind;
  readonly call: VenueCall;
  /**
   * Time at which requests resume, in epoch ms of the local clock; null if unknown or if the rate
   * limit is not the reason.
   */
  readonly retryAtMs: number | null;
  /**
   * True if the response had rate-limit headers, as all of the venue's responses do and a proxy's
   * do not.
   */
  readonly isVenues: boolean;
  /** True if no request was sent because the feed, a process of its own, is away. */
  readonly isFeedAway: boolean;

  constructor(
    kind: VenueErrorKind,
    message: string,
    facts: {
      call: VenueCall;
      cause: unknown;
      retryAtMs?: number | null;
      isVenues?: boolean;
      isFeedAway?: boolean;
    },
  ) {
    super(message, { cause: facts.cause });
    this.kind = kind;
    this.call = facts.call;
    this.retryAtMs = facts.retryAtMs ?? null;
    this.isVenues = facts.isVenues ?? false;
    this.isFeedAway = facts.isFeedAway ?? false;
  }
}

const OF_WALLET = 'The venue itself answers so of this wallet; others are asked as before.';

const REFUSALS: Readonly<Record<number, 'unauthorized' | 'notInPlan' | 'rateLimited'>> = {
  401: 'unauthorized',
  403: 'notInPlan',
  429: 'rateLimited',
};

/** Fault of a 401 or 403 that may come from another program. */
const UNPROVED_REFUSAL =
  "a refusal without the venue's envelope and rate-limit headers: it may be that of a proxy or a firewall";

interface AnsweredFacts {
  readonly status: number;
  /**
   * The envelope's `message`, or the start of the body if it has no envelope, cut to a sane length;
   * null if it was empty.
   */
  readonly venueMessage: string | null;
  /** Fault of the response, if its status does not explain it. */
  readonly reason?: string;
  readonly retryAtMs?: number | null;
  /** See {@link VenueError}. */
  readonly isVenues?: boolean;
  /**
   * Whether the response has the venue's rate-limit headers or its envelope. Without either, a 401
   * or 403 may come from a proxy or a firewall and says nothing about the key. Default: true.
   */
  readonly isRefusal?: boolean;
}

/** Returns the error for a response that is not a page. */
export function answeredError(call: VenueCall, answered: AnsweredFacts): VenueError {
  const { status, venueMessage, retryAtMs = null, isVenues = false } = answered;
  const kind = kindOf(answered);
  const message = `Reading ${call.endpoint} of ${call.wallet}: ${explained(kind, call, answered)}`;
  return new VenueError(kind, message, {
    call,
    retryAtMs,
    isVenues,
    cause: { status, venueMessage },
  });
}

type AnsweredKind = 'unauthorized' | 'notInPlan' | 'rateLimited' | 'badResponse';

function kindOf({ status, reason, isRefusal = true }: AnsweredFacts): AnsweredKind {
  const kind = REFUSALS[status] ?? 'badResponse';
  if (reason !== undefined) return 'badResponse';
  // A pause is right no matter who asks for it.
  return isRefusal || kind === 'rateLimited' ? kind : 'badResponse';
}

function explained(kind: AnsweredKind, { endpoint }: VenueCall, answered: AnsweredFacts): string {
  const { status, venueMessage, reason, retryAtMs = null, isVenues = false } = answered;
  const quoted = venueMessage === null ? '' : `, "${venueMessage}"`;
  const answer = `${status}${quoted}`;
  switch (kind) {
    case 'unauthorized':
      return (
        `the venue refused the key (${answer}). ` +
        "Check VENUE_API_KEY; a lost or revoked key is replaced in the account's settings."
      );
    case 'notInPlan':
      return (
        `the key's plan does not include the endpoint "${endpoint}" (${answer}). ` +
        'Use a plan that covers it.'
      );
    case 'rateLimited': {
      const when = retryAtMs === null ? 'after the pause' : `at ${isoTime(retryAtMs)}`;
      return (
        `the venue's rate limit is used up (${answer}). Requests go on ${when}; ` +
        'if this repeats, lower BUDGET_SHARE or ask whether another program uses the key.'
      );
    }
    case 'badResponse': {
      const unexplained =
        status in REFUSALS ? UNPROVED_REFUSAL : 'an answer that the interface does not describe';
      const fault = reason ?? unexplained;
      const advice = isVenues && status === 404 ? OF_WALLET : adviceFor(status);
      return `${fault} (status ${answer}). ${advice}`;
    }
  }
}

/**
 * Returns the error for a call that got no response.
 *
 * @param attempts number of requests that were sent
 */
export function unansweredError(call: VenueCall, cause: Error, attempts: number): VenueError {
  if (cause instanceof BudgetExhausted) {
    return new VenueError('budgetExhausted', cause.message, {
      call,
      cause,
      retryAtMs: cause.resetAtMs,
    });
  }
  const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`;
  const advice = 'It is tried again later; if it stays so, check VENUE_BASE_URL and the network.';
  const reading = `Reading ${call.endpoint} of ${call.wallet}`;
  const message = `${reading}: ${cause.message}, after ${tries}. ${advice}`;
  return new VenueError('unreachable', message, { call, cause });
}

/** The budget's refusal of a person's request that could not be sent in time. Nothing was sent. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted';
  readonly isFinal = true;
  /** Time at which there is budget again, in epoch ms of the local clock; null if unknown. */
  readonly resetAtMs: number | null;

  constructor(resetAtMs: number | null) {
    const reason =
      resetAtMs === null
        ? 'the venue has not answered the requests before it yet. Try again in a minute.'
        : `the rate limit has none left for it. Try again after ${isoTime(resetAtMs)}.`;
    super(`No request could be sent in time: ${reason}`);
    this.resetAtMs = resetAtMs;
  }
}

function adviceFor(status: number): string {
  if (status === 404) {
    return 'Check VENUE_BASE_URL: it is the address of the venue API, without /v1.';
  }
  if (status === 400 || status === 422) return 'Check the address and the filters of the request.';
  if (status >= 300 && status < 400) {
    return 'Redirects are not followed: set VENUE_BASE_URL to the final address.';
  }
  return (
    'Check that VENUE_BASE_URL is the address of the venue API itself ' +
    'and not of a proxy or web page.'
  );
}

/** Returns the ISO time; a time beyond the range of Date becomes the last one in range. */
function isoTime(epochMs: number): string {
  return new Date(Math.min(epochMs, 8.64e15)).toISOString();
}
