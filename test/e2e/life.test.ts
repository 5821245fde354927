import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUpSqlite } from '../../src/store/sqlite.ts';
import { inMarket, trade } from '../support/records.ts';
import { variants } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, runToEnd } from './fixture.ts';

describe('the life of the bot', () => {
  it('lists every missing variable at once and exits with 78', async () => {
    const { exitCode, output } = await runToEnd({});
    expect(exitCode).toBe(78);
    for (const name of ['DISCORD_TOKEN', 'VENUE_BASE_URL', 'VENUE_API_KEY'])
      expect(output).toContain(name);
  });

  const words = [
    { how: 'helps when asked to', args: ['--help'], exitCode: 0, output: /npm start/ },
    {
      how: 'refuses other words',
      args: ['--port=1'],
      exitCode: 64,
      output: /Unknown option '--port'.*npm start/s,
    },
  ];
  it.each(variants(words, ({ exitCode }) => exitCode > 0))(
    '$how, and starts nothing then',
    async ({ args, exitCode, output }) => {
      expect(await runToEnd({}, { args })).toMatchObject({
        exitCode,
        output: expect.stringMatching(output),
      });
    },
  );

  it('names DISCORD_API_URL when it answers 404', async () => {
    const fixture = await openFixture({ withoutBot: true });
    fixture.startBot({ DISCORD_API_URL: `${fixture.discord.apiUrl}/elsewhere` }).catch(() => {});
    expect(await fixture.logged('discord.login_failed')).toMatchObject({
      advice: expect.stringContaining('DISCORD_API_URL'),
    });
  });

  it('keeps its exit code when a part cannot be stopped in order, and stops the others', async () => {
    const brokenStop = `--import=data:text/javascript,${encodeURIComponent(`
      import { Server } from 'node:http';
      Server.prototype.closeAllConnections = () => { throw new Error('cannot be closed'); };
    `)}`;
    const fixture = await openFixture({
      asProcess: true,
      environment: { HTTP_PORT: '0', NODE_OPTIONS: brokenStop },
    });
    const closed = once(fixture.bot.process, 'close');
    fixture.discord.faults.dropGateway(4013);
    await closed;
    expect(fixture.bot.process.exitCode).toBe(78);
    expect(await fixture.logged('stop.failed')).toMatchObject({
      err: { aggregateErrors: [{ message: 'cannot be closed' }] },
    });
    await fixture.startBot({ STORE_URL: 'sqlite://data/other.sqlite' }, { asProcess: true });
    expect(await fixture.bot.stop()).toBe(1);
  });

  it('ends with exit code 1 when its store or the folder is removed, and leaves a copy that is put there as it is', async () => {
    const fixture = await openFixture({ asProcess: true });
    await fixture.say('watch add', { wallet: WALLET });
    const store = join(fixture.directory, 'data', 'bot.sqlite');
    const copy = join(fixture.directory, 'copy.sqlite');
    await backUpSqlite(store, copy);
    const ended = once(fixture.bot.process, 'close');
    for (const ending of ['', '-wal', '-shm']) rmSync(store + ending);
    copyFileSync(copy, store);
    await fixture.ledger.addActivity(WALLET, 1, trade());
    expect(await ended).toEqual([1, null]);
    expect(fixture.alerts()).toEqual([]);
    const lost = fixture.logLines.find(({ event }) => event === 'store.lost');
    expect(lost?.['err']).toMatchObject({
      message: expect.stringContaining('removed or replaced while it was open'),
    });
    expect(readFileSync(store)).toEqual(readFileSync(copy));
    await fixture.startBot();
    await fixture.alerted(1);

    // The same with its folder, beside the one that is started then.
    const { bot } = fixture;
    const isLost = fixture.logged('store.lost');
    rmSync(join(fixture.directory, 'data'), { recursive: true });
    await Promise.all([fixture.startBot(), isLost]);
    expect(await bot.stop()).toBe(1);
    await fixture.say('watch add', { wallet: WALLET });
    await fixture.ledger.addActivity(WALLET, 2, trade(inMarket(2)));
    await fixture.alerted(2);
  });

  it('waits for a Discord that is not there yet', async () => {
    const fixture = await openFixture({ withoutBot: true });
    fixture.discord.faults.outage(true);
    const starting = fixture.startBot();
    await fixture.logged('discord.login_failed');
    fixture.discord.faults.outage(false);
    await starting;
  });
});
