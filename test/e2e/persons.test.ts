import { once } from 'node:events';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import type { OptionValues } from '@walletbell/local-discord/discord/people/commandline';
import { describe, expect, it } from 'vitest';
import { inMarket, sale, trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { type FixtureOptions, openFixture, stored, watchesFile, wordsOf } from './fixture.ts';

const DESK_WALLET = `0x${'4'.repeat(40)}`;
const SHARED_WALLET = `0x${'5'.repeat(40)}`;

/**
 * A fixture, and a server without the bot. Bob is in both, eve in the other alone; both have
 * installed the bot for themselves.
 */
async function openWorld(options: FixtureOptions = {}) {
  const fixture = await openFixture(options);
  const { discord } = fixture;
  const { id: foreignId } = discord.createGuild({ name: 'Elsewhere', withBot: false });
  const foreign = discord.createChannel(foreignId, { name: 'lobby' }).id;
  const bob: MemberRef = { userId: fixture.member.userId, guildId: null };
  discord.createMember(foreignId, { name: 'bob', userId: bob.userId });
  const eve: MemberRef = {
    userId: discord.createMember(foreignId, { name: 'eve' }).userId,
    guildId: null,
  };
  for (const { userId } of [bob, eve]) discord.setInstalled(userId, true);
  const dm = discord.openDm(bob.userId).id;
  const say = (who: MemberRef, where: string, line: string, values: OptionValues = {}) =>
    fixture.sayAs(who, line, values, where);
  const suggested = async (who: MemberRef, where: string) =>
    (await discord.autocomplete(who, where, 'activity', { wallet: '' }, 'wallet'))
      .map(({ name }) => name)
      .join();
  /** What the bot has sent to bob of itself. */
  const received = () => discord.messages(dm).filter(({ interactionId }) => interactionId === null);
  const buy = (trader: string, market: number) =>
    fixture.trades(trade({ ...inMarket(market), trader }));
  return { fixture, ...fixture, foreign, bob, eve, dm, say, suggested, received, buy };
}

const exportOf = async ({ attachments: [file] }: SeenMessage) =>
  (await fetch(file?.url ?? '')).text();

describe('somebody who has installed the bot for themselves', { timeout: within(120_000) }, () => {
  it('looks wallets up anywhere, alone, and sees nothing of any server’s', async () => {
    const { fixture, discord, foreign, bob, eve, dm, say, suggested, press, channelId, buy } =
      await openWorld();
    await fixture.say('watch add', { wallet: DESK_WALLET, label: 'Desk whale' });
    await say(bob, dm, 'watch add', { wallet: DESK_WALLET, label: 'Bob’s own' });
    await buy(DESK_WALLET, 1);
    await fixture.alerted(1);

    const group = discord.createPrivateChannel([bob.userId, eve.userId, fixture.admin.userId]).id;
    for (const [who, where] of [
      [eve, foreign],
      [eve, group],
      [bob, foreign],
      [bob, group],
    ] as const) {
      const answer = await say(who, where, 'activity', { wallet: DESK_WALLET });
      expect(answer.ephemeralFor, 'others are there').toBe(who.userId);
      expect(JSON.stringify(answer.embeds)).not.toContain('Desk');
      expect(JSON.stringify(answer.embeds).includes('Bob’s own')).toBe(who === bob);
      const file = await press(who, answer, 'activity:\\d+:csv');
      expect(file.attachments).toHaveLength(1);
      const flows = await say(who, where, 'flows', { wallet: DESK_WALLET });
      expect(flows.ephemeralFor).toBe(who.userId);
    }
    // Who holds what, of one's own wallets alone.
    for (const where of [foreign, group, dm]) {
      const held = await say(bob, where, 'market');
      expect(held.ephemeralFor).toBe(where === dm ? null : bob.userId);
      expect(wordsOf(held)).toContain('Will it rain in Paris?](');
      const book = await say(bob, where, 'market', { market: '1' });
      expect(wordsOf(book)).toContain('Bob’s own');
      expect(wordsOf(book)).not.toContain('Desk');
    }
    expect((await say(eve, foreign, 'market')).content).toContain('No wallets are watched');
    expect(await suggested(eve, foreign)).toBe('');
    expect(await suggested(bob, foreign)).toContain('Bob’s own');
    expect(await suggested(bob, dm)).not.toContain('Desk');
    const byLabel = await say(eve, foreign, 'activity', { wallet: 'Desk whale' });
    expect(byLabel.content).toContain('the label of one of your own wallets');

    // In the person's own direct message everything stays; in the server bob's own does not show.
    const own = await say(bob, dm, 'activity', { wallet: 'Bob’s own' });
    expect(own).toMatchObject({ ephemeralFor: null, guildId: null });
    expect(wordsOf(own)).toContain('Bob’s own');
    const inServer = await say({ ...bob, guildId: fixture.guildId }, channelId, 'activity', {
      wallet: DESK_WALLET,
    });
    expect(inServer.ephemeralFor).toBeNull();
    expect(wordsOf(inServer)).toContain('Desk whale');
    expect(JSON.stringify(inServer.embeds)).not.toContain('Bob');
    expect(await suggested({ ...bob, guildId: fixture.guildId }, channelId)).not.toContain('Bob');
    expect(wordsOf(await fixture.say('watch list'))).not.toContain('Bob');

    const elsewhere = await say(eve, foreign, 'watch add', { wallet: WALLET });
    expect(elsewhere).toMatchObject({ ephemeralFor: eve.userId });
    expect(elsewhere.content).toContain('in a direct message with me');
  });

  it('watches in the direct message as in a channel: alerts, settings, mute, Details, digest, scores, files', async () => {
    const { fixture, discord, bob, eve, dm, say, press, received, buy, channelId } =
      await openWorld({
        environment: { WATCHES_PER_USER: '2' },
      });
    const refused = await say(eve, discord.openDm(eve.userId).id, 'watch add', { wallet: WALLET });
    expect(refused.content).toContain('we share no server (50278), so nothing was saved');
    expect(wordsOf(await say(eve, discord.openDm(eve.userId).id, 'watch list'))).toContain(
      'No wallets watched yet',
    );

    const added = await say(bob, dm, 'watch add', {
      wallet: WALLET,
      label: 'Mine',
      kinds: 'trades',
    });
    expect(wordsOf(added)).toContain('Watching **Mine** in this DM.');
    const greeting = expect.stringContaining('Your private alerts will arrive here');
    expect(received().map(({ content }) => content)).toEqual([greeting]);
    await say(bob, dm, 'watch add', { wallet: SHARED_WALLET });
    expect(received(), 'one first message').toHaveLength(1);
    const full = await say(bob, dm, 'watch add', { wallet: DESK_WALLET });
    expect(full.content).toContain(
      'You can watch 2 wallets privately. You watch 2, so there’s no room for another.',
    );

    await buy(WALLET, 1);
    await fixture.alerted(1, dm);
    const [, alert] = received();
    expect(fixture.alerts()).toEqual([]);
    const details = await press(bob, alert, 'details');
    expect(details.ephemeralFor).toBe(bob.userId);
    expect(wordsOf(details)).toContain('Mine');
    const muted = await press(bob, alert, 'watch:mute');
    expect(muted.content).toContain('muted **Mine**');
    expect((await press(bob, muted, 'watch:resume')).content).toContain('unmuted');

    expect(
      wordsOf(await say(bob, dm, 'watch edit', { wallet: 'Mine', label: 'Still mine' })),
    ).toContain('Still mine');
    expect((await say(bob, dm, 'watch channel', { view: 'compact' })).content).toMatch(
      /^This DM: view/,
    );
    const digest = await say(bob, dm, 'watch digest', { every: 'day' });
    expect(digest.content).toMatch(
      /^This DM gets a digest.*\nℹ️ Its times are UTC\. Set `time-zone`/s,
    );
    expect(wordsOf(await say(bob, dm, 'watch scores'))).toContain('No records yet');
    expect((await say(bob, dm, 'watch pause', {})).content).toContain(
      'All 2 watched wallets in this DM',
    );
    expect((await say(bob, dm, 'watch resume', {})).content).toContain('this DM');
    const status = await press(bob, await say(bob, dm, 'watch status'), 'watch:status:all');
    expect(JSON.stringify(status.embeds)).toContain('2 watched wallets here');
    const list = await say(bob, dm, 'watch list');
    expect(wordsOf(list)).toMatch(/\*\*This DM\*\* · compact view/);
    // Alerts are in the language of the person's Discord, from the next command on.
    discord.setLocale(bob.userId, 'de');
    await say(bob, dm, 'watch list');
    await expect.poll(() => stored(fixture)).toContain('"language\\":\\"de');
    await buy(WALLET, 2);
    await fixture.until(
      ({ content, interactionId }) => interactionId === null && /KAUF/.test(content),
      dm,
    );
    discord.setLocale(bob.userId, 'en-US');

    // Files go to a server and back: the one names no channel, of the other channels and roles are
    // left out.
    const own = await exportOf(await say(bob, dm, 'watch export'));
    expect(own).not.toContain(dm);
    const send = (who: MemberRef, where: string, text: string) =>
      say(who, where, 'watch import', watchesFile(text));
    const toServer = await send(fixture.admin, channelId, own);
    expect(wordsOf(toServer)).toContain('2 new');
    await press(fixture.admin, toServer, 'watch:import:apply');
    const { id: role } = discord.createRole(fixture.guildId, { name: 'desk', mentionable: true });
    await fixture.say('watch edit', { wallet: WALLET, label: 'Desk’s', mention: role });
    await say(bob, dm, 'watch remove', { wallet: SHARED_WALLET });
    const toPerson = await send(bob, dm, await exportOf(await fixture.say('watch export')));
    expect(wordsOf(toPerson)).toMatch(
      /1 new, 1 changed[\s\S]*Channels and roles of the file are left out/,
    );
    await press(bob, toPerson, 'watch:import:apply');
    expect(wordsOf(await say(bob, dm, 'watch list'))).toContain('Desk’s');
    expect(await exportOf(await say(bob, dm, 'watch export', { format: 'json' }))).not.toContain(
      role,
    );
    const removed = await say(bob, dm, 'watch remove', { wallet: DESK_WALLET });
    expect(removed.content).toContain('You don’t watch this wallet');
  });

  it('reads there how trades ended and where the own wallets agree, and nothing while the operator has turned it off', async () => {
    const { fixture, bob, dm, say, received, buy, lines, trades } = await openWorld();
    for (const wallet of [WALLET, SHARED_WALLET])
      await say(bob, dm, 'watch add', { wallet, style: 'each' });
    await fixture.say('watch add', { wallet: DESK_WALLET, label: 'Desk’s' });
    const agreed = await say(bob, dm, 'watch channel', { consensus: 2, 'consensus-within': '1h' });
    expect(agreed.content).toMatch(
      /^-# This DM: .*2 of its wallets buy the same outcome within 1 h/s,
    );
    // What another’s wallet buys does not count.
    await buy(DESK_WALLET, 1);
    await fixture.alerted(1);
    await buy(WALLET, 1);
    await fixture.alerted(1, dm);
    await buy(SHARED_WALLET, 1);
    await fixture.alerted(3, dm);
    expect(lines(dm).filter((line) => /\b2 wallets/.test(line))).toHaveLength(1);
    expect(JSON.stringify(received())).not.toContain('Desk’s');
    await trades(sale({ ...inMarket(1), price: 60 }));
    await fixture.alerted(4, dm);
    const result = received().find(({ content }) => content.includes(' SELL '));
    expect(result?.replyToId).toBe(received()[1]?.id);

    await fixture.bot.stop();
    await fixture.startBot({ WATCHES_PER_USER: '0' });
    const off = await say(bob, dm, 'watch add', { wallet: DESK_WALLET });
    expect(off.content).toContain('Private alerts are turned off here');
    await buy(WALLET, 3);
    await buy(DESK_WALLET, 3);
    await fixture.alerted(2);
    expect(lines(dm)).toHaveLength(4);
    expect(wordsOf(await say(bob, dm, 'activity', { wallet: WALLET }))).not.toContain('turned off');
  });

  it('gets each alert once over a kill and closed messages, and everything of them is deleted when they say so', async () => {
    const { fixture, discord, bob, dm, say, press, received, buy } = await openWorld({
      asProcess: true,
    });
    await say(bob, dm, 'watch add', { wallet: WALLET, label: 'Mine' });
    await say(bob, dm, 'watch add', { wallet: SHARED_WALLET });
    await say(bob, dm, 'watch digest', { every: 'week' });
    await say(bob, dm, 'activity', { wallet: WALLET });
    await fixture.say('watch add', { wallet: SHARED_WALLET, label: 'Desk’s' });
    for (const [index, step] of ['poll.stored', 'post.answered'].entries()) {
      await fixture.bot.stop();
      await fixture.startBot({ WALLETBELL_TEST_KILL_AT: step });
      const ended = once(fixture.bot.process, 'close');
      await buy(WALLET, 10 + index);
      await ended;
      await buy(SHARED_WALLET, 20 + index);
      await fixture.startBot();
      await fixture.alerted(2 * (index + 1), dm);
    }
    await fixture.alerted(2);
    expect(fixture.alerts(dm)).toHaveLength(4);

    discord.setTakesDms(bob.userId, false);
    await buy(WALLET, 30);
    expect(await fixture.logged('channel.blocked')).toMatchObject({ channel: dm });
    const refusals = () => discord.rejections.filter(({ code }) => code === 50_007).length;
    const before = refusals();
    expect(wordsOf(await say(bob, dm, 'watch list'))).toContain('send direct messages (50007)');
    await expect.poll(refusals).toBe(before + 1);
    const add = await say(bob, dm, 'watch add', { wallet: DESK_WALLET });
    expect(add.content).toContain('I can’t send you direct messages (50007), so nothing was saved');
    discord.setTakesDms(bob.userId, true);
    await say(bob, dm, 'watch list');
    await fixture.alerted(5, dm);
    await buy(WALLET, 31);
    await fixture.alerted(6, dm);
    expect(fixture.alerts(dm)).toHaveLength(6);

    const kept = await say(bob, dm, 'watch delete-data');
    expect(wordsOf(kept)).toContain('This deletes your 2 privately watched wallets');
    expect(wordsOf(await press(bob, kept, 'watch:delete-data:no'))).toContain(
      'Nothing was deleted',
    );
    const asked = await say(bob, dm, 'watch delete-data');
    expect(wordsOf(await press(bob, asked, 'watch:delete-data:yes'))).toContain(
      'All your data is deleted',
    );
    await buy(WALLET, 40);
    await buy(SHARED_WALLET, 41);
    await fixture.alerted(3);
    expect(received().filter(({ createdAtMs }) => createdAtMs > asked.createdAtMs)).toEqual([]);
    await fixture.bot.stop();
    const everything = await stored(fixture);
    for (const trace of [dm, `@${bob.userId}`, bob.userId, WALLET, 'Mine'])
      expect(everything).not.toContain(trace);
    expect(everything).toContain('Desk’s');
  });

  it('is answered by a process without shard 0, which keeps nothing of them', async () => {
    const fixture = await openFixture({ withoutBot: true });
    const { discord } = fixture;
    const registered = once(discord.events, 'commands');
    await fixture.startBot({ SHARDS: '0/2' });
    await registered;
    await fixture.bot.stop();
    // By Discord's rule: (id >> 22) % number of shards.
    const place = (BigInt(fixture.guildId) >> 22n) - 10n;
    const id = String((place - (place % 2n) + 1n) << 22n);
    discord.createGuild({ name: 'On shard 1', id, withBot: false });
    const foreign = discord.createChannel(id, { name: 'lobby' }).id;
    const { userId } = discord.createMember(id, { name: 'eve' });
    const eve: MemberRef = { userId, guildId: null };
    discord.setInstalled(userId, true);
    await fixture.startBot({ SHARDS: '1/2' });
    await fixture.trades(...Array.from({ length: 12 }, (_, market) => trade(inMarket(market))));
    const answer = await fixture.sayAs(eve, 'activity', { wallet: WALLET }, foreign);
    expect(answer.ephemeralFor).toBe(userId);
    const turned = await fixture.press(eve, answer, 'activity:\\d+:1');
    expect(wordsOf(turned)).not.toBe(wordsOf(answer));
    await fixture.bot.stop();
    expect(await stored(fixture)).not.toContain(userId);
  });
});
