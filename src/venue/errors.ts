import type { EndpointName } from './schema.ts';

export type VenueErrorKind =
  | 'unauthorized'
  | 'notInPlan'
  | 'rateLimited'
  | 'unreachable'
  | 'badResponse'
  | 'budgetExhausted';

/** Why a call to the venue brought nothing. `cause` is always set; neither the key nor a header is ever part of it. */
export abstract class VenueError extends Error {
  abstract readonly kind: VenueErrorKind;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}

/** What the venue answered when it refused: the status and its own words, cut to a sane length. */
export interface VenueAnswer {
  readonly status: number;
  /** The envelope's `message`, or the start of the body where there is no envelope; null if it was empty. */
  readonly venueMessage: string | null;
}

/** 401: the key is missing, malformed or revoked. Nothing will work until it is replaced. */
export class Unauthorized extends VenueError {
  readonly kind = 'unauthorized';
  readonly venueMessage: string | null;

  constructor(attempt: string, answer: VenueAnswer) {
    super(
      `${attempt}: the venue refused the key (401${said(answer)}). Check VENUE_API_KEY; a lost or revoked key is replaced in the account's settings.`,
      answer,
    );
    this.venueMessage = answer.venueMessage;
  }
}

/** 403: the key is good, but its plan does not include this endpoint. The other endpoint may still work. */
export class NotInPlan extends VenueError {
  readonly kind = 'notInPlan';
  readonly endpoint: EndpointName;
  readonly venueMessage: string | null;

  constructor(attempt: string, answer: VenueAnswer, endpoint: EndpointName) {
    super(
      `${attempt}: the key's plan does not include the endpoint "${endpoint}" (403${said(answer)}). Use a plan that covers it.`,
      answer,
    );
    this.endpoint = endpoint;
    this.venueMessage = answer.venueMessage;
  }
}

/** 429: the key's window is used up. The budget has taken note already and holds requests back until `retryAtMs`. */
export class RateLimited extends VenueError {
  readonly kind = 'rateLimited';
  /** Local clock, epoch ms: when the budget sends again. */
  readonly retryAtMs: number;

  constructor(attempt: string, answer: VenueAnswer, retryAtMs: number) {
    super(
      `${attempt}: the venue's rate limit is used up (429${said(answer)}). Requests go on at ${isoTime(retryAtMs)}; if this repeats, lower BUDGET_SHARE or ask whether another program uses the key.`,
      answer,
    );
    this.retryAtMs = retryAtMs;
  }
}

/** The venue could not be reached or kept failing: network faults, time-outs and 5xx, after the retries. */
export class Unreachable extends VenueError {
  readonly kind = 'unreachable';
  /** The last 5xx status; null when no answer came. */
  readonly status: number | null;
  readonly attempts: number;

  constructor(attempt: string, reason: string, context: { status: number | null; attempts: number; cause: unknown }) {
    super(
      `${attempt}: ${reason}, after ${context.attempts} ${context.attempts === 1 ? 'try' : 'tries'}. It is tried again later; if it stays so, check VENUE_BASE_URL and the network.`,
      context.cause,
    );
    this.status = context.status;
    this.attempts = context.attempts;
  }
}

/** An answer that the interface does not describe: no envelope, no data, no JSON, too large, an unexpected status. */
export class BadResponse extends VenueError {
  readonly kind = 'badResponse';
  readonly status: number;
  readonly venueMessage: string | null;

  constructor(attempt: string, reason: string, answer: VenueAnswer, cause: unknown = answer) {
    super(`${attempt}: ${reason} (status ${answer.status}${said(answer)}). ${adviceFor(answer.status)}`, cause);
    this.status = answer.status;
    this.venueMessage = answer.venueMessage;
  }
}

/** A waiting person could not be given a request in time: the budget is used up for now. Nothing was sent. */
export class BudgetExhausted extends VenueError {
  readonly kind = 'budgetExhausted';
  /** Local clock, epoch ms: when there is budget again, as far as known. */
  readonly resetAtMs: number | null;

  constructor(reason: string, resetAtMs: number | null) {
    const when = resetAtMs === null ? 'Try again in a minute' : `Try again after ${isoTime(resetAtMs)}`;
    super(`No request could be sent in time: ${reason}. ${when}.`, { reason, resetAtMs });
    this.resetAtMs = resetAtMs;
  }
}

function adviceFor(status: number): string {
  if (status === 404) return 'Check VENUE_BASE_URL: it is the address of the venue API, without /v1.';
  if (status === 400 || status === 422) return 'Check the address and the filters of the request.';
  if (status >= 300 && status < 400) return 'Redirects are not followed: set VENUE_BASE_URL to the final address.';
  return 'Check that VENUE_BASE_URL is the address of the venue API itself and not of a proxy or web page.';
}

function said(answer: VenueAnswer): string {
  return answer.venueMessage === null ? '' : `, "${answer.venueMessage}"`;
}

/** ISO time; a time beyond what a Date can hold is cut to the last one that it can. */
function isoTime(epochMs: number): string {
  return new Date(Math.min(epochMs, 8.64e15)).toISOString();
}
