import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inMarket, nowSeconds, sale, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, openFixture, query, wholeStatus } from './fixture.ts';

const OTHER = `0x${'7'.repeat(40)}`;
const DAY_SECONDS = 86_400;

/** Until a later second than this one: records have whole seconds. */
async function nextSecond(): Promise<void> {
  const now = nowSeconds();
  await expect.poll(nowSeconds, { timeout: 5_000, interval: 20 }).toBeGreaterThan(now);
}

const bought = (quantity: number) => trade({ ...inMarket(quantity), quantity, time: nowSeconds() });

describe('a server that removes the bot', () => {
  it('has its watches and results back with it, over a restart, and hears nothing of what came in between', async () => {
    const fixture = await openFixture();
    const { discord, ledger } = fixture;
    const other = elsewhere(fixture);
    await fixture.say('watch add', { wallet: WALLET, label: 'Ours' });
    await other.say('watch add', { wallet: WALLET, label: 'Theirs' });
    await other.say('watch add', { wallet: OTHER });
    await other.say('watch channel', { view: 'compact' });
    const held = { trader: OTHER, quantity: 30, ...inMarket(9) };
    await ledger.addActivity(OTHER, 4, trade({ ...held, time: nowSeconds() }));
    await fixture.alerted(1, other.channelId);
    const first = discord.messages(other.channelId).at(-1);
    discord.kickBot(other.guildId);
    expect(await fixture.logged('guild.rests')).toMatchObject({
      guild: other.guildId,
      watches: 2,
      isGone: true,
    });
    expect(JSON.stringify(await wholeStatus(fixture))).toContain(
      '1 watched wallet here · 1 in all"',
    );
    await ledger.addActivity(WALLET, 1, bought(1));
    await fixture.alerted(1);
    await fixture.bot.stop();
    await fixture.startBot();
    expect(fixture.logLines.map(({ event }) => event)).not.toContain('guild.returned');
    await nextSecond();
    discord.inviteBot(other.guildId);
    expect(await fixture.logged('guild.returned')).toMatchObject({
      guild: other.guildId,
      watches: 2,
    });
    await ledger.addActivity(WALLET, 2, bought(2));
    await ledger.addActivity(OTHER, 3, trade({ trader: OTHER, quantity: 3 }));
    await ledger.addActivity(OTHER, 5, sale({ ...held, time: nowSeconds() }));
    // The sale closes what was alerted before: it answers that, or links it as a row of several.
    await fixture.until(
      (message) =>
        message.replyToId === first?.id || JSON.stringify(message).includes(`/${first?.id})`),
      other.channelId,
    );
    await fixture.alerted(2, other.channelId);
    await fixture.alerted(2);
    expect(JSON.stringify(discord.messages(other.channelId))).not.toMatch(/\b1 share\b/);
    const list = JSON.stringify(await other.say('watch list'));
    expect(list).toContain('Theirs');
    expect(list).toContain('compact');
    expect((await query(fixture, "SELECT * FROM keyv WHERE key LIKE '%resting:%'")).length).toBe(0);
    expect(discord.rejections).toEqual([]);
  });

  it('hears again from the invitation on, also if the bot did not run then, whoever else watches', async () => {
    const fixture = await openFixture();
    const { ledger } = fixture;
    const other = elsewhere(fixture);
    await fixture.say('watch add', { wallet: WALLET });
    await other.say('watch add', { wallet: WALLET, label: 'Shared' });
    await other.say('watch add', { wallet: OTHER, label: 'Own' });
    await fixture.bot.stop();
    fixture.discord.kickBot(other.guildId);
    await fixture.startBot();
    expect(await fixture.logged('guild.left_meanwhile')).toMatchObject({ guild: other.guildId });
    await fixture.logged('guild.rests');
    await fixture.bot.stop();
    await nextSecond();
    for (const trader of [WALLET, OTHER])
      await ledger.addActivity(trader, 1, trade({ trader, quantity: 1 }));
    await nextSecond();
    fixture.discord.inviteBot(other.guildId);
    for (const trader of [WALLET, OTHER])
      await ledger.addActivity(trader, 2, trade({ trader, quantity: 2 }));
    await fixture.startBot();
    await fixture.logged('guild.returned');
    await fixture.alerted(2, other.channelId);
    expect(fixture.lines(other.channelId).toSorted()).toEqual([
      'Own BUY 2 Yes',
      'Shared BUY 2 Yes',
    ]);
  });

  it('has nothing left here after thirty days, and everything until then', async () => {
    const fixture = await openFixture();
    const other = elsewhere(fixture);
    await fixture.say('watch add', { wallet: WALLET });
    await other.say('watch add', { wallet: OTHER });
    await other.say('watch channel', { view: 'compact' });
    await other.say('watch digest', { every: 'day', at: '08:00', 'time-zone': 'UTC' });
    fixture.discord.kickBot(other.guildId);
    await fixture.logged('guild.rests');
    const ofOther = `SELECT * FROM keyv WHERE value LIKE '%${other.guildId}%' OR value LIKE '%${other.channelId}%'`;
    const setSince = (days: number) => {
      const document = {
        ownerId: other.guildId,
        sinceSeconds: nowSeconds() - days * DAY_SECONDS,
        isGone: true,
      };
      const value = JSON.stringify({ value: document });
      return query(
        fixture,
        `UPDATE keyv SET value = '${value}' WHERE key LIKE '%resting:${other.guildId}'`,
      );
    };
    await fixture.bot.stop();
    expect((await query(fixture, ofOther)).length).toBe(5);
    await setSince(29.9);
    await fixture.startBot();
    await fixture.say('watch status');
    await fixture.bot.stop();
    expect((await query(fixture, ofOther)).length).toBe(5);
    await setSince(30.1);
    await fixture.startBot();
    expect(await fixture.logged('guild.ended')).toMatchObject({ guild: other.guildId });
    await fixture.bot.stop();
    expect(await query(fixture, ofOther)).toEqual([]);
    expect(await query(fixture, `SELECT * FROM keyv WHERE key LIKE '%${OTHER}%'`)).toEqual([]);
  });
});

describe('a server that is not served', () => {
  it('hears it at a command, and its watches are suspended until it is served again; as one that a limits file blocks', async () => {
    const fixture = await openFixture();
    const other = elsewhere(fixture);
    await fixture.say('watch add', { wallet: WALLET });
    await other.say('watch add', { wallet: WALLET, label: 'Theirs' });
    await fixture.bot.stop();
    await fixture.startBot({ ALLOWED_GUILDS: `${fixture.guildId}, 123456789012345678` });
    expect(await fixture.logged('guild.rests')).toMatchObject({
      guild: other.guildId,
      isGone: false,
    });
    expect(await other.say('watch list')).toMatchObject({
      content:
        'This bot only works in servers that its operator has chosen. This server isn’t one of them.',
      ephemeralFor: other.admin.userId,
    });
    const { discord } = fixture;
    const suggest = () =>
      discord.autocomplete(other.admin, other.channelId, 'watch remove', { wallet: '' }, 'wallet');
    expect(await suggest()).toEqual([]);
    await fixture.ledger.addActivity(WALLET, 1, bought(1));
    await fixture.alerted(1);
    await fixture.bot.stop();
    expect(discord.botGuilds().map(({ id }) => id)).toContain(other.guildId);
    await nextSecond();
    await fixture.startBot();
    await fixture.logged('guild.returned');
    expect(await suggest()).toHaveLength(1);
    await fixture.ledger.addActivity(WALLET, 2, bought(2));
    await fixture.alerted(1, other.channelId);
    expect(fixture.lines(other.channelId)).toEqual(['Theirs BUY 2 Yes']);

    // A limits file blocks a server and a person, says so to them, and blocks nobody else.
    const path = join(fixture.directory, 'limits.json');
    const limits = {
      guilds: { [other.guildId]: { blocked: true }, [fixture.guildId]: { watches: 1 } },
      users: { [fixture.member.userId]: { blocked: true } },
    };
    writeFileSync(path, JSON.stringify(limits));
    await fixture.bot.stop();
    await fixture.startBot({ LIMITS_FILE: path });
    expect((await other.say('watch list')).content).toContain('has blocked this server');
    expect(await fixture.sayAs(fixture.member, 'flows', { wallet: WALLET })).toMatchObject({
      content: 'The bot’s operator has blocked you. You can’t use its commands.',
      ephemeralFor: fixture.member.userId,
    });
    // The file is looked at again: who is not blocked any more goes on, whoever is rests at once.
    writeFileSync(path, JSON.stringify({ guilds: { [fixture.guildId]: { watches: 1 } } }));
    await fixture.logged('guild.returned');
    writeFileSync(path, JSON.stringify(limits));
    await fixture.logged('guild.rests');
    await fixture.say('watch remove', { wallet: WALLET });
    expect((await fixture.say('watch add', { wallet: WALLET })).embeds[0]?.description).toContain(
      'Watching',
    );
    expect((await fixture.say('watch add', { wallet: OTHER })).content).toContain(
      'can have 1 watched wallet, counted',
    );
  });
});

it('lets the private watches of a person whom the limits file blocks rest at once, until it does not any more', async () => {
  const fixture = await openFixture({ withoutBot: true });
  const { discord, guildId, member } = fixture;
  const path = join(fixture.directory, 'limits.json');
  const block = (userIds: readonly string[]) => {
    const users = Object.fromEntries(userIds.map((userId) => [userId, { blocked: true }]));
    writeFileSync(path, JSON.stringify({ users }));
  };
  block([]);
  await fixture.startBot({ LIMITS_FILE: path });
  const [bob, eve] = [
    { ...member, guildId: null },
    { userId: discord.createMember(guildId, { name: 'eve' }).userId, guildId: null },
  ];
  const add = async (who: typeof bob) => {
    const dm = discord.openDm(who.userId).id;
    await fixture.sayAs(who, 'watch add', { wallet: WALLET }, dm);
    return dm;
  };
  const [dmOfBob, dmOfEve] = [await add(bob), await add(eve)];
  await fixture.ledger.addActivity(WALLET, 1, bought(1));
  await fixture.alerted(1, dmOfBob);
  await fixture.alerted(1, dmOfEve);

  block([bob.userId]);
  expect(await fixture.logged('guild.rests')).toMatchObject({
    guild: `@${bob.userId}`,
    watches: 1,
    isGone: false,
  });
  await fixture.ledger.addActivity(WALLET, 2, bought(2));
  await fixture.alerted(2, dmOfEve);

  block([]);
  expect(await fixture.logged('guild.returned')).toMatchObject({ guild: `@${bob.userId}` });
  await nextSecond();
  await fixture.ledger.addActivity(WALLET, 3, bought(3));
  await fixture.alerted(3, dmOfEve);
  await fixture.alerted(2, dmOfBob);
  expect(fixture.lines(dmOfBob).join()).not.toContain('BUY 2');
});
