import { expect, it } from 'vitest';
import { inMarket } from '../../support/records.ts';
import { A, CHANNEL, OTHER, type TestBot, watchingBot } from '../../support/test-bot.ts';

const KEY = `posted:${CHANNEL}:${A}`;

/** A bot of which two channels have got all that there was, each in its document. */
async function postedBot(): Promise<TestBot> {
  const bot = await watchingBot([A], [CHANNEL, OTHER]);
  await bot.poll(A);
  await bot.see(A, inMarket(1));
  for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  return bot;
}

/** The channel's document vanishes while the bot is down; the start reads what is damaged. */
async function loseDocument(bot: TestBot): Promise<void> {
  expect(bot.disk.delete(KEY)).toBe(true);
  bot.restart();
  await bot.parts.outbox.stateOf(A);
}

const kindsFor = (bot: TestBot, channelId: string) =>
  bot.allWaiting(channelId).map(({ event }) => event.kind);

it('alerts of a document that vanished do not wait again, and its channel reads that something may be missing', async () => {
  const bot = await postedBot();
  // Nothing that the channels follow changes by it.
  await bot.see(A, { ...inMarket(9), action: 'Sell' });
  for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  await loseDocument(bot);
  expect(kindsFor(bot, CHANNEL)).toEqual(['gap', 'gap']);
  expect(kindsFor(bot, OTHER)).toEqual([]);
  expect(bot.lines.some(({ event }) => event === 'posted.missing')).toBe(true);
  // It is said once, and the next trade comes as ever.
  await bot.deliver(CHANNEL);
  bot.restart();
  await bot.see(A, inMarket(3));
  for (const channelId of [CHANNEL, OTHER]) expect(kindsFor(bot, channelId)).toEqual(['activity']);
});

it('a document without positions is missed, too', async () => {
  const bot = await postedBot();
  // The wallet sells all: each channel reads the result, and follows nothing any more.
  await bot.see(A, { ...inMarket(1), action: 'Sell' });
  for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  await bot.see(A, { ...inMarket(9), action: 'Sell' });
  for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
  await loseDocument(bot);
  expect(kindsFor(bot, CHANNEL)).toEqual(['gap', 'gap']);
});

it('a channel that never had a document goes on waiting', async () => {
  const bot = await watchingBot([A], [CHANNEL, OTHER]);
  await bot.poll(A);
  await bot.see(A, inMarket(1));
  await bot.deliver(OTHER);
  await bot.see(A, inMarket(2));
  bot.restart();
  await bot.parts.outbox.stateOf(A);
  expect(kindsFor(bot, CHANNEL)).toEqual(['activity', 'activity']);
});

it('nothing is missed of a channel whose document was deleted because it no longer watches', async () => {
  const bot = await postedBot();
  await bot.see(A, inMarket(2));
  await bot.deliver(CHANNEL);
  await bot.registry.remove(CHANNEL, A);
  await bot.idle();
  await bot.parts.outbox.forgetUnwatched(A);
  expect(bot.disk.has(KEY)).toBe(false);
  await bot.watch(A, CHANNEL);
  bot.restart();
  await bot.parts.outbox.stateOf(A);
  expect(kindsFor(bot, CHANNEL)).toEqual([]);
  expect(bot.lines.some(({ event }) => event === 'posted.missing')).toBe(false);
});
