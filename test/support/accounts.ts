import type { Account } from '../../src/lib/fair-shares/account.ts';

/** The account of an owner: a server pays for itself, all persons (`@…`) are one payer. */
export function accountOf(owner: string): Account {
  return { payer: owner.startsWith('@') ? '@' : owner, owner, weight: 1 };
}
