import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { startVenue } from '../../src/venue-server/venue.ts';
import { quietLog } from '../support/log.ts';
import { inMarket, openRoom, type Room, trade, transfer, WALLET, WALLET_SHOWN } from './room.ts';

const VISIBLE = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

async function refusal(room: Room, line: string, values: Record<string, string>): Promise<string> {
  const answer = await room.say(line, values);
  expect(answer.ephemeralFor, 'only the person who typed it sees an error').toBe(room.admin.userId);
  return answer.content;
}

describe('answers to what goes wrong', () => {
  it('says what is wrong with an address, a label, a channel, a double add, a removal and a member', async () => {
    const room = await openRoom();
    expect(await refusal(room, 'watch add', { wallet: '0x1234' })).toContain('0x followed by 40 hex digits');
    expect(await refusal(room, 'watch add', { wallet: WALLET_SHOWN.replace('BeAed', 'Beaed') })).toContain('checksum');
    expect(await refusal(room, 'activity', { wallet: 'nobody' })).toContain('or the label of a wallet');
    expect(await refusal(room, 'watch remove', { wallet: WALLET })).toContain('isn’t watched');

    const { id: closed } = room.discord.createChannel(room.guildId, { name: 'closed' });
    room.discord.setBotPermissions(closed, VISIBLE);
    const forbidden = await refusal(room, 'watch add', { wallet: WALLET, channel: closed });
    expect(forbidden).toContain('Give me Send Messages and Embed Links there');
    expect((await room.say('watch list')).embeds[0]?.description).toContain('No wallets watched yet');

    await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(await refusal(room, 'watch add', { wallet: WALLET_SHOWN })).toMatch(/already watched in <#\d+>, as Whale/);
    const { id: other } = room.discord.createChannel(room.guildId, { name: 'other' });
    expect(await refusal(room, 'watch remove', { wallet: WALLET, channel: other })).toContain(`<#${room.channelId}>`);
    expect(room.discord.rejections).toEqual([]);
    // Nobody without Manage Server changes watches.
    await expect(room.discord.command(room.member, room.channelId, 'watch list')).rejects.toThrow();
  });

  it('reports a refused key, adds the watch all the same, and alerts when the key works again', async () => {
    const room = await openRoom({ keys: [{ ...DEMO_KEY, key: 'another' }] });
    const added = await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(added.embeds[0]?.description).toMatch(
      /rejected the bot’s API key \(401\).*The wallet is watched all the same/,
    );
    expect(await refusal(room, 'activity', { wallet: WALLET })).toContain('(401)');
    await room.logged('venue.key_refused');
    expect((await room.say('watch list')).embeds[0]?.description).toContain('The venue refused the key (401)');
    await room.ledger.addActivity(WALLET, 1, trade());
    room.venue.setKeys([DEMO_KEY]);
    expect((await room.say('activity', { wallet: WALLET })).embeds.at(-1)?.description).toContain('Bought');
    await room.alerted(1);
    expect((await room.say('watch list')).embeds[0]?.description).not.toContain('refused the key');
  });

  it('turns off the endpoint that the plan lacks, says so, and alerts on the other one', async () => {
    const room = await openRoom({ keys: [{ ...DEMO_KEY, endpoints: ['activity'] }] });
    const added = await room.say('watch add', { wallet: WALLET });
    expect(added.embeds[0]?.description).toContain('doesn’t include this list (403)');
    expect(await refusal(room, 'flows', { wallet: WALLET })).toContain('(403)');
    await room.logged('venue.not_in_plan');
    await room.ledger.addTransfer(WALLET, transfer());
    await room.ledger.addActivity(WALLET, 1, trade());
    await room.alerted(1);
    expect((await room.say('watch list')).embeds[0]?.description).toContain(
      'does not include deposits and withdrawals',
    );
    const lines = room.logLines.filter(({ event }) => event === 'venue.not_in_plan');
    expect(lines).toHaveLength(1);
  });

  it('loses nothing that happens while the venue is down, not even for a watch that was added then', async () => {
    const room = await openRoom();
    const port = Number(new URL(room.venue.url).port);
    await room.venue.close();
    const added = await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    expect(added.embeds[0]?.description).toMatch(/isn’t responding right now.*The wallet is watched all the same/);
    await room.ledger.addActivity(WALLET, 1, trade({ quantity: 1 }));
    await room.ledger.addActivity(WALLET, 1, trade({ action: 'Sell', quantity: 2 }));
    const again = await startVenue({ ledger: room.ledger, keys: [DEMO_KEY], port, log: quietLog() });
    await room.alerted(2);
    await again.close();
  });

  it('waits with a channel that it may not write in, says why, and delivers when it may again', async () => {
    const room = await openRoom();
    await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    room.discord.setBotPermissions(room.channelId, VISIBLE);
    await room.ledger.addActivity(WALLET, 1, trade());
    await room.logged('channel.blocked');
    const attempts = room.discord.rejections.length;
    const { id: office } = room.discord.createChannel(room.guildId, { name: 'office' });
    const list = await room.say('watch list', {}, office);
    expect(list.embeds[0]?.description).toMatch(/Give it .*Send Messages and Embed Links.*Alerts are waiting/);
    await room.ledger.addActivity(WALLET, 2, trade(inMarket(2)));
    room.discord.setBotPermissions(room.channelId, null);
    await room.alerted(2);
    expect(room.discord.rejections).toHaveLength(attempts);
  });
});
