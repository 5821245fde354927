import type { Account } from '../../src/lib/fair-shares/account.ts';

/**
 * Returns the account of an owner. Each server is its own payer; all persons (`@…`) share one
 * payer.
 */
export function accountOf(owner: string): Account {
  return { payer: owner.startsWith('@') ? '@' : owner, owner, weight: 1 };
}
