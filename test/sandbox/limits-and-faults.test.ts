import { describe, expect, it } from 'vitest';
import type { GatewaySeen } from '../../src/sandbox/discord/events.ts';
import { logIn } from './client.ts';
import {
  type Answer,
  call,
  clock,
  eventually,
  type Fixture,
  openFixture,
  openUnlimitedFixture,
  post,
} from './fixture.ts';

const contents = (fixture: Fixture) => fixture.discord.messages(fixture.channelId).map(({ content }) => content);
const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, i) => make(i));

async function sendable(fixture: Fixture) {
  const client = await logIn(fixture.discord);
  const channel = await client.channels.fetch(fixture.channelId);
  if (!channel?.isSendable()) throw new Error('not sendable');
  return channel;
}

describe('rate limits', () => {
  it('are five messages in five seconds a channel, announced in headers', async () => {
    const time = clock();
    const fixture = await openFixture({ now: time.now });
    for (let index = 0; index < 5; index += 1) {
      time.forward(100);
      const answer = await post(fixture, { content: `${index}` });
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(`${4 - index}`);
      expect(answer.headers.get('x-ratelimit-reset-after')).toBe((5 - index / 10).toFixed(3));
      expect(answer.headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/);
    }
    const refused = await post(fixture, { content: 'too many' });
    expect(refused).toMatchObject({ status: 429, body: { global: false, retry_after: 4.6 } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('x-ratelimit-scope')).toBe('user');
    const other = fixture.discord.createChannel(fixture.guildId, { name: 'other' });
    expect(await post(fixture, { content: 'x' }, other.id)).toMatchObject({ status: 200 });
    time.forward(4600);
    expect(await post(fixture, { content: 'x' })).toMatchObject({ status: 200 });
    expect(contents(fixture)).toHaveLength(6);
  });

  it('are fifty requests a second over all, interactions apart', async () => {
    const time = clock();
    const { discord } = await openFixture({ now: time.now });
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
    const fixture = await openFixture({ now: time.now });
    const { discord } = fixture;
    const id = discord.bot.applicationId;
    const json = [{ name: 'watch', description: 'Watch' }];
    await call(discord, 'PUT', `/applications/${id}/commands`, { json });
    const reply = { content: 'x' };
    const followUps: Answer[] = [];
    for (let round = 0; round < 7; round += 1) {
      const { id: interaction, token } = await discord.command(fixture.member, fixture.channelId, 'watch');
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
    const fixture = await openFixture({ rateLimits: { 'message.create': { limit: 4, windowMs: 300 } } });
    const channel = await sendable(fixture);
    await Promise.all(times(10, (i) => channel.send(`${i}`)));
    expect(contents(fixture).sort()).toEqual(times(10, (i) => `${i}`));
    expect(fixture.discord.rejections).toEqual([]);
  });
});

describe('injected faults', () => {
  it('refuse so many requests of a route, and are distinguished from mistakes', async () => {
    const fixture = await openUnlimitedFixture();
    fixture.discord.faults.refuseRest({ status: 403, code: 200_000, route: 'POST /channels/:channel', times: 2 });
    expect(await call(fixture.discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
    for (const status of [403, 403, 200]) expect(await post(fixture, { content: 'x' })).toMatchObject({ status });
    expect(fixture.discord.rejections).toMatchObject([
      { code: 200_000, injected: true },
      { code: 200_000, injected: true },
    ]);
  });

  it('can be taken back, one or all', async () => {
    const { discord } = await openUnlimitedFixture();
    const remove = discord.faults.refuseRest({ status: 500, times: Number.POSITIVE_INFINITY });
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 500 });
    remove();
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
    discord.faults.refuseRest({ status: 500 });
    discord.faults.clear();
    expect(await call(discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
  });

  it('answer with a page instead of JSON', async () => {
    const fixture = await openUnlimitedFixture();
    const channel = await sendable(fixture);
    fixture.discord.faults.refuseRest({ status: 403, body: '<html>Access denied</html>' });
    await expect(channel.send('x')).rejects.toMatchObject({ status: 403, code: undefined });
  });

  it('are 429s of every scope; without headers discord.js asks again at once', async () => {
    const fixture = await openUnlimitedFixture();
    const channel = await sendable(fixture);
    fixture.discord.faults.rateLimit({ scope: 'user', retryAfterMs: 5000, headers: 'none', times: 3 });
    await channel.send('x');
    expect(fixture.discord.rejections).toHaveLength(3);
    for (const scope of ['user', 'global', 'shared'] as const) {
      fixture.discord.faults.rateLimit({ scope, retryAfterMs: 2500 });
      const answer = await post(fixture, { content: 'y' });
      expect(answer).toMatchObject({ status: 429, body: { retry_after: 2.5, global: scope === 'global' } });
      expect(answer.headers.get('x-ratelimit-scope')).toBe(scope);
      expect(answer.headers.get('retry-after')).toBe('3');
    }
  });

  it('cut the answer after the message is there: only an enforced nonce keeps it single', async () => {
    const fixture = await openUnlimitedFixture();
    const message = { content: 'x', nonce: 'abc', enforce_nonce: true };
    fixture.discord.faults.cutAfterAccept();
    await expect(post(fixture, message)).rejects.toThrow();
    expect(contents(fixture)).toEqual(['x']);
    expect(await post(fixture, message)).toMatchObject({ status: 200 });
    expect(contents(fixture)).toEqual(['x']);
    fixture.discord.faults.cutBeforeAccept();
    await expect(post(fixture, { content: 'y' })).rejects.toThrow();
    expect(contents(fixture)).toEqual(['x']);
  });

  it('delay an answer, before or after the message is there', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord } = fixture;
    for (const afterAccept of [true, false]) {
      discord.faults.delayRest(60, { afterAccept });
      const askedMs = performance.now();
      const created = eventually((listener) => discord.events.on('message', listener)).then(() => performance.now());
      await post(fixture, { content: 'x' });
      const answeredMs = performance.now();
      const createdMs = await created;
      expect(afterAccept ? answeredMs - createdMs : createdMs - askedMs).toBeGreaterThan(55);
    }
  });

  it('leave a request without any answer', async () => {
    const fixture = await openUnlimitedFixture();
    const channel = await sendable(fixture);
    channel.client.rest.options.timeout = 40;
    channel.client.rest.options.retries = 1;
    fixture.discord.faults.hang({ times: 2 });
    await expect(channel.send('x')).rejects.toMatchObject({ name: 'AbortError' });
    expect(contents(fixture)).toEqual([]);
    channel.client.rest.options.timeout = 15_000;
    await channel.send('y');
    expect(contents(fixture)).toEqual(['y']);
  });

  it('take all of Discord away, and bring it back', async () => {
    const fixture = await openUnlimitedFixture();
    await logIn(fixture.discord);
    fixture.discord.faults.outage(true);
    await expect(post(fixture, { content: 'x' })).rejects.toThrow();
    const resumed = eventually(
      (listener) => fixture.discord.events.on('gateway', listener),
      ({ kind }: GatewaySeen) => kind === 'resumed',
    );
    fixture.discord.faults.outage(false);
    await resumed;
    expect(await post(fixture, { content: 'x' })).toMatchObject({ status: 200 });
  });
});

describe('watching a channel', () => {
  it('finds a message that is there, comes, or is edited to what is wanted', async () => {
    const fixture = await openUnlimitedFixture();
    const { discord, channelId } = fixture;
    const coming = discord.waitForMessage(channelId, ({ content }) => content === 'b');
    const id = discord.say(fixture.member, channelId, 'a').id;
    expect(await discord.waitForMessage(channelId)).toMatchObject({ id });
    discord.say(fixture.member, channelId, 'b');
    expect(await coming).toMatchObject({ author: { name: 'max', bot: false } });
    await expect(discord.waitForMessage(channelId, () => false, 10)).rejects.toThrow('within 10 ms');
  });
});
