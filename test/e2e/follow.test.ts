import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import { describe, expect, it } from 'vitest';
import { trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { openFixture, textOf } from './fixture.ts';

const [OTHER, THIRD] = [`0x${'4'.repeat(40)}`, `0x${'5'.repeat(40)}`];

/** The commands that an answer has somebody type, with their options. */
function linesIn(answer: SeenMessage) {
  return [...textOf(answer).matchAll(/^\/(watch \w+) (.*)$/gm)].map(([, line = '', rest = '']) => {
    const given = [...rest.matchAll(/([a-z-]+): (.*?)(?= [a-z-]+: |$)/g)];
    const values = given.map(([, name = '', text = '']) => {
      const isFigure = /usdc$|price$/.test(name);
      return [name, isFigure ? Number(text) : text] as const;
    });
    return { line, values: Object.fromEntries(values) };
  });
}

describe('Alert me', { timeout: within(90_000) }, () => {
  it('gives a person the room’s alerts in their direct message, or what to type there', async () => {
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

    const details = await press(member, alert, 'details');
    const told = await press(member, details, 'follow:');
    expect(told.ephemeralFor).toBe(member.userId);
    expect(textOf(told)).toContain(`open my profile (<@${discord.bot.id}>)`);
    const lines = linesIn(told);
    expect(lines).toEqual([
      {
        line: 'watch add',
        values: { wallet: WALLET, label: 'Whale', kinds: 'buy, sell' },
      },
      {
        line: 'watch edit',
        values: {
          wallet: WALLET,
          words: 'only: rain',
          'min-price': 0,
          'max-price': 94,
          cooldown: '1h30m',
        },
      },
    ]);
    expect(fixture.logLines.filter(({ event }) => event === 'watch.added')).toHaveLength(1);

    const dm = discord.openDm(member.userId).id;
    const bob: MemberRef = { userId: member.userId, guildId: null };
    for (const { line, values } of lines) await sayAs(bob, line, values, dm);
    // Nothing is known here yet of what the wallet trades.
    await sayAs(bob, 'watch edit', lines[1]?.values ?? {}, dm);
    const own = textOf(await sayAs(bob, 'watch list', {}, dm));
    const settings =
      'only buys and sells · only markets with `rain` · trades at 94¢ or less · at most one alert per market every 1h30m';
    expect(own).toContain(settings);
    const again = await press(member, details, 'follow:');
    expect(textOf(again)).toBe(
      `You already get alerts for **Whale** in [our direct message](https://discord.com/channels/@me/${dm}).`,
    );

    // A wallet that nobody watches, from its card; then the person's room is full.
    await fixture.trades(trade({ trader: OTHER }));
    const card = await say('activity', { wallet: OTHER });
    const added = await press(member, card, 'follow:');
    expect(added.ephemeralFor).toBe(member.userId);
    expect(textOf(added)).toContain('• every buy, sell, redemption, deposit and withdrawal');
    await fixture.trades(trade({ trader: THIRD }));
    const full = await press(member, await say('activity', { wallet: THIRD }), 'follow:');
    expect(full.content).toContain('You watch 2, so there’s no room for another.');

    await fixture.trades(trade({ trader: OTHER }));
    await fixture.alerted(1, dm);
    expect(discord.messages(channelId).some(({ content }) => content.includes(WALLET_SHOWN))).toBe(
      false,
    );
    expect((await sayAs(bob, 'activity', { wallet: OTHER }, dm)).components).not.toMatchObject([
      { components: [{ custom_id: expect.stringContaining('follow') }] },
    ]);
  });

  it('says which words of the channel a person’s alerts do not go by', async () => {
    const { discord, say, sayAs, press, member, trades } = await openFixture();
    await trades(trade());
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    for (const _ of ['asked', 'confirmed']) {
      await say('watch edit', { wallet: 'Whale', words: 'only: rain' });
      await say('watch channel', { words: 'except: london' });
    }
    const card = await say('activity', { wallet: WALLET });
    const said =
      '⚠️ The channel also has words for all its wallets: no markets with `london`. Your alerts don’t go by them.';
    expect(textOf(await press(member, card, 'follow:'))).toContain(said);
    discord.setInstalled(member.userId, true);
    const dm = discord.openDm(member.userId).id;
    const person = { userId: member.userId, guildId: null };
    await sayAs(person, 'watch add', { wallet: OTHER }, dm);
    const added = textOf(await press(member, card, 'follow:'));
    expect(added).toContain('only markets with `rain`');
    expect(added).toContain(said);
  });

  it('says that the venue is away', async () => {
    const fixture = await openFixture();
    const { discord, member, say, sayAs, press } = fixture;
    discord.setInstalled(member.userId, true);
    const dm = discord.openDm(member.userId).id;
    await sayAs({ userId: member.userId, guildId: null }, 'watch add', { wallet: WALLET }, dm);
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
