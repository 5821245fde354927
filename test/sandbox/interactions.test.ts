import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type CacheType,
  ChannelType,
  type ChatInputCommandInteraction,
  type Client,
  EmbedBuilder,
  Events,
  type Interaction,
  MessageFlags,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
} from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { DiscordOptions } from '../../src/sandbox/discord/fake-discord.ts';
import { PERMISSIONS as P, USUAL_BOT_PERMISSIONS } from '../../src/sandbox/discord/permissions.ts';
import { logIn } from './client.ts';
import { call, clock, openBusyRoom, type Room, SOON } from './room.ts';

const watch = new SlashCommandBuilder()
  .setName('watch')
  .setDescription('Watch wallets')
  .addSubcommand((add) =>
    add
      .setName('add')
      .setDescription('Add one')
      .addStringOption((wallet) =>
        wallet.setName('wallet').setDescription('Address').setRequired(true).setMaxLength(42).setAutocomplete(true),
      )
      .addChannelOption((channel) =>
        channel.setName('channel').setDescription('Where').addChannelTypes(ChannelType.GuildText),
      )
      .addNumberOption((size) => size.setName('size').setDescription('At least').setMinValue(0).setMaxValue(100))
      .addStringOption((side) =>
        side
          .setName('side')
          .setDescription('Side')
          .addChoices({ name: 'Yes', value: 'yes' }, { name: 'No', value: 'no' }),
      )
      .addAttachmentOption((file) => file.setName('file').setDescription('List')),
  );

const button = (customId: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId(customId).setLabel('Next').setStyle(ButtonStyle.Primary),
  );

interface Botted extends Room {
  readonly client: Client<true>;
}

type Handler = (interaction: Interaction<CacheType>) => unknown;

/** A room whose bot answers with this handler; what the handler throws is collected. */
async function openBot(
  handler: Handler,
  options: Partial<DiscordOptions> = {},
): Promise<Botted & { errors: unknown[] }> {
  const room = await openBusyRoom(options);
  const client = await logIn(room.discord);
  if (!client.isReady()) throw new Error('not ready');
  await client.application.commands.set([watch]);
  const errors: unknown[] = [];
  client.on(Events.InteractionCreate, async (interaction) => {
    try {
      await handler(interaction);
    } catch (error) {
      errors.push(error);
    }
  });
  return { ...room, client, errors };
}

/** Only slash commands are answered. */
const onCommand =
  (handler: (interaction: ChatInputCommandInteraction) => unknown): Handler =>
  (interaction) =>
    interaction.isChatInputCommand() ? handler(interaction) : undefined;

const add = (room: Room, values: Record<string, string | number> = {}) =>
  room.discord.command(room.member, room.channelId, 'watch add', { wallet: '0xabc', ...values });

describe('a slash command', () => {
  it('carries everything that discord.js reads', async () => {
    const seen: unknown[] = [];
    const room = await openBot(
      onCommand(async (interaction) => {
        const channel = interaction.options.getChannel('channel', true);
        seen.push({
          sub: interaction.options.getSubcommand(),
          wallet: interaction.options.getString('wallet'),
          channel: channel.id,
          channelId: interaction.channelId,
          name: interaction.channel && 'name' in interaction.channel ? interaction.channel.name : null,
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
    const handle = await room.discord.command(room.admin, room.channelId, '  watch   add ', {
      wallet: '0xabc',
      channel: room.channelId,
    });
    await handle.reply();
    expect(seen).toEqual([
      {
        sub: 'add',
        wallet: '0xabc',
        channel: room.channelId,
        channelId: room.channelId,
        name: 'alerts',
        guild: 'Traders',
        manager: true,
        app: true,
        target: true,
        locale: 'en-US',
        owner: room.guildId,
        context: 0,
        limit: 10 * 1024 * 1024,
      },
    ]);
    expect(room.discord.rejections).toEqual([]);
  });

  it('gets a deferred ephemeral reply, its content, and a public follow-up', async () => {
    const room = await openBot(
      onCommand(async (interaction) => {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        await interaction.editReply({ embeds: [new EmbedBuilder().setTitle('Done')], components: [button('next')] });
        await interaction.followUp(`<@${interaction.user.id}>`);
        await interaction.editReply({ content: 'Changed' });
      }),
    );
    const handle = await add(room);
    const reply = await handle.reply();
    expect(reply).toMatchObject({ embeds: [{ title: 'Done' }], ephemeralFor: room.member.userId, thinking: false });
    const changed = await handle.waitFor(({ content }) => content === 'Changed');
    expect(changed).toMatchObject({ id: reply.id, embeds: [{ title: 'Done' }] });
    expect(handle.acknowledgement).toBe(5);
    expect(handle.replies).toHaveLength(2);
    expect(room.discord.messages(room.channelId)).toMatchObject([{ pings: { userIds: [room.member.userId] } }]);
    expect(room.discord.messages(room.channelId, { as: room.member.userId })).toHaveLength(2);
    expect(room.discord.messages(room.channelId, { as: room.admin.userId })).toHaveLength(1);
    const fetched = await call(room.discord, 'GET', `/channels/${room.channelId}/messages/${reply.id}`);
    expect(fetched).toMatchObject({ status: 404, body: { code: 10008 } });
  });

  it('whose deferred reply is followed up at once fills the placeholder, ephemeral as that was', async () => {
    const room = await openBot(
      onCommand(async (interaction) => {
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        await interaction.followUp('first');
        await interaction.followUp('second');
      }),
    );
    const handle = await add(room);
    await handle.waitFor(({ content }) => content === 'second');
    expect(handle.replies).toMatchObject([
      { content: 'first', ephemeralFor: room.member.userId, flags: 64 },
      { content: 'second', ephemeralFor: null },
    ]);
  });

  it('can be answered with a file, and with embeds where the bot has no EMBED_LINKS', async () => {
    const room = await openBot(
      onCommand((interaction) =>
        interaction.reply({
          embeds: [{ title: 'Table' }],
          files: [{ attachment: Buffer.from('a,b'), name: 'a.csv' }],
          withResponse: true,
        }),
      ),
    );
    room.discord.setBotPermissions(room.channelId, USUAL_BOT_PERMISSIONS & ~P.EMBED_LINKS);
    const reply = await (await add(room)).reply();
    expect(reply).toMatchObject({ embeds: [{ title: 'Table' }], attachments: [{ filename: 'a.csv' }] });
  });

  it('that nobody answers in time has failed, and a late answer is refused with 10062', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const room = await openBot(
      onCommand((interaction) => {
        late = new Promise((resolve) => setTimeout(resolve, 80)).then(() => interaction.reply('late'));
        return late;
      }),
      { ackMs: 40 },
    );
    const handle = await add(room);
    await expect(handle.reply()).rejects.toThrow('did not respond within 40 ms');
    expect(handle.state).toBe('failed');
    await expect(late).rejects.toMatchObject({ code: 10062, status: 404 });
    expect(room.discord.rejections).toMatchObject([{ source: 'interaction' }, { source: 'rest', code: 10062 }]);
  });

  it('is late by the clock of the double', async () => {
    const time = clock();
    const room = await openBusyRoom({ now: time.now });
    const base = `/applications/${room.discord.bot.applicationId}/commands`;
    await call(room.discord, 'PUT', base, { json: [{ name: 'ping', description: 'Ping' }] });
    const answers: unknown[] = [];
    for (const waitMs of [2999, 3000]) {
      const { id, token } = await room.discord.command(room.member, room.channelId, 'ping');
      time.forward(waitMs);
      answers.push(
        await call(room.discord, 'POST', `/interactions/${id}/${token}/callback`, { json: { type: 5 }, token: null }),
      );
    }
    expect(answers).toMatchObject([{ status: 204 }, { status: 404, body: { code: 10062 } }]);
  });

  it('that arrives twice can be answered once: the second answer is 40060', async () => {
    const room = await openBot(onCommand((interaction) => interaction.reply('ok')));
    room.discord.faults.deliver('INTERACTION_CREATE', 2);
    await (await add(room)).reply();
    await expect.poll(() => room.errors, SOON).toMatchObject([{ code: 40060, status: 400 }]);
    room.discord.faults.deliver('INTERACTION_CREATE', 1);
    const handle = await add(room);
    await handle.reply();
    handle.redeliver();
    await expect.poll(() => room.errors, SOON).toHaveLength(2);
    expect(room.discord.messages(room.channelId)).toHaveLength(2);
  });

  it('can be answered for fifteen minutes: then its token is invalid', async () => {
    let nowMs = Date.now();
    const answered: ChatInputCommandInteraction[] = [];
    const room = await openBot(
      onCommand(async (interaction) => {
        await interaction.reply('ok');
        answered.push(interaction);
      }),
      { now: () => nowMs },
    );
    await add(room);
    await expect.poll(() => answered, SOON).toHaveLength(1);
    nowMs += 15 * 60_000 - 1;
    await answered[0]?.editReply('still');
    nowMs += 1;
    await expect(answered[0]?.editReply('gone')).rejects.toMatchObject({ code: 50027, status: 401 });
  });

  it('has no webhook before it is acknowledged; asking again is pointed out', async () => {
    const room = await openBusyRoom();
    const path = `/webhooks/${room.discord.bot.applicationId}/sometoken`;
    for (let index = 0; index < 2; index += 1) {
      const answer = await call(room.discord, 'POST', path, { json: { content: 'x' }, token: null });
      expect(answer).toMatchObject({ status: 404, body: { code: 10015 } });
    }
    expect(room.discord.warnings).toHaveLength(1);
  });

  it('whose reply is deleted has no @original any more', async () => {
    const room = await openBot(
      onCommand(async (interaction) => {
        await interaction.reply('ok');
        await interaction.deleteReply();
        await interaction.fetchReply();
      }),
    );
    await (await add(room)).reply();
    await expect.poll(() => room.errors, SOON).toMatchObject([{ code: 10008 }]);
  });

  it.each([
    ['an empty reply', 4, {}, 50006],
    ['a reply over the limits', 4, { content: 'x'.repeat(2001) }, 50035],
    ['a deferral with more than EPHEMERAL', 5, { flags: 64 | 4096 }, 50035],
    ['suggestions', 8, { choices: [] }, 50035],
    ['an update of a message that is not there', 7, { content: 'x' }, 50035],
    ['a form', 9, { custom_id: 'm', title: 'x', components: [] }, 50035],
    ['an unknown callback', 3, {}, 50035],
  ])('refuses %s', async (_, type, data, code) => {
    const room = await openBot(
      onCommand((interaction) =>
        call(room.discord, 'POST', `/interactions/${interaction.id}/${interaction.token}/callback`, {
          json: { type, data },
          token: null,
        }).then((answer) => answers.push(answer)),
      ),
    );
    const answers: unknown[] = [];
    await add(room);
    await expect.poll(() => answers, SOON).toMatchObject([{ status: 400, body: { code } }]);
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
    ['an unknown channel', 'watch add', { wallet: 'x', channel: '123456789012345678' }, 'no channel'],
    ['no file', 'watch add', { wallet: 'x', file: 'a.csv' }, 'file'],
  ])('%s', async (_, line, values, reason) => {
    const room = await openBusyRoom();
    const base = `/applications/${room.discord.bot.applicationId}/commands`;
    await call(room.discord, 'PUT', base, { json: [watch.toJSON()] });
    await expect(room.discord.command(room.member, room.channelId, line, values)).rejects.toThrow(reason);
  });

  it('act in a channel that is hidden from them, or in a server that is not theirs', async () => {
    const room = await openBusyRoom();
    const { discord, member, channelId } = room;
    discord.setOverwrite(channelId, { id: member.userId, type: 1, allow: 0n, deny: P.VIEW_CHANNEL });
    await expect(discord.command(member, channelId, 'watch add')).rejects.toThrow('cannot see');
    const other = discord.createGuild({ name: 'Other' });
    const hidden = discord.createChannel(other.id, { name: 'x' });
    await expect(discord.command(member, hidden.id, 'watch add')).rejects.toThrow('not in the server');
  });
});

describe('autocomplete', () => {
  const suggest = (room: Room) =>
    room.discord.autocomplete(room.member, room.channelId, 'watch add', { wallet: '0x', size: 5 }, 'wallet');

  it('gets suggestions for what is being typed; other options may be absent', async () => {
    const room = await openBot((interaction) => {
      if (!interaction.isAutocomplete()) return;
      const { name, value } = interaction.options.getFocused(true);
      return interaction.respond([{ name: `${name} ${value} ${interaction.options.getNumber('size')}`, value: 'v' }]);
    });
    expect(await suggest(room)).toEqual([{ name: 'wallet 0x 5', value: 'v' }]);
  });

  it.each([
    ['26 of them', Array.from({ length: 26 }, (_, i) => ({ name: `${i}`, value: `${i}` }))],
    ['a name of 101', [{ name: 'x'.repeat(101), value: 'v' }]],
    ['a value of 101', [{ name: 'x', value: 'v'.repeat(101) }]],
    ['a number for a text', [{ name: 'x', value: 1 }]],
  ])('refuses %s', async (_, choices) => {
    const room = await openBot((interaction) => interaction.isAutocomplete() && interaction.respond(choices));
    const suggested = suggest(room).catch(() => 'none');
    await expect.poll(() => room.errors, SOON).toMatchObject([{ code: 50035 }]);
    await room.discord.close();
    expect(await suggested).toBe('none');
  });
});

describe('components', () => {
  it('change their message, or answer with another', async () => {
    const room = await openBot(async (interaction) => {
      if (interaction.isChatInputCommand())
        await interaction.reply({ content: 'page 1', components: [button('next')] });
      if (!interaction.isButton()) return;
      if (interaction.message.content === 'page 1') {
        await interaction.update({ content: 'page 2' });
      } else if (interaction.message.content === 'page 2') {
        await interaction.deferUpdate();
        await interaction.editReply({ content: 'page 3', components: [] });
        await interaction.followUp({ content: 'end', flags: MessageFlags.Ephemeral });
      }
    });
    const first = await (await add(room)).reply();
    const second = await (await room.discord.press(room.admin, first.id, 'next')).reply();
    expect(second).toMatchObject({ id: first.id, content: 'page 2', editedAtMs: expect.any(Number) });
    const handle = await room.discord.press(room.admin, first.id, 'next');
    expect(await handle.reply()).toMatchObject({ id: first.id, content: 'page 3', components: [] });
    expect(await handle.waitFor(({ content }) => content === 'end')).toMatchObject({ ephemeralFor: room.admin.userId });
    await expect(room.discord.press(room.admin, first.id, 'next')).rejects.toThrow('no component next');
    expect(room.discord.rejections).toEqual([]);
  });

  it('can be pressed only by those who see the message', async () => {
    const room = await openBot(
      onCommand((interaction) =>
        interaction.reply({ content: 'x', components: [button('next')], flags: MessageFlags.Ephemeral }),
      ),
    );
    const reply = await (await add(room)).reply();
    await expect(room.discord.press(room.admin, reply.id, 'next')).rejects.toThrow('does not see');
  });

  it('of the select kind give the values that were chosen', async () => {
    const menu = new StringSelectMenuBuilder()
      .setCustomId('kinds')
      .setMinValues(1)
      .setMaxValues(2)
      .addOptions({ label: 'Buy', value: 'buy' }, { label: 'Sell', value: 'sell' });
    const rows = [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)];
    const room = await openBot(async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ components: rows });
      if (interaction.isStringSelectMenu()) await interaction.reply(interaction.values.join('+'));
    });
    const { discord, member } = room;
    const { id } = await (await add(room)).reply();
    expect(await (await discord.select(member, id, 'kinds', ['buy', 'sell'])).reply()).toMatchObject({
      content: 'buy+sell',
    });
    await expect(discord.select(member, id, 'kinds', ['hold'])).rejects.toThrow('no option hold');
    await expect(discord.select(member, id, 'kinds', [])).rejects.toThrow('1 to 2');
  });
});
