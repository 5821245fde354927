import { describe, expect, it } from 'vitest';
import { call, type Fixture, openUnlimitedFixture } from './fixture.ts';

const DAY_MS = 86_400_000;
const text = (length: number) => 'x'.repeat(length);
const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, i) => make(i));

const command = (parts: object = {}) => ({ name: 'watch', description: 'Watch a wallet', ...parts });
const option = (parts: object = {}) => ({ type: 3, name: 'wallet', description: 'Its address', ...parts });
const withOptions = (...options: object[]) => command({ options });
const choices = (count: number) => times(count, (i) => ({ name: `n${i}`, value: `v${i}` }));

const LIMITS: [name: string, accepted: object, refused: object, path: string][] = [
  ['name of 32', command({ name: text(32) }), command({ name: text(33) }), 'name'],
  ['name not empty', command({ name: 'a' }), command({ name: '' }), 'name'],
  ['name in lower case', command({ name: 'watch-1_' }), command({ name: 'Watch' }), 'name'],
  ['name without spaces', command({ name: 'sehen-ü' }), command({ name: 'a b' }), 'name'],
  ['description of 100', command({ description: text(100) }), command({ description: text(101) }), 'description'],
  ['description not empty', command({ description: 'x' }), command({ description: '' }), 'description'],
  [
    'known locales',
    command({ name_localizations: { de: 'beobachten' } }),
    command({ name_localizations: { xx: 'beobachten' } }),
    'name_localizations.xx',
  ],
  [
    'localised names in lower case',
    command({ name_localizations: { de: 'beobachten' } }),
    command({ name_localizations: { de: 'Beobachten' } }),
    'name_localizations.de',
  ],
  [
    'permissions as text',
    command({ default_member_permissions: '32' }),
    command({ default_member_permissions: 32 }),
    'default_member_permissions',
  ],
  [
    '25 options',
    withOptions(...times(25, (i) => option({ name: `o${i}` }))),
    withOptions(...times(26, (i) => option({ name: `o${i}` }))),
    'options',
  ],
  [
    'option names unique',
    withOptions(option({ name: 'a' }), option({ name: 'b' })),
    withOptions(option(), option()),
    'options.1',
  ],
  [
    'required options first',
    withOptions(option({ name: 'a', required: true }), option({ name: 'b' })),
    withOptions(option({ name: 'a' }), option({ name: 'b', required: true })),
    'options.1',
  ],
  ['option description', withOptions(option()), withOptions(option({ description: '' })), 'options.0.description'],
  ['known option types', withOptions(option({ type: 11 })), withOptions(option({ type: 12 })), 'options.0.type'],
  [
    '25 choices',
    withOptions(option({ choices: choices(25) })),
    withOptions(option({ choices: choices(26) })),
    'options.0.choices',
  ],
  [
    'choice name of 100',
    withOptions(option({ choices: [{ name: text(100), value: 'v' }] })),
    withOptions(option({ choices: [{ name: text(101), value: 'v' }] })),
    'options.0.choices.0.name',
  ],
  [
    'choice value of 100',
    withOptions(option({ choices: [{ name: 'n', value: text(100) }] })),
    withOptions(option({ choices: [{ name: 'n', value: text(101) }] })),
    'options.0.choices.0.value',
  ],
  [
    'choice values of the option’s type',
    withOptions(option({ type: 4, choices: [{ name: 'n', value: 1 }] })),
    withOptions(option({ type: 4, choices: [{ name: 'n', value: '1' }] })),
    'options.0.choices.0.value',
  ],
  [
    'autocomplete or choices',
    withOptions(option({ autocomplete: true })),
    withOptions(option({ autocomplete: true, choices: choices(1) })),
    'options.0.autocomplete',
  ],
  [
    'autocomplete for text and numbers',
    withOptions(option({ type: 10, autocomplete: true })),
    withOptions(option({ type: 7, autocomplete: true })),
    'options.0.autocomplete',
  ],
  [
    'max_length of 6,000',
    withOptions(option({ max_length: 6000 })),
    withOptions(option({ max_length: 6001 })),
    'options.0.max_length',
  ],
  [
    'min_value for numbers',
    withOptions(option({ type: 4, min_value: 0 })),
    withOptions(option({ min_value: 0 })),
    'options.0.min_value',
  ],
  [
    'channel types for channels',
    withOptions(option({ type: 7, channel_types: [0] })),
    withOptions(option({ channel_types: [0] })),
    'options.0.channel_types',
  ],
  [
    'subcommands or other options',
    withOptions({ type: 1, name: 'add', description: 'Add' }),
    withOptions({ type: 1, name: 'add', description: 'Add' }, option()),
    'options',
  ],
  [
    'one level of groups',
    withOptions({ type: 2, name: 'g', description: 'G', options: [{ type: 1, name: 'add', description: 'Add' }] }),
    withOptions({ type: 2, name: 'g', description: 'G', options: [{ type: 2, name: 'add', description: 'Add' }] }),
    'options.0.options.0.type',
  ],
  [
    'checked options of subcommands',
    withOptions({ type: 1, name: 'add', description: 'Add', options: [option()] }),
    withOptions({ type: 1, name: 'add', description: 'Add', options: [option({ name: 'Big' })] }),
    'options.0.options.0.name',
  ],
];

const url = (fixture: Fixture) => `/applications/${fixture.discord.bot.applicationId}/commands`;
const put = (fixture: Fixture, json: unknown) => call(fixture.discord, 'PUT', url(fixture), { json });

describe('registering commands', () => {
  it('accepts exactly what Discord accepts, and points to what it does not', async () => {
    const fixture = await openUnlimitedFixture();
    for (const [name, accepted, refused, path] of LIMITS) {
      expect.soft(await put(fixture, [accepted]), name).toMatchObject({ status: 200 });
      const answer = await put(fixture, [refused]);
      expect.soft(answer, name).toMatchObject({ status: 400, body: { code: 50035 } });
      const at = path.split('.').reduceRight<object>((inner, key) => ({ [key]: inner }), { _errors: [{}] });
      expect.soft(answer.body, name).toMatchObject({ errors: { 0: at } });
    }
  });

  it('allows 8,000 characters a command, the longest localisation counted', async () => {
    const fixture = await openUnlimitedFixture();
    const long = (extra: number) =>
      withOptions(
        ...times(2, (o) =>
          option({
            name: `o${o}`,
            choices: times(25, (i) => ({ name: `${i}`.padEnd(70, 'n'), value: `${i}`.padEnd(80 + extra, 'v') })),
          }),
        ),
      );
    expect(await put(fixture, [long(0)])).toMatchObject({ status: 200 });
    expect(await put(fixture, [long(20)])).toMatchObject({ status: 400, body: { code: 50035 } });
    const localised = { ...long(0), description_localizations: { de: text(100), fr: 'court' } };
    expect(await put(fixture, [localised])).toMatchObject({ status: 200 });
  });

  it('allows 100 commands with names of their own', async () => {
    const fixture = await openUnlimitedFixture();
    const slash = (count: number) => times(count, (i) => command({ name: `c${i}` }));
    expect(await put(fixture, slash(100))).toMatchObject({ status: 200 });
    expect(await put(fixture, slash(101))).toMatchObject({ status: 400, body: { code: 30032 } });
    expect(await put(fixture, [command(), command()])).toMatchObject({
      status: 400,
      body: { code: 50035, errors: { 1: { name: { _errors: [{ code: 'APPLICATION_COMMANDS_DUPLICATE_NAME' }] } } } },
    });
  });

  it('allows 200 new commands a day; known names do not count', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const fixture = await openUnlimitedFixture({ now: () => nowMs });
    const slash = (from: number) => times(100, (i) => command({ name: `c${from + i}` }));
    await put(fixture, slash(0));
    await put(fixture, slash(0));
    expect(await put(fixture, slash(100))).toMatchObject({ status: 200 });
    expect(await put(fixture, slash(200))).toMatchObject({ status: 400, body: { code: 30034 } });
    nowMs += DAY_MS;
    expect(await put(fixture, slash(200))).toMatchObject({ status: 200 });
  });

  it('counts what was written, and what need not have been', async () => {
    const fixture = await openUnlimitedFixture();
    const first = await put(fixture, [withOptions(option())]);
    const again = await put(fixture, [withOptions(option())]);
    expect(again.body).toEqual(first.body);
    expect(fixture.discord.commandCounts).toMatchObject({ puts: 2, unchangedPuts: 1, creates: 1 });
    await put(fixture, [withOptions(option({ required: true }))]);
    expect(fixture.discord.commandCounts).toMatchObject({ puts: 3, unchangedPuts: 1, creates: 1 });
  });

  it('lists them, with the texts of all languages only for who asks for them', async () => {
    const fixture = await openUnlimitedFixture();
    const name_localizations = { de: 'beobachten' };
    await put(fixture, [withOptions(option({ name_localizations }))]);
    const [plain, full] = await Promise.all(
      ['', '?with_localizations=true'].map((query) => call(fixture.discord, 'GET', `${url(fixture)}${query}`)),
    );
    expect(plain?.body).toMatchObject([{ name: 'watch', options: [{ name: 'wallet' }] }]);
    expect(JSON.stringify(plain?.body)).not.toContain('beobachten');
    expect(full?.body).toMatchObject([{ options: [{ name_localizations }] }]);
  });

  it('is refused for another application', async () => {
    const fixture = await openUnlimitedFixture();
    const other = await call(fixture.discord, 'GET', '/applications/123456789012345678/commands');
    expect(other).toMatchObject({ status: 404, body: { code: 10002 } });
  });
});

describe('who is offered a command', () => {
  const offered = (fixture: Fixture, who: 'admin' | 'member') =>
    fixture.discord.offered(fixture[who], fixture.channelId).map(({ name }) => name);

  it('follows its permissions; "0" is for administrators', async () => {
    const fixture = await openUnlimitedFixture();
    await put(fixture, [
      command({ name: 'all' }),
      command({ name: 'managers', default_member_permissions: '32' }),
      command({ name: 'admins', default_member_permissions: '0' }),
    ]);
    expect(offered(fixture, 'member')).toEqual(['all']);
    expect(offered(fixture, 'admin')).toEqual(['all', 'managers', 'admins']);
  });

  it('follows the exceptions that an administrator makes for a person', async () => {
    const fixture = await openUnlimitedFixture();
    await put(fixture, [command({ name: 'a' }), command({ name: 'b', default_member_permissions: '0' })]);
    for (const [index, { id }] of fixture.discord.commands().entries()) {
      const exception = { id: fixture.member.userId, type: 2, permission: index === 1 } as const;
      fixture.discord.setCommandExceptions(fixture.guildId, id, [exception]);
    }
    expect(offered(fixture, 'member')).toEqual(['b']);
  });

  it('follows its contexts', async () => {
    const fixture = await openUnlimitedFixture();
    await put(fixture, [command({ name: 'a', contexts: [1] }), command({ name: 'b', contexts: [0] })]);
    expect(offered(fixture, 'member')).toEqual(['b']);
    const dm = fixture.discord.openDm(fixture.member.userId);
    expect(fixture.discord.offered({ ...fixture.member, guildId: null }, dm.id).map(({ name }) => name)).toEqual(['a']);
  });
});
