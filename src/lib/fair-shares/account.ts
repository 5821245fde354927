/**
 * The account to which something is charged. Shares are nested: payers take turns, within a payer
 * its owners (servers or persons), within an owner its channels.
 */
export interface Account {
  /** The payer: the person who owns the server; all single persons together are one payer. */
  readonly payer: string;
  /** A server or a single person. */
  readonly owner: string;
  /** The payer's share relative to a payer with weight 1. Above 0. */
  readonly weight: number;
}

/** Limits of a weight. It is for a server that matters more, not for turning shares off. */
export const LEAST_WEIGHT = 0.1;
export const GREATEST_WEIGHT = 100;

/**
 * Returns an owner's present account, which may change because a server can be transferred to
 * another person.
 */
export type AccountOf = (ownerId: string) => Account;
