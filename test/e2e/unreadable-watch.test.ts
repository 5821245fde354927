import { describe, expect, it } from 'vitest';
import { surveyStore } from '../../src/app/documents/kinds.ts';
import { closing, inspectStore } from '../../src/store/store.ts';
import { documentOf, runStore, writeStore } from '../cli/store/stores.ts';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

const OTHER = `0x${'b'.repeat(40)}`;

describe('a watch that cannot be read', () => {
  it('is told to its channel, and once mended has all that was known and what waited, or gives way to a new one', async () => {
    const fixture = await openFixture();
    const { storeUrl: url } = fixture;
    const watchKey = `watch:${fixture.channelId}:${WALLET}`;
    const settings = { wallet: WALLET, label: 'Whale', 'min-usdc': 100 };
    await fixture.say('watch add', settings);
    await fixture.ledger.addActivity(WALLET, 1, trade({ ...inMarket(1), quantity: 1_000 }));
    await fixture.alerted(1);
    // Below the minimum: it waits for others of its purchase.
    await fixture.ledger.addActivity(
      WALLET,
      2,
      trade({ ...inMarket(2), quantity: 2, transferNetAmount: 1.3 }),
    );
    await fixture.logged('poll.fresh');
    await untilWaiting(url);
    await fixture.bot.stop();
    const watch = (await documentOf(url, watchKey)) as Record<string, unknown>;
    const { sinceSeconds, ...damaged } = watch;
    await writeStore(url, [[watchKey, damaged]]);

    await fixture.startBot();
    expect(await fixture.logged('store.quarantined')).toMatchObject({ key: watchKey });
    expect(fixture.logLines.filter(({ event }) => event === 'store.loaded').at(-1)).toMatchObject({
      damaged: 1,
      unreadableWatches: 1,
    });
    await fixture.alerted(2);
    expect(fixture.lines().at(-1)).toMatch(
      /^0x5aAe.*no alerts for now, its settings can’t be read$/,
    );
    await fixture.bot.stop();
    // Another start neither tells it again nor forgets what waits.
    await fixture.startBot();
    await fixture.bot.stop();
    expect(await waiting(url)).toBe(1);

    const refused = await runStore(['quarantine', 'restore', watchKey], { STORE_URL: url });
    expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('sinceSeconds') });
    await writeStore(url, [[`quarantine:${watchKey}`, { ...watch, settings: {} }]]);
    const restored = await runStore(['quarantine', 'restore', watchKey], { STORE_URL: url });
    expect(restored).toMatchObject({ exitCode: 0, errors: '' });
    expect(await documentOf(url, `quarantine:${watchKey}`)).toBeUndefined();

    await fixture.startBot();
    await fixture.alerted(3);
    expect(fixture.lines().at(-1)).toMatch(/^Whale BUY 2 Yes/);
    // It is added to the purchase of before, whose message the channel's queue knows.
    await fixture.ledger.addActivity(
      WALLET,
      3,
      trade({ ...inMarket(1), time: nowSeconds() + 1, quantity: 5 }),
    );
    await fixture.until(() => JSON.stringify(fixture.alerts()[0]).includes('1,005 shares'));
    expect(fixture.logLines.filter(({ event }) => event === 'store.quarantined')).toEqual([]);

    // Another one gives way to a new watch.
    const otherKey = `watch:${fixture.channelId}:${OTHER}`;
    await fixture.say('watch add', { wallet: OTHER });
    await fixture.bot.stop();
    await writeStore(url, [[otherKey, {}]]);
    await fixture.startBot();
    await fixture.alerted(4);
    expect(
      JSON.stringify(await fixture.say('watch add', { wallet: OTHER, label: 'Again' })),
    ).toContain('Again');
    await fixture.trades(trade({ trader: OTHER, time: nowSeconds() + 1 }));
    await fixture.alerted(5);
    expect(fixture.lines().at(-1)).toMatch(/^Again BUY/);
    await fixture.bot.stop();
    const inPlace = await runStore(['quarantine', 'restore', otherKey], { STORE_URL: url });
    expect(inPlace).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('cannot be read'),
    });
  });
});

async function waiting(url: string): Promise<number> {
  const { waitingAlerts } = await closing(inspectStore(url), surveyStore);
  return waitingAlerts;
}

async function untilWaiting(url: string): Promise<void> {
  while ((await waiting(url)) === 0) await new Promise((resolve) => setImmediate(resolve));
}
