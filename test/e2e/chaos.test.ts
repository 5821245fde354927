import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { HARMS, startChaosProxy } from '../support/chaos-proxy.ts';
import { seededRandom } from '../support/random.ts';
import { nowSeconds, trade, transfer } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { accountOf } from './account.ts';
import { messageChange, openFixture } from './fixture.ts';

const CHAOS_MS = 15_000;
const SEED = 7;

it(
  'sends everything once after a time in which venue and Discord were cut, slow, wrong and silent at random',
  async () => {
    const random = seededRandom(SEED);
    const fixture = await openFixture({ withoutBot: true });
    const toVenue = await startChaosProxy({
      target: fixture.venue.url,
      random,
      share: 0.3,
      harms: HARMS,
    });
    const toDiscord = await startChaosProxy({
      target: new URL(fixture.discord.apiUrl).origin,
      random,
      share: 0.3,
      harms: ['dropBefore', 'dropAfter', 'delay', 'cutBody', 'error500', 'error503', 'bare429'],
    });
    onTestFinished(async () => {
      await toVenue.close();
      await toDiscord.close();
    });
    const account = accountOf(fixture);
    // The watches are made in quiet: a person whose command fails would type it again.
    await fixture.startBot();
    const wallets = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`);
    for (const wallet of wallets) {
      account.watch(wallet, fixture.channelId, nowSeconds());
      await fixture.say('watch add', { wallet });
    }
    await fixture.bot.stop();
    await fixture.startBot(
      { VENUE_BASE_URL: toVenue.url, DISCORD_API_URL: `${toDiscord.url}/api` },
      { asProcess: true },
    );

    const endMs = Date.now() + CHAOS_MS;
    while (Date.now() < endMs) {
      const wallet = wallets[Math.floor(random() * wallets.length)] ?? '';
      const item = trade({ trader: wallet });
      const records = [
        { kind: 'activity', wallet, block: 1, item },
        // Now and then a twin, which a page that repeats an item must not be taken for, nor it for a
        // slip.
        ...(random() < 0.2 ? [{ kind: 'activity', wallet, block: 1, item } as const] : []),
        ...(random() < 0.3 ? [{ kind: 'transfer', wallet, item: transfer() } as const] : []),
      ] as const;
      await fixture.ledger.addAll(records);
      for (const record of records) account.expect(record);
      if (random() < 0.05) fixture.discord.faults.dropGateway();
      await delay(100 + random() * 400);
    }
    toVenue.calm();
    toDiscord.calm();
    const limit = AbortSignal.timeout(60_000);
    while (account.balance().lost > 0 && !limit.aborted) {
      await messageChange(fixture.discord, limit);
    }
    const { lost, duplicates, alerts, differences } = account.balance();
    expect(differences).toEqual([]);
    expect([lost, duplicates]).toEqual([0, 0]);
    expect(alerts).toBeGreaterThan(5);
    expect(toVenue.counts.size).toBeGreaterThan(8);
  },
  within(120_000),
);
