import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { walletRecordSchema } from '../../src/portfolio/record/record.ts';
import { GUILD, TestBot } from './bot.ts';

const [CHANNEL, OTHER] = ['100000000000000002', '100000000000000003'];
const ELSEWHERE = '100000000000000009';
const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
const bought = { quantity: 100, grossValue: 40, transferNetAmount: 40, fee: 0, price: 40 };
const sold = { ...bought, action: 'Sell', grossValue: 90, transferNetAmount: -90, price: 90 };
const aside = (market: number) => ({ tokenId: `m${market}`, conditionId: `0x${market}`, marketId: `${market}` });

const results = (bot: TestBot, channelId: string) =>
  bot.waiting(channelId, 'result').map(({ result: { paid, received, messageId } }) => [paid, received, messageId]);

/** A bot whose channel was alerted to a purchase; then its server removes it, and the bot starts anew. */
async function leftBot({ isWatchedElsewhere }: { readonly isWatchedElsewhere: boolean }) {
  const bot = new TestBot();
  await bot.watch(WALLET, CHANNEL);
  if (isWatchedElsewhere) await bot.watch(WALLET, OTHER, {}, bot.nowSeconds, ELSEWHERE);
  await bot.see(WALLET, bought);
  const messageId = await bot.deliver(CHANNEL);
  if (isWatchedElsewhere) await bot.deliver(OTHER);
  bot.registry.rest(GUILD);
  await bot.idle();
  bot.restart();
  bot.registry.rest(GUILD);
  await bot.idle();
  return { bot, messageId };
}

async function comeBack(bot: TestBot) {
  bot.nowSeconds += 86_400;
  const { nowSeconds } = bot;
  await bot.registry.wake(GUILD, nowSeconds, async () => {});
}

describe('a server that comes back', () => {
  it.each([false, true])('gets the results of its alerts, whether others watched meanwhile (%s)', async (is) => {
    const { bot, messageId } = await leftBot({ isWatchedElsewhere: is });
    if (is) await bot.see(WALLET, { ...bought, ...aside(1) });
    await comeBack(bot);
    await bot.see(WALLET, sold);
    expect(bot.waiting(CHANNEL, 'activity'), 'nothing of the time between').toHaveLength(1);
    expect(results(bot, CHANNEL)).toEqual([['40', '90', messageId]]);
  });

  it('gets the result of what was sold while nobody looked, as far as the next page shows it', async () => {
    const { bot, messageId } = await leftBot({ isWatchedElsewhere: false });
    bot.trade(WALLET, sold);
    await comeBack(bot);
    await bot.poll(WALLET);
    expect(bot.waiting(CHANNEL, 'activity')).toEqual([]);
    expect(results(bot, CHANNEL)).toEqual([['40', '90', messageId]]);
  });

  it('is told no result where more happened meanwhile than a page shows', async () => {
    const { bot } = await leftBot({ isWatchedElsewhere: false });
    for (let market = 0; market < 150; market += 1) bot.trade(WALLET, { ...bought, ...aside(market) });
    await comeBack(bot);
    await bot.poll(WALLET);
    await bot.see(WALLET, sold);
    expect(bot.waiting(CHANNEL, 'gap'), 'what was missed is before its return').toEqual([]);
    expect(bot.waiting(CHANNEL, 'activity').map(({ context }) => context)).toEqual([undefined]);
    expect(results(bot, CHANNEL)).toEqual([]);
  });

  it('has the record of the wallet that it had', async () => {
    const { bot } = await leftBot({ isWatchedElsewhere: false });
    const recorded = () => walletRecordSchema.parse(bot.knowledge(WALLET)['record']).markets;
    const before = recorded();
    await comeBack(bot);
    await bot.see(WALLET, { ...bought, ...aside(1) });
    expect(recorded()).toEqual([...before, expect.anything()]);
    expect(
      before.map(({ atSeconds }) => atSeconds >= (bot.registry.get(CHANNEL, WALLET)?.beganSeconds ?? 1e12)),
    ).toEqual([true]);
  });

  it('has shown nothing of what was kept for it to who came meanwhile', async () => {
    const { bot } = await leftBot({ isWatchedElsewhere: false });
    bot.nowSeconds += 100;
    await bot.watch(WALLET, OTHER, {}, bot.nowSeconds, ELSEWHERE);
    const { nowSeconds } = bot;
    expect(bot.registry.get(OTHER, WALLET)?.joined).toEqual({ atSeconds: nowSeconds, knownSinceSeconds: nowSeconds });
    await bot.see(WALLET, sold);
    expect(results(bot, OTHER)).toEqual([]);
  });
});

describe('a server that does not come back', () => {
  it.each([false, true])('leaves nothing in the end, whether others watch the wallet (%s)', async (is) => {
    const { bot } = await leftBot({ isWatchedElsewhere: is });
    expect(JSON.stringify(bot.knowledge(WALLET))).toContain(CHANNEL);
    await bot.registry.endResting(GUILD);
    if (is) await bot.prune(WALLET);
    await bot.idle();
    expect([...bot.disk.values()].join('\n')).not.toContain(CHANNEL);
    expect(bot.disk.has(`wallet:${WALLET}`)).toBe(is);
    expect(JSON.stringify(bot.knowledge(WALLET)).includes(OTHER)).toBe(is);
  });
});
