import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  Events,
  GuildMember,
  type Interaction,
  MessageFlags,
  ModalBuilder,
  type ModalSubmitInteraction,
  StringSelectMenuBuilder,
} from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { FieldValue } from '../src/discord/people/fields.ts';
import { logIn } from './client.ts';
import {
  callBack,
  expectLimits,
  type Fixture,
  type Limit,
  openUnlimitedFixture,
  refusal,
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

const kinds = ['buy', 'sell', 'redeem'].map((value) => ({ label: value.toUpperCase(), value }));
/** The options of a menu in which the first one is chosen. */
const CHOSEN = kinds.map((kind) => ({ ...kind, default: kind.value === 'buy' }));
/** Nothing need be chosen. */
const NONE = { required: false, min_values: 0 };
const LINE = { type: 4, style: 1 };

/** Returns a label with a field. */
const labelled = (component: object, label = 'Field', more: object = {}) => ({
  type: 18,
  label,
  component: { custom_id: 'field', ...component },
  ...more,
});
const modal = (...components: object[]) => ({ custom_id: 'size', title: 'How large', components });
const modalOf = (...components: object[]) => {
  const data: object = modal(...components);
  return new ModalBuilder(data);
};
const amounts = () =>
  modalOf(
    labelled({ ...LINE, custom_id: 'from', required: false, value: '50' }, 'From $', {
      description: 'Smaller ones are not posted',
    }),
    labelled({ ...LINE, custom_id: 'to', required: false }, 'To $'),
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

/** Starts a bot with the command, without a client. */
async function openRegistered(): Promise<Fixture> {
  const fixture = await openUnlimitedFixture();
  await register(fixture, [settings]);
  return fixture;
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
    const { discord, channelId, member } = await openRegistered();
    const data = amounts().toJSON();
    for (const first of [{ type: 5 }, { type: 4, data: { content: 'x' } }, { type: 9, data }]) {
      const handle = await discord.command(member, channelId, 'settings');
      expect(await callBack(discord, handle, first)).toMatchObject({ status: 204 });
      expect(await callBack(discord, handle, { type: 9, data })).toMatchObject(refusal(400, 40060));
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

/** Collects what each submit carries, as Discord sends it. */
function dataOfSubmits(client: Client): unknown[] {
  const found: unknown[] = [];
  client.on(Events.Raw, (packet: { t: string; d: { type: number; data: unknown } }) => {
    if (packet.t === 'INTERACTION_CREATE' && packet.d.type === 5) found.push(packet.d.data);
  });
  return found;
}

describe('what a submit carries', () => {
  type Fields = ModalSubmitInteraction['fields'];
  const typed = (fields: Fields) => fields.getTextInputValue('field');
  const chosen = (fields: Fields) => fields.getStringSelectValues('field');
  const roles = (fields: Fields) => fields.getSelectedRoles('field')?.size ?? 0;
  const side = (fields: Fields) => fields.getRadioGroup('field');
  const ticked = (fields: Fields) => fields.getCheckboxGroup('field');
  const tick = (fields: Fields) => fields.getCheckbox('field');
  const files = (fields: Fields) =>
    fields.getUploadedFiles('field')?.map(({ name, size }) => [name, size]);
  const line = { ...LINE, required: false };
  const radio = { type: 21, options: kinds, required: false };
  const group = { type: 22, options: kinds, ...NONE };
  const menu = { type: 3, options: kinds, max_values: 3 };
  const box = { type: 23, default: true };
  const csv = { filename: 'a.csv', data: new TextEncoder().encode('a,b') };

  it.each<
    [
      string,
      component: { readonly type: number; readonly [field: string]: unknown },
      typed: FieldValue | undefined,
      read: (fields: Fields) => unknown,
      seen: unknown,
      answer: object,
    ]
  >([
    ['text as typed, spaces included', line, '  ', typed, '  ', { value: '  ' }],
    ['empty text of an empty field', line, undefined, typed, '', { value: '' }],
    [
      'the values of a menu in the order chosen',
      menu,
      ['sell', 'buy'],
      chosen,
      ['sell', 'buy'],
      { values: ['sell', 'buy'] },
    ],
    [
      'none of an emptied menu',
      { ...menu, options: CHOSEN, ...NONE },
      [],
      chosen,
      [],
      { values: [] },
    ],
    ['none of no role', { type: 6, ...NONE }, undefined, roles, 0, { values: [] }],
    ['the value of a radio group', radio, 'sell', side, 'sell', { value: 'sell' }],
    ['null of a radio group', radio, undefined, side, null, { value: null }],
    [
      'the values of a checkbox group',
      group,
      ['buy', 'redeem'],
      ticked,
      ['buy', 'redeem'],
      { values: ['buy', 'redeem'] },
    ],
    ['none of a checkbox group', group, undefined, ticked, [], { values: [] }],
    ['true of a checkbox', box, undefined, tick, true, { value: true }],
    ['false of a checkbox', box, false, tick, false, { value: false }],
    [
      'files, resolved',
      { type: 19, max_values: 2 },
      [csv],
      files,
      [['a.csv', 3]],
      { values: [expect.stringMatching(/^\d+$/)] },
    ],
  ])('is %s', async (_, component, value, read, seen, answer) => {
    const found: unknown[] = [];
    const bot = await openBot(
      () => modalOf(labelled(component)),
      async (submit) => {
        found.push(read(submit.fields));
        await submit.deferUpdate();
      },
    );
    const data = dataOfSubmits(bot.client);
    const opened = await bot.open();
    await (await opened.submit(value === undefined ? {} : { field: value })).acknowledged();
    expect(bot.errors).toEqual([]);
    expect(found).toEqual([seen]);
    const part = { type: component.type, id: 2, custom_id: 'field', ...answer };
    const components = [{ type: 18, id: 1, component: part }];
    expect(data).toMatchObject([{ custom_id: 'size', components }]);
    expect([bot.discord.rejections, bot.discord.warnings]).toEqual([[], []]);
  });

  it('is the ids of roles, people and channels, each resolved', async () => {
    const seen: unknown[] = [];
    const bot = await openBot(
      () =>
        modalOf(
          labelled({ type: 6, custom_id: 'role' }),
          labelled({ type: 5, custom_id: 'user' }),
          labelled({ type: 7, custom_id: 'either', max_values: 2 }),
          labelled({ type: 8, custom_id: 'channel', channel_types: [0] }),
        ),
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
    const values = {
      role: [traders.id],
      user: [admin.userId],
      either: [member.userId, traders.id],
      channel: [channelId],
    };
    await (await (await bot.open()).submit(values)).acknowledged();
    expect(bot.errors).toEqual([]);
    expect(seen).toEqual([['traders'], ['ada'], [true], ['traders'], ['max'], ['alerts']]);
    const voice = discord.createChannel(guildId, { name: 'talk', type: 2 });
    for (const [wrong, reason] of [
      [{ role: [channelId] }, 'no role'],
      [{ channel: [voice.id] }, 'accepted are 0'],
    ] as const)
      await expect((await bot.open()).submit({ ...values, ...wrong })).rejects.toThrow(reason);
  });

  it('is what the bot has filled in, but for a role that is gone', async () => {
    const bot = await openBot(
      () => {
        const default_values = [{ id: traders.id, type: 'role' }];
        const role = labelled({ type: 6, ...NONE, default_values });
        return modalOf(role, labelled({ type: 3, custom_id: 'kinds', options: CHOSEN, ...NONE }));
      },
      (submit) => submit.reply(String(submit.fields.getField('field').type)),
    );
    const traders = bot.discord.createRole(bot.guildId, { name: 'traders' });
    const filledIn = async () => (await bot.open()).fields.map(({ value }) => value);
    expect(await filledIn()).toEqual([[traders.id], ['buy']]);
    bot.discord.deleteRole(bot.guildId, traders.id);
    expect(await filledIn()).toEqual([[], ['buy']]);
    await (await (await bot.open()).submit()).reply();
    expect(bot.errors).toEqual([]);
  });

  it('names texts by their id, and an action row as the bot sent it', async () => {
    const row = {
      type: 1,
      components: [{ ...LINE, custom_id: 'field', label: 'Name', value: 'ada' }],
    };
    const seen: string[] = [];
    const bot = await openBot(
      () => modalOf({ type: 10, content: 'Read this', id: 2 }, row),
      async (submit) => {
        seen.push(submit.fields.getTextInputValue('field'));
        await submit.deferUpdate();
      },
    );
    const data = dataOfSubmits(bot.client);
    const opened = await bot.open();
    expect(opened.fields).toMatchObject([{ label: 'Name', value: 'ada' }]);
    await (await opened.submit()).acknowledged();
    const components = [
      { type: 10, id: 2 },
      { type: 1, id: 1, components: [{ type: 4, id: 3, custom_id: 'field', value: 'ada' }] },
    ];
    expect([data, seen]).toEqual([[{ custom_id: 'size', components }], ['ada']]);
  });
});

describe('what Discord’s client does not let a person submit', () => {
  const menu = (more: object = {}) => ({ type: 3, options: kinds, ...more });
  const group = (type: number, more: object = {}) => ({ type, options: kinds, ...more });
  const png = { filename: 'a.png', data: new Uint8Array() };

  it.each<[string, component: object, FieldValue, string]>([
    ['an empty text', LINE, '', 'required'],
    ['too short a text', { ...LINE, min_length: 3 }, 'ab', 'at least 3'],
    ['too long a text', { ...LINE, max_length: 3 }, 'abcd', '3 or fewer'],
    ['more text than Discord takes', LINE, text(4001), '4000 or fewer'],
    ['two lines in one', LINE, 'a\nb', 'one line'],
    ['a list for a text', LINE, [], 'text'],
    ['nothing in a menu', menu(), [], 'required'],
    ['too few', menu({ min_values: 2, max_values: 3 }), ['buy'], 'at least 2'],
    ['too many', menu(), ['buy', 'sell'], '1 or fewer'],
    ['one value twice', menu({ max_values: 2 }), ['buy', 'buy'], 'twice'],
    ['no option', menu(), ['hold'], 'no option hold'],
    ['text for a menu', menu(), 'buy', 'list'],
    ['nothing in a radio group', group(21), null, 'required'],
    ['no option of a radio group', group(21), 'hold', 'no option hold'],
    ['a list for a radio group', group(21), ['buy'], 'one value'],
    ['nothing in a checkbox group', group(22), [], 'required'],
    ['too many of a checkbox group', group(22, { max_values: 1 }), ['buy', 'sell'], '1 or fewer'],
    ['text for a checkbox', { type: 23 }, 'yes', 'true or false'],
    ['no file', { type: 19 }, [], 'required'],
    ['a file of another kind', { type: 19, file_types: ['.csv'] }, [png], '.csv'],
    ['text for a file', { type: 19 }, ['a.png'], 'list of files'],
  ])('%s', async (_, component, value, reason) => {
    const { discord, channelId, member } = await openRegistered();
    const opener = await discord.command(member, channelId, 'settings');
    const data = modal(labelled(component));
    expect(await callBack(discord, opener, { type: 9, data })).toMatchObject({ status: 204 });
    const opened = await opener.modal();
    const faults = new Map([['field', expect.stringContaining(reason)]]);
    await expect(opened.submit({ field: value })).rejects.toMatchObject({ faults });
    await expect(opened.submit({ other: '' })).rejects.toThrow('Fields: field');
    expect(opened.state).toBe('open');
  });

  it('names every field that is wrong', async () => {
    const filled = labelled({ ...LINE, custom_id: 'b', value: 'x' });
    const bot = await openBot(
      () => modalOf(labelled({ ...LINE, custom_id: 'a' }), filled, labelled(LINE)),
      () => {},
    );
    const reason = 'This field is required.';
    const faults = new Map(['a', 'field'].map((name) => [name, reason]));
    await expect((await bot.open()).submit()).rejects.toMatchObject({ faults });
  });
});

describe('a modal that Discord refuses', () => {
  const lines = (count: number) =>
    times(count, (index) => labelled({ ...LINE, custom_id: `field ${index}` }));
  const options = (count: number, more: object = {}) =>
    times(count, (index) => ({ label: `${index}`, value: `${index}`, ...more }));
  const twice = [...options(1), ...options(1)];
  const chosen = options(2, { default: true });
  const ids = (count: number, type: string) =>
    times(count, (index) => ({ id: String(10n ** 17n + BigInt(index)), type }));

  /** Opens each modal as the response to a command; Discord answers 204 or rejects it. */
  async function expectModals(limits: readonly Limit[]) {
    const { discord, channelId, member } = await openRegistered();
    await expectLimits(
      within('data', (data) => data, limits),
      async (data) => {
        const opener = await discord.command(member, channelId, 'settings');
        const answer = await callBack(discord, opener, { type: 9, data });
        return { ...answer, status: answer.status === 204 ? 200 : answer.status };
      },
    );
  }

  it('is out of its own limits', async () => {
    const line = { ...LINE, custom_id: 'field' };
    const row = (...components: object[]) => ({ components });
    const titled = { ...line, label: 'x' };
    await expectModals([
      ...within('', (more) => ({ ...modal(...lines(1)), ...more }), [
        ['custom id', { custom_id: text(100) }, { custom_id: text(101) }, 'custom_id'],
        ['no custom id', {}, { custom_id: undefined }, 'custom_id'],
        ['title', { title: text(45) }, { title: text(46) }, 'title'],
        ['no title', {}, { title: ' ' }, 'title'],
        ['nothing in it', {}, { components: [] }, 'components'],
        ['six components', { components: lines(5) }, { components: lines(6) }, 'components'],
        ['a menu without a label', {}, modal({ type: 3, options: kinds }), 'components.0.type'],
      ]),
      [
        'one custom id twice',
        modal(...lines(2)),
        modal(...lines(1), ...lines(1)),
        'components.1.component.custom_id',
      ],
      ...within('components.0', (more) => modal({ ...labelled(line), id: 7, ...more }), [
        ['one id twice', {}, { component: { ...line, id: 7 } }, 'component.id'],
        ['a long label', { label: text(45) }, { label: text(46) }, 'label'],
        ['no label', {}, { label: undefined }, 'label'],
        [
          'a long description',
          { description: text(100) },
          { description: text(101) },
          'description',
        ],
        ['nothing in a label', {}, { component: undefined }, 'component'],
        ['a text in a label', {}, { component: { type: 10, content: 'x' } }, 'component.type'],
      ]),
      ...within('components.0', (more) => modal({ type: 10, ...more }), [
        ['a long text', { content: text(4000) }, { content: text(4001) }, 'content'],
      ]),
      ...within('components.0', (more) => modal({ type: 1, ...row(titled), ...more }), [
        ['a button', {}, row({ type: 2, style: 1, custom_id: 'x' }), 'components.0.type'],
        ['a row of two', {}, row(titled, { ...titled, custom_id: 'y' }), 'components'],
        [
          'a row without a label',
          row({ ...line, label: text(45) }),
          row(line),
          'components.0.label',
        ],
      ]),
    ]);
  });

  /** Limits of a field, of which each accepted and refused part is added to the component. */
  const FIELDS: readonly (readonly [name: string, component: object, limits: readonly Limit[]])[] =
    [
      [
        'text input',
        LINE,
        [
          ['custom id', { custom_id: text(100) }, { custom_id: text(101) }, 'custom_id'],
          ['no custom id', {}, { custom_id: '' }, 'custom_id'],
          ['style', { style: 2 }, { style: 3 }, 'style'],
          ['no style', {}, { style: undefined }, 'style'],
          ['a label of its own', {}, { label: 'x' }, 'label'],
          ['placeholder', { placeholder: text(100) }, { placeholder: text(101) }, 'placeholder'],
          ['value', { value: text(4000) }, { value: text(4001) }, 'value'],
          [
            'long value',
            { value: 'abc', max_length: 3 },
            { value: 'abcd', max_length: 3 },
            'value',
          ],
          ['short value', { value: 'abc', min_length: 3 }, { value: '', min_length: 3 }, 'value'],
          ['min_length', { min_length: 4000 }, { min_length: 4001 }, 'min_length'],
          ['max_length', { max_length: 1 }, { max_length: 0 }, 'max_length'],
          [
            'min over max',
            { min_length: 2, max_length: 2 },
            { min_length: 3, max_length: 2 },
            'min_length',
          ],
          ['disabled', {}, { disabled: true }, 'disabled'],
          ['required', { required: false }, { required: 'no' }, 'required'],
        ],
      ],
      [
        'menu',
        { type: 3, options: options(3) },
        [
          ['options', { options: options(25) }, { options: options(26) }, 'options'],
          ['no options', { options: options(1) }, { options: [] }, 'options'],
          ['one value twice', {}, { options: twice }, 'options.1.value'],
          ['placeholder', { placeholder: text(150) }, { placeholder: text(151) }, 'placeholder'],
          ['none where one is required', NONE, { ...NONE, required: true }, 'min_values'],
          ['none where nothing is said', { min_values: 1 }, { min_values: 0 }, 'min_values'],
          ['min over max', { min_values: 2, max_values: 2 }, { min_values: 2 }, 'min_values'],
          ['max over the options', { max_values: 3 }, { max_values: 4 }, 'max_values'],
          ['defaults over max', { options: chosen, max_values: 2 }, { options: chosen }, 'options'],
          ['disabled', {}, { disabled: false }, 'disabled'],
        ],
      ],
      ...(
        [
          [5, 'user', 'role'],
          [6, 'role', 'user'],
          [7, 'user', 'channel'],
          [8, 'channel', 'role'],
        ] as const
      ).map(
        ([type, kind, other]) =>
          [
            `menu of Discord’s own, type ${type},`,
            { type },
            [
              [
                'channels',
                { channel_types: [0, 5] },
                { channel_types: [0, 99] },
                'channel_types.1',
              ],
              ['channels twice', {}, { channel_types: [0, 0] }, 'channel_types'],
              ['max', { max_values: 25 }, { max_values: 26 }, 'max_values'],
              ['none where one is required', NONE, { min_values: 0 }, 'min_values'],
              [
                'defaults over max',
                { default_values: ids(2, kind), max_values: 2 },
                { default_values: ids(2, kind) },
                'default_values',
              ],
              [
                'defaults under min',
                { default_values: [], ...NONE },
                { default_values: [] },
                'default_values',
              ],
              [
                'defaults of another kind',
                { default_values: ids(1, kind) },
                { default_values: ids(1, other) },
                'default_values.0.type',
              ],
              ['disabled', {}, { disabled: true }, 'disabled'],
            ],
          ] as const,
      ),
      [
        'radio group',
        { type: 21, options: options(2) },
        [
          ['ten to choose from', { options: options(10) }, { options: options(11) }, 'options'],
          ['one to choose from', {}, { options: options(1) }, 'options'],
          ['two chosen', {}, { options: chosen }, 'options'],
          ['one value twice', {}, { options: twice }, 'options.1.value'],
          ['disabled', {}, { disabled: true }, 'disabled'],
        ],
      ],
      [
        'checkbox group',
        { type: 22, options: options(3) },
        [
          ['ten to tick', { options: options(10) }, { options: options(11) }, 'options'],
          ['none to tick', { options: options(1) }, { options: [] }, 'options'],
          ['none where one is required', NONE, { min_values: 0 }, 'min_values'],
          ['max', { max_values: 3 }, { max_values: 4 }, 'max_values'],
          ['min over the options', { min_values: 3 }, { min_values: 4 }, 'min_values'],
          ['ticked over max', { options: chosen }, { options: chosen, max_values: 1 }, 'options'],
          ['disabled', {}, { disabled: true }, 'disabled'],
        ],
      ],
      [
        'checkbox',
        { type: 23 },
        [
          ['default', { default: true }, { default: 'yes' }, 'default'],
          ['disabled', {}, { disabled: true }, 'disabled'],
        ],
      ],
      [
        'file upload',
        { type: 19 },
        [
          ['max', { max_values: 10 }, { max_values: 11 }, 'max_values'],
          ['none where one is required', NONE, { min_values: 0 }, 'min_values'],
          ['kinds', { file_types: ['image', '.csv'] }, { file_types: ['csv'] }, 'file_types.0'],
          ['disabled', {}, { disabled: true }, 'disabled'],
        ],
      ],
    ];
  it.each(FIELDS)('has a %s out of its limits', (_, component, limits) =>
    expectModals(
      within(
        'components.0.component',
        (more) => modal(labelled({ ...component, ...more })),
        limits,
      ),
    ),
  );

  it('is accepted, but hardly does what was meant', async () => {
    const { discord, channelId, member } = await openRegistered();
    const opener = await discord.command(member, channelId, 'settings');
    const data = modal(
      labelled({ ...LINE, value: 'a\nb' }),
      labelled({ type: 3, options: options(3), custom_id: 'menu', required: false }),
      labelled({ type: 6, custom_id: 'role', ...NONE }),
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
    const rows = [
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder({ custom_id: 'kinds', options: CHOSEN }),
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
