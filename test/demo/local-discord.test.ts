import { once } from 'node:events';
import { join } from 'node:path';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import {
  Client,
  Events,
  GatewayIntentBits,
  LabelBuilder,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, inject, it } from 'vitest';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temp.ts';

it('serves the bot that is started with what it prints, takes commands and shows what the bot posts; says of a form that only the page fills it in', async () => {
  const discord = startProgram(inject('discordMain'), []);
  const [, apiUrl = ''] = await discord.said(/^DISCORD_API_URL=(.*)$/m);
  const [, token = ''] = await discord.said(/^DISCORD_TOKEN=(.*)$/m);
  await openForm(apiUrl, token, () => discord.child.stdin.write('/settings\n'));
  await discord.said(/A form opens.*: How large \(From \$\)/);

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

/** Logs a bot in that answers a command with a form, once the command is typed. */
async function openForm(api: string, token: string, type: () => void): Promise<void> {
  const bot = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api } });
  const input = new TextInputBuilder().setCustomId('from').setStyle(TextInputStyle.Short);
  const modal = new ModalBuilder()
    .setCustomId('size')
    .setTitle('How large')
    .addLabelComponents(new LabelBuilder().setLabel('From $').setTextInputComponent(input));
  const opened = new Promise<void>((resolve) => {
    bot.on(Events.InteractionCreate, async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.showModal(modal);
      resolve();
    });
  });
  const ready = once(bot, Events.ClientReady);
  await bot.login(token);
  await ready;
  await bot.application?.commands.set([{ name: 'settings', description: 'The settings' }]);
  type();
  await opened;
  await bot.destroy();
}
