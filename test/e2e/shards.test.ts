import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guildOnShard } from '../../packages/local-discord/test/fixture.ts';
import { sale, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, type Fixture, openFixture, wholeStatus } from './fixture.ts';

/** A server of the bot on a shard, with a channel and an administrator. */
const serverOn = (fixture: Fixture, shard: readonly [number, number]) =>
  elsewhere(fixture, guildOnShard(fixture.discord, shard));

describe('several shards', () => {
  it('are taken as Discord recommends, serve all their servers, and are reported one by one', async () => {
    const fixture = await openFixture({ recommendedShards: 2, withoutBot: true });
    const servers = [serverOn(fixture, [0, 2]), serverOn(fixture, [1, 2])] as const;
    await fixture.startBot({ HTTP_PORT: '0' });
    expect(await fixture.logged('discord.ready')).toMatchObject({ shards: [0, 1], shardCount: 2 });
    expect(fixture.discord.shards.toSorted()).toEqual([
      [0, 2],
      [1, 2],
    ]);
    for (const { say } of servers) await say('watch add', { wallet: WALLET, label: 'Whale' });
    await fixture.ledger.addActivity(WALLET, 1, trade());
    for (const { channelId } of servers) await fixture.alerted(1, channelId);

    const { readiness } = fixture;
    const { checks, shards = [] } = await readiness();
    expect(checks['gateway']?.ok).toBe(true);
    expect(shards.map(({ id, isUp }) => [id, isUp])).toEqual([
      [0, true],
      [1, true],
    ]);
    expect(shards.reduce((sum, { guilds }) => sum + guilds, 0)).toBe(
      fixture.discord.guilds().length,
    );
    const status = async () => (await wholeStatus(fixture, servers[0])).embeds[0]?.description;
    expect(await status()).toMatch(/^-# Shards: #0.*, #1.*\. This server is on shard 0\.$/m);

    fixture.discord.faults.holdShard(1, true);
    fixture.discord.faults.dropGateway(undefined, 1);
    const down = await readiness(({ checks }) => checks['gateway']?.ok === false);
    expect(down.checks['gateway']?.reason).toBe(
      'Shards not connected to Discord’s gateway: 1 (of 2). Connecting.',
    );
    expect(await status()).toMatch(/^-# Shards: #1 ⚠️/m);
    const { text: metrics } = await fixture.served('/metrics');
    expect(metrics).toContain('walletbell_gateway_shard_up{shard="0"} 1');
    expect(metrics).toContain('walletbell_gateway_shard_up{shard="1"} 0');
    fixture.discord.faults.holdShard(1, false);
    await readiness(({ checks }) => checks['gateway']?.ok === true);
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('are divided among processes: each serves its own servers, and the one with shard 0 registers the commands', async () => {
    const fixture = await openFixture({ withoutBot: true });
    const first = serverOn(fixture, [0, 2]);
    const second = serverOn(fixture, [1, 2]);
    let askedForCommands = 0;
    fixture.discord.events.on('request', ({ path }) => {
      if (/^\/applications\/\d+\/commands/.test(path)) askedForCommands += 1;
    });
    await fixture.startBot({
      SHARDS: '1/2',
      STORE_URL: `sqlite://${join(fixture.directory, 'other.sqlite')}`,
    });
    expect(await fixture.logged('discord.ready')).toMatchObject({ shards: [1], shardCount: 2 });
    await fixture.startBot({ SHARDS: '0/2' });
    await fixture.logged('commands.registered');
    for (const { say } of [first, second])
      await say('watch add', { wallet: WALLET, label: 'Whale' });
    await fixture.ledger.addActivity(WALLET, 1, trade());
    for (const { channelId } of [first, second]) await fixture.alerted(1, channelId);
    await fixture.ledger.addActivity(WALLET, 2, sale());
    for (const { channelId } of [first, second]) {
      await fixture.alerted(2, channelId);
      expect(fixture.lines(channelId).filter((line) => /BUY|SELL/.test(line))).toHaveLength(2);
    }
    expect(JSON.stringify(await wholeStatus(fixture, second))).toContain('1 in all"');
    // What is there, and what is to be there.
    expect(askedForCommands).toBe(2);
    expect(fixture.discord.commandCounts).toMatchObject({ puts: 1, creates: 5 });
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('judge what went meanwhile on their own servers alone', async () => {
    const fixture = await openFixture();
    const own = serverOn(fixture, [1, 2]);
    const foreign = serverOn(fixture, [0, 2]);
    const { id: gone } = fixture.discord.createChannel(own.guildId, { name: 'gone' });
    await own.say('watch add', { wallet: WALLET, channel: gone });
    for (const { say } of [own, foreign]) await say('watch add', { wallet: WALLET });
    await fixture.bot.stop();
    fixture.discord.kickBot(foreign.guildId);
    fixture.discord.deleteChannel(gone);
    await fixture.startBot({ SHARDS: '1/2' });
    // The fixture's own server is on whichever shard its id says, and has been welcomed.
    const others = (BigInt(fixture.guildId) >> 22n) % 2n === 0n ? 2 : 1;
    expect(await fixture.logged('guilds.of_other_shards')).toMatchObject({ guilds: others });
    expect(await fixture.logged('channel.deleted_meanwhile')).toMatchObject({ channel: gone });
    await fixture.logged('watch.removed');
    expect(JSON.stringify(await wholeStatus(fixture, own))).toContain(
      '1 watched wallet here · 1 in all',
    );
    expect(fixture.logLines.map(({ event }) => event)).not.toContain('guild.left_meanwhile');
  });

  it.each([
    ['auto', {}, 1, 'asks Discord for their number'],
    ['a fixed number', { SHARDS: '0/1' }, 78, 'Raise the number behind the slash'],
  ])(
    'that hold too many servers end the bot with %s, and the log says what helps',
    async (_, environment, exitCode, advice) => {
      const fixture = await openFixture({ withoutBot: true, maxGuildsPerShard: 1 });
      serverOn(fixture, [0, 2]);
      await expect(fixture.startBot(environment)).rejects.toThrow('The bot has ended');
      expect(await fixture.bot.stop()).toBe(exitCode);
      expect(await fixture.logged('discord.disconnected')).toMatchObject({
        shard: 0,
        code: 4011,
        advice: expect.stringContaining(advice),
      });
    },
  );
});
