import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageForm } from '../../src/sandbox/discord/forms/message.ts';
import { openUnlimitedFixture, post } from './fixture.ts';

const text = (length: number) => 'x'.repeat(length);
const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, i) => make(i));
const embed = (parts: object) => ({ embeds: [{ title: 'T', ...parts }] });
const button = (parts: object = {}) => ({ type: 2, style: 1, label: 'Next', custom_id: 'next', ...parts });
const row = (...components: object[]) => ({ type: 1, components });
const withRows = (...rows: object[]) => ({ content: 'x', components: rows });
const select = (parts: object = {}) => ({
  type: 3,
  custom_id: 'pick',
  options: [{ label: 'a', value: 'a' }],
  ...parts,
});
const options = (count: number) => times(count, (i) => ({ label: `l${i}`, value: `v${i}` }));

/** What is just accepted, what is just refused, and where Discord's answer points to. */
const LIMITS: [name: string, accepted: object, refused: object, path: string][] = [
  ['content of 2,000', { content: text(2000) }, { content: text(2001) }, 'content'],
  ['content counted in code points', { content: '🚀'.repeat(2000) }, { content: '🚀'.repeat(2001) }, 'content'],
  ['content trimmed first', { content: `  ${text(2000)}\n` }, { content: ` ${text(2001)} ` }, 'content'],
  ['10 embeds', { embeds: times(10, () => ({ title: 'a' })) }, { embeds: times(11, () => ({ title: 'a' })) }, 'embeds'],
  ['embed title of 256', embed({ title: text(256) }), embed({ title: text(257) }), 'embeds.0.title'],
  [
    'description of 4,096',
    embed({ description: text(4096) }),
    embed({ description: text(4097) }),
    'embeds.0.description',
  ],
  [
    '25 fields',
    embed({ fields: times(25, () => ({ name: 'n', value: 'v' })) }),
    embed({ fields: times(26, () => ({ name: 'n', value: 'v' })) }),
    'embeds.0.fields',
  ],
  [
    'field name of 256',
    embed({ fields: [{ name: text(256), value: 'v' }] }),
    embed({ fields: [{ name: text(257), value: 'v' }] }),
    'embeds.0.fields.0.name',
  ],
  [
    'field value of 1,024',
    embed({ fields: [{ name: 'n', value: text(1024) }] }),
    embed({ fields: [{ name: 'n', value: text(1025) }] }),
    'embeds.0.fields.0.value',
  ],
  [
    'no field without a name',
    embed({ fields: [{ name: 'n', value: 'v' }] }),
    embed({ fields: [{ name: ' ', value: 'v' }] }),
    'embeds.0.fields.0.name',
  ],
  [
    'no field without a value',
    embed({ fields: [{ name: 'n', value: 'v' }] }),
    embed({ fields: [{ name: 'n' }] }),
    'embeds.0.fields.0.value',
  ],
  [
    'footer of 2,048',
    embed({ footer: { text: text(2048) } }),
    embed({ footer: { text: text(2049) } }),
    'embeds.0.footer.text',
  ],
  [
    'author of 256',
    embed({ author: { name: text(256) } }),
    embed({ author: { name: text(257) } }),
    'embeds.0.author.name',
  ],
  [
    '6,000 characters over all embeds',
    { embeds: [{ description: text(4000) }, { title: 'ab', description: text(1998) }] },
    { embeds: [{ description: text(4000) }, { title: 'ab', description: text(1999) }] },
    'embeds',
  ],
  [
    '6,000 with field, footer and author',
    {
      embeds: [
        {
          description: text(4000),
          footer: { text: text(1000) },
          author: { name: text(100) },
          fields: [{ name: text(100), value: text(800) }],
        },
      ],
    },
    {
      embeds: [
        {
          description: text(4000),
          footer: { text: text(1000) },
          author: { name: text(100) },
          fields: [{ name: text(101), value: text(800) }],
        },
      ],
    },
    'embeds',
  ],
  ['colour up to 16,777,215', embed({ color: 16_777_215 }), embed({ color: 16_777_216 }), 'embeds.0.color'],
  ['colour from 0', embed({ color: 0 }), embed({ color: -1 }), 'embeds.0.color'],
  ['colour whole', embed({ color: 1 }), embed({ color: 1.5 }), 'embeds.0.color'],
  ['http in links', embed({ url: 'https://a.example' }), embed({ url: 'ftp://a.example' }), 'embeds.0.url'],
  ['no attachment as link', embed({ url: 'http://a.example' }), embed({ url: 'attachment://a.png' }), 'embeds.0.url'],
  ['well formed links', embed({ url: 'https://a.example/ä' }), embed({ url: 'https://' }), 'embeds.0.url'],
  [
    'links of 2,048',
    embed({ url: `https://a.example/${text(2030)}` }),
    embed({ url: `https://a.example/${text(2031)}` }),
    'embeds.0.url',
  ],
  [
    'http in thumbnails',
    embed({ thumbnail: { url: 'https://a.example/a.png' } }),
    embed({ thumbnail: { url: 'data:image/png;base64,AA==' } }),
    'embeds.0.thumbnail.url',
  ],
  ['ISO times', embed({ timestamp: '2026-01-01T00:00:00Z' }), embed({ timestamp: 'yesterday' }), 'embeds.0.timestamp'],
  ['nonce of 25', { content: 'x', nonce: text(25) }, { content: 'x', nonce: text(26) }, 'nonce'],
  ['nonce text or number', { content: 'x', nonce: 7 }, { content: 'x', nonce: 7.5 }, 'nonce'],
  ['flags that a bot may set', { content: 'x', flags: 1 << 12 }, { content: 'x', flags: 1 << 6 }, 'flags'],
  [
    'mentions either parsed or listed',
    { content: 'x', allowed_mentions: { parse: ['roles'], users: ['123456789012345678'] } },
    { content: 'x', allowed_mentions: { parse: ['users'], users: ['123456789012345678'] } },
    'allowed_mentions.parse',
  ],
  [
    '100 mentioned users',
    { content: 'x', allowed_mentions: { users: times(100, () => '123456789012345678') } },
    { content: 'x', allowed_mentions: { users: times(101, () => '123456789012345678') } },
    'allowed_mentions.users',
  ],
  [
    'known kinds of mentions',
    { content: 'x', allowed_mentions: { parse: ['everyone'] } },
    { content: 'x', allowed_mentions: { parse: ['here'] } },
    'allowed_mentions.parse.0',
  ],
  ['content as text', { content: 'x' }, { content: { text: 'x' } }, 'content'],
  [
    '5 rows',
    withRows(...times(5, (i) => row(button({ custom_id: `b${i}` })))),
    withRows(...times(6, (i) => row(button({ custom_id: `b${i}` })))),
    'components',
  ],
  [
    '5 buttons in a row',
    withRows(row(...times(5, (i) => button({ custom_id: `b${i}` })))),
    withRows(row(...times(6, (i) => button({ custom_id: `b${i}` })))),
    'components.0.components',
  ],
  ['no empty row', withRows(row(button())), withRows(row()), 'components.0.components'],
  ['no flag of Components V2', { content: 'x', flags: 4 }, { flags: 1 << 15, components: [] }, 'flags'],
  ['rows only at the top', withRows(row(button())), withRows(button()), 'components.0.type'],
  [
    'custom id of 100',
    withRows(row(button({ custom_id: text(100) }))),
    withRows(row(button({ custom_id: text(101) }))),
    'components.0.components.0.custom_id',
  ],
  [
    'custom id not empty',
    withRows(row(button({ custom_id: 'a' }))),
    withRows(row(button({ custom_id: '' }))),
    'components.0.components.0.custom_id',
  ],
  [
    'custom id unique in the message',
    withRows(row(button({ custom_id: 'a' })), row(button({ custom_id: 'b' }))),
    withRows(row(button({ custom_id: 'a' })), row(button({ custom_id: 'a' }))),
    'components.1.components.0.custom_id',
  ],
  [
    'button label of 80',
    withRows(row(button({ label: text(80) }))),
    withRows(row(button({ label: text(81) }))),
    'components.0.components.0.label',
  ],
  [
    'button with label or emoji',
    withRows(row(button({ label: undefined, emoji: { name: '🔔' } }))),
    withRows(row(button({ label: undefined }))),
    'components.0.components.0.label',
  ],
  [
    'link button with url of 512',
    withRows(row({ type: 2, style: 5, label: 'Open', url: `https://a.example/${text(494)}` })),
    withRows(row({ type: 2, style: 5, label: 'Open', url: `https://a.example/${text(495)}` })),
    'components.0.components.0.url',
  ],
  [
    'link button without custom id',
    withRows(row({ type: 2, style: 5, label: 'Open', url: 'https://a.example' })),
    withRows(row({ type: 2, style: 5, label: 'Open', url: 'https://a.example', custom_id: 'a' })),
    'components.0.components.0.custom_id',
  ],
  [
    'button with custom id',
    withRows(row(button())),
    withRows(row(button({ custom_id: undefined }))),
    'components.0.components.0.custom_id',
  ],
  ['select alone in its row', withRows(row(select())), withRows(row(select(), button())), 'components.0.components'],
  [
    '25 select options',
    withRows(row(select({ options: options(25) }))),
    withRows(row(select({ options: options(26) }))),
    'components.0.components.0.options',
  ],
  [
    'a select option at least',
    withRows(row(select({ options: options(1) }))),
    withRows(row(select({ options: [] }))),
    'components.0.components.0.options',
  ],
  [
    'placeholder of 150',
    withRows(row(select({ placeholder: text(150) }))),
    withRows(row(select({ placeholder: text(151) }))),
    'components.0.components.0.placeholder',
  ],
  [
    'option label of 100',
    withRows(row(select({ options: [{ label: text(100), value: 'a' }] }))),
    withRows(row(select({ options: [{ label: text(101), value: 'a' }] }))),
    'components.0.components.0.options.0.label',
  ],
  [
    'option values unique',
    withRows(row(select({ options: options(2) }))),
    withRows(row(select({ options: [...options(1), ...options(1)] }))),
    'components.0.components.0.options.1.value',
  ],
  [
    'attachments that are there',
    { content: 'x', attachments: [] },
    { content: 'x', attachments: [{ id: '0' }] },
    'attachments.0.id',
  ],
];

describe('Create Message', () => {
  it('accepts exactly what Discord accepts, and points to what it does not', async () => {
    const fixture = await openUnlimitedFixture();
    for (const [name, accepted, refused, path] of LIMITS) {
      expect.soft(await post(fixture, accepted), name).toMatchObject({ status: 200 });
      const answer = await post(fixture, refused);
      expect.soft(answer, name).toMatchObject({ status: 400, body: { code: 50035, message: 'Invalid Form Body' } });
      const at = path.split('.').reduceRight<object>((inner, key) => ({ [key]: inner }), { _errors: [{}] });
      expect.soft(answer.body, name).toMatchObject({ errors: at });
    }
    expect(fixture.discord.messages(fixture.channelId)).toHaveLength(LIMITS.length);
    expect(fixture.discord.rejections).toHaveLength(LIMITS.length);
    expect(fixture.discord.rejections[0]).toMatchObject({
      source: 'rest',
      route: `POST /channels/${fixture.channelId}/messages`,
      code: 50035,
      injected: false,
      formErrors: [{ path: ['content'], code: 'BASE_TYPE_MAX_LENGTH' }],
    });
  });

  it('gives errors in the nested shape that clients know', async () => {
    const fixture = await openUnlimitedFixture();
    const { body } = await post(fixture, embed({ title: text(257) }));
    expect(body).toEqual({
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        embeds: {
          0: { title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' }] } },
        },
      },
    });
  });

  it.each([
    ['nothing at all', {}],
    ['spaces', { content: ' \n ' }],
    ['an embed without anything to draw', { embeds: [{ color: 1 }] }],
    ['empty lists', { embeds: [], components: [] }],
  ])('refuses an empty message: %s', async (_, json) => {
    const fixture = await openUnlimitedFixture();
    expect(await post(fixture, json)).toMatchObject({ status: 400, body: { code: 50006 } });
  });

  it('warns of what Discord swallows: embeds of one url, images that are not attached', async () => {
    const fixture = await openUnlimitedFixture();
    await post(fixture, { embeds: [1, 2].map((n) => ({ title: `${n}`, url: 'https://a.example' })) });
    await post(fixture, embed({ image: { url: 'attachment://chart.png' } }));
    expect(fixture.discord.warnings.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('same url'),
      expect.stringContaining('chart.png'),
    ]);
  });
});

describe('the message form', () => {
  const lengths = fc.record({
    embeds: fc.array(
      fc.record({ title: fc.nat(300), description: fc.nat(4200), footer: fc.integer({ min: 1, max: 2100 }) }),
      { maxLength: 11 },
    ),
  });

  it('accepts embeds if and only if each part and their sum are within the limits', () => {
    fc.assert(
      fc.property(lengths, ({ embeds }) => {
        const isFine =
          embeds.length <= 10 &&
          embeds.every((one) => one.title <= 256 && one.description <= 4096 && one.footer <= 2048) &&
          embeds.reduce((sum, one) => sum + one.title + one.description + one.footer, 0) <= 6000;
        const body = {
          embeds: embeds.map((one) => ({
            title: text(one.title),
            description: '🚀'.repeat(one.description),
            footer: { text: text(one.footer) },
          })),
        };
        expect(messageForm({ allowedFlags: 0 }).safeParse(body).success).toBe(isFine);
      }),
      { numRuns: 200 },
    );
  });

  it('never throws, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        messageForm({ allowedFlags: 0 }).safeParse(value);
        messageForm({ allowedFlags: 0 }).safeParse({ content: value, embeds: value, components: value });
      }),
    );
  });
});
