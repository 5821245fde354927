import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO_KEY, readKeysFile, type VenueKey } from '../src/keys.ts';
import { temporaryFolder } from './helpers.ts';
import { readRaw, type Served, serveInTest, WALLET } from './support.ts';

const SECRET = 'wb_live_51Hq-secret.key~with+all/chars==';
const key = (changes: Partial<VenueKey> = {}): VenueKey => ({
  ...DEMO_KEY,
  key: SECRET,
  label: 'desk',
  limit: 5,
  windowSeconds: 60,
  ...changes,
});
const PATH = `/v1/trader/${WALLET}/activity`;

let venue: Served;
beforeEach(async () => {
  venue = await serveInTest({
    keys: [key(), key({ key: 'second', label: 'second', limit: 3, windowSeconds: 10 })],
  });
});
/** Returns the reply on a connection of its own. */
const rawReply = async (headers: string) => {
  const [reply] = readRaw(
    await venue.raw(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`),
  );
  return reply;
};

const quota = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

describe('authentication', () => {
  it.each(['Authorization', 'authorization', 'AUTHORIZATION', 'aUthOrIzAtIoN'])(
    'takes the key from the header %s',
    async (name) =>
      expect(await rawReply(`${name}: Bearer ${SECRET}\r\n`)).toMatchObject({ status: 200 }),
  );

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])(
    'accepts the scheme as "%s"',
    async (scheme) => {
      expect(
        (await venue.get(PATH, { key: null, headers: { authorization: `${scheme} ${SECRET}` } }))
          .status,
      ).toBe(200);
    },
  );

  it.each([
    ['missing', {}, 'Missing API key'],
    ['in another header', { 'x-api-key': SECRET }, 'Missing API key'],
    ['malformed: no scheme', { authorization: SECRET }, 'Malformed API key'],
    ['malformed: no key', { authorization: 'Bearer ' }, 'Malformed API key'],
    ['malformed: two words', { authorization: `Bearer ${SECRET} ${SECRET}` }, 'Malformed API key'],
    ['malformed: another scheme', { authorization: `Basic ${SECRET}` }, 'Malformed API key'],
    ['malformed: quoted', { authorization: `Bearer "${SECRET}"` }, 'Malformed API key'],
    ['unknown', { authorization: 'Bearer nobody' }, 'Invalid API key'],
    [
      'unknown: only the beginning',
      { authorization: `Bearer ${SECRET.slice(0, -1)}` },
      'Invalid API key',
    ],
    [
      'unknown: in another case',
      { authorization: `Bearer ${SECRET.toUpperCase()}` },
      'Invalid API key',
    ],
  ])('answers 401 to a key that is %s', async (_, headers, message) => {
    const reply = await venue.get(PATH, { key: null, headers });
    expect(reply).toMatchObject({ status: 401, message: expect.stringContaining(message) });
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('answers 401 to a key that is sent twice', async () => {
    const message = expect.stringContaining('Malformed');
    expect(await rawReply(`Authorization: Bearer ${SECRET}\r\n`.repeat(2))).toMatchObject({
      status: 401,
      message,
    });
  });

  it('answers 401, not 404 or 405, wherever a key is missing', async () => {
    expect((await venue.get('/nothing', { key: null })).status).toBe(401);
    expect((await venue.get(PATH, { key: null, method: 'POST' })).status).toBe(401);
  });

  it('shows a request without a known key the anonymous window', async () => {
    const [limit, remaining, reset] = quota((await venue.get(PATH, { key: null })).headers);
    expect([limit, remaining]).toEqual([60, 59]);
    expect(quota((await venue.get(PATH, { key: 'nobody' })).headers)).toEqual([60, 58, reset]);
  });

  it('answers 401 to a key from the moment it is revoked', async () => {
    expect((await venue.get(PATH, { key: 'second' })).status).toBe(200);
    venue.setKeys([key()]);
    expect((await venue.get(PATH, { key: 'second' })).status).toBe(401);
    expect((await venue.get(PATH, { key: SECRET })).status).toBe(200);
  });
});

describe('plans', () => {
  it('answer 403 for an endpoint that they do not include, and 200 for the other', async () => {
    venue.setKeys([
      key({ endpoints: ['activity'] }),
      key({ key: 'second', endpoints: ['deposits-withdrawals'] }),
    ]);
    expect((await venue.activity('', { key: SECRET })).status).toBe(200);
    const message = expect.stringContaining('deposits-withdrawals');
    expect(await venue.transfers('', { key: SECRET })).toMatchObject({ status: 403, message });
    expect((await venue.activity('', { key: 'second' })).status).toBe(403);
    expect((await venue.transfers('', { key: 'second' })).status).toBe(200);
  });
});

describe('the rate limit', () => {
  it('counts down per key and answers 429 until the reset that it announced', async () => {
    const reset = Math.floor(venue.clock.nowMs / 1000 / 60) * 60 + 60;
    for (const left of [4, 3, 2, 1, 0]) {
      const reply = await venue.get(PATH, { key: SECRET });
      expect(reply.status).toBe(200);
      expect(quota(reply.headers)).toEqual([5, left, reset]);
    }
    const refused = await venue.get(PATH, { key: SECRET });
    expect(refused.status).toBe(429);
    expect(quota(refused.headers)).toEqual([5, 0, reset]);
    expect((await venue.get(PATH, { key: 'second' })).status).toBe(200);

    venue.clock.nowMs = reset * 1000 - 1;
    expect((await venue.get(PATH, { key: SECRET })).status).toBe(429);
    venue.clock.nowMs = reset * 1000;
    const after = await venue.get(PATH, { key: SECRET });
    expect(after.status).toBe(200);
    expect(quota(after.headers)).toEqual([5, 4, reset + 60]);
  });

  it('counts every request of a key, whatever the answer', async () => {
    await venue.get('/nothing', { key: SECRET });
    await venue.get(`${PATH}?limit=no`, { key: SECRET });
    const [, remaining] = quota((await venue.get(PATH, { key: SECRET, method: 'POST' })).headers);
    expect(remaining).toBe(2);
  });

  it('lets through exactly the limit of many requests at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => venue.get(PATH, { key: SECRET })),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(35).fill(429)]);
  });

  it('is given in whole Unix seconds that agree with the Date header', async () => {
    venue.clock.nowMs += 123;
    const { headers } = await venue.get(PATH, { key: 'second' });
    const dateSeconds = Date.parse(headers.get('date') ?? '') / 1000;
    const [, , reset = 0] = quota(headers);
    expect(dateSeconds).toBe(Math.floor(venue.clock.nowMs / 1000));
    expect(reset - dateSeconds).toBeGreaterThan(0);
    expect(reset - dateSeconds).toBeLessThanOrEqual(10);
  });

  it('goes on where it was when the keys are read again', async () => {
    await venue.get(PATH, { key: SECRET });
    venue.setKeys([key({ limit: 50 })]);
    expect(quota((await venue.get(PATH, { key: SECRET })).headers).slice(0, 2)).toEqual([50, 48]);
  });

  it('holds for 401 as well without turning it into 429', async () => {
    const replies = await Promise.all(
      Array.from({ length: 70 }, () => venue.get(PATH, { key: 'nobody' })),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]));
    expect(quota(replies.at(-1)?.headers ?? new Headers())[1]).toBe(0);
  });
});

describe('the log', () => {
  it('never holds a key, known or not, in whatever place it was sent', async () => {
    await venue.get(PATH, { key: SECRET });
    await venue.get(PATH, { key: 'unknown-secret' });
    await venue.get(`${PATH}?api_key=${encodeURIComponent(SECRET)}`, { key: SECRET });
    await venue.get(`/v1/trader/${encodeURIComponent(SECRET)}/activity`, { key: SECRET });
    await venue.get('/', { key: null, headers: { authorization: `Token ${SECRET}` } });
    await venue.raw(`GET /${SECRET} HTP/1\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`);
    venue.setKeys([]);
    await venue.ledger.close();
    await venue.get(PATH, { key: SECRET });
    const text = venue.logText();
    expect(text).toContain('venue.request');
    expect(text).toContain('"label":"desk"');
    for (const secret of [SECRET, encodeURIComponent(SECRET), 'unknown-secret'])
      expect(text).not.toContain(secret);
  });
});

describe('the keys file', () => {
  async function read(content: unknown): Promise<VenueKey[]> {
    const file = join(temporaryFolder(), 'keys.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readKeysFile(file);
  }

  it('is an array of keys', async () => {
    expect(await read([key()])).toEqual([key()]);
    expect(await read([])).toEqual([]);
  });

  it.each([
    ['not JSON', `[{"key": "${SECRET}", oops`, /is not valid JSON/],
    ['not an array', key(), /expected array/],
    ['a key with a space', [key({ key: 'a b' })], /entry 1, key: must be letters/],
    ['a limit of nothing', [key(), { ...key({ key: 'x' }), limit: 0 }], /entry 2, limit: /],
    ['half a window', [key({ windowSeconds: 0.5 })], /entry 1, windowSeconds: /],
    [
      'an unknown endpoint',
      [{ ...key(), endpoints: ['trades'] }],
      /entry 1, endpoints\.0: .*activity/,
    ],
    ['an unknown field', [{ ...key(), quota: 1 }], /entry 1: .*quota/],
    ['a missing field', [{ ...key(), label: undefined }], /entry 1, label: /],
    ['one key twice', [key(), key({ label: 'again' })], /entry 2: has the same key as entry 1/],
  ])('is refused for %s, with the place and without the key', async (_, content, reason) => {
    const error: unknown = await read(content).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(reason);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(SECRET);
  });

  it('gets every fault at once, up to twenty', async () => {
    const faulty = [key({ limit: 0 }), key(), key({ label: '' }), { ...key(), endpoints: ['x'] }];
    for (const [keys, reasons] of [
      [faulty, /: entry 1, limit: .*; entry 3, label: .*; entry 4, endpoints\.0: [^;]*\.$/],
      [
        [key(), key(), key()],
        /entry 2: has the same key as entry 1; entry 3: has the same key as entry 1\.$/,
      ],
      [Array.from({ length: 25 }, () => key({ limit: 0 })), /entry 20, .*; and 5 more\.$/],
    ] as const)
      await expect(read(keys)).rejects.toThrow(reasons);
  });

  it('is named when it is not there', async () => {
    await expect(readKeysFile(join(temporaryFolder(), 'none.json'))).rejects.toThrow(/none\.json/);
  });
});
