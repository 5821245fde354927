import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { inMarket, trade, transfer } from '../support/records.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { openFixture, textOf } from './fixture.ts';

const VISIBLE = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

describe('answers to what goes wrong', () => {
  it('says what is wrong with an address, a label, a channel, a double add, a removal and a member, and waits where it may not write', async () => {
    const fixture = await openFixture();
    const { refused } = fixture;
    expect(await refused('watch add', { wallet: '0x1234' })).toContain(
      '0x followed by 40 hex digits',
    );
    const mistyped = WALLET_SHOWN.replace('BeAed', 'Beaed');
    expect(await refused('watch add', { wallet: mistyped })).toContain('checksum');
    expect(await refused('activity', { wallet: 'nobody' })).toContain('or the label of a wallet');
    expect(await refused('watch remove', { wallet: WALLET })).toContain('isn’t watched');

    const { id: closed } = fixture.discord.createChannel(fixture.guildId, { name: 'closed' });
    fixture.discord.setBotPermissions(closed, VISIBLE);
    const forbidden = await refused('watch add', { wallet: WALLET, channel: closed });
    expect(forbidden).toContain('Give me Send Messages and Embed Links there');
    expect(textOf(await fixture.say('watch list'))).toContain('No wallets watched yet');

    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(await refused('watch add', { wallet: WALLET_SHOWN })).toMatch(
      /already watched in <#\d+>, as Whale/,
    );
    const { id: other } = fixture.discord.createChannel(fixture.guildId, { name: 'other' });
    expect(await refused('watch remove', { wallet: WALLET, channel: other })).toContain(
      `<#${fixture.channelId}>`,
    );
    expect(fixture.discord.rejections).toEqual([]);
    // Nobody without Manage Server changes watches.
    await expect(fixture.sayAs(fixture.member, 'watch list')).rejects.toThrow();

    // A channel that it may not write in any more waits.
    fixture.discord.setBotPermissions(fixture.channelId, VISIBLE);
    await fixture.trades(trade());
    await fixture.logged('channel.blocked');
    const attempts = fixture.discord.rejections.length;
    const list = await fixture.say('watch list', {}, other);
    expect(list.embeds[0]?.description).toMatch(
      /Give me .*Send Messages and Embed Links.*Alerts are waiting/,
    );
    await fixture.trades(trade(inMarket(2)));
    fixture.discord.setBotPermissions(fixture.channelId, null);
    await fixture.alerted(2);
    expect(fixture.discord.rejections).toHaveLength(attempts);
  });

  it('reports a refused key, adds the watch all the same, and alerts when the key works again', async () => {
    const fixture = await openFixture({
      keys: [{ ...DEMO_KEY, key: 'another' }],
      environment: { VENUE_NAME: 'Poly*market* @everyone' },
    });
    const { say } = fixture;
    const added = await say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(added.embeds[0]?.description).toMatch(
      /^Watching \*\*Whale\*\*[\s\S]*Poly\\\*market\\\* @\u200beveryone rejected the bot’s API key \(401\)/,
    );
    expect(await fixture.refused('activity', { wallet: WALLET })).toContain('(401)');
    await fixture.logged('venue.key_refused');
    expect(textOf(await say('watch list'))).toContain(
      'Poly\\*market\\* @\u200beveryone rejected the bot’s API key (401)',
    );
    await fixture.ledger.addActivity(WALLET, 1, trade());
    fixture.venue.setKeys([DEMO_KEY]);
    expect((await say('activity', { wallet: WALLET })).embeds.at(-1)?.description).toContain(
      'Bought',
    );
    await fixture.alerted(1);
    expect(textOf(await say('watch list'))).not.toContain('rejected the bot’s API key');
  });

  it('turns off the endpoint that the plan lacks, says so, and alerts on the other one', async () => {
    const fixture = await openFixture({ keys: [{ ...DEMO_KEY, endpoints: ['activity'] }] });
    const added = await fixture.say('watch add', { wallet: WALLET });
    expect(added.embeds[0]?.description).toContain(
      'doesn’t include deposits and withdrawals (403)',
    );
    expect(await fixture.refused('flows', { wallet: WALLET })).toContain('(403)');
    await fixture.logged('venue.not_in_plan');
    await fixture.ledger.addTransfer(WALLET, transfer());
    await fixture.ledger.addActivity(WALLET, 1, trade());
    await fixture.alerted(1);
    expect(textOf(await fixture.say('watch list'))).toContain(
      'doesn’t include deposits and withdrawals',
    );
    const lines = fixture.logLines.filter(({ event }) => event === 'venue.not_in_plan');
    expect(lines).toHaveLength(1);
  });

  it('loses nothing that happens while the venue is down, not even for a watch that was added then', async () => {
    const fixture = await openFixture();
    await fixture.venue.close();
    const added = await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(textOf(added)).toContain('Watching **Whale**');
    expect(textOf(added)).toMatch(
      /^⚠️ The exchange isn’t answering right now\. You’ll get the alerts when it does\.$/m,
    );
    expect(textOf(added)).not.toContain('Try again');
    await fixture.logged('venue.unreachable');
    const several = `0x${'7'.repeat(40)} 0x${'8'.repeat(40)}`;
    const away = /^⚠️ The exchange doesn’t answer properly\. .*Started <t:\d+:R>\.$/m;
    expect(textOf(await fixture.say('watch add', { wallet: several }))).toMatch(away);
    await fixture.trades(trade({ quantity: 1 }), trade({ action: 'Sell', quantity: 2 }));
    await fixture.reopenVenue();
    await fixture.alerted(2);
  });

  it('says in the channel and first of all in the list where embeds do not show, and shows them when they may', async () => {
    const fixture = await openFixture();
    const { discord, guildId, say } = fixture;
    const { id: other } = discord.createChannel(guildId, { name: 'other' });
    for (let index = 1; index <= 11; index += 1)
      await say('watch add', { wallet: `0x${String(index).padStart(40, '0')}` });
    await say('watch add', { wallet: WALLET, label: 'Whale' }, other);
    expect((await say('watch list')).embeds[0]?.title).toBe('12 watched wallets in 2 channels');
    discord.setBotPermissions(other, VISIBLE | PermissionFlagsBits.SendMessages);
    const title = async () => (await say('watch list')).embeds[0]?.title;
    await expect.poll(title).toBe('12 watched wallets in 2 channels · ⚠️ 1 channel has a problem');
    const trouble = `⚠️ Give me Embed Links in <#${other}>: without it, alerts show only their first line.`;
    const lines = textOf(await say('watch list'))?.split('\n');
    expect(lines?.slice(0, 3)).toEqual([
      `**<#${other}>**`,
      trouble,
      expect.stringContaining('• Whale'),
    ]);
    expect(lines?.at(-1)).not.toMatch(/next|Invalid/);

    const shown = () =>
      discord.messages(other).filter(({ interactionId }) => interactionId === null);
    await fixture.ledger.addActivity(WALLET, 1, trade(inMarket(1)));
    await fixture.until(() => shown().length === 1, other);
    expect(shown()[0]?.content).toMatch(/^🟢 \*\*Whale\*\* BUY .*\n-# ⚠️ Give me Embed Links in /u);
    discord.setBotPermissions(other, null);
    await expect.poll(title).toBe('12 watched wallets in 2 channels');
    await fixture.ledger.addActivity(WALLET, 2, trade(inMarket(2)));
    await fixture.alerted(2, other);
    expect(shown()[1]?.content).not.toContain('Embed Links');
  });
});
