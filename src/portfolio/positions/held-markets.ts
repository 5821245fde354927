import * as z from 'zod';
import { walletSchema } from '../../domain/address.ts';
import { decimalText } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type Market, shortHash } from '../market.ts';
import type { Portfolio } from '../portfolio.ts';
import { isClosed } from './holding.ts';
import { isKnown } from './known-markets.ts';

/** Wallets that an alert names beside the one that traded. */
const NAMED_BESIDE = 2;

/** What is held of an outcome: shares, average entry price in cents, and USDC paid for them, fees included. */
export const heldOutcomeSchema = z.object({
  side: z.string(),
  shares: decimalText,
  entryCents: z.number(),
  cost: decimalText,
});
export type HeldOutcome = z.infer<typeof heldOutcomeSchema>;

/** A market in which it is known exactly what a wallet holds. */
export interface HeldMarket {
  /** From `shortHash` of its `marketKey`. */
  readonly key: string;
  readonly market: Market;
  /** Largest cost first; empty: the wallet has got out of all that it held. */
  readonly held: readonly HeldOutcome[];
}

/** What other wallets of a channel hold in the market of an alert, as it was when the alert's message was decided. */
export const alsoHereSchema = z.object({
  /** Largest cost first, then those that have got out (`held` is empty). */
  wallets: z.array(z.object({ wallet: walletSchema, held: z.array(heldOutcomeSchema) })).min(1),
  /** How many more there are. */
  more: z.number(),
});
export type AlsoHere = z.infer<typeof alsoHereSchema>;

/**
 * The markets in which it is known exactly what the wallet holds, or that it got out lately. In binary arithmetic, for it is done at
 * the start for all wallets: prices and order are shown to a hundredth of a cent.
 */
export function heldMarkets({ positions }: Portfolio): HeldMarket[] {
  return [...groupBy(positions, ({ market }) => market)].flatMap(([key, own]) => {
    const [{ title, marketId, marketSlug, eventSlug }] = own;
    if (!own.every(isKnown)) return [];
    const held = own.flatMap(({ side, held: holding }): HeldOutcome[] => {
      if (isClosed(holding)) return [];
      const { shares, cost, entry } = holding;
      return [{ side, shares, entryCents: Number(entry) / Number(shares), cost }];
    });
    return [{ key: shortHash(key), market: { title, marketId, marketSlug, eventSlug }, held: held.sort(byCost) }];
  });
}

/** @param others the channel's other wallets of which it is known what they hold in the market; undefined where there are none */
export function alsoHere(others: AlsoHere['wallets']): AlsoHere | undefined {
  if (others.length === 0) return undefined;
  const wallets = others
    .toSorted((a, b) => (a.held[0] && b.held[0] ? byCost(a.held[0], b.held[0]) : b.held.length - a.held.length))
    .slice(0, NAMED_BESIDE);
  return { wallets, more: others.length - wallets.length };
}

function byCost(a: HeldOutcome, b: HeldOutcome): number {
  return Number(b.cost) - Number(a.cost);
}
