import type { ActivityItem } from '../../src/domain/records.ts';
import { inOrder } from './oracle.ts';

/** How a market ended, as far as anybody was told. */
export type OracleEnd = 'none' | 'yes' | 'no' | 'half of yes' | 'contradicted';

/** Cents. */
interface Share {
  cost: number;
}

/** Dollars that a share of Yes and one of No got; undefined: not known. */
const PAYOUTS: Readonly<Record<OracleEnd, readonly [yes?: number, no?: number]>> = {
  none: [],
  yes: [1, 0],
  no: [0, 1],
  'half of yes': [0.5],
  contradicted: [],
};

/**
 * What a wallet's records in one market come to, by holding each share in the hand: whole shares
 * alone, each of which is sold, redeemed, paired, paid at the end, or left. All that is left of an
 * outcome costs the same. Amounts are cents: what was paid and what came back are whole numbers of
 * them, so that a gain of nothing is 0, and no rounding of dollars.
 *
 * @param items in any order, at whole cents a share and without fees; the first of them in time is
 *   a purchase
 */
export function handOf(items: readonly ActivityItem[], end: OracleEnd) {
  const hand: readonly [yes: Share[], no: Share[]] = [[], []];
  let paid = 0;
  let back = 0;
  for (const { action, outcomeIndex, quantity, transferNetAmount } of items.toSorted(inOrder)) {
    const own = hand[outcomeIndex === 0 ? 0 : 1];
    for (let nth = 0; nth < quantity; nth += 1) {
      const each = Math.round(transferNetAmount * 100) / quantity;
      if (action === 'Buy') {
        own.push({ cost: each });
        paid += each;
      } else if (own.pop() !== undefined) back -= each;
    }
    const average = own.reduce((total, { cost }) => total + cost, 0) / own.length;
    for (const share of own) share.cost = average;
  }
  const held = costOf(hand.flatMap((own, index) => (PAYOUTS[end][index] === undefined ? own : [])));
  const isKnown = PAYOUTS[end].length === 2;
  while (!isKnown && hand.every((own) => own.length > 0)) {
    for (const own of hand) own.pop();
    back += 100;
  }
  const left: Share[] = [];
  for (const [index, own] of hand.entries()) {
    const payout = PAYOUTS[end][index];
    if (payout === undefined) left.push(...own);
    else back += own.length * payout * 100;
  }
  const firstSeconds = Math.min(...items.map(({ time }) => time));
  return {
    firstSeconds,
    paid,
    back,
    held,
    sharesWithoutEnd: left.length,
    paidWithoutEnd: costOf(left),
  };
}

function costOf(shares: readonly Share[]): number {
  return shares.reduce((total, { cost }) => total + cost, 0);
}
