import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, stored, textOf, watchesFile } from './fixture.ts';

const { ViewChannel, ManageGuild, UseApplicationCommands } = PermissionFlagsBits;
const MANAGER = ViewChannel | ManageGuild | UseApplicationCommands;
const OTHER = `0x${'2'.repeat(40)}`;
const BUTTON = 'watch:list:changes:0';

const withoutTimes = (text: string) => text.replaceAll(/<t:\d+:/g, '<t:…:');

describe('who changed what in a server', { timeout: within(120_000) }, () => {
  it('is noted of every change, shown to those who may make some, kept over a restart, and forgotten', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId, admin, german, say, sayAs, press } = fixture;
    const { id: hidden } = discord.createChannel(guildId, { name: 'vault' });
    const [ada, eva] = [`<@${admin.userId}>`, `<@${german.userId}>`];
    const edited = async () => textOf(await say('watch edit', { wallet: WALLET }));
    expect(JSON.stringify((await say('watch list')).components)).not.toContain(
      'watch:list:changes',
    );
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    await say('watch add', { wallet: OTHER, channel: hidden });
    await sayAs(german, 'watch edit', { wallet: WALLET, 'min-usdc': 50, 'max-price': 90 });
    await say('watch edit', { wallet: WALLET, 'max-price': 80 });
    await sayAs(german, 'watch pause', { wallet: WALLET });
    const removal = await say('watch remove', { wallet: WALLET });
    await press(german, removal, 'watch:remove');
    await say('watch channel', { quiet: '22-7', 'time-zone': 'UTC', view: 'compact' });
    await say('watch channel', { view: 'compact' });
    await sayAs(german, 'watch digest', { every: 'day' });
    await sayAs(german, 'watch digest', { every: 'day' });
    const file = `wallet,label\n${OTHER},Shark\n${WALLET},Whale`;
    const asked = await say('watch import', watchesFile(file));
    await press(admin, asked, 'watch:import:apply');

    expect(withoutTimes(await edited())).toContain(
      [
        `in <#${channelId}>`,
        `-# added · ${ada} · <t:…:R>`,
        `-# \`min-usdc\` from $0 → $50 · ${eva} · <t:…:R>`,
        `-# \`price\` trades at 90¢ or less → 80¢ or less · ${ada} · <t:…:R>`,
        `-# paused · ${eva} · <t:…:R>`,
        `-# restored · ${eva} · <t:…:R>`,
      ].join('\n'),
    );
    const changing = textOf(await say('watch edit', { wallet: WALLET, 'min-usdc': 60 }));
    expect(changing, 'what is changed is not history').not.toContain('-# added');

    const list = await say('watch list');
    const page = await press(admin, list, BUTTON);
    expect(page).toMatchObject({ ephemeralFor: admin.userId, content: '' });
    const here = `<#${channelId}>`;
    expect(withoutTimes(textOf(page))).toBe(
      [
        `**Whale** in ${here}`,
        `-# \`min-usdc\` from $50 → $60 · ${ada} · <t:…:R>`,
        `**Shark** in ${here}`,
        `-# added · ${ada} · <t:…:R>`,
        here,
        `-# \`digest\` changed · ${eva} · <t:…:R>`,
        `-# \`view\` full → compact, \`quiet\` – → 22:00–07:00 (UTC) · ${ada} · <t:…:R>`,
        `**Whale** in ${here}`,
        `-# restored · ${eva} · <t:…:R>`,
        `-# removed · ${ada} · <t:…:R>`,
        `-# paused · ${eva} · <t:…:R>`,
        `-# \`price\` trades at 90¢ or less → 80¢ or less · ${ada} · <t:…:R>`,
        `-# \`min-usdc\` from $0 → $50, \`price\` – → trades at 90¢ or less · ${eva} · <t:…:R>`,
        `\`0x2222…2222\` in <#${hidden}>`,
        `-# added · ${ada} · <t:…:R>`,
      ].join('\n'),
    );
    const second = await press(admin, page, 'watch:list:changes:10');
    expect(withoutTimes(textOf(second))).toBe(`**Whale** in ${here}\n-# added · ${ada} · <t:…:R>`);
    const back = await press(admin, second, 'watch:list:0');
    expect(back.embeds[0]?.title).toBe('2 watched wallets in 2 channels');

    const by = (event: string) =>
      fixture.logLines.filter((line) => line['event'] === event).map((line) => line['by']);
    expect(by('watch.changed')).not.toContain(undefined);
    expect(by('watch.changed')).toHaveLength(6);
    expect(by('channel.changed')).toEqual([admin.userId, german.userId]);

    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    const her = await press(german, await sayAs(german, 'watch list'), BUTTON);
    expect(textOf(her), 'kept over a restart, and in her own language').toContain(
      `\`ansicht\` ausführlich → kompakt, \`ruhezeit\` – → 22:00–07:00 (UTC) · ${ada} ·`,
    );

    const told = await say('watch delete-data');
    expect(told.ephemeralFor).toBe(admin.userId);
    expect(textOf(told)).toContain('Your id is deleted here');
    expect(withoutTimes(await edited())).toContain('-# added · <t:…:R>\n');
    await fixture.bot.stop();
    const everything = await stored(fixture);
    expect(everything).not.toContain(admin.userId);
    expect(await stored(fixture, 'changes:')).toContain(german.userId);
  });

  it('is shown to nobody without Manage Server, nor of channels that one does not see', async () => {
    const fixture = await openFixture();
    const { discord, guildId, admin, member, say, sayAs, press } = fixture;
    const { id: hidden } = discord.createChannel(guildId, { name: 'vault' });
    fixture.hide(hidden);
    fixture.lendWatch();
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    await say('watch add', { wallet: OTHER, channel: hidden });
    const list = await sayAs(member, 'watch list');
    expect(JSON.stringify(list.components)).not.toContain('watch:list:changes');
    const mia = discord.createMember(guildId, { name: 'mia', permissions: MANAGER });
    const hers = textOf(await press(mia, await sayAs(mia, 'watch list'), BUTTON));
    expect(hers).toContain('Whale');
    expect(hers).not.toContain(hidden);
    expect(textOf(await press(admin, await say('watch list'), BUTTON))).toContain(hidden);
  });

  it('is not kept of what people watch for themselves', async () => {
    const fixture = await openFixture();
    const { discord, member, sayAs } = fixture;
    discord.setInstalled(member.userId, true);
    const bob = { userId: member.userId, guildId: null };
    const dm = discord.openDm(member.userId).id;
    await sayAs(bob, 'watch add', { wallet: WALLET }, dm);
    await sayAs(bob, 'watch edit', { wallet: WALLET, 'min-usdc': 5 }, dm);
    await sayAs(bob, 'watch channel', { view: 'compact' }, dm);
    expect(textOf(await sayAs(bob, 'watch edit', { wallet: WALLET }, dm))).not.toContain('added');
    expect(JSON.stringify((await sayAs(bob, 'watch list', {}, dm)).components)).not.toContain(
      'watch:list:changes',
    );
    expect(await stored(fixture, 'changes:')).toBe('[]');
  });
});
