import { expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { TestBot } from './bot.ts';

const [CHANNEL, OTHER] = ['100000000000000002', '100000000000000003'];
const [A, B] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}` as WalletAddress) as [WalletAddress, WalletAddress];

it('leaves nothing of a channel in the document of a wallet that it no longer watches, and all of the others', async () => {
  const bot = new TestBot();
  for (const channelId of [CHANNEL, OTHER]) {
    for (const wallet of [A, B]) await bot.watch(wallet, channelId);
    await bot.setConsensus(channelId, { wallets: 2, hours: 1 });
  }
  const outcome = { action: 'Buy', tokenId: '7', conditionId: '0x7', marketId: '7' };
  for (const wallet of [A, B]) await bot.see(wallet, outcome);
  await bot.see(A, { ...outcome, tokenId: '8', conditionId: '0x8', marketId: '8' });
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
