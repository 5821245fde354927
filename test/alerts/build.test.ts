import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alert, groupAlerts } from '../../src/alerts/alert.ts';
import type { ConsensusNews } from '../../src/portfolio/consensus.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import { sizeSince } from '../../src/portfolio/trades/trades.ts';
import { announcingFrom, type Watch } from '../../src/watches/watch.ts';
import { boughtFor, inMarket, redeemedFor, soldFor } from '../support/records.ts';
import { A, B, C, CHANNEL, D, E, OTHER, START, TestBot, watchingBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';

function contexts(bot: TestBot, channelId = CHANNEL): (TradeContext | undefined)[] {
  return bot.waiting(channelId, 'activity').map(({ context }) => context);
}

const isPurchase = ({ event }: Alert) => event.kind === 'activity' && event.item.action === 'Buy';

describe('what an alert says of the position', () => {
  it('counts the first page as history, and says nothing where that is cut', async () => {
    const bot = new TestBot();
    bot.trade(A, boughtFor(100, 40));
    for (let index = 0; index < 101; index += 1)
      bot.trade(B, boughtFor(1, 0.5, inMarket(`m${index}`)));
    bot.nowSeconds += 100;
    await bot.watch(A, CHANNEL);
    await bot.watch(B, CHANNEL);
    await bot.see(A, soldFor(50, 30));
    await bot.see(B, boughtFor(10, 4, inMarket('m0')));
    const [known, cut] = contexts(bot);
    expect(known).toMatchObject({ sharesBefore: '100', sharesAfter: '50', realized: '10' });
    // It is not known what was held of it before the newest hundred of 102.
    expect(cut).toBeUndefined();
  });

  it('makes no profit up for a wallet of which nothing was kept', async () => {
    const bot = await watchingBot();
    await bot.see(A, boughtFor(100, 40));
    const key = `wallet:${A}`;
    const document = JSON.parse(bot.disk.get(key) ?? '');
    bot.disk.set(
      key,
      JSON.stringify({ ...document, state: { activity: document.state.activity } }),
    );
    bot.restart();
    await bot.see(A, soldFor(100, 90));
    expect(contexts(bot)).toEqual([expect.objectContaining({ sharesAfter: '100' }), undefined]);
  });

  it('counts a twin as a fill of its own, and a late boughtFor as held, over restarts', async () => {
    const bot = await watchingBot();
    const item = bot.trade(A, boughtFor(100, 40));
    bot.nowSeconds -= 1;
    bot.trade(A, item);
    for (let look = 0; look < 3; look += 1) {
      await bot.poll(A);
      bot.restart();
    }
    expect(contexts(bot).map((context) => context?.sharesAfter)).toEqual(['100', '200']);
    const { time } = bot.trade(A, boughtFor(100, 40, { time: item.time + 30 }));
    await bot.poll(A);
    await bot.see(A, boughtFor(100, 80, { time: time - 10 }));
    expect(contexts(bot).at(-1)).toBeUndefined();
    bot.restart();
    // 100 at 0.4 three times and 100 at 0.8: the late one counts for the average.
    bot.nowSeconds += 60;
    await bot.see(A, soldFor(400, 250));
    expect(contexts(bot).at(-1)).toMatchObject({
      sharesBefore: '400',
      sharesAfter: '0',
      entryCents: 50,
    });
  });

  it('still knows a position when a hundred others came after it, announced or not', async () => {
    const bot = await watchingBot();
    await bot.see(A, boughtFor(10_000, 4_000));
    await bot.deliver(CHANNEL);
    await bot.change(A, CHANNEL, { pause: { untilSeconds: null } });
    for (let index = 0; index < 110; index += 1)
      await bot.see(A, boughtFor(1, 0.5, inMarket(`m${index}`)));
    await bot.change(A, CHANNEL, { pause: null });
    await bot.see(A, boughtFor(100, 60));
    await bot.see(A, boughtFor(1, 0.5, inMarket('m0')));
    expect(contexts(bot)).toEqual([
      expect.objectContaining({ sharesBefore: '10000', sharesAfter: '10100' }),
      expect.objectContaining({ sharesBefore: '1', sharesAfter: '2' }),
    ]);
    await bot.deliver(CHANNEL);
    await bot.see(A, redeemedFor(10_100, 10_100));
    expect(bot.results().map(([paid, received]) => [paid, received])).toEqual([['4060', '10100']]);
  });

  it('alerts on unusual sizes alone where a watch asks for them, once there is a usual size', async () => {
    const bot = await watchingBot();
    await bot.watch(A, OTHER, { unusualOnly: true });
    for (let index = 1; index <= 20; index += 1) await bot.see(A, boughtFor(index, index));
    expect(bot.waiting(OTHER, 'activity')).toHaveLength(20);
    await bot.see(A, boughtFor(19, 19));
    const hash = `0x${'f'.repeat(64)}`;
    // Two fills of one transaction are one trade: together they are unusual.
    bot.trade(A, boughtFor(15, 15, { txHash: hash }));
    bot.trade(A, boughtFor(16, 16, { txHash: hash }));
    await bot.poll(A);
    const quantities = bot.waiting(OTHER, 'activity').map(({ item }) => item.quantity);
    expect(quantities).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 15, 16]);
    expect(bot.waiting(CHANNEL, 'activity').at(-1)?.sizes).toMatchObject({
      usdc: 31,
      usual: [{ median: 11, p95: 19, trades: 21 }],
    });
    expect(bot.waiting(CHANNEL, 'activity')).toHaveLength(23);
  });

  it('judges unusual sizes by the trades since the channel began to watch, whoever watched before it, pauses or not', async () => {
    const bot = await watchingBot();
    for (let index = 0; index < 30; index += 1) await bot.see(A, boughtFor(1_000, 1_000));
    bot.nowSeconds += 1;
    await bot.watch(A, OTHER, { unusualOnly: true });
    for (let index = 1; index <= 20; index += 1) await bot.see(A, boughtFor(index, index));
    expect(bot.waiting(OTHER, 'activity'), 'twenty are not known yet').toHaveLength(20);
    bot.restart();
    const watch = bot.registry.get(OTHER, A) as Watch;
    await bot.registry.update(announcingFrom(watch, bot.nowSeconds), null);
    for (const usdc of [19, 20]) await bot.see(A, boughtFor(usdc, usdc));
    const unusual = bot.waiting(OTHER, 'activity').slice(20);
    expect(unusual.map(({ item }) => item.quantity)).toEqual([20]);
    const sizes = unusual[0]?.sizes;
    if (sizes === undefined) throw new Error('It has traded.');
    expect(sizeSince(sizes, watch.sinceSeconds)).toEqual({
      usdc: 20,
      median: 11,
      p95: 19,
      trades: 21,
    });
    expect(sizeSince(sizes, START)).toEqual({ usdc: 20, median: 1_000, p95: 1_000, trades: 51 });
    expect(sizeSince(sizes, bot.nowSeconds)).toBeNull();
  });
});

describe('a market without a name', () => {
  it('is not taken for another one: of records without it nothing is added up, and nobody agrees', async () => {
    const bot = await watchingBot([A, B, C]);
    await bot.setConsensus(CHANNEL, { wallets: 3, hours: 24 });
    const nameless = { conditionId: '', marketId: '', marketSlug: '', tokenId: '' };
    for (const [wallet, marketTitle] of [
      [A, 'Rain'],
      [A, 'Snow'],
      [B, 'Wind'],
      [C, 'Fog'],
    ] as const)
      await bot.see(wallet, boughtFor(10, 4, { ...nameless, marketTitle }));
    expect(contexts(bot)).toEqual([undefined, undefined, undefined, undefined]);
    expect(bot.waiting(CHANNEL, 'consensus')).toEqual([]);
    expect(groupAlerts(bot.allWaiting(CHANNEL))).toHaveLength(4);
    expect(bot.knowledge(A)).toMatchObject({ alertedPositions: [] });
    await bot.see(A, boughtFor(10, 4));
    expect(contexts(bot).at(-1)).toMatchObject({ oppositeShares: '0', isFirstInMarket: true });
  });
});

describe('the result of an alert', () => {
  it('is posted once per market and channel, in answer to the first message, over a restart', async () => {
    const bot = await watchingBot([A], [CHANNEL, OTHER]);
    await bot.see(A, boughtFor(100, 40));
    const [first, other] = [await bot.deliver(CHANNEL), await bot.deliver(OTHER)];
    bot.restart();
    await bot.see(A, boughtFor(100, 60));
    for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
    await bot.see(A, soldFor(150, 90));
    expect([...bot.results(), ...bot.results(OTHER)]).toEqual([]);
    await bot.see(A, redeemedFor(50, 50));
    expect(bot.results()).toEqual([['100', '140', first]]);
    expect(bot.results(OTHER)).toEqual([['100', '140', other]]);
    for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
    bot.restart();
    await bot.poll(A);
    await bot.see(A, soldFor(10, 5));
    expect([...bot.results(), ...bot.results(OTHER)]).toEqual([]);
  });

  it('is posted after its alert, where that comes when all is sold already', async () => {
    const bot = await watchingBot();
    await bot.see(A, boughtFor(100, 40));
    await bot.see(A, soldFor(100, 70));
    expect(bot.results()).toEqual([]);
    bot.restart();
    const messageId = await bot.deliver(CHANNEL, isPurchase);
    expect(bot.results()).toEqual([['40', '70', messageId]]);
    await bot.deliver(CHANNEL);
    expect(bot.delivered.map(({ event }) => event.kind)).toEqual([
      'activity',
      'activity',
      'result',
    ]);
    bot.restart();
    expect(bot.results()).toEqual([]);
  });

  it('belongs to the redeemedFor that closed the position, found with it or later', async () => {
    const bot = await watchingBot();
    const no = { tokenId: 'no', positionSide: 'No', outcomeIndex: 1 };
    await bot.see(A, boughtFor(100, 40));
    const messageId = await bot.deliver(CHANNEL);
    await bot.see(A, boughtFor(1, 0.5, no));
    await bot.deliver(CHANNEL);
    bot.trade(A, redeemedFor(40, 40, { txHash: '0x1' }));
    bot.trade(A, redeemedFor(60, 60, { txHash: '0x2' }));
    bot.trade(A, redeemedFor(1, 0, { ...no, txHash: '0x2' }));
    await bot.poll(A);
    const kinds = () =>
      groupAlerts(bot.allWaiting(CHANNEL)).map((group) => group.map(({ event }) => event.kind));
    expect(kinds()).toEqual([['activity', 'activity', 'activity', 'result']]);
    expect(bot.results()).toEqual([['40.5', '100', messageId]]);
    await bot.deliver(CHANNEL);

    await bot.see(A, boughtFor(10, 4, inMarket('m1')));
    await bot.see(A, redeemedFor(10, 10, inMarket('m1')));
    await bot.deliver(CHANNEL, isPurchase);
    bot.restart();
    expect(kinds()).toEqual([['activity', 'result']]);
  });

  it('is not posted for alerts that were dropped, and comes when only such ones are left', async () => {
    const bot = await watchingBot();
    await bot.see(A, boughtFor(100, 40));
    await bot.deliver(CHANNEL, () => true, false);
    await bot.see(A, boughtFor(100, 60));
    const messageId = await bot.deliver(CHANNEL);
    await bot.see(A, boughtFor(200, 100));
    await bot.see(A, soldFor(400, 400));
    expect(bot.results()).toEqual([]);
    await bot.deliver(CHANNEL, isPurchase, false);
    expect(bot.results()).toEqual([['60', '100', messageId]]);
  });

  it('is not posted in a channel that has stopped watching, or is paused', async () => {
    const bot = await watchingBot([A], [CHANNEL, OTHER]);
    await bot.see(A, boughtFor(100, 40));
    for (const channelId of [CHANNEL, OTHER]) await bot.deliver(channelId);
    await bot.registry.remove(OTHER, A);
    await bot.change(A, CHANNEL, { pause: { untilSeconds: null } });
    await bot.see(A, soldFor(100, 90));
    expect([...bot.results(), ...bot.results(OTHER)]).toEqual([]);
    expect(bot.knowledge(A)).toMatchObject({ alertedPositions: [] });
  });

  it('counts a boughtFor before a soldFor of its second, whichever the venue lists first', async () => {
    const bot = await watchingBot();
    await bot.see(A, boughtFor(100, 40));
    await bot.deliver(CHANNEL);
    const { time } = bot.trade(A, boughtFor(50, 20));
    bot.trade(A, soldFor(150, 90, { time }));
    await bot.poll(A);
    expect(bot.waiting(CHANNEL, 'activity').map(({ item }) => item.action)).toEqual([
      'Buy',
      'Sell',
    ]);
    await bot.deliver(CHANNEL, ({ event }) => event.kind === 'activity');
    expect(bot.results().map(([paid, received]) => [paid, received])).toEqual([['60', '90']]);
    expect(bot.knowledge(A)).toMatchObject({ alertedPositions: [] });
  });

  it('is given up where nobody knows: after a gap, and when a record comes out of its turn', async () => {
    const bot = await watchingBot();
    await bot.see(A, boughtFor(100, 40));
    await bot.deliver(CHANNEL);
    for (let index = 0; index < 150; index += 1)
      bot.trade(A, soldFor(1, 0.5, inMarket(`m${index}`)));
    await bot.poll(A);
    await bot.see(A, soldFor(100, 90));
    expect(bot.waiting(CHANNEL, 'gap')).toHaveLength(1);
    expect(contexts(bot).at(-1), 'of the position').toBeUndefined();
    expect(bot.results()).toEqual([]);
    expect(bot.knowledge(A)).toMatchObject({ alertedPositions: [{ isGivenUp: true }] });

    await bot.watch(B, CHANNEL);
    const first = await bot.see(B, boughtFor(10, 5));
    await bot.see(B, boughtFor(10, 5, { time: first.time + 20 }));
    await bot.deliver(CHANNEL);
    bot.nowSeconds += 60;
    // It sold half of what it has, and not all, as it would have seemed between the two.
    await bot.see(B, soldFor(10, 9, { time: first.time + 10 }));
    expect(bot.results()).toEqual([]);
    // Nor is there one of what is bought before all is sold; of what is bought then there is.
    await bot.see(B, boughtFor(20, 4));
    await bot.deliver(CHANNEL);
    await bot.see(B, soldFor(30, 6));
    expect(bot.results()).toEqual([]);
    expect(bot.knowledge(B)).toMatchObject({ alertedPositions: [] });
    await bot.see(B, boughtFor(20, 4));
    await bot.deliver(CHANNEL);
    await bot.see(B, soldFor(20, 6));
    expect(bot.results()).toEqual([['4', '6', 'm4']]);
  });
});

describe('consensus', () => {
  const levels = (bot: TestBot, channelId: string) =>
    bot.waiting(channelId, 'consensus').map(({ consensus }) => consensus.stakes.length);

  it('is posted once a size and channel by each channel’s own rule, whatever the order, over restarts and failed writes', async () => {
    const step = fc.record({ restarts: fc.boolean(), fails: fc.boolean(), isAtOnce: fc.boolean() });
    const wallets = [A, B, C, D, E];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(wallets, { minLength: 5 }),
        fc.array(step, { minLength: 5, maxLength: 5 }),
        async (order, steps) => {
          const bot = await watchingBot(wallets, [CHANNEL, OTHER]);
          await bot.setConsensus(CHANNEL, { wallets: 2, hours: 1 });
          await bot.setConsensus(OTHER, { wallets: 4, hours: 1 });
          for (const wallet of wallets) await bot.poll(wallet);
          for (const wallet of wallets) bot.trade(wallet, boughtFor(10, 5));
          let atOnce: Promise<void>[] = [];
          for (const [index, wallet] of order.entries()) {
            const { restarts, fails, isAtOnce } = steps[index] ?? {
              restarts: false,
              fails: false,
              isAtOnce: false,
            };
            if (fails) bot.failures = 1;
            atOnce.push(bot.poll(wallet));
            if (isAtOnce) continue;
            await Promise.all(atOnce);
            atOnce = [];
            if (restarts) bot.restart();
          }
          await Promise.all(atOnce);
          bot.failures = 0;
          for (const wallet of order) await bot.poll(wallet);
          for (const [channelId, least] of [
            [CHANNEL, 2],
            [OTHER, 4],
          ] as const) {
            const announced = levels(bot, channelId);
            expect(new Set(announced).size).toBe(announced.length);
            expect(announced.every((count) => count >= least)).toBe(true);
            expect(Math.max(...announced)).toBe(5);
            if (!steps.some(({ fails }) => fails))
              expect(announced.toSorted()).toEqual(least === 2 ? [2, 3, 4, 5] : [4, 5]);
          }
        },
      ),
      randomRuns(40),
    );
  });

  it('knows what was sold of a boughtFor on whose page a soldFor is shown twice', async () => {
    const bot = await watchingBot([A, B]);
    await bot.setConsensus(CHANNEL, { wallets: 2, hours: 1 });
    for (const wallet of [A, B]) await bot.poll(wallet);
    bot.trade(A, boughtFor(10, 5));
    const sold = bot.trade(A, soldFor(4, 3));
    bot.trade(A, { ...sold, quantity: sold.quantity });
    await bot.poll(A);
    await bot.see(B, boughtFor(10, 5));
    const soldOf = () => {
      const [found] = bot.waiting(CHANNEL, 'consensus');
      const now = found && bot.consensusNow(found.consensus);
      return now?.stakes.find(({ wallet }) => wallet === A)?.sold;
    };
    expect(soldOf()).toBe('4');
    // Two more pages confirm that it was sold twice.
    for (let look = 0; look < 2; look += 1) await bot.poll(A);
    expect(soldOf()).toBe('8');
  });

  it('counts what was bought before or during a pause, however that has ended', async () => {
    for (const buys of ['before', 'during'] as const) {
      for (const isResumed of [false, true]) {
        const bot = await watchingBot([A, B]);
        await bot.setConsensus(CHANNEL, { wallets: 2, hours: 24 });
        for (const wallet of [A, B]) await bot.poll(wallet);
        if (buys === 'before') await bot.see(B, boughtFor(10, 5));
        bot.nowSeconds += 60;
        await bot.change(B, CHANNEL, { pause: { untilSeconds: bot.nowSeconds + 3_600 } });
        if (buys === 'during') await bot.see(B, boughtFor(10, 5));
        bot.nowSeconds += 60;
        const watch = bot.registry.get(CHANNEL, B);
        if (watch === undefined) throw new Error('The wallet is watched.');
        if (isResumed) {
          await bot.change(B, CHANNEL, { ...announcingFrom(watch, bot.nowSeconds), pause: null });
        }
        bot.nowSeconds += 3_700;
        await bot.poll(B);
        await bot.see(A, boughtFor(10, 5));
        expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
      }
    }
  });

  it('waits for Undo with the other alerts of a wallet that was removed and completes it', async () => {
    const bot = await watchingBot([A, B]);
    await bot.setConsensus(CHANNEL, { wallets: 2, hours: 24 });
    for (const wallet of [A, B]) await bot.poll(wallet);
    await bot.see(B, boughtFor(10, 5));
    const watch = bot.registry.get(CHANNEL, A);
    if (watch === undefined) throw new Error('The wallet is watched.');
    const leavesAtMs = (bot.nowSeconds + 600) * 1000;
    await bot.registry.update({ ...watch, leavesAtMs }, null);
    await bot.see(A, boughtFor(10, 5));
    expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
    // What the other wallet buys meanwhile is no agreement with a removed one.
    await bot.see(B, boughtFor(10, 5));
    await bot.registry.update(watch, null);
    await bot.see(A, boughtFor(10, 5));
    expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
  });

  it('counts only what was bought since the channel has watched, and names hedgers and the other side', async () => {
    const bot = await watchingBot([A, B, C, D]);
    for (const wallet of [A, B]) await bot.see(wallet, boughtFor(10, 5));
    bot.nowSeconds += 60;
    for (const wallet of [A, B, C, D]) await bot.watch(wallet, OTHER);
    for (const channelId of [CHANNEL, OTHER])
      await bot.setConsensus(channelId, { wallets: 2, hours: 1 });
    bot.nowSeconds += 60;
    const no = { tokenId: 'no', positionSide: 'No', outcomeIndex: 1 };
    await bot.see(C, boughtFor(10, 5, no));
    await bot.see(D, boughtFor(10, 5, no));
    await bot.see(D, boughtFor(10, 5));
    await bot.see(A, boughtFor(10, 5));
    // By the time that A buys again D has hedged; B has bought nothing yet in the time of the other
    // channel.
    const announced = (channelId: string) =>
      bot
        .waiting(channelId, 'consensus')
        .map(({ consensus: { side, opposing } }) => [side, opposing.length]);
    expect(announced(OTHER)).toEqual([['No', 0]]);
    expect(announced(CHANNEL)).toEqual([
      ['No', 2],
      ['Yes', 1],
    ]);
    await bot.see(B, boughtFor(10, 8));
    const { stakes, opposing, hedged } = bot.waiting(OTHER, 'consensus').at(-1)?.consensus ?? {};
    expect(stakes?.map(({ wallet, usdc }) => [wallet, usdc])).toEqual([
      [B, '8'],
      [A, '5'],
    ]);
    expect([opposing?.map(({ wallet }) => wallet), hedged]).toEqual([[C], 1]);
  });

  it('is left out with the alerts where the channel’s words leave out the market, also for a watch that begins meanwhile', async () => {
    const bot = await watchingBot([A, B]);
    const since = bot.nowSeconds;
    const words = { mode: 'except', names: ['up or down'] } as const;
    for (const channelId of [CHANNEL, OTHER]) {
      await bot.setChannel(channelId, {
        consensus: { wallets: 2, hours: 1 },
        words: { ...words, names: [...words.names] },
      });
    }
    const upOrDown = {
      marketTitle: 'Bitcoin Up or Down?',
      tokenId: 'up',
      conditionId: '0xup',
      marketId: '9',
    };
    for (const wallet of [A, B]) {
      await bot.see(wallet, boughtFor(10, 5, upOrDown));
      await bot.see(wallet, boughtFor(10, 5));
    }
    await bot.watch(A, OTHER, {}, since);
    expect(bot.waiting(CHANNEL, 'consensus')).toHaveLength(1);
    for (const [channelId, count] of [
      [CHANNEL, 2],
      [OTHER, 1],
    ] as const) {
      const markets = bot.waiting(channelId, 'activity').map(({ item }) => item.marketId);
      expect([markets.length, markets.includes('9')]).toEqual([count, false]);
    }
  });

  it('says when it is sent what was sold since it was found, of the purchases that it names', async () => {
    const bot = await watchingBot([A, B]);
    await bot.setConsensus(CHANNEL, { wallets: 2, hours: 1 });
    await bot.see(A, boughtFor(10, 5));
    await bot.see(A, soldFor(4, 2));
    await bot.see(B, boughtFor(10, 6));
    const [found] = bot.waiting(CHANNEL, 'consensus');
    const sold = () =>
      bot.consensusNow(found?.consensus as ConsensusNews).stakes.map(({ sold: part }) => part);
    expect(found?.consensus.stakes.map(({ wallet, sold: part }) => [wallet, part])).toEqual([
      [B, '0'],
      [A, '4'],
    ]);
    await bot.see(B, soldFor(10, 6));
    // B has nothing left, and comes last.
    expect(sold()).toEqual(['4', '10']);
    // What is bought and sold later is another boughtFor.
    bot.nowSeconds += 120;
    await bot.see(A, boughtFor(7, 5));
    await bot.see(A, soldFor(7, 5));
    expect(sold()).toEqual(['4', '10']);
    await bot.see(A, soldFor(6, 5));
    expect(sold()).toEqual(['10', '10']);
  });

  it('does not say that a wallet holds what it named where the boughtFor has grown since and was sold', async () => {
    const bot = await watchingBot([A, B]);
    await bot.setConsensus(CHANNEL, { wallets: 2, hours: 1 });
    for (const wallet of [A, B]) await bot.see(wallet, boughtFor(10, 5));
    const [found] = bot.waiting(CHANNEL, 'consensus');
    const soldByB = () =>
      bot.consensusNow(found?.consensus as ConsensusNews).stakes.find(({ wallet }) => wallet === B)
        ?.sold;
    await bot.see(B, boughtFor(3, 2));
    expect(soldByB()).toBe('0');
    await bot.see(B, soldFor(13, 8));
    expect(soldByB()).toBe('10');
    await bot.see(B, boughtFor(1, 1));
    expect(soldByB()).toBeNull();
  });

  it.each([
    { state: 'paused', change: { pause: { untilSeconds: null } } },
    { state: 'removed, which can still be undone', change: { leavesAtMs: 1_900_000_000_000 } },
  ])(
    'is not posted in a channel that has not asked, or of a wallet that is $state there',
    async ({ change }) => {
      const bot = await watchingBot([A, B], [CHANNEL, OTHER]);
      await bot.setConsensus(CHANNEL, { wallets: 2, hours: 1 });
      await bot.change(A, CHANNEL, change);
      for (const wallet of [A, B]) await bot.see(wallet, boughtFor(10, 5));
      expect([...levels(bot, CHANNEL), ...levels(bot, OTHER)]).toEqual([]);
    },
  );
});
