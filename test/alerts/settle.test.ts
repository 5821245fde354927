import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWalletIndex } from '../../src/alerts/wallets/wallet-index.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { createSettlements, SETTLEMENTS_LIMIT } from '../../src/feed/settlements/settlements.ts';
import { openOf } from '../../src/portfolio/came-back.ts';
import { entryKeys } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { newKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { NO_VERDICTS } from '../support/no-verdicts.ts';
import { boughtFor, inMarket, redeemedFor, sampleTrade, soldFor } from '../support/records.ts';
import { A, C, CHANNEL, D, START, watchingBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { watchOf } from '../support/watch.ts';

const [X, Y] = [C, D];
const YES = { tokenId: 'yes', outcomeIndex: 0, positionSide: 'Yes' };
const NO = { tokenId: 'no', outcomeIndex: 1, positionSide: 'No' };

/** What is followed of a market. */
const ALERTED = {
  market: { marketTitle: '', marketId: '', marketSlug: '', eventSlug: '' },
  ...{ channelId: CHANNEL, messageId: null, openedSeconds: START, soldSeconds: null, outcomes: [] },
};

/** A bot with a wallet that it has alerted to, and a feed that sees what others redeem. */
async function openSettled(isDelivered = true) {
  const bot = await watchingBot();
  await bot.see(A, boughtFor(100, 40, YES));
  const messageId = isDelivered ? await bot.deliver(CHANNEL) : null;
  const { log, lines } = collectingLog();
  const nowSeconds = () => bot.nowSeconds;
  const settlements = createSettlements(testMachine({ log }), {
    store: documentStore(),
    nowSeconds,
  });
  let transactions = 0;
  const feed = { settlements: async (markets: readonly string[]) => settlements.of(markets) };
  const hours = (count: number, answers = feed) => bot.passHours(count, answers);
  const redeem = (wallet: WalletAddress, side: Partial<ActivityItem>, payout = 1) => {
    transactions += 1;
    const figures = { ...redeemedFor(10, 10 * payout, side), time: Math.floor(bot.nowSeconds) };
    settlements.count(wallet, [{ ...sampleTrade(), ...figures, txHash: `0x${transactions}` }]);
  };
  return {
    bot,
    messageId,
    lines,
    redeem,
    hours,
    /** Two others redeem a side, and it is asked for. */
    async ends(side: Partial<ActivityItem>, payout = 1) {
      for (const wallet of [X, Y]) redeem(wallet, side, payout);
      await hours(2);
    },
    feed,
    results: () => bot.waiting(CHANNEL, 'result').map(({ result }) => result),
    entry: () => (bot.knowledge(A)['record'] as { readonly markets: readonly object[] }).markets[0],
  };
}

describe('the end of a market', () => {
  it('is answered under its first alert where it was lost, once, and closes the entry of the record', async () => {
    const { bot, hours, results, entry, messageId, ends } = await openSettled();
    await bot.see(A, soldFor(40, 20, YES));
    await bot.deliver(CHANNEL);
    await ends(NO);
    expect(results()).toMatchObject([
      { paid: '40', received: '20', settled: [{ side: 'Yes', payout: 0 }], messageId },
    ]);
    expect(results()[0]?.closedSeconds).toBe(Math.ceil(START / 3_600) * 3_600);
    expect(entry()).toMatchObject({
      left: 60,
      backUsdc: 20,
      payout: 0,
      closedSeconds: results()[0]?.closedSeconds,
    });
    expect(bot.knowledge(A)).toMatchObject({ alertedPositions: [] });
    await bot.deliver(CHANNEL);
    bot.restart();
    await hours(3);
    expect(results()).toEqual([]);
  });

  it('is answered where it was won and not redeemed, and a redeemedFor after it gives no second result', async () => {
    const { bot, redeem, hours, results, entry } = await openSettled();
    redeem(X, YES);
    await hours(3);
    expect(results()).toMatchObject([
      { paid: '40', received: '100', settled: [{ side: 'Yes', payout: 1 }] },
    ]);
    await bot.deliver(CHANNEL);
    await bot.see(A, redeemedFor(100, 100, YES));
    await hours(2);
    expect(results()).toEqual([]);
    expect(entry()).toMatchObject({ left: 0, backUsdc: 100 });
  });

  it('is not read again as a loss where the wallet then redeems for nothing', async () => {
    for (const isEndKnown of [true, false]) {
      const { bot, results, ends } = await openSettled();
      if (isEndKnown) {
        await ends(NO);
        expect(results()).toHaveLength(1);
        await bot.deliver(CHANNEL);
      }
      await bot.see(A, redeemedFor(100, 0, YES));
      const [redeemed] = bot.waiting(CHANNEL, 'activity');
      expect(redeemed?.context?.realized).toBe('-40');
      expect(redeemed?.context?.isEndKnown).toBe(isEndKnown || undefined);
      expect(results()).toHaveLength(isEndKnown ? 0 : 1);
    }
  });

  it('pays halves as far as they are certain', async () => {
    const { bot, results, ends } = await openSettled();
    await bot.see(A, boughtFor(10, 6, NO));
    await bot.deliver(CHANNEL);
    await ends(YES, 0.5);
    expect(results()).toEqual([]);
    await ends(NO, 0.5);
    const settled = ['Yes', 'No'].map((side) => ({ side, payout: 0.5 }));
    expect(results()).toMatchObject([{ paid: '46', received: '55', settled }]);
  });

  it('waits for the alert of the boughtFor to be delivered', async () => {
    const { bot, results, ends } = await openSettled(false);
    await ends(NO);
    expect(results()).toEqual([]);
    const messageId = await bot.deliver(CHANNEL);
    expect(results()).toMatchObject([
      { received: '0', settled: [{ side: 'Yes', payout: 0 }], messageId },
    ]);
  });

  it('is no result any more where it was contradicted before the alert of the boughtFor was delivered', async () => {
    const { bot, redeem, hours, results, ends } = await openSettled(false);
    await ends(NO);
    redeem(X, YES);
    await hours(2);
    await bot.deliver(CHANNEL);
    expect(results()).toEqual([]);
  });

  it('is told once, whatever fails between question and write', async () => {
    const failure = fc.constantFrom('none', 'no answer', 'no write', 'crash before', 'crash after');
    await fc.assert(
      fc.asyncProperty(fc.array(failure, { maxLength: 4 }), async (failures) => {
        const { bot, redeem, hours, results, feed, messageId } = await openSettled();
        for (const wallet of [X, Y]) redeem(wallet, NO);
        for (const failed of failures) {
          let left = failed === 'no answer' ? 1 : 0;
          if (failed === 'no write') bot.failures = 1;
          if (failed === 'crash before') bot.restart();
          await hours(1, {
            async settlements(markets) {
              left -= 1;
              if (left >= 0) throw new Error('away');
              return feed.settlements(markets);
            },
          });
          if (failed === 'crash after') bot.restart();
        }
        bot.failures = 0;
        await hours(2);
        expect(results()).toMatchObject([{ paid: '40', received: '0', messageId }]);
      }),
      randomRuns(80),
    );
  });

  it('is no result after a gap, nor where nobody knows what the wallet has', async () => {
    const gapped = await openSettled();
    for (let nth = 0; nth < 150; nth += 1)
      gapped.bot.trade(A, boughtFor(1, 0.5, inMarket(`${nth}`)));
    await gapped.bot.poll(A);
    const doubtful = await openSettled();
    await doubtful.bot.see(A, soldFor(200, 100, YES));
    for (const { bot, results, ends } of [gapped, doubtful]) {
      await bot.deliver(CHANNEL);
      await ends(NO);
      expect(results()).toEqual([]);
    }
  });

  it('is taken back in the record where it is contradicted within a week, and nothing is answered that is not certain', async () => {
    const { redeem, hours, results, entry, bot, lines, ends } = await openSettled();
    await ends(NO);
    expect(results()).toHaveLength(1);
    await bot.deliver(CHANNEL);
    redeem(A, YES);
    await hours(2);
    expect(lines).toEqual([
      expect.objectContaining({ event: 'market.contradicted', wasSettled: true }),
    ]);
    expect(entry()).toMatchObject({ left: 100, backUsdc: 0, closedSeconds: null });
    expect(results()).toEqual([]);
    const early = await openSettled();
    early.redeem(X, NO);
    early.redeem(Y, YES);
    await early.hours(3);
    expect(early.results()).toEqual([]);
    expect(early.entry()).toMatchObject({ left: 100 });
  });
});

describe('the question for open markets', () => {
  it('is asked at the start, and then hourly', async () => {
    const { bot, redeem, hours, feed, results } = await openSettled();
    for (const wallet of [X, Y]) redeem(wallet, NO);
    await hours(2, { settlements: async () => [] });
    bot.restart();
    let asked = 0;
    const counting = {
      async settlements(markets: readonly string[]) {
        asked += 1;
        return feed.settlements(markets);
      },
    };
    await hours(0.1, counting);
    expect(results()).toHaveLength(1);
    await hours(0.5, counting);
    expect(asked).toBe(2);
  });

  it('names what is held of markets that the record has left out, and keeps the answer in memory for what is shown', () => {
    const index = createWalletIndex({
      isGone: () => false,
      registry: createRegistry(testMachine(), documentStore()),
      channelSettings: { get: () => undefined },
      verdicts: NO_VERDICTS,
      venueNowSeconds: () => START + 3_600,
    });
    const bought = { ...sampleTrade(), time: START };
    const { market, outcome } = entryKeys(bought);
    const { portfolio } = addActivity(newPortfolio(START, true), [bought], START);
    const known = newKnowledge({ ...portfolio, positions: [] });
    index.load(A, { knowledge: known });
    expect([...index.openMarkets()].flatMap(({ markets }) => markets)).toEqual([market]);
    const settlement = { market, payouts: new Map([[outcome, 1]]), atSeconds: START + 3_600 };
    index.keepSettlements(new Map([[market, settlement]]));
    const question = index.accountsFor(
      known,
      watchOf({ wallet: A, channelId: CHANNEL, sinceSeconds: START }),
    );
    expect(openOf(question)).toMatchObject({ markets: 0, paidUsdc: '0' });
  });

  it('names each market of each wallet, 1,000 at once at the most', () => {
    const names = fc.integer({ min: 0, max: 3_000 }).map((nth) => nth.toString().padStart(10, '0'));
    const wallets = fc.array(fc.array(names, { maxLength: 1_500 }), { maxLength: 6 });
    fc.assert(
      fc.property(wallets, (all) => {
        const index = createWalletIndex({
          isGone: () => false,
          registry: createRegistry(testMachine(), documentStore()),
          channelSettings: { get: () => undefined },
          verdicts: NO_VERDICTS,
          venueNowSeconds: () => START,
        });
        for (const [nth, markets] of all.entries()) {
          const alertedPositions = markets.map((key) => ({ ...ALERTED, key }));
          const knowledge = { ...newKnowledge(newPortfolio(START, true)), alertedPositions };
          index.load(`0x${nth}` as WalletAddress, { knowledge });
        }
        const asked = all.map(() => new Set<string>());
        for (const { markets, wallets: of } of index.openMarkets()) {
          expect(markets.length).toBeLessThanOrEqual(SETTLEMENTS_LIMIT);
          expect(new Set(markets).size).toBe(markets.length);
          const named = new Set(markets);
          for (const [wallet, own] of of) {
            expect(own.filter((market) => !named.has(market))).toEqual([]);
            for (const market of own) asked[Number(wallet)]?.add(market);
          }
        }
        expect(asked).toEqual(all.map((markets) => new Set(markets)));
      }),
      randomRuns(40),
    );
  });
});
