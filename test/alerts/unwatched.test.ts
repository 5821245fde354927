import { expect, it } from 'vitest';
import type { WalletAddress } from '../../src/venue/address.ts';
import { Desk } from './desk.ts';

const [ROOM, OTHER] = ['100000000000000002', '100000000000000003'];
const [A, B] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}` as WalletAddress) as [WalletAddress, WalletAddress];

it('leaves nothing of a channel in the document of a wallet that it no longer watches, and all of the others', async () => {
  const desk = new Desk();
  for (const channelId of [ROOM, OTHER]) {
    for (const wallet of [A, B]) await desk.watch(wallet, channelId);
    await desk.room(channelId, { wallets: 2, hours: 1 });
  }
  const outcome = { action: 'Buy', tokenId: '7', conditionId: '0x7', marketId: '7' };
  for (const wallet of [A, B]) await desk.see(wallet, outcome);
  await desk.see(A, { ...outcome, tokenId: '8', conditionId: '0x8', marketId: '8' });
  for (const channelId of [ROOM, OTHER]) await desk.deliver(channelId);
  // The purchase of both stands in the document of who came second.
  await desk.registry.remove(ROOM, B);
  await desk.registry.remove(ROOM, A);
  const before = JSON.stringify(desk.knowledge(B));
  expect(before).toContain(ROOM);
  for (const wallet of [A, B]) await desk.prune(wallet);
  for (const wallet of [A, B]) {
    expect(JSON.stringify(desk.knowledge(wallet))).not.toContain(ROOM);
    expect(JSON.stringify(desk.knowledge(wallet))).toContain(OTHER);
  }
  // Once more changes nothing.
  const pruned = JSON.stringify(desk.knowledge(A));
  await desk.prune(A);
  expect(JSON.stringify(desk.knowledge(A))).toBe(pruned);
});
