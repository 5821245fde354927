import type { WalletAddress } from '../venue/address.ts';
import type { EndpointName } from '../venue/schema.ts';

/** One thing that can be polled: a wallet's activity or its deposits and withdrawals. */
export interface Endpoint {
  readonly wallet: WalletAddress;
  readonly name: EndpointName;
}

export interface ScheduleOptions {
  /** Items on a full page. Default 100. */
  readonly pageSize?: number;
  /** No endpoint is picked again before this has passed (POLL_MIN_SECONDS). Default 0. */
  readonly pollMinSeconds?: number;
}

/** What a poll brought, as far as the schedule cares. */
export interface PollReport {
  /** Venue clock, seconds (fractions allowed): when the response was made. */
  readonly atSeconds: number;
  /** Times of the items that are new since the poll before, seconds, any order. */
  readonly freshTimesSeconds: readonly number[];
  /** Times of all items on the page, seconds, newest first: the only evidence on an endpoint's first poll. */
  readonly pageTimesSeconds: readonly number[];
}

/** What the schedule has learned of one endpoint: kept in the wallet's document, so that it survives a restart. */
export type Learned = readonly number[];

/** What it has learned of all endpoints together: one small JSON document, about three kilobytes. */
export type SharedLearning = Readonly<Record<string, readonly number[]>>;

/** Decides which endpoints to poll next. Keeps no clock and does no I/O. */
export interface Schedule {
  /** Begins to serve an endpoint. Adding one that is there already changes nothing. */
  add(endpoint: Endpoint, learned?: Learned): void;
  /** Forgets both endpoints of a wallet at once. */
  remove(wallet: WalletAddress): void;
  /** Turns all endpoints of this name off or on again (403: the plan does not include it). Off endpoints are never picked. */
  setAvailable(name: EndpointName, available: boolean): void;
  /**
   * Holds both endpoints of a wallet, or does so no longer: all others go before them that have not been picked within a twentieth of a
   * fair round (as many picks as there are endpoints). A wallet that is added is not held.
   */
  setHeld(wallet: WalletAddress, isHeld: boolean): void;
  /** Asks that an endpoint be picked before all others (a page left something open to check again). */
  expedite(endpoint: Endpoint): void;
  /** Up to `count` endpoints, most urgent first; fewer if no more may be polled now. A picked one is in flight until `polled` or `failed`, and not picked again. */
  pick(nowSeconds: number, count: number): Endpoint[];
  /** The poll succeeded. Somebody else's first page, such as a command's, may be reported as well: it counts as a poll. */
  polled(endpoint: Endpoint, report: PollReport): void;
  /** The poll failed: what was waiting there still waits. @param retryLimitSeconds tried again after so long at the most */
  failed(endpoint: Endpoint, nowSeconds: number, retryLimitSeconds?: number): void;
  /** What is worth keeping of an endpoint; undefined if it is unknown. */
  learned(endpoint: Endpoint): Learned | undefined;
  /** What is worth keeping of all of them together. */
  sharedLearning(): SharedLearning;
  /** Takes over what `sharedLearning` returned before a restart; false, and nothing changes, if it is anything else. */
  restoreShared(document: unknown): boolean;
  /** When the endpoint was last polled, and by the present budget is expected next; null where not known. */
  outlook(endpoint: Endpoint): { readonly lastSeconds: number | null; readonly nextSeconds: number | null };
  /** Endpoints that can be picked at all, in flight or not. */
  readonly size: number;
}

export function keyOf({ wallet, name }: Endpoint): string {
  return `${wallet}:${name}`;
}

/**
 * Whether an endpoint may be polled again (POLL_MIN_SECONDS).
 *
 * @param sinceSeconds time since it was last picked; NaN: it never was; below 0: the clock was set back, which must not silence it
 */
export function hasRested(sinceSeconds: number, pollMinSeconds: number): boolean {
  return !(sinceSeconds >= 0 && sinceSeconds < pollMinSeconds);
}
