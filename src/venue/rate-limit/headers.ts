import { httpDateMs, retryAfterMs, singleHeader } from '../../lib/http-headers.ts';
import { DAY_MS } from '../../lib/time.ts';

/**
 * Facts of a response that the budget needs: any status, errors included. Header names in lower
 * case.
 */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export type RateReading = ReturnType<typeof readRateHeaders>;

/** No window is longer, ms. */
export const LONGEST_WINDOW_MS = 40 * DAY_MS;
/**
 * A Unix time in seconds has ten digits until the year 2286; a number above this is milliseconds.
 */
const LARGEST_SECONDS = 1e11;

/**
 * Reads what a response says of the rate limit; null where a header is missing or cannot be meant.
 */
export function readRateHeaders(headers: ResponseFacts['headers']) {
  const limit = wholeNumber(headers['x-ratelimit-limit']);
  const remaining = wholeNumber(headers['x-ratelimit-remaining']);
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  const dateMs = httpDateMs(headers['date']);
  const waitMs = retryAfterMs(headers['retry-after'], dateMs);
  return {
    /** Requests per window, ≥ 1. */
    limit: limit !== null && limit >= 1 ? limit : null,
    /** Requests left, 0 … limit. */
    remaining: remaining !== null && (limit === null || remaining <= limit) ? remaining : null,
    /** Venue clock, epoch ms. Not yet compared with the present time: see `plausibleReset`. */
    resetMs: reset === null ? null : toMs(reset),
    retryAfterMs: waitMs !== null && waitMs <= LONGEST_WINDOW_MS ? waitMs : null,
    /** The `Date` header, epoch ms. */
    dateMs,
  };
}

/**
 * Returns the seconds by which the venue says its lists are late (`X-Listing-Delay-Seconds`). 0 where
 * it says nothing, or nothing that can be meant.
 */
export function listingDelaySeconds(headers: ResponseFacts['headers']): number {
  const seconds = wholeNumber(headers['x-listing-delay-seconds']);
  return seconds !== null && seconds * 1_000 <= LONGEST_WINDOW_MS ? seconds : 0;
}

/**
 * Tells whether a response says what is left of the rate limit: by the interface every one of the
 * venue does.
 */
export function hasRateHeaders(headers: ResponseFacts['headers']): boolean {
  const { limit, remaining, resetMs } = readRateHeaders(headers);
  return limit !== null && remaining !== null && resetMs !== null;
}

/**
 * Tells whether a reset can be meant: it may lie a second back by rounding, and 40 days ahead at
 * most.
 */
export function plausibleReset(resetMs: number | null, venueNowMs: number): boolean {
  const aheadMs = (resetMs ?? Number.NEGATIVE_INFINITY) - venueNowMs;
  return aheadMs > -1_500 && aheadMs <= LONGEST_WINDOW_MS;
}

function wholeNumber(value: string | readonly string[] | undefined): number | null {
  const text = singleHeader(value);
  if (text === null || !/^\d{1,16}(\.\d{1,9})?$/.test(text)) return null;
  return Math.floor(Number(text));
}

/** A time that may be given in milliseconds by mistake. */
function toMs(time: number): number {
  return time > LARGEST_SECONDS ? time : time * 1_000;
}
