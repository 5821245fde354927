import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import {
  type DetailsId,
  detailsId,
  groupsWithDetails,
  isInTarget,
  parseDetailsId,
  targetOf,
} from '../../src/details/target.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { anyActivity } from '../embeds/hostile-items.ts';
import { trade } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';

const LATEST_SECONDS = 99_999_999_999;
const digit = fc.constantFrom(...'0123456789abcdef');
const wallet = fc
  .array(digit, { minLength: 40, maxLength: 40 })
  .map((digits) => `0x${digits.join('')}` as WalletAddress);
const reference = fc
  .array(fc.constantFrom(...'abcdefghijkmnpqrstuvwxyz23456789'), { minLength: 8, maxLength: 8 })
  .map((letters) => letters.join(''));
const times = fc
  .tuple(fc.integer({ min: 0, max: LATEST_SECONDS }), fc.integer({ min: 0, max: LATEST_SECONDS }))
  .map(([a, b]) => ({ fromSeconds: Math.min(a, b), toSeconds: Math.max(a, b) }));
const plainTarget = fc
  .tuple(
    fc.integer({ min: 0, max: 10 ** 15 }).map(String),
    fc.constantFrom('Buy', 'Sell', 'Redeem'),
    fc.integer({ min: 0, max: 99 }),
    times,
  )
  .map(([marketId, action, outcomeIndex, span]) => ({ marketId, action, outcomeIndex, ...span }));

describe('the id of a Details button', () => {
  it('says which records its alert is about, and is read as it was written', () => {
    fc.assert(
      fc.property(wallet, reference, plainTarget, (address, name, target) => {
        const id: DetailsId = { wallet: address, reference: name, target };
        expect(detailsId(id).length).toBeLessThanOrEqual(100);
        expect(parseDetailsId(detailsId(id))).toEqual(id);
      }),
    );
  });

  it('stays within a hundred characters, and names the alert, whatever the venue writes', () => {
    // −0 is written as 0 is.
    const numbers = fc.double().map((number) => number + 0);
    const hostile = fc.record({
      marketId: fc.oneof(
        fc.string({ maxLength: 200 }),
        fc.string({ unit: 'grapheme' }),
        fc.constant('9'.repeat(78)),
      ),
      action: fc.oneof(fc.constantFrom('Buy', 'buy', 'Merge'), fc.string()),
      outcomeIndex: fc.oneof(fc.constantFrom(-1, 0, 1), fc.maxSafeNat(), numbers),
      fromSeconds: fc.nat(),
      toSeconds: fc.nat(),
    });
    fc.assert(
      fc.property(wallet, reference, fc.option(hostile), (address, name, target) => {
        const id = detailsId({ wallet: address, reference: name, target });
        expect(id.length).toBeLessThanOrEqual(100);
        const read = parseDetailsId(id);
        if (read === null) {
          // Times that no span has.
          expect(target === null || target.fromSeconds > target.toSeconds).toBe(true);
          return;
        }
        expect(read).toMatchObject({ wallet: address, reference: name });
        if (read.target !== null) expect(read.target).toEqual(target);
      }),
    );
  });

  it('is nothing else: whatever reads as one is written just so', () => {
    const damaged = fc
      .tuple(
        wallet,
        reference,
        plainTarget,
        fc.nat(99),
        fc.string({ minLength: 0, maxLength: 3 }),
        fc.nat(3),
      )
      .map(([address, name, target, at, put, cut]) => {
        const id = detailsId({ wallet: address, reference: name, target });
        return id.slice(0, at) + put + id.slice(at + cut);
      });
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 120 }), damaged), (text) => {
        const read = parseDetailsId(text);
        if (read !== null) expect(detailsId(read)).toBe(text);
      }),
      randomRuns(4_000),
    );
  });

  it('covers every record of its alert', () => {
    fc.assert(
      fc.property(fc.array(anyActivity, { minLength: 1, maxLength: 8 }), (items) => {
        const [model] = items;
        if (model === undefined) return;
        const { marketId, action, outcomeIndex } = model;
        // Redemptions of one alert may be of several outcomes.
        const outcomeOf = (item: ActivityItem) =>
          action === 'Redeem' ? item.outcomeIndex : outcomeIndex;
        const alike = items.map((item) => ({
          ...item,
          marketId,
          action,
          outcomeIndex: outcomeOf(item),
        }));
        const target = targetOf(alike.map((item, index) => alertOf(`a${index}`, item)));
        expect(alike.every((item) => target !== null && isInTarget(item, target))).toBe(true);
      }),
    );
  });
});

const alertOf = (id: string, item = trade()): Alert => ({
  id,
  wallet: `0x${'a'.repeat(40)}` as WalletAddress,
  channelId: '1',
  event: { kind: 'activity', item },
  seenAtMs: 0,
});

describe('the details of a message', () => {
  it('are offered for 20 alerts at the most, of what comes late for each market, outcome and action', () => {
    const alerts = Array.from({ length: 40 }, (_, index) =>
      alertOf(`a${index}`, trade({ marketId: String(index % 30), conditionId: `0x${index % 30}` })),
    ) as [Alert, ...Alert[]];
    const offered = groupsWithDetails([{ kind: 'late', alerts }]);
    expect(offered).toHaveLength(20);
    expect(offered.slice(0, 11).map((alerts) => alerts.length)).toEqual([
      ...Array.from({ length: 10 }, () => 2),
      1,
    ]);
    expect(groupsWithDetails([{ kind: 'alert', alerts }])).toHaveLength(1);
    const missed = {
      cause: 'overflow',
      endpoint: 'activity',
      fromSeconds: 1,
      toSeconds: 2,
    } as const;
    const gap: Alert = { ...alerts[0], event: { kind: 'gap', gap: missed } };
    expect(groupsWithDetails([{ kind: 'alert', alerts: [gap] }])).toEqual([]);
  });
});
