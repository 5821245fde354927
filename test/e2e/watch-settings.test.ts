import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { alertsIn } from '../support/alert-lines.ts';
import { type Fixture, inMarket, openFixture, sale, trade, transfer, WALLET, WALLET_SHOWN } from './fixture.ts';

const VISIBLE = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;
const USUAL = VISIBLE | PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks;

type Values = Record<string, string | number>;

async function say(
  fixture: Fixture,
  line: string,
  values: Values = {},
  channelId = fixture.channelId,
): Promise<SeenMessage> {
  return (await fixture.discord.command(fixture.admin, channelId, line, values)).reply();
}

async function refusal(fixture: Fixture, line: string, values: Values): Promise<string> {
  const answer = await say(fixture, line, values);
  expect(answer.ephemeralFor, 'only the person who typed it sees an error').toBe(fixture.admin.userId);
  return answer.content;
}

function resumeId({ components }: SeenMessage): string {
  return /watch:resume:[\w:]+/.exec(JSON.stringify(components))?.[0] ?? '';
}

function texts(answer: SeenMessage): string {
  return answer.embeds[0]?.description ?? '';
}

async function suggestions(fixture: Fixture, line: string, values: Record<string, string>, focused: string) {
  const found = await fixture.discord.autocomplete(fixture.admin, fixture.channelId, line, values, focused);
  return found.map(({ name }) => name);
}

/** Starting the bot twice takes its time on a busy machine. */
const PATIENT = { timeout: 60_000 };

describe('settings of a watch', PATIENT, () => {
  it('are given with the command, changed and cleared one by one, refused where wrong, and kept over a restart', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId } = fixture;
    const { id: desk } = discord.createRole(guildId, { name: 'desk' });
    const added = await say(fixture, 'watch add', {
      wallet: WALLET,
      label: 'Whale',
      kinds: 'buys and sells',
      'min-usdc': 500,
      mention: desk,
    });
    for (const part of ['• only buys and sells', '• from $500', `• mentions <@&${desk}>`]) {
      expect(texts(added)).toContain(part);
    }
    expect(texts(added), 'the role is not mentionable').toMatch(
      /⚠️ I can’t mention .*Mention @everyone, @here, and All Roles/,
    );

    discord.setRole(guildId, desk, { mentionable: true });
    const edited = await say(fixture, 'watch edit', {
      wallet: 'whale',
      kinds: 'sell',
      markets: 'except: 777, other-market',
      'min-price': 5,
      'max-price': 97.5,
      liquidity: 'maker',
      cooldown: '1h 30m',
      style: 'each',
      'mention-min-usdc': 10_000,
      'mention-cooldown': '10 min',
      'silent-below-usdc': 1_000,
    });
    expect(edited.embeds[0]?.title).toBe('Changed: Whale');
    const expected = [
      '• only sells',
      '• from $500',
      '• not in 777, other-market',
      '• trades at 5¢ to 97.5¢',
      '• only maker trades',
      '• at most one alert per market every 1h30m',
      '• one alert per fill',
      `• mentions <@&${desk}> from $10,000, at most once every 10m`,
      '• silent below $1,000',
    ].join('\n');
    expect(texts(edited)).toContain(expected);
    expect(texts(edited)).toContain('near-certain buys');
    expect(texts(edited).match(/^⚠️.*$/gm)).toEqual([
      '⚠️ None of the trades I know is in `777`, `other-market`. Check the id or slug.',
    ]);

    for (const [values, told] of [
      [{ kinds: 'sell, bye' }, /`kinds` can’t be `sell, bye`\. Use `all`, or any of/],
      [{ 'min-price': 99, 'max-price': 40 }, /`min-price` \(99¢\) is above/],
      [{ cooldown: '10', style: 'grouped' }, /`cooldown` can’t be `10`\. Use a time from 1 s to 1 d/],
      [{ mention: guildId }, /@everyone/],
      [{ reset: 'everything' }, /`reset`/],
      [{ wallet: 'nobody', kinds: 'buy' }, /or the label/],
    ] as const) {
      expect(await refusal(fixture, 'watch edit', { wallet: 'whale', ...values })).toMatch(told);
    }

    const chosen = (await say(fixture, 'watch channel', { view: 'compact', language: 'de' })).content;
    expect(chosen).toMatch(/one line per alert[\s\S]*\nLanguage of alerts and digests: Deutsch\./);
    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    expect(texts(await say(fixture, 'watch list'))).toContain(`**<#${channelId}>** · compact view\n• Whale`);
    expect((await say(fixture, 'watch channel', { view: 'full' })).content, 'it is kept').toContain(
      'Language of alerts and digests: Deutsch.',
    );
    const back = (await say(fixture, 'watch channel', { language: 'server' })).content;
    expect(back).toContain('Language of alerts and digests: the server’s language.');
    expect((await say(fixture, 'watch channel', {})).content).not.toContain('Language of');
    const shown = await say(fixture, 'watch edit', { wallet: WALLET_SHOWN });
    expect(shown.embeds[0]?.title).toBe('Settings of Whale');
    expect(texts(shown)).toContain(expected);

    await fixture.ledger.addActivity(WALLET, 1, trade({ quantity: 1 }));
    await fixture.ledger.addActivity(WALLET, 2, sale({ quantity: 2, marketId: '777' }));
    await fixture.ledger.addActivity(WALLET, 3, sale({ quantity: 3, liquidityRole: 'TAKER' }));
    await fixture.ledger.addTransfer(WALLET, transfer());
    await fixture.ledger.addActivity(WALLET, 4, sale({ quantity: 4 }));
    await fixture.alerted(1);
    expect(fixture.alerts().map(({ line }) => line)).toEqual([expect.stringContaining('SELL 4 Yes')]);
    expect(discord.messages(channelId).at(-1)?.silent, 'it is below $1,000').toBe(true);

    const renamed = await say(fixture, 'watch edit', {
      wallet: 'Whale',
      label: 'Shark',
      kinds: 'all',
      'max-price': 100,
    });
    expect(renamed.embeds[0]?.title).toBe('Changed: Shark');
    expect(texts(renamed)).toContain('trades at 5¢ or more');
    const cleared = await say(fixture, 'watch edit', { wallet: 'Shark', reset: 'all', label: 'none' });
    expect(texts(cleared)).toContain('every buy, sell, redemption, deposit and withdrawal');
    expect(cleared.embeds[0]?.title).toBe('Changed: a wallet');
    expect(discord.rejections).toEqual([]);
    expect(discord.messages(channelId, 'all').flatMap(({ pings }) => pings.roleIds)).toEqual([]);
  });

  it('and wallets are suggested while they are typed, the best match and the latest first', async () => {
    const fixture = await openFixture();
    const wallets = ['Old whale', 'Whale', 'Shark'].map((label, index) => ({
      label,
      wallet: `0x${String(index + 1).repeat(40)}`,
    }));
    for (const { label, wallet } of wallets) await say(fixture, 'watch add', { wallet, label });
    const named = (list: readonly string[]) => list.map((name) => name.replace(/ \(.*/, ''));
    expect(named(await suggestions(fixture, 'watch edit', { wallet: 'wha' }, 'wallet'))).toEqual([
      'Whale',
      'Old whale',
    ]);
    await say(fixture, 'flows', { wallet: 'old whale' });
    expect(named(await suggestions(fixture, 'watch pause', { wallet: '' }, 'wallet'))[0]).toBe('Old whale');
    expect(await suggestions(fixture, 'watch edit', { wallet: 'Whale', kinds: 'buy, s' }, 'kinds')).toEqual([
      'buy, sell',
    ]);
    expect(await suggestions(fixture, 'watch edit', { cooldown: '10' }, 'cooldown')).toContain('10m');
    expect(await suggestions(fixture, 'watch add', { kinds: '' }, 'kinds')).toContain('deposit, withdrawal');
    expect(await suggestions(fixture, 'watch pause', { for: '2' }, 'for')).toContain('2h');
    expect(await suggestions(fixture, 'watch edit', { reset: 'pri' }, 'reset')).toEqual(['price']);
    expect(fixture.discord.rejections).toEqual([]);
  });
});

describe('a pause', PATIENT, () => {
  it('keeps silent also over a restart, makes up for nothing, and ends by resume', async () => {
    const fixture = await openFixture();
    await say(fixture, 'watch add', { wallet: WALLET, label: 'Whale' });
    expect(await refusal(fixture, 'watch resume', { wallet: 'Whale' })).toContain('isn’t paused');
    expect(await refusal(fixture, 'watch pause', { wallet: 'Whale', for: '31d' })).toMatch(
      /`for` can’t be `31d`\. Use a time from 1 min to 30 d/,
    );
    const paused = await say(fixture, 'watch pause', { wallet: 'Whale', for: '2h' });
    expect(paused.content).toMatch(/\*\*Whale\*\* in <#\d+> is paused until <t:\d+:f> .*won’t be posted later/);
    await fixture.bot.stop();
    await fixture.startBot();
    await fixture.ledger.addActivity(WALLET, 1, trade({ quantity: 1 }));
    await fixture.logged('poll.fresh');
    expect(texts(await say(fixture, 'watch list'))).toContain('⏸️ paused until <t:');
    // Traded in the pause, and seen after it perhaps: it stays silent either way.
    await fixture.ledger.addActivity(WALLET, 2, trade({ quantity: 2, time: Math.floor(Date.now() / 1000) - 5 }));
    const resumed = await say(fixture, 'watch resume', { wallet: 'Whale' });
    expect(resumed.content).toContain('**Whale** in');
    await fixture.ledger.addActivity(WALLET, 3, trade({ quantity: 3 }));
    await fixture.alerted(1);
    expect(fixture.alerts().map(({ line }) => line)).toEqual([expect.stringContaining('BUY 3 Yes')]);

    const all = await say(fixture, 'watch pause');
    expect(all.content).toContain('The only watched wallet in');
    const german = fixture.discord.createMember(fixture.guildId, { name: 'eva', admin: true, locale: 'de' });
    const press = async (message: SeenMessage, who = fixture.admin) =>
      (await fixture.discord.press(who, message.id, resumeId(message))).reply();
    expect((await press(all, fixture.member)).content).toContain('Only people with the permission Manage Server');
    expect((await press(all)).content).toMatch(/^▶️ .* on again/);
    expect(await refusal(fixture, 'watch resume', {})).toMatch(/Nothing is paused in/);
    const one = await say(fixture, 'watch pause', { wallet: 'Whale', for: '1h' });
    const resumedOne = await press(one, german);
    expect(resumedOne.content).toMatch(/^▶️ Ab jetzt .* \*\*Whale\*\*/);
    expect(resumedOne.components).toEqual([]);
    await say(fixture, 'watch pause');
    expect(texts(await say(fixture, 'watch edit', { wallet: 'Whale' }))).toContain('paused until someone uses');
    expect((await say(fixture, 'watch resume')).content).toContain('on again');
    expect(await refusal(fixture, 'watch resume', {})).toMatch(/Nothing is paused in <#\d+>/);
    const { id: empty } = fixture.discord.createChannel(fixture.guildId, { name: 'empty' });
    expect(await refusal(fixture, 'watch pause', { channel: empty })).toContain('No wallets are watched in');
  });

  it('comes from the button under an alert, for those who may, and everybody sees by whom and how to undo it', async () => {
    const fixture = await openFixture();
    const { discord, channelId } = fixture;
    await say(fixture, 'watch add', { wallet: WALLET, label: 'Whale' });
    await fixture.ledger.addActivity(WALLET, 1, trade({ quantity: 1 }));
    const { id: alert, components } = await discord.waitForMessage(
      channelId,
      ({ interactionId, embeds }) => interactionId === null && embeds.length > 0,
      20_000,
    );
    const [mute = ''] = new RegExp(`watch:mute:${WALLET}:[^"]+`).exec(JSON.stringify(components)) ?? [];

    const refused = await (await discord.press(fixture.member, alert, mute)).reply();
    expect(refused.ephemeralFor).toBe(fixture.member.userId);
    expect(refused.content).toContain('Manage Server');

    // What the channel reads is in its language, whatever that of whoever pressed.
    discord.setLocale(fixture.admin.userId, 'de');
    const told = await (await discord.press(fixture.admin, alert, mute)).reply();
    discord.setLocale(fixture.admin.userId, 'en-US');
    expect(told.ephemeralFor).toBeNull();
    expect(told.replyToId).toBe(alert);
    expect(told.content).toMatch(new RegExp(`<@${fixture.admin.userId}> muted \\*\\*Whale\\*\\* .*1 h \\(until <t:`));
    expect(told.pings.userIds).toEqual([]);
    expect(discord.message(alert)?.components, 'the alert stays as it was').toHaveLength(1);
    const again = await (await discord.press(fixture.admin, alert, mute)).reply();
    expect(again.ephemeralFor).toBe(fixture.admin.userId);
    expect(again.content).toMatch(/already paused until/);

    fixture.logLines.length = 0;
    await fixture.ledger.addActivity(WALLET, 2, trade({ quantity: 2 }));
    await fixture.logged('poll.fresh');
    const unmute = `watch:resume:${WALLET}`;
    const member = await (await discord.press(fixture.member, told.id, unmute)).reply();
    expect(member.ephemeralFor).toBe(fixture.member.userId);
    const undone = await (await discord.press(fixture.admin, told.id, unmute)).reply();
    expect(undone.id).toBe(told.id);
    expect(undone.content).toContain('on again');
    expect(undone.components).toEqual([]);
    await fixture.ledger.addActivity(WALLET, 3, sale({ quantity: 3 }));
    await discord.waitForMessage(channelId, (seen) => alertsIn(seen).some(({ line }) => line.includes('SELL 3')));
    expect(JSON.stringify(fixture.alerts())).not.toContain('BUY 2 ');

    await say(fixture, 'watch remove', { wallet: 'Whale' });
    expect((await (await discord.press(fixture.admin, alert, mute)).reply()).content).toContain('isn’t watched');
    expect(discord.rejections).toEqual([]);
  });
});

describe('markets of a watch', PATIENT, () => {
  it('are taken as they are typed, with a warning where no trade is known in them', async () => {
    const fixture = await openFixture();
    await fixture.ledger.addActivity(WALLET, 1, trade({ marketSlug: 'rain-in-paris', marketId: '501' }));
    const warned = async (markets: string) =>
      texts(await say(fixture, 'watch edit', { wallet: WALLET, markets })).match(/^⚠️.*$/gm);
    await say(fixture, 'watch add', { wallet: WALLET });
    expect(await warned('only: rain-in-pairs, 501')).toEqual([
      '⚠️ None of the trades I know is in `rain-in-pairs`. Check the id or slug.',
    ]);
    expect(await warned('only: Rain-in-Paris')).toBe(null);
    expect(await warned('except: foo, bar')).toEqual([
      '⚠️ None of the trades I know is in `foo`, `bar`. Check the id or slug.',
    ]);
    expect(await warned('only: foo'), 'it has been said').toBe(null);
    await fixture.venue.close();
    expect(await warned('only: baz'), 'nobody can tell').toBe(null);
  });
});

describe('words', PATIENT, () => {
  it('of a watch and of its channel must both let a market pass; they are suggested, and warned of where none is known', async () => {
    const fixture = await openFixture();
    const { discord, ledger } = fixture;
    const market = (id: number, marketTitle: string, eventSlug: string) => ({
      ...inMarket(id),
      marketTitle,
      eventSlug,
    });
    await ledger.addActivity(WALLET, 1, trade({ quantity: 1, ...market(1, 'Lakers win?', 'nba-finals') }));
    await say(fixture, 'watch add', { wallet: WALLET, label: 'Whale' });
    const edited = await say(fixture, 'watch edit', { wallet: 'Whale', words: 'only: NBA, bitcoin, chess' });
    expect(texts(edited)).toContain('• only markets with `nba`, `bitcoin`, `chess`');
    expect(texts(edited).match(/^⚠️.*$/gm), 'the first page has an nba market').toEqual([
      '⚠️ None of the trades I know is in a market with `bitcoin`, `chess`. Check the spelling.',
    ]);
    expect(await refusal(fixture, 'watch edit', { wallet: 'Whale', words: 'only: $$$' })).toMatch(
      /^`words` can’t be `only: \$\$\$`\. Use `only: WORD, TWO WORDS` or .* Nothing changed\.$/,
    );
    discord.setLocale(fixture.admin.userId, 'de');
    const channel = (await say(fixture, 'watch channel', { words: 'except: UP or Dówn' })).content;
    expect(channel).toContain('Seine Meldungen: keine Märkte mit `up or dówn`.');
    expect(channel).toContain('⚠️ Keiner der Trades, die ich kenne, ist in einem Markt mit `up or dówn`.');
    expect(await refusal(fixture, 'watch channel', { words: 'except:' })).toContain(
      '`wörter` kann nicht `except:` sein',
    );
    expect(texts(await say(fixture, 'watch edit', { wallet: 'Whale' }))).toContain(
      '• nur Märkte mit `nba`, `bitcoin`, `chess`',
    );
    discord.setLocale(fixture.admin.userId, 'en-US');
    expect(texts(await say(fixture, 'watch list'))).toContain('no markets with `up or dówn`');

    await ledger.addActivity(WALLET, 2, trade({ quantity: 2, ...market(2, 'Bitcoin up or down?', 'btc') }));
    await ledger.addActivity(WALLET, 3, trade({ quantity: 3, ...market(3, 'Will WNBA fold?', 'wnba') }));
    await ledger.addActivity(WALLET, 4, trade({ quantity: 4, ...market(4, 'Will Bitcoin rise?', 'btc') }));
    await ledger.addTransfer(WALLET, transfer());
    await fixture.alerted(2);
    const seen = JSON.stringify(fixture.alerts());
    expect([2, 3, 4].filter((quantity) => seen.includes(`BUY ${quantity} Yes`))).toEqual([4]);
    expect(await suggestions(fixture, 'watch channel', { words: 'except: law, lak' }, 'words')).toEqual([
      'except: law, lak',
      'only: law, lak',
      'except: law, lakers',
    ]);
    expect((await say(fixture, 'watch channel', { words: 'any' })).content).not.toContain('Its alerts');
    expect(discord.rejections).toEqual([]);
  });
});

describe('a flood', PATIENT, () => {
  it('is foreseen by /watch add, which offers less by two buttons, each undone by one, for those who may', async () => {
    const fixture = await openFixture();
    const { discord, admin, member, channelId, ledger } = fixture;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const price = { grossValue: 250, transferNetAmount: 250 };
    for (let nth = 0; nth < 24; nth += 1) {
      const time = nowSeconds - 24 * 300 + nth * 300;
      for (const piece of [0, 1]) {
        const txHash = `0x${String(100 + nth * 2 + piece).padStart(64, '0')}`;
        await ledger.addActivity(
          WALLET,
          nth * 2 + piece + 1,
          trade({ ...inMarket(nth % 3), ...price, time: time + piece, txHash }),
        );
      }
    }
    const quiet = `0x${'9'.repeat(40)}`;
    for (let nth = 0; nth < 12; nth += 1) {
      await ledger.addActivity(quiet, nth + 1, trade({ ...inMarket(nth), time: nowSeconds - 86_400 + nth * 60 }));
    }
    const labelsOf = ({ components }: SeenMessage) =>
      components
        .flatMap((row) => ('components' in row ? row.components : []))
        .map((one) => ('label' in one ? one.label : ''));
    const idOf = ({ components }: SeenMessage, nth: number) => {
      const found = components.flatMap((row) => ('components' in row ? row.components : []))[nth];
      return found !== undefined && 'custom_id' in found ? (found.custom_id ?? '') : '';
    };

    discord.setLocale(admin.userId, 'de');
    const calm = await say(fixture, 'watch add', { wallet: quiet, label: 'Ruhig' });
    expect(texts(calm)).toMatch(/Etwa 12 Trades pro Tag, hochgerechnet aus (1 d|23 h)/);
    expect(calm.components).toEqual([]);
    discord.setLocale(admin.userId, 'en-US');

    const added = await say(fixture, 'watch add', { wallet: WALLET, label: 'Whale' });
    expect(texts(added)).toMatch(/About 2[89]0 trades a day, estimated over the last 2 h/);
    expect(labelsOf(added)).toEqual(['Max 1 alert per market every 10 min', 'Only from $250, its usual size']);
    const refused = await (await discord.press(member, added.id, idOf(added, 0))).reply();
    expect([refused.ephemeralFor, refused.content]).toEqual([member.userId, expect.stringContaining('Manage Server')]);

    const slow = await (await discord.press(admin, added.id, idOf(added, 0))).reply();
    expect(slow.id).toBe(added.id);
    expect(slow.content).toBe(
      `<@${admin.userId}> changed **Whale** in <#${channelId}>: at most one alert per market every 10m.`,
    );
    expect(slow.pings.userIds).toEqual([]);
    expect(labelsOf(slow)).toEqual(['Undo: Max 1 alert per market every 10 min', 'Only from $250, its usual size']);
    // The answer is that of a person, whatever the channel's language.
    discord.setLocale(admin.userId, 'de');
    const large = await (await discord.press(admin, added.id, idOf(slow, 1))).reply();
    expect(large.content).toBe(`<@${admin.userId}> hat **Whale** in <#${channelId}> geändert: ab 250\u00a0$.`);
    discord.setLocale(admin.userId, 'en-US');
    await say(fixture, 'watch channel', { language: 'de' });
    expect(texts(await say(fixture, 'watch edit', { wallet: 'Whale' }))).toContain(
      '• from $250\n• at most one alert per market every 10m',
    );
    const undone = await (await discord.press(admin, added.id, idOf(large, 0))).reply();
    expect(undone.content).toContain('undid a setting of **Whale**');
    expect(texts(await say(fixture, 'watch edit', { wallet: 'Whale' }))).not.toContain('at most one alert');

    await say(fixture, 'watch edit', { wallet: 'Whale', cooldown: '1h' });
    const late = await (await discord.press(admin, added.id, idOf(undone, 0))).reply();
    expect([late.ephemeralFor, late.content]).toEqual([admin.userId, expect.stringContaining('Nothing changed.')]);
    expect(texts(await say(fixture, 'watch edit', { wallet: 'Whale' }))).toContain(
      'at most one alert per market every 1h',
    );
    const forged = `watch:add:${channelId}:${WALLET}:large:-1`;
    await expect(discord.press(admin, added.id, forged).then((use) => use.reply())).rejects.toThrow();
    expect(discord.rejections).toEqual([]);
  });
});

describe('/watch list', () => {
  it('shows settings, pauses and polls in words, over as many pages as it takes', async () => {
    const fixture = await openFixture();
    const { discord } = fixture;
    const { id: other } = discord.createChannel(fixture.guildId, { name: 'other' });
    const labels = Array.from({ length: 21 }, (_, index) => `Desk ${String(index + 1).padStart(2, '0')}`);
    const adds = labels.map((label, index) => {
      const wallet = `0x${(index + 1).toString(16).padStart(40, '0')}`;
      return say(
        fixture,
        'watch add',
        { wallet, label, 'min-usdc': index + 1 },
        index < 15 ? fixture.channelId : other,
      );
    });
    await Promise.all(adds);
    await say(fixture, 'watch pause', { wallet: 'Desk 01' });
    await say(fixture, 'watch edit', { wallet: 'Desk 02', markets: 'a1, a2, a3, a4, a5', style: 'each' });
    // Two rounds of polls tell how fast they go.
    for (const round of [1, 2]) {
      await fixture.ledger.addActivity(`0x${'3'.padStart(40, '0')}`, round, trade(inMarket(round)));
      await fixture.alerted(round);
    }

    const first = await say(fixture, 'watch list');
    expect(first.ephemeralFor).toBe(fixture.admin.userId);
    expect(first.embeds[0]?.title).toBe('21 watched wallets');
    expect(texts(first)).toMatch(/• Desk 01 `0x0000…0001`\n\u2003from \$1\n\u2003⏸️ paused until someone/);
    expect(texts(first)).toContain('from $2 · only in a1, a2, a3 and 2 more · one alert per fill');

    const pages = [texts(first)];
    for (const [index, shown] of [
      [10, '11–20 of 21'],
      [20, '21–21 of 21'],
    ] as const) {
      const next = await (await discord.press(fixture.admin, first.id, `watch:list:${index}`)).reply();
      expect(next.embeds[0]?.footer?.text).toBe(shown);
      pages.push(texts(next));
    }
    expect(pages.flatMap((page) => page.match(/Desk \d\d/g) ?? [])).toEqual(labels);
    expect(pages[1]).toContain(`**<#${fixture.channelId}>**`);
    expect(pages[1]).toContain(`**<#${other}>**`);
    expect(pages[2]).not.toContain(`<#${fixture.channelId}>`);
    await expect
      .poll(async () => texts(await fixture.say('watch list')), { timeout: 20_000 })
      .toMatch(/• Desk 03 .*\n.*from \$3\n-# last trade <t:\d+:R>\n• Desk 04 .*\n.*from \$4\n• /);

    const german = discord.createMember(fixture.guildId, { name: 'carl', admin: true, locale: 'de' });
    const ask = async (line: string, values: Values) =>
      (await discord.command(german, fixture.channelId, line, values)).reply();
    const list = await ask('watch list', {});
    expect(list.embeds[0]?.title).toBe('21 beobachtete Wallets');
    expect(texts(list)).toContain('ab 2\u00a0$ · nur in a1, a2, a3 und 2 weitere · eine Meldung pro Ausführung');
    const turned = await (await discord.press(german, list.id, 'watch:list:10')).reply();
    expect(turned.embeds[0]?.footer?.text).toBe('11–20 von 21');
    expect((await ask('watch pause', { wallet: 'Desk 03', for: '2 h' })).content).toMatch(
      /^⏸️ \*\*Desk 03\*\* in <#\d+> ist pausiert bis <t:.* wird nicht nachgereicht\..* `\/beobachten fortsetzen`\.$/,
    );
    expect(
      (await ask('watch edit', { wallet: 'Desk 04', kinds: 'Käufe und Verkäufe' })).embeds[0]?.description,
    ).toContain('• nur Käufe und Verkäufe');
    expect((await ask('watch edit', { wallet: 'Desk 04', cooldown: 'bald' })).content).toContain(
      '`abstand` kann nicht `bald` sein',
    );

    discord.setBotPermissions(other, USUAL);
    const { id: desk } = discord.createRole(fixture.guildId, { name: 'desk' });
    await say(fixture, 'watch edit', { wallet: 'Desk 21', mention: desk, channel: other });
    await (await discord.press(fixture.admin, first.id, 'watch:list:10')).reply();
    const last = await (await discord.press(fixture.admin, first.id, 'watch:list:20')).reply();
    expect(last.embeds[0]?.title, 'a role is no trouble of the channel').toBe('21 watched wallets');
    expect(texts(last)).toMatch(/⚠️ I can’t mention <@&\d+> in <#\d+>/);
    expect(discord.rejections).toEqual([]);
  });
});
