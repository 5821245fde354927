import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { seededRandom } from '../bench/schedule-random.ts';
import { type Policy, simulate } from '../bench/schedule-simulation.ts';
import { randomRuns } from '../support/thorough.ts';
import { activity, create } from './helpers.ts';

const ROUNDS = 40;

/** Eras in which some wallets trade in a row and then, when they are believed to, others do: the last who did, or anybody. */
const worlds = fc.record({
  wallets: fc.integer({ min: 5, max: 60 }),
  seed: fc.nat(1000),
  eras: fc.integer({ min: 1, max: 40 }),
  /** Of the wallets, in each era. */
  activeShare: fc.constantFrom(0, 0.05, 0.3, 1),
  recordsAnEra: fc.integer({ min: 1, max: 60 }),
  burst: fc.constantFrom(1, 5, 30),
  next: fc.constantFrom('anybody', 'others', 'in turn'),
});

/** Where records come: by wallet, times within so many seconds. */
function misleading(world: typeof worlds extends fc.Arbitrary<infer World> ? World : never, seconds: number) {
  const random = seededRandom(world.seed);
  const items = Array.from({ length: world.wallets }, () => [] as number[]);
  const active = Math.max(1, Math.round(world.activeShare * world.wallets));
  const rows = Math.max(world.eras * world.recordsAnEra, 400) / world.eras / world.burst;
  let first = 0;
  for (let era = 0; era < world.eras; era += 1) {
    if (world.next === 'in turn') first += active;
    else first = random.whole(world.wallets);
    for (let row = 0; row < rows; row += 1) {
      const among = world.next === 'others' && row % 2 === 1 ? world.wallets : active;
      const time = (seconds * (era + row / rows)) / world.eras;
      const wallet = (first + random.whole(among)) % world.wallets;
      for (let index = 0; index < world.burst; index += 1) items[wallet]?.push(Math.min(seconds - 1, time + index / 4));
    }
  }
  return items.map((times) => Float64Array.from(times).sort());
}

const inTurn = (): Policy => createSchedule({ isInTurn: true });

describe('records that come where nobody expects them', () => {
  it('are reported no more than 3 % and a round later than round-robin would, on average', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const seconds = ROUNDS * world.wallets;
        const tape = { items: misleading(world, seconds), watchedFrom: new Float64Array(world.wallets), seconds };
        const [fair, ours] = [simulate(tape, 1, inTurn()), simulate(tape, 1, create())];
        return ours.mean <= 1.03 * fair.mean + world.wallets;
      }),
      randomRuns(60),
    );
  });

  it('are so even where each comes just after a poll that was long in coming', () => {
    for (const wallets of [25, 60]) {
      // Round-robin's is a whole round: there is nothing later than that without leaving its order.
      expect(worstMean(create(), wallets)).toBeLessThanOrEqual(1.03 * worstMean(inTurn(), wallets));
    }
  });
});

/** Of six hundred records, one at each poll of an endpoint that has waited for a round or more. */
function worstMean(schedule: Policy, wallets: number): number {
  const waiting = new Map<string, number>();
  const polledAt = new Map<string, number>();
  const delays: number[] = [];
  for (let index = 0; index < wallets; index += 1) schedule.add(activity(index));
  for (let now = 1; delays.length < 600; now += 1) {
    const [endpoint] = schedule.pick(now, 1);
    if (endpoint === undefined) break;
    const { wallet } = endpoint;
    const since = waiting.get(wallet);
    waiting.delete(wallet);
    if (since !== undefined) delays.push(now - since);
    const times = since === undefined ? [] : [since];
    schedule.polled(endpoint, { atSeconds: now, freshTimesSeconds: times, pageTimesSeconds: times });
    if (now - (polledAt.get(wallet) ?? now) >= wallets) waiting.set(wallet, now);
    polledAt.set(wallet, now);
  }
  return delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
}
