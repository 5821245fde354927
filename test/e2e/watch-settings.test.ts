import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import type { OptionValues } from '@walletbell/local-discord/discord/people/commandline';
import { MessageFlags, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { inMarket, nowSeconds, sale, trade, transfer } from '../support/records.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { type Fixture, labelsOf, openFixture, openWatched, partsOf, textOf } from './fixture.ts';

const VISIBLE = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;
const USUAL = VISIBLE | PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks;

async function suggestions(
  fixture: Fixture,
  line: string,
  values: Record<string, string>,
  focused: string,
) {
  const found = await fixture.discord.autocomplete(
    fixture.admin,
    fixture.channelId,
    line,
    values,
    focused,
  );
  return found.map(({ name }) => name);
}

describe('quiet hours of a channel', () => {
  it('are typed with a zone, or by that of the digest, shown, kept, used and cleared; what cannot be read is refused', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId, say, refused } = fixture;
    const { id: desk } = discord.createRole(guildId, { name: 'desk', mentionable: true });
    await say('watch add', { wallet: WALLET, label: 'Whale', mention: desk });
    const zoned = { quiet: '22-7', 'time-zone': 'europe/berlin' };
    for (const [values, told] of [
      [{ quiet: '22:00-07:00' }, /^Which time zone\? Use `time-zone` together with `quiet`/],
      [{ 'time-zone': 'UTC' }, /there are none\. Use it together with `quiet`/],
      [{ ...zoned, quiet: 'nights' }, /`quiet` can’t be `nights`\. Use two times such as/],
      [{ ...zoned, quiet: '7-7' }, /`quiet` can’t be `7-7`/],
      [{ ...zoned, 'time-zone': 'Mars' }, /`time-zone` can’t be `Mars`/],
    ] as const) {
      expect(await refused('watch channel', values)).toMatch(told);
    }
    expect(textOf(await say('watch channel', {}))).not.toMatch(/quiet/i);
    const said = 'Quiet from 22:00 to 07:00 (Europe/Berlin): everything is posted without a sound';
    expect((await say('watch channel', zoned)).content).toContain(said);
    expect((await say('watch channel', { 'time-zone': 'UTC' })).content).toContain('07:00 (UTC)');
    expect((await say('watch channel', { quiet: 'none' })).content).toContain('no quiet hours');
    await say('watch digest', { every: 'day', 'time-zone': 'Europe/Berlin' });
    expect((await say('watch channel', { quiet: '22-7' })).content).toContain(said);

    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    expect(textOf(await say('watch list'))).toContain(
      `**<#${channelId}>** · quiet 22:00–07:00 (Europe/Berlin)\n• Whale`,
    );
    const now = new Date();
    const around = `${(now.getUTCHours() + 23) % 24}-${(now.getUTCHours() + 2) % 24}`;
    await say('watch channel', { quiet: around, 'time-zone': 'UTC' });
    await fixture.trades(trade({ quantity: 1 }));
    await fixture.alerted(1);
    const [silent] = fixture.posted();
    expect(silent).toMatchObject({ flags: MessageFlags.SuppressNotifications });
    expect(silent?.content).not.toContain(desk);
    await say('watch channel', { quiet: 'none' });
    await fixture.trades(trade({ quantity: 2, ...inMarket(777) }));
    await fixture.alerted(2);
    const [, loud] = fixture.posted();
    expect(loud?.flags ?? 0).toBe(0);
    expect(loud?.content).toContain(desk);
  });
});

describe('settings of a watch', () => {
  it('are given with the command, changed and cleared one by one, refused where wrong, and kept over a restart', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId, say } = fixture;
    const { id: desk } = discord.createRole(guildId, { name: 'desk' });
    const asked = { kinds: 'buys and sells', 'min-usdc': 500, mention: desk };
    const added = textOf(await say('watch add', { wallet: WALLET, label: 'Whale', ...asked }));
    for (const part of ['• only buys and sells', '• from $500', `• mentions <@&${desk}>`])
      expect(added).toContain(part);
    const unmentionable = /⚠️ I can’t mention .*Mention @everyone, @here, and All Roles/;
    expect(added, 'the role is not mentionable').toMatch(unmentionable);

    discord.setRole(guildId, desk, { mentionable: true });
    const unknown = await say('watch edit', {
      wallet: 'whale',
      kinds: 'sell',
      markets: 'only: 777, other-market',
      'min-price': 5,
      'max-price': 97.5,
      liquidity: 'maker',
      cooldown: '1h 30m',
      style: 'each',
      'mention-min-usdc': 10_000,
      'mention-cooldown': '10 min',
      'silent-below-usdc': 1_000,
    });
    expect(unknown.content).toMatch(/^⚠️ I don’t know any trade in `777`, `other-market`\. Check/);
    expect(textOf(await say('watch edit', { wallet: 'whale' })), 'not yet').not.toContain('777');
    const edited = await fixture.press(fixture.admin, unknown, 'watch:edit:');
    expect(edited.embeds[0]?.title).toBe('Changed: Whale');
    expect(edited).toMatchObject({ content: '', components: [] });
    const expected = [
      '• only sells',
      '• from $500',
      '• only in 777, other-market',
      '• trades at 5¢ to 97.5¢',
      '• only maker trades',
      '• at most one alert per market every 1h30m',
      '• one alert per fill',
      `• mentions <@&${desk}> from $10,000, at most once every 10m`,
      '• silent below $1,000',
    ].join('\n');
    const changed = textOf(edited).split('\n');
    expect(changed[0], 'what was changed is told').toBe(
      '• **only sells** (was only buys and sells)',
    );
    expect(changed[1]).toBe('• from $500');
    expect(changed).toContain('• **only maker trades**');
    expect(textOf(edited)).toContain('near-certain buys');

    for (const [values, told] of [
      [{ kinds: 'sell, bye' }, /`kinds` can’t be `sell, bye`\. Use `all`, or any of/],
      [{ 'min-price': 99, 'max-price': 40 }, /`min-price` \(99¢\) is above/],
      [
        { cooldown: '10', style: 'grouped' },
        /`cooldown` can’t be `10`\. Use a time from 1 s to 1 d/,
      ],
      [{ mention: guildId }, /@everyone/],
      [{ reset: 'everything' }, /`reset`/],
      [{ wallet: 'nobody', kinds: 'buy' }, /or the label/],
    ] as const) {
      expect(await fixture.refused('watch edit', { wallet: 'whale', ...values })).toMatch(told);
    }

    const chosen = (await say('watch channel', { view: 'compact', language: 'de' })).content;
    expect(chosen).toMatch(/one line per alert[\s\S]*\nLanguage of alerts and digests: Deutsch\./);
    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    expect(textOf(await say('watch list'))).toContain(
      `**<#${channelId}>** · compact view\n• Whale`,
    );
    const full = (await say('watch channel', { view: 'full' })).content;
    expect(full, 'it is kept').toContain('Language of alerts and digests: Deutsch.');
    const back = (await say('watch channel', { language: 'server' })).content;
    expect(back).toContain('Language of alerts and digests: the server’s language.');
    expect(textOf(await say('watch channel', {}))).not.toContain('Language of');
    const shown = await say('watch edit', { wallet: WALLET_SHOWN });
    expect(shown.embeds[0]?.title).toBe('Settings of Whale');
    expect(textOf(shown)).toContain(expected);

    await fixture.trades(trade({ quantity: 1, marketId: '777' }), sale({ quantity: 2 }));
    const taken = { marketId: '777', liquidityRole: 'TAKER' };
    await fixture.trades(sale({ quantity: 3, ...taken }));
    await fixture.ledger.addTransfer(WALLET, transfer());
    await fixture.ledger.addActivity(WALLET, 4, sale({ quantity: 4, marketId: '777' }));
    await fixture.alerted(1);
    expect(fixture.lines()).toEqual([expect.stringContaining('SELL 4 Yes')]);
    expect(discord.messages(channelId).at(-1)?.silent, 'it is below $1,000').toBe(true);

    const renamed = await say('watch edit', {
      wallet: 'Whale',
      label: 'Shark',
      kinds: 'all',
      'max-price': 100,
    });
    expect(renamed.embeds[0]?.title).toBe('Changed: Shark');
    expect(textOf(renamed)).toContain('trades at 5¢ or more');
    const cleared = await say('watch edit', { wallet: 'Shark', reset: 'all', label: 'none' });
    expect(textOf(cleared)).toContain('• ~~from $500~~\n');
    expect(textOf(cleared)).toContain('every buy, sell, redemption, deposit and withdrawal');
    expect(cleared.embeds[0]?.title).toBe('Changed: a wallet');
    expect(discord.rejections).toEqual([]);
    expect(discord.messages(channelId, 'all').flatMap(({ pings }) => pings.roleIds)).toEqual([]);
  });

  it('and wallets are suggested while they are typed, the best match and the latest first', async () => {
    const fixture = await openFixture();
    for (const [index, label] of ['Old whale', 'Whale', 'Shark'].entries())
      await fixture.say('watch add', { wallet: `0x${String(index + 1).repeat(40)}`, label });
    const named = async (line: string, wallet: string) =>
      (await suggestions(fixture, line, { wallet }, 'wallet')).map((name) =>
        name.replace(/ \(.*/, ''),
      );
    expect(await named('watch edit', 'wha')).toEqual(['Whale', 'Old whale']);
    await fixture.say('flows', { wallet: 'old whale' });
    expect((await named('watch pause', ''))[0]).toBe('Old whale');
    const kinds = { wallet: 'Whale', kinds: 'buy, s' };
    expect(await suggestions(fixture, 'watch edit', kinds, 'kinds')).toEqual(['buy, sell']);
    expect(await suggestions(fixture, 'watch edit', { cooldown: '10' }, 'cooldown')).toContain(
      '10m',
    );
    expect(await suggestions(fixture, 'watch add', { kinds: '' }, 'kinds')).toContain(
      'deposit, withdrawal',
    );
    expect(await suggestions(fixture, 'watch pause', { for: '2' }, 'for')).toContain('2h');
    expect(await suggestions(fixture, 'watch edit', { reset: 'pri' }, 'reset')).toEqual(['price']);
    expect(fixture.discord.rejections).toEqual([]);
  });
});

describe('a pause', () => {
  it('keeps silent also over a restart, makes up for nothing, and ends by resume', async () => {
    const fixture = await openWatched();
    const { refused, say } = fixture;
    expect(await refused('watch resume', { wallet: 'Whale' })).toContain('isn’t paused');
    const tooLong = await refused('watch pause', { wallet: 'Whale', for: '31d' });
    expect(tooLong).toContain('`for` can’t be `31d`. Use a time from 1 min to 30 d');
    const paused = await say('watch pause', { wallet: 'Whale', for: '2h' });
    expect(paused.content).toMatch(
      /\*\*Whale\*\* in <#\d+> is paused until <t:\d+:f> .*won’t be posted later/,
    );
    await fixture.bot.stop();
    await fixture.startBot();
    await fixture.ledger.addActivity(WALLET, 1, trade({ quantity: 1 }));
    await fixture.logged('poll.fresh');
    expect(textOf(await say('watch list'))).toContain('⏸️ paused until <t:');
    // Traded in the pause, and seen after it perhaps: it stays silent either way.
    await fixture.ledger.addActivity(WALLET, 2, trade({ quantity: 2, time: nowSeconds() - 5 }));
    const resumed = await say('watch resume', { wallet: 'Whale' });
    expect(resumed.content).toContain('**Whale** in');
    await fixture.ledger.addActivity(WALLET, 3, trade({ quantity: 3 }));
    await fixture.alerted(1);
    expect(fixture.lines()).toEqual([expect.stringContaining('BUY 3 Yes')]);

    const all = await say('watch pause');
    expect(all.content).toContain('The only watched wallet in');
    const press = (message: SeenMessage, who = fixture.admin) =>
      fixture.press(who, message, 'watch:resume:');
    expect((await press(all, fixture.member)).content).toContain(
      'Only people with the permission Manage Server',
    );
    expect((await press(all)).content).toMatch(/^▶️ .* on again/);
    expect(await refused('watch resume', {})).toMatch(/Nothing is paused in/);
    const one = await say('watch pause', { wallet: 'Whale', for: '1h' });
    const resumedOne = await press(one, fixture.german);
    expect(resumedOne.content).toMatch(/^▶️ Ab jetzt .* \*\*Whale\*\*/);
    expect(resumedOne.components).toEqual([]);
    await say('watch pause');
    expect(textOf(await say('watch edit', { wallet: 'Whale' }))).toContain(
      'paused until someone uses',
    );
    expect((await say('watch resume')).content).toContain('on again');
    expect(await refused('watch resume', {})).toMatch(/Nothing is paused in <#\d+>/);
    const { id: empty } = fixture.discord.createChannel(fixture.guildId, { name: 'empty' });
    expect(await refused('watch pause', { channel: empty })).toContain('No wallets are watched in');
  });

  it('comes from the button under an alert, for those who may, and everybody sees by whom and how to undo it', async () => {
    const fixture = await openWatched();
    const { discord, german, press } = fixture;
    await fixture.ledger.addActivity(WALLET, 1, trade({ quantity: 1 }));
    await fixture.alerted(1);
    const [alert] = fixture.posted();
    const mute = (who = fixture.admin) => press(who, alert, `watch:mute:${WALLET}:`);

    const refused = await mute(fixture.member);
    expect(refused.ephemeralFor).toBe(fixture.member.userId);
    expect(refused.content).toContain('Manage Server');

    // What the channel reads is in its language, whatever that of whoever pressed.
    const told = await mute(german);
    expect(told.ephemeralFor).toBeNull();
    expect(told.replyToId).toBe(alert?.id);
    expect(told.content).toMatch(
      new RegExp(`<@${german.userId}> muted \\*\\*Whale\\*\\* .*1 h \\(until <t:`),
    );
    expect(told.pings.userIds).toEqual([]);
    expect(fixture.posted()[0]?.components, 'the alert stays as it was').toEqual(alert?.components);
    const again = await mute();
    expect(again.ephemeralFor).toBe(fixture.admin.userId);
    expect(again.content).toMatch(/already paused until/);

    fixture.logLines.length = 0;
    await fixture.ledger.addActivity(WALLET, 2, trade({ quantity: 2 }));
    await fixture.logged('poll.fresh');
    const unmute = (who: MemberRef) => press(who, told, `watch:resume:${WALLET}`);
    expect((await unmute(fixture.member)).ephemeralFor).toBe(fixture.member.userId);
    const undone = await unmute(fixture.admin);
    expect(undone.id).toBe(told.id);
    expect(undone.content).toContain('on again');
    expect(undone.components).toEqual([]);
    await fixture.ledger.addActivity(WALLET, 3, sale({ quantity: 3 }));
    await fixture.until(() => fixture.lines().includes('Whale SELL 3 Yes'));
    expect(JSON.stringify(fixture.alerts())).not.toContain('BUY 2 ');

    await fixture.say('watch remove', { wallet: 'Whale' });
    expect((await mute()).content).toContain('isn’t watched');
    expect(discord.rejections).toEqual([]);
  });
});

describe('words and markets', () => {
  it('of a watch and of its channel must both let a market pass; words are suggested, and both asked for twice where none is known', async () => {
    const fixture = await openFixture();
    const { discord, admin, german, ledger, press, trades, say } = fixture;
    const bought = (quantity: number, marketTitle: string, eventSlug: string) =>
      trade({ ...inMarket(quantity), quantity, marketTitle, eventSlug });
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    await trades(bought(1, 'Lakers win?', 'nba-finals'));
    await fixture.alerted(1);
    const asked = await say('watch edit', { wallet: 'Whale', words: 'only: NBA, bitcoin, chess' });
    expect(asked.content, 'it has traded an nba market').toBe(
      '⚠️ I don’t know any trade in a market with `bitcoin`, `chess`. Check the spelling.\n' +
        'Nothing changed. If it’s right, press the button, or send the same command once more.',
    );
    expect((await press(german, asked, 'watch:edit:')).content).toBe(
      'Diesen Button kann nur drücken, wer den Befehl gesendet hat.',
    );
    expect(textOf(await say('watch edit', { wallet: 'Whale' }))).not.toContain('only markets');
    const edited = await press(admin, asked, 'watch:edit:');
    expect(textOf(edited)).toContain('• **only markets with `nba`, `bitcoin`, `chess`**');
    expect(edited, 'the question has gone').toMatchObject({ content: '', components: [] });
    expect(await fixture.refused('watch edit', { wallet: 'Whale', words: 'only: $$$' })).toMatch(
      /^`words` can’t be `only: \$\$\$`\. Use `only: WORD, TWO WORDS` or .* Nothing changed\.$/,
    );
    const typed = async (words: string) =>
      (await fixture.sayAs(german, 'watch channel', { words })).content;
    expect(await typed('only: UP')).toContain('⚠️ Ich kenne keinen Trade in einem Markt mit `up`.');
    expect(textOf(await say('watch list'))).not.toContain('markets with `up`');
    expect(await typed('only: UP'), 'typed again').toContain(
      'Seine Meldungen: nur Märkte mit `up`.',
    );
    // What is left out harms nobody, also where it is mistyped.
    const left = await typed('except: UP or Dówn');
    expect(left.split('\n')).toContain('Seine Meldungen: keine Märkte mit `up or dówn`.');
    expect(left, 'what stayed is small').toContain('-# Ergebnisse sind an.');
    expect(await typed('except: up or dówn')).toMatch(/^Es wurde nichts geändert\.\n/);
    const refused = await fixture.sayAs(german, 'watch channel', { words: 'except:' });
    expect(refused.content).toContain('`except:` passt nicht zu `wörter`');
    const inGerman = await fixture.sayAs(german, 'watch edit', { wallet: 'Whale' });
    expect(textOf(inGerman)).toContain('• nur Märkte mit `nba`, `bitcoin`, `chess`');
    expect(textOf(await say('watch list'))).toContain('no markets with `up or dówn`');

    await trades(bought(2, 'Bitcoin up or down?', 'btc'), bought(3, 'Will WNBA fold?', 'wnba'));
    await trades(bought(4, 'Will Bitcoin rise?', 'btc'));
    await ledger.addTransfer(WALLET, transfer());
    await fixture.alerted(3);
    const seen = JSON.stringify(fixture.alerts());
    expect([2, 3, 4].filter((quantity) => seen.includes(`BUY ${quantity} Yes`))).toEqual([4]);
    expect(
      await suggestions(fixture, 'watch channel', { words: 'except: law, lak' }, 'words'),
    ).toEqual(['except: law, lak', 'only: law, lak', 'except: law, lakers']);
    expect((await say('watch channel', { words: 'any' })).content).not.toContain('Its alerts');
    expect(discord.rejections).toEqual([]);

    // So are ids and slugs of markets.
    const edit = (markets: string) => say('watch edit', { wallet: WALLET, markets });
    const doubts = (names: string) => `⚠️ I don’t know any trade in ${names}. Check the id or slug.`;
    expect((await edit('only: rain-in-pairs, 1')).content).toContain(doubts('`rain-in-pairs`'));
    expect((await edit('only: Rain-in-Paris')).content, 'it has traded that').toBe('');
    await fixture.venue.close();
    expect((await edit('only: foo, bar')).content).toContain(doubts('`foo`, `bar`'));
    expect((await edit('only: bar, foo')).content, 'another').toContain(doubts('`bar`, `foo`'));
    expect((await edit('only: foo, bar')).content, 'typed again').toBe('');
    expect((await edit('except: foo, bar, quux')).content, 'leaves out').toBe('');
    expect((await edit('only: foo')).content, 'that is set already').toBe('');
    const again = await edit('only: foo');
    expect(again.embeds[0]?.title).toMatch(/^Settings of /);
    expect(textOf(again)).toMatch(/^Nothing changed\.\n/);
    const late = await edit('only: baz');
    await fixture.bot.stop();
    await fixture.startBot();
    expect((await press(admin, late, 'watch:edit:')).content).toBe('This button no longer works.');
    expect((await edit('only: baz')).content).toContain(doubts('`baz`'));
    const pressed = await press(admin, await edit('only: qux'), 'watch:edit:');
    expect(textOf(pressed)).toContain('• **only in qux** (was only in foo)');
  });

  it('are not doubted that another wallet of the channel has traded', async () => {
    const fixture = await openFixture();
    const other = `0x${'3'.repeat(40)}`;
    await fixture.say('watch add', { wallet: WALLET });
    await fixture.say('watch add', { wallet: other });
    await fixture.trades(trade({ trader: other }));
    await fixture.alerted(1);
    const markets = 'only: rain-in-paris';
    expect((await fixture.say('watch edit', { wallet: WALLET, markets })).content).toBe('');
    const { id: elsewhere } = fixture.discord.createChannel(fixture.guildId, { name: 'others' });
    await fixture.say('watch add', { wallet: WALLET, channel: elsewhere });
    const asked = { wallet: WALLET, markets, channel: elsewhere };
    expect((await fixture.say('watch edit', asked)).content).toContain('`rain-in-paris`');
  });
});

describe('a flood', () => {
  it('is foreseen by /watch add, which offers less by two buttons, each undone by one, for those who may', async () => {
    const fixture = await openFixture();
    const { discord, admin, member, german, channelId, press, say } = fixture;
    const price = { grossValue: 250, transferNetAmount: 250 };
    const often = (nth: number) =>
      [0, 1].map((piece) =>
        trade({ ...inMarket(nth % 3), ...price, time: nowSeconds() - (24 - nth) * 300 + piece }),
      );
    await fixture.trades(...Array.from({ length: 24 }, (_, nth) => often(nth)).flat());
    const quiet = `0x${'9'.repeat(40)}`;
    const seldom = (nth: number) =>
      trade({ ...inMarket(nth), trader: quiet, time: nowSeconds() - 86_400 + nth * 60 });
    await fixture.trades(...Array.from({ length: 12 }, (_, nth) => seldom(nth)));
    const labels = (message: SeenMessage) => labelsOf(message).flat();
    const idOf = (message: SeenMessage, nth: number) =>
      partsOf(message).flat()[nth]?.custom_id ?? '';

    const calm = await fixture.sayAs(fixture.german, 'watch add', {
      wallet: quiet,
      label: 'Ruhig',
    });
    expect(textOf(calm)).toMatch(/Etwa 12 Trades pro Tag, nach (1 d|23 h) gerechnet/);
    expect(labels(calm)).toEqual(['So sieht das aus', 'Einstellungen']);

    const added = await say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(textOf(added)).toMatch(/About 2[89]0 trades a day, by its last 2 h/);
    expect(labels(added)).toEqual([
      'Max 1 alert per market every 10 min',
      'Only from $250, its usual size',
      'Show me how that looks',
      'Settings',
    ]);
    const refused = await press(member, added, idOf(added, 0));
    expect([refused.ephemeralFor, refused.content]).toEqual([
      member.userId,
      expect.stringContaining('Manage Server'),
    ]);

    const slow = await press(admin, added, idOf(added, 0));
    expect(slow.id).toBe(added.id);
    const changed = `<@${admin.userId}> changed the alerts for **Whale** in <#${channelId}>`;
    expect(slow.content).toBe(`${changed}: at most one alert per market every 10m.`);
    expect(slow.pings.userIds).toEqual([]);
    expect(labels(slow)).toEqual([
      'Undo: Max 1 alert per market every 10 min',
      'Only from $250, its usual size',
      'Show me how that looks',
      'Settings',
    ]);
    // The answer is that of a person, whatever the channel's language.
    const large = await press(german, added, idOf(slow, 1));
    expect(large.content).toBe(
      `<@${german.userId}> hat die Meldungen zu **Whale** in <#${channelId}> geändert: ab 250\u00a0$.`,
    );
    await say('watch channel', { language: 'de' });
    const settings = async () => textOf(await say('watch edit', { wallet: 'Whale' }));
    expect(await settings()).toContain('• from $250\n• at most one alert per market every 10m');
    const undone = await press(admin, added, idOf(large, 0));
    expect(undone.content).toContain('undid this for **Whale**');
    expect(await settings()).not.toContain('• at most one alert');

    await say('watch edit', { wallet: 'Whale', cooldown: '1h' });
    const late = await press(admin, added, idOf(undone, 0));
    expect([late.ephemeralFor, late.content]).toEqual([
      admin.userId,
      expect.stringContaining('Nothing changed.'),
    ]);
    expect(await settings()).toContain('at most one alert per market every 1h');
    const forged = `watch:add:${channelId}:${WALLET}:large:-1`;
    await expect(press(admin, added, forged)).rejects.toThrow();
    expect(discord.rejections).toEqual([]);
  });
});

describe('/watch list', () => {
  it('shows settings, pauses and polls in words, over as many pages as it takes', async () => {
    const fixture = await openFixture();
    const { discord, say } = fixture;
    const { id: other } = discord.createChannel(fixture.guildId, { name: 'other' });
    const labels = Array.from(
      { length: 21 },
      (_, index) => `Desk ${String(index + 1).padStart(2, '0')}`,
    );
    const add = (label: string, index: number) => {
      const wallet = `0x${(index + 1).toString(16).padStart(40, '0')}`;
      return say(
        'watch add',
        { wallet, label, 'min-usdc': index + 1 },
        index < 15 ? fixture.channelId : other,
      );
    };
    await Promise.all(labels.map(add));
    await say('watch pause', { wallet: 'Desk 01' });
    const desk02 = { wallet: 'Desk 02', markets: 'a1, a2, a3, a4, a5', style: 'each' };
    for (const _ of ['asked', 'confirmed']) await say('watch edit', desk02);
    // Two rounds of polls tell how fast they go.
    for (const round of [1, 2]) {
      await fixture.trades(trade({ ...inMarket(round), trader: `0x${'3'.padStart(40, '0')}` }));
      await fixture.alerted(round);
    }

    const first = await say('watch list');
    expect(first.ephemeralFor).toBe(fixture.admin.userId);
    expect(first.embeds[0]?.title).toBe('21 watched wallets in 2 channels');
    expect(textOf(first)).toMatch(
      /• Desk 01 · from \$1(?: · last trade <t:\d+:R>)?\n\u2003⏸️ paused until someone/,
    );
    expect(textOf(first)).toContain('from $2 · only in a1, a2, a3 and 2 more · one alert per fill');

    const pages = [textOf(first)];
    const turn = (from: number, who = fixture.admin, message = first) =>
      fixture.press(who, message, `watch:list:${from}`);
    for (const [index, shown] of [
      [10, 'Lines 11–20 of 21'],
      [20, 'Lines 21–21 of 21'],
    ] as const) {
      const next = await turn(index);
      expect(next.embeds[0]?.footer?.text).toBe(shown);
      pages.push(textOf(next));
    }
    expect(pages.flatMap((page) => page.match(/Desk \d\d/g) ?? [])).toEqual(labels);
    expect(pages[1]).toContain(`**<#${fixture.channelId}>**`);
    expect(pages[1]).toContain(`**<#${other}>**`);
    expect(pages[2]).not.toContain(`<#${fixture.channelId}>`);
    await expect
      .poll(async () => textOf(await say('watch list')))
      .toMatch(/• Desk 03 · from \$3 · last trade <t:\d+:R>\n• Desk 04 · from \$4\n• /);

    const ask = (line: string, values: OptionValues) => fixture.sayAs(fixture.german, line, values);
    const list = await ask('watch list', {});
    expect(list.embeds[0]?.title).toBe('21 beobachtete Wallets in 2 Kanälen');
    expect(textOf(list)).toContain(
      'ab 2\u00a0$ · nur in a1, a2, a3 und 2 weitere · eine Meldung pro Ausführung',
    );
    const turned = await turn(10, fixture.german, list);
    expect(turned.embeds[0]?.footer?.text).toBe('Zeilen 11–20 von 21');
    expect((await ask('watch pause', { wallet: 'Desk 03', for: '2 h' })).content).toMatch(
      /^⏸️ \*\*Desk 03\*\* in <#\d+> ist pausiert bis <t:.* wird nicht nachgereicht\..* `\/beobachten fortsetzen`\.$/,
    );
    const kinds = await ask('watch edit', { wallet: 'Desk 04', kinds: 'Käufe und Verkäufe' });
    expect(textOf(kinds)).toContain('• **nur Käufe und Verkäufe**');
    const soon = await ask('watch edit', { wallet: 'Desk 04', cooldown: 'bald' });
    expect(soon.content).toContain('`bald` passt nicht zu `abstand`');

    discord.setBotPermissions(other, USUAL);
    const { id: desk } = discord.createRole(fixture.guildId, { name: 'desk' });
    await say('watch edit', { wallet: 'Desk 21', mention: desk, channel: other });
    await turn(10);
    const last = await turn(20);
    expect(last.embeds[0]?.title, 'a role is no trouble of the channel').toBe(
      '21 watched wallets in 2 channels',
    );
    expect(textOf(last)).toMatch(/⚠️ I can’t mention <@&\d+> in <#\d+>/);
    expect(discord.rejections).toEqual([]);
  });
});
