import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { decimalText, Exact, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type Market, marketOf } from '../market.ts';
import type { Portfolio } from '../portfolio.ts';
import { isClosed, isKnown, type Position } from './position.ts';

/** Maximum number of other wallets named in an alert, and of outcomes named for each. */
const NAMED_BESIDE = 3;
const OUTCOMES_NAMED = 2;

/**
 * Holding of an outcome: shares, average entry price in cents, and USDC paid for them, fees
 * included.
 */
export const heldOutcomeSchema = z.object({
  side: z.string(),
  shares: decimalText,
  entryCents: z.number(),
  cost: decimalText,
});
export type HeldOutcome = z.infer<typeof heldOutcomeSchema>;

/**
 * Holdings of a channel's other wallets in an alert's market, at the time when the alert's message
 * was decided.
 */
export const alsoHereSchema = z.object({
  /** Largest cost first, then those that have left (`held` is empty). */
  wallets: z
    .array(
      z.object({
        wallet: walletSchema,
        /** Largest cost first. */
        held: z.array(heldOutcomeSchema),
        /** True if it holds further outcomes. */
        isCut: z.literal(true).exactOptional(),
      }),
    )
    .min(1),
  more: z.number(),
});
export type AlsoHere = z.infer<typeof alsoHereSchema>;

type HeldTuple = readonly [side: string, shares: string, entryCents: number, cost: string];
type Entry = readonly [key: string, ...held: readonly HeldTuple[]];

/**
 * Keeps the known holdings of each wallet as texts that are parsed on demand, and each market's
 * names once. At 20,000 wallets with 40 markets each, they take 43 MB and 2.5 s of the start, and
 * reading 25 wallets takes 0.2 ms. Uses binary arithmetic because the start does this for all
 * wallets; prices and order are shown to a hundredth of a cent.
 */
export function createHeldIndex() {
  const ofWallets = new Map<WalletAddress, string>();
  const markets = new Map<string, { readonly market: Market; wallets: number }>();

  const remove = (wallet: WalletAddress): void => {
    for (const [key] of readEntries(ofWallets.get(wallet))) {
      const known = markets.get(key);
      if (known === undefined || known.wallets === 1) markets.delete(key);
      else known.wallets -= 1;
    }
    ofWallets.delete(wallet);
  };

  return {
    set(wallet: WalletAddress, { positions }: Pick<Portfolio, 'positions'>): void {
      remove(wallet);
      const entries: Entry[] = [];
      for (const [key, own] of groupBy(positions, ({ market }) => market)) {
        if (!own.every(isKnown)) continue;
        const known = markets.get(key);
        if (known === undefined) markets.set(key, { market: marketOf(own[0]), wallets: 1 });
        else known.wallets += 1;
        entries.push([key, ...heldOf(own)]);
      }
      if (entries.length > 0) ofWallets.set(wallet, textOf(entries));
    },
    delete: remove,
    /**
     * Returns the wallet's holdings in a market; empty if it has left, undefined if unknown.
     * @param key from `entryKeys`
     */
    heldIn(wallet: WalletAddress, key: string): HeldOutcome[] | undefined {
      const entry = readEntry(ofWallets.get(wallet) ?? '', key);
      return entry?.map(([side, shares, entryCents, cost]) => ({ side, shares, entryCents, cost }));
    },
    /** Returns the text kept for a wallet, for `costsIn`; undefined if there is none. */
    textOf: (wallet: WalletAddress): string | undefined => ofWallets.get(wallet),
    /** Returns a market in which some wallet's holdings are known. */
    marketOf: (key: string): Market | undefined => markets.get(key)?.market,
  };
}
export type HeldIndex = ReturnType<typeof createHeldIndex>;

/** Returns the holdings of a market's outcomes, largest cost first. */
function heldOf(positions: readonly Position[]): readonly HeldTuple[] {
  const tuples: HeldTuple[] = [];
  for (const { side, held } of positions) {
    if (isClosed(held)) continue;
    const { shares, cost, entry } = held;
    const entryCents = Number(entry) / Number(shares);
    tuples.push([side, shares, entryCents, cost]);
  }
  return tuples.sort(([, , , a], [, , , b]) => Number(b) - Number(a));
}

/** Returns JSON with one entry per line, so that an entry can be read without the others. */
function textOf(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => JSON.stringify(entry));
  return `[\n${lines.join(',\n')}\n]`;
}

const readEntries = (text = '[]'): readonly Entry[] => JSON.parse(text);

function readEntry(text: string, key: string): readonly HeldTuple[] | undefined {
  const start = text.indexOf(`\n["${key}"`);
  if (start < 0) return undefined;
  const line = text.slice(start, text.indexOf('\n', start + 1));
  const json = line.endsWith(',') ? line.slice(0, -1) : line;
  const [, ...held]: Entry = JSON.parse(json);
  return held;
}

/**
 * Returns the markets in which a wallet's holdings are known exactly, by `entryKeys`, with the cost
 * of the holdings in millionths of USDC; null if it has left.
 * @param text from `HeldIndex.textOf`
 */
export function costsIn(text: string | undefined) {
  return readEntries(text).map(([key, ...held]) => {
    if (held.length === 0) return { key, micros: null };
    let micros = 0;
    for (const [, , , cost] of held) micros += Math.round(1e6 * Number(cost));
    return { key, micros };
  });
}

/**
 * @param others the channel's other wallets whose holdings in the market are known
 * @returns undefined if there are none
 */
export function alsoHere(others: AlsoHere['wallets']): AlsoHere | undefined {
  if (others.length === 0) return undefined;
  const costOf = ({ held: [largest] }: AlsoHere['wallets'][number]) =>
    Number(largest?.cost ?? Number.NEGATIVE_INFINITY);
  // Wallets that have left are equal.
  const largestFirst = others.toSorted((a, b) => costOf(b) - costOf(a) || 0);
  const named = largestFirst.slice(0, NAMED_BESIDE);
  return { wallets: named.map(withFewOutcomes), more: others.length - named.length };
}

/** Cuts the list of outcomes, because a market may have dozens. */
function withFewOutcomes({
  wallet,
  held,
}: AlsoHere['wallets'][number]): AlsoHere['wallets'][number] {
  if (held.length <= OUTCOMES_NAMED) return { wallet, held };
  return { wallet, held: held.slice(0, OUTCOMES_NAMED), isCut: true };
}

/** A wallet's result in a market for which everything it did is known. */
export type MarketStanding = ReturnType<typeof standingIn>;

/**
 * Returns a wallet's holdings in a market, and the result of the shares it no longer holds, by
 * average cost, fees included.
 * @param positions all of the wallet's positions in the market
 * @param settlement undefined if the market is not known to have ended
 */
export function standingIn(positions: readonly Position[], settlement: Settlement | undefined) {
  const held = positions
    .filter(({ held }) => !isClosed(held))
    .map(({ outcome, side, held }) => ({
      side,
      shares: new Exact(held.shares),
      cost: new Exact(held.cost),
      /** Cents × shares. */
      entry: new Exact(held.entry),
      sinceSeconds: held.sinceSeconds,
      /**
       * Number of shares bought since nothing was held, and number of these that were sold or
       * redeemed.
       */
      bought: new Exact(held.bought),
      sold: new Exact(held.bought).minus(held.shares),
      /** USDC per share that the market's end pays; undefined if unknown. */
      payout: settlement === undefined ? undefined : payoutOf(settlement, outcome),
    }))
    .sort((a, b) => b.cost.comparedTo(a.cost));
  const gains: (Exact | string)[] = positions.map((position) => position.held.realized);
  const gainCosts: (Exact | string)[] = positions.map((position) => position.held.costOfSold);
  for (const { shares, cost, payout } of held) {
    if (payout === undefined) continue;
    gains.push(shares.times(payout).minus(cost));
    gainCosts.push(cost);
  }
  return {
    held,
    cost: sum(held.map(({ cost }) => cost)),
    /** USDC gained by shares that were sold, redeemed or settled, and the cost of these shares. */
    gain: sum(gains),
    gainCost: sum(gainCosts),
    /** Time of its last trade or redemption there, in Unix seconds; 0 if there was none. */
    lastSeconds: Math.max(0, ...positions.map(({ lastSeconds }) => lastSeconds)),
  };
}

/**
 * Returns the totals of what wallets hold of each outcome, largest cost first.
 * @param held holdings of each wallet
 */
export function sumsBySide<
  Held extends {
    readonly side: string;
    readonly shares: Exact | string;
    readonly cost: Exact | string;
  },
>(held: readonly (readonly Held[])[]) {
  return [...groupBy(held.flat(), ({ side }) => side)]
    .map(([side, own]) => ({
      side,
      own,
      wallets: held.filter((some) => some.some((outcome) => outcome.side === side)).length,
      shares: sum(own.map(({ shares }) => shares)),
      cost: sum(own.map(({ cost }) => cost)),
    }))
    .sort((a, b) => b.cost.comparedTo(a.cost));
}
