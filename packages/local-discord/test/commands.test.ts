import { describe, expect, it } from 'vitest';
import {
  call,
  clock,
  expectLimits,
  type Fixture,
  type Limit,
  openUnlimitedFixture,
  refusal,
  register,
  text,
  times,
  within,
} from './fixture.ts';

const DAY_MS = 86_400_000;

const command = (parts: object = {}) => ({
  name: 'watch',
  description: 'Watch a wallet',
  ...parts,
});
const option = (parts: object = {}) => ({
  type: 3,
  name: 'wallet',
  description: 'Its address',
  ...parts,
});
const withOptions = (...options: object[]) => command({ options });
const named = (count: number) => times(count, (i) => option({ name: `o${i}` }));
const choices = (count: number) => times(count, (i) => ({ name: `n${i}`, value: `v${i}` }));
const ADD = { type: 1, name: 'add', description: 'Add' };

const LIMITS: readonly Limit[] = [
  ...within('0', (parts) => [command(parts)], [
    ['name of 32', { name: text(32) }, { name: text(33) }, 'name'],
    ['name not empty', { name: 'a' }, { name: '' }, 'name'],
    ['name in lower case', { name: 'watch-1_' }, { name: 'Watch' }, 'name'],
    ['name without spaces', { name: 'sehen-ü' }, { name: 'a b' }, 'name'],
    ['description of 100', { description: text(100) }, { description: text(101) }, 'description'],
    ['description not empty', { description: 'x' }, { description: '' }, 'description'],
    [
      'permissions as text',
      { default_member_permissions: '32' },
      { default_member_permissions: 32 },
      'default_member_permissions',
    ],
  ]),
  ...within('0.name_localizations', (name_localizations) => [command({ name_localizations })], [
    ['known locales', { de: 'beobachten' }, { xx: 'beobachten' }, 'xx'],
    ['localised names in lower case', { de: 'beobachten' }, { de: 'Beobachten' }, 'de'],
  ]),
  ...within('0', (options) => [command({ options })], [
    ['25 options', named(25), named(26), 'options'],
    ['option names unique', named(2), [option(), option()], 'options.1'],
    [
      'required options first',
      [option({ name: 'a', required: true }), option({ name: 'b' })],
      [option({ name: 'a' }), option({ name: 'b', required: true })],
      'options.1',
    ],
    ['subcommands or other options', [ADD], [ADD, option()], 'options'],
  ]),
  ...within('0.options.0', (parts) => [withOptions(option(parts))], [
    ['option description', {}, { description: '' }, 'description'],
    ['known option types', { type: 11 }, { type: 12 }, 'type'],
    ['25 choices', { choices: choices(25) }, { choices: choices(26) }, 'choices'],
    [
      'autocomplete or choices',
      { autocomplete: true },
      { autocomplete: true, choices: choices(1) },
      'autocomplete',
    ],
    [
      'autocomplete for text and numbers',
      { type: 10, autocomplete: true },
      { type: 7, autocomplete: true },
      'autocomplete',
    ],
    ['max_length of 6,000', { max_length: 6000 }, { max_length: 6001 }, 'max_length'],
    ['min_value for numbers', { type: 4, min_value: 0 }, { min_value: 0 }, 'min_value'],
    [
      'channel types for channels',
      { type: 7, channel_types: [0] },
      { channel_types: [0] },
      'channel_types',
    ],
    [
      'choice values of the option’s type',
      { type: 4, choices: [{ name: 'n', value: 1 }] },
      { type: 4, choices: [{ name: 'n', value: '1' }] },
      'choices.0.value',
    ],
  ]),
  ...within(
    '0.options.0.choices.0',
    (parts) => [withOptions(option({ choices: [{ name: 'n', value: 'v', ...parts }] }))],
    [
      ['choice name of 100', { name: text(100) }, { name: text(101) }, 'name'],
      ['choice value of 100', { value: text(100) }, { value: text(101) }, 'value'],
    ],
  ),
  ...within(
    '0.options.0.options.0',
    (part) => [withOptions({ type: 2, name: 'g', description: 'G', options: [part] })],
    [['one level of groups', ADD, { ...ADD, type: 2 }, 'type']],
  ),
  ...within('0.options.0.options.0', (part) => [withOptions({ ...ADD, options: [part] })], [
    ['checked options of subcommands', option(), option({ name: 'Big' }), 'name'],
  ]),
];

const url = (fixture: Fixture) => `/applications/${fixture.discord.bot.applicationId}/commands`;

describe('registering commands', () => {
  it('accepts exactly what Discord accepts, and points to what it does not', async () => {
    const fixture = await openUnlimitedFixture();
    await expectLimits(LIMITS, (body) => register(fixture, body));
  });

  it('allows 8,000 characters a command, the longest localisation counted', async () => {
    const fixture = await openUnlimitedFixture();
    const long = (extra: number) =>
      withOptions(
        ...times(2, (o) =>
          option({
            name: `o${o}`,
            choices: times(25, (i) => ({
              name: `${i}`.padEnd(70, 'n'),
              value: `${i}`.padEnd(80 + extra, 'v'),
            })),
          }),
        ),
      );
    expect(await register(fixture, [long(0)])).toMatchObject({ status: 200 });
    expect(await register(fixture, [long(20)])).toMatchObject(refusal(400, 50035));
    const localised = { ...long(0), description_localizations: { de: text(100), fr: 'court' } };
    expect(await register(fixture, [localised])).toMatchObject({ status: 200 });
  });

  it('allows 100 commands with names of their own', async () => {
    const fixture = await openUnlimitedFixture();
    const slash = (count: number) => times(count, (i) => command({ name: `c${i}` }));
    expect(await register(fixture, slash(100))).toMatchObject({ status: 200 });
    expect(await register(fixture, slash(101))).toMatchObject(refusal(400, 30032));
    expect(await register(fixture, [command(), command()])).toMatchObject({
      status: 400,
      body: {
        code: 50035,
        errors: { 1: { name: { _errors: [{ code: 'APPLICATION_COMMANDS_DUPLICATE_NAME' }] } } },
      },
    });
  });

  it('allows 200 new commands a day; known names do not count', async () => {
    const time = clock();
    const fixture = await openUnlimitedFixture({ now: time.now });
    const slash = (from: number) => times(100, (i) => command({ name: `c${from + i}` }));
    await register(fixture, slash(0));
    await register(fixture, slash(0));
    expect(await register(fixture, slash(100))).toMatchObject({ status: 200 });
    expect(await register(fixture, slash(200))).toMatchObject(refusal(400, 30034));
    time.forward(DAY_MS);
    expect(await register(fixture, slash(200))).toMatchObject({ status: 200 });
  });

  it('counts what was written, and what need not have been', async () => {
    const fixture = await openUnlimitedFixture();
    const first = await register(fixture, [withOptions(option())]);
    const again = await register(fixture, [withOptions(option())]);
    expect(again.body).toEqual(first.body);
    expect(fixture.discord.commandCounts).toMatchObject({ puts: 2, unchangedPuts: 1, creates: 1 });
    await register(fixture, [withOptions(option({ required: true }))]);
    expect(fixture.discord.commandCounts).toMatchObject({ puts: 3, unchangedPuts: 1, creates: 1 });
  });

  it('lists them, with the texts of all languages only for who asks for them', async () => {
    const fixture = await openUnlimitedFixture();
    const name_localizations = { de: 'beobachten' };
    await register(fixture, [withOptions(option({ name_localizations }))]);
    const [plain, full] = await Promise.all(
      ['', '?with_localizations=true'].map((query) =>
        call(fixture.discord, 'GET', `${url(fixture)}${query}`),
      ),
    );
    expect(plain?.body).toMatchObject([{ name: 'watch', options: [{ name: 'wallet' }] }]);
    expect(JSON.stringify(plain?.body)).not.toContain('beobachten');
    expect(full?.body).toMatchObject([{ options: [{ name_localizations }] }]);
  });

  it('is refused for another application', async () => {
    const fixture = await openUnlimitedFixture();
    const other = await call(fixture.discord, 'GET', '/applications/123456789012345678/commands');
    expect(other).toMatchObject(refusal(404, 10002));
  });
});

describe('who is offered a command', () => {
  const offered = (fixture: Fixture, who: 'admin' | 'member') =>
    fixture.discord.offered(fixture[who], fixture.channelId).map(({ name }) => name);

  it('follows its permissions; "0" is for administrators', async () => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [
      command({ name: 'all' }),
      command({ name: 'managers', default_member_permissions: '32' }),
      command({ name: 'admins', default_member_permissions: '0' }),
    ]);
    expect(offered(fixture, 'member')).toEqual(['all']);
    expect(offered(fixture, 'admin')).toEqual(['all', 'managers', 'admins']);
  });

  it('follows the exceptions that an administrator makes for a person', async () => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [
      command({ name: 'a' }),
      command({ name: 'b', default_member_permissions: '0' }),
    ]);
    for (const [index, { id }] of fixture.discord.commands().entries()) {
      const exception = { id: fixture.member.userId, type: 2, permission: index === 1 } as const;
      fixture.discord.setCommandExceptions(fixture.guildId, id, [exception]);
    }
    expect(offered(fixture, 'member')).toEqual(['b']);
  });

  it('follows its contexts', async () => {
    const fixture = await openUnlimitedFixture();
    await register(fixture, [
      command({ name: 'a', contexts: [1] }),
      command({ name: 'b', contexts: [0] }),
    ]);
    expect(offered(fixture, 'member')).toEqual(['b']);
    const dm = fixture.discord.openDm(fixture.member.userId);
    expect(
      fixture.discord.offered({ ...fixture.member, guildId: null }, dm.id).map(({ name }) => name),
    ).toEqual(['a']);
  });
});
