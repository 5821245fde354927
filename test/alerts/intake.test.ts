import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { AnyPolledPage } from '../../src/feed/interface.ts';
import { randomRuns } from '../support/thorough.ts';
import { START, TestBot } from './bot.ts';

const WALLET = `0x${'1'.repeat(40)}` as WalletAddress;
const CHANNEL = '200000000000000001';

const quantities = (bot: TestBot) =>
  bot.allWaiting(CHANNEL).map(({ event }) => (event.kind === 'activity' ? event.item.quantity : event.kind));

describe('a page', () => {
  it('with a row that cannot be read says so to its channels, once, and makes no position of what is not known', async () => {
    const bot = new TestBot();
    await bot.watch(WALLET, CHANNEL);
    await bot.take(bot.pageOf(WALLET, 1));
    bot.trade(WALLET, { quantity: 1 });
    await bot.take(bot.pageOf(WALLET, 2));
    const unreadable = [{ identity: 'row', fromSeconds: bot.nowSeconds - 1, toSeconds: bot.nowSeconds - 1 }];
    bot.trade(WALLET, { quantity: 2 });
    for (const pollId of [3, 4]) await bot.take(bot.pageOf(WALLET, pollId, { unreadable }));
    bot.restart();
    await bot.take(bot.pageOf(WALLET, 5, { unreadable }));
    expect(quantities(bot)).toEqual([1, 'gap', 2]);
    expect(bot.gaps).toEqual(['activity']);
    const [, notice, next] = bot.allWaiting(CHANNEL).map(({ event }) => event);
    expect(notice).toMatchObject({ gap: { cause: 'unclear', toSeconds: unreadable[0]?.toSeconds } });
    expect(next).toMatchObject({ kind: 'activity' });
    expect(next).not.toHaveProperty('context');
  });

  it('that begins after the first trade does not count as the wallet’s whole history', async () => {
    for (const fromSeconds of [null, START]) {
      const bot = new TestBot();
      await bot.watch(WALLET, CHANNEL);
      bot.trade(WALLET, { quantity: 1 });
      await bot.take(bot.pageOf(WALLET, 1, { fromSeconds }));
      const [event] = bot.waiting(CHANNEL, 'activity');
      expect(event !== undefined && 'context' in event).toBe(fromSeconds === null);
    }
  });

  it('gives its alerts once, however often it or an older one comes again, over restarts too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ trades: fc.nat({ max: 3 }), again: fc.array(fc.nat(), { maxLength: 3 }) }), {
          maxLength: 8,
        }),
        async (rounds) => {
          const bot = new TestBot();
          await bot.watch(WALLET, CHANNEL);
          const pages: AnyPolledPage[] = [];
          const expected: number[] = [];
          for (const [index, { trades, again }] of rounds.entries()) {
            for (let trade = 0; trade < trades; trade += 1) {
              expected.push(expected.length + 1);
              bot.trade(WALLET, { quantity: expected.length });
            }
            const page = bot.pageOf(WALLET, 10 + index);
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
    const bot = new TestBot();
    await bot.watch(WALLET, CHANNEL);
    const item = bot.trade(WALLET, { quantity: 5 });
    bot.trade(WALLET, { ...item });
    const page = bot.pageOf(WALLET, 7);
    expect(await bot.take(page)).toEqual({ isOpen: true });
    expect(await bot.take(page)).toEqual({ isOpen: true });
    // The twin needs two more pages: one that comes again confirms nothing.
    expect(quantities(bot)).toEqual([5]);
    await bot.take(bot.pageOf(WALLET, 8));
    expect(quantities(bot)).toEqual([5]);
    await bot.take(bot.pageOf(WALLET, 9));
    expect(quantities(bot)).toEqual([5, 5]);
  });

  it('that is given up is announced as a gap, and the next one goes on', async () => {
    const bot = new TestBot();
    await bot.watch(WALLET, CHANNEL);
    bot.trade(WALLET, { quantity: 1 });
    await bot.take(bot.pageOf(WALLET, 1));
    bot.trade(WALLET, { quantity: 2 });
    await bot.abandon(bot.pageOf(WALLET, 2));
    bot.trade(WALLET, { quantity: 3 });
    await bot.take(bot.pageOf(WALLET, 3));
    expect(quantities(bot)).toEqual([1, 'gap', 2, 3]);
    expect(bot.gaps).toEqual(['activity']);
  });
});
