import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { inMarket, sale, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { idIn, openWatched, textOf } from './fixture.ts';
import { fillIn, MANAGING, submit } from './panel-forms.ts';

const KEPT = 'watch:panel:kept:';
const AGAIN = 'watch:panel:again:';

describe('the refusal of a form', () => {
  it('calls a field by its label, in the language of the person', async () => {
    const fixture = await openWatched();
    const { admin, german, channelId } = fixture;
    const ofWatch = { wallet: 'whale' };
    for (const [form, values, english, inGerman] of [
      ['large', { 'min-usdc': '1x' }, /^⚠️ `From, in \$` can’t be `1x`/, '`Ab, in $`'],
      [
        'large',
        { 'min-price': '9', 'max-price': '3' },
        /^⚠️ `Price from, in ¢` \(9¢\) is above `Price up to, in ¢`/,
        '`Preis ab, in ¢`',
      ],
      [
        'often',
        { 'cooldown:more': 'soon' },
        /`One alert per market in` can’t be `soon`/,
        '`Eine Meldung pro Markt in`',
      ],
      [
        'pause',
        { 'for:more': '10' },
        /`For how long \(empty: until resumed\)` can’t be `10`/,
        '`Wie lange (',
      ],
      [
        'markets',
        { markets: ['only'], 'markets:more': 'no/slug' },
        /`Ids or slugs of markets` can’t be .* Use ids or slugs of up to 20 markets, one a line/,
        '`IDs oder Slugs von Märkten`',
      ],
    ] as const) {
      for (const [who, said] of [
        [admin, expect.stringMatching(english)],
        [german, expect.stringContaining(inGerman)],
      ] as const) {
        const panel = await fixture.sayAs(who, 'watch edit', ofWatch, channelId);
        const refused = await fillIn(fixture, who, panel, form, values);
        expect(refused.content).toEqual(said);
        expect(refused.content).not.toMatch(/`[a-z]+-[a-z-]+`/);
        expect(idIn(refused, AGAIN)).not.toBe(AGAIN);
      }
    }
    const ofChannel = await fixture.say('watch channel');
    const refused = await fillIn(fixture, admin, ofChannel, 'when', { 'delay:more': 'x' });
    expect(refused.content).toMatch(/^⚠️ `Delay` can’t be `x`/);
    const chosen = { 'consensus-only': ['on'] };
    const alone = await fillIn(fixture, admin, refused, 'consensus', chosen);
    expect(textOf(alone), 'without a number it counts for nothing').toContain('Nothing changed.');
  });
});

describe('Try again', () => {
  it('opens the form of Why not posted with the newest transactions, and with what was chosen', async () => {
    const fixture = await openWatched();
    const { admin } = fixture;
    const hashes = ['a', 'b'].map((digit) => `0x${digit.repeat(64)}`);
    const [first = '', second = ''] = hashes;
    await fixture.trades(trade({ txHash: first }), sale({ ...inMarket(777), txHash: second }));
    await fixture.alerted(2);
    const panel = await fixture.say('watch edit', { wallet: 'whale' });
    const open = () => fixture.open(admin, panel, 'watch:panel:why:');
    // A decision is known a little after its alert.
    const offered = async () => JSON.stringify((await open()).components);
    await expect.poll(offered, { timeout: 10_000 }).toContain(second);
    const opened = await open();
    const values = { transaction: 'mistyped', newest: [second] };
    const refused = await submit(opened, values);
    expect(refused.content).toContain('isn’t a transaction hash');
    const again = await fixture.open(admin, refused, AGAIN);
    expect(again.title).toBe(opened.title);
    expect(again.fields.map(({ label }) => label)).toEqual([
      'Transaction (0x…)',
      'Or one of the newest',
    ]);
    expect(again.fields.map(({ value }) => value)).toEqual(['mistyped', [second]]);
    const handle = await again.submit({ transaction: '' });
    const said = await handle.waitFor(({ id }) => id !== refused.id);
    expect(textOf(said)).toContain('SELL');
    const paused = await fillIn(fixture, admin, panel, 'pause', { 'for:more': '10' });
    const pause = await fixture.open(admin, paused, AGAIN);
    expect(pause.title).toBe('Pause: Whale');
  });

  it('is not refused the same for ever where others have cleared what a field needs', async () => {
    const fixture = await openWatched();
    const { discord, guildId, say } = fixture;
    const ben = discord.createMember(guildId, { name: 'ben', admin: true });
    await say('watch channel', { consensus: 3, 'consensus-within': '2h' });
    const panel = await fixture.sayAs(ben, 'watch channel');
    const opened = await fixture.open(ben, panel, 'watch:panel:consensus:');
    const openedToo = await fixture.open(ben, panel, 'watch:panel:consensus:');
    await say('watch channel', { consensus: 0 });
    const asked = await submit(opened, { 'consensus-only': ['on'] });
    expect(asked.content).toBe(
      '⚠️ Someone else changed the same while your form was open. Nothing changed.\n' +
        'How many wallets (empty: no alerts): `3` (yours), nothing (theirs)\n' +
        'Within: `2h` (yours), nothing (theirs)',
    );
    const mine = await fixture.press(ben, asked, KEPT);
    expect(textOf(mine)).toContain('when 3 of its wallets buy the same outcome within 2 h');
    expect(textOf(mine)).toContain('Consensus only');

    await say('watch channel', { consensus: 0 });
    const askedToo = await submit(openedToo, { 'consensus-only': ['on'] });
    const [, theirs = ''] = [
      ...JSON.stringify(askedToo.components).matchAll(/watch:panel:kept:[\w-]+/g),
    ].map(String);
    const left = await fixture.press(ben, askedToo, theirs);
    expect(textOf(left)).toMatch(/^Nothing changed\./);
    expect(textOf(left)).toContain('Consensus alerts are off.');
    expect(discord.rejections).toEqual([]);
  });
});

describe('a form that is open while something changes', () => {
  it('is read in the language that it was opened in, and answered in the one that the person has now', async () => {
    const fixture = await openWatched();
    const { discord, german, channelId } = fixture;
    const panel = await fixture.sayAs(german, 'watch edit', { wallet: 'whale' }, channelId);
    const opened = await fixture.open(german, panel, 'watch:panel:large:');
    const refusedLater = await fixture.open(german, panel, 'watch:panel:large:');
    discord.setLocale(german.userId, 'en-US');
    const changed = await submit(opened, { 'min-usdc': '1.000', 'max-price': '0,5' });
    expect(textOf(changed)).toContain('• **from $1,000** (was $0)\n• **trades at 0.5¢ or less**');
    const refused = await submit(refusedLater, { 'silent-below-usdc': '1,000' });
    expect(refused.content).toMatch(/^⚠️ `Without a sound below, in \$`: is `1,000` 1000 or 1\?/);
    const again = await fixture.open(german, refused, AGAIN);
    expect(again.fields.at(-1)).toMatchObject({
      label: 'Without a sound below, in $',
      value: '1,000',
    });
    const typed = await submit(again, { 'silent-below-usdc': '1000' });
    expect(textOf(typed)).toContain('• **silent below $1,000**');
  });

  it('sets the watch that has been removed and added again, but for what that has otherwise', async () => {
    const fixture = await openWatched();
    const { admin, say } = fixture;
    await say('watch edit', { wallet: 'whale', 'min-usdc': 50 });
    const panel = await say('watch edit', { wallet: 'whale' });
    const opened = await fixture.open(admin, panel, 'watch:panel:large:');
    const openedToo = await fixture.open(admin, panel, 'watch:panel:large:');
    await say('watch remove', { wallet: WALLET });
    await say('watch add', { wallet: WALLET, label: 'Orca' });
    const other = await submit(opened, { 'max-price': '94' });
    expect(other.embeds[0]?.title).toBe('Changed: Orca');
    expect(textOf(other)).toContain('• **trades at 94¢ or less**');
    expect(textOf(other)).not.toContain('$50');
    const asked = await submit(openedToo, { 'min-usdc': '70' });
    expect(asked.content).toContain('From, in $: `70` (yours), nothing (theirs)');
  });

  it('changes nothing for who has lost Manage Server, also by what is kept for a button', async () => {
    const fixture = await openWatched();
    const { discord, guildId } = fixture;
    const carl = discord.createMember(guildId, { name: 'carl', permissions: MANAGING });
    const panel = await fixture.sayAs(carl, 'watch edit', { wallet: 'whale' });
    const changed = await fillIn(fixture, carl, panel, 'large', { 'min-usdc': '50' });
    const other = await fixture.sayAs(carl, 'watch edit', { wallet: 'whale' });
    const refused = await fillIn(fixture, carl, other, 'large', { 'min-usdc': 'x' });
    discord.createMember(guildId, {
      name: 'carl',
      userId: carl.userId,
      permissions: MANAGING & ~PermissionFlagsBits.ManageGuild,
    });
    for (const [message, start] of [
      [changed, KEPT],
      [refused, AGAIN],
    ] as const) {
      const handle = await discord.press(carl, message.id, idIn(message, start));
      const told = await handle.waitFor(({ id }) => id !== message.id);
      expect(told.content).toMatch(/^Only people with the permission Manage Server/);
    }
    const shown = await fixture.say('watch edit', { wallet: 'whale' });
    expect(textOf(shown)).toContain('• from $50');
  });
});
