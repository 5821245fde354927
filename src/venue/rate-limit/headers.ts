import { httpDateMs, retryAfterMs, singleHeader } from '../../lib/http-headers.ts';
import { DAY_MS } from '../../lib/time.ts';

/**
 * The parts of a response that the budget needs. Any status counts, including errors. Header names
 * are in lower case.
 */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export type RateReading = ReturnType<typeof readRateHeaders>;

/** Maximum plausible length of a window, in ms. */
export const LONGEST_WINDOW_MS = 40 * DAY_MS;
/**
 * Largest number read as seconds. A Unix time in seconds has ten digits until the year 2286; a
 * larger number is milliseconds.
 */
const LARGEST_SECONDS = 1e11;

/** Reads the rate-limit headers of a response; null for a header that is missing or implausible. */
export function readRateHeaders(headers: ResponseFacts['headers']) {
  const limit = wholeNumber(headers['x-ratelimit-limit']);
  const remaining = wholeNumber(headers['x-ratelimit-remaining']);
  const reset = wholeNumber(headers['x-ratelimit-reset']);
  const dateMs = httpDateMs(headers['date']);
  const waitMs = retryAfterMs(headers['retry-after'], dateMs);
  return {
    /** Requests per window, at least 1. */
    limit: limit !== null && limit >= 1 ? limit : null,
    /** Requests left, 0 … limit. */
    remaining: remaining !== null && (limit === null || remaining <= limit) ? remaining : null,
    /** Venue clock, in epoch ms. Not yet compared with the present time: see `plausibleReset`. */
    resetMs: reset === null ? null : toMs(reset),
    retryAfterMs: waitMs !== null && waitMs <= LONGEST_WINDOW_MS ? waitMs : null,
    /** The `Date` header, in epoch ms. */
    dateMs,
  };
}

/**
 * Returns the delay of the venue's lists in seconds, as the venue states it
 * (`X-Listing-Delay-Seconds`); 0 if the header is missing or implausible.
 */
export function listingDelaySeconds(headers: ResponseFacts['headers']): number {
  const seconds = wholeNumber(headers['x-listing-delay-seconds']);
  return seconds !== null && seconds * 1_000 <= LONGEST_WINDOW_MS ? seconds : 0;
}

/**
 * Whether a response has all rate-limit headers. By the interface, every response of the venue has
 * them.
 */
export function hasRateHeaders(headers: ResponseFacts['headers']): boolean {
  const { limit, remaining, resetMs } = readRateHeaders(headers);
  return limit !== null && remaining !== null && resetMs !== null;
}

/**
 * Whether a reset is plausible: at most 1.5 s ago (because of rounding) and at most 40 days ahead.
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

/** Converts a time to ms; some servers send milliseconds by mistake. */
function toMs(time: number): number {
  return time > LARGEST_SECONDS ? time : time * 1_000;
}
