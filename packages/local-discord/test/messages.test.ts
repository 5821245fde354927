import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { DiscordOptions } from '../src/discord/fake-discord.ts';
import { CHANNEL_TYPES } from '../src/discord/model.ts';
import { PERMISSIONS as P, USUAL_BOT_PERMISSIONS } from '../src/discord/permissions.ts';
import {
  call,
  clock,
  type Fixture,
  idOf,
  openUnlimitedFixture,
  post,
  postFiles,
  refusal,
  times,
} from './fixture.ts';

const MINUTE_MS = 60_000;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAC0lEQVR4nGNgQAcAABIAAeRVjecAAAAASUVORK5CYII=',
  'base64',
);

const history = (fixture: Fixture, query = '', channelId = fixture.channelId) =>
  call(fixture.discord, 'GET', `/channels/${channelId}/messages${query}`);
const contents = (fixture: Fixture, channelId = fixture.channelId) =>
  fixture.discord.messages(channelId).map((m) => m.content);
const ownMessage = (
  fixture: Fixture,
  method: 'GET' | 'PATCH' | 'DELETE',
  id: string,
  json?: unknown,
) => call(fixture.discord, method, `/channels/${fixture.channelId}/messages/${id}`, { json });
/** Removes one of the bot's usual permissions. */
const forbid = (fixture: Fixture, permission: bigint) =>
  fixture.discord.setBotPermissions(fixture.channelId, USUAL_BOT_PERMISSIONS & ~permission);

describe('a nonce', () => {
  const once = (fixture: Fixture, channelId?: string) =>
    post(fixture, { content: 'one', nonce: 'abc', enforce_nonce: true }, channelId);

  it.each(['abc', 7])(
    '(%j) with enforce_nonce makes one message in three minutes, not in the history',
    async (nonce) => {
      const time = clock();
      const fixture = await openUnlimitedFixture({ now: time.now });
      const send = (content: string) => post(fixture, { content, nonce, enforce_nonce: true });
      const id = idOf(await send('one'));
      time.forward(3 * MINUTE_MS - 1);
      expect(await send('two')).toMatchObject({ status: 200, body: { id, content: 'one', nonce } });
      time.forward(1);
      await send('three');
      expect(contents(fixture)).toEqual(['one', 'three']);
      const noNonce = expect.not.objectContaining({ nonce: expect.anything() });
      expect((await history(fixture)).body).toEqual([noNonce, noNonce]);
    },
  );

  it('without enforce_nonce is only echoed', async () => {
    const fixture = await openUnlimitedFixture();
    expect(await post(fixture, { content: 'one', nonce: 'abc' })).toMatchObject({
      body: { nonce: 'abc' },
    });
    await post(fixture, { content: 'two', nonce: 'abc' });
    expect(contents(fixture)).toEqual(['one', 'two']);
  });

  it('of a message that was deleted since answers Unknown Message', async () => {
    const fixture = await openUnlimitedFixture();
    await ownMessage(fixture, 'DELETE', idOf(await once(fixture)));
    expect(await once(fixture)).toMatchObject(refusal(404, 10008));
    expect(contents(fixture)).toEqual([]);
  });

  it('counts for the author, not for the channel; a use across channels is pointed out', async () => {
    const fixture = await openUnlimitedFixture();
    const other = fixture.discord.createChannel(fixture.guildId, { name: 'other' });
    await once(fixture);
    expect(await once(fixture, other.id)).toMatchObject({
      status: 200,
      body: { channel_id: fixture.channelId },
    });
    expect(contents(fixture, other.id)).toEqual([]);
    expect(fixture.discord.warnings).toHaveLength(1);
  });

  it('works with files', async () => {
    const fixture = await openUnlimitedFixture();
    for (const content of ['file', 'again'])
      await postFiles(fixture, [['a.png', PNG]], { content, nonce: 'abc', enforce_nonce: true });
    expect(contents(fixture)).toEqual(['file']);
  });
});

describe('the history', () => {
  it('is newest first, in pages before, after and around a message', async () => {
    const fixture = await openUnlimitedFixture();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1)
      ids.push(idOf(await post(fixture, { content: `${index}` })));
    const page = z.array(z.object({ content: z.string() }));
    const texts = async (query: string) => {
      const messages = page.parse((await history(fixture, query)).body);
      return messages.map(({ content }) => content).join('');
    };
    expect(await texts('')).toBe('6543210');
    expect(await texts('?limit=2')).toBe('65');
    expect(await texts(`?limit=2&before=${ids[3]}`)).toBe('21');
    expect(await texts(`?limit=2&after=${ids[3]}`)).toBe('54');
    expect(await texts(`?limit=3&around=${ids[3]}`)).toBe('432');
  });

  it.each(['0', '101', 'x'])('accepts a limit of 1 to 100, not %s', async (limit) => {
    const fixture = await openUnlimitedFixture();
    const refused = await history(fixture, `?limit=${limit}`);
    expect(refused).toMatchObject({ status: 400, body: { code: 50035, errors: { limit: {} } } });
  });

  it('is empty without READ_MESSAGE_HISTORY, as with Discord no error says so', async () => {
    const fixture = await openUnlimitedFixture();
    const id = idOf(await post(fixture, { content: 'x' }));
    forbid(fixture, P.READ_MESSAGE_HISTORY);
    expect(await history(fixture)).toMatchObject({ status: 200, body: [] });
    expect(await ownMessage(fixture, 'GET', id)).toMatchObject(refusal(403, 50013));
  });
});

describe('permissions', () => {
  it.each<
    [
      string,
      missing: bigint,
      json: object,
      status: number,
      code: number,
      options?: Partial<DiscordOptions>,
    ]
  >([
    ['VIEW_CHANNEL', P.VIEW_CHANNEL, { content: 'x' }, 403, 50001],
    ['SEND_MESSAGES', P.SEND_MESSAGES, { content: 'x' }, 403, 50013],
    ['EMBED_LINKS', P.EMBED_LINKS, { embeds: [{ title: 'x' }] }, 400, 50006],
    [
      'EMBED_LINKS once',
      P.EMBED_LINKS,
      { embeds: [{ title: 'x' }] },
      403,
      50013,
      { missingEmbedLinks: 'forbidden' },
    ],
  ])('without %s a message fails', async (_, missing, json, status, code, options) => {
    const fixture = await openUnlimitedFixture(options);
    forbid(fixture, missing);
    expect(await post(fixture, json)).toMatchObject({ status, body: { code } });
    fixture.discord.setBotPermissions(fixture.channelId, null);
    expect(await post(fixture, json)).toMatchObject({ status: 200 });
  });

  it('in a server are those of the bot’s role', async () => {
    const fixture = await openUnlimitedFixture();
    fixture.discord.setBotPermissions(fixture.guildId, P.VIEW_CHANNEL);
    expect(await post(fixture, { content: 'x' })).toMatchObject(refusal(403, 50013));
  });

  it('without EMBED_LINKS drop the embeds of a message with content, and say so on the side', async () => {
    const fixture = await openUnlimitedFixture();
    forbid(fixture, P.EMBED_LINKS);
    const answer = await post(fixture, { content: 'x', embeds: [{ title: 'y' }] });
    expect(answer).toMatchObject({ status: 200, body: { embeds: [] } });
    expect(fixture.discord.warnings).toHaveLength(1);
  });

  it('without ATTACH_FILES refuse a file', async () => {
    const fixture = await openUnlimitedFixture();
    forbid(fixture, P.ATTACH_FILES);
    expect(await postFiles(fixture, [['a.png', PNG]])).toMatchObject(refusal(403, 50013));
  });

  it('of a bot in time-out are to look, not to write', async () => {
    const fixture = await openUnlimitedFixture();
    fixture.discord.timeoutBot(fixture.guildId, Date.now() + MINUTE_MS);
    expect(await post(fixture, { content: 'x' })).toMatchObject({ body: { code: 50013 } });
    expect(await history(fixture)).toMatchObject({ status: 200 });
    fixture.discord.timeoutBot(fixture.guildId, null);
    expect(await post(fixture, { content: 'x' })).toMatchObject({ status: 200 });
  });

  it('of a thread need SEND_MESSAGES_IN_THREADS, not SEND_MESSAGES; an archived one wakes, a locked one refuses', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord } = fixture;
    const options = {
      name: 'thread',
      type: CHANNEL_TYPES.PUBLIC_THREAD,
      parentId: fixture.channelId,
    };
    const thread = discord.createChannel(fixture.guildId, options);
    forbid(fixture, P.SEND_MESSAGES);
    expect(await post(fixture, { embeds: [{ title: 'x' }] }, thread.id)).toMatchObject({
      status: 200,
    });
    discord.setThread(thread.id, { archived: true });
    const id = idOf(await post(fixture, { content: 'x' }, thread.id));
    expect(discord.channel(thread.id)?.archived).toBe(false);
    discord.setThread(thread.id, { archived: true });
    const edited = await ownMessage({ ...fixture, channelId: thread.id }, 'PATCH', id, {
      content: 'y',
    });
    expect(edited).toMatchObject({ body: { code: 50083 } });
    discord.setThread(thread.id, { archived: true, locked: true });
    expect(await post(fixture, { content: 'x' }, thread.id)).toMatchObject({
      body: { code: 160005 },
    });
    discord.setThread(thread.id, { locked: false });
    forbid(fixture, P.SEND_MESSAGES_IN_THREADS);
    expect(await post(fixture, { content: 'x' }, thread.id)).toMatchObject({
      body: { code: 50013 },
    });
  });
});

describe('places', () => {
  it('that are gone, closed or of the wrong kind say which', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord } = fixture;
    const category = discord.createChannel(fixture.guildId, {
      name: 'c',
      type: CHANNEL_TYPES.CATEGORY,
    });
    expect(await post(fixture, { content: 'x' }, category.id)).toMatchObject(refusal(400, 50008));
    expect(await post(fixture, { content: 'x' }, '123456789012345678')).toMatchObject(
      refusal(404, 10003),
    );
    expect(await post(fixture, { content: 'x' }, 'abc')).toMatchObject(refusal(400, 50035));
    discord.kickBot(fixture.guildId);
    expect(await post(fixture, { content: 'x' })).toMatchObject(refusal(403, 50001));
    const guild = await call(discord, 'GET', `/guilds/${fixture.guildId}`);
    expect(guild).toMatchObject(refusal(404, 10004));
    discord.inviteBot(fixture.guildId);
    discord.deleteChannel(fixture.channelId);
    expect(await post(fixture, { content: 'x' })).toMatchObject(refusal(404, 10003));
  });

  it('that are direct messages need a shared server and a person who allows them', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord, member } = fixture;
    const opened = await call(discord, 'POST', '/users/@me/channels', {
      json: { recipient_id: member.userId },
    });
    const dm = idOf(opened);
    expect(await post(fixture, { content: 'x' }, dm)).toMatchObject({ status: 200 });
    discord.setTakesDms(member.userId, false);
    expect(await post(fixture, { content: 'x' }, dm)).toMatchObject(refusal(403, 50007));
    discord.kickBot(fixture.guildId);
    expect(await post(fixture, { content: 'x' }, dm)).toMatchObject(refusal(403, 50278));
  });
});

describe('pings', () => {
  it('come from content, as far as the bot may and allowed_mentions lets them through, and never from an embed', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord, guildId, member } = fixture;
    const role = discord.createRole(guildId, { name: 'traders' });
    const content = `@everyone <@${member.userId}> <@&${role.id}>`;
    const pingsOf = async (json: object) => discord.message(idOf(await post(fixture, json)))?.pings;
    const none = { everyone: false, userIds: [], roleIds: [] };
    const userIds = [member.userId];
    const roleIds = [role.id];
    expect(await pingsOf({ content })).toEqual({ ...none, userIds });
    discord.setRole(guildId, role.id, { mentionable: true });
    expect(await pingsOf({ content })).toEqual({ ...none, userIds, roleIds });
    discord.setBotPermissions(guildId, USUAL_BOT_PERMISSIONS | P.MENTION_EVERYONE);
    expect(await pingsOf({ content })).toEqual({ everyone: true, userIds, roleIds });
    expect(await pingsOf({ content, allowed_mentions: { parse: [] } })).toEqual(none);
    expect(await pingsOf({ content, allowed_mentions: { roles: roleIds } })).toEqual({
      ...none,
      roleIds,
    });
    expect(await pingsOf({ embeds: [{ description: content }] })).toEqual(none);
  });
});

describe('a reply', () => {
  it('needs the message and the history permission', async () => {
    const fixture = await openUnlimitedFixture();
    const question = fixture.discord.say(fixture.member, fixture.channelId, 'a question');
    const reply = { content: 'x', message_reference: { message_id: question.id } };
    expect(await post(fixture, reply)).toMatchObject({ status: 200, body: { type: 19 } });
    expect(fixture.discord.messages(fixture.channelId).at(-1)?.pings.userIds).toEqual([
      fixture.member.userId,
    ]);
    forbid(fixture, P.READ_MESSAGE_HISTORY);
    expect(await post(fixture, reply)).toMatchObject(refusal(403, 160002));
    fixture.discord.setBotPermissions(fixture.channelId, null);
    fixture.discord.deleteMessage(question.id);
    expect(await post(fixture, reply)).toMatchObject(refusal(400, 50035));
    const lenient = {
      ...reply,
      message_reference: { message_id: question.id, fail_if_not_exists: false },
    };
    expect(await post(fixture, lenient)).toMatchObject({ status: 200, body: { type: 0 } });
  });
});

describe('an edit', () => {
  it('changes what it names and keeps the rest', async () => {
    const fixture = await openUnlimitedFixture();
    const id = idOf(await post(fixture, { content: 'x', embeds: [{ title: 'y' }] }));
    expect(await ownMessage(fixture, 'PATCH', id, { content: 'z' })).toMatchObject({
      status: 200,
      body: { content: 'z', embeds: [{ title: 'y' }], edited_timestamp: expect.any(String) },
    });
    expect(fixture.discord.message(id)).toMatchObject({
      content: 'z',
      editedAtMs: expect.any(Number),
    });
  });

  it('cannot empty a message, touch a person’s, or one that is gone', async () => {
    const fixture = await openUnlimitedFixture();
    const edit = (id: string, content: string) => ownMessage(fixture, 'PATCH', id, { content });
    const id = idOf(await post(fixture, { content: 'x' }));
    expect(await edit(id, '')).toMatchObject(refusal(400, 50006));
    const other = fixture.discord.say(fixture.member, fixture.channelId, 'mine');
    expect(await edit(other.id, 'yours')).toMatchObject(refusal(403, 50005));
    fixture.discord.deleteMessage(id);
    expect(await edit(id, 'y')).toMatchObject(refusal(404, 10008));
  });
});

describe('files', () => {
  it('are kept and served at a signed address that expires', async () => {
    const time = clock();
    const fixture = await openUnlimitedFixture({ now: time.now });
    await postFiles(fixture, [['a.png', PNG]], {
      attachments: [{ id: '0', description: 'a chart' }],
    });
    const [file] = fixture.discord.messages(fixture.channelId)[0]?.attachments ?? [];
    expect(file).toMatchObject({
      filename: 'a.png',
      contentType: 'image/png',
      description: 'a chart',
    });
    const url = file?.url ?? '';
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(PNG);
    expect((await fetch(url.replace(/hm=./, 'hm=x'))).status).toBe(404);
    time.forward(24 * 60 * MINUTE_MS + 1000);
    expect((await fetch(url)).status).toBe(404);
  });

  it('that an embed shows are part of the embed, with their size', async () => {
    const fixture = await openUnlimitedFixture();
    const answer = await postFiles(fixture, [['a.png', PNG]], {
      embeds: [{ image: { url: 'attachment://a.png' } }],
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        attachments: [],
        embeds: [{ image: { width: 2, height: 3, url: expect.stringContaining('/cdn/') } }],
      },
    });
  });

  it('are at most ten, of at most 10 MiB, in at most 25 MiB', async () => {
    const fixture = await openUnlimitedFixture();
    const send = (count: number, name: string, data: Uint8Array) =>
      postFiles(
        fixture,
        times(count, (i) => [`${i}${name}`, data]),
      );
    expect(await send(10, '.png', PNG)).toMatchObject({ status: 200 });
    expect(await send(11, '.png', PNG)).toMatchObject(refusal(400, 30015));
    const full = fixture.discord.messages(fixture.channelId)[0]?.id;
    const more = new FormData();
    more.set('files[0]', new Blob([PNG]), 'more.png');
    const path = `/channels/${fixture.channelId}/messages/${full}`;
    expect(await call(fixture.discord, 'PATCH', path, { raw: more })).toMatchObject(
      refusal(400, 30015),
    );
    const mib = 1024 * 1024;
    expect(await send(1, 'a', new Uint8Array(10 * mib))).toMatchObject({ status: 200 });
    expect(await send(1, 'a', new Uint8Array(10 * mib + 1))).toMatchObject(refusal(400, 50045));
    expect(await send(3, 'a', new Uint8Array(9 * mib))).toMatchObject(refusal(413, 40005));
  });
});

describe('a request', () => {
  const ofType = (type: string, raw: string) => ({ raw, headers: { 'content-type': type } });

  it.each([
    ['a wrong token', 'GET', '/users/@me', { token: 'wrong' }, 401, 0],
    ['no token', 'GET', '/users/@me', { token: null }, 401, 0],
    [
      'another user agent',
      'GET',
      '/users/@me',
      { headers: { 'user-agent': 'curl/8' } },
      403,
      40333,
    ],
    ['an unknown path', 'GET', '/nowhere', {}, 404, 0],
    ['a wrong method', 'PUT', '/users/@me', {}, 405, 0],
    ['broken JSON', 'POST', '/users/@me/channels', ofType('application/json', '{'), 400, 50109],
    ['another content type', 'POST', '/users/@me/channels', ofType('text/plain', 'a'), 400, 50035],
  ])('with %s is refused', async (_, method, path, options, status, code) => {
    const { discord } = await openUnlimitedFixture();
    expect(await call(discord, method, path, options)).toMatchObject({ status, body: { code } });
    expect(discord.rejections).toMatchObject([{ status, code }]);
  });

  it('that asks too often for what it may not have is shut out', async () => {
    const { discord } = await openUnlimitedFixture({ invalidRequestLimit: 3 });
    for (let index = 0; index < 3; index += 1)
      await call(discord, 'GET', '/users/@me', { token: 'wrong' });
    expect(discord.invalidRequests).toBe(3);
    const answer = await call(discord, 'GET', '/users/@me');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it('without an answer body has no content type', async () => {
    const fixture = await openUnlimitedFixture();
    const id = idOf(await post(fixture, { content: 'x' }));
    const answer = await ownMessage(fixture, 'DELETE', id);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('content-type')).toBeNull();
  });
});
