import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { createBusiestPayers } from '../../../src/lib/fair-shares/busiest-payers.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { randomRuns } from '../../support/thorough.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

function openCounter() {
  const { log, lines } = collectingLog();
  const { sleep, pass } = createVirtualTime();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const busiest = createBusiestPayers(testMachine({ log, sleep }), {
    event: 'poll.busiest_payers',
  });
  void busiest.run(stopping.signal);
  const use = (payer: string, owner: string, amount?: number) =>
    busiest.count({ payer, owner, weight: 1 }, amount);
  return { lines, pass, use };
}

it('names the ten payers that used most, each with its busiest server, once in an hour in which something was used', async () => {
  const uses = fc.array(fc.tuple(fc.nat(15), fc.nat(3)), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(uses, async (hour) => {
      const { lines, pass, use } = openCounter();
      const counts = new Map<string, number>();
      for (const [payer, server] of hour) {
        counts.set(`p${payer}`, (counts.get(`p${payer}`) ?? 0) + 1);
        use(`p${payer}`, `s${payer}.${server}`);
      }
      await pass(HOUR_MS - 1);
      expect(lines).toEqual([]);
      await pass(1);
      await pass(3 * HOUR_MS);
      const [line, ...more] = lines;
      expect(more).toEqual([]);
      const most = [...counts.values()].toSorted((a, b) => b - a).slice(0, 10);
      const busiest = line?.['busiest'] as { payer: string; guild: string; count: number }[];
      expect(busiest.map(({ count }) => count)).toEqual(most);
      for (const { payer, guild, count } of busiest) {
        expect(counts.get(payer)).toBe(count);
        expect(guild.split('.')[0]).toBe(payer.replace('p', 's'));
        const ofServer = (id: string) => hour.filter((at) => `s${at[0]}.${at[1]}` === id).length;
        const others = hour.filter((at) => `p${at[0]}` === payer).map((at) => `s${at.join('.')}`);
        expect(ofServer(guild)).toBe(Math.max(...others.map(ofServer)));
      }
      expect(line).toMatchObject({
        event: 'poll.busiest_payers',
        total: hour.length,
        payers: counts.size,
      });
    }),
    randomRuns(60),
  );
});

it('adds up parts of a use, and begins each hour anew', async () => {
  const { lines, pass, use } = openCounter();
  for (let poll = 0; poll < 100; poll += 1) {
    use('one', 'a', 1 / 2);
    use('other', 'b', 1 / 2);
  }
  await pass(HOUR_MS);
  use('one', 'c');
  await pass(HOUR_MS);
  expect(lines).toMatchObject([
    {
      total: 100,
      busiest: [
        { payer: 'one', guild: 'a', count: 50 },
        { payer: 'other', guild: 'b', count: 50 },
      ],
    },
    { total: 1, busiest: [{ payer: 'one', guild: 'c', count: 1 }] },
  ]);
});
