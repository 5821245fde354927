import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/lib/fair-shares/account.ts';
import { createRecentUse } from '../../../src/lib/fair-shares/recent-use.ts';
import { randomRuns } from '../../support/thorough.ts';

/**
 * Uses between owners `payer/number`.
 *
 * @param weights of payers, 1 unless said
 */
function useBetween(owners: readonly string[], weights: Readonly<Record<string, number>> = {}) {
  const accountOf = (owner: string): Account => {
    const [payer = owner] = owner.split('/');
    return { payer, owner, weight: weights[payer] ?? 1 };
  };
  return createRecentUse({
    accountOf,
    owners: () => owners,
    isPresent: (owner) => owners.includes(owner),
  });
}

/**
 * Charges uses as they come: each has so many times the demand of another, and is served only while
 * not held.
 */
function servedByUse(
  owners: ReadonlyMap<string, number>,
  uses: number,
  weights: Readonly<Record<string, number>> = {},
) {
  const use = useBetween([...owners.keys()], weights);
  const used = new Map<string, number>();
  const waiting = new Map([...owners.keys()].map((owner) => [owner, 0]));
  for (let turn = 0; turn < uses; turn += 1) {
    for (const [owner, demand] of owners) waiting.set(owner, (waiting.get(owner) ?? 0) + demand);
    const most = (isIncluded: (owner: string) => boolean) =>
      [...waiting].filter(([owner]) => isIncluded(owner)).sort((a, b) => b[1] - a[1])[0];
    const [owner = ''] = most((each) => !use.isThrottled(each)) ?? most(() => true) ?? [];
    waiting.set(owner, 0);
    use.charge([owner]);
    // The first ones only show who floods.
    if (turn >= uses / 2) used.set(owner, (used.get(owner) ?? 0) + 1);
  }
  const total = uses - Math.ceil(uses / 2);
  return (payer: string) =>
    [...used].reduce(
      (sum, [owner, count]) => sum + (owner.split('/')[0] === payer ? count / total : 0),
      0,
    );
}

describe('who has used more than a fair share', () => {
  it('is the payer, whatever it owns: an honest server keeps half beside a flood of any number of servers', () => {
    const [servers, demands] = [fc.integer({ min: 1, max: 60 }), fc.integer({ min: 5, max: 50 })];
    fc.assert(
      fc.property(servers, demands, (length, demand) => {
        const flood = Array.from({ length }, (_, index) => [`flood/${index}`, demand] as const);
        const shareOf = servedByUse(new Map([...flood, ['honest/0', 1]]), 2_000);
        expect(shareOf('honest')).toBeGreaterThan(0.4);
      }),
      randomRuns(80),
    );
  });

  it('is each of several payers, down to equal shares, and by weights', () => {
    const flood = (count: number) =>
      Array.from({ length: count }, (_, index) => [`${index}/0`, 50] as const);
    for (const count of [1, 2, 5, 9]) {
      const shareOf = servedByUse(new Map([...flood(count), ['honest/0', 1]]), 4_000);
      expect(shareOf('honest')).toBeGreaterThan(0.7 / (count + 1));
    }
    const heavy = servedByUse(new Map([...flood(1), ['honest/0', 1]]), 4_000, { 0: 3 });
    expect(heavy('0')).toBeCloseTo(0.75, 1);
  });

  it('is within a payer the owner that floods, beside others and alone: it leaves the others of its payer half', () => {
    for (const others of [['honest/0'], []]) {
      const use = useBetween(['given/flood', 'given/modest', ...others]);
      const held = { flood: 0, modest: 0 };
      for (let turn = 0; turn < 2_000; turn += 1) {
        const other = others[0] ?? 'given/flood';
        const next = use.isThrottled('given/flood') ? other : 'given/flood';
        use.charge([turn % 10 === 0 ? 'given/modest' : next]);
        held.flood += Number(use.isThrottled('given/flood'));
        held.modest += Number(use.isThrottled('given/modest'));
      }
      expect(held.flood).toBeGreaterThan(500);
      expect(held.modest).toBeLessThan(0.1 * held.flood);
    }
  });

  it('takes the use of a server along when it is given to somebody else', () => {
    let payer = 'before';
    const owners = ['server', 'other'];
    const use = createRecentUse({
      accountOf: (owner) => ({ payer: owner === 'server' ? payer : owner, owner, weight: 1 }),
      owners: () => owners,
      isPresent: () => true,
    });
    for (let turn = 0; turn < 200; turn += 1) use.charge(['server']);
    payer = 'after';
    for (let turn = 0; turn < 5; turn += 1) use.charge(['server']);
    expect(use.isThrottled('server')).toBe(true);
  });

  it('is nobody who is alone, nor where nobody takes more than half', () => {
    const alone = useBetween(['only/0']);
    for (let turn = 0; turn < 300; turn += 1) expect(alone.charge(['only/0'])).toEqual([]);
    const modest = useBetween(['a/0', 'b/0', 'c/0']);
    const pattern = 'abcabacabc';
    for (let turn = 0; turn < 300; turn += 1)
      modest.charge([`${pattern[turn % pattern.length]}/0`]);
    expect(['a/0', 'b/0', 'c/0'].some(modest.isThrottled)).toBe(false);
  });

  it('costs at most 40 steps a charge with 10 payers and with 10,000, whether one of them floods or not', () => {
    for (const payers of [10, 10_000]) {
      for (const isFlooded of [false, true]) {
        const owners = Array.from({ length: payers }, (_, index) => `${index}/0`);
        for (let server = 0; server < 100; server += 1) owners.push(`flood/${server}`);
        const present = new Set(owners);
        const use = createRecentUse({
          accountOf: (owner) => ({ payer: owner.split('/')[0] ?? owner, owner, weight: 1 }),
          owners: () => owners,
          isPresent: (owner) => present.has(owner),
        });
        const charges = 20_000;
        for (let turn = 0; turn < charges; turn += 1) {
          const isFloods = isFlooded && turn % 3 > 0;
          use.charge([isFloods ? `flood/${turn % 100}` : `${turn % payers}/0`]);
        }
        expect(use.steps / charges).toBeLessThanOrEqual(40);
      }
    }
  });
});
