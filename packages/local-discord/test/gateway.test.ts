import { once } from 'node:events';
import { Events } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import type { FakeDiscord } from '../src/discord/fake-discord.ts';
import { USUAL_BOT_PERMISSIONS } from '../src/discord/permissions.ts';
import { logIn } from './client.ts';
import {
  call,
  clock,
  eventually,
  guildOnShard,
  openFixture,
  openUnlimitedFixture,
  post,
  TOKEN,
  whenResumed,
} from './fixture.ts';

const GUILDS = 1;
const frame = z.object({
  op: z.int(),
  d: z.unknown().optional(),
  s: z.int().nullish(),
  t: z.string().nullish(),
});
type Frame = z.infer<typeof frame>;

/** Opens a bare gateway connection, and records what it received and how it was closed. */
async function connect(discord: FakeDiscord, query = '?v=10&encoding=json') {
  const socket = new WebSocket(`${discord.gatewayUrl}${query}`);
  onTestFinished(() => socket.terminate());
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(frame.parse(JSON.parse(String(data))));
    for (const wake of waiting.splice(0)) wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  return {
    frames,
    closed,
    socket,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    async until(predicate: (frame: Frame) => boolean): Promise<Frame> {
      for (;;) {
        const found = frames.find(predicate);
        if (found) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

const identity = (parts: object = {}) => ({
  token: TOKEN,
  intents: GUILDS,
  properties: { os: 'linux' },
  ...parts,
});
const ofType = (t: string) => (one: Frame) => one.t === t;
const ofOp = (op: number) => (one: Frame) => one.op === op;

/** Opens a connection and sends this at once. */
async function asking(discord: FakeDiscord, op: number, d: unknown) {
  const connection = await connect(discord);
  connection.send(op, d);
  return connection;
}
const resume = (sessionId: string, seq: number) => ({ token: TOKEN, session_id: sessionId, seq });

/** Opens a connection that has identified, with its session id. */
async function identified(discord: FakeDiscord, parts: object = {}) {
  const connection = await asking(discord, 2, identity(parts));
  const { d } = await connection.until(ofType('READY'));
  return { ...connection, sessionId: z.object({ session_id: z.string() }).parse(d).session_id };
}

describe('the gateway', () => {
  it('says hello, acknowledges heartbeats, and says who and where the bot is', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const connection = await connect(discord);
    expect(await connection.until(ofOp(10))).toMatchObject({ d: { heartbeat_interval: 41_250 } });
    connection.send(1, null);
    await connection.until(ofOp(11));
    connection.send(2, identity());
    expect(await connection.until(ofType('READY'))).toMatchObject({
      s: 1,
      d: {
        v: 10,
        user: { id: discord.bot.id, bot: true },
        guilds: [{ id: guildId, unavailable: true }],
        application: { id: discord.bot.applicationId },
      },
    });
    expect(await connection.until(ofType('GUILD_CREATE'))).toMatchObject({
      s: 2,
      d: {
        id: guildId,
        channels: [{ id: channelId }],
        members: [{ user: { id: discord.bot.id } }],
      },
    });
  });

  it.each([
    ['a wrong token', 2, identity({ token: 'wrong' }), 4004],
    ['no intents', 2, identity({ intents: undefined }), 4013],
    ['unknown intents', 2, identity({ intents: 1 << 30 }), 4013],
    ['privileged intents that are off', 2, identity({ intents: 1 << 15 }), 4014],
    ['a shard beyond their number', 2, identity({ shard: [1, 1] }), 4010],
    ['an unknown opcode', 99, {}, 4001],
    ['anything before IDENTIFY', 3, {}, 4003],
    ['no properties', 2, { token: TOKEN, intents: GUILDS }, 4002],
    ['more than 4,096 bytes', 2, identity({ properties: { os: 'x'.repeat(4096) } }), 4002],
    ['a wrong token in RESUME', 6, { token: 'wrong', session_id: 'x', seq: 0 }, 4004],
  ])('closes for %s', async (_, op, d, code) => {
    const { discord } = await openFixture();
    const connection = await asking(discord, op, d);
    expect(await connection.closed).toBe(code);
    expect(discord.rejections).toMatchObject([
      { source: 'gateway', status: code, injected: false },
    ]);
  });

  it('closes for another version, a second IDENTIFY, a future RESUME, and the 121st send', async () => {
    const { discord } = await openFixture({ gateway: { maxConcurrency: 10 } });
    expect(await (await connect(discord, '?v=9&encoding=json')).closed).toBe(4012);
    const twice = await identified(discord);
    twice.send(2, identity());
    expect(await twice.closed).toBe(4005);
    expect(await (await asking(discord, 6, resume(twice.sessionId, 99))).closed).toBe(4007);
    const talking = await connect(discord);
    for (let index = 0; index < 121; index += 1) talking.send(1, null);
    expect(await talking.closed).toBe(4008);
  });

  it('recommends shards, by its servers or as configured, and refuses a shard with too many servers', async () => {
    const told = await openFixture({ gateway: { recommendedShards: 3 } });
    expect((await call(told.discord, 'GET', '/gateway/bot')).body).toMatchObject({ shards: 3 });
    const { discord } = await openFixture({
      gateway: { maxGuildsPerShard: 1, maxConcurrency: 10 },
    });
    expect((await call(discord, 'GET', '/gateway/bot')).body).toMatchObject({ shards: 1 });
    guildOnShard(discord, [1, 2]);
    expect(await (await asking(discord, 2, identity())).closed).toBe(4011);
    await identified(discord, { shard: [0, 1_000_000_007] });
    expect(discord.shards).toEqual([[0, 1_000_000_007]]);
  });

  it('answers a held shard when it is let in, and drops one shard alone', async () => {
    const { discord } = await openFixture({ gateway: { maxConcurrency: 10 } });
    discord.faults.holdShard(1, true);
    const held = await asking(discord, 2, identity({ shard: [1, 2] }));
    held.send(1, null);
    await held.until(ofOp(11));
    expect(held.frames.some(ofType('READY'))).toBe(false);
    const other = await identified(discord, { shard: [0, 2] });
    discord.faults.holdShard(1, false);
    await held.until(ofType('READY'));
    discord.faults.dropGateway(undefined, 1);
    await held.closed;
    expect(discord.shards).toEqual([[0, 2]]);
    other.send(1, null);
    await other.until(ofOp(11));
  });

  it('lets no page of a browser in, wherever it is from', async () => {
    const { discord } = await openFixture();
    for (const origin of ['https://evil.example', 'null', new URL(discord.apiUrl).origin]) {
      const socket = new WebSocket(`${discord.gatewayUrl}?v=10&encoding=json`, { origin });
      socket.on('error', () => {});
      const statusCode = await new Promise((resolve) => {
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.once('open', () => resolve('open'));
      });
      expect(statusCode).toBe(403);
    }
    await identified(discord);
  });

  it('lets in max_concurrency at a time, and resets the token after a day’s number of starts', async () => {
    const time = clock();
    const { discord } = await openFixture({ now: time.now, gateway: { sessionStartTotal: 2 } });
    await identified(discord);
    const tooSoon = await asking(discord, 2, identity());
    expect(await tooSoon.until(ofOp(9))).toMatchObject({ d: false });
    time.forward(5000);
    const second = await identified(discord);
    const limit = await call(discord, 'GET', '/gateway/bot');
    expect(limit.body).toMatchObject({
      session_start_limit: { total: 2, remaining: 0, max_concurrency: 1 },
    });
    time.forward(5000);
    await asking(discord, 2, identity());
    expect(await second.closed).toBe(4004);
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 401 });
  });

  it('replays what was missed on RESUME, and no more than that', async () => {
    const { discord, guildId } = await openFixture();
    const first = await identified(discord);
    await first.until(ofType('GUILD_CREATE'));
    discord.faults.dropGateway();
    await first.closed;
    discord.createChannel(guildId, { name: 'missed' });
    const second = await asking(discord, 6, resume(first.sessionId, 2));
    await second.until(ofType('RESUMED'));
    expect(second.frames.map(({ t, s }) => [t, s]).slice(1)).toEqual([
      ['CHANNEL_CREATE', 3],
      ['RESUMED', 4],
    ]);
  });

  it('forgets a session that was closed with 1000, and one that was away too long', async () => {
    const time = clock();
    const { discord } = await openFixture({ now: time.now, gateway: { maxConcurrency: 5 } });
    const refused = async (sessionId: string) =>
      (await asking(discord, 6, resume(sessionId, 1))).until(ofOp(9));
    const polite = await identified(discord);
    const gone = eventually((listener) => discord.events.on('gateway', listener));
    polite.socket.close(1000);
    await gone;
    expect(await refused(polite.sessionId)).toMatchObject({ d: false });
    const lost = await identified(discord);
    discord.faults.dropGateway();
    await lost.closed;
    time.forward(180_001);
    expect(await refused(lost.sessionId)).toMatchObject({ d: false });
  });

  it('ends a session with op 9, and accepts an IDENTIFY on the same connection', async () => {
    const { discord } = await openFixture({ gateway: { maxConcurrency: 5 } });
    const connection = await identified(discord);
    discord.faults.invalidSession(false);
    expect(await connection.until(ofOp(9))).toMatchObject({ d: false });
    connection.send(2, identity());
    await connection.until(
      (one) => one.t === 'READY' && JSON.stringify(one.d).includes(connection.sessionId) === false,
    );
    expect(discord.connections).toBe(1);
  });

  it('sends each shard its own servers, and each intent its own events', async () => {
    const { discord, guildId, channelId, member } = await openFixture({
      gateway: { maxConcurrency: 10, privilegedIntents: 1 << 15 },
    });
    const shard = Number((BigInt(guildId) >> 22n) % 2n);
    const own = await identified(discord, { shard: [shard, 2], intents: GUILDS | (1 << 9) });
    const other = await identified(discord, { shard: [1 - shard, 2], intents: GUILDS | (1 << 9) });
    const reading = await identified(discord, { intents: (1 << 9) | (1 << 15) });
    discord.say(member, channelId, 'hello');
    discord.say(member, channelId, `<@${discord.bot.id}> hello`);
    const isSecond = (one: Frame) => JSON.stringify(one.d).includes('> hello');
    await own.until(isSecond);
    await reading.until(isSecond);
    other.send(1, null);
    await other.until(ofOp(11));
    const contents = (frames: Frame[]) =>
      frames
        .filter(ofType('MESSAGE_CREATE'))
        .map(({ d }) => z.object({ content: z.string() }).parse(d).content);
    expect(contents(own.frames)).toEqual(['', `<@${discord.bot.id}> hello`]);
    expect(contents(reading.frames)).toEqual(['hello', `<@${discord.bot.id}> hello`]);
    expect(contents(other.frames)).toEqual([]);
    expect(own.frames.some(ofType('GUILD_CREATE'))).toBe(true);
    expect(other.frames.some(ofType('GUILD_CREATE'))).toBe(false);
    expect(reading.frames.some(ofType('GUILD_CREATE'))).toBe(false);
  });

  it('gives the nonce with the event, and no events of channels that the bot cannot see', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord } = fixture;
    const connection = await identified(discord, { intents: GUILDS | (1 << 9) });
    const hidden = discord.createChannel(fixture.guildId, { name: 'hidden' });
    discord.setBotPermissions(hidden.id, 0n);
    discord.say(fixture.admin, hidden.id, 'secret');
    await post(fixture, { content: 'x', nonce: 'abc', enforce_nonce: true });
    expect(await connection.until(ofType('MESSAGE_CREATE'))).toMatchObject({
      d: { content: 'x', nonce: 'abc', guild_id: fixture.guildId, channel_id: fixture.channelId },
    });
  });
});

describe('a real client', () => {
  it('learns of channels, roles, permissions and servers that change', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const client = await logIn(discord);
    const me = () => client.guilds.cache.get(guildId)?.members.me;
    const may = (permission: 'SendMessages' | 'EmbedLinks') =>
      me()?.permissionsIn(channelId).has(permission);
    expect(may('SendMessages')).toBe(true);
    /** Resolves with the first argument of the client's event after the change. */
    const heard = async (event: string, change: () => void): Promise<unknown> => {
      const told = once(client, event);
      change();
      return (await told)[0];
    };

    await heard(Events.ChannelUpdate, () =>
      discord.setBotPermissions(channelId, USUAL_BOT_PERMISSIONS & ~(1n << 14n)),
    );
    expect([may('SendMessages'), may('EmbedLinks')]).toEqual([true, false]);
    discord.setBotPermissions(channelId, null);
    await heard(Events.GuildRoleUpdate, () => discord.setBotPermissions(guildId, 1n << 10n));
    expect(may('SendMessages')).toBe(false);
    await heard(Events.GuildMemberUpdate, () => discord.timeoutBot(guildId, Date.now() + 60_000));
    expect(me()?.isCommunicationDisabled()).toBe(true);
    expect(await heard(Events.ChannelDelete, () => discord.deleteChannel(channelId))).toMatchObject(
      { id: channelId },
    );
    await heard(Events.GuildUnavailable, () => discord.setGuildUnavailable(guildId, true));
    await heard(Events.GuildAvailable, () => discord.setGuildUnavailable(guildId, false));
    expect(await heard(Events.GuildDelete, () => discord.kickBot(guildId))).toMatchObject({
      id: guildId,
    });
    expect(await heard(Events.GuildCreate, () => discord.inviteBot(guildId))).toMatchObject({
      id: guildId,
    });
  });

  it('resumes after a cut, after op 7, after a resumable op 9, and hears what it missed', async () => {
    const { discord, guildId } = await openFixture();
    const client = await logIn(discord);
    const faults = [
      () => discord.faults.dropGateway(),
      () => discord.faults.reconnect(),
      () => discord.faults.dropGateway(4009),
      () => discord.faults.invalidSession(true),
    ];
    for (const [index, fault] of faults.entries()) {
      const resumed = whenResumed(discord);
      const heard = eventually(
        client.on.bind(client, Events.ChannelCreate),
        ({ name }) => name === `missed-${index}`,
      );
      fault();
      discord.createChannel(guildId, { name: `missed-${index}` });
      await resumed;
      await heard;
    }
    expect(discord.rejections).toEqual([]);
  });
});
