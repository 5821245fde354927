import type { ActivityItem } from '../../src/domain/records.ts';
import type { Portfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { sampleTrade } from '../support/records.ts';

/** A trade as tests draw it. `outcome`: the number of its market, then 1 for Yes or 2 for No. */
export interface DrawnFill {
  readonly outcome: string;
  readonly action: string;
  readonly quantity: number;
  readonly cents: number;
  /** USDC. */
  readonly fee?: number;
}

/**
 * Its record, with amounts of at most six decimals, as USDC has.
 *
 * @param n tells it from the wallet's other records
 */
export function fillOf(
  { outcome, action, quantity, cents, fee = 0 }: DrawnFill,
  time: number,
  n: number,
): ActivityItem {
  const usdc = (dollars: number) => Math.round(dollars * 1_000_000) / 1_000_000;
  const grossValue = usdc((quantity * cents) / 100);
  const isNo = outcome.endsWith('2');
  return {
    ...sampleTrade(),
    time,
    action,
    quantity,
    fee,
    grossValue,
    price: cents,
    txHash: `0x${n}`,
    tokenId: outcome,
    conditionId: `0x${outcome.slice(0, -1)}`,
    marketTitle: `Market ${outcome.slice(0, -1)}`,
    positionSide: isNo ? 'No' : 'Yes',
    outcomeIndex: isNo ? 1 : 0,
    transferNetAmount: usdc(action === 'Buy' ? grossValue + fee : fee - grossValue),
  };
}

/** Adds what a page shows at the time of its newest record. */
export function addPage(
  portfolio: Portfolio,
  ...items: readonly ActivityItem[]
): ReturnType<typeof addActivity> {
  return addActivity(portfolio, items, Math.max(...items.map(({ time }) => time)));
}
