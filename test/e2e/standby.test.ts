import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startCuttableProxy } from '../support/cuttable-proxy.ts';
import {
  type DatabaseServer,
  hasPostgres,
  hasRedis,
  startPostgres,
  startRedis,
} from '../support/servers.ts';
import { temporaryFolder } from '../support/temp.ts';
import { IS_THOROUGH, variants, within } from '../support/thorough.ts';
import { tradingOf } from './account.ts';
import { openFixture, TOKEN } from './fixture.ts';

/**
 * A server whose bot works, with a second process that waits for its store.
 *
 * @param standbyUrl how the second one reaches the store
 */
async function openStandby(storeUrl: string, standbyUrl = storeUrl) {
  const fixture = await openFixture({
    asProcess: true,
    environment: { STORE_URL: storeUrl, HTTP_PORT: '0' },
  });
  const { account, watch, play, settled } = tradingOf(fixture);
  await watch();
  const active = fixture.bot;
  await play();
  await settled();
  await fixture.startBot({ STANDBY: 'true', STORE_URL: standbyUrl }, { until: 'standby.waiting' });
  return { fixture, account, active, standby: fixture.bot, play, settled };
}

const stores = [
  { name: 'SQLite', isThere: true, startServer: async () => null },
  { name: 'Redis', isThere: hasRedis, startServer: () => startRedis() },
  { name: 'PostgreSQL', isThere: hasPostgres, startServer: startPostgres },
];

for (const { name, isThere, startServer } of variants(
  stores,
  ({ name }) => name !== 'PostgreSQL',
)) {
  describe.skipIf(!isThere)(`a standby on ${name}`, () => {
    let server: DatabaseServer | null;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.stop());
    const newStore = async () =>
      (await server?.newStore()) ?? `sqlite://${join(temporaryFolder(), 'bot.sqlite')}`;

    if (IS_THOROUGH || name === 'SQLite')
      it(
        'waits, takes over from a process that is killed or asked to stop, and ends when it is asked to itself',
        async () => {
          const { fixture, account, active, standby, play, settled } = await openStandby(
            await newStore(),
          );
          await fixture.logged('standby.ready');
          const waiting = { ready: true, role: 'standby', reason: null, checks: {}, shards: [] };
          expect(JSON.parse((await fixture.served('/readyz')).text)).toEqual(waiting);
          expect((await fixture.served('/metrics')).text).toMatch(
            /^walletbell_active\{role="all",shards="auto",installation="\d*"\} 0$/m,
          );
          expect(fixture.logLines.map(({ event }) => event)).not.toContain('store.loaded');
          await active.kill();
          await play();
          await settled();
          expect((await fixture.served('/metrics')).text).toMatch(
            /^walletbell_active\{role="all",shards="auto",installation="\d*"\} 1$/m,
          );
          await fixture.logged('discord.ready');
          expect(JSON.parse((await fixture.served('/readyz')).text)).toMatchObject({ role: 'all' });

          await fixture.startBot({ STANDBY: 'true' }, { until: 'standby.waiting' });
          const second = fixture.bot;
          expect(await standby.stop()).toBe(0);
          await play();
          await settled();

          await fixture.startBot(
            { STANDBY: 'true' },
            { asProcess: true, until: 'standby.waiting' },
          );
          expect(await fixture.bot.stop()).toBe(0);
          await play();
          await settled();
          expect(await second.stop()).toBe(0);
          expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
        },
        within(90_000),
      );

    if (IS_THOROUGH && name === 'SQLite')
      it('says that it could not take over without a key that the venue takes, and ends with a token that Discord refuses', async () => {
        const { fixture, active, standby } = await openStandby(await newStore());
        const keyless = { STANDBY: 'true', VENUE_API_KEY: 'wrong' };
        await fixture.startBot(keyless, { asProcess: true, until: 'standby.not_ready' });
        const answer = await fixture.served('/readyz');
        expect(answer.status).toBe(503);
        expect(JSON.parse(answer.text)).toMatchObject({
          ready: false,
          role: 'standby',
          reason: expect.stringContaining('401'),
        });
        expect((await fixture.served('/healthz')).status).toBe(200);
        expect((await fixture.served('/metrics')).text).toMatch(/^walletbell_standby_ready 0$/m);
        expect(await fixture.bot.stop()).toBe(0);

        const refused = { STANDBY: 'true', DISCORD_TOKEN: `${TOKEN}.wrong` };
        await fixture.startBot(refused, { asProcess: true, until: 'standby.waiting' });
        const { process: ended } = fixture.bot;
        // It may have ended by the time that its line is read.
        if (ended.exitCode === null) await once(ended, 'close');
        expect(ended.exitCode).toBe(78);
        expect(await active.stop()).toBe(0);
        // It takes over, and is stopped while it logs in.
        expect(await standby.stop()).toBe(0);
      });

    if (name === 'SQLite') return;
    /** A bot that reaches its store over a proxy, and a standby that reaches it directly. */
    const openOverProxy = async () => {
      const storeUrl = await newStore();
      const proxy = await startCuttableProxy(Number(new URL(storeUrl).port));
      onTestFinished(proxy.close);
      const world = await openStandby(storeUrl.replace(/:\d+\//, `:${proxy.port}/`), storeUrl);
      return { ...world, proxy, ended: once(world.active.process, 'close') };
    };

    // A server notices a silent connection after a while; PostgreSQL's does not while a proxy
    // stands in for a network.
    const faults = name === 'Redis' ? (['cut', 'stall'] as const) : (['cut'] as const);
    it.each(variants(faults, (fault) => fault === 'stall'))(
      'takes over from a process whose connection to the store is lost (%s), which sends nothing more and ends',
      async (fault) => {
        const { fixture, account, play, settled, proxy, ended } = await openOverProxy();
        proxy[fault]();
        await play();
        await settled();
        await play();
        await settled();
        proxy.mend();
        expect((await ended)[0]).toBe(1);
        await fixture.logged('standby.taking_over');
        await play();
        await settled();
        expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
      },
      within(90_000),
    );

    if (IS_THOROUGH && name !== 'Redis')
      it(
        'is not needed where the store is silent for a while: nothing is sent then',
        async () => {
          const { fixture, account, play, settled, proxy } = await openOverProxy();
          proxy.stall();
          const before = fixture.alerts().length;
          await play();
          await fixture.logged('poll.failed');
          await play();
          expect(fixture.alerts()).toHaveLength(before);
          proxy.mend();
          await settled();
          await play();
          await settled();
          expect(account.balance()).toMatchObject({ alerts: 4, lost: 0, duplicates: 0 });
        },
        within(90_000),
      );

    // The others' locks go with the process, and nobody takes over from one that is only stopped.
    if (name !== 'Redis') return;
    it('takes over from a process that is stopped, which sends nothing when it goes on', async () => {
      const { fixture, account, active, play, settled } = await openStandby(await newStore());
      const frozen = once(active.process, 'close');
      active.process.kill('SIGSTOP');
      await play();
      await settled();
      await play();
      active.process.kill('SIGCONT');
      const [exitCode] = await frozen;
      expect(exitCode).toBe(1);
      await fixture.logged('store.lost');
      await settled();
      expect(account.balance()).toMatchObject({ alerts: 3, lost: 0, duplicates: 0 });
    });
  });
}
