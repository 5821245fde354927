import { expect, it } from 'vitest';
import { activityVersion } from '../../src/domain/records.ts';
import { buy, inMarket, nowSeconds } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, query, standBefore, textOf } from './fixture.ts';

type Items = Record<string, unknown>[];

const WALLET_KEY = `walletbell:wallet:${WALLET}`;

/** Names the records that the wallet's document knows as a release with format 10 stored them. */
async function asOfFormat10(fixture: Fixture): Promise<void> {
  const [row] = await query(fixture, `SELECT key, value FROM keyv WHERE key = '${WALLET_KEY}'`);
  const stored = JSON.parse(row?.value ?? '');
  const { detectionState } = stored.value.state.activity;
  detectionState.seen = purchases.map((one) => [activityVersion(one), one.time, 1]);
  const value = JSON.stringify(stored).replaceAll("'", "''");
  await query(fixture, `UPDATE keyv SET value = '${value}' WHERE key = '${WALLET_KEY}'`);
}

const purchases = [buy(1_000, 50, inMarket(1)), buy(200, 50, inMarket(2))];

it('a record that the venue changes is one alert and one correction, over restarts and an update; a channel that was sent none reads nothing', async () => {
  const fixture = await openFixture({ withoutBot: true });
  let change = (items: Items): Items => items;
  const address = await standBefore(fixture, async (url, serve) => {
    const answer = await serve();
    if (!url.pathname.endsWith('/activity')) return answer;
    const body = JSON.parse(await answer.text());
    const data = body.data && { ...body.data, items: change(body.data.items) };
    const { status, headers } = answer;
    return new Response(JSON.stringify({ ...body, data }), { status, headers });
  });
  const environment = { VENUE_BASE_URL: address };
  const { id: quiet } = fixture.discord.createChannel(fixture.guildId, { name: 'large' });
  await fixture.startBot(environment);
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale', 'min-usdc': 400 }, quiet);
  const now = nowSeconds();
  for (const purchase of purchases) Object.assign(purchase, { time: now });
  await fixture.trades(...purchases);
  await fixture.alerted(2);
  await fixture.alerted(1, quiet);
  await fixture.bot.stop();
  await asOfFormat10(fixture);

  await fixture.startBot(environment);
  await fixture.say('watch status');
  const polled = async () => {
    await fixture.trades(buy(1_000, 90, { ...inMarket(9), time: nowSeconds() }));
  };
  await polled();
  await fixture.alerted(3);
  await fixture.bot.stop();

  const later = (items: Items, marketId: string, changes: object): Items =>
    items.map((item) => (item['marketId'] === marketId ? { ...item, ...changes } : item));
  change = (items) =>
    later(later(items, '1', { fee: 0.35, transferNetAmount: 500.35 }), '2', {
      ...{ quantity: 210, grossValue: 105, transferNetAmount: 105 },
    });
  await fixture.startBot(environment);
  const isCorrected = ({ content }: { readonly content: string }) => content.startsWith('✏️');
  await fixture.until(({ content }) => content.includes('$105'));
  await fixture.until(isCorrected, quiet);
  await fixture.bot.stop();
  await fixture.startBot(environment);
  await fixture.trades(buy(1_000, 91, { ...inMarket(10), time: nowSeconds() }));
  await fixture.until(({ content }) => content.includes('91¢'));
  await fixture.until(({ content }) => content.includes('91¢'), quiet);

  const said = (where = fixture.channelId) =>
    fixture.discord.messages(where).filter(({ author }) => author.id === fixture.discord.bot.id);
  const corrections = said().filter(isCorrected);
  expect(corrections.map(({ content }) => content).toSorted()).toEqual([
    expect.stringContaining(
      '✏️ The exchange changed a trade of **Whale**: **Yes $100** is now **$105**',
    ),
    expect.stringContaining(
      '✏️ The exchange changed a trade of **Whale**: **Yes $500** is now **$500.35**',
    ),
  ]);
  expect(corrections.every(({ flags }) => (flags & 4_096) > 0)).toBe(true);
  expect(said(quiet).filter(isCorrected)).toHaveLength(1);
  const alerts = said().filter((message) => message.content.includes(' BUY '));
  expect(alerts.map(({ content }) => content.replace(/ · .*/, ''))).toHaveLength(4);
  expect(alerts.map(textOf).join('\n')).not.toContain('2,000');
});
