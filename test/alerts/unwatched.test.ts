import { expect, it } from 'vitest';
import { inMarket } from '../support/records.ts';
import { A, B, CHANNEL, OTHER, watchingBot } from '../support/test-bot.ts';

it('leaves nothing of a channel in the document of a wallet that it no longer watches, and all of the others', async () => {
  const bot = await watchingBot([A, B], [CHANNEL, OTHER]);
  for (const channelId of [CHANNEL, OTHER])
    await bot.setConsensus(channelId, { wallets: 2, hours: 1 });
  for (const wallet of [A, B]) await bot.see(wallet, inMarket('7'));
  await bot.see(A, inMarket('8'));
  for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  // The purchase of both stands in the document of who came second.
  await bot.registry.remove(CHANNEL, B);
  await bot.registry.remove(CHANNEL, A);
  const before = JSON.stringify(bot.knowledge(B));
  expect(before).toContain(CHANNEL);
  for (const wallet of [A, B]) await bot.prune(wallet);
  for (const wallet of [A, B]) {
    expect(JSON.stringify(bot.knowledge(wallet))).not.toContain(CHANNEL);
    expect(JSON.stringify(bot.knowledge(wallet))).toContain(OTHER);
  }
  // Once more changes nothing.
  const pruned = JSON.stringify(bot.knowledge(A));
  await bot.prune(A);
  expect(JSON.stringify(bot.knowledge(A))).toBe(pruned);
});
