import { describe, expect, it } from 'vitest';
import { walletRecordSchema } from '../../src/portfolio/record/record.ts';
import { boughtFor, inMarket, soldFor } from '../support/records.ts';
import { A, CHANNEL, GUILD, OTHER, type TestBot, watchingBot } from '../support/test-bot.ts';

const ELSEWHERE = '100000000000000009';
const bought = boughtFor(100, 40);
const sold = soldFor(100, 90);

/**
 * A bot whose channel was alerted to a boughtFor; then its server removes it, and the bot starts
 * anew.
 */
async function leftBot({ isWatchedElsewhere }: { readonly isWatchedElsewhere: boolean }) {
  const bot = await watchingBot();
  if (isWatchedElsewhere) await bot.watch(A, OTHER, {}, bot.nowSeconds, ELSEWHERE);
  await bot.see(A, bought);
  const messageId = await bot.deliver(CHANNEL);
  if (isWatchedElsewhere) await bot.deliver(OTHER);
  bot.registry.suspend(GUILD);
  await bot.idle();
  bot.restart();
  bot.registry.suspend(GUILD);
  await bot.idle();
  return { bot, messageId };
}

async function comeBack(bot: TestBot) {
  bot.nowSeconds += 86_400;
  const { nowSeconds } = bot;
  await bot.registry.resume(GUILD, nowSeconds, async () => {});
}

describe('a server that comes back', () => {
  it.each([false, true])(
    'gets the results of its alerts, whether others watched meanwhile (%s)',
    async (is) => {
      const { bot, messageId } = await leftBot({ isWatchedElsewhere: is });
      if (is) await bot.see(A, { ...bought, ...inMarket('1') });
      await comeBack(bot);
      await bot.see(A, sold);
      expect(bot.waiting(CHANNEL, 'activity'), 'nothing of the time between').toHaveLength(1);
      expect(bot.results()).toEqual([['40', '90', messageId]]);
    },
  );

  it('gets the result of what was sold while nobody looked, as far as the next page shows it', async () => {
    const { bot, messageId } = await leftBot({ isWatchedElsewhere: false });
    bot.trade(A, sold);
    await comeBack(bot);
    await bot.poll(A);
    expect(bot.waiting(CHANNEL, 'activity')).toEqual([]);
    expect(bot.results()).toEqual([['40', '90', messageId]]);
  });

  it('is told no result where more happened meanwhile than a page shows', async () => {
    const { bot } = await leftBot({ isWatchedElsewhere: false });
    for (let market = 0; market < 150; market += 1)
      bot.trade(A, { ...bought, ...inMarket(`${market}`) });
    await comeBack(bot);
    await bot.poll(A);
    await bot.see(A, sold);
    expect(bot.waiting(CHANNEL, 'gap'), 'what was missed is before its return').toEqual([]);
    expect(bot.waiting(CHANNEL, 'activity').map(({ context }) => context)).toEqual([undefined]);
    expect(bot.results()).toEqual([]);
  });

  it('has the record of the wallet that it had', async () => {
    const { bot } = await leftBot({ isWatchedElsewhere: false });
    const recorded = () => walletRecordSchema.parse(bot.knowledge(A)['record']).markets;
    const before = recorded();
    await comeBack(bot);
    await bot.see(A, { ...bought, ...inMarket('1') });
    expect(recorded()).toEqual([...before, expect.anything()]);
    expect(
      before.map(
        ({ atSeconds }) => atSeconds >= (bot.registry.get(CHANNEL, A)?.beganSeconds ?? 1e12),
      ),
    ).toEqual([true]);
  });

  it('has shown nothing of what was kept for it to who came meanwhile', async () => {
    const { bot } = await leftBot({ isWatchedElsewhere: false });
    bot.nowSeconds += 100;
    await bot.watch(A, OTHER, {}, bot.nowSeconds, ELSEWHERE);
    const { nowSeconds } = bot;
    expect(bot.registry.get(OTHER, A)?.joined).toEqual({
      atSeconds: nowSeconds,
      knownSinceSeconds: nowSeconds,
    });
    await bot.see(A, sold);
    expect(bot.results(OTHER)).toEqual([]);
  });
});

describe('a server that does not come back', () => {
  it.each([false, true])(
    'leaves nothing in the end, whether others watch the wallet (%s)',
    async (is) => {
      const { bot } = await leftBot({ isWatchedElsewhere: is });
      expect(JSON.stringify(bot.knowledge(A))).toContain(CHANNEL);
      await bot.registry.deleteSuspended(GUILD);
      if (is) await bot.prune(A);
      await bot.idle();
      expect([...bot.disk.values()].join('\n')).not.toContain(CHANNEL);
      expect(bot.disk.has(`wallet:${A}`)).toBe(is);
      expect(JSON.stringify(bot.knowledge(A)).includes(OTHER)).toBe(is);
    },
  );
});
