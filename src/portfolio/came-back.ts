import type { Settlement } from '../domain/settlement.ts';
import { Exact, toDecimalText } from '../lib/exact.ts';
import { outcomeOf, sumsOf } from './accounts/account.ts';
import type { Accounts } from './accounts/accounts.ts';
import { matureTo, type WalletRecord } from './record/record.ts';

/**
 * Σ of the prices of first purchases from which a sum is said: before, all that ended so far may
 * have won.
 */
const PRICES_NEEDED = 20;

/** Markets, and USDC paid, as a decimal text. */
interface Paid {
  readonly markets: number;
  readonly paidUsdc: string;
}

/**
 * Sums over all markets that were first bought up to a day, each in full: what was paid and what
 * came back. Decimal texts, fees included.
 */
export interface CameBack extends Paid {
  /** D, Unix seconds: markets first bought up to then count, whatever became of them. */
  readonly untilSeconds: number;
  readonly backUsdc: string;
  /**
   * Markets among them of which some shares have no known end, and what these shares had cost:
   * nothing is counted for them.
   */
  readonly withoutEnd: Paid;
  /**
   * Sign of the gain: a gain or a loss, whatever becomes of the shares without a known end; empty
   * where that is open.
   */
  readonly sign: '+' | '-' | '';
  /**
   * Gain, USDC: what came back less what was paid; null without a sign. With markets without an end
   * a gain is one at least.
   */
  readonly gainUsdc: string | null;
}

/**
 * Sum of a wallet's purchases for a room; `reason` says why there is no sum. `noDate`: nobody knows
 * how long its markets take; `tooEarly`: Σ of the prices of the first purchases is below 20.
 */
export type CameBackAnswer =
  | { readonly cameBack: CameBack; readonly reason: null }
  | { readonly cameBack: null; readonly reason: 'noDate' | 'tooEarly' };

/** Question about a wallet's accounts, and for which room it is asked. */
export interface AccountsQuestion {
  readonly accounts: Accounts;
  readonly record: Pick<WalletRecord, 'markets' | 'matureToSeconds'>;
  /** Unix seconds at which the room began to watch the wallet. */
  readonly fromSeconds: number;
  /** The venue's clock, Unix seconds. */
  readonly nowSeconds: number;
  /**
   * Gives the settlement of a market, by its hash, as far as it is known beyond what is stored with
   * the account.
   */
  readonly settlementOf: (market: string) => Settlement | undefined;
}

/**
 * Adds up what was paid and what came back in all markets that a wallet first bought while a room
 * watched it, up to the day to which its record reaches: by sale, redemption, settlement and pairs.
 * None is left out for what became of it.
 */
export function cameBackOf(question: AccountsQuestion): CameBackAnswer {
  const untilSeconds = untilOf(question);
  if (untilSeconds === null) return { cameBack: null, reason: 'noDate' };
  const parts = partsOf(question).filter((part) => isIncluded(part, question, untilSeconds));
  const prices = parts.reduce((total, part) => total + part.prices, 0);
  if (prices < PRICES_NEEDED) return { cameBack: null, reason: 'tooEarly' };
  return { cameBack: sumUp(parts, untilSeconds), reason: null };
}

/** Shares held without a known end: number of markets, and USDC that they had cost. */
export interface Open extends Paid {
  /** The markets of which it is known which they are, as `entryKeys` names them. */
  readonly held: ReadonlySet<string>;
}

/**
 * Adds up what is held without a sale, redemption or settlement, and does not stand in *Came back*:
 * what it had cost.
 */
export function openOf(question: AccountsQuestion): Open {
  const { cameBack } = cameBackOf(question);
  const isSaid = (part: Part) =>
    cameBack !== null && isIncluded(part, question, cameBack.untilSeconds);
  const open = partsOf(question).filter((part) => !isSaid(part));
  let markets = 0;
  const held = new Set<string>();
  for (const { market, heldMarkets } of open) {
    markets += heldMarkets;
    if (heldMarkets === 0) continue;
    for (const key of market) held.add(key);
  }
  return { markets, paidUsdc: toDecimalText(total(open, (part) => part.held)), held };
}

function untilOf({ record, nowSeconds }: AccountsQuestion): number | null {
  return matureTo(record.markets, record.matureToSeconds, nowSeconds);
}

type Part = ReturnType<typeof partsOf>[number];

/** One for each account, and for each day of those that are added up. */
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
      // Nothing is counted for them, a dollar is the most that they can be worth.
      uncounted: withoutEnd.shares.plus(dust),
      heldMarkets: held.isZero() ? 0 : 1,
      held,
    });
  }
  const added = accounts.days.map(({ withoutEnd, sharesWithoutEnd, paidWithoutEnd, ...day }) => ({
    ...day,
    // Nobody knows any more which they were.
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
    markets: parts.reduce((count, { markets }) => count + markets, 0),
    paidUsdc: toDecimalText(paid),
    backUsdc: toDecimalText(back),
    withoutEnd: {
      markets: parts.reduce((count, { marketsWithoutEnd }) => count + marketsWithoutEnd, 0),
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
  return parts.reduce((all, part) => all.plus(amountOf(part)), new Exact(0));
}
