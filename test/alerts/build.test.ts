import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';
import { Desk, START } from './desk.ts';

const ROOM = '100000000000000002';
const OTHER = '100000000000000003';
const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map((digit) => `0x${digit.repeat(40)}` as WalletAddress) as [
  WalletAddress,
  WalletAddress,
  WalletAddress,
  WalletAddress,
  WalletAddress,
];

const sale = (quantity: number, usdc: number, changes: Partial<ActivityItem> = {}): Partial<ActivityItem> => ({
  action: 'Sell',
  quantity,
  grossValue: usdc,
  fee: 0,
  transferNetAmount: -usdc,
  ...changes,
});
const purchase = (quantity: number, usdc: number, changes: Partial<ActivityItem> = {}): Partial<ActivityItem> => ({
  ...sale(quantity, usdc),
  action: 'Buy',
  price: (usdc / quantity) * 100,
  transferNetAmount: usdc,
  ...changes,
});
const market = (name: string): Partial<ActivityItem> => ({ tokenId: name, conditionId: `0x${name}`, marketId: name });

function contexts(desk: Desk, channelId = ROOM): (TradeContext | undefined)[] {
  return desk.waiting(channelId, 'activity').map(({ context }) => context);
}

function results(desk: Desk, channelId = ROOM): [paid: string, received: string, messageId: string | null][] {
  return desk
    .waiting(channelId, 'result')
    .map(({ result: { paid, received, messageId } }) => [paid, received, messageId]);
}

describe('what an alert says of the position', () => {
  it('counts the first page as history: all of it, or since where it is cut', async () => {
    const desk = new Desk();
    desk.trade(A, purchase(100, 40));
    for (let index = 0; index < 101; index += 1) desk.trade(B, purchase(1, 0.5, market(`m${index}`)));
    desk.nowSeconds += 100;
    await desk.watch(A, ROOM);
    await desk.watch(B, ROOM);
    await desk.see(A, sale(50, 30));
    await desk.see(B, purchase(10, 4, market('m0')));
    const [known, cut] = contexts(desk);
    expect(known).toMatchObject({ sharesBefore: '100', sharesAfter: '50', realized: '10', isWhole: true });
    // The newest hundred of 102, the new purchase among them.
    expect(cut).toMatchObject({ sharesBefore: '0', isWhole: false, sinceSeconds: START + 4 });
  });

  it('begins with what is seen, for a wallet of which nothing was kept, and makes no profit up', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    const bought = await desk.see(A, purchase(100, 40));
    const key = `wallet:${A}`;
    const document = JSON.parse(desk.disk.get(key) ?? '');
    desk.disk.set(key, JSON.stringify({ ...document, poll: { activity: document.poll.activity } }));
    desk.restart();
    await desk.see(A, sale(100, 90));
    expect(contexts(desk)[1]).toMatchObject({
      realized: null,
      unknownShares: '100',
      isWhole: false,
      sinceSeconds: bought.time,
    });
  });

  it('counts a twin as a fill of its own, and a late record in its turn, over restarts', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    const item = desk.trade(A, purchase(100, 40));
    desk.nowSeconds -= 1;
    desk.trade(A, item);
    for (let look = 0; look < 3; look += 1) {
      await desk.poll(A);
      desk.restart();
    }
    expect(contexts(desk).map((context) => context?.sharesAfter)).toEqual(['100', '200']);
    const { time } = desk.trade(A, sale(50, 10, { time: item.time + 30 }));
    await desk.poll(A);
    await desk.see(A, purchase(100, 70, { time: time - 10 }));
    desk.restart();
    // 100 at 0.4 twice and 100 at 0.7: the late one counts for the average although it came after the sale.
    desk.nowSeconds += 60;
    await desk.see(A, sale(250, 250));
    expect(contexts(desk).at(-1)).toMatchObject({ sharesBefore: '250', sharesAfter: '0', entryCents: 50 });
  });

  it('begins anew after a gap, and says so in its “since”', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    await desk.see(A, purchase(100, 40));
    for (let index = 0; index < 150; index += 1) desk.trade(A, purchase(1, 0.5, market(`m${index}`)));
    await desk.poll(A);
    const gap = desk.waiting(ROOM, 'gap')[0]?.gap;
    await desk.see(A, sale(100, 90));
    expect(contexts(desk).at(-1)).toMatchObject({ realized: null, isWhole: false, sinceSeconds: gap?.toSeconds });
  });

  it('alerts on unusual sizes alone where a watch asks for them, once there is a usual size', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    await desk.watch(A, OTHER, { unusualOnly: true });
    for (let index = 1; index <= 20; index += 1) await desk.see(A, purchase(index, index));
    expect(desk.waiting(OTHER, 'activity')).toHaveLength(20);
    await desk.see(A, purchase(19, 19));
    const hash = `0x${'f'.repeat(64)}`;
    // Two fills of one transaction are one trade: together they are unusual.
    desk.trade(A, purchase(15, 15, { txHash: hash }));
    desk.trade(A, purchase(16, 16, { txHash: hash }));
    await desk.poll(A);
    expect(desk.waiting(OTHER, 'activity').map(({ item }) => item.quantity)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => index + 1),
      15,
      16,
    ]);
    expect(contexts(desk).at(-1)?.size).toEqual({ usdc: 31, median: 11, p95: 19, trades: 21 });
    expect(desk.waiting(ROOM, 'activity')).toHaveLength(23);
  });
});

describe('the result of an alert', () => {
  it('is posted once per market and channel, in answer to the first message, over a restart', async () => {
    const desk = new Desk();
    for (const channelId of [ROOM, OTHER]) await desk.watch(A, channelId);
    await desk.see(A, purchase(100, 40));
    const [first, other] = [await desk.deliver(ROOM), await desk.deliver(OTHER)];
    desk.restart();
    await desk.see(A, purchase(100, 60));
    for (const channelId of [ROOM, OTHER]) await desk.deliver(channelId);
    await desk.see(A, sale(150, 90));
    expect([...results(desk), ...results(desk, OTHER)]).toEqual([]);
    await desk.see(A, { ...sale(50, 50), action: 'Redeem' });
    expect(results(desk)).toEqual([['100', '140', first]]);
    expect(results(desk, OTHER)).toEqual([['100', '140', other]]);
    expect(desk.waiting(ROOM, 'result')[0]?.result.score).toMatchObject({ markets: 1, winRate: 1, open: 0 });
    for (const channelId of [ROOM, OTHER]) await desk.deliver(channelId);
    desk.restart();
    await desk.poll(A);
    await desk.see(A, sale(10, 5));
    expect([...results(desk), ...results(desk, OTHER)]).toEqual([]);
  });

  it('is posted after its alert, where that comes when all is sold already', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    await desk.see(A, purchase(100, 40));
    await desk.see(A, sale(100, 70));
    expect(results(desk)).toEqual([]);
    desk.restart();
    const messageId = await desk.deliver(ROOM, ({ event }) => event.kind === 'activity' && event.item.action === 'Buy');
    expect(results(desk)).toEqual([['40', '70', messageId]]);
    await desk.deliver(ROOM);
    expect(desk.rung.map(({ event }) => event.kind)).toEqual(['activity', 'activity', 'result']);
    desk.restart();
    expect(results(desk)).toEqual([]);
  });

  it('is not posted for alerts that were dropped, and comes when only such ones are left', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    await desk.see(A, purchase(100, 40));
    await desk.deliver(ROOM, () => true, false);
    await desk.see(A, purchase(100, 60));
    const messageId = await desk.deliver(ROOM);
    await desk.see(A, purchase(200, 100));
    await desk.see(A, sale(400, 400));
    expect(results(desk)).toEqual([]);
    await desk.deliver(ROOM, ({ event }) => event.kind === 'activity' && event.item.action === 'Buy', false);
    expect(results(desk)).toEqual([['60', '100', messageId]]);
  });

  it('is not posted in a channel that has stopped watching, or is paused', async () => {
    const desk = new Desk();
    for (const channelId of [ROOM, OTHER]) await desk.watch(A, channelId);
    await desk.see(A, purchase(100, 40));
    for (const channelId of [ROOM, OTHER]) await desk.deliver(channelId);
    await desk.registry.remove(OTHER, A);
    const watch = desk.registry.get(ROOM, A);
    if (watch !== undefined) await desk.registry.update({ ...watch, pause: { untilSeconds: null } });
    await desk.see(A, sale(100, 90));
    expect([...results(desk), ...results(desk, OTHER)]).toEqual([]);
    // The record counts what a pause kept quiet; of the other channel nothing is left.
    expect(desk.knowledge(A)).toMatchObject({
      alertedPositions: { open: [], records: [{ channelId: ROOM, markets: 1 }] },
    });
  });

  it('is given up where nobody knows: after a gap, and when a record comes out of its turn', async () => {
    const desk = new Desk();
    await desk.watch(A, ROOM);
    await desk.see(A, purchase(100, 40));
    await desk.deliver(ROOM);
    for (let index = 0; index < 150; index += 1) desk.trade(A, sale(1, 0.5, market(`m${index}`)));
    await desk.poll(A);
    await desk.see(A, sale(100, 90));
    expect(results(desk)).toEqual([]);
    expect(desk.knowledge(A)).toMatchObject({
      alertedPositions: { open: [], records: [{ markets: 0, abandoned: 1 }] },
    });

    await desk.watch(B, ROOM);
    const first = await desk.see(B, purchase(10, 5));
    await desk.see(B, purchase(10, 5, { time: first.time + 20 }));
    await desk.deliver(ROOM);
    desk.nowSeconds += 60;
    // It sold half of what it has, and not all, as it would have seemed between the two.
    await desk.see(B, sale(10, 9, { time: first.time + 10 }));
    expect(results(desk)).toEqual([]);
    expect(desk.knowledge(B)).toMatchObject({
      alertedPositions: { open: [], records: [{ markets: 0, abandoned: 1 }] },
    });
  });
});

describe('consensus', () => {
  const levels = (desk: Desk, channelId: string) =>
    desk.waiting(channelId, 'consensus').map(({ consensus }) => consensus.stakes.length);

  it('is posted once a size and channel by each channel’s own rule, whatever the order, over restarts and failed writes', async () => {
    const step = fc.record({ restarts: fc.boolean(), fails: fc.boolean(), isAtOnce: fc.boolean() });
    const wallets = [A, B, C, D, E];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(wallets, { minLength: 5 }),
        fc.array(step, { minLength: 5, maxLength: 5 }),
        async (order, steps) => {
          const desk = new Desk();
          for (const wallet of wallets) for (const channelId of [ROOM, OTHER]) await desk.watch(wallet, channelId);
          await desk.room(ROOM, { wallets: 2, hours: 1 });
          await desk.room(OTHER, { wallets: 4, hours: 1 });
          for (const wallet of wallets) await desk.poll(wallet);
          for (const wallet of wallets) desk.trade(wallet, purchase(10, 5));
          let atOnce: Promise<void>[] = [];
          for (const [index, wallet] of order.entries()) {
            const { restarts, fails, isAtOnce } = steps[index] ?? { restarts: false, fails: false, isAtOnce: false };
            if (fails) desk.failures = 1;
            atOnce.push(desk.poll(wallet));
            if (isAtOnce) continue;
            await Promise.all(atOnce);
            atOnce = [];
            if (restarts) desk.restart();
          }
          await Promise.all(atOnce);
          desk.failures = 0;
          for (const wallet of order) await desk.poll(wallet);
          for (const [channelId, least] of [
            [ROOM, 2],
            [OTHER, 4],
          ] as const) {
            const announced = levels(desk, channelId);
            expect(new Set(announced).size).toBe(announced.length);
            expect(announced.every((count) => count >= least)).toBe(true);
            expect(Math.max(...announced)).toBe(5);
            if (!steps.some(({ fails }) => fails))
              expect(announced.toSorted()).toEqual(least === 2 ? [2, 3, 4, 5] : [4, 5]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('counts only what was bought since the channel has watched, and names hedgers and the other side', async () => {
    const desk = new Desk();
    for (const wallet of [A, B, C, D]) await desk.watch(wallet, ROOM);
    for (const wallet of [A, B]) await desk.see(wallet, purchase(10, 5));
    desk.nowSeconds += 60;
    for (const wallet of [A, B, C, D]) await desk.watch(wallet, OTHER);
    for (const channelId of [ROOM, OTHER]) await desk.room(channelId, { wallets: 2, hours: 1 });
    desk.nowSeconds += 60;
    const no = { tokenId: 'no', positionSide: 'No', outcomeIndex: 1 };
    await desk.see(C, purchase(10, 5, no));
    await desk.see(D, purchase(10, 5, no));
    await desk.see(D, purchase(10, 5));
    await desk.see(A, purchase(10, 5));
    // By the time that A buys again D has hedged; B has bought nothing yet in the time of the other room.
    const announced = (channelId: string) =>
      desk.waiting(channelId, 'consensus').map(({ consensus: { side, opposing } }) => [side, opposing.length]);
    expect(announced(OTHER)).toEqual([['No', 0]]);
    expect(announced(ROOM)).toEqual([
      ['No', 2],
      ['Yes', 1],
    ]);
    await desk.see(B, purchase(10, 8));
    const { stakes, opposing, hedged } = desk.waiting(OTHER, 'consensus').at(-1)?.consensus ?? {};
    expect(stakes?.map(({ wallet, usdc }) => [wallet, usdc])).toEqual([
      [B, '8'],
      [A, '5'],
    ]);
    expect([opposing?.map(({ wallet }) => wallet), hedged]).toEqual([[C], 1]);
  });

  it('is not posted in a channel that has not asked, or of a wallet that is paused there', async () => {
    const desk = new Desk();
    for (const wallet of [A, B]) for (const channelId of [ROOM, OTHER]) await desk.watch(wallet, channelId);
    await desk.room(ROOM, { wallets: 2, hours: 1 });
    const watch = desk.registry.get(ROOM, A);
    if (watch !== undefined) await desk.registry.update({ ...watch, pause: { untilSeconds: null } });
    for (const wallet of [A, B]) await desk.see(wallet, purchase(10, 5));
    expect([...levels(desk, ROOM), ...levels(desk, OTHER)]).toEqual([]);
  });
});
