import { outcomeOf, type Sums, sumsOf } from '../../../src/portfolio/accounts/account.ts';
import {
  type AccountsQuestion,
  type CameBack,
  cameBackOf,
} from '../../../src/portfolio/came-back.ts';

/** A wallet's returned sum as stated by a rule, in USDC. */
export interface Said {
  /** D, in Unix seconds. */
  readonly untilSeconds: number;
  readonly paid: number;
  readonly back: number;
  readonly sign: CameBack['sign'];
}

/** Returns a sum, or null if none is stated. */
export type Answer = (question: AccountsQuestion) => Said | null;

/** Largest unresolved share of the cost at which the gate rule states a sum. */
const GATE = 0.25;

/** The bot's rule (`right`), and false rules to compare with. */
export const ANSWERS = {
  right,
  ended,
  'not-held': (question) =>
    right({ ...question, record: { ...question.record, matureToSeconds: null } }),
  'pairs-at-cost': pairsAtCost,
  'all-lost': (question) => changed(question, () => ({ back: 0, sign: '-' })),
  'no-end-is-lost': (question) =>
    changed(question, ({ paid, back }) => ({ sign: back > paid ? '+' : '-' })),
  nothing: () => null,
  gate,
} satisfies Readonly<Record<string, Answer>>;
export type AnswerName = keyof typeof ANSWERS;

function right(question: AccountsQuestion): Said | null {
  const { cameBack } = cameBackOf(question);
  if (cameBack === null) return null;
  const { untilSeconds, paidUsdc, backUsdc, sign } = cameBack;
  return { untilSeconds, paid: Number(paidUsdc), back: Number(backUsdc), sign };
}

/** Counts a market once all of it has ended, whenever it was bought. */
function ended(question: AccountsQuestion): Said | null {
  return changed(question, () => {
    const over = outcomesOf(question).filter(({ outcome }) => outcome.withoutEnd.shares.isZero());
    const paid = over.reduce((total, { outcome }) => total + outcome.paid.toNumber(), 0);
    const back = over.reduce((total, { outcome }) => total + outcome.back.toNumber(), 0);
    return { paid, back, sign: back > paid ? '+' : '-' };
  });
}

/** Counts a pair at its cost. */
function pairsAtCost(question: AccountsQuestion): Said | null {
  return changed(question, ({ untilSeconds, back }) => {
    const counted = outcomesOf(question).filter(
      ({ sums, isSettled }) => sums.firstSeconds <= untilSeconds && !isSettled,
    );
    return { back: counted.reduce((total, { sums }) => total + beyondDollar(sums), back) };
  });
}

/** States a sum only if the outcomes of most markets are known. */
function gate(question: AccountsQuestion): Said | null {
  const { cameBack } = cameBackOf(question);
  const unknown = Number(cameBack?.withoutEnd.paidUsdc);
  return unknown > GATE * Number(cameBack?.paidUsdc) ? null : right(question);
}

function changed(question: AccountsQuestion, change: (said: Said) => Partial<Said>): Said | null {
  const said = right(question);
  return said && { ...said, ...change(said) };
}

/** Returns the outcome of each market that has an account. */
export function outcomesOf({
  accounts,
  settlementOf,
}: Pick<AccountsQuestion, 'accounts' | 'settlementOf'>) {
  return accounts.markets.flatMap((account) => {
    const sums = sumsOf(account);
    if (sums === null) return [];
    const settlement = settlementOf(account.market);
    const isSettled = account.settled !== undefined || settlement !== undefined;
    return [
      { market: account.market, sums, isSettled, outcome: outcomeOf(account, sums, settlement) },
    ];
  });
}

/** Returns the USDC that a market's pairs cost beyond a dollar each. */
function beyondDollar({ left }: Sums): number {
  const held = left.map(([, , shares, cost]) => ({ shares: Number(shares), cost: Number(cost) }));
  const [one, other] = held.filter(({ shares }) => shares > 0);
  if (one === undefined || other === undefined) return 0;
  const pairs = Math.min(one.shares, other.shares);
  return pairs * (one.cost / one.shares + other.cost / other.shares - 1);
}
