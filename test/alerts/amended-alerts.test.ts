import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { boughtFor, inMarket, soldFor } from '../support/records.ts';
import { A, CHANNEL, OTHER, type TestBot, watchingBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';

interface Held {
  readonly outcome: string;
  readonly held: Readonly<Record<string, unknown>>;
}

function positions(bot: TestBot): Held[] {
  const { portfolio } = bot.knowledge(A) as { portfolio: { positions: Held[] } };
  return portfolio.positions.map(({ outcome, held }) => ({ outcome, held }));
}

/** Volume bought and sold, of all times. */
function volume(bot: TestBot, name: 'bought' | 'sold'): number {
  const { portfolio } = bot.knowledge(A) as {
    portfolio: { volume: { sums: Record<string, string> }[] };
  };
  return portfolio.volume.reduce((total, { sums }) => total + Number(sums[name] ?? 0), 0);
}

describe('a trade that the venue changes', () => {
  it('is no alert, but a correction for the channels, and counts once in all that is known', async () => {
    const bot = await watchingBot();
    const seen = bot.trade(A, boughtFor(1_000, 500));
    await bot.poll(A);
    await bot.deliver(CHANNEL);
    bot.nowSeconds += 3_700;
    const newer = bot.trade(A, boughtFor(10, 5, inMarket('2')));
    await bot.poll(A);
    await bot.deliver(CHANNEL);
    bot.list(A, [{ ...seen, fee: 0.35, transferNetAmount: 500.35 }, newer]);
    await bot.poll(A);
    expect(bot.waiting(CHANNEL, 'activity')).toEqual([]);
    expect(bot.waiting(CHANNEL, 'amended')).toMatchObject([
      { before: { transferNetAmount: 500 }, item: { transferNetAmount: 500.35 } },
    ]);
    expect(positions(bot).map(({ held }) => held)).toContainEqual(
      expect.objectContaining({ shares: '1000', cost: '500.35' }),
    );
    expect(volume(bot, 'bought')).toBe(505);
    bot.restart();
    await bot.poll(A);
    expect(bot.waiting(CHANNEL, 'amended')).toHaveLength(1);
    // What is sold then is of a known position.
    await bot.see(A, soldFor(1_000, 600));
    expect(bot.waiting(CHANNEL, 'activity')).toMatchObject([
      { context: { sharesAfter: '0', realized: '99.65' } },
    ]);
  });

  it('is for nobody where only its label is filled in, and goes to no receiver', async () => {
    const bot = await watchingBot();
    bot.hasReceiver = true;
    const seen = bot.trade(A, boughtFor(1_000, 500, { liquidityRole: null }));
    await bot.poll(A);
    const { forReceivers } = JSON.parse(bot.disk.get(`wallet:${A}`) ?? '').state;
    expect(forReceivers.waiting).toHaveLength(1);
    bot.list(A, [{ ...seen, liquidityRole: 'TAKER' }]);
    await bot.poll(A);
    expect(bot.waiting(CHANNEL, 'amended')).toEqual([]);
    bot.list(A, [{ ...seen, liquidityRole: 'TAKER', transferNetAmount: 501 }]);
    await bot.poll(A);
    expect(bot.waiting(CHANNEL, 'amended')).toHaveLength(1);
    expect(JSON.parse(bot.disk.get(`wallet:${A}`) ?? '').state).toMatchObject({ forReceivers });
  });

  it('gives a channel that begins to watch the record as it is now', async () => {
    const bot = await watchingBot();
    const seen = bot.trade(A, boughtFor(1_000, 500));
    await bot.poll(A);
    await bot.deliver(CHANNEL);
    bot.list(A, [{ ...seen, quantity: 900 }]);
    await bot.poll(A);
    await bot.watch(A, OTHER, {}, seen.time - 1);
    expect(bot.waiting(OTHER, 'activity').map(({ item }) => item.quantity)).toEqual([900]);
  });

  it('leaves positions as if it had been so from the first, or leaves them unknown: whatever else was traded', async () => {
    const step = fc.record({
      isSale: fc.boolean(),
      shares: fc.integer({ min: 1, max: 50 }),
      part: fc.constantFrom(0.25, 0.5, 0.75),
      waitSeconds: fc.constantFrom(1, 20, 50, 300, 4_000),
    });
    const change = fc.record({
      pick: fc.nat(),
      shares: fc.integer({ min: 0, max: 9 }),
      usdc: fc.integer({ min: 0, max: 3 }),
    });
    let exact = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (steps, changes) => {
          const [bot, straight] = [await watchingBot(), await watchingBot()];
          const records: ActivityItem[] = [];
          // Nothing is sold that was not bought.
          const first = { isSale: false, shares: 1_000, part: 0.5, waitSeconds: 1 };
          for (const { isSale, shares, part, waitSeconds } of [first, ...steps]) {
            const usdc = shares * part;
            bot.nowSeconds += waitSeconds;
            records.push(bot.trade(A, isSale ? soldFor(shares, usdc) : boughtFor(shares, usdc)));
            await bot.poll(A);
          }
          for (const { pick, shares, usdc } of changes) {
            const place = pick % records.length;
            const record = records[place] as ActivityItem;
            records[place] = {
              ...record,
              quantity: record.quantity + shares,
              grossValue: record.grossValue + usdc,
              transferNetAmount: record.transferNetAmount + usdc / 2,
            };
            bot.list(A, records);
            await bot.poll(A);
          }
          const listed: ActivityItem[] = [];
          for (const record of records) {
            straight.nowSeconds = record.time;
            listed.push(record);
            straight.list(A, listed);
            await straight.poll(A);
          }
          expect(volume(bot, 'bought')).toBeCloseTo(volume(straight, 'bought'), 6);
          expect(volume(bot, 'sold')).toBeCloseTo(volume(straight, 'sold'), 6);
          const known = positions(bot);
          if (known.length === 0) return;
          exact += 1;
          expect(known).toEqual(positions(straight));
        },
      ),
      {
        ...randomRuns(60),
        examples: [
          [
            [{ isSale: true, shares: 10, part: 0.5, waitSeconds: 20 }],
            [{ pick: 0, shares: 5, usdc: 2 }],
          ],
          // An hour and more later: folded, with a sale and without one.
          [
            [
              { isSale: true, shares: 10, part: 0.5, waitSeconds: 20 },
              { isSale: false, shares: 5, part: 0.5, waitSeconds: 4_000 },
            ],
            [{ pick: 0, shares: 5, usdc: 2 }],
          ],
          [
            [
              { isSale: false, shares: 10, part: 0.5, waitSeconds: 20 },
              { isSale: false, shares: 5, part: 0.5, waitSeconds: 4_000 },
            ],
            [{ pick: 0, shares: 5, usdc: 2 }],
          ],
        ],
      },
    );
    expect(exact).toBeGreaterThan(1);
  });
});
