import { expect, it, vi } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { nowSeconds, openFixture, sale, trade, transfer, WALLET } from './fixture.ts';

const DAY = 86_400;
const textOf = ({ embeds }: SeenMessage) => embeds.map(({ description }) => description).join('\n');

it('a server that comes to watch a wallet sees nothing of what was seen of it for another one before', {
  timeout: 60_000,
}, async () => {
  const fixture = await openFixture();
  const { ledger, discord } = fixture;
  const start = nowSeconds();
  const old = { tokenId: '7', conditionId: '0x7', marketTitle: 'Snow?', quantity: 100, price: 50 };
  const held = { ...old, grossValue: 50, transferNetAmount: 50, fee: 0 };
  await ledger.addActivity(WALLET, 1, trade({ ...held, time: start - 60 * DAY }));
  for (let n = 1; n < 90; n += 1) await ledger.addActivity(WALLET, 1, trade({ time: start - 59 * DAY + n }));
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await ledger.addActivity(WALLET, 2, trade({ time: nowSeconds() }));
  await fixture.alerted(1);
  // By now the first page no longer reaches the first trades.
  for (let n = 0; n < 20; n += 1) await ledger.addActivity(WALLET, 3 + n, trade({ time: nowSeconds() }));
  await ledger.addTransfer(WALLET, transfer({ time: nowSeconds() }));
  const isMoved = () => fixture.alerts().some((alert) => JSON.stringify(alert).includes('5,000'));
  await discord.waitForMessage(fixture.channelId, isMoved, 20_000);

  const elsewhere = discord.createGuild({ name: 'Other desk' });
  const { id: channel } = discord.createChannel(elsewhere.id, { name: 'alerts' });
  const other = discord.createMember(elsewhere.id, { name: 'eve', admin: true });
  const ask = async (line: string, values: Record<string, string> = {}) =>
    (await discord.command(other, channel, line, values)).reply();

  // A watch begins with a second.
  const traded = nowSeconds();
  await vi.waitFor(() => expect(nowSeconds()).toBeGreaterThan(traded), 2_000);
  await ask('watch add', { wallet: WALLET, label: 'Shark' });
  expect(textOf(await ask('watch list')), 'no poll was made for this server yet, or one after it began').not.toMatch(
    new RegExp(`<t:(${start}|${start - 1}):R>`),
  );
  const card = textOf(await ask('activity', { wallet: WALLET }));
  expect(card).toContain('Based on all');
  expect(card).not.toMatch(/All trades since/);
  expect(textOf(await fixture.say('activity', { wallet: WALLET }))).toContain('All trades since its first');

  // Positions are the venue's own lists, and the same for everybody; usual sizes are what was seen for somebody.
  await ledger.addActivity(WALLET, 30, sale({ ...held, time: nowSeconds(), transferNetAmount: -60, grossValue: 60 }));
  for (const where of [fixture.channelId, channel]) {
    const realized = () => fixture.alerts(where).find((alert) => alert.description?.includes('**+$10.00**'));
    await discord.waitForMessage(where, () => realized() !== undefined, 20_000);
  }
  expect(JSON.stringify(fixture.alerts()), 'it has seen more than twenty trades').toContain('usual size');
  expect(JSON.stringify(fixture.alerts(channel)), 'it has seen none').not.toContain('usual size');
  expect(discord.rejections).toEqual([]);
});
