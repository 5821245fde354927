import type { OptionValues } from '@walletbell/local-discord/discord/people/commandline';
import { ChannelType, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { inMarket, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, textOf, watchesFile } from './fixture.ts';

const { SendMessages, MentionEveryone } = PermissionFlagsBits;
const OTHER = `0x${'2'.repeat(40)}`;
const HIDDEN_WALLET = `0x${'3'.repeat(40)}`;

/** A fixture in which bob, an ordinary member, has been lent /watch under Integrations. */
async function openLent() {
  const fixture = await openFixture();
  fixture.lendWatch();
  const { member } = fixture;
  /** Bob types it. */
  const asBob = (line: string, values?: OptionValues, where?: string) =>
    fixture.sayAs(member, line, values, where);
  const deny = (channelId: string, bits: bigint) => fixture.deny(channelId, member, bits);
  return { ...fixture, fixture, asBob, deny };
}

const importOf = ({ sayAs, member }: Fixture, text: string) =>
  sayAs(member, 'watch import', watchesFile(text));

describe('whoever is lent /watch', () => {
  it('does with it nothing that they may not do themselves: write in the channel, mention the role', async () => {
    const { fixture, discord, guildId, channelId, asBob, deny } = await openLent();
    const { id: news } = discord.createChannel(guildId, { name: 'announcements' });
    const { id: role } = discord.createRole(guildId, { name: 'desk' });
    discord.setBotPermissions(guildId, (1n << 53n) - 1n);
    await fixture.say('watch add', { wallet: OTHER, channel: news });
    deny(news, SendMessages);

    const lack = `You need Send Messages in <#${news}>`;
    const lines: [string, Record<string, string>][] = [
      ['watch add', { wallet: WALLET }],
      ['watch edit', { wallet: OTHER, label: 'x' }],
      ['watch pause', { wallet: OTHER }],
      ['watch resume', { wallet: OTHER }],
      ['watch remove', { wallet: OTHER }],
      ['watch channel', { view: 'compact' }],
      ['watch digest', { every: 'day' }],
    ];
    for (const [line, values] of lines) {
      const answer = await asBob(line, { ...values, channel: news });
      expect(answer.content, line).toContain(lack);
      expect(answer.ephemeralFor).toBe(fixture.member.userId);
      expect((await asBob(line, values, news)).content, `${line} there`).toContain(lack);
    }
    expect(textOf(await importOf(fixture, `wallet,channel\n${WALLET},${news}`))).toContain(
      'You need Send Messages in',
    );

    const unmentioned = `You can’t mention <@&${role}> in <#${channelId}>`;
    expect((await asBob('watch add', { wallet: WALLET, mention: role })).content).toContain(
      unmentioned,
    );
    await fixture.say('watch add', { wallet: WALLET, mention: role });
    const { id: other } = discord.createRole(guildId, { name: 'all' });
    expect((await asBob('watch edit', { wallet: WALLET, mention: other })).content).toContain(
      'You can’t mention',
    );
    expect(textOf(await importOf(fixture, `wallet,mentionRole\n${OTHER},@all`))).toContain(
      'You can’t mention',
    );
    const kept = await importOf(fixture, `wallet,label,mentionRole\n${WALLET},Whale,@desk`);
    expect(kept.embeds[0]?.title, 'a role that is mentioned already stays').toBe(
      '0 new, 1 changed, 0 the same',
    );

    discord.setRole(guildId, other, { mentionable: true });
    expect(
      (await asBob('watch edit', { wallet: WALLET, mention: other })).embeds[0]?.title,
    ).toContain('Changed');
    discord.setOverwrite(channelId, {
      id: fixture.member.userId,
      type: 1,
      allow: MentionEveryone,
      deny: 0n,
    });
    expect(
      (await asBob('watch edit', { wallet: WALLET, mention: role })).embeds[0]?.title,
    ).toContain('Changed');
  });

  it('is asked again at each press, Apply of an import and the pages of the list, and also as one who has installed the bot', async () => {
    const { fixture, discord, guildId, member, admin, asBob, press, deny, hide } = await openLent();
    const { id: desk } = discord.createChannel(guildId, { name: 'desk' });
    const lines = Array.from(
      { length: 12 },
      (_, n) => `0x${String(n).padStart(40, '0')},Desk ${n},${desk}`,
    );
    const plan = await importOf(fixture, `wallet,label,channel\n${lines.join('\n')}`);
    deny(desk, SendMessages);
    const apply = () => press(member, plan, 'watch:import:apply');
    expect((await apply()).content).toContain(`You need Send Messages in <#${desk}>`);
    deny(desk, 0n);
    await apply();

    const list = await asBob('watch list');
    expect(list.embeds[0]?.title).toBe('12 watched wallets');
    hide(desk);
    const turned = await press(member, list, 'watch:list:10');
    expect(JSON.stringify(turned.embeds)).not.toMatch(/Desk|0x0{30}/);
    expect((await fixture.say('watch list')).embeds[0]?.title).toBe('12 watched wallets');
    expect((await asBob('watch export')).content, 'nothing that bob sees').toContain(
      'nothing to export',
    );

    // Who has installed the bot for themselves, too, needs Manage Server, whatever Discord lets
    // through.
    for (const { userId } of [member, admin]) discord.setInstalled(userId, true);
    for (const [line, values] of [
      ['watch add', { wallet: WALLET }],
      ['watch list', {}],
      ['watch export', {}],
    ] as const) {
      const refused = await asBob(line, values);
      expect(refused.content).toContain('needs Manage Server');
      expect(refused.ephemeralFor).toBe(member.userId);
    }
    expect((await fixture.say('watch add', { wallet: WALLET })).embeds[0]?.description).toContain(
      'Watching',
    );
  });
});

describe('a watch in a channel that not everybody sees', () => {
  it('is suggested to those who see it, and named where all who read the answer see it', async () => {
    const { fixture, discord, channelId, guildId, member, admin, asBob, hide } = await openLent();
    const { id: desk } = discord.createChannel(guildId, { name: 'desk' });
    hide(desk);
    await fixture.say('watch add', { wallet: HIDDEN_WALLET, label: 'Secret whale', channel: desk });
    await fixture.say('watch add', { wallet: WALLET, label: 'Open whale' });
    for (const [index, market] of [{}, inMarket(2)].entries()) {
      await fixture.trades(trade({ ...market, trader: HIDDEN_WALLET }));
      await fixture.alerted(index + 1, desk);
    }

    const suggested = async (who: typeof member, where = channelId) =>
      (await discord.autocomplete(who, where, 'activity', { wallet: 'whale' }, 'wallet')).map(
        ({ name }) => name,
      );
    expect(await suggested(member)).toEqual([expect.stringContaining('Open whale')]);
    expect(await suggested(admin)).toHaveLength(2);
    expect((await asBob('activity', { wallet: 'Secret whale' })).content).toContain(
      'isn’t a wallet address',
    );
    expect((await asBob('watch remove', { wallet: HIDDEN_WALLET })).content).not.toContain(desk);

    // An answer that all may read says nothing of it, even if the admin asks; in its own channel it
    // does.
    for (const answer of [
      await asBob('activity', { wallet: HIDDEN_WALLET }),
      await fixture.say('activity', { wallet: 'Secret whale' }),
    ]) {
      expect(answer.embeds).toHaveLength(2);
      expect(JSON.stringify(answer.embeds)).not.toMatch(/Secret|Too early to say/);
      expect(textOf(answer)).toContain('Based on all');
    }
    const there = await fixture.say('activity', { wallet: 'Secret whale' }, desk);
    expect(there.embeds[0]?.title).toBe('Secret whale');
    expect(there.embeds[0]?.description).toContain('**Too early to say**');
    // Who is in a private thread is not known: elsewhere it is as if it were not there, unless
    // somebody manages threads.
    const privateThread = {
      name: 'inner circle',
      type: ChannelType.PrivateThread,
      parentId: channelId,
    } as const;
    const { id: thread } = discord.createChannel(guildId, privateThread);
    await fixture.say('watch add', { wallet: OTHER, label: 'Thread whale' }, thread);
    expect(await suggested(member)).toEqual([expect.stringContaining('Open whale')]);
    expect(await suggested(member, thread)).toHaveLength(2);
    expect(await suggested(admin)).toHaveLength(3);
    expect((await asBob('watch list')).embeds[0]?.title).toBe('1 watched wallet');
    const edited = await asBob('watch edit', { wallet: OTHER, channel: thread, label: 'x' });
    expect(edited.content).toContain('View Channel');
    const plan = await importOf(fixture, `wallet,channel\n${OTHER},${thread}`);
    expect(textOf(plan)).toContain('Use a channel of this server');
    // In a channel that the same people see, it says so of the others.
    const { id: lobby } = discord.createChannel(guildId, { name: 'lobby' });
    expect((await fixture.say('activity', { wallet: WALLET }, lobby)).embeds[0]?.title).toContain(
      'Open whale',
    );
  });
});
