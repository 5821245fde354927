import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { marketKey, shortHash } from '../../src/domain/market-keys.ts';
import { beganSecondsOf, isLeaving, type Watch } from '../../src/watches/watch.ts';
import { settingsSchema } from '../../src/watches/watch-settings.ts';
import { inMarket, sampleTrade } from '../support/records.ts';
import { TestBot } from '../support/test-bot.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const [ONE, TWO] = [walletOfDigit('1'), walletOfDigit('2')] as const;
const EARLIER = '200000000000000001';
const LATER = '300000000000000001';
const OWNER = '300000000000000009';

const later = (wallet: WalletAddress, sinceSeconds: number, pause: Watch['pause'] = null) =>
  watchOf({ ownerId: OWNER, channelId: LATER, wallet, sinceSeconds, pause });

/** Ways in which a watch begins, on wallets that another channel watches. */
const BEGINNINGS = {
  'that is added': {
    wallets: [ONE],
    prepare: async () => {},
    begin: (bot: TestBot, sinceSeconds: number) => bot.registry.add(later(ONE, sinceSeconds)),
  },
  'that is added in the place of one with other settings that was removed a moment ago': {
    wallets: [ONE],
    async prepare(bot: TestBot) {
      const settings = settingsSchema.parse({ kinds: ['deposit'] });
      await bot.registry.add({ ...later(ONE, bot.nowSeconds), settings });
      await bot.change(ONE, LATER, { leavesAtMs: 1 });
    },
    begin: (bot: TestBot, sinceSeconds: number) => bot.registry.add(later(ONE, sinceSeconds)),
  },
  'that is resumed': {
    wallets: [ONE],
    prepare: (bot: TestBot) => bot.registry.add(later(ONE, bot.nowSeconds, { untilSeconds: null })),
    begin: (bot: TestBot, sinceSeconds: number) =>
      bot.registry.update(later(ONE, sinceSeconds), null),
  },
  'that is woken': {
    wallets: [ONE, TWO],
    async prepare(bot: TestBot) {
      for (const wallet of [ONE, TWO]) await bot.registry.add(later(wallet, bot.nowSeconds));
      bot.registry.suspend(OWNER);
    },
    begin: (bot: TestBot, sinceSeconds: number) =>
      bot.registry.resume(OWNER, sinceSeconds, async () => void bot.disk.delete('resting')),
  },
} as const;

/** The command was sent before the trades, which were polled before its watch is known. */
async function beforeBeginning({ wallets, prepare }: (typeof BEGINNINGS)[keyof typeof BEGINNINGS]) {
  const bot = new TestBot();
  for (const wallet of wallets) await bot.watch(wallet, EARLIER);
  await prepare(bot);
  bot.disk.set('resting', 'true');
  bot.nowSeconds += 10;
  const sinceSeconds = bot.nowSeconds;
  bot.nowSeconds += 1;
  for (const wallet of wallets) await bot.see(wallet);
  return { bot, sinceSeconds };
}

const active = (bot: TestBot) =>
  bot.registry.ofChannel(LATER).filter((watch) => watch.pause === null && !isLeaving(watch));
const walletsWaiting = (bot: TestBot) => bot.allWaiting(LATER).map(({ wallet }) => wallet);

describe.each(Object.entries(BEGINNINGS))('a watch %s', (_, beginning) => {
  const { wallets, begin } = beginning;

  it.each([
    ['not sold', []],
    ['partly sold', [0.5]],
    ['sold', [1]],
  ])(
    'gets the result of a purchase that was polled before its beginning, and %s by then',
    async (_said, parts) => {
      const { bot, sinceSeconds } = await beforeBeginning(beginning);
      const { quantity } = sampleTrade();
      const sell = (part: number) =>
        bot.see(ONE, {
          action: 'Sell',
          quantity: quantity * part,
          fee: 0,
          transferNetAmount: -100 * part,
        });
      for (const part of parts) await sell(part);
      await begin(bot, sinceSeconds);
      for (const channelId of [EARLIER, LATER])
        await bot.deliver(channelId, ({ event }) => event.kind === 'activity');
      const left = 1 - parts.reduce((sum, part) => sum + part, 0);
      if (left > 0) await sell(left);
      const results = (channelId: string) =>
        bot.waiting(channelId, 'result').map(({ result: { paid, received } }) => [paid, received]);
      expect(results(LATER)).toEqual([[String(sampleTrade().transferNetAmount), '100']]);
      expect(results(LATER)).toEqual(results(EARLIER));
    },
  );

  it('gets no result of a purchase where nobody knows what was sold of it before its beginning', async () => {
    const { bot, sinceSeconds } = await beforeBeginning(beginning);
    for (let index = 0; index < 150; index += 1)
      bot.trade(ONE, { tokenId: `t${index}`, conditionId: `0x${index}` });
    await bot.poll(ONE);
    await begin(bot, sinceSeconds);
    for (const channelId of [EARLIER, LATER]) await bot.deliver(channelId);
    // Without the market's number the venue cannot be asked either.
    await bot.see(ONE, { action: 'Sell', marketId: '' });
    expect([...bot.waiting(LATER, 'result'), ...bot.waiting(EARLIER, 'result')]).toEqual([]);
    const followed = bot.knowledge(ONE)['alertedPositions'] as readonly object[];
    const own = followed.filter(
      (position) => 'key' in position && position.key === shortHash(marketKey(sampleTrade())),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((position) => !('isGivenUp' in position))).toEqual([]);
  });

  it('gets no result of a part where a gap lies between two purchases of a market that were polled before its beginning', async () => {
    const { bot, sinceSeconds } = await beforeBeginning(beginning);
    for (let index = 0; index < 105; index += 1)
      bot.trade(ONE, { tokenId: `t${index}`, conditionId: `0x${index}` });
    await bot.poll(ONE);
    await bot.see(ONE);
    await begin(bot, sinceSeconds);
    const followed = bot.knowledge(ONE)['alertedPositions'] as readonly object[];
    const key = shortHash(marketKey(sampleTrade()));
    const given = { key, isGivenUp: true };
    expect(followed.filter((position) => 'key' in position && position.key === key)).toMatchObject([
      given,
      given,
    ]);
  });

  it('gets what was polled between its command and its beginning, or does not begin, wherever a crash comes', async () => {
    const outcomes = new Set<number>();
    for (let writesLeft = 0; writesLeft <= 2 * wallets.length; writesLeft += 1) {
      const { bot, sinceSeconds } = await beforeBeginning(beginning);
      let left = writesLeft;
      bot.onWrite = () => {
        left -= 1;
        return left < 0 ? new Promise(() => {}) : undefined;
      };
      void begin(bot, sinceSeconds);
      for (let turns = 0; turns < 20; turns += 1) await turn();
      bot.onWrite = () => undefined;
      bot.restart();
      if (bot.disk.has('resting') && wallets.length > 1) bot.registry.suspend(OWNER);
      outcomes.add(active(bot).length);
      if (active(bot).length > 0) expect(walletsWaiting(bot)).toEqual(wallets);
    }
    expect([...outcomes]).toEqual([0, wallets.length]);
  });

  it('has not begun if a write fails, and the command fails with it', async () => {
    for (let writesLeft = 0; writesLeft < 2 * wallets.length; writesLeft += 1) {
      const { bot, sinceSeconds } = await beforeBeginning(beginning);
      let left = writesLeft;
      bot.onWrite = () => {
        left -= 1;
        return left === -1 ? Promise.reject(new Error('connection lost')) : undefined;
      };
      await expect(begin(bot, sinceSeconds)).rejects.toThrow('connection lost');
      expect(active(bot)).toEqual([]);
      // What had been stored for it is dropped when it is to be sent; the next attempt gives it all
      // the same.
      await bot.deliver(LATER, undefined, false);
      await begin(bot, sinceSeconds);
      expect(walletsWaiting(bot)).toEqual(wallets);
    }
  });

  it('gets what is polled while it begins, once', async () => {
    const { bot, sinceSeconds } = await beforeBeginning(beginning);
    const polls: Promise<void>[] = [];
    bot.onWrite = (key) => {
      if (key.startsWith('watch:') || polls.length === 0)
        for (const wallet of wallets) polls.push(bot.poll(wallet));
      return turn();
    };
    for (const wallet of wallets) bot.trade(wallet);
    await begin(bot, sinceSeconds);
    await Promise.all(polls);
    for (const wallet of wallets) await bot.poll(wallet);
    expect(walletsWaiting(bot).toSorted()).toEqual([...wallets, ...wallets].toSorted());
  });
});

describe('a watch that was given what it had missed', () => {
  it('is not given it again when it is paused and resumed, whatever the record is dated', async () => {
    const { bot, sinceSeconds } = await beforeBeginning(BEGINNINGS['that is added']);
    await bot.see(ONE, { time: sinceSeconds + 60 });
    await bot.registry.add(later(ONE, sinceSeconds));
    await bot.deliver(LATER);
    expect(bot.delivered).toHaveLength(2);
    await bot.registry.update(later(ONE, sinceSeconds, { untilSeconds: null }), null);
    await bot.registry.update(later(ONE, sinceSeconds + 5), null);
    expect(walletsWaiting(bot)).toEqual([]);
  });
});

describe('a watch that is added in the place of one that was removed a moment ago', () => {
  /**
   * Trades one after the other: announced, after the removal, and after the command.
   *
   * @returns shares that wait then
   */
  async function addedAgain(pause: Watch['pause']) {
    const bot = new TestBot();
    const beganSeconds = bot.nowSeconds;
    await bot.registry.add(later(ONE, beganSeconds));
    await bot.see(ONE, { quantity: 1 });
    await bot.deliver(LATER);
    await bot.change(ONE, LATER, { leavesAtMs: 1, pause });
    await bot.see(ONE, { quantity: 2 });
    bot.nowSeconds += 1;
    const sinceSeconds = bot.nowSeconds;
    await bot.see(ONE, { quantity: 3 });
    const settings = settingsSchema.parse({ silentBelowUsdc: 5 });
    expect(await bot.registry.add({ ...later(ONE, sinceSeconds), label: 'New', settings })).toBe(
      true,
    );
    expect(bot.registry.get(LATER, ONE)).toMatchObject({ label: 'New', settings, pause: null });
    await bot.see(ONE, { quantity: 4 });
    bot.restart();
    await bot.poll(ONE);
    const [watch] = active(bot);
    expect(watch && beganSecondsOf(watch)).toBe(beganSeconds);
    return { bot, waiting: bot.waiting(LATER, 'activity').map(({ item }) => item.quantity) };
  }

  it('goes on as by Undo: it gets once what came meanwhile, and the results of what was announced before', async () => {
    const { bot, waiting } = await addedAgain(null);
    expect(waiting).toEqual([2, 3, 4]);
    await bot.deliver(LATER);
    await bot.see(ONE, { action: 'Sell', quantity: 10, transferNetAmount: -100 });
    expect(bot.waiting(LATER, 'result')).toHaveLength(1);
  });

  it('gets nothing of the pause that ends with it', async () => {
    const { waiting } = await addedAgain({ untilSeconds: null });
    expect(waiting).toEqual([3, 4]);
  });
});

describe('the first two watches of a wallet', () => {
  it('get all since their commands though the later one is stored, and polled for, first', async () => {
    const bot = new TestBot();
    const [sooner, between] = [bot.nowSeconds + 1, bot.nowSeconds + 2];
    bot.trade(ONE, { quantity: 1, time: sooner - 1, ...inMarket('1') });
    bot.trade(ONE, { quantity: 2, time: between, ...inMarket('2') });
    bot.nowSeconds = between + 1;
    await bot.watch(ONE, EARLIER);
    await bot.poll(ONE);
    bot.trade(ONE, { quantity: 3, ...inMarket('3') });
    await bot.poll(ONE);
    await bot.registry.add(later(ONE, sooner));
    const shares = (channelId: string) =>
      bot.waiting(channelId, 'activity').map(({ item }) => item.quantity);
    expect([shares(LATER), shares(EARLIER)]).toEqual([[2, 3], [3]]);
    // What it did to the position, and what came of it, is known as well.
    expect(bot.waiting(LATER, 'activity')[0]?.context).toMatchObject({
      sharesBefore: '0',
      sharesAfter: '2',
    });
    await bot.deliver(LATER);
    await bot.see(ONE, { action: 'Sell', quantity: 2, transferNetAmount: -100, ...inMarket('2') });
    expect(bot.results(LATER)).toHaveLength(1);
    bot.restart();
    await bot.poll(ONE);
    expect(shares(EARLIER)).toEqual([3, 2]);
  });
});

describe('the last watch of a wallet', () => {
  it('takes nothing away from one that another channel begins at the same time', async () => {
    const { bot, sinceSeconds } = await beforeBeginning(BEGINNINGS['that is added']);
    const removed: Promise<unknown>[] = [];
    bot.onWrite = (key) => {
      // Between what the new watch has missed and the watch itself.
      if (key.startsWith('wallet:') && removed.length === 0)
        removed.push(bot.registry.remove(EARLIER, ONE));
      return turn();
    };
    await bot.registry.add(later(ONE, sinceSeconds));
    await Promise.all(removed);
    await bot.idle();
    expect(bot.registry.ofWallet(ONE).map(({ channelId }) => channelId)).toEqual([LATER]);
    expect(walletsWaiting(bot)).toEqual([ONE]);
    bot.restart();
    await bot.poll(ONE);
    expect(walletsWaiting(bot)).toEqual([ONE]);
  });
});
