import { expect, it } from 'vitest';
import { entryKeys } from '../../../src/portfolio/market.ts';
import { withSettlements } from '../../../src/portfolio/wallet-knowledge.ts';
import { inMarket } from '../../support/records.ts';
import { A, B, START, TestBot } from '../../support/test-bot.ts';

const channelsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => String(300_000_000_000_000_000n + BigInt(n)));

/** Counts what waits in all channels together, of one kind. */
const countIn = (
  bot: TestBot,
  channelIds: readonly string[],
  kind: 'result' | 'consensus' | 'gap',
) => channelIds.reduce((sum, channelId) => sum + bot.waiting(channelId, kind).length, 0);

it('all of 600 channels get the results of two markets that are settled at once', async () => {
  const bot = new TestBot();
  const channelIds = channelsOf(600);
  for (const channelId of channelIds) await bot.watch(A, channelId, {}, START, channelId);
  await bot.poll(A);
  const items = [bot.trade(A, inMarket(1)), bot.trade(A, inMarket(2))];
  await bot.poll(A);
  for (const channelId of channelIds) await bot.deliver(channelId);
  const atSeconds = bot.nowSeconds + 10;
  bot.nowSeconds = atSeconds + 5;
  const settlements = items.map(entryKeys).map(({ market, outcome }) => ({
    ...{ market, atSeconds, payouts: new Map([[outcome, 1]]) },
  }));
  await bot.parts.outbox.learn(A, (knowledge, boundaries) =>
    withSettlements(knowledge, settlements, boundaries),
  );
  expect(countIn(bot, channelIds, 'result')).toBe(1_200);
  // So do they after a start.
  bot.restart();
  expect(countIn(bot, channelIds, 'result')).toBe(1_200);
  for (const channelId of channelIds) await bot.deliver(channelId);
  expect(countIn(bot, channelIds, 'result')).toBe(0);
  expect(countIn(bot, channelIds, 'gap')).toBe(0);
});

it('all of 1,100 channels that ask for it get a consensus', async () => {
  const bot = new TestBot();
  const channelIds = channelsOf(1_100);
  for (const channelId of channelIds) {
    for (const wallet of [A, B]) await bot.watch(wallet, channelId, {}, START, channelId);
    await bot.setConsensus(channelId, { wallets: 2, hours: 24 });
  }
  for (const wallet of [A, B]) await bot.poll(wallet);
  for (const wallet of [A, B]) await bot.see(wallet, inMarket(1));
  expect(countIn(bot, channelIds, 'consensus')).toBe(1_100);
  expect(countIn(bot, channelIds, 'gap')).toBe(0);
});
