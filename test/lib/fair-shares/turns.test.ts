import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTurns, type Waiter } from '../../../src/lib/fair-shares/turns.ts';

/** A waiter `payer/owner/lane`. */
function waiter(path: string, weight = 1): Waiter {
  const [payer = '', owner = payer, lane = ''] = path.split('/');
  return { account: { payer, owner, weight }, lane };
}

/**
 * Serves `count` turns; each that was served waits again at once.
 *
 * @returns payers in the order of their turns
 */
function servedInTurn(waiters: readonly Waiter[], count: number): Waiter[] {
  const turns = createTurns<Waiter>();
  for (const each of waiters) turns.add(each);
  const served: Waiter[] = [];
  while (served.length < count) {
    const next = turns.take();
    if (next === null) break;
    served.push(next);
    turns.add({ ...next });
  }
  return served;
}

const countsBy = (served: readonly Waiter[], keyOf: (waiter: Waiter) => string) => {
  const counts = new Map<string, number>();
  for (const each of served) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return counts;
};

const worlds = fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(3)), {
  minLength: 1,
  maxLength: 40,
});

describe('turns', () => {
  it('are equal between payers, whatever they own, and within a payer between its owners', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const waiters = world.map(([payer, owner, lane]) =>
          waiter(`p${payer}/p${payer}o${owner}/${lane}`),
        );
        const payers = new Set(waiters.map(({ account }) => account.payer));
        const rounds = 60;
        const served = servedInTurn(waiters, payers.size * rounds);
        for (const count of countsBy(served, ({ account }) => account.payer).values())
          expect(Math.abs(count - rounds)).toBeLessThanOrEqual(1);
        for (const payer of payers) {
          const own = served.filter(({ account }) => account.payer === payer);
          const byOwner = [...countsBy(own, ({ account }) => account.owner).values()];
          expect(Math.max(...byOwner) - Math.min(...byOwner)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('keep a newcomer waiting for one turn of each other payer at the most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(100), (payers, before) => {
        const turns = createTurns<Waiter>();
        const flood = (payer: number) => turns.add(waiter(`flood${payer}/s/c`));
        for (let payer = 0; payer < payers; payer += 1)
          for (let times = 0; times < 20; times += 1) flood(payer);
        for (let times = 0; times < Math.min(before, payers * 10); times += 1) turns.take();
        const newcomer = waiter('newcomer');
        turns.add(newcomer);
        let turnsBefore = 0;
        while (turns.take() !== newcomer) turnsBefore += 1;
        expect(turnsBefore).toBeLessThanOrEqual(2 * payers);
      }),
    );
  });

  it('are in proportion to weights', () => {
    const some = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(some, (weights) => {
        const waiters = weights.map((weight, index) => waiter(`p${index}`, weight));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const served = servedInTurn(waiters, total * 10);
        const counts = countsBy(served, ({ account }) => account.payer);
        for (const [index, weight] of weights.entries()) {
          const off = (counts.get(`p${index}`) ?? 0) - weight * 10;
          expect(Math.abs(off)).toBeLessThanOrEqual(weight);
        }
      }),
    );
  });

  it('lose and double nobody, whoever leaves and comes back meanwhile', () => {
    const kinds = fc.constantFrom('add', 'add', 'remove', 'take');
    const step = fc.tuple(kinds, fc.nat(3), fc.nat(2), fc.nat(1));
    const steps = fc.array(step, { maxLength: 200 });
    fc.assert(
      fc.property(steps, (world) => {
        const turns = createTurns<Waiter>();
        const waiting = new Set<Waiter>();
        for (const [step, payer, owner, lane] of world) {
          const [oldest] = waiting;
          if (step === 'add') {
            const next = waiter(`p${payer}/p${payer}o${owner}/${lane}`);
            turns.add(next);
            waiting.add(next);
          } else if (step === 'remove' && oldest !== undefined) {
            turns.remove(oldest);
            waiting.delete(oldest);
          } else {
            const taken = turns.take();
            expect(taken === null).toBe(waiting.size === 0);
            if (taken !== null) expect(waiting.delete(taken)).toBe(true);
          }
          expect(turns.size).toBe(waiting.size);
        }
      }),
    );
  });

  it('pass over who may not have one, and keep their place', () => {
    const turns = createTurns<Waiter>();
    const held = waiter('first');
    const other = waiter('second');
    turns.add(held);
    turns.add(other);
    expect(turns.take(({ payer }) => payer !== 'first')).toBe(other);
    expect(turns.take(({ payer }) => payer !== 'first')).toBeNull();
    turns.add(waiter('second'));
    expect(turns.take()).toBe(held);
  });

  it('take at most 40 comparisons beside 10,000 payers, and forget whoever has left', () => {
    for (const payers of [10, 10_000]) {
      const turns = createTurns<Waiter>();
      for (let payer = 0; payer < payers; payer += 1) turns.add(waiter(`p${payer}`));
      const before = turns.steps;
      for (let count = 0; count < payers; count += 1)
        turns.add({ ...(turns.take() ?? waiter('none')) });
      expect((turns.steps - before) / payers).toBeLessThanOrEqual(40);
      for (let count = 0; count < 2 * payers; count += 1) turns.take();
      for (let count = 0; count < 4 * payers; count += 1) {
        turns.add(waiter('last'));
        turns.take();
      }
      expect(turns.nodes).toBeLessThan(20);
    }
  });
});
