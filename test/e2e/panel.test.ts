import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { inMarket, nowSeconds, sale, trade } from '../support/records.ts';
import { WALLET, WALLET_B } from '../support/wallets.ts';
import { idIn, labelsOf, openFixture, postButton, textOf } from './fixture.ts';
import { fillIn, MANAGING, openPanel, submit, toldAt } from './panel-forms.ts';

describe('the settings panel of a watch', () => {
  it('shows what is set to the person alone, and changes it by forms that say what was changed', async () => {
    const { fixture, admin, discord, guildId, channelId, panel } = await openPanel();
    const { id: desk } = discord.createRole(guildId, { name: 'desk', mentionable: true });
    expect(panel.ephemeralFor).toBe(admin.userId);
    expect(labelsOf(panel)).toEqual([
      ['What to alert on', 'How large', 'Which markets', 'How often', 'Who is mentioned'],
      ['Name', 'Pause…', 'Why not posted?…', 'Remove'],
    ]);
    const large = await fixture.open(admin, panel, 'watch:panel:large:');
    expect(large.title).toBe('How large: Whale');
    expect(large.fields.map(({ label, value }) => [label, value])).toEqual([
      ['From, in $', ''],
      ['Price from, in ¢', ''],
      ['Price up to, in ¢', ''],
      ['Size of trades', ['any']],
      ['Without a sound below, in $', ''],
    ]);
    const handle = await large.submit({ 'min-usdc': '$50', 'max-price': '９４' });
    const changed = await handle.reply();
    expect(changed.id, 'the same message').toBe(panel.id);
    expect(changed.embeds[0]?.title).toBe('Changed: Whale');
    expect(textOf(changed)).toContain('• **from $50** (was $0)\n• **trades at 94¢ or less**');

    const kinds = await fillIn(fixture, admin, changed, 'what', {
      kinds: ['sell', 'buy'],
      style: ['each'],
    });
    expect(textOf(kinds)).toContain('• **only buys and sells**\n• from $50');
    const often = await fillIn(fixture, admin, kinds, 'often', {
      cooldown: ['10m'],
      'cooldown:more': '90s',
    });
    expect(textOf(often), 'what is typed goes before').toContain('every 1m30s**');
    const mention = await fillIn(fixture, admin, often, 'mention', {
      mention: [desk],
      'mention-min-usdc': '5,000',
      'mention-cooldown': ['1h'],
    });
    expect(textOf(mention)).toContain(
      `**mentions <@&${desk}> from $5,000, at most once every 1h**`,
    );
    const named = await fillIn(fixture, admin, mention, 'name', { label: 'Orca' });
    expect(named.embeds[0]?.title).toBe('Changed: Orca');

    const emptied = await fillIn(fixture, admin, named, 'what', {
      kinds: [],
      style: [],
      liquidity: [],
    });
    expect(textOf(emptied)).toContain('~~only buys and sells~~');
    const roleless = await fillIn(fixture, admin, emptied, 'mention', {
      mention: [],
      'mention-min-usdc': '7',
    });
    expect(textOf(roleless)).toContain(`~~mentions <@&${desk}> from $5,000`);

    const list = await fixture.say('watch list');
    const changes = await fixture.press(admin, list, 'watch:list:changes');
    expect(textOf(changes)).toContain('`mention` – → mentions');
    expect(textOf(changes)).toContain('`label` Whale → Orca');
    expect(discord.rejections).toEqual([]);
    expect(
      discord.messages(channelId).filter(({ ephemeralFor }) => ephemeralFor === null),
    ).toHaveLength(2);
    const uses = fixture.logLines.filter(({ event }) => event === 'command.answered');
    expect(uses.map(({ command }) => command)).toContain('watch (form)');
  });

  it('takes the last change back, only where it still is as it was set', async () => {
    const { fixture, admin, say, panel } = await openPanel();
    const changed = await fillIn(fixture, admin, panel, 'large', {
      'min-usdc': '50',
      'max-price': '94',
    });
    await say('watch edit', { wallet: 'whale', 'max-price': 90 });
    const undone = await fixture.press(admin, changed, 'watch:panel:kept:');
    expect(undone.content).toContain('↩️ Undone');
    expect(textOf(undone)).toContain('~~from $50~~');
    expect(textOf(undone)).toContain('trades at 90¢ or less');
  });

  it('changes nothing where two people change the same at once, and lets who came second choose', async () => {
    const { fixture, admin, german, discord, guildId, channelId, panel } = await openPanel();
    const other = discord.createMember(guildId, { name: 'ben', admin: true });
    const ben = await fixture.sayAs(other, 'watch edit', { wallet: 'whale' });
    const opened = await fixture.open(other, ben, 'watch:panel:large:');
    const openedToo = await fixture.open(other, ben, 'watch:panel:large:');
    await fillIn(fixture, admin, panel, 'large', { 'min-usdc': '70' });
    const asked = await submit(opened, { 'min-usdc': '50', 'max-price': '94' });
    expect(asked.content).toBe(
      '⚠️ Someone else changed the same while your form was open. Nothing changed.\nFrom, in $: `50` (yours), `70` (theirs)',
    );
    expect(textOf(asked)).toContain('• from $70');
    expect(textOf(asked)).not.toContain('94¢');
    expect(labelsOf(asked)[0]).toEqual(['Use mine', 'Keep theirs']);
    const mine = idIn(asked, 'watch:panel:kept:');
    const chosen = await fixture.press(other, asked, mine);
    expect(textOf(chosen)).toContain('• **from $50** (was from $70)\n• **trades at 94¢ or less**');
    expect(chosen.content).toBe('');

    const same = await submit(openedToo, { 'min-usdc': '50', 'max-price': '94' });
    expect(textOf(same), 'submitted twice').toContain('Nothing changed.');
    // Another field is nobody else's.
    const silent = await fillIn(fixture, admin, panel, 'large', { 'silent-below-usdc': '9' });
    expect(textOf(silent)).toContain('• **silent below $9**');
    const eva = await fixture.sayAs(german, 'watch edit', { wallet: 'whale' }, channelId);
    const theirs = await fixture.open(german, eva, 'watch:panel:large:');
    await fillIn(fixture, admin, panel, 'large', { 'min-usdc': '80' });
    const doubted = await submit(theirs, { 'min-usdc': '1.000', 'min-price': '0,5' });
    const [, keep = ''] = [
      ...JSON.stringify(doubted.components).matchAll(/watch:panel:kept:[\w-]+/g),
    ].map(String);
    const kept = textOf(await fixture.press(german, doubted, keep));
    expect(kept).toContain('ab 80');
    expect(kept).toContain('0,5');
  });

  it('says what is wrong with a field, and opens the form again with what was typed', async () => {
    const { fixture, admin, panel, say } = await openPanel();
    const refused = await fillIn(fixture, admin, panel, 'large', {
      'min-usdc': '1.000',
      'min-price': '3',
    });
    expect(refused.content).toBe(
      '⚠️ `From, in $`: is `1.000` 1000 or 1? Type it without a separator. Nothing changed.',
    );
    expect(textOf(await say('watch edit', { wallet: 'whale' }))).not.toContain('3¢');
    const again = await fixture.open(admin, refused, 'watch:panel:again:');
    expect(again.fields.map(({ value }) => value)).toEqual(['1.000', '3', '', ['any'], '']);
    const changed = await submit(again, { 'min-usdc': '1000' });
    expect(textOf(changed)).toContain('• **from $1,000** (was $0)');
    expect(changed.content).toBe('');
    const last = await fillIn(fixture, admin, changed, 'why', { transaction: 'none' });
    expect(last.content).toMatch(/`none` isn’t a transaction hash/);
    expect(labelsOf(last)[0]).toEqual(['Try again']);
    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    const gone = await fixture.press(admin, last, 'watch:panel:again:');
    expect(gone.content).toBe('Please type it again: I only keep it for a while.');
  });

  it('doubts markets that nobody has traded, and uses them for who is sure', async () => {
    const { fixture, admin, panel } = await openPanel();
    const doubted = await fillIn(fixture, admin, panel, 'markets', {
      'markets:more': 'mistyped-market\n777',
      words: ['except'],
      'words:more': 'up or down\nlakers, nuggets',
    });
    expect(doubted.content).toMatch(
      /^⚠️ I don’t know any trade in `mistyped-market`, `777`[\s\S]*Nothing changed\.$/,
    );
    const sure = await fixture.press(admin, doubted, 'watch:panel:kept:');
    expect(textOf(sure)).toContain('• **only in mistyped-market, 777**');
    expect(textOf(sure)).toContain('• **no markets with `up or down`, `lakers`, `nuggets`**');
  });

  it('pauses and resumes the watch, says why something was not posted, and removes it', async () => {
    const { fixture, admin, panel } = await openPanel();
    const paused = await fillIn(fixture, admin, panel, 'pause', { for: ['1h'] });
    expect(textOf(paused)).toMatch(/⏸️ paused until <t:\d+:f>/);
    const resumed = await fixture.press(admin, paused, 'watch:panel:resume:');
    expect(textOf(resumed)).not.toContain('⏸️');
    const held = await fillIn(fixture, admin, resumed, 'what', { kinds: ['sell'] });
    await fixture.trades(trade({ txHash: `0x${'a'.repeat(64)}` }), sale({ ...inMarket(777) }));
    await fixture.alerted(1);
    const why = await fixture.open(admin, held, 'watch:panel:why:');
    expect(why.fields.map(({ label }) => label)).toEqual([
      'Transaction (0x…)',
      'Or one of the newest',
    ]);
    const handle = await why.submit({ transaction: `0x${'a'.repeat(64)}` });
    const said = await handle.waitFor(({ id }) => id !== panel.id);
    expect(said.ephemeralFor).toBe(admin.userId);
    expect(textOf(said)).toContain('🚫');
    const removed = await fixture.press(admin, held, 'watch:panel:remove:');
    expect(removed.content).toContain('no longer watched');
    const undone = await fixture.press(admin, removed, 'watch:remove:');
    expect(undone.content).toContain('is watched in');
  });

  it('opens from the list of watches, again and again, and from the answer that adds one', async () => {
    const { fixture, admin, member, discord, say } = await openPanel();
    const list = await say('watch list');
    const choose = async (message: SeenMessage) => {
      const menu = idIn(message, 'watch:list:settings:');
      const shown = JSON.stringify(message.components);
      const value = /"value":"(watch:panel:open:[^"]+)"/.exec(shown)?.[1] ?? '';
      const handle = await discord.select(admin, message.id, menu, [value]);
      const opened = await handle.waitFor(({ id }) => id !== message.id);
      expect(opened.embeds[0]?.title).toBe('Settings of Whale');
      return handle.waitFor(({ id }) => id === message.id);
    };
    const renewed = await choose(list);
    expect(idIn(renewed, 'watch:list:settings:')).not.toBe(idIn(list, 'watch:list:settings:'));
    expect(textOf(renewed)).toBe(textOf(list));
    await choose(renewed);
    const added = discord
      .messages(fixture.channelId)
      .find(({ components }) => JSON.stringify(components).includes('watch:panel:open:'));
    const handle = await discord.press(
      admin,
      added?.id ?? '',
      idIn(added as SeenMessage, 'watch:panel:open:'),
    );
    const opened = await handle.waitFor(({ id }) => id !== added?.id);
    expect(opened.ephemeralFor).toBe(admin.userId);
    expect(labelsOf(opened)).toHaveLength(2);
    const told = await discord.press(
      member,
      added?.id ?? '',
      idIn(added as SeenMessage, 'watch:panel:open:'),
    );
    const refusal = await told.waitFor(({ id }) => id !== added?.id);
    expect(refusal.content).toMatch(
      /^Only people with the permission Manage Server can use this\. With `\/watch edit`/,
    );
  });

  it('asks at each press and submit who may, and refuses what nobody has opened', async () => {
    const { fixture, admin, discord, guildId, channelId, panel, say } = await openPanel();
    const carl = discord.createMember(guildId, { name: 'carl', permissions: MANAGING });
    const own = await fixture.sayAs(carl, 'watch edit', { wallet: 'whale' });
    const opened = await fixture.open(carl, own, 'watch:panel:large:');
    const mention = await fixture.open(carl, own, 'watch:panel:mention:');
    const { id: closed } = discord.createRole(guildId, { name: 'closed' });
    const notYours = await submit(mention, { mention: [closed] });
    expect(notYours.content).toMatch(/^⚠️ .*mention/);
    discord.createMember(guildId, { name: 'carl', userId: carl.userId });
    const lost = await opened.submit({ 'min-usdc': '50' });
    const said = await lost.waitFor(({ id }) => id !== own.id);
    expect(said.content).toMatch(/^Only people with the permission Manage Server/);

    const gone = await fixture.open(admin, panel, 'watch:panel:large:');
    await say('watch remove', { wallet: WALLET });
    const answer = await toldAt(gone, panel, { 'min-usdc': '50' });
    expect(answer.content).toMatch(/isn’t watched in/);
    await say('watch add', { wallet: WALLET, label: 'Whale' });

    for (const id of [
      'watch:panel:large',
      'watch:panel:large::',
      `watch:panel:large:${channelId}:AAAA`,
      `watch:panel:large:${guildId}:`,
      `watch:panel:look:${'9'.repeat(18)}:`,
      'watch:panel:open:1:2',
      'watch:panel:kept:constructor',
      'watch:panel:again:x',
      'watch:panel:nothing',
      'watch:panel',
    ]) {
      const message = await postButton(fixture, id);
      const handle = await discord.press(admin, message.id, id);
      const forged = await handle.waitFor((answer) => answer.id !== message.id);
      expect(forged.ephemeralFor, id).toBe(admin.userId);
      expect(forged.content, id).toMatch(
        /^(This button no longer works\.|Please type it again|You need )/,
      );
    }
    expect(textOf(await say('watch edit', { wallet: 'whale' }))).toContain('every buy, sell');
  });

  it('takes twenty markets of 200 letters, and shows no role that is gone', async () => {
    const { fixture, admin, discord, guildId, panel } = await openPanel();
    const names = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(198, 'm'));
    const doubted = await fillIn(fixture, admin, panel, 'markets', {
      'markets:more': names.join('\n'),
    });
    expect(doubted.content).toContain('and 15 more');
    const sure = await fixture.press(admin, doubted, 'watch:panel:kept:');
    expect(textOf(sure)).toContain('**only in mmm');
    const full = await fillIn(fixture, admin, sure, 'markets', { markets: ['except'] });
    expect(textOf(full)).toContain('**not in mmm');
    const { id: desk } = discord.createRole(guildId, { name: 'desk', mentionable: true });
    const mention = await fillIn(fixture, admin, full, 'mention', { mention: [desk] });
    discord.deleteRole(guildId, desk);
    const gone = await fixture.open(admin, mention, 'watch:panel:mention:');
    expect(gone.fields[0]?.value).toEqual([]);
    // What nobody has touched stays, and the panel says why it mentions nobody.
    const untouched = textOf(await submit(gone));
    expect(untouched).toContain('Nothing changed.');
    expect(untouched).toContain(`mentions <@&${desk}>`);
    expect(untouched).toContain('⚠️ The role to mention no longer exists. Choose another one with');
    const { id: lobby } = discord.createRole(guildId, { name: 'lobby', mentionable: true });
    const other = await fillIn(fixture, admin, mention, 'mention', { mention: [lobby] });
    expect(textOf(other)).toContain(`**mentions <@&${lobby}>**`);
    const cleared = await fillIn(fixture, admin, other, 'mention', { mention: [] });
    expect(textOf(cleared)).toContain(`~~mentions <@&${lobby}>~~`);
    expect(discord.rejections).toEqual([]);
  });

  it('has no roles in a direct message', async () => {
    const fixture = await openFixture();
    const dm = fixture.discord.openDm(fixture.member.userId).id;
    const bob = { userId: fixture.member.userId, guildId: null };
    await fixture.sayAs(bob, 'watch add', { wallet: WALLET, label: 'Whale' }, dm);
    const panel = await fixture.sayAs(bob, 'watch edit', { wallet: 'whale' }, dm);
    expect(labelsOf(panel)[0]).toEqual([
      'What to alert on',
      'How large',
      'Which markets',
      'How often',
    ]);
    const changed = await fillIn(fixture, bob, panel, 'large', { 'min-usdc': '50' });
    expect(textOf(changed)).toContain('• **from $50** (was $0)');
  });
});

describe('Add a wallet, under the first message in a server', () => {
  it('adds what is pasted to the channel, for all to see, and says what to do about what is no address', async () => {
    const fixture = await openFixture();
    const { admin, german, member, discord, channelId } = fixture;
    const welcome = await fixture.until(({ content }) => content.startsWith('Hi!'));
    const add = async (who: MemberRef, wallet: string, label = '') => {
      const modal = await fixture.open(who, welcome, 'watch:panel:add');
      return (await modal.submit({ wallet, label })).reply();
    };
    const modal = await fixture.open(admin, welcome, 'watch:panel:add');
    expect(modal.title).toBe('Add a wallet');
    expect(modal.fields[0]?.description).toContain('A profile’s name is no address');
    for (const [typed, told] of [
      ['https://venue.example/@quickdraw', /has no address in it\. A profile’s name is none/],
      ['@quickdraw', /has no address in it/],
      ['vitalik.eth', /is an ENS name, which I don’t look up/],
      [WALLET.slice(2), /looks like an address without its beginning\. Put 0x before it/],
      ['quickdraw', /isn’t a wallet address/],
      [`0x${'0'.repeat(40)}`, /is the zero address/],
    ] as const) {
      const refused = await add(admin, typed);
      expect(refused.content).toMatch(told);
      expect(refused.ephemeralFor).toBe(admin.userId);
    }
    const link = `https://venue.example/profile/${WALLET}?tab=activity`;
    const added = await add(german, link, 'Wal');
    expect(added.ephemeralFor).toBeNull();
    expect(textOf(added)).toContain(`**Wal** wird in <#${channelId}> beobachtet.`);
    const refused = await add(admin, WALLET, 'Mine');
    expect(refused.content).toContain('already watched');
    // Again with what was typed, until it is right; by nobody else.
    const again = await fixture.open(admin, refused, 'watch:panel:again:');
    expect(again.title).toBe('Add a wallet');
    expect(again.fields.map(({ value }) => value)).toEqual([WALLET, 'Mine']);
    const wrong = await submit(again, { wallet: 'mine.eth' });
    expect(wrong.content).toContain('is an ENS name');
    expect(wrong.ephemeralFor).toBe(admin.userId);
    const third = await fixture.open(admin, wrong, 'watch:panel:again:');
    expect(third.fields.map(({ value }) => value)).toEqual(['mine.eth', 'Mine']);
    const right = await submit(third, { wallet: WALLET_B });
    expect(right.content).toBe('');
    expect(textOf(right)).toContain('Watching **Mine** in');
    const pressed = await discord.press(member, welcome.id, 'watch:panel:add');
    expect((await pressed.reply()).content).toMatch(
      /^Only people with the permission Manage Server/,
    );
    expect(discord.rejections).toEqual([]);
  });
});

describe('an example of an alert', () => {
  it('shows whoever asks the newest record as the channel would get it, and what would hold it', async () => {
    const fixture = await openFixture();
    const { admin, discord, channelId, say } = fixture;
    const timeSeconds = nowSeconds() - 180;
    const added = await say('watch add', { wallet: WALLET, label: 'Whale' });
    const show = async () => {
      const handle = await discord.press(admin, added.id, idIn(added, 'watch:panel:example:'));
      return handle.waitFor(({ id }) => id !== added.id);
    };
    const madeUp = await show();
    expect(madeUp.ephemeralFor).toBe(admin.userId);
    expect(madeUp.content).toMatch(
      /^\*\*Example · <t:\d+:R>\*\*\n🟢 \*\*Whale\*\* BUY \*\*Yes \$635\*\* at 63\.5¢ · Will it rain/,
    );
    expect(textOf(madeUp)).toContain('This wallet has no record yet, so this alert is made up.');

    await say('watch edit', { wallet: 'whale', 'min-usdc': 5_000 });
    await say('watch channel', { language: 'de' });
    await fixture.trades(trade({ time: timeSeconds }));
    const shown = await show();
    expect(shown.content).toBe(
      `**Example · <t:${timeSeconds}:R>**\n🟢 **Whale** KAUF **Yes 785\u00a0$** zu 63,5\u00a0¢ · Will it rain in Paris?`,
    );
    expect(textOf(shown)).toMatch(/❔ .*from \$5,000/);
    expect(labelsOf(shown)).toEqual([['Zum Markt']]);
    expect(shown.pings).toEqual(madeUp.pings);
    discord.setBotPermissions(
      channelId,
      PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages,
    );
    expect(textOf(await show())).toContain('⚠️ Give me Embed Links');
    expect(fixture.posted(), 'no alert of it').toEqual([]);
    expect(discord.rejections).toEqual([]);
  });
});

describe('the settings panel of a channel', () => {
  it('sets look, times, consensus and words, and takes them back', async () => {
    const { fixture, admin, discord, say } = await openPanel();
    const panel = await say('watch channel', {});
    expect(panel.ephemeralFor).toBe(admin.userId);
    expect(labelsOf(panel)).toEqual([['Look', 'When', 'Consensus', 'Words']]);
    const look = await fillIn(fixture, admin, panel, 'look', {
      view: ['compact'],
      language: ['de'],
    });
    expect(textOf(look)).toContain('view `compact`');
    expect(textOf(look)).toContain('Language of alerts and digests: Deutsch.');
    expect(labelsOf(look)[0]).toContain('Undo');
    const zone = await fillIn(fixture, admin, look, 'when', { quiet: '22-7' });
    expect(zone.content).toMatch(/^⚠️ Which time zone\?/);
    const when = await fillIn(fixture, admin, zone, 'when', {
      quiet: '22-7',
      'time-zone': 'europe/berlin',
      'delay:more': '20 min',
    });
    expect(textOf(when)).toContain('Quiet from 22:00 to 07:00 (Europe/Berlin)');
    expect(textOf(when)).toContain('delayed by 20 min');
    const undone = await fixture.press(admin, when, 'watch:panel:kept:');
    expect(textOf(undone)).toContain('There are no quiet hours.');
    for (const wallets of ['1', '51', '2.5', 'two']) {
      const wrong = await fillIn(fixture, admin, undone, 'consensus', { consensus: wallets });
      expect(wrong.content).toMatch(/^⚠️ `How many wallets \(empty: no alerts\)` can’t be/);
    }
    const agreed = await fillIn(fixture, admin, undone, 'consensus', {
      consensus: '3',
      'consensus-within': ['2h'],
      'consensus-only': ['on'],
    });
    expect(textOf(agreed)).toContain('when 3 of its wallets buy the same outcome within 2 h');
    expect(textOf(agreed)).toContain('Consensus only');
    const none = await fillIn(fixture, admin, agreed, 'consensus', { consensus: '' });
    expect(textOf(none)).toContain('Consensus alerts are off.');
    const words = await fillIn(fixture, admin, none, 'words', {
      words: ['except'],
      'words:more': 'nba',
    });
    expect(textOf(words)).toContain('no markets with `nba`');
    expect(discord.rejections).toEqual([]);
  });
});
