import { describe, expect, it } from 'vitest';
import { openUnlimitedFixture } from '../../packages/local-discord/test/fixture.ts';
import { documentStore } from '../support/documents.ts';
import { createSendingBot } from '../support/sending-bot.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

const MINUTE_MS = 60_000;
const TO_CHANNELS = /^POST \/channels\//;

/**
 * A bot whose gateway says of all channels that they can be written, on a clock that the test
 * moves.
 */
async function openChannels(count: number) {
  const time = createVirtualTime();
  const fixture = await openUnlimitedFixture({ now: time.now });
  const { discord, guildId } = fixture;
  const bot = createSendingBot(discord, time, documentStore(), () => ({ kind: 'open', lacks: '' }));
  const channels = Array.from(
    { length: count },
    (_, n) => discord.createChannel(guildId, { name: `c${n}` }).id,
  );
  const refusedAtMs: number[] = [];
  discord.events.on('request', ({ status }) => {
    if (status >= 400) refusedAtMs.push(time.now());
  });
  const shown = (channelId: string) =>
    discord
      .messages(channelId)
      .flatMap(({ embeds }) => embeds.map(({ description }) => description));
  const events = () => new Set(bot.lines.map(({ event }) => event));
  const refuse = (status: number, code: number, route: string | RegExp = TO_CHANNELS) =>
    discord.faults.refuseRest({ status, code, times: Number.POSITIVE_INFINITY, route });
  bot.start();
  return { ...fixture, time, bot, channels, refusedAtMs, shown, events, refuse };
}

describe('an outage in which Discord refuses everything', () => {
  it('loses nothing and marks nothing, costs few requests, and all is sent within a minute of its end', async () => {
    const { bot, channels, refusedAtMs, shown, events, refuse } = await openChannels(40);
    const end403 = refuse(403, 50001);
    await bot.alert('a', channels);
    await bot.pass(2 * MINUTE_MS);
    await bot.alert('b', channels);
    await bot.pass(MINUTE_MS / 2);
    end403();
    const end404 = refuse(404, 10003);
    await bot.pass(2.5 * MINUTE_MS);
    expect(events()).not.toContain('channel.blocked');
    // All channels once, and then one probe each half a minute.
    expect(refusedAtMs.length).toBeLessThanOrEqual(channels.length + 12);
    end404();
    await bot.pass(MINUTE_MS);
    expect(channels.map(shown)).toEqual(channels.map(() => ['a', 'b']));
    expect(bot.deliveryWorker.blockedChannels()).toEqual([]);
  });

  it('is none where one channel alone is refused: it is tried once a minute, three times, and then waits', async () => {
    const { bot, channels, refusedAtMs, shown, events, refuse } = await openChannels(6);
    const [refused = '', ...others] = channels;
    const end = refuse(404, 10003, new RegExp(`POST /channels/${refused}`));
    for (let minute = 0; minute < 10; minute += 1) {
      await bot.alert(`${minute}`, channels);
      await bot.pass(MINUTE_MS);
    }
    const [first = 0] = refusedAtMs;
    expect(refusedAtMs.map((atMs) => atMs - first)).toEqual([0, MINUTE_MS, 2 * MINUTE_MS]);
    expect(events()).not.toContain('discord.refuses_all');
    expect(bot.deliveryWorker.block(refused)).toMatchObject({ cause: 'unknown', isGone: false });
    const all = Array.from({ length: 10 }, (_, minute) => `${minute}`);
    expect(others.map(shown)).toEqual(others.map(() => all));
    // What waits has been kept.
    end();
    await bot.deliveryWorker.unblock(refused);
    await bot.pass(1_000);
    expect(shown(refused)).toEqual(all);
  });
});
