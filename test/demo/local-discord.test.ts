import { join } from 'node:path';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { expect, inject, it } from 'vitest';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temp.ts';

it('serves the bot that is started with what it prints, and takes commands and shows what the bot posts', async () => {
  const discord = startProgram(inject('discordMain'), []);
  const [, apiUrl = ''] = await discord.said(/^DISCORD_API_URL=(.*)$/m);
  const [, token = ''] = await discord.said(/^DISCORD_TOKEN=(.*)$/m);
  const venue = startProgram(inject('venueMain'), ['--port', '0', '--simulate']);
  const [, venueUrl = ''] = await venue.said(/"listening":"([^"]+)"/);
  const bot = startProgram(inject('botMain'), [], {
    DISCORD_API_URL: apiUrl,
    DISCORD_TOKEN: token,
    VENUE_BASE_URL: venueUrl,
    VENUE_API_KEY: DEMO_KEY.key,
    STORE_URL: `sqlite://${join(temporaryFolder(), 'bot.sqlite')}`,
    POLL_CRON: '* * * * * *',
  });
  await bot.said(/"commands.registered"|"commands.unchanged"/);
  discord.child.stdin.write('/watch lose\n');
  await discord.said(/No such command/);
  discord.child.stdin.write(
    '/watch add wallet:0x16c694fcbf32676561f51cb3f5d93c1a1af1c853 label:Quick\n',
  );
  await discord.said(/Watching Quick/);
  await discord.said(/^\S+ Quick (BUY|SELL|REDEEM|deposited|withdrew) /mu);
  discord.child.kill('SIGTERM');
  expect(await discord.ended).toBe(0);
});
