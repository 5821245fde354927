import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyPolledPage } from '../../src/feed/interface.ts';
import { A, CHANNEL, START, type TestBot, watchingBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';

const quantities = (bot: TestBot) =>
  bot
    .allWaiting(CHANNEL)
    .map(({ event }) => (event.kind === 'activity' ? event.item.quantity : event.kind));

describe('a page', () => {
  it('with a row that cannot be read says so to its channels, once, and makes no position of what is not known', async () => {
    const bot = await watchingBot();
    await bot.take(bot.pageOf(A, 1));
    bot.trade(A, { quantity: 1 });
    await bot.take(bot.pageOf(A, 2));
    const unreadable = [
      { identity: 'row', fromSeconds: bot.nowSeconds - 1, toSeconds: bot.nowSeconds - 1 },
    ];
    bot.trade(A, { quantity: 2 });
    for (const pollId of [3, 4]) await bot.take(bot.pageOf(A, pollId, { unreadable }));
    bot.restart();
    await bot.take(bot.pageOf(A, 5, { unreadable }));
    expect(quantities(bot)).toEqual([1, 'gap', 2]);
    expect(bot.gaps).toEqual(['activity']);
    const [, notice, next] = bot.allWaiting(CHANNEL).map(({ event }) => event);
    expect(notice).toMatchObject({
      gap: { cause: 'unclear', toSeconds: unreadable[0]?.toSeconds },
    });
    expect(next).toMatchObject({ kind: 'activity' });
    expect(next).not.toHaveProperty('context');
  });

  it('that begins after the first trade does not count as the wallet’s whole history', async () => {
    for (const fromSeconds of [null, START]) {
      const bot = await watchingBot();
      bot.trade(A, { quantity: 1 });
      await bot.take(bot.pageOf(A, 1, { fromSeconds }));
      const [event] = bot.waiting(CHANNEL, 'activity');
      expect(event !== undefined && 'context' in event).toBe(fromSeconds === null);
    }
  });

  it('gives its alerts once, however often it or an older one comes again, over restarts too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ trades: fc.nat({ max: 3 }), again: fc.array(fc.nat(), { maxLength: 3 }) }),
          {
            maxLength: 8,
          },
        ),
        async (rounds) => {
          const bot = await watchingBot();
          const pages: AnyPolledPage[] = [];
          const expected: number[] = [];
          for (const [index, { trades, again }] of rounds.entries()) {
            for (let trade = 0; trade < trades; trade += 1) {
              expected.push(expected.length + 1);
              bot.trade(A, { quantity: expected.length });
            }
            const page = bot.pageOf(A, 10 + index);
            pages.push(page);
            await bot.take(page);
            for (const pick of again) await bot.take(pages[pick % pages.length] ?? page);
            if (again.length === 2) bot.restart();
          }
          expect(quantities(bot)).toEqual(expected);
        },
      ),
      randomRuns(40),
    );
  });

  it('that was taken says again whether something on it is open', async () => {
    const bot = await watchingBot();
    const item = bot.trade(A, { quantity: 5 });
    bot.trade(A, { ...item });
    const page = bot.pageOf(A, 7);
    expect(await bot.take(page)).toEqual({ isOpen: true, pollId: 7 });
    expect(await bot.take(page)).toEqual({ isOpen: true, pollId: 7 });
    // An older one says beyond which number the next page has to be.
    expect(await bot.take(bot.pageOf(A, 6))).toMatchObject({ pollId: 7 });
    // The twin needs two more pages: one that comes again confirms nothing.
    expect(quantities(bot)).toEqual([5]);
    await bot.take(bot.pageOf(A, 8));
    expect(quantities(bot)).toEqual([5]);
    await bot.take(bot.pageOf(A, 9));
    expect(quantities(bot)).toEqual([5, 5]);
  });

  it('that is given up is announced as a gap, and the next one goes on', async () => {
    const bot = await watchingBot();
    bot.trade(A, { quantity: 1 });
    await bot.take(bot.pageOf(A, 1));
    bot.trade(A, { quantity: 2 });
    await bot.abandon(bot.pageOf(A, 2));
    bot.trade(A, { quantity: 3 });
    await bot.take(bot.pageOf(A, 3));
    expect(quantities(bot)).toEqual([1, 'gap', 2, 3]);
    expect(bot.gaps).toEqual(['activity']);
  });
});
