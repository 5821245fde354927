import { expect, it } from 'vitest';
import { inMarket } from '../support/records.ts';
import { A, START, TestBot } from '../support/test-bot.ts';

const MARKETS = 20;
/** The most that three times as many channels may cost, in bytes of one trade. */
const MOST_TIMES = 3.2;

/** A bot whose channels, each of another server, follow the wallet's positions in some markets. */
async function followingBot(channels: number, markets: number) {
  const bot = new TestBot();
  const channelIds = Array.from({ length: channels }, (_, n) =>
    String(300_000_000_000_000_000n + BigInt(n)),
  );
  for (const [n, channelId] of channelIds.entries()) {
    await bot.watch(A, channelId, {}, START, String(400_000_000_000_000_000n + BigInt(n)));
  }
  await bot.poll(A);
  for (let market = 0; market < markets; market += 1) bot.trade(A, inMarket(1_000 + market));
  await bot.poll(A);
  for (const channelId of channelIds) await bot.deliver(channelId);
  return { bot, channelIds };
}

/** What is written of one trade, by kind of document. */
async function writtenFor(channels: number) {
  const { bot, channelIds } = await followingBot(channels, MARKETS);
  const written = { wallet: { writes: 0, bytes: 0 }, posted: { writes: 0, bytes: 0 } };
  const set = bot.disk.set.bind(bot.disk);
  bot.disk.set = (key, text) => {
    const kind = written[key.startsWith('wallet:') ? 'wallet' : 'posted'];
    kind.writes += 1;
    kind.bytes += Buffer.byteLength(text);
    return set(key, text);
  };
  await bot.see(A, inMarket(5_000));
  for (const channelId of channelIds) await bot.deliver(channelId);
  await bot.idle();
  return { ...written, bytes: written.wallet.bytes + written.posted.bytes };
}

it('what one trade writes grows with the channels that get it, and the wallet’s document is written once', async () => {
  const few = await writtenFor(30);
  const many = await writtenFor(90);
  for (const [channels, written] of [
    [30, few],
    [90, many],
  ] as const) {
    expect(written.wallet.writes).toBe(1);
    expect(written.posted.writes).toBe(channels);
  }
  expect(many.bytes / few.bytes).toBeLessThan(MOST_TIMES);
});

/** Number of times that the deliveries of one trade ask a position of another market for its channel. */
async function looksFor(channels: number) {
  const { bot, channelIds } = await followingBot(channels, 3);
  await bot.see(A, inMarket(5_000));
  const { knowledge } = await bot.parts.outbox.stateOf(A);
  let looks = 0;
  // Positions of other markets stay the same objects, so that each of them can count.
  for (const position of knowledge?.alertedPositions ?? []) {
    const { channelId } = position;
    const get = () => {
      looks += 1;
      return channelId;
    };
    Object.defineProperty(position, 'channelId', { get, enumerable: true });
  }
  for (const channelId of channelIds) await bot.deliver(channelId);
  return looks;
}

it('a delivery looks at its own channel’s positions, not at those of all others', async () => {
  const few = await looksFor(100);
  const many = await looksFor(300);
  expect(few).toBeGreaterThan(0);
  expect(many / few).toBeLessThan(MOST_TIMES);
});
