import { describe, expect, it } from 'vitest';
import { openUnlimitedFixture } from '../../packages/local-discord/test/fixture.ts';
import { createSendingBot } from '../support/sending-bot.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

const MINUTE_MS = 60_000;
const BEFORE_DIGESTS = Date.UTC(2026, 10, 21, 17, 59, 30);

async function openManyChannels(options: { readonly invalidRequestLimit?: number } = {}) {
  const time = createVirtualTime(BEFORE_DIGESTS);
  const fixture = await openUnlimitedFixture({ now: time.now, ...options });
  const { discord, guildId } = fixture;
  const bot = createSendingBot(discord, time);
  const channel = (name: string) => discord.createChannel(guildId, { name }).id;
  const alerted = Array.from({ length: 8 }, (_, index) => channel(`alerted-${index}`));
  const reading = Array.from({ length: 4 }, (_, index) => channel(`reading-${index}`));
  for (const channelId of reading) await bot.wantDigest(guildId, channelId);
  const requests: { readonly atMs: number; readonly method: string; readonly status: number }[] =
    [];
  discord.events.on(
    'request',
    ({ method, status }) => void requests.push({ atMs: time.now(), method, status }),
  );
  const shown = () =>
    [...alerted, ...reading].map((id) =>
      discord.messages(id).flatMap(({ embeds }) => embeds.map((e) => e.description)),
    );
  return { ...fixture, time, bot, alerted, reading, requests, shown };
}

describe('a ban', () => {
  it('stops alerts and digests alike: a single request probes, and when it is over all comes once, spread out', async () => {
    const { discord, bot, alerted, reading, requests, shown } = await openManyChannels();
    const remove = discord.faults.refuseRest({
      status: 403,
      body: '<h1>error code: 1015</h1>',
      times: Number.POSITIVE_INFINITY,
    });
    bot.start();
    await bot.alert('a', alerted.slice(0, 1));
    await bot.idle();
    expect(requests).toHaveLength(1);
    await bot.alert('b', alerted);
    // The digests are due meanwhile.
    await bot.pass(MINUTE_MS - 1);
    expect(requests).toHaveLength(1);
    for (const [probes, minutes] of [1, 2, 4].entries()) {
      await bot.pass(probes === 0 ? 1 : minutes * MINUTE_MS);
      expect(requests).toHaveLength(probes + 2);
    }
    remove();
    await bot.pass(8 * MINUTE_MS + 30_000);
    expect(shown()).toEqual([
      ['a', 'b'],
      ...alerted.slice(1).map(() => ['b']),
      ...reading.map(() => ['digest']),
    ]);
    const [, ...released] = requests.filter(({ status }) => status === 200).map(({ atMs }) => atMs);
    expect(new Set(released).size).toBeGreaterThan(10);
    expect(bot.refusals).toEqual([]);
  });

  it('is also Cloudflare’s 429, which says how long it lasts', async () => {
    const { discord, bot, alerted, requests, shown } = await openManyChannels({
      invalidRequestLimit: 1,
    });
    bot.start();
    await bot.alert('a', alerted.slice(0, 1));
    await bot.idle();
    discord.faults.refuseRest({
      status: 429,
      body: {},
      headers: { 'Retry-After': '0' },
      route: 'POST /channels/',
    });
    await bot.alert('b', alerted.slice(0, 1));
    await bot.idle();
    await bot.alert('c', alerted);
    await bot.pass(10 * MINUTE_MS - 1);
    // Discord's 429 is waited for by discord.js; the second is Cloudflare's.
    expect(requests.map(({ status }) => status)).toEqual([200, 429, 429]);
    await bot.pass(20 * MINUTE_MS);
    expect(requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(3);
    expect(shown().slice(0, 8)).toEqual([['a', 'b', 'c'], ...alerted.slice(1).map(() => ['c'])]);
  });

  it('does not make a first attempt look like a repeat', async () => {
    const { discord, bot, alerted, requests } = await openManyChannels();
    discord.faults.refuseRest({ status: 403, body: '<h1>error code: 1015</h1>', times: 3 });
    bot.start();
    await bot.alert('a', alerted.slice(0, 1));
    await bot.idle();
    await bot.alert('b', alerted.slice(1));
    await bot.pass(30 * MINUTE_MS);
    // Only those that Cloudflare has turned away may have been there before.
    const looks = requests.filter(({ method }) => method === 'GET');
    expect(looks.length).toBeLessThanOrEqual(3);
    expect(bot.lines.filter(({ event }) => event === 'alert.sent')).toHaveLength(8);
  });
});
