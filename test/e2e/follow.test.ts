import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import { describe, expect, it } from 'vitest';
import { trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { openFixture, stored, textOf } from './fixture.ts';

const [OTHER, THIRD] = [`0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`];

describe('Alert me', { timeout: within(90_000) }, () => {
  it('opens a person’s direct message and gives them the channel’s alerts there', async () => {
    const fixture = await openFixture({ environment: { WATCHES_PER_USER: '2' } });
    const { discord, guildId, channelId, say, press, member, sayAs } = fixture;
    const { id: desk } = discord.createRole(guildId, { name: 'desk', mentionable: true });
    await say('watch add', { wallet: WALLET, label: 'Whale', kinds: 'buy, sell', mention: desk });
    await say('watch edit', { wallet: 'Whale', 'max-price': 94, cooldown: '90m' });
    for (const _ of ['asked', 'confirmed']) await say('watch channel', { words: 'only: rain' });
    await fixture.trades(trade());
    await fixture.alerted(1);
    await fixture.logged('alert.sent');
    const [alert] = fixture.posted();

    // Twice, as a thumb does that trembles.
    const details = await press(member, alert, 'details');
    const told = await Promise.all([1, 2].map(() => press(member, details, 'follow:')));
    const dm = discord.openDm(member.userId).id;
    const link = `[our direct message](https://discord.com/channels/@me/${dm})`;
    for (const { ephemeralFor } of told) expect(ephemeralFor).toBe(member.userId);
    expect(told.map((answer) => textOf(answer).split('\n')[0])).toEqual(
      expect.arrayContaining([
        `You’ll get alerts for **Whale** in ${link}. Only you can see them:`,
        `You already get alerts for **Whale** in ${link}.`,
      ]),
    );
    expect(discord.messages(dm).map(({ content }) => content)).toEqual([
      expect.stringContaining('Your private alerts will arrive here'),
    ]);
    const bob: MemberRef = { userId: member.userId, guildId: null };
    const own = textOf(await sayAs(bob, 'watch list', {}, dm));
    const settings =
      'only buys and sells · only markets with `rain` · trades at 94¢ or less · at most one alert per market every 1h30m';
    expect(own).toContain(settings);
    await fixture.trades(trade());
    await fixture.alerted(1, dm);

    // A wallet that nobody watches, from its card; then the person's limit is reached.
    await fixture.trades(trade({ trader: OTHER }));
    const card = await say('activity', { wallet: OTHER });
    const added = await press(member, card, 'follow:');
    expect(added.ephemeralFor).toBe(member.userId);
    expect(textOf(added)).toContain('• every buy, sell, redemption, deposit and withdrawal');
    await fixture.trades(trade({ trader: THIRD }));
    const full = await press(member, await say('activity', { wallet: THIRD }), 'follow:');
    expect(full.content).toContain('You watch 2, so there’s no room for another.');

    await fixture.trades(trade({ trader: OTHER }));
    await fixture.alerted(2, dm);
    expect(discord.messages(channelId).some(({ content }) => content.includes(WALLET_SHOWN))).toBe(
      false,
    );
    expect((await sayAs(bob, 'activity', { wallet: OTHER }, dm)).components).not.toMatchObject([
      { components: [{ custom_id: expect.stringContaining('follow') }] },
    ]);
  });

  it('says which words of the channel a person’s alerts do not go by', async () => {
    const { say, press, member, trades } = await openFixture();
    await trades(trade());
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    for (const _ of ['asked', 'confirmed']) {
      await say('watch edit', { wallet: 'Whale', words: 'only: rain' });
      await say('watch channel', { words: 'except: london' });
    }
    const card = await say('activity', { wallet: WALLET });
    const added = textOf(await press(member, card, 'follow:'));
    expect(added).toContain('only markets with `rain`');
    expect(added).toContain(
      '⚠️ The channel also has words for all its wallets: no markets with `london`. Your alerts don’t go by them.',
    );
  });

  it('stores nothing until the first message has gone out, and says why where it has not', async () => {
    const fixture = await openFixture();
    const { discord, guildId, say, press, member } = fixture;
    await fixture.trades(trade());
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    const card = await say('activity', { wallet: WALLET });
    const isStored = async () => (await stored(fixture)).includes(`@${member.userId}`);
    const pressed = async (who = member) => (await press(who, card, 'follow:')).content;

    discord.setTakesDms(member.userId, false);
    expect(await pressed()).toContain('(50007), so nothing was saved. Unblock me');
    expect(await isStored()).toBe(false);
    discord.setTakesDms(member.userId, true);
    discord.faults.refuseRest({ status: 403, code: 40003, route: 'POST /users/@me/channels' });
    expect(await pressed()).toContain('many people have pressed. Nothing was saved. Try again');
    expect(await isStored()).toBe(false);
    expect(discord.messages(discord.openDm(member.userId).id)).toEqual([]);
    const other = discord.createMember(guildId, { name: 'carol' });
    expect(await pressed({ userId: other.userId, guildId })).toContain(
      'Many people are starting right now.',
    );
  });

  it('is pressed by fifty at once, of whom ten begin and the others are told when to', async () => {
    const fixture = await openFixture();
    const { discord, guildId, say, press } = fixture;
    await fixture.trades(trade());
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    const card = await say('activity', { wallet: WALLET });
    const people = Array.from({ length: 50 }, (_, n): MemberRef => {
      const { userId } = discord.createMember(guildId, { name: `person ${n}` });
      return { userId, guildId };
    });
    const answers = await Promise.all(people.map((who) => press(who, card, 'follow:')));
    const begun = answers.filter((answer) => textOf(answer).includes('You’ll get alerts for'));
    const told = answers.filter(({ content }) => content.includes('Many people are starting'));
    expect(begun.length).toBeGreaterThanOrEqual(10);
    expect(begun.length + told.length).toBe(50);
    const greeted = people.filter(
      ({ userId }) => discord.messages(discord.openDm(userId).id).length > 0,
    );
    expect(greeted).toHaveLength(begun.length);
    expect(discord.rejections).toEqual([]);
  });

  it('says that the venue is away', async () => {
    const fixture = await openFixture();
    const { member, say, press } = fixture;
    await say('watch add', { wallet: WALLET });
    await fixture.trades(trade({ trader: OTHER }));
    const card = await say('activity', { wallet: OTHER });
    await fixture.venue.close();
    await fixture.logged('venue.unreachable');
    const told = textOf(await press(member, card, 'follow:'));
    expect(told).toContain('You’ll get alerts for');
    expect(told).toContain('⚠️ The exchange doesn’t answer properly.');
  });

  it('is not offered where people are not served', async () => {
    const fixture = await openFixture({ environment: { WATCHES_PER_USER: '0' } });
    await fixture.trades(trade());
    const card = await fixture.say('activity', { wallet: WALLET });
    expect(JSON.stringify(card.components)).not.toContain('follow:');
    const pressed = fixture.discord.press(fixture.member, card.id, `follow:${WALLET}`);
    await expect(pressed.then((use) => use.reply())).rejects.toThrow();
  });
});
