import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { guildOnShard } from '../sandbox/room.ts';
import { openRoom, type Room, sale, trade, WALLET } from './room.ts';

const OTHER_STORE = { STORE_URL: 'sqlite://data/other.sqlite' };

/** A server of the bot on a shard, with a channel and an administrator. */
function serverOn(room: Room, shard: readonly [number, number]) {
  const guildId = guildOnShard(room.discord, shard);
  const { id: channelId } = room.discord.createChannel(guildId, { name: 'alerts' });
  const admin = room.discord.createMember(guildId, { name: 'eve', admin: true });
  const say = async (line: string, values: Record<string, string> = {}): Promise<SeenMessage> =>
    (await room.discord.command(admin, channelId, line, values)).reply();
  return { guildId, channelId, admin, say };
}

const readySchema = z.object({
  checks: z.object({ gateway: z.object({ ok: z.boolean(), reason: z.string().nullable() }) }),
  shards: z.array(z.object({ id: z.number(), isUp: z.boolean(), guilds: z.number() })),
});
type Ready = z.infer<typeof readySchema>;

async function ready(url: unknown): Promise<Ready> {
  const response = await fetch(`${url}/readyz`);
  return readySchema.parse(await response.json());
}

/** Asks until the gateway's check says so; it changes by itself. */
async function readyOnce(url: unknown, isUp: boolean): Promise<Ready> {
  const answers: Ready[] = [];
  const ask = async () => answers.unshift(await ready(url)) > 0 && answers[0]?.checks.gateway.ok;
  await expect.poll(ask, { timeout: 20_000, interval: 50 }).toBe(isUp);
  return answers[0] ?? ready(url);
}

describe('several shards', () => {
  it('are taken as Discord recommends, serve all their servers, and are reported one by one', async () => {
    const room = await openRoom({ asProcess: true, recommendedShards: 2, withoutBot: true });
    const servers = [serverOn(room, [0, 2]), serverOn(room, [1, 2])] as const;
    await room.startBot({ HTTP_PORT: '0' });
    expect(await room.logged('discord.ready')).toMatchObject({ shards: [0, 1], shardCount: 2 });
    expect(room.discord.shards.toSorted()).toEqual([
      [0, 2],
      [1, 2],
    ]);
    await room.logged('commands.registered');
    for (const { say } of servers) await say('watch add', { wallet: WALLET, label: 'Whale' });
    await room.ledger.addActivity(WALLET, 1, trade());
    for (const { channelId } of servers) await room.alerted(1, channelId);

    const { url } = await room.logged('http.listening');
    const all = await ready(url);
    expect(all.checks.gateway.ok).toBe(true);
    expect(all.shards.map(({ id, isUp }) => [id, isUp])).toEqual([
      [0, true],
      [1, true],
    ]);
    expect(all.shards.reduce((sum, { guilds }) => sum + guilds, 0)).toBe(room.discord.guilds().length);
    const status = async () => (await servers[0].say('watch status')).embeds[0]?.description;
    expect(await status()).toMatch(/^-# Shards: 0.*, 1.*\. This server is on shard 0\.$/m);

    room.discord.faults.holdShard(1, true);
    room.discord.faults.dropGateway(undefined, 1);
    const down = await readyOnce(url, false);
    expect(down.checks.gateway.reason).toBe('Shards not connected to Discord’s gateway: 1 (of 2). Connecting.');
    expect(await status()).toMatch(/^-# Shards: 1 ⚠️/m);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('walletbell_gateway_shard_up{shard="0"} 1');
    expect(metrics).toContain('walletbell_gateway_shard_up{shard="1"} 0');
    room.discord.faults.holdShard(1, false);
    await readyOnce(url, true);
    expect(room.discord.rejections).toEqual([]);
  }, 60_000);

  it('are divided among processes: each serves its own servers, and the one with shard 0 registers the commands', async () => {
    const room = await openRoom({ asProcess: true, withoutBot: true });
    const first = serverOn(room, [0, 2]);
    const second = serverOn(room, [1, 2]);
    let askedForCommands = 0;
    room.discord.events.on('request', ({ path }) => {
      if (/^\/applications\/\d+\/commands/.test(path)) askedForCommands += 1;
    });
    await room.startBot({ SHARDS: '1', SHARD_COUNT: '2', ...OTHER_STORE });
    expect(await room.logged('discord.ready')).toMatchObject({ shards: [1], shardCount: 2 });
    await room.startBot({ SHARDS: '0', SHARD_COUNT: '2' });
    await room.logged('commands.registered');
    for (const { say } of [first, second]) await say('watch add', { wallet: WALLET, label: 'Whale' });
    await room.ledger.addActivity(WALLET, 1, trade());
    for (const { channelId } of [first, second]) await room.alerted(1, channelId);
    await room.ledger.addActivity(WALLET, 2, sale());
    for (const { channelId } of [first, second]) await room.alerted(2, channelId);
    for (const { channelId } of [first, second]) {
      const titles = room.alerts(channelId).map(({ line }) => line);
      expect(titles.filter((title) => /BUY|SELL/.test(title))).toHaveLength(2);
    }
    expect(JSON.stringify(await second.say('watch status'))).toContain('1 in all, of 1 wallet');
    // What is there, and what is to be there.
    expect(askedForCommands).toBe(2);
    expect(room.discord.commandCounts).toMatchObject({ puts: 1, creates: 3 });
    expect(room.discord.rejections).toEqual([]);
  }, 60_000);

  it('judge what went meanwhile on their own servers alone', async () => {
    const room = await openRoom();
    const own = serverOn(room, [1, 2]);
    const foreign = serverOn(room, [0, 2]);
    const { id: gone } = room.discord.createChannel(own.guildId, { name: 'gone' });
    await own.say('watch add', { wallet: WALLET, channel: gone });
    for (const { say } of [own, foreign]) await say('watch add', { wallet: WALLET });
    await room.bot.stop();
    room.discord.kickBot(foreign.guildId);
    room.discord.deleteChannel(gone);
    await room.startBot({ SHARDS: '1', SHARD_COUNT: '2' });
    // The room's own server is on whichever shard its id says, and has been welcomed.
    const others = (BigInt(room.guildId) >> 22n) % 2n === 0n ? 2 : 1;
    expect(await room.logged('guilds.of_other_shards')).toMatchObject({ guilds: others });
    expect(await room.logged('channel.deleted_meanwhile')).toMatchObject({ channel: gone });
    await room.logged('watch.removed');
    expect(JSON.stringify(await own.say('watch status'))).toContain('1 watch here · 2 in all');
    expect(room.logLines.map(({ event }) => event)).not.toContain('guild.left_meanwhile');
  }, 60_000);

  it.each([
    ['auto', {}, 1, 'asks Discord for their number'],
    ['a fixed number', { SHARDS: '0', SHARD_COUNT: '1' }, 78, 'Raise SHARD_COUNT'],
  ])(
    'that hold too many servers end the bot with %s, and the log says what helps',
    async (_, environment, exitCode, advice) => {
      const room = await openRoom({ asProcess: true, withoutBot: true, maxGuildsPerShard: 1 });
      serverOn(room, [0, 2]);
      await expect(room.startBot(environment)).rejects.toThrow('The bot has ended');
      expect(room.bot.process.exitCode).toBe(exitCode);
      expect(await room.logged('discord.disconnected')).toMatchObject({
        shard: 0,
        code: 4011,
        advice: expect.stringContaining(advice),
      });
    },
  );
});
