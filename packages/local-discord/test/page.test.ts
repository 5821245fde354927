import { ButtonStyle, Events, type Interaction } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { act } from '../src/site/act.ts';
import { createModals } from '../src/site/modals.ts';
import type { PageOutcome, PageSuggestions } from '../src/site/protocol.ts';
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

/** Opens a page for one person, and a bot that handles interactions with this function. */
async function openPage(onInteraction: (interaction: Interaction) => unknown, ackMs = 3_000) {
  const fixture = await openUnlimitedFixture({ ackMs });
  const { discord, guildId, channelId, admin } = fixture;
  const people = [{ ref: admin, role: 'admin' }];
  const view = createView({ discord, guildId, people, title: 'Page', languages: [] });
  const client = await logIn(discord);
  await register(fixture, [watch]);
  client.on(Events.InteractionCreate, onInteraction);
  const deps = {
    discord,
    guildId,
    people,
    languages: [],
    view,
    modals: createModals(),
    press: async () => '',
  };
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
    expect(await ask({ do: 'send', text: line, file: null, picked })).toEqual({
      unanswered: null,
      modal: null,
    });
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
      modal: null,
      unanswered: {
        channelId,
        unanswered: true,
        ephemeral: true,
        author: { id: discord.bot.id, bot: true },
        answered: { kind: 'command', line: '/watch' },
      },
    });
    const { id: messageId } = sent as { id: string };
    expect(await ask({ do: 'press', messageId, customId: 'x' })).toMatchObject({
      unanswered: { unanswered: true },
    });
  });
});

describe('a modal', () => {
  it('is shown to who pressed, and submitted by that person alone', async () => {
    const input = { type: 4, custom_id: 'from', style: 1, value: '50', max_length: 3 };
    const role = { type: 6, custom_id: 'role', required: false, min_values: 0 };
    const components = [
      { type: 18, label: 'From $', component: input },
      { type: 18, label: 'Role', description: 'Who is mentioned', component: role },
    ];
    const { ask, discord, guildId, member } = await openPage(async (interaction) => {
      if (interaction.isChatInputCommand()) {
        await interaction.showModal({ custom_id: 'size', title: 'How large', components });
      }
      if (interaction.isModalSubmit()) {
        await interaction.reply(interaction.fields.getTextInputValue('from'));
      }
    });
    const { id: roleId } = discord.createRole(guildId, { name: 'traders' });
    const outcome = await ask({ do: 'send', text: '/watch wallet:0x1', file: null });
    const { modal } = outcome as PageOutcome;
    expect(modal).toMatchObject({
      title: 'How large',
      parts: [
        {
          customId: 'from',
          label: 'From $',
          isRequired: true,
          input: { kind: 'line', value: '50' },
        },
        {
          customId: 'role',
          description: 'Who is mentioned',
          isRequired: false,
          input: {
            kind: 'menu',
            options: expect.arrayContaining([
              { label: '@traders', detail: null, value: roleId, chosen: false },
            ]),
          },
        },
      ],
    });
    const submit = (from: string, who: object = {}) =>
      ask({ do: 'submit', modalId: modal?.id, values: { from, role: [roleId] }, ...who });
    await expect(submit('75', { as: member.userId })).rejects.toThrow('no longer open');
    expect(await submit('1000')).toEqual({
      kind: 'invalid',
      faults: { from: 'Must be 3 or fewer characters.' },
    });
    expect(await submit('75')).toEqual({ kind: 'answered' });
    await expect(submit('75')).rejects.toThrow('no longer open');
    expect(discord.rejections).toEqual([]);
  });
});
