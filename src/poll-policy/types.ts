import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

/** A pollable resource: a wallet's activity, or its deposits and withdrawals. */
export interface Endpoint {
  readonly wallet: WalletAddress;
  readonly name: EndpointName;
}

/**
 * Number of records on a full page. It is the venue's maximum, because a request costs the same
 * whatever its size.
 */
export const PAGE_ITEMS = 100;

/** Result of a poll, as needed by the schedule. */
export interface PollReport {
  /** Time at which the venue made the response, by its clock, in seconds with fractions. */
  readonly atSeconds: number;
  /** Times of the items that are new since the previous poll, in seconds, in any order. */
  readonly freshTimesSeconds: readonly number[];
  /**
   * Times of all items on the page, in seconds, newest first; the only evidence on an endpoint's
   * first poll.
   */
  readonly pageTimesSeconds: readonly number[];
}

/** Data that the schedule has learned about one endpoint; stored, so that it survives a restart. */
export type Learned = readonly number[];

export function keyOf({ wallet, name }: Endpoint): string {
  return `${wallet}:${name}`;
}
