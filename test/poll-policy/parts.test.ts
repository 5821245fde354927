import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCaution } from '../../src/poll-policy/caution.ts';
import { createLanes } from '../../src/poll-policy/lanes.ts';
import { createOrder } from '../../src/poll-policy/order.ts';
import { createRest } from '../../src/poll-policy/rest.ts';
import { createSleepers } from '../../src/poll-policy/sleepers.ts';
import { createSlots } from '../../src/poll-policy/slots.ts';
import { createSlotTable } from '../../src/poll-policy/table.ts';
import { ENDPOINT_NAMES } from '../../src/venue/schema.ts';
import { endpointOf } from '../bench/schedule-simulation.ts';

const SLOTS = 12;
const slots = fc.nat(SLOTS - 1);

describe('sleepers', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('sleep'), slot: slots, until: fc.nat(50) }),
    fc.record({ kind: fc.constant('remove'), slot: slots, until: fc.constant(0) }),
    fc.record({ kind: fc.constant('wake'), slot: fc.nat(SLOTS), until: fc.nat(50) }),
  );

  it('wake the first of those whose time has come, as many as may, whoever comes and goes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const sleepers = createSleepers();
        sleepers.reserve(SLOTS);
        const asleep = new Map<number, number>();
        const awake = new Set<number>();
        for (const { kind, slot, until } of steps) {
          if (kind === 'wake') {
            const due = [...asleep].filter(([, time]) => time <= until).sort(([, one], [, other]) => one - other);
            expect(sleepers.wakeDue(until, slot)).toBe(due.length <= slot);
            const woken = [...asleep.keys()].filter((sleeper) => sleepers.isAwake(sleeper));
            expect(woken.map((sleeper) => asleep.get(sleeper)).sort((one = 0, other = 0) => one - other)).toEqual(
              due.slice(0, slot).map(([, time]) => time),
            );
            for (const sleeper of woken) {
              asleep.delete(sleeper);
              awake.add(sleeper);
            }
          } else {
            asleep.delete(slot);
            awake.delete(slot);
            if (kind === 'sleep') {
              sleepers.sleep(slot, until);
              asleep.set(slot, until);
            } else sleepers.remove(slot);
          }
          expect(new Set(sleepers.awake.subarray(0, sleepers.awakeCount))).toEqual(awake);
          for (let each = 0; each < SLOTS; each += 1)
            expect(sleepers.has(each)).toBe(asleep.has(each) || awake.has(each));
        }
      }),
    );
  });
});

describe('sleepers removed from the middle', () => {
  it('leave those that take their place to wake in time', () => {
    const sleepers = createSleepers();
    sleepers.reserve(SLOTS);
    // As a heap: 1 over 10 and 2, 10 over 11 and 12, 2 over 3 and 4. The last one, 3, takes the place of 11.
    for (const [slot, until] of [1, 10, 2, 11, 12, 4, 3].entries()) sleepers.sleep(slot, until);
    sleepers.remove(3);
    sleepers.wakeDue(3, SLOTS);
    expect(new Set(sleepers.awake.subarray(0, sleepers.awakeCount))).toEqual(new Set([0, 2, 6]));
  });
});

describe('rest', () => {
  it('moves few slots at a time where many are due, says that it is behind, and comes to an end', () => {
    const slots = createSlots(100);
    const rest = createRest(slots, 8);
    for (let index = 0; index < 30; index += 1) {
      const slot = slots.table.insert(endpointOf(index).wallet, 'activity');
      slots.recount();
      slots.reserve();
      rest.reserve(slots.table.end);
      slots.columns.since[slot] = Number.NaN;
      slots.arrivals.clear(slot);
      rest.sleep(slot);
    }
    const awake: number[] = [];
    while (rest.awakeCount < 30) {
      rest.wake(0);
      awake.push(rest.awakeCount);
      expect(rest.asleepBelow).toBe(rest.awakeCount < 30 ? Number.POSITIVE_INFINITY : 0);
    }
    expect(awake).toEqual(Array.from({ length: 15 }, (_, turn) => 2 * turn + 2));
    // Once they have been polled and a price is known, all but as many as may be looked at go back to sleep.
    rest.paid(1000);
    slots.columns.since.fill(0);
    slots.columns.seen.fill(0);
    for (let turn = 0; turn < 11; turn += 1) rest.wake(0);
    expect(rest.awakeCount).toBe(8);
    expect(rest.asleepBelow).toBeLessThan(1000);
  });
});

describe('the lanes', () => {
  it('let what has waited too long go before what is about to overflow, and take turns before that', () => {
    const order = (waited: number) => {
      const lanes = createLanes();
      lanes.reset(4);
      lanes.special.offer(1, 5, 0);
      lanes.special.offer(2, 4, 0);
      lanes.overdue.offer(3, waited, 0);
      lanes.overdue.offer(4, waited - 1, 0);
      return lanes.drain(4, 50, true).slots;
    };
    expect(order(40)).toEqual([1, 3, 2, 4]);
    expect(order(60)).toEqual([3, 4, 1, 2]);
  });
});

describe('the order of picks', () => {
  it('is that of the last appends', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), slots), { maxLength: 60 }), (steps) => {
        const order = createOrder();
        order.reserve(SLOTS);
        let model: number[] = [];
        for (const [isAppend, slot] of steps) {
          model = model.filter((each) => each !== slot);
          if (isAppend) {
            model.push(slot);
            order.append(slot);
          } else order.remove(slot);
          const listed: number[] = [];
          for (let at = order.first(); at >= 0; at = order.after(at)) listed.push(at);
          expect(listed).toEqual(model);
        }
      }),
    );
  });
});

describe('the slots of wallets', () => {
  it('keep both endpoints of a wallet apart, and are used again once it is gone', () => {
    const table = createSlotTable();
    const { wallet } = endpointOf(1);
    const other = endpointOf(2).wallet;
    const taken = [table.insert(wallet, 'activity'), table.insert(wallet, 'deposits-withdrawals')];
    expect([table.find(wallet, 'activity'), table.find(wallet, 'deposits-withdrawals')]).toEqual(taken);
    expect(table.find(other, 'activity')).toBe(-1);
    expect(table.wallet(taken[1] ?? -1)).toBe(wallet);
    for (const slot of taken) table.release(slot);
    expect(() => table.wallet(taken[0] ?? -1)).toThrow(/holds no endpoint/);
    expect([table.find(wallet, 'activity'), table.count('activity'), table.count('deposits-withdrawals')]).toEqual([
      -1, 0, 0,
    ]);
    expect(taken).toContain(table.insert(other, 'deposits-withdrawals'));
    expect(table.find(other, 'activity')).toBe(-1);
    expect(table.end).toBe(2);
  });
});

describe('the slot table', () => {
  const wallets = fc.constantFrom(
    ...Array.from({ length: 24 }, (_, index) => endpointOf(0x9f00ff + index ** 7).wallet),
  );
  const change = fc.tuple(fc.boolean(), wallets, fc.constantFrom(...ENDPOINT_NAMES));

  it('finds exactly what was put in and not taken out, under the address that was put in', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const table = createSlotTable();
        const model = new Map<string, number>();
        for (const [isIn, wallet, name] of changes) {
          const key = `${wallet} ${name}`;
          const slot = model.get(key);
          expect(table.find(wallet, name)).toBe(slot ?? -1);
          if (isIn && slot === undefined) model.set(key, table.insert(wallet, name));
          if (!isIn && slot !== undefined) {
            table.release(slot);
            model.delete(key);
          }
          for (const [each, at] of model) {
            expect(each.startsWith(table.wallet(at))).toBe(true);
            expect(new Set(model.values()).size).toBe(model.size);
          }
          expect(ENDPOINT_NAMES.reduce((sum, each) => sum + table.count(each), 0)).toBe(model.size);
        }
        for (const name of ENDPOINT_NAMES) {
          for (let index = 0; index < 24; index += 1) {
            const { wallet } = endpointOf(0x9f00ff + index ** 7);
            expect(table.find(wallet, name)).toBe(model.get(`${wallet} ${name}`) ?? -1);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('caution', () => {
  /** After long calm, in a world in which overdue polls bring nothing. */
  const calm = (rounds = 1000) => {
    const caution = createCaution(100, 7);
    caution.pass(rounds);
    for (let poll = 0; poll < 20_000; poll += 1) caution.repaid(0, 0.01);
    return caution;
  };
  const burst = (items: number, seconds: number) => Array.from({ length: items }, (_, at) => (at * seconds) / items);

  it('tightens the cap to what would have fitted, when a burst comes out of silence, and relaxes in calm', () => {
    const caution = calm();
    expect(caution.rounds).toBe(7);
    caution.found(burst(60, 300), 1, 100);
    expect(caution.rounds).toBeGreaterThan(3);
    expect(caution.rounds).toBeLessThan(5);
    const tight = caution.rounds;
    caution.pass(5);
    expect(caution.rounds).toBeGreaterThan(tight);
  });

  it('relaxes within a few rounds where surprises are rare, hardly where every round brings one', () => {
    const relaxed = (everyRounds: number) => {
      const caution = calm(0);
      for (let round = 0; round < 60; round += 1) {
        if (round % everyRounds === 0) caution.found(burst(60, 100), 1, 100);
        caution.pass(1);
      }
      const before = caution.rounds;
      for (let round = 0; round < 5; round += 1) caution.pass(1);
      return { before, after: caution.rounds };
    };
    expect(relaxed(1).after).toBeLessThan(1.5);
    expect(relaxed(60).before).toBe(7);
  });

  it('does not mind bursts that were expected, nor small ones', () => {
    const caution = calm();
    caution.found(burst(90, 100), 70, 100);
    caution.found(burst(10, 1), 0, 100);
    caution.found([], 0, 100);
    expect(caution.rounds).toBe(7);
  });

  it('lets the longest wait grow while overdue polls bring less than others, and shrink while they bring more', () => {
    const caution = createCaution(100, 7);
    caution.pass(1000);
    const repay = (worth: number, rounds: number) => {
      for (let poll = 0; poll < 100 * rounds; poll += 1) caution.repaid(worth, 0.01);
    };
    const before = caution.rounds;
    repay(0.5, 5);
    expect(caution.rounds).toBeGreaterThan(before);
    repay(0, 100);
    expect(caution.rounds).toBe(7);
    caution.repaid(1e9, 0.01);
    expect(caution.rounds).toBeGreaterThan(5);
    repay(2, 100);
    expect(caution.rounds, 'a quarter of the polls and more is left for those that trade').toBeGreaterThan(1.33);
    expect(caution.rounds).toBeLessThan(1.5);
  });

  it('never asks for less than a fair round, and lets go of bursts that even that would lose', () => {
    const caution = calm();
    caution.found(burst(100, 400), 0, 1000);
    caution.found(burst(100, 0), 0, 400);
    expect(caution.rounds).toBe(7);
    caution.found(burst(90, 100), 0, 75);
    expect(caution.rounds).toBeGreaterThan(1);
    expect(caution.rounds).toBeLessThan(1.2);
  });
});
