import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelSelectMenuBuilder,
  ChannelType,
  CheckboxBuilder,
  CheckboxGroupBuilder,
  Events,
  FileUploadBuilder,
  GuildMember,
  type Interaction,
  LabelBuilder,
  MentionableSelectMenuBuilder,
  MessageFlags,
  ModalBuilder,
  type ModalSubmitInteraction,
  RadioGroupBuilder,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { FieldValue } from '../src/discord/people/fields.ts';
import { logIn } from './client.ts';
import {
  callBack,
  expectLimits,
  type Limit,
  openUnlimitedFixture,
  register,
  SOON,
  text,
  times,
  within,
} from './fixture.ts';

const settings = { name: 'settings', description: 'Shows the settings' };
const button = new ActionRowBuilder<ButtonBuilder>().addComponents(
  new ButtonBuilder().setCustomId('edit').setLabel('Edit').setStyle(ButtonStyle.Primary),
);
const PANEL = { content: 'from $50', components: [button] };

/** Returns a label with its field. */
const labelled = (label: string, add: (builder: LabelBuilder) => LabelBuilder) =>
  add(new LabelBuilder().setLabel(label));
const input = (customId: string, more: (builder: TextInputBuilder) => TextInputBuilder) =>
  more(new TextInputBuilder().setCustomId(customId).setStyle(TextInputStyle.Short));
const optional = (builder: TextInputBuilder) => builder.setRequired(false);
const kinds = ['buy', 'sell', 'redeem'].map((value) => ({ label: value.toUpperCase(), value }));

const modalOf = (...labels: LabelBuilder[]) =>
  new ModalBuilder()
    .setCustomId('size')
    .setTitle('How large')
    .addLabelComponents(...labels);
const amounts = () =>
  modalOf(
    labelled('From $', (one) =>
      one
        .setDescription('Smaller ones are not posted')
        .setTextInputComponent(input('from', (field) => optional(field).setValue('50'))),
    ),
    labelled('To $', (one) => one.setTextInputComponent(input('to', optional))),
  );

type Submitted = (interaction: ModalSubmitInteraction) => unknown;

/**
 * Starts a bot whose command shows a panel, whose button opens the modal, and which handles submits
 * with `onSubmit`.
 */
async function openBot(modal: () => ModalBuilder, onSubmit: Submitted, ackMs = 3000) {
  const fixture = await openUnlimitedFixture({ ackMs });
  const client = await logIn(fixture.discord);
  await register(fixture, [settings]);
  const errors: unknown[] = [];
  const handle = async (interaction: Interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply(PANEL);
    if (interaction.isButton()) await interaction.showModal(modal());
    if (interaction.isModalSubmit()) await onSubmit(interaction);
  };
  client.on(Events.InteractionCreate, (interaction) =>
    handle(interaction).catch((error: unknown) => errors.push(error)),
  );
  const { discord, channelId, member } = fixture;
  const panel = await (await discord.command(member, channelId, 'settings')).reply();
  const open = async (who = member) => (await discord.press(who, panel.id, 'edit')).modal();
  return { ...fixture, client, errors, panel, open };
}

describe('a modal', () => {
  it('opens at a press with what the bot has filled in, and its submit changes the message', async () => {
    const { discord, open, panel } = await openBot(amounts, async (submit) => {
      if (!submit.isFromMessage()) throw new Error('It comes from a message.');
      const fields = submit.fields.fields.map(({ customId }) => customId);
      const from = submit.fields.getTextInputValue('from');
      await submit.update(`${fields} ${from} ${submit.message.content} ${submit.user.username}`);
    });
    const modal = await open();
    expect(modal).toMatchObject({ customId: 'size', title: 'How large', state: 'open' });
    expect(modal.fields).toMatchObject([
      { customId: 'from', label: 'From $', description: expect.any(String), value: '50' },
      { customId: 'to', label: 'To $', description: null, value: '' },
    ]);
    const handle = await modal.submit({ from: '1,000' });
    expect(await handle.reply()).toMatchObject({
      id: panel.id,
      content: 'from,to 1,000 from $50 max',
    });
    expect(handle.acknowledgement).toBe(7);
    expect(modal.state).toBe('closed');
    expect(discord.rejections).toEqual([]);
    expect(discord.warnings).toEqual([]);
  });

  it('opens at a command; its submit has no message, and a message of its own for an answer', async () => {
    const fixture = await openUnlimitedFixture();
    const client = await logIn(fixture.discord);
    await register(fixture, [settings]);
    const seen: unknown[] = [];
    client.on(Events.InteractionCreate, async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.showModal(amounts());
      if (!interaction.isModalSubmit()) return;
      seen.push(interaction.message, interaction.isFromMessage());
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.editReply('done');
    });
    const { discord, channelId, member } = fixture;
    const opened = await discord.command(member, channelId, 'settings');
    const handle = await (await opened.modal()).submit();
    const reply = await handle.reply();
    expect(reply).toMatchObject({ content: 'done', ephemeralFor: member.userId });
    expect(reply.raw).toMatchObject({
      interaction_metadata: {
        id: handle.id,
        type: 5,
        triggering_interaction_metadata: { id: opened.id, type: 2, name: 'settings' },
      },
    });
    expect(seen).toEqual([null, false]);
    expect(discord.rejections).toEqual([]);
  });

  it('sends nothing when it is closed, and can be opened again', async () => {
    const submits: string[] = [];
    const { open, discord } = await openBot(amounts, async (submit) => {
      submits.push(submit.fields.getTextInputValue('from'));
      await submit.deferUpdate();
    });
    const closed = await open();
    closed.close();
    await expect(closed.submit()).rejects.toThrow('closed');
    const handle = await (await open()).submit();
    expect(await handle.acknowledged()).toBe(6);
    expect(submits).toEqual(['50']);
    expect(discord.rejections).toEqual([]);
  });

  it('is submitted once, and stays open where nobody answers', async () => {
    let submits = 0;
    const { open } = await openBot(
      amounts,
      async (submit) => {
        submits += 1;
        if (submits === 2) await submit.reply('ok');
      },
      3000,
    );
    const modal = await open();
    const unanswered = await modal.submit();
    expect(modal.state).toBe('sending');
    await expect(modal.submit()).rejects.toThrow('sending');
    await expect(unanswered.reply()).rejects.toThrow('did not respond');
    expect(modal.state).toBe('open');
    expect(await (await modal.submit()).reply()).toMatchObject({ content: 'ok' });
    await expect(modal.submit()).rejects.toThrow('closed');
    expect(submits).toBe(2);
  });

  it('comes too late after a deferral or an answer, and is no answer to a submit', async () => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [settings]);
    const { discord, channelId, member } = fixture;
    const data = amounts().toJSON();
    for (const first of [{ type: 5 }, { type: 4, data: { content: 'x' } }, { type: 9, data }]) {
      const handle = await discord.command(member, channelId, 'settings');
      expect(await callBack(discord, handle, first)).toMatchObject({ status: 204 });
      expect(await callBack(discord, handle, { type: 9, data })).toMatchObject({
        status: 400,
        body: { code: 40060 },
      });
    }
    const opener = await discord.command(member, channelId, 'settings');
    await callBack(discord, opener, { type: 9, data });
    const submit = await (await opener.modal()).submit();
    for (const type of [9, 8, 7, 6]) {
      expect(await callBack(discord, submit, { type, data }), String(type)).toMatchObject({
        status: 400,
        body: { code: 50035, errors: { type: { _errors: [{}] } } },
      });
    }
    expect(await callBack(discord, submit, { type: 5 })).toMatchObject({ status: 204 });
  });

  it('is no answer to autocomplete', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord, channelId, member } = fixture;
    const option = { type: 3, name: 'wallet', description: 'Which', autocomplete: true };
    await register(fixture, [{ ...settings, options: [option] }]);
    const client = await logIn(discord);
    const refused: unknown[] = [];
    client.on(Events.InteractionCreate, ({ id, token }) => {
      void callBack(discord, { id, token }, { type: 9, data: amounts().toJSON() }).then((answer) =>
        refused.push(answer),
      );
    });
    const suggestions = discord
      .autocomplete(member, channelId, 'settings', {}, 'wallet')
      .catch(() => {});
    await expect
      .poll(() => refused, SOON)
      .toMatchObject([{ status: 400, body: { code: 50035, errors: { type: {} } } }]);
    await discord.close();
    await suggestions;
  });

  it('whose message is gone can be submitted, and answered with another message', async () => {
    const { discord, open, panel } = await openBot(amounts, async (submit) => {
      expect(submit.isFromMessage()).toBe(false);
      await submit.reply('ok');
    });
    const modal = await open();
    discord.deleteMessage(panel.id);
    expect(await (await modal.submit()).reply()).toMatchObject({ content: 'ok' });
  });

  it('cannot be submitted by who no longer sees the channel', async () => {
    const { discord, open, channelId, errors } = await openBot(amounts, () => {
      throw new Error('It was submitted.');
    });
    const modal = await open();
    discord.deleteChannel(channelId);
    await expect(modal.submit()).rejects.toThrow('no channel');
    expect(errors).toEqual([]);
  });
});

/** Returns the fields of a submit as discord.js reads them. */
async function submitted(
  add: (builder: LabelBuilder) => LabelBuilder,
  values: Record<string, FieldValue>,
  read: (submit: ModalSubmitInteraction) => unknown,
) {
  const seen: unknown[] = [];
  const raw: unknown[] = [];
  const bot = await openBot(
    () => modalOf(labelled('Field', add)),
    async (submit) => {
      seen.push(read(submit));
      await submit.deferUpdate();
    },
  );
  bot.client.on(Events.Raw, (packet: { t: string; d: { type: number; data: unknown } }) => {
    if (packet.t === 'INTERACTION_CREATE' && packet.d.type === 5) raw.push(packet.d.data);
  });
  const modal = await bot.open();
  await (await modal.submit(values)).acknowledged();
  expect(bot.errors).toEqual([]);
  expect(bot.discord.rejections).toEqual([]);
  return { seen: seen[0], data: raw[0] as Record<string, unknown>, modal, ...bot };
}

const component = (type: number, answer: object) => ({
  custom_id: 'size',
  components: [{ type: 18, id: 1, component: { type, id: 2, custom_id: 'field', ...answer } }],
});

describe('what a submit carries', () => {
  const menu = () =>
    new StringSelectMenuBuilder().setCustomId('field').addOptions(kinds).setMaxValues(3);
  const none = { required: false, min_values: 0 };

  it('is text as it was typed, spaces included, and empty text of an empty field', async () => {
    const field = (one: LabelBuilder) => one.setTextInputComponent(input('field', optional));
    const read = (submit: ModalSubmitInteraction) => submit.fields.getTextInputValue('field');
    const spaces = await submitted(field, { field: '  ' }, read);
    expect(spaces).toMatchObject({ seen: '  ', data: component(4, { value: '  ' }) });
    const empty = await submitted(field, {}, read);
    expect(empty).toMatchObject({ seen: '', data: component(4, { value: '' }) });
  });

  it('is the values of a menu in the order chosen, and an empty list of an emptied one', async () => {
    const read = (submit: ModalSubmitInteraction) => submit.fields.getStringSelectValues('field');
    const chosen = await submitted(
      (one) => one.setStringSelectMenuComponent(menu()),
      { field: ['sell', 'buy'] },
      read,
    );
    expect(chosen).toMatchObject({
      seen: ['sell', 'buy'],
      data: component(3, { values: ['sell', 'buy'] }),
    });
    const options = kinds.map((kind) => ({ ...kind, default: kind.value === 'buy' }));
    const filled = new StringSelectMenuBuilder({ custom_id: 'field', options, ...none });
    const emptied = await submitted(
      (one) => one.setStringSelectMenuComponent(filled),
      { field: [] },
      read,
    );
    expect(emptied.modal.fields[0]?.value).toEqual(['buy']);
    expect(emptied.seen).toEqual([]);
    expect(emptied.data).toEqual(component(3, { values: [] }));
    expect(emptied.discord.warnings).toEqual([]);
  });

  it('is the ids of roles, people and channels, each resolved; of none, nothing', async () => {
    const role = new RoleSelectMenuBuilder({ custom_id: 'field', ...none });
    const emptied = await submitted(
      (one) => one.setRoleSelectMenuComponent(role),
      {},
      (submit) => submit.fields.getSelectedRoles('field')?.size ?? 0,
    );
    expect(emptied.seen).toBe(0);
    expect(emptied.data).toEqual(component(6, { values: [] }));

    const every = modalOf(
      labelled('Role', (one) =>
        one.setRoleSelectMenuComponent(new RoleSelectMenuBuilder().setCustomId('role')),
      ),
      labelled('Person', (one) =>
        one.setUserSelectMenuComponent(new UserSelectMenuBuilder().setCustomId('user')),
      ),
      labelled('Either', (one) =>
        one.setMentionableSelectMenuComponent(
          new MentionableSelectMenuBuilder().setCustomId('either').setMaxValues(2),
        ),
      ),
      labelled('Channel', (one) =>
        one.setChannelSelectMenuComponent(
          new ChannelSelectMenuBuilder()
            .setCustomId('channel')
            .setChannelTypes(ChannelType.GuildText),
        ),
      ),
    );
    const seen: unknown[] = [];
    const bot = await openBot(
      () => every,
      async (submit) => {
        const { fields } = submit;
        seen.push(
          fields.getSelectedRoles('role')?.map((role) => role?.name),
          fields.getSelectedUsers('user')?.map(({ username }) => username),
          fields.getSelectedMembers('user')?.map((one) => one instanceof GuildMember),
          fields.getSelectedMentionables('either')?.roles.map((role) => role?.name),
          fields.getSelectedMentionables('either')?.users.map(({ username }) => username),
          fields
            .getSelectedChannels('channel')
            ?.map((channel) => ('name' in channel ? channel.name : '')),
        );
        await submit.deferUpdate();
      },
    );
    const { discord, guildId, channelId, admin, member } = bot;
    const traders = discord.createRole(guildId, { name: 'traders' });
    const modal = await bot.open();
    const values = {
      role: [traders.id],
      user: [admin.userId],
      either: [member.userId, traders.id],
      channel: [channelId],
    };
    await (await modal.submit(values)).acknowledged();
    expect(bot.errors).toEqual([]);
    expect(seen).toEqual([['traders'], ['ada'], [true], ['traders'], ['max'], ['alerts']]);
    await expect((await bot.open()).submit({ ...values, role: [channelId] })).rejects.toThrow(
      'no role',
    );
    const voice = discord.createChannel(guildId, { name: 'talk', type: 2 });
    await expect((await bot.open()).submit({ ...values, channel: [voice.id] })).rejects.toThrow(
      'accepted are 0',
    );
  });

  it('is what the bot has filled in, but for a role that is gone', async () => {
    const bot = await openBot(
      () =>
        modalOf(
          labelled('Role', (one) =>
            one.setRoleSelectMenuComponent(
              new RoleSelectMenuBuilder({ custom_id: 'role', ...none }).setDefaultRoles(traders.id),
            ),
          ),
        ),
      (submit) => submit.reply(String(submit.fields.getField('role').type)),
    );
    const traders = bot.discord.createRole(bot.guildId, { name: 'traders' });
    const before = await bot.open();
    expect(before.fields[0]?.value).toEqual([traders.id]);
    bot.discord.deleteRole(bot.guildId, traders.id);
    const after = await bot.open();
    expect(after.fields[0]?.value).toEqual([]);
    await (await after.submit()).reply();
    expect(bot.errors).toEqual([]);
  });

  it('is the value of a radio group, or null; the values of a checkbox group; true or false', async () => {
    const radio = (one: LabelBuilder) =>
      one.setRadioGroupComponent(
        new RadioGroupBuilder().setCustomId('field').addOptions(kinds).setRequired(false),
      );
    const readRadio = (submit: ModalSubmitInteraction) => submit.fields.getRadioGroup('field');
    expect(await submitted(radio, { field: 'sell' }, readRadio)).toMatchObject({
      seen: 'sell',
      data: component(21, { value: 'sell' }),
    });
    expect((await submitted(radio, {}, readRadio)).data).toEqual(component(21, { value: null }));

    const group = (one: LabelBuilder) =>
      one.setCheckboxGroupComponent(
        new CheckboxGroupBuilder()
          .setCustomId('field')
          .addOptions(kinds)
          .setMinValues(0)
          .setRequired(false),
      );
    const readGroup = (submit: ModalSubmitInteraction) => submit.fields.getCheckboxGroup('field');
    expect(await submitted(group, { field: ['buy', 'redeem'] }, readGroup)).toMatchObject({
      seen: ['buy', 'redeem'],
      data: component(22, { values: ['buy', 'redeem'] }),
    });
    expect((await submitted(group, {}, readGroup)).data).toEqual(component(22, { values: [] }));

    const tick = (one: LabelBuilder) =>
      one.setCheckboxComponent(new CheckboxBuilder().setCustomId('field').setDefault(true));
    const readTick = (submit: ModalSubmitInteraction) => submit.fields.getCheckbox('field');
    expect((await submitted(tick, {}, readTick)).data).toEqual(component(23, { value: true }));
    expect(await submitted(tick, { field: false }, readTick)).toMatchObject({
      seen: false,
      data: component(23, { value: false }),
    });
  });

  it('is files, resolved', async () => {
    const upload = (one: LabelBuilder) =>
      one.setFileUploadComponent(new FileUploadBuilder().setCustomId('field').setMaxValues(2));
    const file = { filename: 'a.csv', data: new TextEncoder().encode('a,b') };
    const { seen } = await submitted(upload, { field: [file] }, (submit) =>
      submit.fields.getUploadedFiles('field')?.map(({ name, size }) => [name, size]),
    );
    expect(seen).toEqual([['a.csv', 3]]);
  });

  it('names texts by their id, and an action row as the bot sent it', async () => {
    const row = new ActionRowBuilder<TextInputBuilder>().addComponents(
      input('field', (field) => field.setLabel('Name').setValue('ada')),
    );
    const raw: unknown[] = [];
    const bot = await openBot(
      () =>
        new ModalBuilder()
          .setCustomId('size')
          .setTitle('Title')
          .addTextDisplayComponents(new TextDisplayBuilder().setContent('Read this').setId(2))
          .addComponents(row),
      async (submit) => {
        raw.push(submit.fields.getTextInputValue('field'));
        await submit.deferUpdate();
      },
    );
    bot.client.on(Events.Raw, (packet: { t: string; d: { type: number; data: unknown } }) => {
      if (packet.t === 'INTERACTION_CREATE' && packet.d.type === 5) raw.unshift(packet.d.data);
    });
    const modal = await bot.open();
    expect(modal.fields).toMatchObject([{ label: 'Name', value: 'ada' }]);
    await (await modal.submit()).acknowledged();
    expect(raw).toEqual([
      {
        custom_id: 'size',
        components: [
          { type: 10, id: 2 },
          { type: 1, id: 1, components: [{ type: 4, id: 3, custom_id: 'field', value: 'ada' }] },
        ],
      },
      'ada',
    ]);
  });
});

describe('what Discord’s client does not let a person submit', () => {
  const field = (json: object) =>
    new LabelBuilder({
      type: 18,
      label: 'Field',
      component: { custom_id: 'field', ...json },
    } as never);
  const line = (more: object) => field({ type: 4, style: 1, ...more });
  const menu = (more: object) => field({ type: 3, options: kinds, ...more });
  const group = (type: number, more: object) => field({ type, options: kinds, ...more });
  const png = { filename: 'a.png', data: new Uint8Array() };

  it.each<[string, LabelBuilder, FieldValue, string]>([
    ['an empty text', line({}), '', 'required'],
    ['too short a text', line({ min_length: 3 }), 'ab', 'at least 3'],
    ['too long a text', line({ max_length: 3 }), 'abcd', '3 or fewer'],
    ['more text than Discord takes', line({}), text(4001), '4000 or fewer'],
    ['two lines in one', line({}), 'a\nb', 'one line'],
    ['a list for a text', line({}), [], 'text'],
    ['nothing in a menu', menu({}), [], 'required'],
    ['too few', menu({ min_values: 2, max_values: 3 }), ['buy'], 'at least 2'],
    ['too many', menu({}), ['buy', 'sell'], '1 or fewer'],
    ['one value twice', menu({ max_values: 2 }), ['buy', 'buy'], 'twice'],
    ['no option', menu({}), ['hold'], 'no option hold'],
    ['text for a menu', menu({}), 'buy', 'list'],
    ['nothing in a radio group', group(21, {}), null, 'required'],
    ['no option of a radio group', group(21, {}), 'hold', 'no option hold'],
    ['a list for a radio group', group(21, {}), ['buy'], 'one value'],
    ['nothing in a checkbox group', group(22, {}), [], 'required'],
    ['too many of a checkbox group', group(22, { max_values: 1 }), ['buy', 'sell'], '1 or fewer'],
    ['text for a checkbox', field({ type: 23 }), 'yes', 'true or false'],
    ['no file', field({ type: 19 }), [], 'required'],
    ['a file of another kind', field({ type: 19, file_types: ['.csv'] }), [png], '.csv'],
    ['text for a file', field({ type: 19 }), ['a.png'], 'list of files'],
  ])('%s', async (_, label, value, reason) => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [settings]);
    const { discord, channelId, member } = fixture;
    const opener = await discord.command(member, channelId, 'settings');
    const data = { custom_id: 'm', title: 'Title', components: [label.toJSON()] };
    expect(await callBack(discord, opener, { type: 9, data })).toMatchObject({ status: 204 });
    const modal = await opener.modal();
    const faults = new Map([['field', expect.stringContaining(reason)]]);
    await expect(modal.submit({ field: value })).rejects.toMatchObject({ faults });
    await expect(modal.submit({ other: '' })).rejects.toThrow('Fields: field');
    expect(modal.state).toBe('open');
  });

  it('names every field that is wrong', async () => {
    const bot = await openBot(
      () => modalOf(line({ custom_id: 'a' }), line({ custom_id: 'b', value: 'x' }), line({})),
      () => {},
    );
    await expect((await bot.open()).submit()).rejects.toMatchObject({
      faults: new Map([
        ['a', 'This field is required.'],
        ['field', 'This field is required.'],
      ]),
    });
  });
});

describe('a modal that Discord refuses', () => {
  const label = (component: object) => ({ type: 18, label: 'Field', component });
  const modal = (...components: object[]) => ({ custom_id: 'm', title: 'Title', components });
  const named = (more: object) => ({ custom_id: 'field', ...more });
  const line = (more: object = {}) => named({ type: 4, style: 1, ...more });
  const lines = (count: number) =>
    times(count, (index) => label(line({ custom_id: `field ${index}` })));
  const options = (count: number, more: object = {}) =>
    times(count, (index) => ({ label: `${index}`, value: `${index}`, ...more }));
  const menu = (more: object = {}) => named({ type: 3, options: options(3), ...more });
  const ids = (count: number, type: string) =>
    times(count, (index) => ({ id: String(10n ** 17n + BigInt(index)), type }));

  /** Opens each modal as the response to a command; Discord answers 204 or rejects it. */
  async function expectModals(limits: readonly Limit[]) {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [settings]);
    const { discord, channelId, member } = fixture;
    await expectLimits(
      limits.map(([name, accepted, refused, at]) => [name, accepted, refused, `data.${at}`]),
      async (data) => {
        const opener = await discord.command(member, channelId, 'settings');
        const answer = await callBack(discord, opener, { type: 9, data });
        return { ...answer, status: answer.status === 204 ? 200 : answer.status };
      },
    );
  }
  const expectFields = (limits: readonly Limit[]) =>
    expectModals(within('components.0.component', (field) => modal(label(field)), limits));

  it('is out of its own limits', async () => {
    const base = modal(...lines(1));
    const text10 = (length: number) => modal({ type: 10, content: text(length) });
    const row = (...inputs: object[]) => modal({ type: 1, components: inputs });
    await expectModals([
      [
        'custom id',
        { ...base, custom_id: text(100) },
        { ...base, custom_id: text(101) },
        'custom_id',
      ],
      ['no custom id', base, { ...base, custom_id: undefined }, 'custom_id'],
      ['title', { ...base, title: text(45) }, { ...base, title: text(46) }, 'title'],
      ['no title', base, { ...base, title: ' ' }, 'title'],
      ['nothing in it', base, modal(), 'components'],
      ['six components', modal(...lines(5)), modal(...lines(6)), 'components'],
      [
        'one custom id twice',
        modal(...lines(2)),
        modal(...lines(1), ...lines(1)),
        'components.1.component.custom_id',
      ],
      [
        'one id twice',
        modal({ ...label(line()), id: 7 }),
        modal({ ...label(line({ id: 7 })), id: 7 }),
        'components.0.component.id',
      ],
      [
        'a button',
        base,
        modal({ type: 1, components: [{ type: 2, style: 1, custom_id: 'x' }] }),
        'components.0.components.0.type',
      ],
      ['a menu without a label', base, modal(menu()), 'components.0.type'],
      [
        'a long label',
        modal({ ...label(line()), label: text(45) }),
        modal({ ...label(line()), label: text(46) }),
        'components.0.label',
      ],
      ['no label', base, modal({ type: 18, component: line() }), 'components.0.label'],
      [
        'a long description',
        modal({ ...label(line()), description: text(100) }),
        modal({ ...label(line()), description: text(101) }),
        'components.0.description',
      ],
      ['nothing in a label', base, modal({ type: 18, label: 'Field' }), 'components.0.component'],
      [
        'a text in a label',
        base,
        modal(label({ type: 10, content: 'x' })),
        'components.0.component.type',
      ],
      ['a long text', text10(4000), text10(4001), 'components.0.content'],
      [
        'a row of two',
        row(line({ label: 'x' })),
        row(line({ label: 'x' }), line({ label: 'x', custom_id: 'y' })),
        'components.0.components',
      ],
      [
        'a row without a label',
        row(line({ label: text(45) })),
        row(line()),
        'components.0.components.0.label',
      ],
    ]);
  });

  it('has a text input out of its limits', async () => {
    await expectFields([
      ['custom id', line({ custom_id: text(100) }), line({ custom_id: text(101) }), 'custom_id'],
      ['no custom id', line(), line({ custom_id: '' }), 'custom_id'],
      ['style', line({ style: 2 }), line({ style: 3 }), 'style'],
      ['no style', line(), line({ style: undefined }), 'style'],
      ['a label of its own', line(), line({ label: 'x' }), 'label'],
      [
        'placeholder',
        line({ placeholder: text(100) }),
        line({ placeholder: text(101) }),
        'placeholder',
      ],
      ['value', line({ value: text(4000) }), line({ value: text(4001) }), 'value'],
      [
        'value over max_length',
        line({ value: 'abc', max_length: 3 }),
        line({ value: 'abcd', max_length: 3 }),
        'value',
      ],
      [
        'value under min_length',
        line({ value: 'abc', min_length: 3 }),
        line({ value: '', min_length: 3 }),
        'value',
      ],
      ['min_length', line({ min_length: 4000 }), line({ min_length: 4001 }), 'min_length'],
      ['max_length', line({ max_length: 1 }), line({ max_length: 0 }), 'max_length'],
      [
        'min over max',
        line({ min_length: 2, max_length: 2 }),
        line({ min_length: 3, max_length: 2 }),
        'min_length',
      ],
      ['disabled', line(), line({ disabled: true }), 'disabled'],
      ['required', line({ required: false }), line({ required: 'no' }), 'required'],
    ]);
  });

  it('has a menu out of its limits', async () => {
    const none = { min_values: 0 };
    const filled = options(2, { default: true });
    await expectFields([
      ['options', menu({ options: options(25) }), menu({ options: options(26) }), 'options'],
      ['no options', menu({ options: options(1) }), menu({ options: [] }), 'options'],
      [
        'one value twice',
        menu(),
        menu({ options: [...options(1), ...options(1)] }),
        'options.1.value',
      ],
      [
        'placeholder',
        menu({ placeholder: text(150) }),
        menu({ placeholder: text(151) }),
        'placeholder',
      ],
      [
        'none where one is required',
        menu({ ...none, required: false }),
        menu({ ...none, required: true }),
        'min_values',
      ],
      ['none where nothing is said', menu({ min_values: 1 }), menu(none), 'min_values'],
      [
        'min over max',
        menu({ min_values: 2, max_values: 2 }),
        menu({ min_values: 2 }),
        'min_values',
      ],
      ['max over the options', menu({ max_values: 3 }), menu({ max_values: 4 }), 'max_values'],
      [
        'defaults over max',
        menu({ options: filled, max_values: 2 }),
        menu({ options: filled }),
        'options',
      ],
      ['disabled', menu(), menu({ disabled: false }), 'disabled'],
    ]);
  });

  it.each([
    [5, 'user', 'role'],
    [6, 'role', 'user'],
    [7, 'user', 'channel'],
    [8, 'channel', 'role'],
  ])('has a menu of Discord’s own, type %i, out of its limits', async (type, kind, other) => {
    const own = (more: object = {}) => named({ type, ...more });
    const filled = (count: number, more: object = {}) =>
      own({ default_values: ids(count, kind), ...more });
    const none = { min_values: 0 };
    await expectFields([
      [
        'channels',
        own({ channel_types: [0, 5] }),
        own({ channel_types: [0, 99] }),
        'channel_types.1',
      ],
      ['channels twice', own(), own({ channel_types: [0, 0] }), 'channel_types'],
      ['max', own({ max_values: 25 }), own({ max_values: 26 }), 'max_values'],
      ['none where one is required', own({ ...none, required: false }), own(none), 'min_values'],
      ['defaults over max', filled(2, { max_values: 2 }), filled(2), 'default_values'],
      ['defaults under min', filled(0, { ...none, required: false }), filled(0), 'default_values'],
      [
        'defaults of another kind',
        filled(1),
        own({ default_values: ids(1, other) }),
        'default_values.0.type',
      ],
      ['disabled', own(), own({ disabled: true }), 'disabled'],
    ]);
  });

  it('has a group or a checkbox out of its limits', async () => {
    const radio = (more: object) => named({ type: 21, ...more });
    const group = (more: object) => named({ type: 22, options: options(3), ...more });
    const chosen = options(2, { default: true });
    const tick = (more: object) => named({ type: 23, ...more });
    await expectFields([
      [
        'ten to choose from',
        radio({ options: options(10) }),
        radio({ options: options(11) }),
        'options',
      ],
      [
        'one to choose from',
        radio({ options: options(2) }),
        radio({ options: options(1) }),
        'options',
      ],
      [
        'two chosen of a radio group',
        radio({ options: options(2) }),
        radio({ options: chosen }),
        'options',
      ],
      [
        'one value twice',
        radio({ options: options(2) }),
        radio({ options: [...options(1), ...options(1)] }),
        'options.1.value',
      ],
      ['ten to tick', group({ options: options(10) }), group({ options: options(11) }), 'options'],
      ['none to tick', group({ options: options(1) }), group({ options: [] }), 'options'],
      [
        'none where one is required',
        group({ min_values: 0, required: false }),
        group({ min_values: 0 }),
        'min_values',
      ],
      ['max', group({ max_values: 3 }), group({ max_values: 4 }), 'max_values'],
      ['min over the options', group({ min_values: 3 }), group({ min_values: 4 }), 'min_values'],
      [
        'ticked over max',
        group({ options: chosen }),
        group({ options: chosen, max_values: 1 }),
        'options',
      ],
      ['a disabled group', group({}), group({ disabled: true }), 'disabled'],
      [
        'a disabled radio group',
        radio({ options: options(2) }),
        radio({ options: options(2), disabled: true }),
        'disabled',
      ],
      ['default', tick({ default: true }), tick({ default: 'yes' }), 'default'],
      ['a disabled checkbox', tick({}), tick({ disabled: true }), 'disabled'],
    ]);
  });

  it('has a file upload out of its limits', async () => {
    const upload = (more: object = {}) => named({ type: 19, ...more });
    await expectFields([
      ['max', upload({ max_values: 10 }), upload({ max_values: 11 }), 'max_values'],
      [
        'none where one is required',
        upload({ min_values: 0, required: false }),
        upload({ min_values: 0 }),
        'min_values',
      ],
      [
        'kinds',
        upload({ file_types: ['image', '.csv'] }),
        upload({ file_types: ['csv'] }),
        'file_types.0',
      ],
      ['disabled', upload(), upload({ disabled: true }), 'disabled'],
    ]);
  });

  it('is accepted, but hardly does what was meant', async () => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [settings]);
    const { discord, channelId, member } = fixture;
    const opener = await discord.command(member, channelId, 'settings');
    const data = modal(
      label(line({ value: 'a\nb' })),
      label(menu({ custom_id: 'menu', required: false })),
      label(named({ custom_id: 'role', type: 6, required: false, min_values: 0 })),
    );
    expect(await callBack(discord, opener, { type: 9, data })).toMatchObject({ status: 204 });
    expect(discord.warnings.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('field has one line'),
      expect.stringContaining('menu is optional without min_values 0'),
    ]);
    expect((await opener.modal()).fields[0]?.value).toBe('ab');
  });
});

describe('a menu of a message', () => {
  it('does not send again what it shows as chosen', async () => {
    const fixture = await openUnlimitedFixture({ ackMs: 3000 });
    const client = await logIn(fixture.discord);
    await register(fixture, [settings]);
    const options = kinds.map((kind) => ({ ...kind, default: kind.value === 'buy' }));
    const rows = [
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder({ custom_id: 'kinds', options }),
      ),
    ];
    let isDeaf = false;
    client.on(Events.InteractionCreate, async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ components: rows });
      if (!interaction.isStringSelectMenu() || isDeaf) return;
      await interaction.update({ content: interaction.values.join(), components: rows });
    });
    const { discord, channelId, member, admin } = fixture;
    const { id } = await (await discord.command(member, channelId, 'settings')).reply();
    const choose = async (value: string, who = member) =>
      (await discord.select(who, id, 'kinds', [value])).acknowledged();
    await expect(choose('buy')).rejects.toThrow('chosen already');
    expect(await choose('sell')).toBe(7);
    await expect(choose('sell')).rejects.toThrow('chosen already');
    expect(await choose('sell', admin), 'another person’s client').toBe(7);
    expect(await choose('buy')).toBe(7);
    isDeaf = true;
    await expect(choose('redeem')).rejects.toThrow('did not respond');
    isDeaf = false;
    expect(await choose('redeem'), 'it has failed').toBe(7);
  });
});
