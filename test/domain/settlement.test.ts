import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import {
  isContradicted,
  payoutOf,
  type Redemption,
  redemptionOf,
  settle,
} from '../../src/domain/settlement.ts';
import { sampleTrade } from '../support/records.ts';

const HOUR = 3_600;
const START = 480_000 * HOUR;
const DAY = 24 * HOUR;

const redeemed = (
  wallet: string,
  txHash: string,
  atSeconds: number,
  changes: Partial<ActivityItem> = {},
) => {
  const item = {
    ...sampleTrade(),
    action: 'Redeem',
    time: atSeconds,
    txHash,
    quantity: 100,
    grossValue: 100,
  };
  return redemptionOf({ ...item, ...changes }, wallet);
};
const said = (...of: Parameters<typeof redeemed>): Redemption => {
  const redemption = redeemed(...of);
  if (redemption === undefined) throw new Error('it says nothing');
  return redemption;
};
const NO = { tokenId: 'no', outcomeIndex: 1, positionSide: 'No' };

describe('a settlement', () => {
  it('needs two transactions, or one and an hour, and counts from the full hour', () => {
    const one = said('a', '0x1', START + 60);
    expect(settle([one], START + HOUR)).toBeNull();
    expect(settle([one], START + 2 * HOUR)).toMatchObject({ atSeconds: START + 2 * HOUR });
    const two = said('a', '0x2', START + 90);
    expect(settle([one, two], START + 99)).toBeNull();
    expect(settle([one, two], START + HOUR)).toMatchObject({ atSeconds: START + HOUR });
    expect(settle([one, said('b', '0X1', START + 60)], START + HOUR)).toBeNull();
  });

  it('of a fraction needs two wallets and two transactions, and says of other outcomes nothing until all is paid', () => {
    const half = { grossValue: 50 };
    const one = said('a', '0x1', START, half);
    expect(settle([one, said('a', '0x2', START, half)], START + DAY)).toBeNull();
    const paid = settle([one, said('b', '0x2', START, half)], START + DAY);
    const no = said('c', '0x3', START, { ...half, ...NO });
    expect(paid?.payouts).toEqual(new Map([[one.outcome, 0.5]]));
    expect(payoutOf({ payouts: paid?.payouts ?? new Map() }, no.outcome)).toBeUndefined();
    const whole = new Map([
      [one.outcome, 0.5],
      [no.outcome, 0.5],
    ]);
    expect(payoutOf({ payouts: whole }, 'another one')).toBe(0);
  });

  it('is none where redemptions contradict each other', () => {
    const yes = said('a', '0x1', START);
    const half = { grossValue: 50 };
    const contradictions = [
      [yes, said('b', '0x2', START, NO)],
      [yes, said('b', '0x3', START, half)],
      [yes, said('b', '0x3', START, { ...NO, ...half })],
      ['a', 'b'].flatMap((wallet) =>
        ['x', 'y'].map((tokenId) =>
          said(wallet, `0x${wallet}`, START, { tokenId, grossValue: 60 }),
        ),
      ),
    ];
    for (const redemptions of contradictions) {
      expect(isContradicted(redemptions)).toBe(true);
      expect(settle(redemptions, START + DAY)).toBeNull();
    }
  });

  it('comes from no record that lacks a name or a payout', () => {
    for (const changes of [
      { grossValue: 0 },
      { grossValue: 101 },
      { quantity: 0 },
      { conditionId: '' },
      { tokenId: '' },
      { outcomeIndex: -1 },
      { action: 'Sell' },
    ]) {
      expect(redeemed('a', '0x1', START, changes), JSON.stringify(changes)).toBeUndefined();
    }
  });

  it('does not depend on the order of its redemptions, and pays a dollar a share at the most', () => {
    const one = fc.record({
      wallet: fc.constantFrom('a', 'b', 'c'),
      txHash: fc.constantFrom('0x1', '0x2', '0x3'),
      atSeconds: fc.nat({ max: 3 * HOUR }).map((after) => START + after),
      tokenId: fc.constantFrom('x', 'y', 'z'),
      grossValue: fc.constantFrom(100, 100, 50, 25),
    });
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: DAY }),
        (records, afterSeconds) => {
          const redemptions = records.map(({ wallet, txHash, atSeconds, tokenId, grossValue }) =>
            said(wallet, txHash, atSeconds, { tokenId, grossValue }),
          );
          const settled = settle(redemptions, START + afterSeconds);
          expect(settle(redemptions.toReversed(), START + afterSeconds)).toEqual(settled);
          if (settled === null) return;
          const total = [...settled.payouts.values()].reduce((sum, payout) => sum + payout, 0);
          expect(total).toBeLessThanOrEqual(1);
          expect(settled.atSeconds % HOUR).toBe(0);
          expect(settled.atSeconds).toBeLessThanOrEqual(START + afterSeconds);
        },
      ),
    );
  });
});
