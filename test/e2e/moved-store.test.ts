import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { contents, spawnStore, storeKinds } from '../cli/store/stores.ts';
import { inMarket, trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { tradingOf } from './account.ts';
import { openFixture } from './fixture.ts';

const kinds = storeKinds();
/**
 * Of all pairs `test/cli/store` compares the documents; here it is one that differs as much as any.
 */
const [kind = 'SQLite'] = kinds.names.toReversed();

describe('the bot on a store that was moved', () => {
  it(
    `to ${kind} sends everything once, and does not start on the old one`,
    async () => {
      const url = await kinds.newStore(kind);
      const fixture = await openFixture();
      const { account, watch, play, settled } = tradingOf(fixture);
      await watch();
      await play();
      await settled();
      expect(await fixture.bot.stop()).toBe(0);
      // Discord has the message, the store does not know it yet: the copy must know that it is under
      // way.
      await fixture.startAndKillAt('post.answered:1', play);

      expect(
        await spawnStore(['copy', fixture.storeUrl, 'env:TO', '--retire'], { TO: url }),
      ).toMatchObject({
        exitCode: 0,
      });
      await play();
      const refused = fixture.startBot({}, { asProcess: true }).catch(() => {});
      const [exitCode] = await once(fixture.bot.process, 'close');
      await refused;
      expect(exitCode).toBe(78);
      await fixture.startBot({ STORE_URL: url });
      await settled();
      await play();
      await settled();
      expect(await fixture.bot.stop()).toBe(0);
      expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
    },
    within(90_000),
  );

  it(
    'for some shards goes on with the servers that are left, and leaves the others to the new one',
    async () => {
      const fixture = await openFixture();
      const { storeUrl: here } = fixture;
      const shard = Number((BigInt(fixture.guildId) >> 22n) % 2n);
      await fixture.say('watch add', { wallet: WALLET });
      await fixture.ledger.addActivity(WALLET, 1, trade());
      await fixture.alerted(1);
      await fixture.bot.stop();
      const there = await kinds.newStore();
      const moved = ['--shards', String(shard), '--of', '2', '--retire'];
      expect(await spawnStore(['copy', here, there, ...moved])).toMatchObject({ exitCode: 0 });
      await fixture.startBot({ SHARDS: `${1 - shard}/2` });
      expect(fixture.logLines.find(({ event }) => event === 'store.moved_dropped')).toMatchObject({
        documents: 6,
      });
      expect(fixture.logLines.find(({ event }) => event === 'store.loaded')).toMatchObject({
        watches: 0,
      });
      await fixture.bot.stop();
      expect(
        [...(await contents(here)).keys()].filter((key) => /^(wallet|schedule):0x/.test(key)),
      ).toEqual([]);
      await fixture.startBot({ STORE_URL: there, SHARDS: `${shard}/2` });
      expect(fixture.logLines.filter(({ event }) => event === 'store.moved_dropped')).toEqual([]);
      await fixture.ledger.addActivity(WALLET, 2, trade(inMarket(2)));
      await fixture.alerted(2);
      expect(fixture.alerts()).toHaveLength(2);
    },
    within(90_000),
  );
});
