import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { decimalText, Exact, sum } from '../../lib/exact.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type Market, marketOf } from '../market.ts';
import type { Portfolio } from '../portfolio.ts';
import { isClosed, isKnown, type Position } from './position.ts';

/** Wallets that an alert names beside the one that traded, and outcomes that it names of each. */
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
 * Holdings of other wallets of a channel in the market of an alert, as they were when the alert's
 * message was decided.
 */
export const alsoHereSchema = z.object({
  /** Largest cost first, then those that have got out (`held` is empty). */
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
 * Keeps the known holdings of each wallet, as texts that are read when somebody asks, and each
 * market's names once: at 20,000 wallets with 40 markets each they take 43 MB and 2.5 s of the
 * start, and 25 wallets are looked at in 0.2 ms. In binary arithmetic, for it is done at the start
 * for all wallets: prices and order are shown to a hundredth of a cent.
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
     * Holdings of the wallet in a market; empty: it got out; undefined: not known.
     *
     * @param key from `entryKeys`
     */
    heldIn(wallet: WalletAddress, key: string): HeldOutcome[] | undefined {
      const entry = readEntry(ofWallets.get(wallet) ?? '', key);
      return entry?.map(([side, shares, entryCents, cost]) => ({ side, shares, entryCents, cost }));
    },
    /** Text of what is kept of the wallet, for `costsIn`; undefined if nothing is. */
    textOf: (wallet: WalletAddress): string | undefined => ofWallets.get(wallet),
    /** A market in which something is known of a wallet. */
    marketOf: (key: string): Market | undefined => markets.get(key)?.market,
  };
}
export type HeldIndex = ReturnType<typeof createHeldIndex>;

/** Holdings of the outcomes of a market, largest cost first. */
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

/** JSON with an entry in each line, so that one can be read without the others. */
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
 * Lists the markets where it is known exactly what a wallet holds, by `entryKeys`, with what it
 * paid for what it holds: millionths of USDC; null: it has left.
 *
 * @param text of `HeldIndex.textOf`
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
 * @param others of the channel, of which it is known what they hold in the market
 * @returns undefined without any
 */
export function alsoHere(others: AlsoHere['wallets']): AlsoHere | undefined {
  if (others.length === 0) return undefined;
  const costOf = ({ held: [largest] }: AlsoHere['wallets'][number]) =>
    Number(largest?.cost ?? Number.NEGATIVE_INFINITY);
  // Two that have got out are equal.
  const largestFirst = others.toSorted((a, b) => costOf(b) - costOf(a) || 0);
  const named = largestFirst.slice(0, NAMED_BESIDE);
  return { wallets: named.map(withFewOutcomes), more: others.length - named.length };
}

/** A market may have dozens of outcomes. */
function withFewOutcomes({
  wallet,
  held,
}: AlsoHere['wallets'][number]): AlsoHere['wallets'][number] {
  if (held.length <= OUTCOMES_NAMED) return { wallet, held };
  return { wallet, held: held.slice(0, OUTCOMES_NAMED), isCut: true };
}

/** Standing of a wallet in a market of which all that it did is known. */
export type MarketStanding = ReturnType<typeof standingIn>;

/**
 * Says what a wallet holds in a market and what came of the rest, by average cost, fees included.
 *
 * @param positions all of the wallet in the market
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
      /** Bought since nothing was held, and what of it was sold or redeemed. */
      bought: new Exact(held.bought),
      sold: new Exact(held.bought).minus(held.shares),
      /** USDC a share that the market's end pays; undefined where that is not known. */
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
    /** USDC gained by what was sold, redeemed or settled, and what that had cost. */
    gain: sum(gains),
    gainCost: sum(gainCosts),
    /** Unix seconds of its last trade or redemption there; 0 if there was none. */
    lastSeconds: Math.max(0, ...positions.map(({ lastSeconds }) => lastSeconds)),
  };
}

/**
 * Sums of what wallets hold of each outcome, largest cost first.
 *
 * @param held of each wallet
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
