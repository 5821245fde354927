import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { describe, expect, it } from 'vitest';
import { inMarket, nowSeconds, openRoom, type Room, trade, WALLET } from './room.ts';

const OTHER = `0x${'7'.repeat(40)}`;
const DAY_SECONDS = 86_400;

/** A second server with a channel and an administrator. */
function otherServer(room: Room) {
  const { id: guildId } = room.discord.createGuild({ name: 'Elsewhere' });
  const { id: channelId } = room.discord.createChannel(guildId, { name: 'alerts' });
  const admin = room.discord.createMember(guildId, { name: 'eve', admin: true });
  const say = async (line: string, values: Record<string, string> = {}) =>
    (await room.discord.command(admin, channelId, line, values)).reply();
  const titles = () => room.alerts(channelId).map(({ line }) => line);
  return { guildId, channelId, admin, say, titles };
}

/** Asks the stopped bot's store. */
async function query(room: Room, sql: string): Promise<{ key: string; value: string }[]> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(join(room.directory, 'data', 'bot.sqlite'));
    database.all<{ key: string; value: string }>(sql, (error, rows) =>
      database.close(() => (error ? reject(error) : resolve(rows))),
    );
  });
}

/** Until a later second than this one: records have whole seconds. */
async function nextSecond(): Promise<void> {
  const now = nowSeconds();
  await expect.poll(nowSeconds, { timeout: 5_000, interval: 20 }).toBeGreaterThan(now);
}

const buy = (quantity: number) => trade({ ...inMarket(quantity), quantity, time: nowSeconds() });

describe('a server that removes the bot', () => {
  it('has its watches back with it, over a restart, and hears nothing of what came in between', async () => {
    const room = await openRoom();
    const { discord, ledger } = room;
    const other = otherServer(room);
    await room.say('watch add', { wallet: WALLET, label: 'Ours' });
    await other.say('watch add', { wallet: WALLET, label: 'Theirs' });
    await other.say('watch add', { wallet: OTHER });
    await other.say('watch channel', { view: 'compact' });
    discord.kickBot(other.guildId);
    expect(await room.logged('guild.rests')).toMatchObject({ guild: other.guildId, watches: 2, isGone: true });
    expect(JSON.stringify(await room.say('watch status'))).toContain('1 watch here · 1 in all, of 1 wallet');
    await ledger.addActivity(WALLET, 1, buy(1));
    await room.alerted(1);
    await room.bot.stop();
    await room.startBot();
    expect(room.logLines.map(({ event }) => event)).not.toContain('guild.returned');
    await nextSecond();
    discord.inviteBot(other.guildId);
    expect(await room.logged('guild.returned')).toMatchObject({ guild: other.guildId, watches: 2 });
    await ledger.addActivity(WALLET, 2, buy(2));
    await ledger.addActivity(OTHER, 3, trade({ trader: OTHER, quantity: 3 }));
    await room.alerted(2, other.channelId);
    await room.alerted(2);
    expect(JSON.stringify(discord.messages(other.channelId))).not.toContain('1 share ');
    const list = JSON.stringify(await other.say('watch list'));
    expect(list).toContain('Theirs');
    expect(list).toContain('compact');
    expect((await query(room, "SELECT * FROM keyv WHERE key LIKE '%resting:%'")).length).toBe(0);
    expect(discord.rejections).toEqual([]);
  }, 60_000);

  it('hears again from the invitation on, also if the bot did not run then, whoever else watches', async () => {
    const room = await openRoom();
    const { ledger } = room;
    const other = otherServer(room);
    await room.say('watch add', { wallet: WALLET });
    await other.say('watch add', { wallet: WALLET, label: 'Shared' });
    await other.say('watch add', { wallet: OTHER, label: 'Own' });
    await room.bot.stop();
    room.discord.kickBot(other.guildId);
    await room.startBot();
    expect(await room.logged('guild.left_meanwhile')).toMatchObject({ guild: other.guildId });
    await room.logged('guild.rests');
    await room.bot.stop();
    await nextSecond();
    for (const trader of [WALLET, OTHER]) await ledger.addActivity(trader, 1, trade({ trader, quantity: 1 }));
    await nextSecond();
    room.discord.inviteBot(other.guildId);
    for (const trader of [WALLET, OTHER]) await ledger.addActivity(trader, 2, trade({ trader, quantity: 2 }));
    await room.startBot();
    await room.logged('guild.returned');
    await room.alerted(2, other.channelId);
    expect(other.titles().toSorted()).toEqual(['Own BUY 2 Yes', 'Shared BUY 2 Yes']);
  }, 60_000);

  it('has nothing left here after thirty days, and everything until then', async () => {
    const room = await openRoom();
    const other = otherServer(room);
    await room.say('watch add', { wallet: WALLET });
    await other.say('watch add', { wallet: OTHER });
    await other.say('watch channel', { view: 'compact' });
    await other.say('watch digest', { every: 'day', at: '08:00', 'time-zone': 'UTC' });
    room.discord.kickBot(other.guildId);
    await room.logged('guild.rests');
    const ofOther = `SELECT * FROM keyv WHERE value LIKE '%${other.guildId}%' OR value LIKE '%${other.channelId}%'`;
    const setSince = (days: number) => {
      const document = {
        version: 1,
        ownerId: other.guildId,
        sinceSeconds: nowSeconds() - days * DAY_SECONDS,
        isGone: true,
      };
      const value = JSON.stringify({ value: document });
      return query(room, `UPDATE keyv SET value = '${value}' WHERE key LIKE '%resting:${other.guildId}'`);
    };
    await room.bot.stop();
    expect((await query(room, ofOther)).length).toBe(4);
    await setSince(29.9);
    await room.startBot();
    await room.say('watch status');
    await room.bot.stop();
    expect((await query(room, ofOther)).length).toBe(4);
    await setSince(30.1);
    await room.startBot();
    expect(await room.logged('guild.ended')).toMatchObject({ guild: other.guildId });
    await room.bot.stop();
    expect(await query(room, ofOther)).toEqual([]);
    expect(await query(room, `SELECT * FROM keyv WHERE key LIKE '%${OTHER}%'`)).toEqual([]);
  }, 60_000);
});

describe('a limits file', () => {
  it('blocks a server and a person, says so to them, and blocks nobody else', async () => {
    const room = await openRoom({ withoutBot: true });
    const other = otherServer(room);
    const path = join(room.directory, 'limits.json');
    const limits = {
      guilds: { [other.guildId]: { blocked: true }, [room.guildId]: { watches: 1 } },
      users: { [room.member.userId]: { blocked: true } },
    };
    writeFileSync(path, JSON.stringify(limits));
    await room.startBot({ LIMITS_FILE: path });
    await room.logged('commands.registered');
    expect((await other.say('watch list')).content).toContain('has blocked this server');
    const asked = await room.discord.command(room.member, room.channelId, 'flows', { wallet: WALLET });
    const answer = await asked.reply();
    expect(answer.content).toBe('The bot’s operator has blocked you. You can’t use its commands.');
    expect(answer.ephemeralFor).toBe(room.member.userId);
    expect((await room.say('watch add', { wallet: WALLET })).embeds[0]?.description).toContain('Watching');
    expect((await room.say('watch add', { wallet: OTHER })).content).toContain('can have 1 watch.');
  }, 60_000);
});

describe('a server that is not served', () => {
  it('hears it at a command, and its watches rest until it is served again', async () => {
    const room = await openRoom();
    const other = otherServer(room);
    await room.say('watch add', { wallet: WALLET });
    await other.say('watch add', { wallet: WALLET, label: 'Theirs' });
    await room.bot.stop();
    await room.startBot({ ALLOWED_GUILDS: `${room.guildId}, 123456789012345678` });
    expect(await room.logged('guild.rests')).toMatchObject({ guild: other.guildId, isGone: false });
    const answer = await other.say('watch list');
    expect(answer.content).toBe(
      'This bot only works in servers that its operator has chosen. This server isn’t one of them.',
    );
    expect(answer.ephemeralFor).toBe(other.admin.userId);
    const { discord } = room;
    const suggest = () => discord.autocomplete(other.admin, other.channelId, 'watch remove', { wallet: '' }, 'wallet');
    expect(await suggest()).toEqual([]);
    await room.ledger.addActivity(WALLET, 1, buy(1));
    await room.alerted(1);
    await room.bot.stop();
    expect(discord.botGuilds().map(({ id }) => id)).toContain(other.guildId);
    await nextSecond();
    await room.startBot();
    await room.logged('guild.returned');
    expect(await suggest()).toHaveLength(1);
    await room.ledger.addActivity(WALLET, 2, buy(2));
    await room.alerted(1, other.channelId);
    expect(other.titles()).toEqual(['Theirs BUY 2 Yes']);
  }, 60_000);
});
