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
  expect(card).not.toMatch(/known (since|from)|trades and redemptions seen/);
  expect(textOf(await fixture.say('activity', { wallet: WALLET }))).toContain('All trades since its first');

  // What was bought before the other server came is not said there; what is bought from now on is.
  await ledger.addActivity(WALLET, 30, sale({ ...held, time: nowSeconds(), transferNetAmount: -60, grossValue: 60 }));
  const fresh = { tokenId: '8', conditionId: '0x8', marketTitle: 'Fog?' };
  await ledger.addActivity(WALLET, 31, trade({ ...fresh, time: nowSeconds() }));
  await fixture.alerted(2, channel);
  const alerts = fixture.alerts(channel).map(({ description }) => description ?? '');
  // The first server still has the many trades from before to get.
  const isRealizedTold = () => fixture.alerts().some(({ description }) => description?.includes('**+$10.00**'));
  await fixture.discord.waitForMessage(fixture.channelId, isRealizedTold, 20_000);
  expect(alerts.join('\n')).not.toContain('**+$');
  const snow = fixture.alerts(channel).find((alert) => JSON.stringify(alert).includes('Snow'));
  expect(snow?.description ?? 'no alert').not.toMatch(/position|shares not seen|no alert/);
  const first = fixture.alerts().find(({ description }) => description?.includes('**+$10.00**'));
  expect(JSON.stringify(first), 'it has seen more than twenty trades').toContain('usual size');
  expect(JSON.stringify(fixture.alerts(channel)), 'it has seen none').not.toContain('usual size');
  expect(alerts.join('\n'), 'what was held before is not said there').not.toContain('New position');
  expect(discord.rejections).toEqual([]);
});
