import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { createVenueAvailability, reportingAvailability } from '../../src/feed/availability.ts';
import { createVenueClient } from '../../src/venue/client.ts';
import { createBudget } from '../../src/venue/rate-limit/budget.ts';
import { startHostileVenue } from '../support/hostile-venue.ts';
import { testMachine } from '../support/machine.ts';
import { sampleTrade } from '../support/records.ts';
import { A, B, CHANNEL, START, TestBot } from '../support/test-bot.ts';
import { createVirtualTime } from '../support/virtual-time.ts';
import { walletOfDigit } from '../support/wallets.ts';

const MINUTE_MS = 60_000;

/**
 * A bot that has seen the first pages of wallets, which had more before, and a venue that lists one
 * older record of each.
 */
async function openWorld(digits = 'ab') {
  const venue = await startHostileVenue();
  onTestFinished(venue.close);
  venue.activity = [{ ...sampleTrade(), time: START - 86_400 }];
  const time = createVirtualTime();
  const machine = testMachine({ random: () => 0 });
  const budget = createBudget(machine, { share: 1 });
  const client = createVenueClient(machine, { baseUrl: venue.url, apiKey: 'key', budget });
  onTestFinished(client.close);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const availability = createVenueAvailability(machine, () => {});
  const bot = new TestBot();
  for (const wallet of Array.from(digits, walletOfDigit)) {
    await bot.watch(wallet, CHANNEL);
    await bot.take(bot.pageOf(wallet, 1, { hasMore: true }));
  }
  const asking = new Set<Promise<unknown>>();
  const lookups = reportingAvailability(client, availability);
  const activity: typeof lookups.activity = (...call) => {
    const page = lookups.activity(...call);
    asking.add(page);
    return page.finally(() => asking.delete(page));
  };
  /** Time stands still while the venue is asked. */
  const pass = (ms: number) =>
    time.pass(ms, async () => {
      for (let calm = 0; calm < 5; calm += 1) {
        if (asking.size > 0) calm = 0;
        await Promise.allSettled(asking);
        await turn();
      }
    });
  return {
    bot,
    venue,
    budget,
    pass,
    isRead: (wallet: WalletAddress) => bot.knowledge(wallet)['unread'] === null,
    /** Digits of the wallets of which the venue was asked for trades, in turn. */
    asked: () =>
      venue.requests.map((request) => /0x(.).*\/activity/.exec(request)?.[1] ?? '').join(''),
    /** Says what is left of the window: 600 requests in a minute. */
    poll: () => client.transfers(A, {}, { priority: 'poller' }),
    start() {
      void bot.readBack({
        feed: { lookups: { ...lookups, activity }, availability, budget },
        sleep: time.sleep,
        signal: stopping.signal,
      });
    },
  };
}

describe('reading back', () => {
  it('begins once it is known what is left of the window, and keeps to a fiftieth of it', async () => {
    const { budget, asked, poll, start, isRead, pass } = await openWorld();
    start();
    await pass(10 * MINUTE_MS);
    expect(asked()).toBe('');
    await poll();
    await pass(1_000);
    expect([asked(), isRead(A), isRead(B)]).toEqual(['a', true, false]);
    await pass(3_000);
    expect(asked()).toBe('a');
    await pass(3_000);
    expect([asked(), isRead(B)]).toEqual(['ab', true]);
    expect(budget.snapshot().used).toEqual({ person: 0, background: 2, poller: 1 });
  });

  it('goes on with the others while a wallet cannot be read, which comes again after a minute', async () => {
    const { venue, asked, poll, start, isRead, pass } = await openWorld();
    venue.moodOf = (request) =>
      request.includes(A) && request.includes('/activity') ? 'garbage' : undefined;
    await poll();
    start();
    await pass(50_000);
    expect([asked(), isRead(A), isRead(B)]).toEqual(['ab', false, true]);
    venue.moodOf = () => undefined;
    await pass(15_000);
    expect([asked(), isRead(A)]).toEqual(['aba', true]);
  });

  it('begins anew where the wallet was removed and added again meanwhile: what lies between is read, too', async () => {
    const { bot, venue, asked, poll, start, isRead, pass } = await openWorld('a');
    const addAgain = async () => {
      await bot.registry.remove(CHANNEL, A);
      bot.nowSeconds += 60;
      await bot.watch(A, CHANNEL);
      await bot.take(bot.pageOf(A, 2, { hasMore: true }));
    };
    await poll();
    venue.delayOf = () => {
      venue.delayOf = () => undefined;
      return addAgain();
    };
    start();
    await pass(1_000);
    expect([asked(), isRead(A)]).toEqual(['a', false]);
    await pass(10_000);
    expect([asked(), isRead(A)]).toEqual(['aa', true]);
    expect(venue.requests.at(-1)).toContain(String(START + 59));
  });

  it('tries a wallet that cannot be read again after all the others', async () => {
    const { venue, asked, poll, start, pass } = await openWorld('abcdef0123456789');
    venue.moodOf = (request) => (request.includes(`${A}/activity`) ? 'garbage' : undefined);
    await poll();
    start();
    await pass(2 * MINUTE_MS);
    expect(asked()).toMatch(/^abcdef0123456789a/);
  });

  it('asks nothing while the venue refuses the key', async () => {
    const { venue, asked, poll, start, pass } = await openWorld();
    await poll();
    venue.mood = 'unauthorized';
    start();
    await pass(10 * MINUTE_MS);
    expect(asked()).toBe('a');
  });
});
