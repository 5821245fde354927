import { describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from '../src/discord/model.ts';
import { logIn } from './client.ts';
import {
  type Answer,
  call,
  callBack,
  clock,
  eventually,
  type Fixture,
  idOf,
  openFixture,
  openUnlimitedFixture,
  post,
  refusal,
  register,
  times,
} from './fixture.ts';

const contents = (fixture: Fixture) =>
  fixture.discord.messages(fixture.channelId).map(({ content }) => content);
/** Returns the rate limit headers of a response, without their common prefix. */
const rateHeaders = (answer?: Answer) =>
  Object.fromEntries(
    [...(answer?.headers ?? [])].map(([name, value]) => [name.replace('x-ratelimit-', ''), value]),
  );

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
      expect(rateHeaders(answer)).toMatchObject({
        limit: '5',
        remaining: `${4 - index}`,
        'reset-after': (5 - index / 10).toFixed(3),
        bucket: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    }
    const refused = await post(fixture, { content: 'too many' });
    expect(refused).toMatchObject({ status: 429, body: { global: false, retry_after: 4.6 } });
    expect(rateHeaders(refused)).toMatchObject({ 'retry-after': '5', scope: 'user' });
    const other = fixture.discord.createChannel(fixture.guildId, { name: 'other' });
    expect(await post(fixture, { content: 'x' }, other.id)).toMatchObject({ status: 200 });
    time.forward(4600);
    expect(await post(fixture, { content: 'x' })).toMatchObject({ status: 200 });
    expect(contents(fixture)).toHaveLength(6);
  });

  it('are fifty requests a second over all, interactions apart', async () => {
    const time = clock();
    const { discord } = await openFixture({ now: time.now });
    const all = await Promise.all(
      times(51, (i) => call(discord, 'GET', i % 2 ? '/users/@me' : '/gateway/bot')),
    );
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toMatchObject([{ body: { global: true, retry_after: 1 } }]);
    expect(refused.map(rateHeaders)).toMatchObject([{ global: 'true', scope: 'global' }]);
    expect(
      await callBack(discord, { id: '123456789012345678', token: 'token' }, { type: 5 }),
    ).toMatchObject(refusal(404, 10062));
    expect(discord.invalidRequests).toBe(1);
  });

  it('of an interaction are five follow-ups in two seconds, and thirty a minute a channel without a word', async () => {
    const time = clock();
    const fixture = await openFixture({ now: time.now });
    const { discord } = fixture;
    await register(fixture, [{ name: 'watch', description: 'Watch' }]);
    const json = { content: 'x' };
    const followUps: Answer[] = [];
    for (let round = 0; round < 7; round += 1) {
      const interaction = await discord.command(fixture.member, fixture.channelId, 'watch');
      await callBack(discord, interaction, { type: 4, data: json });
      const webhook = `/webhooks/${discord.bot.applicationId}/${interaction.token}`;
      const tries = round === 0 ? 6 : 5;
      for (let index = 0; index < tries; index += 1)
        followUps.push(await call(discord, 'POST', webhook, { json, token: null }));
      time.forward(2000);
    }
    expect(followUps.slice(0, 6).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 429,
    ]);
    const hidden = followUps.slice(-5);
    expect(hidden.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    expect(rateHeaders(hidden[0])).toMatchObject({ remaining: '4' });
    expect(Number(rateHeaders(hidden[0])['retry-after'])).toBeGreaterThan(40);
  });

  it('are three edits an hour in an announcement channel, of which the body alone says how long', async () => {
    const time = clock();
    const { discord, guildId } = await openFixture({ now: time.now });
    const edits = async (type: number) => {
      const { id } = discord.createChannel(guildId, { name: `news-${type}`, type });
      const path = `/channels/${id}/messages`;
      const messageId = idOf(await call(discord, 'POST', path, { json: { content: '0' } }));
      return (content: string) =>
        call(discord, 'PATCH', `${path}/${messageId}`, { json: { content } });
    };
    const edit = await edits(CHANNEL_TYPES.ANNOUNCEMENT);
    for (const content of ['1', '2', '3'])
      expect(await edit(content)).toMatchObject({ status: 200 });
    time.forward(37 * 60_000);
    const refused = await edit('4');
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 20028, global: false, retry_after: 1_380 },
    });
    expect(rateHeaders(refused)).toMatchObject({
      'retry-after': '1',
      scope: 'shared',
      remaining: '4',
    });
    const elsewhere = await edits(CHANNEL_TYPES.TEXT);
    for (const content of ['1', '2', '3', '4'])
      expect(await elsewhere(content)).toMatchObject({ status: 200 });
    time.forward(23 * 60_000);
    expect(await edit('5')).toMatchObject({ status: 200 });
    discord.faults.limitEdits({ code: 20022, retryAfterMs: 30_000 });
    expect(await edit('6')).toMatchObject({ status: 429, body: { code: 20022, retry_after: 30 } });
    expect(discord.invalidRequests).toBe(0);
  });

  it('are kept by discord.js, which reads the headers', async () => {
    const fixture = await openFixture({
      rateLimits: { 'message.create': { limit: 4, windowMs: 300 } },
    });
    const channel = await sendable(fixture);
    await Promise.all(times(10, (i) => channel.send(`${i}`)));
    expect(contents(fixture).sort()).toEqual(times(10, (i) => `${i}`));
    expect(fixture.discord.rejections).toEqual([]);
  });
});

describe('injected faults', () => {
  it('refuse so many requests of a route, and are distinguished from mistakes', async () => {
    const fixture = await openUnlimitedFixture();
    fixture.discord.faults.refuseRest({
      status: 403,
      code: 200_000,
      route: 'POST /channels/:channel',
      times: 2,
    });
    expect(await call(fixture.discord, 'GET', '/users/@me')).toMatchObject({ status: 200 });
    for (const status of [403, 403, 200])
      expect(await post(fixture, { content: 'x' })).toMatchObject({ status });
    const injected = { code: 200_000, injected: true };
    expect(fixture.discord.rejections).toMatchObject([injected, injected]);
  });

  it('are 429s of every scope; without headers discord.js asks again at once', async () => {
    const fixture = await openUnlimitedFixture();
    const channel = await sendable(fixture);
    fixture.discord.faults.rateLimit({
      scope: 'user',
      retryAfterMs: 5000,
      headers: 'none',
      times: 3,
    });
    await channel.send('x');
    expect(fixture.discord.rejections).toHaveLength(3);
    for (const scope of ['user', 'global', 'shared'] as const) {
      fixture.discord.faults.rateLimit({ scope, retryAfterMs: 2500 });
      const answer = await post(fixture, { content: 'y' });
      expect(answer).toMatchObject({
        status: 429,
        body: { retry_after: 2.5, global: scope === 'global' },
      });
      expect(rateHeaders(answer)).toMatchObject({ scope, 'retry-after': '3' });
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
      const created = eventually((listener) => discord.events.on('message', listener)).then(() =>
        performance.now(),
      );
      await post(fixture, { content: 'x' });
      const answeredMs = performance.now();
      const createdMs = await created;
      expect(afterAccept ? answeredMs - createdMs : createdMs - askedMs).toBeGreaterThan(55);
    }
  });
});
