import { expect, it, vi } from 'vitest';
import { nowSeconds, sale, trade, transfer } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, openFixture, textOf } from './fixture.ts';

const DAY = 86_400;

it('a server that comes to watch a wallet sees nothing of what was seen of it for another one before', async () => {
  const fixture = await openFixture();
  const { ledger, trades } = fixture;
  const start = nowSeconds();
  const old = { tokenId: '7', conditionId: '0x7', marketTitle: 'Snow?', quantity: 100, price: 50 };
  const held = { ...old, grossValue: 50, transferNetAmount: 50, fee: 0 };
  const before = Array.from({ length: 89 }, (_, n) => trade({ time: start - 59 * DAY + n + 1 }));
  await trades(trade({ ...held, time: start - 60 * DAY }), ...before);
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await trades(trade({ time: nowSeconds() }));
  await fixture.alerted(1);
  // By now the first page no longer reaches the first trades.
  for (let n = 0; n < 20; n += 1) await trades(trade({ time: nowSeconds() }));
  await ledger.addTransfer(WALLET, transfer({ time: nowSeconds() }));
  await fixture.until(() => JSON.stringify(fixture.alerts()).includes('5,000'));

  const { channelId: channel, say: ask } = elsewhere(fixture);
  // A watch begins with a second.
  const traded = nowSeconds();
  await vi.waitFor(() => expect(nowSeconds()).toBeGreaterThan(traded), 20_000);
  await ask('watch add', { wallet: WALLET, label: 'Shark' });
  expect(
    textOf(await ask('watch list')),
    'no poll was made for this server yet, or one after it began',
  ).not.toMatch(new RegExp(`<t:(${start}|${start - 1}):R>`));
  const card = textOf(await ask('activity', { wallet: WALLET }));
  expect(card).toContain('Based on all');
  expect(textOf(await fixture.say('activity', { wallet: WALLET }))).not.toContain('Based on all');

  // Positions are the venue's own lists, and the same for everybody; usual sizes are what was seen
  // for somebody.
  await trades(sale({ ...held, time: nowSeconds(), transferNetAmount: -60, grossValue: 60 }));
  for (const where of [fixture.channelId, channel])
    await fixture.until((message) => textOf(message).includes('**+\u2060$10.00**'), where);
  const large = { quantity: 10_000, grossValue: 5_000, transferNetAmount: 5_000, price: 50 };
  await trades(trade({ ...large, time: nowSeconds() }));
  const isLarge = ({ content }: { readonly content: string }) => content.includes('$5,000** at');
  // The first server has seen more than twenty trades, the other one none.
  await fixture.until(({ content }) => content.includes('× usual'));
  const unknown = await fixture.until(isLarge, channel);
  expect(unknown.content).not.toContain('× usual');
  expect(fixture.discord.rejections).toEqual([]);
});

it('the card of a wallet with a long history is the same for who watches first, who comes later and who watches nothing', async () => {
  const fixture = await openFixture();
  const start = nowSeconds();
  await fixture.trades(...Array.from({ length: 150 }, (_, n) => trade({ time: start - 200 + n })));
  const cardIn = async (say: typeof fixture.say) => {
    const [card] = (await say('activity', { wallet: WALLET })).embeds;
    return { fields: card?.fields ?? [], known: card?.description };
  };
  const later = elsewhere(fixture);
  const unwatched = await cardIn(later.say);
  expect(unwatched.known).toContain('Based on all 150 records.');
  // A channel has a record of what it watches, from the first second on and whoever watched before.
  const cameBack = { name: 'Returned', value: 'too early for a sum', inline: false };
  const watched = {
    fields: [cameBack, ...unwatched.fields],
    known: `**Too early to say** · 0 markets\n${unwatched.known}`,
  };
  await fixture.say('watch add', { wallet: WALLET });
  expect(await cardIn(fixture.say)).toEqual(watched);
  await later.say('watch add', { wallet: WALLET });
  expect(await cardIn(later.say)).toEqual(watched);
  expect(await cardIn(fixture.say)).toEqual(watched);
  expect(fixture.discord.rejections).toEqual([]);
});
