import * as z from 'zod';
import { payoutOf, type Settlement } from '../../domain/settlement.ts';
import { decimalText, Exact, quotient, sum, toDecimalText } from '../../lib/exact.ts';
import { isNamedByToken } from '../market.ts';
import {
  applyFill,
  compareFills,
  EMPTY_HOLDING,
  type Fill,
  type Holding,
  isClosed,
  LATE_SECONDS,
} from '../positions/position.ts';
import { type RecordFill, recordFillSchema } from '../record/first-purchase.ts';
import { sumOf } from '../record/record.ts';

/** Number of a market's fills kept separately, plus all others in the same second as the oldest. */
const RECENT_LIMIT = 64;

/**
 * Shares left of a traded outcome: its hash and side, then shares, cost, entry, bought and since as
 * in a holding.
 */
const leftSchema = z
  .tuple([z.string(), z.string(), decimalText, decimalText, decimalText, decimalText, z.number()])
  .readonly();

/** Totals of everything a wallet did in a market. Amounts are USDC, fees included. */
const sumsSchema = z.object({
  /** Time of the market's first purchase in Unix seconds, and its mean price, 0 to 1. */
  firstSeconds: z.number(),
  firstPrice: z.number(),
  /** Time of its newest record, in Unix seconds. */
  lastSeconds: z.number(),
  /**
   * Amount paid for all purchases, and amount returned for their shares by sales and redemptions.
   */
  paid: decimalText,
  back: decimalText,
  left: z.array(leftSchema).readonly(),
});
export type Sums = z.infer<typeof sumsSchema>;

/**
 * A wallet's account of one market, kept from its first purchase until it is added up with others
 * of the same day.
 */
export const accountSchema = z.object({
  /** Key from `entryKeys`. */
  market: z.string(),
  /** The venue's id. */
  marketId: z.string(),
  /** Totals without `recent`; null if there was no purchase before these. */
  old: sumsSchema.nullable(),
  /**
   * Trades and redemptions of the last hour, into which a record that is listed late can be
   * inserted.
   */
  recent: z.array(recordFillSchema).readonly(),
  /**
   * True if it contains everything the wallet ever did in the market, so that the market is
   * tracked, see `followedPositions`.
   */
  isWhole: z.literal(true).exactOptional(),
  /**
   * Settlement, in the form of a {@link Settlement}; left out while it is unknown how the market
   * ended.
   */
  settled: z
    .object({
      atSeconds: z.number(),
      payouts: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
    })
    .exactOptional(),
});
export type Account = Readonly<z.infer<typeof accountSchema>>;

export function newAccount(market: string, marketId: string, isWhole: boolean): Account {
  const account: Account = { market, marketId, old: null, recent: [] };
  return isWhole ? { ...account, isWhole: true } : account;
}

/** Returns the account after its market is no longer completely known. */
export function notWhole({ isWhole: _, ...account }: Account): Account {
  return account;
}

/**
 * Adds trades and redemptions of the market. Fills that are too old for a late record to precede
 * them are added up. If one does anyway, or if they are sales without a purchase, the account no
 * longer determines what is held.
 * @param newestSeconds time of the wallet's newest record, in Unix seconds
 */
export function withFills(
  account: Account,
  fills: readonly RecordFill[],
  newestSeconds: number,
): Account {
  const { old } = account;
  const inOrder = [...account.recent, ...fills].sort(byPlace);
  const oldestKeptSeconds = inOrder.at(-RECENT_LIMIT)?.atSeconds ?? 0;
  const fromSeconds = Math.max(oldestKeptSeconds, newestSeconds - LATE_SECONDS);
  const recent = inOrder.filter(({ atSeconds }) => atSeconds >= fromSeconds);
  const over = inOrder.slice(0, inOrder.length - recent.length);
  const after = { ...account, old: addUpFills(old, over), recent };
  const isTooLate = old !== null && fills.some(({ atSeconds }) => atSeconds <= old.lastSeconds);
  const isForgotten = after.old === null && over.length > 0;
  if (isTooLate || isForgotten) return notWhole(after);
  return after;
}

/** Returns the time of the account's newest record, in Unix seconds; 0 without one. */
export function lastSecondsOf({ old, recent }: Account): number {
  return recent.at(-1)?.atSeconds ?? old?.lastSeconds ?? 0;
}

/** Adds up all fills of the account; null without a purchase. */
export function sumsOf({ old, recent }: Account): Sums | null {
  return addUpFills(old, recent);
}

/** True if shares may be held. */
export function isHeld({ old, recent }: Account): boolean {
  if (recent.length > 0) return true;
  return old?.left.some(([, , shares]) => shares !== '0') ?? false;
}

/**
 * True if shares may be held, and it is unknown how the market ended, or was before `sinceSeconds`
 * (Unix seconds).
 */
export function isUncertain(account: Account, sinceSeconds: number): boolean {
  const settledSeconds = account.settled?.atSeconds ?? Number.POSITIVE_INFINITY;
  return isHeld(account) && settledSeconds > sinceSeconds;
}

/** Stores how the market ended. If its settlement is contradicted, removes it. */
export function withSettlement(account: Account, settlement: Settlement): Account {
  const { settled: _, ...unsettled } = account;
  const { payouts, atSeconds } = settlement;
  if (payouts.size === 0) return unsettled;
  const firstSeconds = sumsOf(account)?.firstSeconds ?? Number.POSITIVE_INFINITY;
  if (atSeconds < firstSeconds) return account;
  return { ...account, settled: { atSeconds, payouts: [...payouts] } };
}

/**
 * Computes the final outcome of a market's holdings. A sold or redeemed share is resolved; a
 * settlement pays the remaining shares of its outcomes; for the rest, equal numbers of shares of
 * both outcomes are worth one dollar per pair, however the market ends.
 * @param settlement newer than the account's own; undefined without one
 */
export function outcomeOf(account: Account, sums: Sums, settlement: Settlement | undefined) {
  const { settled } = settlement === undefined ? account : withSettlement(account, settlement);
  const all = sums.left.map(([outcome, , shares, cost, , bought]) => ({
    outcome,
    shares: new Exact(shares),
    cost: new Exact(cost),
    isDust: isClosed({ shares, bought }),
    payout: payoutOf({ payouts: new Map(settled?.payouts) }, outcome),
  }));
  const held = all.filter(({ isDust }) => !isDust);
  const unsettled = held.filter(({ payout }) => payout === undefined);
  const pairs = pairsOf(held);
  const nothing = new Exact(0);
  const rest = held.map(({ shares, cost, payout }) => {
    const unpaired = shares.minus(pairs);
    if (payout !== undefined) {
      return { back: unpaired.times(payout), shares: nothing, paid: nothing };
    }
    const paid = quotient(unpaired.times(cost), shares);
    return { back: nothing, shares: unpaired, paid };
  });
  return {
    paid: new Exact(sums.paid),
    /** USDC returned by sales, redemptions, settlement and pairs. */
    back: sum([sums.back, pairs, ...rest.map(({ back }) => back)]),
    /** Shares without a settlement or pair, except dust, and what they cost. */
    withoutEnd: {
      shares: sum(rest.map(({ shares }) => shares)),
      paid: sum(rest.map(({ paid }) => paid)),
    },
    /** Number of dust shares. */
    dust: sum(all.filter(({ isDust }) => isDust).map(({ shares }) => shares)),
    /** USDC paid for everything that is held and not settled, including pairs. */
    held: sum(unsettled.map(({ cost }) => cost)),
  };
}

/** Returns the number of pairs held; none if it is known what both outcomes paid. */
function pairsOf(
  held: readonly { readonly outcome: string; readonly shares: Exact; readonly payout: unknown }[],
): Exact {
  const [one, other] = held;
  if (held.length !== 2 || one === undefined || other === undefined) return new Exact(0);
  const isNamed = held.every(({ outcome }) => isNamedByToken(outcome));
  const isSettled = held.every(({ payout }) => payout !== undefined);
  if (!isNamed || isSettled) return new Exact(0);
  return Exact.min(one.shares, other.shares);
}

function byPlace(a: RecordFill, b: RecordFill): number {
  return compareFills([a.atSeconds, a.action], [b.atSeconds, b.action]);
}

/** @param fills in order */
function addUpFills(before: Sums | null, fills: readonly RecordFill[]): Sums | null {
  const opened = before ?? openSums(fills);
  if (opened === null) return null;
  const held = new Map(opened.left.map((left) => [left[0], left] as const));
  let paid = new Exact(opened.paid);
  let back = new Exact(opened.back);
  for (const fill of fills) {
    const holding = holdingOf(held.get(fill.outcome));
    const { after } = applyFill(holding, fillOfRecord(fill));
    if (fill.action === 'Buy') {
      paid = paid.plus(fill.netUsdc);
    } else {
      // Shares sold beyond those bought came from a split or a transfer.
      const shares = Exact.min(holding.shares, fill.shares);
      back = back.minus(quotient(shares.times(fill.netUsdc), fill.shares));
    }
    held.set(fill.outcome, leftOf(fill.outcome, fill.side, after));
  }
  const lastSeconds = Math.max(opened.lastSeconds, fills.at(-1)?.atSeconds ?? 0);
  return {
    ...opened,
    lastSeconds,
    paid: toDecimalText(paid),
    back: toDecimalText(back),
    left: [...held.values()],
  };
}

/**
 * Returns totals that begin with the first purchase: all fills of one outcome in the transaction of
 * the earliest purchase.
 */
function openSums(fills: readonly RecordFill[]): Sums | null {
  const first = fills.find(({ action }) => action === 'Buy');
  if (first === undefined) return null;
  const isOfFirst = ({ action, outcome, txHash }: RecordFill) =>
    action === 'Buy' && outcome === first.outcome && txHash === first.txHash;
  const lot = fills.filter(isOfFirst);
  const shares = sumOf(lot, (fill) => fill.shares);
  const gross = sumOf(lot, (fill) => fill.shares * fill.price);
  const firstSeconds = first.atSeconds;
  return {
    firstSeconds,
    firstPrice: gross / shares,
    lastSeconds: firstSeconds,
    paid: '0',
    back: '0',
    left: [],
  };
}

/** Returns a holding with the remaining shares of an outcome. */
export function holdingOf(left: Sums['left'][number] | undefined): Holding {
  if (left === undefined) return EMPTY_HOLDING;
  const [, , shares, cost, entry, bought, sinceSeconds] = left;
  return {
    ...EMPTY_HOLDING,
    shares,
    cost,
    entry,
    bought,
    sinceSeconds,
  };
}

/** Returns the remaining shares of an outcome from its holding, as {@link holdingOf} reads them. */
export function leftOf(
  outcome: string,
  side: string,
  { shares, cost, entry, bought, sinceSeconds }: Holding,
): Sums['left'][number] {
  return [outcome, side, shares, cost, entry, bought, sinceSeconds];
}

/** Returns the fill of a position, with its price in cents as listed by the venue, to 15 digits. */
export function fillOfRecord({ atSeconds, action, shares, price, netUsdc }: RecordFill): Fill {
  const priceCents = new Exact(price).times(100).toSignificantDigits(15).toNumber();
  return [atSeconds, action, shares, priceCents, netUsdc];
}
