import { outcomeOf, type Sums, sumsOf } from '../../../src/portfolio/accounts/account.ts';
import {
  type AccountsQuestion,
  type CameBack,
  cameBackOf,
} from '../../../src/portfolio/came-back.ts';

/** A sum as it is said of a wallet. USDC. */
export interface Said {
  /** D, Unix seconds. */
  readonly untilSeconds: number;
  readonly paid: number;
  readonly back: number;
  readonly sign: CameBack['sign'];
}

/** Says a sum, or none. */
export type Answer = (question: AccountsQuestion) => Said | null;

/** Part of the cost without a known end up to which a gate shows a sum. */
const GATE = 0.25;

/** What is said: by the bot (`right`), else by rules that are false. */
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

/** Counts for a pair what it had cost. */
function pairsAtCost(question: AccountsQuestion): Said | null {
  return changed(question, ({ untilSeconds, back }) => {
    const counted = outcomesOf(question).filter(
      ({ sums, isSettled }) => sums.firstSeconds <= untilSeconds && !isSettled,
    );
    return { back: counted.reduce((total, { sums }) => total + beyondDollar(sums), back) };
  });
}

/** Says a sum only where the ends of most are known. */
function gate(question: AccountsQuestion): Said | null {
  const { cameBack } = cameBackOf(question);
  const unknown = Number(cameBack?.withoutEnd.paidUsdc);
  return unknown > GATE * Number(cameBack?.paidUsdc) ? null : right(question);
}

function changed(question: AccountsQuestion, change: (said: Said) => Partial<Said>): Said | null {
  const said = right(question);
  return said && { ...said, ...change(said) };
}

/** What became of each market that has an account of its own. */
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

/** USDC by which the pairs of a market had cost more than a dollar each. */
function beyondDollar({ left }: Sums): number {
  const held = left.map(([, , shares, cost]) => ({ shares: Number(shares), cost: Number(cost) }));
  const [one, other] = held.filter(({ shares }) => shares > 0);
  if (one === undefined || other === undefined) return 0;
  const pairs = Math.min(one.shares, other.shares);
  return pairs * (one.cost / one.shares + other.cost / other.shares - 1);
}
