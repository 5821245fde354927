import type { Settlement } from '../domain/settlement.ts';
import { Exact, sum, toDecimalText } from '../lib/exact.ts';
import { outcomeOf, sumsOf } from './accounts/account.ts';
import type { Accounts } from './accounts/accounts.ts';
import { matureTo, sumOf, type WalletRecord } from './record/record.ts';

/**
 * Minimum Σ of the first purchases' prices for which a sum is shown. Below it, all markets that
 * have ended so far may happen to be wins.
 */
const PRICES_NEEDED = 20;

/** Number of markets, and USDC paid, as a decimal text. */
interface Paid {
  readonly markets: number;
  readonly paidUsdc: string;
}

/**
 * Totals of all markets that were first bought up to a day, each in full: what was paid and what
 * was returned. Decimal texts, fees included.
 */
export interface CameBack extends Paid {
  /** D, in Unix seconds. Markets first bought up to then count, whatever their outcome. */
  readonly untilSeconds: number;
  readonly backUsdc: string;
  /**
   * Number of these markets with unresolved shares, and what these shares cost. They are counted as
   * $0.
   */
  readonly withoutEnd: Paid;
  /**
   * Sign of the gain, if it is the same whatever the outcome of the unresolved shares; otherwise
   * empty.
   */
  readonly sign: '+' | '-' | '';
  /**
   * Gain in USDC: the amount returned minus the amount paid; null without a sign. With unresolved
   * markets, the actual gain may be larger.
   */
  readonly gainUsdc: string | null;
}

/**
 * Totals of a wallet's purchases for a channel. `reason` says why there are none. `noDate`: it is
 * unknown how long its markets take; `tooEarly`: Σ of the first purchases' prices is below 20.
 */
export type CameBackAnswer =
  | { readonly cameBack: CameBack; readonly reason: null }
  | { readonly cameBack: null; readonly reason: 'noDate' | 'tooEarly' };

/** Question about a wallet's accounts, for one channel. */
export interface AccountsQuestion {
  readonly accounts: Accounts;
  readonly record: WalletRecord;
  /** Time at which the channel began to watch the wallet, in Unix seconds. */
  readonly fromSeconds: number;
  /** The venue's clock, in Unix seconds. */
  readonly nowSeconds: number;
  /**
   * Returns the settlement of a market, by its hash, if one is known that is not stored with the
   * account.
   */
  readonly settlementOf: (market: string) => Settlement | undefined;
}

/**
 * Adds up what was paid and returned in all markets that a wallet first bought while a channel
 * watched it, up to the day to which its track record reaches. Returns include sales, redemptions,
 * settlements and pairs. No market is left out because of its outcome.
 */
export function cameBackOf(question: AccountsQuestion): CameBackAnswer {
  const { record, nowSeconds } = question;
  const untilSeconds = matureTo(record.markets, record.matureToSeconds, nowSeconds);
  if (untilSeconds === null) return { cameBack: null, reason: 'noDate' };
  const parts = partsOf(question).filter((part) => isIncluded(part, question, untilSeconds));
  const prices = sumOf(parts, (part) => part.prices);
  if (prices < PRICES_NEEDED) return { cameBack: null, reason: 'tooEarly' };
  return { cameBack: sumUp(parts, untilSeconds), reason: null };
}

/** Unresolved shares: number of markets, and what they cost in USDC. */
export interface Open extends Paid {
  /** Those of the markets that are known, by the keys of `entryKeys`. */
  readonly held: ReadonlySet<string>;
}

/**
 * Adds up the cost of shares that were not sold, redeemed or settled and are not included in
 * *Returned*.
 */
export function openOf(question: AccountsQuestion): Open {
  const { cameBack } = cameBackOf(question);
  const isCounted = (part: Part) =>
    cameBack !== null && isIncluded(part, question, cameBack.untilSeconds);
  const open = partsOf(question).filter((part) => !isCounted(part));
  let markets = 0;
  const held = new Set<string>();
  for (const { market, heldMarkets } of open) {
    markets += heldMarkets;
    if (heldMarkets === 0) continue;
    for (const key of market) held.add(key);
  }
  return { markets, paidUsdc: toDecimalText(total(open, (part) => part.held)), held };
}

type Part = ReturnType<typeof partsOf>[number];

/** Returns one part for each account, and one for each day of accounts that were added up. */
function partsOf({ accounts, settlementOf }: AccountsQuestion) {
  const single = [];
  for (const account of accounts.markets) {
    const { market } = account;
    const sums = sumsOf(account);
    if (sums === null) continue;
    const { paid, back, withoutEnd, dust, held } = outcomeOf(account, sums, settlementOf(market));
    single.push({
      market: [market],
      fromSeconds: sums.firstSeconds,
      toSeconds: sums.firstSeconds,
      markets: 1,
      prices: sums.firstPrice,
      paid,
      back,
      marketsWithoutEnd: withoutEnd.shares.isZero() ? 0 : 1,
      paidWithoutEnd: withoutEnd.paid,
      // They are counted as $0; each can be worth at most one dollar.
      uncounted: withoutEnd.shares.plus(dust),
      heldMarkets: held.isZero() ? 0 : 1,
      held,
    });
  }
  const added = accounts.days.map(({ withoutEnd, sharesWithoutEnd, paidWithoutEnd, ...day }) => ({
    ...day,
    // It is no longer known which markets these were.
    market: [],
    paid: new Exact(day.paid),
    back: new Exact(day.back),
    marketsWithoutEnd: withoutEnd,
    paidWithoutEnd: new Exact(paidWithoutEnd),
    uncounted: new Exact(sharesWithoutEnd),
    heldMarkets: withoutEnd,
    held: new Exact(paidWithoutEnd),
  }));
  return [...single, ...added];
}

function isIncluded(part: Part, { fromSeconds }: AccountsQuestion, untilSeconds: number): boolean {
  return part.fromSeconds >= fromSeconds && part.toSeconds <= untilSeconds;
}

function sumUp(parts: readonly Part[], untilSeconds: number): CameBack {
  const paid = total(parts, (part) => part.paid);
  const back = total(parts, (part) => part.back);
  const uncounted = total(parts, (part) => part.uncounted);
  const sign = signOf(paid, back, uncounted);
  return {
    untilSeconds,
    markets: sumOf(parts, (part) => part.markets),
    paidUsdc: toDecimalText(paid),
    backUsdc: toDecimalText(back),
    withoutEnd: {
      markets: sumOf(parts, (part) => part.marketsWithoutEnd),
      paidUsdc: toDecimalText(total(parts, (part) => part.paidWithoutEnd)),
    },
    sign,
    gainUsdc: sign === '' ? null : toDecimalText(back.minus(paid)),
  };
}

function signOf(paid: Exact, back: Exact, uncounted: Exact): CameBack['sign'] {
  if (back.gt(paid)) return '+';
  if (back.plus(uncounted).lt(paid)) return '-';
  return '';
}

function total(parts: readonly Part[], amountOf: (part: Part) => Exact): Exact {
  return sum(parts.map(amountOf));
}
