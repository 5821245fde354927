import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

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
  /** Round-robin: all in turn, whatever they bring, which is what the schedule is measured against. Default false. */
  readonly isInTurn?: boolean;
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

export function keyOf({ wallet, name }: Endpoint): string {
  return `${wallet}:${name}`;
}
