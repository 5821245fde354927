import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, fill, runStore } from '../cli/store/stores.ts';
import {
  type Fixture,
  inMarket,
  messageChange,
  nowSeconds,
  openFixture,
  trade,
  WALLET,
  WALLET_SHOWN,
} from './fixture.ts';

const storeOf = ({ directory }: Fixture) => `sqlite://${join(directory, 'data', 'bot.sqlite')}`;
const linesOf = (fixture: Fixture) => fixture.alerts().map(({ line }) => line);

describe('a watch that cannot be read', () => {
  it('is told to its channel, and once mended has all that was known and what waited', async () => {
    const fixture = await openFixture();
    const url = storeOf(fixture);
    const watchKey = `watch:${fixture.channelId}:${WALLET}`;
    const settings = { wallet: WALLET, label: 'Whale', 'min-usdc': 100 };
    await (await fixture.discord.command(fixture.admin, fixture.channelId, 'watch add', settings)).reply();
    await fixture.ledger.addActivity(WALLET, 1, trade({ ...inMarket(1), quantity: 1_000 }));
    await fixture.alerted(1);
    // Below the minimum: it waits for others of its purchase.
    await fixture.ledger.addActivity(WALLET, 2, trade({ ...inMarket(2), quantity: 2, transferNetAmount: 1.3 }));
    await fixture.logged('poll.fresh');
    await untilWaiting(url);
    await fixture.bot.stop();
    const watch = (await documentOf(url, watchKey)) as Record<string, unknown>;
    const { sinceSeconds, ...damaged } = watch;
    await fill(url, [[watchKey, damaged]]);

    await fixture.startBot();
    expect(await fixture.logged('store.quarantined')).toMatchObject({ key: watchKey });
    expect(fixture.logLines.filter(({ event }) => event === 'store.loaded').at(-1)).toMatchObject({
      damaged: 1,
      unreadableWatches: 1,
    });
    await fixture.alerted(2);
    expect(linesOf(fixture).at(-1)).toMatch(/^0x5aAe.*no alerts for now, its settings can’t be read$/);
    await fixture.bot.stop();
    // Another start neither tells it again nor forgets what waits.
    await fixture.startBot();
    await fixture.bot.stop();
    expect(await waiting(url)).toBe(1);

    const refused = await runStore(['quarantine', 'restore', watchKey], { STORE_URL: url });
    expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('sinceSeconds') });
    await fill(url, [[`quarantine:${watchKey}`, { ...watch, settings: {} }]]);
    const restored = await runStore(['quarantine', 'restore', watchKey], { STORE_URL: url });
    expect(restored).toMatchObject({ exitCode: 0, errors: '' });
    expect(await documentOf(url, `quarantine:${watchKey}`)).toBeUndefined();

    await fixture.startBot();
    await fixture.alerted(3);
    expect(linesOf(fixture).at(-1)).toMatch(/^Whale BUY 2 Yes/);
    // It is added to the purchase of before, whose message the channel's queue knows.
    await fixture.ledger.addActivity(WALLET, 3, trade({ ...inMarket(1), time: nowSeconds() + 1, quantity: 5 }));
    while (!JSON.stringify(fixture.alerts()[0]).includes('1,005 shares')) await messageChange(fixture.discord);
    expect(fixture.logLines.filter(({ event }) => event === 'store.quarantined')).toEqual([]);
  });

  it('gives way to a new one, and its channel to its own end', async () => {
    const fixture = await openFixture();
    const url = storeOf(fixture);
    const watchKey = `watch:${fixture.channelId}:${WALLET}`;
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    await fixture.bot.stop();
    await fill(url, [[watchKey, { version: 1 }]]);
    await fixture.startBot();
    await fixture.alerted(1);
    expect(JSON.stringify(await fixture.say('watch add', { wallet: WALLET_SHOWN, label: 'Again' }))).toContain('Again');
    await fixture.ledger.addActivity(WALLET, 1, trade({ time: nowSeconds() + 1 }));
    await fixture.alerted(2);
    expect(linesOf(fixture).at(-1)).toMatch(/^Again BUY/);
    await fixture.bot.stop();
    const inPlace = await runStore(['quarantine', 'restore', watchKey], { STORE_URL: url });
    expect(inPlace).toMatchObject({ exitCode: 1, errors: expect.stringContaining('cannot be read') });
  });
});

async function waiting(url: string): Promise<number> {
  return ((await documentOf(url, `wallet:${WALLET}`)) as { outbox: unknown[] }).outbox.length;
}

async function untilWaiting(url: string): Promise<void> {
  while ((await waiting(url)) === 0) await new Promise((resolve) => setImmediate(resolve));
}
