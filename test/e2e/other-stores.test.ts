import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DatabaseServer,
  hasPostgres,
  hasRedis,
  startPostgres,
  startRedis,
} from '../support/servers.ts';
import { within } from '../support/thorough.ts';
import { tradingOf } from './account.ts';
import { openFixture } from './fixture.ts';

const servers = [
  { name: 'Redis', isThere: hasRedis, startServer: () => startRedis() },
  { name: 'PostgreSQL', isThere: hasPostgres, startServer: startPostgres },
];

for (const { name, isThere, startServer } of servers) {
  describe.skipIf(!isThere)(`the bot on ${name}`, () => {
    let server: DatabaseServer;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.stop());

    it(
      'sends everything once although it is killed, and although the server is',
      async () => {
        const url = await server.newStore();
        const fixture = await openFixture({ environment: { STORE_URL: url } });
        const { account, watch, play, settled } = tradingOf(fixture);
        await watch();
        await play();
        await settled();

        await fixture.bot.stop();
        const lines: unknown[] = [...fixture.logLines];
        // Discord has the message, the store does not know it yet: the instant that doubles are made
        // of.
        await fixture.startAndKillAt('post.answered:1', play);
        await fixture.startBot();
        await settled();
        lines.push(...fixture.logLines);

        await server.kill();
        await play();
        await fixture.logged('poll.failed');
        await server.start();
        await play();
        await settled();
        expect(await fixture.bot.stop()).toBe(0);
        expect(account.balance()).toMatchObject({ alerts: 3 + 1, lost: 0, duplicates: 0 });
        lines.push(...fixture.logLines);
        expect(JSON.stringify(lines)).not.toContain('planted');
      },
      within(90_000),
    );
  });
}
