import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cooldownKey, groupAlerts, groupKey, purchaseKey, usdcOf } from '../../src/alerts/alert.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { sumUp } from '../../src/embeds/item-lines.ts';
import { marketKey, outcomeKey } from '../../src/portfolio/market.ts';
import { scaled, scaledText } from '../support/exact-oracle.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A } from '../support/wallets.ts';

const fillAlert = (id: string, changes: Partial<ActivityItem>) => ({
  id,
  wallet: WALLET_A,
  channelId: '1',
  event: { kind: 'activity', item: { ...sampleTrade(), ...changes } } as const,
  seenAtMs: 0,
});

const decimalScaled = (value: Decimal) => scaledText(value.toFixed(400));

const figure = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((micro) => micro / 1e6),
  fc.constantFrom(0.1, 0.2, 0.3, 1e-300, 5e-324),
);
const items = fc.array(
  fc
    .record({
      price: fc.oneof(
        fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
        fc.double({ min: 0, max: 100, noNaN: true }),
      ),
      quantity: figure.map(Math.abs),
      fee: figure,
      grossValue: figure,
      transferNetAmount: figure,
      txHash: fc.constantFrom('0xA', '0xa', '0xb', '0xc'),
      time: fc.integer({ min: 0, max: 2_000_000_000 }),
    })
    .map((changes): ActivityItem => ({ ...sampleTrade(), ...changes })),
  { minLength: 1, maxLength: 30 },
);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + scaled(value), 0n);

describe('the figures of a group', () => {
  it('are exact sums, whatever the fills', () => {
    fc.assert(
      fc.property(items, (fills) => {
        const format = sumUp(fills);
        expect(decimalScaled(format.shares)).toBe(sumOf(fills.map(({ quantity }) => quantity)));
        expect(decimalScaled(format.grossUsdc)).toBe(
          sumOf(fills.map(({ grossValue }) => grossValue)),
        );
        expect(decimalScaled(format.feeUsdc)).toBe(sumOf(fills.map(({ fee }) => fee)));
        expect(decimalScaled(format.netUsdc)).toBe(
          sumOf(fills.map(({ transferNetAmount }) => transferNetAmount)),
        );
        expect(format.fills).toBe(fills.length);
        const times = fills.map(({ time }) => time).toSorted((a, b) => a - b);
        expect([format.firstSeconds, format.lastSeconds]).toEqual([times[0], times.at(-1)]);
        expect(format.transactions).toBe(
          new Set(fills.map(({ txHash }) => txHash.toLowerCase())).size,
        );
        const turnover = usdcOf(fills.map((item) => fillAlert('x', item)));
        expect(turnover && decimalScaled(turnover)).toBe(
          sumOf(fills.map(({ transferNetAmount }) => Math.abs(transferNetAmount))),
        );
      }),
      randomRuns(1_000),
    );
  });

  it('count what the wallet moved, whichever way, and nothing where there is no amount', () => {
    const [bought, sold] = [
      fillAlert('a', { transferNetAmount: 0.1 }),
      fillAlert('b', { transferNetAmount: -0.2 }),
    ];
    const moved = {
      ...bought,
      event: { kind: 'transfer', item: { ...sampleTransfer(), amount: 0.3 } } as const,
    };
    const times = { fromSeconds: 1, toSeconds: 2 };
    const gap = {
      kind: 'gap',
      gap: { cause: 'overflow', endpoint: 'activity', ...times },
    } as const;
    const missing = { ...bought, event: gap };
    expect(usdcOf([missing, bought, sold, moved])?.toString()).toBe('0.6');
    expect(usdcOf([fillAlert('c', { transferNetAmount: 0 })])?.toString()).toBe('0');
    expect(usdcOf([missing])).toBeNull();
  });

  it('weigh the price by the volume, to the last of thirty digits', () => {
    fc.assert(
      fc.property(items, (fills) => {
        const { averageCents, lowestCents, highestCents } = sumUp(fills);
        const shares = sumOf(fills.map(({ quantity }) => quantity));
        if (shares === 0n) {
          expect(averageCents).toBeNull();
          return;
        }
        const weighted = fills.reduce(
          (sum, { price, quantity }) => sum + scaled(price) * scaled(quantity),
          0n,
        );
        // The average times the shares, against the sum of price times quantity: all times 10^1600.
        // An average of 50 digits may begin 950 places behind the point.
        const average = scaledText((averageCents as Decimal).toFixed(1200));
        const error = average * shares - weighted * 10n ** 800n;
        expect((error < 0n ? -error : error) * 10n ** 30n <= weighted * 10n ** 800n).toBe(true);
        expect(
          averageCents?.gte(lowestCents) || averageCents?.minus(lowestCents).abs().lt(1e-30),
        ).toBe(true);
        expect(
          averageCents?.lte(highestCents) || averageCents?.minus(highestCents).abs().lt(1e-30),
        ).toBe(true);
      }),
      randomRuns(800),
    );
  });
});

describe('fills belong together', () => {
  it('if wallet, market, outcome and action are the same, and nothing else does', () => {
    const others = [
      { conditionId: '0xd' },
      { positionSide: 'No' },
      { outcomeIndex: 1 },
      { tokenId: '5' },
    ];
    const apart = [...others, { action: 'Sell' }].map((changes, index) =>
      fillAlert(`b${index}`, changes),
    );
    const elsewhere = { ...fillAlert('c', {}), wallet: `0x${'b'.repeat(40)}` as WalletAddress };
    const transfers = ['t1', 't2'].map((id) => ({
      ...fillAlert(id, {}),
      event: { kind: 'transfer', item: sampleTransfer() } as const,
    }));
    const together = [
      fillAlert('a1', { price: 1 }),
      ...apart,
      fillAlert('a2', { marketTitle: 'Re-worded' }),
      elsewhere,
    ];
    const groups = groupAlerts([...together, ...transfers]).map((group) =>
      group.map(({ id }) => id),
    );
    expect(groups).toEqual([['a1', 'a2'], ...apart.map(({ id }) => [id]), ['c'], ['t1'], ['t2']]);
    // Each write of a channel's queue has them all.
    expect([...together, ...transfers].map((alert) => purchaseKey(alert)?.length)).toEqual([
      ...together.map(() => 12),
      undefined,
      undefined,
    ]);
  });
});

describe('redemptions', () => {
  it('of one market belong together, whatever their outcome', () => {
    const redeemed = { action: 'Redeem' };
    const all = [
      fillAlert('yes', redeemed),
      fillAlert('no', { ...redeemed, positionSide: 'No', outcomeIndex: 1, tokenId: '5' }),
      fillAlert('elsewhere', { ...redeemed, conditionId: '0xd' }),
    ];
    expect(groupAlerts(all).map((group) => group.map(({ id }) => id))).toEqual([
      ['yes', 'no'],
      ['elsewhere'],
    ]);
    expect(new Set(all.map(purchaseKey)).size).toBe(2);
  });
});

describe('which market and outcome a trade is of', () => {
  const id = (name: string) => fc.constantFrom('', `${name}1`, `${name}2`);
  const trade = fc
    .record({ tokenId: id('t'), conditionId: id('c'), marketId: id('m'), marketSlug: id('s') })
    .map((changes): ActivityItem => ({ ...sampleTrade(), ...changes }));

  it('is the same to alerts as to the book, whichever identifiers the venue leaves out; without any it is no other’s', () => {
    fc.assert(
      fc.property(trade, trade, (one, other) => {
        const [a, b] = [fillAlert('a', one), fillAlert('b', other)];
        const isSameMarket = marketKey(one) !== '' && marketKey(one) === marketKey(other);
        const key = cooldownKey(WALLET_A, a);
        expect(key !== null && key === cooldownKey(WALLET_A, b)).toBe(isSameMarket);
        const isSameOutcome = isSameMarket && outcomeKey(one) === outcomeKey(other);
        expect([groupKey(a) === groupKey(b), purchaseKey(a) === purchaseKey(b)]).toEqual([
          isSameOutcome,
          isSameOutcome,
        ]);
      }),
    );
  });
});
