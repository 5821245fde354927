import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { backUpSqlite } from '../../src/store/backup.ts';
import { temporaryFolder } from '../support/temp.ts';
import { inMarket, openRoom, TOKEN, trade, WALLET } from './room.ts';

/** Starts the bot where it must end by itself. */
async function runToEnd(
  environment: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ exitCode: number | null; output: string }> {
  const output: string[] = [];
  const bot = startBot({
    environment,
    directory: temporaryFolder(),
    main: inject('botMain'),
    args,
    onLine: (line) => void output.push(JSON.stringify(line)),
  });
  await new Promise((resolve) => bot.process.once('close', resolve));
  return { exitCode: bot.process.exitCode, output: output.join('\n') };
}

describe('the life of the bot', () => {
  it('lists every missing variable at once and exits with 78', async () => {
    const { exitCode, output } = await runToEnd({});
    expect(exitCode).toBe(78);
    for (const name of ['DISCORD_TOKEN', 'VENUE_BASE_URL', 'VENUE_API_KEY']) expect(output).toContain(name);
  });

  it('says that Discord refuses the token and exits with 78, without showing it', async () => {
    const room = await openRoom({ asProcess: true, withoutBot: true });
    const { exitCode, output } = await runToEnd({
      DISCORD_TOKEN: 'planted.wrong.token',
      DISCORD_API_URL: room.discord.apiUrl,
      VENUE_BASE_URL: room.venue.url,
      VENUE_API_KEY: 'planted-key-of-the-venue',
    });
    expect(exitCode).toBe(78);
    expect(output).toContain('Check DISCORD_TOKEN');
    expect(output).not.toContain('planted');
    const said = output.split('\n').filter((line) => line.includes('discord.token_refused'));
    expect(said).toHaveLength(1);
    expect(said[0]).not.toContain('stack');
  });

  it('helps when asked to, refuses other words, and starts nothing then', async () => {
    expect(await runToEnd({}, ['--help'])).toMatchObject({ exitCode: 0, output: expect.stringContaining('npm start') });
    const { exitCode, output } = await runToEnd({}, ['--port=1']);
    expect(exitCode).toBe(64);
    expect(output).toMatch(/Unknown option '--port'.*npm start/s);
  });

  it('names DISCORD_API_URL when it answers 404', async () => {
    const room = await openRoom({ asProcess: true, withoutBot: true });
    room.startBot({ DISCORD_API_URL: `${room.discord.apiUrl}/elsewhere` }).catch(() => {});
    expect(await room.logged('discord.login_failed')).toMatchObject({
      advice: expect.stringContaining('DISCORD_API_URL'),
    });
  });

  it('keeps its exit code when a part cannot be stopped in order, and stops the others', async () => {
    const brokenStop = `--import=data:text/javascript,${encodeURIComponent(`
      import { Server } from 'node:http';
      Server.prototype.closeAllConnections = () => { throw new Error('cannot be closed'); };
    `)}`;
    const room = await openRoom({ asProcess: true, environment: { HTTP_PORT: '0', NODE_OPTIONS: brokenStop } });
    const closed = once(room.bot.process, 'close');
    room.discord.faults.dropGateway(4004);
    await closed;
    expect(room.bot.process.exitCode).toBe(78);
    expect(await room.logged('stop.failed')).toMatchObject({
      err: { aggregateErrors: [{ message: 'cannot be closed' }] },
    });
    await room.startBot({ STORE_URL: 'sqlite://data/other.sqlite' });
    expect(await room.bot.stop()).toBe(1);
  });

  it('stops within ten seconds at SIGTERM, with exit code 0 and the store in order and to its own user', async () => {
    const room = await openRoom({ asProcess: true });
    await room.say('watch add', { wallet: WALLET });
    await room.ledger.addActivity(WALLET, 1, trade());
    await room.alerted(1);
    // After ten seconds it would be killed, and have no exit code.
    expect(await room.bot.stop()).toBe(0);
    expect(room.logLines.at(-1)?.['event']).toBe('stopped');
    expect(room.logLines.map(({ event }) => event)).not.toContain('discord.reconnecting');
    expect(
      readFileSync(join(room.directory, 'data', 'bot.sqlite'))
        .subarray(0, 15)
        .toString(),
    ).toBe('SQLite format 3');
    for (const name of ['data', 'data/bot.sqlite', 'data/bot.sqlite.lock']) {
      expect(statSync(join(room.directory, name)).mode & 0o077, name).toBe(0);
    }
    expect(JSON.stringify(room.logLines)).not.toContain(TOKEN);
  });

  it('ends with exit code 1 when its store or the folder is removed, and leaves a copy that is put there as it is', async () => {
    const room = await openRoom({ asProcess: true });
    await room.say('watch add', { wallet: WALLET });
    const store = join(room.directory, 'data', 'bot.sqlite');
    const copy = join(room.directory, 'copy.sqlite');
    await backUpSqlite(store, copy);
    const ended = once(room.bot.process, 'close');
    for (const ending of ['', '-wal', '-shm']) rmSync(store + ending);
    copyFileSync(copy, store);
    await room.ledger.addActivity(WALLET, 1, trade());
    expect(await ended).toEqual([1, null]);
    expect(room.alerts()).toEqual([]);
    const lost = room.logLines.find(({ event }) => event === 'store.lost');
    expect(lost?.['err']).toMatchObject({ message: expect.stringContaining('removed or replaced while it was open') });
    expect(readFileSync(store)).toEqual(readFileSync(copy));
    await room.startBot();
    await room.alerted(1);

    // The same with its folder, beside the one that is started then.
    const lines = room.logLines;
    const endedToo = once(room.bot.process, 'close');
    rmSync(join(room.directory, 'data'), { recursive: true });
    await Promise.all([room.startBot(), endedToo]);
    expect(await endedToo).toEqual([1, null]);
    expect(lines.some(({ event }) => event === 'store.lost')).toBe(true);
    await room.say('watch add', { wallet: WALLET });
    await room.ledger.addActivity(WALLET, 2, trade(inMarket(2)));
    await room.alerted(2);
  });

  it('waits for a Discord that is not there yet', async () => {
    const room = await openRoom({ asProcess: true, withoutBot: true });
    room.discord.faults.outage(true);
    const starting = room.startBot();
    await room.logged('discord.login_failed');
    room.discord.faults.outage(false);
    await starting;
  });
});
