import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTurns, type Waiter } from '../../../src/lib/fair-shares/turns.ts';
import {
  createWindowShares,
  type WindowShares,
} from '../../../src/lib/fair-shares/window-shares.ts';
import { accountOf } from '../../support/accounts.ts';

/**
 * All of these wait all the time, at the beginning of a window, and are served as long as they may
 * have more.
 */
function servedInWindow(shares: WindowShares, waiting: readonly string[], left: number) {
  const turns = createTurns<Waiter>();
  const usedBy = new Map<string, number>();
  for (const owner of waiting) {
    turns.add({ account: accountOf(owner), lane: '' });
    shares.waits(accountOf(owner), 1);
  }
  for (let rest = left; ; rest -= 1) {
    const next = rest < 1 ? null : turns.take((account) => shares.mayHaveMore(account, rest, 1));
    if (next === null) {
      for (const owner of waiting) shares.waits(accountOf(owner), -1);
      return { rest, usedBy };
    }
    const { account } = next;
    shares.count(account, 1);
    usedBy.set(account.owner, (usedBy.get(account.owner) ?? 0) + 1);
    turns.add({ account, lane: '' });
  }
}

/** Whether somebody who begins to wait now may have one. */
function mayHaveOne(shares: WindowShares, owner: string, left: number): boolean {
  shares.waits(accountOf(owner), 1);
  return left >= 1 && shares.mayHaveMore(accountOf(owner), left, 1);
}

const greedyOnes = fc
  .integer({ min: 1, max: 6 })
  .map((count) => Array.from({ length: count }, (_, n) => `greedy ${n}`));
const windows = fc.integer({ min: 10, max: 400 });

describe('look-ups shared between payers', () => {
  it.each(['', '@'])(
    'leave a newcomer as much as each greedy one has, once it was turned away (ids begin with "%s")',
    (sign) => {
      fc.assert(
        fc.property(greedyOnes, windows, (names, window) => {
          const greedy = names.map((name) => sign + name);
          const shares = createWindowShares();
          const first = servedInWindow(shares, greedy, window);
          expect(mayHaveOne(shares, `${sign}newcomer`, first.rest)).toBe(first.rest > 0);
          shares.waits(accountOf(`${sign}newcomer`), -1);
          shares.restart();
          const kept = servedInWindow(shares, greedy, window).rest;
          const parts = greedy.length + 1;
          expect(kept).toBeGreaterThanOrEqual(Math.floor(window / parts));
          expect(kept).toBeLessThanOrEqual(Math.floor((window + greedy.length) / parts));
        }),
      );
    },
  );

  it('are as many for all persons together as for a server, and are shared fairly among them', () => {
    const persons = fc
      .integer({ min: 2, max: 12 })
      .map((count) => Array.from({ length: count }, (_, n) => `@${n}`));
    fc.assert(
      fc.property(greedyOnes, persons, windows, (greedy, greedyPersons, window) => {
        const shares = createWindowShares();
        const { rest, usedBy } = servedInWindow(shares, [...greedyPersons, ...greedy], window);
        const usedEach = (ids: readonly string[]) => ids.map((id) => usedBy.get(id) ?? 0);
        const ofPersons = usedEach(greedyPersons);
        const together = ofPersons.reduce((sum, used) => sum + used, 0);
        expect(together).toBeLessThanOrEqual(Math.min(...usedEach(greedy)) + 1);
        expect(Math.max(...ofPersons) - Math.min(...ofPersons)).toBeLessThanOrEqual(1);
        // Of a window that is large enough a further person finds some as well.
        const isLarge = window >= 300 && greedy.length <= 3 && greedyPersons.length <= 3;
        if (isLarge) expect(mayHaveOne(shares, '@newcomer', rest)).toBe(true);
      }),
    );
  });

  it('are in proportion to weights', () => {
    const shares = createWindowShares();
    const heavy = { payer: 'heavy', owner: 'heavy', weight: 3 };
    const light = accountOf('light');
    for (const account of [heavy, light]) shares.waits(account, 1);
    const used = { heavy: 0, light: 0 };
    for (let left = 200; left > 0; left -= 1) {
      if (shares.mayHaveMore(heavy, left, 1)) {
        shares.count(heavy, 1);
        used.heavy += 1;
      } else if (shares.mayHaveMore(light, left, 1)) {
        shares.count(light, 1);
        used.light += 1;
      }
    }
    expect(used.heavy).toBeGreaterThan(2 * used.light);
  });

  it('are all of a server that is alone', () => {
    fc.assert(
      fc.property(
        windows,
        (window) => servedInWindow(createWindowShares(), ['only'], window).rest === 0,
      ),
    );
  });
});
