import { beforeEach, describe, expect, it } from 'vitest';
import { boughtFor, soldFor } from '../../support/records.ts';
import { A, CHANNEL, GUILD, OTHER, TestBot, watchingBot } from '../../support/test-bot.ts';

const KEY = `posted:${CHANNEL}:${A}`;
const UNDO_MS = 600_000;
const bought = boughtFor(100, 40);
const sold = soldFor(100, 90);

let bot: TestBot;
/** Message that the channel's alert of the purchase is in. */
let messageId: string;

/** Two channels of two servers have got the alert of a purchase, each in its document. */
beforeEach(async () => {
  bot = await watchingBot();
  await bot.watch(A, OTHER, {}, bot.nowSeconds, '100000000000000009');
  await bot.see(A, bought);
  messageId = await bot.deliver(CHANNEL);
  await bot.deliver(OTHER);
  expect(bot.disk.has(KEY)).toBe(true);
});

describe('a wallet that was removed', () => {
  beforeEach(async () => {
    const watch = bot.registry.get(CHANNEL, A);
    if (watch === undefined) throw new Error('The wallet is watched.');
    await bot.registry.update({ ...watch, leavesAtMs: bot.nowSeconds * 1000 + UNDO_MS }, null);
    bot.restart();
    await bot.parts.outbox.forgetUnwatched(A);
  });

  it('comes back with Undo as if nothing had been: the result answers the first message', async () => {
    expect(bot.disk.has(KEY)).toBe(true);
    const watch = bot.registry.kept(CHANNEL, A);
    if (watch === undefined) throw new Error('The removal can be undone.');
    const { leavesAtMs: _, ...present } = watch;
    await bot.registry.update(present, null);
    await bot.see(A, sold);
    expect(bot.results()).toEqual([['40', '90', messageId]]);
  });

  it('leaves no document once that cannot be undone', async () => {
    bot.nowSeconds += UNDO_MS / 1000;
    await bot.registry.endLeaving(bot.nowSeconds * 1000, () => true);
    await bot.parts.outbox.forgetUnwatched(A);
    expect(bot.disk.has(KEY)).toBe(false);
    expect(bot.disk.has(`posted:${OTHER}:${A}`)).toBe(true);
    // Whoever adds it again begins anew.
    await bot.watch(A, CHANNEL);
    await bot.see(A, sold);
    expect(bot.results()).toEqual([]);
    expect(bot.results(OTHER)).toEqual([['40', '90', expect.any(String)]]);
  });
});

it('the document of a server that is suspended stays until it comes back or is forgotten', async () => {
  bot.registry.suspend(GUILD);
  bot.restart();
  bot.registry.suspend(GUILD);
  // Another server's page and a look for what is unwatched leave it alone.
  await bot.see(A, boughtFor(10, 5));
  await bot.parts.outbox.forgetUnwatched(A);
  expect(bot.disk.has(KEY)).toBe(true);
  await bot.registry.deleteSuspended(GUILD);
  await bot.parts.posted.forget({ channelId: CHANNEL });
  expect(bot.disk.has(KEY)).toBe(false);
  expect(bot.disk.has(`posted:${OTHER}:${A}`)).toBe(true);
});

it('a standby that takes over goes on from what each channel has got', async () => {
  await bot.see(A, sold);
  // The first bot ends between two channels.
  await bot.deliver(CHANNEL);
  const standby = new TestBot();
  for (const [key, text] of bot.disk) standby.disk.set(key, text);
  standby.nowSeconds = bot.nowSeconds;
  standby.restart();
  const kindsFor = (channelId: string) =>
    standby.allWaiting(channelId).map(({ event }) => event.kind);
  const isSameFor = (channelId: string) =>
    expect(kindsFor(channelId)).toEqual(bot.allWaiting(channelId).map(({ event }) => event.kind));
  for (const channelId of [CHANNEL, OTHER]) isSameFor(channelId);
  expect(kindsFor(CHANNEL)).not.toContain('activity');
  expect(kindsFor(OTHER)).toContain('activity');
});
