import { ButtonStyle, Events, type Interaction } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { act } from '../src/site/act.ts';
import type { PageSuggestions } from '../src/site/protocol.ts';
import { requestSchema } from '../src/site/requests.ts';
import { createView } from '../src/site/view.ts';
import { logIn } from './client.ts';
import { openUnlimitedFixture, register, SOON } from './fixture.ts';

const WALLET = '0x16c694fcbf3216c694fcbf3216c694fcbf321234';
const watch = {
  name: 'watch',
  description: 'Watch a wallet',
  options: [
    { type: 3, name: 'wallet', description: 'Which', required: true, autocomplete: true },
    { type: 3, name: 'label', description: 'Its name' },
  ],
};

/** A page of one person, before a bot that does this at an interaction. */
async function openPage(onInteraction: (interaction: Interaction) => unknown, ackMs = 3_000) {
  const fixture = await openUnlimitedFixture({ ackMs });
  const { discord, guildId, channelId, admin } = fixture;
  const people = [{ ref: admin, role: 'admin' }];
  const view = createView({ discord, guildId, people, title: 'Page', languages: [] });
  const client = await logIn(discord);
  await register(fixture, [watch]);
  client.on(Events.InteractionCreate, onInteraction);
  const deps = { discord, guildId, people, languages: [], view, press: async () => '' };
  return {
    ...fixture,
    client,
    world: () => view.world({ ref: admin, role: 'admin' }),
    ask: (request: object) =>
      act(deps, requestSchema.parse({ as: admin.userId, channelId, ...request })),
  };
}

describe('a suggestion that somebody picks', () => {
  it('stands in the line by its name, and the bot gets its value until the name is changed', async () => {
    const got: (string | null)[] = [];
    const { ask } = await openPage(async (interaction) => {
      if (interaction.isAutocomplete())
        return interaction.respond([{ name: 'quickdraw (0x16c6…1234)', value: WALLET }]);
      if (!interaction.isChatInputCommand()) return;
      got.push(interaction.options.getString('wallet'), interaction.options.getString('label'));
      await interaction.reply('ok');
    });
    const answer = await ask({ do: 'suggest', text: '/watch wallet:quick' });
    const [suggestion] = (answer as PageSuggestions).suggestions;
    expect(suggestion).toMatchObject({
      text: '/watch wallet:quickdraw (0x16c6…1234) ',
      picked: { option: 'wallet', shown: 'quickdraw (0x16c6…1234)', value: WALLET },
    });
    const line = `${suggestion?.text}label:Big one`;
    const picked = [suggestion?.picked];
    expect(await ask({ do: 'send', text: line, file: null, picked })).toBeNull();
    await ask({ do: 'send', text: line.replace('quickdraw', 'slowdraw'), file: null, picked });
    expect(got).toEqual([WALLET, 'Big one', 'slowdraw (0x16c6…1234)', 'Big one']);
  });
});

describe('a bot that is gone', () => {
  it('is offline, and Discord answers in its place', async () => {
    const { ask, client, world, discord, channelId } = await openPage(() => {}, 40);
    expect(world().bot).toMatchObject({ id: discord.bot.id, isOnline: true });
    const sent = await client.rest.post(`/channels/${channelId}/messages`, {
      body: {
        content: 'Press',
        components: [
          {
            type: 1,
            components: [{ type: 2, style: ButtonStyle.Primary, custom_id: 'x', label: 'Go' }],
          },
        ],
      },
    });
    await client.destroy();
    await expect.poll(() => world().bot.isOnline, SOON).toBe(false);
    const answer = await ask({ do: 'send', text: '/watch wallet:0x1', file: null });
    expect(answer).toMatchObject({
      channelId,
      unanswered: true,
      ephemeral: true,
      author: { id: discord.bot.id, bot: true },
      answered: { kind: 'command', line: '/watch' },
    });
    const { id: messageId } = sent as { id: string };
    expect(await ask({ do: 'press', messageId, customId: 'x' })).toEqual({ isAnswered: false });
  });
});
