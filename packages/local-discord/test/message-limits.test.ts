import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageForm } from '../src/discord/forms/message.ts';
import {
  expectLimits,
  type Limit,
  openUnlimitedFixture,
  post,
  refusal,
  text,
  times,
  within,
} from './fixture.ts';

const embed = (parts: object) => ({ embeds: [{ title: 'T', ...parts }] });
const FIELD = { name: 'n', value: 'v' };
const BUTTON = { type: 2, style: 1, label: 'Next', custom_id: 'next' };
const LINK = { type: 2, style: 5, label: 'Open', url: 'https://a.example' };
const SELECT = { type: 3, custom_id: 'pick', options: [{ label: 'a', value: 'a' }] };
const row = (...components: object[]) => ({ type: 1, components });
const withRows = (...rows: object[]) => ({ content: 'x', components: rows });
const inRow = (component: object) => (parts: object) => withRows(row({ ...component, ...parts }));
const buttons = (count: number) => times(count, (i) => ({ ...BUTTON, custom_id: `b${i}` }));
const options = (count: number) => times(count, (i) => ({ label: `l${i}`, value: `v${i}` }));
const inRows = (count: number) => withRows(...buttons(count).map((button) => row(button)));
const labelled = (length: number) => ({ options: [{ label: text(length), value: 'a' }] });
const addressOf = (length: number) => 'https://a.example/'.padEnd(length, 'x');
const users = (count: number) => times(count, () => '123456789012345678');
const titled = (count: number) => ({ embeds: times(count, () => ({ title: 'a' })) });
/** Returns a message of two embeds with this number of characters in total. */
const together = (sum: number) => ({
  embeds: [{ description: text(4000) }, { title: 'ab', description: text(sum - 4002) }],
});
/** Returns an embed whose parts have this number of characters in total. */
const inParts = (sum: number) => ({
  description: text(4000),
  footer: { text: text(1000) },
  author: { name: text(100) },
  fields: [{ name: text(sum - 5900), value: text(800) }],
});

const LIMITS: readonly Limit[] = [
  ['content of 2,000', { content: text(2000) }, { content: text(2001) }, 'content'],
  [
    'content counted in code points',
    { content: '🚀'.repeat(2000) },
    { content: '🚀'.repeat(2001) },
    'content',
  ],
  [
    'content trimmed first',
    { content: `  ${text(2000)}\n` },
    { content: ` ${text(2001)} ` },
    'content',
  ],
  ['content as text', { content: 'x' }, { content: { text: 'x' } }, 'content'],
  ['10 embeds', titled(10), titled(11), 'embeds'],
  ['6,000 characters over all embeds', together(6000), together(6001), 'embeds'],
  [
    '6,000 with field, footer and author',
    { embeds: [inParts(6000)] },
    { embeds: [inParts(6001)] },
    'embeds',
  ],
  ...within('embeds.0', embed, [
    ['embed title of 256', { title: text(256) }, { title: text(257) }, 'title'],
    [
      'description of 4,096',
      { description: text(4096) },
      { description: text(4097) },
      'description',
    ],
    ['25 fields', { fields: times(25, () => FIELD) }, { fields: times(26, () => FIELD) }, 'fields'],
    [
      'footer of 2,048',
      { footer: { text: text(2048) } },
      { footer: { text: text(2049) } },
      'footer.text',
    ],
    [
      'author of 256',
      { author: { name: text(256) } },
      { author: { name: text(257) } },
      'author.name',
    ],
    ['colour up to 16,777,215', { color: 16_777_215 }, { color: 16_777_216 }, 'color'],
    ['colour from 0', { color: 0 }, { color: -1 }, 'color'],
    ['colour whole', { color: 1 }, { color: 1.5 }, 'color'],
    ['http in links', { url: 'https://a.example' }, { url: 'ftp://a.example' }, 'url'],
    ['no attachment as link', { url: 'http://a.example' }, { url: 'attachment://a.png' }, 'url'],
    ['well formed links', { url: 'https://a.example/ä' }, { url: 'https://' }, 'url'],
    ['links of 2,048', { url: addressOf(2048) }, { url: addressOf(2049) }, 'url'],
    [
      'http in thumbnails',
      { thumbnail: { url: 'https://a.example/a.png' } },
      { thumbnail: { url: 'data:image/png;base64,AA==' } },
      'thumbnail.url',
    ],
    ['ISO times', { timestamp: '2026-01-01T00:00:00Z' }, { timestamp: 'yesterday' }, 'timestamp'],
  ]),
  ...within('embeds.0.fields.0', (parts) => embed({ fields: [{ ...FIELD, ...parts }] }), [
    ['field name of 256', { name: text(256) }, { name: text(257) }, 'name'],
    ['field value of 1,024', { value: text(1024) }, { value: text(1025) }, 'value'],
    ['no field without a name', {}, { name: ' ' }, 'name'],
    ['no field without a value', {}, { value: undefined }, 'value'],
  ]),
  ['nonce of 25', { content: 'x', nonce: text(25) }, { content: 'x', nonce: text(26) }, 'nonce'],
  ['nonce text or number', { content: 'x', nonce: 7 }, { content: 'x', nonce: 7.5 }, 'nonce'],
  [
    'flags that a bot may set',
    { content: 'x', flags: 1 << 12 },
    { content: 'x', flags: 1 << 6 },
    'flags',
  ],
  [
    'no flag of Components V2',
    { content: 'x', flags: 4 },
    { flags: 1 << 15, components: [] },
    'flags',
  ],
  ...within('allowed_mentions', (allowed_mentions) => ({ content: 'x', allowed_mentions }), [
    [
      'mentions either parsed or listed',
      { parse: ['roles'], users: users(1) },
      { parse: ['users'], users: users(1) },
      'parse',
    ],
    ['100 mentioned users', { users: users(100) }, { users: users(101) }, 'users'],
    ['known kinds of mentions', { parse: ['everyone'] }, { parse: ['here'] }, 'parse.0'],
  ]),
  ['5 rows', inRows(5), inRows(6), 'components'],
  ['rows only at the top', withRows(row(BUTTON)), withRows(BUTTON), 'components.0.type'],
  [
    'custom id unique in the message',
    inRows(2),
    withRows(row(BUTTON), row(BUTTON)),
    'components.1.components.0.custom_id',
  ],
  ...within('components.0', (parts) => withRows({ type: 1, ...parts }), [
    ['5 buttons in a row', { components: buttons(5) }, { components: buttons(6) }, 'components'],
    ['no empty row', { components: [BUTTON] }, { components: [] }, 'components'],
    [
      'select alone in its row',
      { components: [SELECT] },
      { components: [SELECT, BUTTON] },
      'components',
    ],
  ]),
  ...within('components.0.components.0', inRow(BUTTON), [
    ['button with custom id', {}, { custom_id: undefined }, 'custom_id'],
    ['custom id of 100', { custom_id: text(100) }, { custom_id: text(101) }, 'custom_id'],
    ['custom id not empty', { custom_id: 'a' }, { custom_id: '' }, 'custom_id'],
    ['button label of 80', { label: text(80) }, { label: text(81) }, 'label'],
    [
      'button with label or emoji',
      { label: undefined, emoji: { name: '🔔' } },
      { label: undefined },
      'label',
    ],
  ]),
  ...within('components.0.components.0', inRow(LINK), [
    ['link button with url of 512', { url: addressOf(512) }, { url: addressOf(513) }, 'url'],
    ['link button without custom id', {}, { custom_id: 'a' }, 'custom_id'],
  ]),
  ...within('components.0.components.0', inRow(SELECT), [
    ['25 select options', { options: options(25) }, { options: options(26) }, 'options'],
    ['a select option at least', { options: options(1) }, { options: [] }, 'options'],
    ['placeholder of 150', { placeholder: text(150) }, { placeholder: text(151) }, 'placeholder'],
    ['option label of 100', labelled(100), labelled(101), 'options.0.label'],
    [
      'option values unique',
      { options: options(2) },
      { options: [...options(1), ...options(1)] },
      'options.1.value',
    ],
  ]),
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
    await expectLimits(LIMITS, (body) => post(fixture, body));
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
          0: {
            title: {
              _errors: [
                { code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' },
              ],
            },
          },
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
    expect(await post(fixture, json)).toMatchObject(refusal(400, 50006));
  });

  it('warns of what Discord swallows: embeds of one url, images that are not attached', async () => {
    const fixture = await openUnlimitedFixture();
    await post(fixture, {
      embeds: [1, 2].map((n) => ({ title: `${n}`, url: 'https://a.example' })),
    });
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
      fc.record({
        title: fc.nat(300),
        description: fc.nat(4200),
        footer: fc.integer({ min: 1, max: 2100 }),
      }),
      { maxLength: 11 },
    ),
  });

  it('accepts embeds if and only if each part and their sum are within the limits', () => {
    fc.assert(
      fc.property(lengths, ({ embeds }) => {
        const isFine =
          embeds.length <= 10 &&
          embeds.every(
            (one) => one.title <= 256 && one.description <= 4096 && one.footer <= 2048,
          ) &&
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
        messageForm({ allowedFlags: 0 }).safeParse({
          content: value,
          embeds: value,
          components: value,
        });
      }),
    );
  });
});
