import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { subjectArgs } from '../../src/watches/forms/form-id.ts';
import { limitsOfAll } from '../support/limits-file.ts';
import { temporaryFolder } from '../support/temp.ts';
import { WALLET_B as OTHER_WALLET, WALLET } from '../support/wallets.ts';
import { elsewhere, idIn, post, query, textOf } from './fixture.ts';
import { MANAGING, openPanel, submit, toldAt, toldBy } from './panel-forms.ts';

const LARGE = 'watch:panel:large:';

describe('the forms of a settings panel', () => {
  it('take each once: closed and opened again, delivered twice, submitted twice, and after a restart', async () => {
    const { fixture, admin, panel } = await openPanel();
    const closed = await fixture.open(admin, panel, LARGE);
    closed.close();
    const twice = await fixture.open(admin, panel, LARGE);
    const stale = await fixture.open(admin, panel, LARGE);
    const later = await fixture.open(admin, panel, LARGE);
    const handle = await twice.submit({ 'min-usdc': '50' });
    expect(textOf(await handle.reply())).toContain('• **from $50** (was $0)');
    handle.redeliver();
    const same = await submit(stale, { 'min-usdc': '50' });
    expect(textOf(same)).toMatch(/^Nothing changed\./);
    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    const after = await submit(later, { 'max-price': '90' });
    expect(textOf(after)).toContain('• from $50\n• **trades at 90¢ or less**');
    const list = await fixture.say('watch list');
    const changes = textOf(await fixture.press(admin, list, 'watch:list:changes'));
    expect(changes.match(/`min-usdc`/g)).toHaveLength(1);
  });

  it('count for the quotas, opened and submitted', async () => {
    const { fixture, admin, discord, panel } = await openPanel(
      limitsOfAll(temporaryFolder(), { users: 20 }),
    );
    const opened = await fixture.open(admin, panel, LARGE);
    let count = 0;
    const press = async () => {
      count += 1;
      const handle = await discord.press(admin, panel.id, idIn(panel, LARGE));
      return { handle, isModal: (await handle.acknowledged()) === 9 };
    };
    let last = await press();
    while (last.isModal && count < 20) last = await press();
    const refused = /^Slow down a little/;
    expect((await last.handle.waitFor(({ id }) => id !== panel.id)).content).toMatch(refused);
    const told = await toldAt(opened, panel, { 'min-usdc': '50' });
    expect(told.content).toMatch(refused);
  });

  it('say in a sentence that the channel, or the right to write in it, is gone', async () => {
    const { fixture, admin, discord, guildId } = await openPanel();
    const { id: other } = discord.createChannel(guildId, { name: 'other' });
    const carl = discord.createMember(guildId, { name: 'carl', permissions: MANAGING });
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' }, other);
    const panel = await fixture.sayAs(carl, 'watch edit', { wallet: 'whale', channel: other });
    const opened = await fixture.open(carl, panel, LARGE);
    fixture.deny(other, carl, PermissionFlagsBits.SendMessages);
    const closed = /^You need .*Send Messages/;
    expect(await toldBy(fixture, carl, panel, LARGE)).toMatch(closed);
    expect(await toldBy(fixture, carl, panel, 'watch:panel:remove:')).toMatch(closed);
    const refused = await toldAt(opened, panel, { 'min-usdc': '50' });
    expect(refused.content).toMatch(closed);
    const open = await fixture.sayAs(admin, 'watch edit', { wallet: 'whale', channel: other });
    expect(textOf(open)).toContain('every buy');
    const form = await fixture.open(admin, open, LARGE);
    discord.deleteChannel(other);
    const gone = await toldAt(form, open, { 'min-usdc': '50' });
    expect(gone.content).toMatch(/^You need |isn’t watched/);
    expect(discord.rejections).toEqual([]);
  });

  it('change nothing while the store takes nothing, and can be submitted again', async () => {
    const { fixture, admin, panel } = await openPanel();
    await query(
      fixture,
      "CREATE TRIGGER refused BEFORE INSERT ON keyv BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    const opened = await fixture.open(admin, panel, LARGE);
    const handle = await opened.submit({ 'min-usdc': '50' });
    const told = await handle.waitFor(({ id }) => id !== panel.id);
    expect(told.content).toMatch(/^Something went wrong on my side\. .* reference [0-9a-f]{8}\.$/);
    const kept = await handle.waitFor(({ id }) => id === panel.id);
    expect(kept.content).toBe('⚠️ That didn’t work. I keep what you typed for a while.');
    expect(textOf(kept)).not.toContain('$50');
    expect(textOf(await fixture.say('watch edit', { wallet: 'whale' }))).toContain('every buy');
    await query(fixture, 'DROP TRIGGER refused');
    const again = await fixture.open(admin, kept, 'watch:panel:again:');
    expect(again.fields[0]?.value).toBe('50');
    const changed = await submit(again);
    expect(textOf(changed)).toContain('• **from $50** (was $0)');
    expect(changed.content).toBe('');
    const list = await fixture.say('watch list');
    const changes = textOf(await fixture.press(admin, list, 'watch:list:changes'));
    expect(changes.match(/`min-usdc`/g)).toHaveLength(1);
  });
});

describe('a button of a settings panel that is forged', () => {
  it('neither shows nor changes what another server, or another person, has', async () => {
    const { fixture, admin, discord, channelId, member } = await openPanel();
    const other = elsewhere(fixture);
    await other.say('watch add', { wallet: OTHER_WALLET, label: 'Secret' });
    await other.say('watch channel', { view: 'compact' });
    const dm = discord.openDm(member.userId).id;
    const bob = { userId: member.userId, guildId: null };
    await fixture.sayAs(bob, 'watch add', { wallet: OTHER_WALLET, label: 'Secret' }, dm);
    const eveDm = discord.openDm(other.admin.userId).id;
    const eve = { userId: other.admin.userId, guildId: null };
    await fixture.sayAs(eve, 'watch add', { wallet: WALLET, label: 'Mine' }, eveDm);
    const ids: string[] = [];
    for (const place of [other.channelId, dm, other.guildId, '1'.repeat(18)]) {
      const watch = subjectArgs({ channelId: place, wallet: OTHER_WALLET }).join(':');
      const channel = subjectArgs({ channelId: place, wallet: null }).join(':');
      for (const action of [
        'large',
        'mention',
        'name',
        'pause',
        'why',
        'open',
        'example',
        'remove',
        'resume',
      ]) {
        ids.push(`watch:panel:${action}:${watch}`);
      }
      for (const action of ['look', 'when', 'consensus', 'words', 'large']) {
        ids.push(`watch:panel:${action}:${channel}`);
      }
    }
    const unwatched = subjectArgs({ channelId, wallet: OTHER_WALLET }).join(':');
    ids.push(`watch:panel:large:${unwatched}`, `watch:panel:example:${unwatched}`);
    // Each message has room for 25 buttons.
    const messagesIn = async (where: string) => {
      const messages: SeenMessage[] = [];
      for (let first = 0; first < ids.length; first += 25) {
        const rows = Array.from({ length: 5 }, (_, row) =>
          ids.slice(first + 5 * row, Math.min(first + 5 * row + 5, first + 25)),
        );
        const components = rows.flatMap((row) =>
          row.length === 0
            ? []
            : [
                {
                  type: 1,
                  components: row.map((id) => ({ type: 2, style: 2, label: 'x', custom_id: id })),
                },
              ],
        );
        messages.push(await post(fixture, where, { content: 'x', components }));
      }
      return messages;
    };
    const { id: here } = discord.createChannel(fixture.guildId, { name: 'buttons' });
    for (const [who, messages] of [
      [admin, await messagesIn(here)],
      [eve, await messagesIn(eveDm)],
    ] as const) {
      for (const [at, id] of ids.entries()) {
        const message = messages[Math.floor(at / 25)] as SeenMessage;
        const told = await toldBy(fixture, who, message, id);
        expect(told, id).not.toContain('Secret');
        expect(told, id).toMatch(/^(This button|You need |You don’t watch|.*isn’t watched)/);
      }
    }
    expect(textOf(await other.say('watch channel'))).toContain('view `compact`');
    const list = await fixture.sayAs(bob, 'watch list', {}, dm);
    expect(textOf(list)).toContain('Secret');
    expect(discord.rejections).toEqual([]);
    expect(fixture.logLines.filter(({ event }) => event === 'command.failed')).toEqual([]);
  });
});
