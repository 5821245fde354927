import {
  ActionRowBuilder,
  type ApplicationCommandOptionType,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  EmbedBuilder,
  Events,
  type Interaction,
  MessageFlags,
  StringSelectMenuBuilder,
} from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { DiscordOptions } from '../src/discord/fake-discord.ts';
import { PERMISSIONS as P, USUAL_BOT_PERMISSIONS } from '../src/discord/permissions.ts';
import { logIn } from './client.ts';
import {
  call,
  callBack,
  clock,
  type Fixture,
  openUnlimitedFixture,
  refusal,
  register,
  SOON,
} from './fixture.ts';

const option = (type: ApplicationCommandOptionType, name: string, more: object = {}) => ({
  type,
  name,
  description: name,
  ...more,
});
const ADD = option(1, 'add', {
  options: [
    option(3, 'wallet', { required: true, max_length: 42, autocomplete: true }),
    option(7, 'channel', { channel_types: [0] }),
    option(10, 'size', { min_value: 0, max_value: 100 }),
    option(3, 'side', { choices: ['yes', 'no'].map((value) => ({ name: value, value })) }),
    option(11, 'file'),
  ],
});
const watch = { name: 'watch', description: 'Watch wallets', options: [ADD] };

const button = (customId: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId(customId).setLabel('Next').setStyle(ButtonStyle.Primary),
  );

/** Opens a fixture whose bot responds with this handler; errors of the handler are collected. */
async function openBot(
  handler: (interaction: Interaction) => unknown,
  options: Partial<DiscordOptions> = {},
) {
  const fixture = await openUnlimitedFixture(options);
  const client = await logIn(fixture.discord);
  await register(fixture, [watch]);
  const errors: unknown[] = [];
  client.on(Events.InteractionCreate, async (interaction) => {
    try {
      await handler(interaction);
    } catch (error) {
      errors.push(error);
    }
  });
  return { ...fixture, errors };
}

/** Returns a handler for slash commands only. */
const onCommand =
  (handler: (interaction: ChatInputCommandInteraction) => unknown) => (interaction: Interaction) =>
    interaction.isChatInputCommand() ? handler(interaction) : undefined;

const add = ({ discord, member, channelId }: Fixture) =>
  discord.command(member, channelId, 'watch add', { wallet: '0xabc' });

describe('a slash command', () => {
  it('carries everything that discord.js reads', async () => {
    const seen: unknown[] = [];
    const fixture = await openBot(
      onCommand(async (interaction) => {
        const channel = interaction.options.getChannel('channel', true);
        seen.push({
          sub: interaction.options.getSubcommand(),
          wallet: interaction.options.getString('wallet'),
          channel: channel.id,
          channelId: interaction.channelId,
          name:
            interaction.channel && 'name' in interaction.channel ? interaction.channel.name : null,
          guild: interaction.guild?.name,
          manager: interaction.memberPermissions?.has('ManageGuild'),
          app: interaction.appPermissions.has('EmbedLinks'),
          target: interaction.guild?.members.me?.permissionsIn(channel.id).has('SendMessages'),
          locale: interaction.locale,
          owner: interaction.authorizingIntegrationOwners[0],
          context: interaction.context,
          limit: interaction.attachmentSizeLimit,
        });
        await interaction.reply('ok');
      }),
    );
    const { discord, admin, channelId: channel } = fixture;
    await (
      await discord.command(admin, channel, '  watch   add ', { wallet: '0xabc', channel })
    ).reply();
    expect(seen).toEqual([
      {
        sub: 'add',
        wallet: '0xabc',
        channel: fixture.channelId,
        channelId: fixture.channelId,
        name: 'alerts',
        guild: 'Traders',
        manager: true,
        app: true,
        target: true,
        locale: 'en-US',
        owner: fixture.guildId,
        context: 0,
        limit: 10 * 1024 * 1024,
      },
    ]);
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('gets a deferred ephemeral reply, its content, and a public follow-up', async () => {
    const fixture = await openBot(
      onCommand(async (interaction) => {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        await interaction.editReply({
          embeds: [new EmbedBuilder().setTitle('Done')],
          components: [button('next')],
        });
        await interaction.followUp(`<@${interaction.user.id}>`);
        await interaction.editReply({ content: 'Changed' });
      }),
    );
    const handle = await add(fixture);
    const reply = await handle.reply();
    expect(reply).toMatchObject({
      embeds: [{ title: 'Done' }],
      ephemeralFor: fixture.member.userId,
      thinking: false,
    });
    const changed = await handle.waitFor(({ content }) => content === 'Changed');
    expect(changed).toMatchObject({ id: reply.id, embeds: [{ title: 'Done' }] });
    expect(handle.acknowledgement).toBe(5);
    expect(handle.replies).toHaveLength(2);
    const { discord, channelId, member, admin } = fixture;
    expect(discord.messages(channelId)).toMatchObject([{ pings: { userIds: [member.userId] } }]);
    expect(discord.messages(channelId, { as: member.userId })).toHaveLength(2);
    expect(discord.messages(channelId, { as: admin.userId })).toHaveLength(1);
    expect(await call(discord, 'GET', `/channels/${channelId}/messages/${reply.id}`)).toMatchObject(
      refusal(404, 10008),
    );
  });

  it('whose deferred reply is followed up at once fills the placeholder, ephemeral as that was', async () => {
    const fixture = await openBot(
      onCommand(async (interaction) => {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        await interaction.followUp('first');
        await interaction.followUp('second');
      }),
    );
    const handle = await add(fixture);
    await handle.waitFor(({ content }) => content === 'second');
    expect(handle.replies).toMatchObject([
      { content: 'first', ephemeralFor: fixture.member.userId, flags: 64 },
      { content: 'second', ephemeralFor: null },
    ]);
  });

  it('can be answered with a file, and with embeds where the bot has no EMBED_LINKS', async () => {
    const fixture = await openBot(
      onCommand((interaction) =>
        interaction.reply({
          embeds: [{ title: 'Table' }],
          files: [{ attachment: Buffer.from('a,b'), name: 'a.csv' }],
          withResponse: true,
        }),
      ),
    );
    fixture.discord.setBotPermissions(fixture.channelId, USUAL_BOT_PERMISSIONS & ~P.EMBED_LINKS);
    const reply = await (await add(fixture)).reply();
    expect(reply).toMatchObject({
      embeds: [{ title: 'Table' }],
      attachments: [{ filename: 'a.csv' }],
    });
  });

  it('that nobody answers in time has failed, and a late answer is refused with 10062', async () => {
    let answer = (): void => {};
    const isTooLate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const fixture = await openBot(
      onCommand((interaction) => isTooLate.then(() => interaction.reply('late'))),
      { ackMs: 40 },
    );
    const handle = await add(fixture);
    await expect(handle.reply()).rejects.toThrow('did not respond within 40 ms');
    expect(handle.state).toBe('failed');
    answer();
    await expect.poll(() => fixture.errors, SOON).toMatchObject([{ code: 10062, status: 404 }]);
    expect(fixture.discord.rejections).toMatchObject([
      { source: 'interaction' },
      { source: 'rest', code: 10062 },
    ]);
  });

  it('is late by the clock of the double', async () => {
    const time = clock();
    const fixture = await openUnlimitedFixture({ now: time.now });
    await register(fixture, [{ name: 'ping', description: 'Ping' }]);
    const answers: unknown[] = [];
    for (const waitMs of [2999, 3000]) {
      const interaction = await fixture.discord.command(fixture.member, fixture.channelId, 'ping');
      time.forward(waitMs);
      answers.push(await callBack(fixture.discord, interaction, { type: 5 }));
    }
    expect(answers).toMatchObject([{ status: 204 }, { status: 404, body: { code: 10062 } }]);
  });

  it('that arrives twice can be answered once: the second answer is 40060', async () => {
    const fixture = await openBot(onCommand((interaction) => interaction.reply('ok')));
    fixture.discord.faults.deliver('INTERACTION_CREATE', 2);
    await (await add(fixture)).reply();
    await expect.poll(() => fixture.errors, SOON).toMatchObject([{ code: 40060, status: 400 }]);
    fixture.discord.faults.deliver('INTERACTION_CREATE', 1);
    const handle = await add(fixture);
    await handle.reply();
    handle.redeliver();
    await expect.poll(() => fixture.errors, SOON).toHaveLength(2);
    expect(fixture.discord.messages(fixture.channelId)).toHaveLength(2);
  });

  it('can be answered for fifteen minutes: then its token is invalid', async () => {
    const time = clock();
    const answered: ChatInputCommandInteraction[] = [];
    const fixture = await openBot(
      onCommand(async (interaction) => {
        await interaction.reply('ok');
        answered.push(interaction);
      }),
      { now: time.now },
    );
    await add(fixture);
    await expect.poll(() => answered, SOON).toHaveLength(1);
    time.forward(15 * 60_000 - 1);
    await answered[0]?.editReply('still');
    time.forward(1);
    await expect(answered[0]?.editReply('gone')).rejects.toMatchObject({
      code: 50027,
      status: 401,
    });
  });

  it('has no webhook before it is acknowledged; asking again is pointed out', async () => {
    const fixture = await openUnlimitedFixture();
    const path = `/webhooks/${fixture.discord.bot.applicationId}/sometoken`;
    for (let index = 0; index < 2; index += 1) {
      const answer = await call(fixture.discord, 'POST', path, {
        json: { content: 'x' },
        token: null,
      });
      expect(answer).toMatchObject(refusal(404, 10015));
    }
    expect(fixture.discord.warnings).toHaveLength(1);
  });

  it('whose reply is deleted has no @original any more', async () => {
    const fixture = await openBot(
      onCommand(async (interaction) => {
        await interaction.reply('ok');
        await interaction.deleteReply();
        await interaction.fetchReply();
      }),
    );
    await (await add(fixture)).reply();
    await expect.poll(() => fixture.errors, SOON).toMatchObject([{ code: 10008 }]);
  });

  it.each([
    ['an empty reply', 4, {}, 50006],
    ['a reply over the limits', 4, { content: 'x'.repeat(2001) }, 50035],
    ['a deferral with more than EPHEMERAL', 5, { flags: 64 | 4096 }, 50035],
    ['suggestions', 8, { choices: [] }, 50035],
    ['an update of a message that is not there', 7, { content: 'x' }, 50035],
    ['a modal without components', 9, { custom_id: 'm', title: 'x', components: [] }, 50035],
    ['an unknown callback', 3, {}, 50035],
  ])('refuses %s', async (_, type, data, code) => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [watch]);
    const answer = await callBack(fixture.discord, await add(fixture), { type, data });
    expect(answer).toMatchObject({ status: 400, body: { code } });
  });
});

describe('what Discord’s client does not let a person do', () => {
  it.each([
    ['an unknown command', 'alert', {}, '/watch'],
    ['a missing subcommand', 'watch', {}, 'add'],
    ['an unknown subcommand', 'watch remove', {}, 'add'],
    ['an unknown option', 'watch add', { wallet: 'x', where: 'y' }, 'where'],
    ['a missing option', 'watch add', {}, 'wallet'],
    ['too long a text', 'watch add', { wallet: 'x'.repeat(43) }, '42'],
    ['a number out of range', 'watch add', { wallet: 'x', size: 101 }, '0 to 100'],
    ['text for a number', 'watch add', { wallet: 'x', size: 'big' }, 'number'],
    ['none of the choices', 'watch add', { wallet: 'x', side: 'maybe' }, '"yes", "no"'],
    [
      'an unknown channel',
      'watch add',
      { wallet: 'x', channel: '123456789012345678' },
      'no channel',
    ],
    ['no file', 'watch add', { wallet: 'x', file: 'a.csv' }, 'file'],
  ])('%s', async (_, line, values, reason) => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [watch]);
    await expect(
      fixture.discord.command(fixture.member, fixture.channelId, line, values),
    ).rejects.toThrow(reason);
  });

  it('act in a channel that is hidden from them, or in a server that is not theirs', async () => {
    const { discord, member, channelId } = await openUnlimitedFixture();
    discord.setOverwrite(channelId, {
      id: member.userId,
      type: 1,
      allow: 0n,
      deny: P.VIEW_CHANNEL,
    });
    await expect(discord.command(member, channelId, 'watch add')).rejects.toThrow('cannot see');
    const other = discord.createGuild({ name: 'Other' });
    const hidden = discord.createChannel(other.id, { name: 'x' });
    await expect(discord.command(member, hidden.id, 'watch add')).rejects.toThrow(
      'not in the server',
    );
  });
});

describe('autocomplete', () => {
  const suggest = (fixture: Fixture) =>
    fixture.discord.autocomplete(
      fixture.member,
      fixture.channelId,
      'watch add',
      { wallet: '0x', size: 5 },
      'wallet',
    );

  it.each([
    ['26 of them', Array.from({ length: 26 }, (_, i) => ({ name: `${i}`, value: `${i}` }))],
    ['a name of 101', [{ name: 'x'.repeat(101), value: 'v' }]],
    ['a value of 101', [{ name: 'x', value: 'v'.repeat(101) }]],
    ['a number for a text', [{ name: 'x', value: 1 }]],
  ])('refuses %s', async (_, choices) => {
    const fixture = await openBot(
      (interaction) => interaction.isAutocomplete() && interaction.respond(choices),
    );
    const suggested = suggest(fixture).catch(() => 'none');
    await expect.poll(() => fixture.errors, SOON).toMatchObject([{ code: 50035 }]);
    await fixture.discord.close();
    expect(await suggested).toBe('none');
  });
});

describe('components', () => {
  it('can be pressed only by those who see the message', async () => {
    const fixture = await openBot(
      onCommand((interaction) =>
        interaction.reply({
          content: 'x',
          components: [button('next')],
          flags: MessageFlags.Ephemeral,
        }),
      ),
    );
    const reply = await (await add(fixture)).reply();
    await expect(fixture.discord.press(fixture.admin, reply.id, 'next')).rejects.toThrow(
      'does not see',
    );
  });

  it('of the select kind give the values that were chosen', async () => {
    const menu = new StringSelectMenuBuilder()
      .setCustomId('kinds')
      .setMinValues(1)
      .setMaxValues(2)
      .addOptions({ label: 'Buy', value: 'buy' }, { label: 'Sell', value: 'sell' });
    const rows = [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)];
    const fixture = await openBot(async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ components: rows });
      if (interaction.isStringSelectMenu()) await interaction.reply(interaction.values.join('+'));
    });
    const { discord, member } = fixture;
    const { id } = await (await add(fixture)).reply();
    expect(
      await (await discord.select(member, id, 'kinds', ['buy', 'sell'])).reply(),
    ).toMatchObject({
      content: 'buy+sell',
    });
    await expect(discord.select(member, id, 'kinds', ['hold'])).rejects.toThrow('no option hold');
    await expect(discord.select(member, id, 'kinds', [])).rejects.toThrow('1 to 2');
  });
});
