import { describe, expect, it } from 'vitest';
import type { GatewaySeen } from '../../src/sandbox/discord/events.ts';
import { logIn } from './client.ts';
import { type Answer, call, clock, eventually, openBusyRoom, openRoom, post, type Room } from './room.ts';

const contents = (room: Room) => room.discord.messages(room.channelId).map(({ content }) => content);
const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, i) => make(i));

async function sendable(room: Room) {
  const client = await logIn(room.discord);
  const channel = await client.channels.fetch(room.channelId);
  if (!channel?.isSendable()) throw new Error('not sendable');
  return channel;
}

describe('rate limits', () => {
  it('are five messages in five seconds a channel, announced in headers', async () => {
    const time = clock();
    const room = await openRoom({ now: time.now });
    for (let index = 0; index < 5; index += 1) {
      time.forward(100);
      const answer = await post(room, { content: `${index}` });
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(`${4 - index}`);
      expect(answer.headers.get('x-ratelimit-reset-after')).toBe((5 - index / 10).toFixed(3));
      expect(answer.headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/);
    }
    const refused = await post(room, { content: 'too many' });
    expect(refused).toMatchObject({ status: 429, body: { global: false, retry_after: 4.6 } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('x-ratelimit-scope')).toBe('user');
    const other = room.discord.createChannel(room.guildId, { name: 'other' });
    expect(await post(room, { content: 'x' }, other.id)).toMatchObject({ status: 200 });
    time.forward(4600);
    expect(await post(room, { content: 'x' })).toMatchObject({ status: 200 });
    expect(contents(room)).toHaveLength(6);
  });

  it('are fifty requests a second over all, interactions apart', async () => {
    const time = clock();
    const { discord } = await openRoom({ now: time.now });
    const all = await Promise.all(times(51, (i) => call(discord, 'GET', i % 2 ? '/users/@me' : '/gateway/bot')));
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toMatchObject([{ body: { global: true, retry_after: 1 } }]);
    expect(refused[0]?.headers.get('x-ratelimit-global')).toBe('true');
    expect(refused[0]?.headers.get('x-ratelimit-scope')).toBe('global');
    const callback = '/interactions/123456789012345678/token/callback';
    const free = await call(discord, 'POST', callback, { json: { type: 5 }, token: null });
    expect(free).toMatchObject({ status: 404, body: { code: 10062 } });
    expect(discord.invalidRequests).toBe(1);
  });

  it('of an interaction are five follow-ups in two seconds, and thirty a minute a channel without a word', async () => {
    const time = clock();
    const room = await openRoom({ now: time.now });
    const { discord } = room;
    const id = discord.bot.applicationId;
    const json = [{ name: 'watch', description: 'Watch' }];
    await call(discord, 'PUT', `/applications/${id}/commands`, { json });
    const reply = { content: 'x' };
    const followUps: Answer[] = [];
    for (let round = 0; round < 7; round += 1) {
      const { id: interaction, token } = await discord.command(room.member, room.channelId, 'watch');
      const callback = `/interactions/${interaction}/${token}/callback`;
      await call(discord, 'POST', callback, { json: { type: 4, data: reply }, token: null });
      const tries = round === 0 ? 6 : 5;
      for (let index = 0; index < tries; index += 1) {
        followUps.push(await call(discord, 'POST', `/webhooks/${id}/${token}`, { json: reply, token: null }));
      }
      time.forward(2000);
    }
    expect(followUps.slice(0, 6).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    const hidden = followUps.slice(-5);
    expect(hidden.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    expect(hidden[0]?.headers.get('x-ratelimit-remaining')).toBe('4');
    expect(Number(hidden[0]?.headers.get('retry-after'))).toBeGreaterThan(40);
  });

  it('are kept by discord.js, which reads the headers', async () => {
    const room = await openRoom({ rateLimits: { 'message.create': { limit: 4, windowMs: 300 } } });
    const channel = await sendable(room);
    await Promise.all(times(10, (i) => channel.send(`${i}`)));
    expect(contents(room).sort()).toEqual(times(10, (i) => `${i}`));
    expect(room.discord.rejections).toEqual([]);
  });
});

describe('injected faults', () => {
  it('refuse so many requests of a route, and are distinguished from mistakes', async () => {
    const room = await openBusyRoom();
    room.discord.faults.refuseRest({ status: 403, code: 200_000, route: 'POST /channels/:channel', times: 2 });
    expect(await call(room.discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
    for (const status of [403, 403, 200]) expect(await post(room, { content: 'x' })).toMatchObject({ status });
    expect(room.discord.rejections).toMatchObject([
      { code: 200_000, injected: true },
      { code: 200_000, injected: true },
    ]);
  });

  it('can be taken back, one or all', async () => {
    const { discord } = await openBusyRoom();
    const remove = discord.faults.refuseRest({ status: 500, times: Number.POSITIVE_INFINITY });
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 500 });
    remove();
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
    discord.faults.refuseRest({ status: 500 });
    discord.faults.clear();
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
  });

  it('answer with a page instead of JSON', async () => {
    const room = await openBusyRoom();
    const channel = await sendable(room);
    room.discord.faults.refuseRest({ status: 403, body: '<html>Access denied</html>' });
    await expect(channel.send('x')).rejects.toMatchObject({ status: 403, code: undefined });
  });

  it('are 429s of every scope; without headers discord.js asks again at once', async () => {
    const room = await openBusyRoom();
    const channel = await sendable(room);
    room.discord.faults.rateLimit({ scope: 'user', retryAfterMs: 5000, headers: 'none', times: 3 });
    await channel.send('x');
    expect(room.discord.rejections).toHaveLength(3);
    for (const scope of ['user', 'global', 'shared'] as const) {
      room.discord.faults.rateLimit({ scope, retryAfterMs: 2500 });
      const answer = await post(room, { content: 'y' });
      expect(answer).toMatchObject({ status: 429, body: { retry_after: 2.5, global: scope === 'global' } });
      expect(answer.headers.get('x-ratelimit-scope')).toBe(scope);
      expect(answer.headers.get('retry-after')).toBe('3');
    }
  });

  it('cut the answer after the message is there: only an enforced nonce keeps it single', async () => {
    const room = await openBusyRoom();
    const message = { content: 'x', nonce: 'abc', enforce_nonce: true };
    room.discord.faults.cutAfterAccept();
    await expect(post(room, message)).rejects.toThrow();
    expect(contents(room)).toEqual(['x']);
    expect(await post(room, message)).toMatchObject({ status: 200 });
    expect(contents(room)).toEqual(['x']);
    room.discord.faults.cutBeforeAccept();
    await expect(post(room, { content: 'y' })).rejects.toThrow();
    expect(contents(room)).toEqual(['x']);
  });

  it('delay an answer, before or after the message is there', async () => {
    const room = await openBusyRoom();
    const { discord } = room;
    for (const afterAccept of [true, false]) {
      discord.faults.delayRest(60, { afterAccept });
      const askedMs = performance.now();
      const created = eventually((listener) => discord.events.on('message', listener)).then(() => performance.now());
      await post(room, { content: 'x' });
      const answeredMs = performance.now();
      const createdMs = await created;
      expect(afterAccept ? answeredMs - createdMs : createdMs - askedMs).toBeGreaterThan(55);
    }
  });

  it('leave a request without any answer', async () => {
    const room = await openBusyRoom();
    const channel = await sendable(room);
    channel.client.rest.options.timeout = 40;
    channel.client.rest.options.retries = 1;
    room.discord.faults.hang({ times: 2 });
    await expect(channel.send('x')).rejects.toMatchObject({ name: 'AbortError' });
    expect(contents(room)).toEqual([]);
    channel.client.rest.options.timeout = 15_000;
    await channel.send('y');
    expect(contents(room)).toEqual(['y']);
  });

  it('take all of Discord away, and bring it back', async () => {
    const room = await openBusyRoom();
    await logIn(room.discord);
    room.discord.faults.outage(true);
    await expect(post(room, { content: 'x' })).rejects.toThrow();
    const resumed = eventually(
      (listener) => room.discord.events.on('gateway', listener),
      ({ kind }: GatewaySeen) => kind === 'resumed',
    );
    room.discord.faults.outage(false);
    await resumed;
    expect(await post(room, { content: 'x' })).toMatchObject({ status: 200 });
  });
});

describe('watching a channel', () => {
  it('finds a message that is there, comes, or is edited to what is wanted', async () => {
    const room = await openBusyRoom();
    const { discord, channelId } = room;
    const coming = discord.waitForMessage(channelId, ({ content }) => content === 'b');
    const id = discord.say(room.member, channelId, 'a').id;
    expect(await discord.waitForMessage(channelId)).toMatchObject({ id });
    discord.say(room.member, channelId, 'b');
    expect(await coming).toMatchObject({ author: { name: 'max', bot: false } });
    await expect(discord.waitForMessage(channelId, () => false, 10)).rejects.toThrow('within 10 ms');
  });
});
