import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

/** One thing that can be polled: a wallet's activity or its deposits and withdrawals. */
export interface Endpoint {
  readonly wallet: WalletAddress;
  readonly name: EndpointName;
}

/**
 * Records on a full page, the largest that the venue gives: a request costs the same whatever it
 * brings.
 */
export const PAGE_ITEMS = 100;

/** Report of a poll, as far as the schedule cares. */
export interface PollReport {
  /** Venue clock, seconds (fractions allowed): when the response was made. */
  readonly atSeconds: number;
  /** Times of the items that are new since the poll before, seconds, any order. */
  readonly freshTimesSeconds: readonly number[];
  /**
   * Times of all items on the page, seconds, newest first: the only evidence on an endpoint's first
   * poll.
   */
  readonly pageTimesSeconds: readonly number[];
}

/**
 * Figures that the schedule has learned of one endpoint; stored, so that they survive a restart.
 */
export type Learned = readonly number[];

export function keyOf({ wallet, name }: Endpoint): string {
  return `${wallet}:${name}`;
}
