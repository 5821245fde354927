import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { WALLET } from '../support/wallets.ts';
import { idIn, openFixture, openWatched, postButton, textOf } from './fixture.ts';
import { fillIn, MANAGING, submit, toldBy } from './panel-forms.ts';

const UNDO = 'watch:panel:kept:';

describe('the form of quiet hours', () => {
  it('asks for a zone where it alone is emptied, and ends the hours where both are', async () => {
    const fixture = await openWatched();
    const { admin } = fixture;
    const panel = await fixture.say('watch channel');
    const hours = { quiet: '22-7', 'time-zone': 'Europe/Berlin' };
    const set = await fillIn(fixture, admin, panel, 'when', hours);
    const zoneless = await fillIn(fixture, admin, set, 'when', { 'time-zone': '' });
    expect(zoneless.content).toMatch(/^⚠️ Which time zone\?.*Nothing changed\.$/);
    expect(textOf(zoneless)).toContain('Quiet from 22:00 to 07:00 (Europe/Berlin)');
    const ended = await fillIn(fixture, admin, zoneless, 'when', { quiet: '', 'time-zone': '' });
    expect(textOf(ended)).toContain('There are no quiet hours.');
    expect(textOf(ended)).not.toContain('Nothing changed');
    const again = await fillIn(fixture, admin, ended, 'when', hours);
    // The digest's zone is the default.
    await fixture.say('watch digest', { every: 'day', 'time-zone': 'Asia/Tokyo' });
    const ofDigest = await fillIn(fixture, admin, again, 'when', { 'time-zone': '' });
    expect(textOf(ofDigest)).toContain('Quiet from 22:00 to 07:00 (Asia/Tokyo)');
  });
});

describe('Undo of a settings panel', () => {
  it('gives no role back that the person may not mention any more, and works once they may', async () => {
    const fixture = await openWatched();
    const { discord, guildId } = fixture;
    const withMention = MANAGING | PermissionFlagsBits.MentionEveryone;
    const carl = discord.createMember(guildId, { name: 'carl', permissions: withMention });
    const become = (permissions: bigint) =>
      discord.createMember(guildId, { name: 'carl', userId: carl.userId, permissions });
    const { id: desk } = discord.createRole(guildId, { name: 'desk' });
    const panel = await fixture.sayAs(carl, 'watch edit', { wallet: 'whale' });
    const set = await fillIn(fixture, carl, panel, 'mention', { mention: [desk] });
    expect(textOf(set)).toContain(`**mentions <@&${desk}>**`);
    const emptied = await fillIn(fixture, carl, set, 'mention', { mention: [] });
    become(MANAGING);
    expect(await toldBy(fixture, carl, emptied, UNDO)).toMatch(/mention/);
    const shown = await fixture.say('watch edit', { wallet: 'whale' });
    expect(textOf(shown)).not.toContain('• mentions');
    become(withMention);
    const undone = await fixture.press(carl, emptied, UNDO);
    expect(undone.content).toContain('↩️ Undone');
    expect(textOf(undone)).toContain(`**mentions <@&${desk}>**`);
  });

  it('leaves no channel with consensus alerts alone, and without a consensus', async () => {
    const fixture = await openWatched();
    const { admin, say } = fixture;
    const panel = await say('watch channel');
    const agreed = await fillIn(fixture, admin, panel, 'consensus', { consensus: '3' });
    await say('watch channel', { 'consensus-only': 'on' });
    const undone = await fixture.press(admin, agreed, UNDO);
    expect(textOf(undone)).toContain('Consensus alerts are off.');
    const shown = textOf(await say('watch channel'));
    expect(shown).toContain('Consensus alerts are off.');
    expect(shown).not.toContain('Consensus only');
  });

  it('sets nothing for a channel in which nothing is watched any more', async () => {
    const fixture = await openWatched();
    const { admin, say } = fixture;
    const panel = await say('watch channel');
    const compact = await fillIn(fixture, admin, panel, 'look', { view: ['compact'] });
    await say('watch remove', { wallet: WALLET });
    expect(await toldBy(fixture, admin, compact, UNDO)).toMatch(/^No wallets are watched in/);
    expect(textOf(await say('watch channel'))).toContain('view `compact`');
  });
});

describe('a settings panel with as much as has room', () => {
  it('says what is doubted of twenty words of a channel above as many, in German too', async () => {
    const fixture = await openWatched();
    const { admin, german, discord, channelId } = fixture;
    for (const [who, letters] of [
      [admin, 'mn'],
      [german, 'op'],
    ] as const) {
      let panel = await fixture.sayAs(who, 'watch channel', {}, channelId);
      for (const letter of letters) {
        const words = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(60, letter));
        const doubted = await fillIn(fixture, who, panel, 'words', {
          words: ['only'],
          'words:more': words.join('\n'),
        });
        const said = `${doubted.content}${textOf(doubted)}`;
        expect(said).toContain(`⚠️`);
        expect(said).toContain(words[0]);
        panel = await fixture.press(who, doubted, UNDO);
        expect(`${panel.content}${textOf(panel)}`).toContain(words[19]);
      }
    }
    expect(discord.rejections).toEqual([]);
  });
});

describe('a list that is too long for a form', () => {
  it('comes as a file, stays as it is when the other fields are set, and can be set by options', async () => {
    const fixture = await openWatched();
    const { admin, german, discord, channelId, say } = fixture;
    const names = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(200, 'm'));
    const row = [WALLET, 'Whale', `"${JSON.stringify(names).replaceAll('"', '""')}"`];
    const csv = ['wallet,label,exceptMarkets', row.join(',')].join('\n');
    const file = { filename: 'watches.csv', data: Buffer.from(csv) };
    const opened = await fixture.open(
      admin,
      await say('watch edit', { wallet: 'whale' }),
      'watch:panel:markets:',
    );
    await fixture.press(admin, await say('watch import', { file }), 'watch:import:apply:');
    const stored = async () => {
      const { attachments } = await say('watch export', { format: 'json' });
      const text = await (await fetch(attachments[0]?.url ?? '')).text();
      return names.every((name) => text.includes(name));
    };
    expect(await stored()).toBe(true);
    const doubted = await submit(opened, { 'words:more': 'nba' });
    const submitted = await fixture.press(admin, doubted, UNDO);
    expect(textOf(submitted)).toContain('**only markets with `nba`**');
    expect(await stored(), 'a form that was opened before').toBe(true);

    const asked = async (who: MemberRef) => {
      const panel = await fixture.sayAs(who, 'watch edit', { wallet: 'whale' }, channelId);
      const handle = await discord.press(who, panel.id, idIn(panel, 'watch:panel:markets:'));
      return handle.waitFor(({ id }) => id !== panel.id);
    };
    expect((await asked(german)).content).toMatch(/^`IDs oder Slugs von Märkten`: zu lang für ein/);
    const told = await asked(admin);
    expect(told.ephemeralFor).toBe(admin.userId);
    expect(told.content).toMatch(
      /^`Ids or slugs of markets`: too long for a form, so it’s in a file/,
    );
    const [attachment] = told.attachments;
    expect(attachment?.filename).toBe('markets.txt');
    const whole = await (await fetch(attachment?.url ?? '')).text();
    expect(whole.trimEnd().split('\n')).toEqual(names);
    const rest = await fixture.open(admin, told, 'watch:panel:markets:');
    expect(rest.fields.map(({ customId }) => customId)).toEqual(['words', 'words:more']);
    const unsure = await submit(rest, { 'words:more': 'nfl' });
    const changed = await fixture.press(admin, unsure, UNDO);
    expect(textOf(changed)).toContain('**only markets with `nfl`** (was only markets with `nba`)');
    expect(textOf(changed)).toContain('• not in mmm');
    expect(await stored()).toBe(true);
    const wrong = await (
      await fixture.open(admin, await asked(admin), 'watch:panel:markets:')
    ).submit({
      'words:more': '!',
    });
    const again = await fixture.open(admin, await wrong.reply(), 'watch:panel:again:');
    expect(again.fields.map(({ customId }) => customId)).toEqual(['words', 'words:more']);
    await say('watch edit', { wallet: 'whale', reset: 'markets' });
    const short = await fixture.open(admin, changed, 'watch:panel:markets:');
    expect(short.fields).toHaveLength(4);
    expect(discord.rejections).toEqual([]);
  });
});

describe('an answer to a change of two full lists at once', () => {
  it('has every line, and counts the names that it has no room for', async () => {
    const fixture = await openWatched();
    const { admin, german, discord, channelId } = fixture;
    const lines = (count: number, length: number, letter: string) =>
      Array.from({ length: count }, (_, n) => `${n}`.padStart(length, letter)).join('\n');
    const long = (letter: string) => ({
      markets: ['only'],
      'markets:more': lines(19, 200, `${letter}_`),
      words: ['only'],
      'words:more': lines(20, 60, letter),
    });
    for (const [who, letters, doubt, was] of [
      [
        admin,
        'mn',
        /^⚠️ I don’t know any trade in `[\s\S]*Nothing changed\.$/,
        /\(was only in .* and 16 more\)/,
      ],
      [german, 'op', /^⚠️ /, /\(vorher nur in .* und 16 weitere\)/],
    ] as const) {
      let panel = await fixture.sayAs(who, 'watch edit', { wallet: 'whale' }, channelId);
      for (const letter of letters) {
        const doubted = await fillIn(fixture, who, panel, 'markets', long(letter));
        expect(doubted.content).toMatch(doubt);
        panel = await fixture.press(who, doubted, UNDO);
      }
      const said = textOf(panel);
      expect(said).toMatch(was);
      expect(said).toContain('-# `0x');
      expect(said.length).toBeLessThanOrEqual(4_096);
    }
    expect(discord.rejections).toEqual([]);
  });
});

describe('a settings panel', () => {
  it('pauses for no time that nobody can mean', async () => {
    const fixture = await openWatched();
    const { admin } = fixture;
    let panel = await fixture.say('watch edit', { wallet: 'whale' });
    for (const typed of ['0', 'none', '0m', '  none  ']) {
      panel = await fillIn(fixture, admin, panel, 'pause', { 'for:more': typed });
      expect(panel.content, typed).toMatch(/^⚠️ `For how long \(empty: until resumed\)` can’t be/);
      expect(textOf(panel)).not.toContain('⏸️');
    }
    const forEver = await fillIn(fixture, admin, panel, 'pause', { 'for:more': ' ' });
    expect(textOf(forEver)).toContain('⏸️ paused');
  });

  it('refuses buttons that are named as what every object has', async () => {
    const fixture = await openFixture();
    const { admin, discord } = fixture;
    for (const id of [
      'watch:constructor',
      'watch:toString:x',
      'watch:__proto__',
      'watch:hasOwnProperty:panel',
      'constructor',
      'watch:panel:constructor',
    ]) {
      const message = await postButton(fixture, id);
      expect(await toldBy(fixture, admin, message, id), id).toMatch(/no longer works/);
    }
    expect(fixture.logLines.filter(({ event }) => event === 'command.failed')).toEqual([]);
    expect(discord.rejections).toEqual([]);
  });
});
