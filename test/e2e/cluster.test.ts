import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STREAM } from '../../src/feed/nats/stream.ts';
import { backUpSqlite } from '../../src/store/sqlite.ts';
import { transfer } from '../support/records.ts';
import { type DatabaseServer, hasNats, PASSWORD, startNats } from '../support/servers.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { tradingOf } from './account.ts';
import { type FixtureOptions, openFixture, type StartOptions } from './fixture.ts';

describe.skipIf(!hasNats)('a feed and a bot over NATS', () => {
  let nats: DatabaseServer;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats?.stop());

  /** A server whose feed and bot are two processes. */
  const openCluster = async (options: FixtureOptions = {}) => {
    const url = await nats.newStore();
    const environment = { NATS_URL: url, HTTP_PORT: '0' };
    const fixture = await openFixture({ ...options, withoutBot: true, environment });
    const trading = tradingOf(fixture);
    const storeUrl = (name: string) =>
      `sqlite://${join(fixture.directory, 'data', `${name}.sqlite`)}`;
    const startFeed = async (how: StartOptions = {}, environment: Record<string, string> = {}) => {
      await fixture.startBot(
        { ROLE: 'feed', STORE_URL: storeUrl('feed'), ...environment },
        { until: 'http.listening', ...how },
      );
      return { process: fixture.bot, lines: [...fixture.logLines] };
    };
    const startBot = async (how: StartOptions = {}) => {
      await fixture.startBot({ ROLE: 'bot', VENUE_BASE_URL: '', VENUE_API_KEY: '' }, how);
      return fixture.bot;
    };
    return { fixture, url, storeUrl, startFeed, startBot, ...trading };
  };

  it('bring alerts, look-ups and status as one process does', async () => {
    const { fixture, account, startFeed, startBot, play, settled, watch } = await openCluster();
    const feed = await startFeed({ asProcess: true });
    const bot = await startBot({ asProcess: true });
    await fixture.logged('feed.heard');
    await play();
    const answer = await fixture.say('activity', { wallet: WALLET });
    expect(JSON.stringify(answer.embeds)).toContain('Will it rain in Paris?');
    await watch();
    await play();
    await settled();
    const moved = { kind: 'transfer', wallet: WALLET, block: 99, item: transfer() } as const;
    await fixture.ledger.addAll([moved]);
    account.expect(moved);
    await settled();
    expect(account.balance()).toMatchObject({ lost: 0, duplicates: 0 });
    // What the feed says of itself comes once a second.
    expect(await fixture.readiness(({ ready }) => ready)).toMatchObject({ role: 'bot' });
    expect(await bot.stop()).toBe(0);
    expect(await feed.process.stop()).toBe(0);
    expect(JSON.stringify([...feed.lines, ...fixture.logLines])).not.toContain('planted');
  });

  it(
    'lose and double nothing when either is killed, when NATS is, and when its stream is deleted',
    async () => {
      const { account, url, startFeed, startBot, play, settled, watch } = await openCluster();
      let feed = await startFeed({ asProcess: true });
      let bot = await startBot({ asProcess: true });
      await watch();
      await play();
      await settled();

      await bot.kill();
      await play();
      bot = await startBot();
      await settled();

      await feed.process.kill();
      await play();
      feed = await startFeed();
      await settled();

      await nats.kill();
      await play();
      await nats.start();
      await settled();

      const [, host = ''] = url.split('@');
      const connection = await connect({ servers: host, user: 'bell', pass: PASSWORD });
      await (await jetstreamManager(connection)).streams.delete(STREAM);
      await connection.close();
      await play();
      await settled();
      expect(account.balance()).toMatchObject({ alerts: 5, lost: 0, duplicates: 0 });
      expect(await bot.stop()).toBe(0);
      expect(await feed.process.stop()).toBe(0);
    },
    within(120_000),
  );

  it.runIf(IS_THOROUGH)(
    'log shards in one after the other, also those of several bots',
    async () => {
      const { fixture, storeUrl, startFeed } = await openCluster({
        maxConcurrency: 1,
        identifyWindowMs: 5_000,
      });
      await startFeed();
      const identifiedMs: number[] = [];
      fixture.discord.events.on('gateway', ({ kind }) => {
        if (kind === 'identified') identifiedMs.push(performance.now());
      });
      const bots = ['0', '1'].map((SHARDS) =>
        fixture.startBot({ ROLE: 'bot', STORE_URL: storeUrl(SHARDS), SHARDS: `${SHARDS}/2` }),
      );
      await Promise.all(bots);
      await expect.poll(() => identifiedMs.length).toBe(2);
      const [first = 0, second = 0] = identifiedMs;
      expect(second - first).toBeGreaterThan(5_000);
    },
  );

  it.runIf(IS_THOROUGH)(
    'leave the bot that works alone where another one starts on a copy of its store, or with its shards',
    async () => {
      const { fixture, account, storeUrl, startFeed, startBot, play, settled, watch } =
        await openCluster();
      await startFeed();
      const bot = await startBot({ asProcess: true });
      await watch();
      await play();
      await settled();
      await backUpSqlite(
        join(fixture.directory, 'data', 'bot.sqlite'),
        join(fixture.directory, 'data', 'copy.sqlite'),
      );
      const identified: unknown[] = [];
      fixture.discord.events.on('gateway', ({ kind }) => identified.push(kind));
      for (const [name, reason] of [
        ['copy', /same store/],
        ['other', /SHARDS=auto/],
      ] as const) {
        await fixture.startBot(
          { ROLE: 'bot', STORE_URL: storeUrl(name), VENUE_BASE_URL: '', VENUE_API_KEY: '' },
          { until: 'feed.refused_us' },
        );
        expect(await fixture.logged('feed.refused_us')).toMatchObject({
          reason: expect.stringMatching(reason),
        });
        expect(await fixture.readiness()).toMatchObject({
          ready: false,
          checks: { feed: { ok: false, reason: expect.stringMatching(reason) } },
        });
        await play();
        await settled();
        await fixture.bot.stop();
      }
      expect(identified).not.toContain('identified');
      expect(account.balance()).toMatchObject({ alerts: 3, lost: 0, duplicates: 0 });
      await bot.kill();
      await play();
      await startBot();
      await settled();
      expect(fixture.logLines.map(({ event }) => event)).not.toContain('feed.refused_us');
      expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
    },
  );

  it('go on with a standby of the feed', async () => {
    const { account, startFeed, startBot, play, settled, watch } = await openCluster();
    const feed = await startFeed({ asProcess: true });
    await startBot();
    await watch();
    await play();
    await settled();
    await startFeed({ until: 'standby.waiting' }, { STANDBY: 'true' });
    await feed.process.kill();
    await play();
    await settled();
    expect(account.balance()).toMatchObject({ alerts: 2, lost: 0, duplicates: 0 });
  });
});
