import { setTimeout as delay } from 'node:timers/promises';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { startVenue } from '@walletbell/venue-server/venue';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import { createVenueClient, type Lookups } from '../../src/venue/client.ts';
import { createBudget } from '../../src/venue/rate-limit/budget.ts';
import { settingsSchema } from '../../src/watches/watch-settings.ts';
import { quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { inMarket, sampleTrade } from '../support/records.ts';
import { A, CHANNEL, START, TestBot } from '../support/test-bot.ts';
import { within } from '../support/thorough.ts';

const NOW = Math.floor(Date.now() / 1000);

/**
 * A bot that watches a wallet of which the first page did not show the past, and a real venue that
 * has all of it.
 */
async function openWorld(limit = 60_000, isDown = false) {
  const log = quietLog();
  const ledger = await openLedger({ path: ':memory:' });
  const venue = await startVenue({ ledger, keys: [{ ...DEMO_KEY, limit }], log });
  const machine = testMachine({ random: () => 0 });
  const budget = createBudget(machine, { share: 1 });
  const client = createVenueClient(machine, { baseUrl: venue.url, apiKey: DEMO_KEY.key, budget });
  const stopping = new AbortController();
  onTestFinished(async () => {
    stopping.abort();
    await client.close();
    await venue.close();
    await ledger.close();
  });
  const bot = new TestBot();
  bot.nowSeconds = NOW;
  await bot.watch(A, CHANNEL);
  await bot.take(bot.pageOf(A, 1, { hasMore: true }));
  const asked: (readonly string[])[] = [];
  const lookups: Lookups = {
    ...client,
    activity(wallet, filters, options) {
      asked.push(filters.marketIds ?? []);
      if (isDown) return Promise.reject(new Error('the venue is down'));
      return client.activity(wallet, filters, options);
    },
  };
  let block = 0;
  const list = (...items: ActivityItem[]) =>
    ledger.addAll(
      items.map((item) => {
        block += 1;
        return { kind: 'activity' as const, wallet: A, block, item };
      }),
    );
  return {
    bot,
    asked,
    /** What the wallet did before it was watched, in one market. */
    past: (id: number, count: number) =>
      list(
        ...Array.from({ length: count }, (_, n) => ({
          ...sampleTrade(),
          ...inMarket(`${id}`),
          trader: A,
          quantity: 1,
          txHash: `0x${id}f${n}`,
          time: START + n,
        })),
      ),
    /** Buys one share in each market, which the bot sees at once. */
    async buy(...ids: number[]) {
      const items = ids.map((id) => bot.trade(A, { ...inMarket(`${id}`), quantity: 1 }));
      await list(...items);
      await bot.poll(A);
    },
    learnWindow: () => client.transfers(A, {}, { priority: 'poller' }),
    start: () =>
      void bot.askPositions({
        feed: { lookups, availability: createVenueAvailability(machine, () => {}), budget },
        sleep: (_, signal) => delay(5, undefined, { signal }).catch(() => {}),
        signal: stopping.signal,
      }),
    open: () => (bot.knowledge(A)['questions'] as readonly unknown[]).length,
    shares: () =>
      bot
        .waiting(CHANNEL, 'activity')
        .flatMap(({ item, context }) =>
          context === undefined ? [] : [[item.marketId, context.sharesBefore, context.sharesAfter]],
        ),
  };
}

describe('asking the venue what a wallet did in a market', { timeout: within(60_000) }, () => {
  it('takes ten markets in one request, and reads each alone where together they have too many pages', async () => {
    const { asked, past, buy, learnWindow, start, open, shares } = await openWorld();
    await past(1, 600);
    await past(2, 150);
    await learnWindow();
    await buy(...Array.from({ length: 12 }, (_, n) => n + 1));
    start();
    await expect.poll(open, { timeout: 30_000 }).toBe(0);
    expect(asked[0]).toHaveLength(10);
    expect(asked.slice(0, 5).every((ids) => ids.length === 10)).toBe(true);
    expect(asked.filter((ids) => ids.join() === '1')).toHaveLength(7);
    expect(asked.at(-1)).toEqual(['11', '12']);
    expect(shares()).toHaveLength(12);
    expect(shares()).toEqual(
      expect.arrayContaining([
        ['1', '600', '601'],
        ['2', '150', '151'],
        ['12', '0', '1'],
      ]),
    );
  });

  it('gives a market up that has more than two thousand trades, and does not ask for it again', async () => {
    const { asked, past, buy, learnWindow, start, open, shares } = await openWorld();
    await past(1, 2_050);
    await learnWindow();
    await buy(1);
    start();
    await expect.poll(open, { timeout: 30_000 }).toBe(0);
    expect(asked).toHaveLength(20);
    await buy(1);
    await buy(2);
    await expect.poll(shares, { timeout: 30_000 }).toEqual([['2', '0', '1']]);
    expect(asked).toHaveLength(21);
  });

  it('says by an answer which positions a channel was told nothing of, though it wanted none of their first purchases', async () => {
    const { bot, past, buy, learnWindow, start, open } = await openWorld();
    await past(2, 3);
    await learnWindow();
    await bot.change(A, CHANNEL, { settings: settingsSchema.parse({ kinds: ['sell'] }) });
    await buy(1);
    await buy(2);
    expect(open()).toBe(0);
    await bot.change(A, CHANNEL, { settings: settingsSchema.parse({ kinds: ['opens'] }) });
    await buy(1, 2, 3);
    start();
    await expect.poll(open, { timeout: 30_000 }).toBe(0);
    const waiting = () => bot.allWaiting(CHANNEL).map((alert) => bot.isUnannounced(alert));
    // The second was opened before the watch began.
    expect(waiting()).toEqual([true, false, true]);
    await bot.deliver(CHANNEL);
    await buy(1, 2, 3);
    expect(waiting()).toEqual([false, false, false]);
  });

  it('has its channels look again at once when the venue has not answered', async () => {
    const { bot, asked, buy, learnWindow, start } = await openWorld(60_000, true);
    await learnWindow();
    await buy(1);
    bot.announced.length = 0;
    start();
    await expect.poll(() => asked.length).toBe(1);
    await expect.poll(() => bot.announced).toEqual([CHANNEL]);
  });

  it('waits until it is known what is left of the window, and asks for nothing where that is too little', async () => {
    const { bot, asked, buy, learnWindow, start, open, shares } = await openWorld();
    await buy(1);
    start();
    await bot.idle();
    expect([asked.length, open()]).toEqual([0, 1]);
    await learnWindow();
    await expect.poll(shares, { timeout: 30_000 }).toEqual([['1', '0', '1']]);
    const small = await openWorld(9);
    await small.learnWindow();
    await small.buy(1);
    small.start();
    await small.bot.idle();
    expect([small.asked.length, small.open()]).toEqual([0, 1]);
  });
});
