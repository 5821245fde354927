import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { temporaryFolder } from '../support/temp.ts';
import { openRoom, TOKEN, trade, WALLET } from './room.ts';

/** Starts the bot where it must end by itself. */
async function runToEnd(environment: Record<string, string>): Promise<{ exitCode: number | null; output: string }> {
  const output: string[] = [];
  const bot = startBot({
    environment,
    directory: temporaryFolder(),
    main: inject('botMain'),
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
    const room = await openRoom({ withoutBot: true });
    const { exitCode, output } = await runToEnd({
      DISCORD_TOKEN: 'planted.wrong.token',
      DISCORD_API_URL: room.discord.apiUrl,
      VENUE_BASE_URL: room.venue.url,
      VENUE_API_KEY: 'planted-key-of-the-venue',
    });
    expect(exitCode).toBe(78);
    expect(output).toContain('Check DISCORD_TOKEN');
    expect(output).not.toContain('planted');
  });

  it('stops within ten seconds at SIGTERM, with exit code 0 and the store in order', async () => {
    const room = await openRoom();
    await room.say('watch add', { wallet: WALLET });
    await room.ledger.addActivity(WALLET, 1, trade());
    await room.alerted(1);
    // After ten seconds it would be killed, and have no exit code.
    expect(await room.bot.stop()).toBe(0);
    expect(room.logLines.at(-1)?.['event']).toBe('stopped');
    expect(
      readFileSync(join(room.directory, 'data', 'bot.sqlite'))
        .subarray(0, 15)
        .toString(),
    ).toBe('SQLite format 3');
    expect(JSON.stringify(room.logLines)).not.toContain(TOKEN);
  });

  it('waits for a Discord that is not there yet', async () => {
    const room = await openRoom({ withoutBot: true });
    room.discord.faults.outage(true);
    const starting = room.startBot();
    await room.logged('discord.login_failed');
    room.discord.faults.outage(false);
    await starting;
  });
});
