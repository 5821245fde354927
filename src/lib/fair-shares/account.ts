/**
 * Whose share something is. Shares are nested: payers in turn, within a payer its owners (servers,
 * or persons) in turn, within an owner its channels.
 */
export interface Account {
  /** Person who pays: the owner of the server; all persons for themselves are one payer. */
  readonly payer: string;
  /** A server, or a person alone. */
  readonly owner: string;
  /** The payer's share, measured by that of a payer with weight 1. Above 0. */
  readonly weight: number;
}

/** Bounds of a weight: it is for a server that matters more, not for turning shares off. */
export const LEAST_WEIGHT = 0.1;
export const GREATEST_WEIGHT = 100;

/** Tells whose share an owner's is, at present: a server can be given to somebody else. */
export type AccountOf = (ownerId: string) => Account;
