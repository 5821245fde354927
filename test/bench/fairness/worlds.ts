import type { Account } from '../../../src/lib/fair-shares/account.ts';

/** Owner of the measured server. */
export const HONEST = 'honest';

/** Servers that take all they can, and the honest one. */
export interface World {
  /** Accounts of the flooding servers. */
  readonly floods: readonly Account[];
  /** Account of the honest server. */
  readonly honest: Account;
}

const accountOf = (payer: string, owner: string): Account => ({ payer, owner, weight: 1 });
const serversOf = (payer: string, count: number): readonly Account[] =>
  Array.from({ length: count }, (_, index) => accountOf(payer, `${payer} ${index}`));

const honest = accountOf(HONEST, HONEST);

export const WORLDS: Readonly<Record<string, World>> = {
  'honest server alone': { floods: [], honest },
  'beside a flooding one': { floods: serversOf('one', 1), honest },
  'beside nine of one person': { floods: serversOf('one', 9), honest },
  'beside a hundred of one person': { floods: serversOf('one', 100), honest },
  'beside nine persons': {
    floods: Array.from({ length: 9 }, (_, index) => serversOf(`${index}`, 1)).flat(),
    honest,
  },
  'of a person who was given a flooding one': {
    floods: serversOf('one', 1),
    honest: accountOf('one', HONEST),
  },
};
