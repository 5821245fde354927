import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, it, onTestFinished } from 'vitest';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { temporaryFolder } from '../support/temp.ts';

/** A program, and a way to wait for the next line of its output that says something. */
function start(main: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const waiting = lines[Symbol.asyncIterator]();
  const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await waiting.next();
      if (done === true) throw new Error(`It has ended before it said ${pattern}.`);
      const match = pattern.exec(value);
      if (match !== null) return match;
    }
  };
  return { child, said, type: (text: string) => child.stdin?.write(`${text}\n`) };
}

it('serves the bot that is started with what it prints, and takes commands and shows what the bot posts', async () => {
  const discord = start(inject('discordMain'), []);
  const [, apiUrl = ''] = await discord.said(/^DISCORD_API_URL=(.*)$/);
  const [, token = ''] = await discord.said(/^DISCORD_TOKEN=(.*)$/);
  const venue = start(inject('venueMain'), ['--port', '0', '--simulate']);
  const [, venueUrl = ''] = await venue.said(/"listening":"([^"]+)"/);
  const bot = start(inject('botMain'), [], {
    DISCORD_API_URL: apiUrl,
    DISCORD_TOKEN: token,
    VENUE_BASE_URL: venueUrl,
    VENUE_API_KEY: DEMO_KEY.key,
    STORE_URL: `sqlite://${join(temporaryFolder(), 'bot.sqlite')}`,
    POLL_CRON: '* * * * * *',
  });
  await bot.said(/"commands.registered"|"commands.unchanged"/);
  discord.type('/watch lose');
  await discord.said(/No such command/);
  discord.type('/watch add wallet:0x16c694fcbf32676561f51cb3f5d93c1a1af1c853 label:Quick');
  await discord.said(/Watching Quick/);
  await discord.said(/^\S+ Quick (BUY|SELL|REDEEM|deposited|withdrew) /u);
  discord.child.kill('SIGTERM');
  expect(await once(discord.child, 'exit')).toEqual([0, null]);
});
