import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortHash } from '../../src/domain/market-keys.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { sum } from '../../src/lib/exact.ts';
import { entryKeys } from '../../src/portfolio/market.ts';
import { withSettlements } from '../../src/portfolio/wallet-knowledge.ts';
import { happening } from '../support/happening.ts';
import { boughtFor, inMarket, sampleTrade, soldFor } from '../support/records.ts';
import { A, CHANNEL, START } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { KILL_STEPS, openDelayedBot } from './delayed-bot.ts';

const TICK_SECONDS = 10;
/** After these the wallet sells what it holds; some time later the channel knows of all. */
const TRADING_TICKS = 22;
const LAST_TICK = 65;

const tick = fc.integer({ min: 1, max: TRADING_TICKS });
const market = fc.integer({ min: 0, max: 1 });
const happened = fc.oneof(
  happening(4, 'buys', { tick, market }),
  happening(3, 'sells', { tick, market, share: fc.constantFrom(0.5, 1, 1) }),
  happening(1, 'is settled', { tick, market, payout: fc.constantFrom(0, 1) }),
  happening(2, 'is killed', {
    tick,
    step: fc.constantFrom(...KILL_STEPS),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  happening(1, 'has another delay', { tick, ticks: fc.constantFrom(null, 6, 12, 18) }),
);
type Happened = typeof happened extends fc.Arbitrary<infer Value> ? Value : never;
const style = fc.constantFrom('each' as const, 'grouped' as const);

/** A wallet that trades in two markets, and what it has paid and received. */
function openTrader(nowSeconds: () => number) {
  const items: ActivityItem[] = [];
  const held = [0, 0];
  const settled = new Set<number>();
  const sums = { paid: 0, received: 0 };
  const sell = (nth: number, share: number): void => {
    const shares = (held[nth] ?? 0) * share;
    if (shares === 0 || settled.has(nth)) return;
    held[nth] = (held[nth] ?? 0) - shares;
    sums.received += trade(nth, shares, soldFor);
  };
  /** @returns what it comes to: figures that are exact in binary */
  function trade(nth: number, shares: number, figuresOf: typeof soldFor): number {
    const usdc = shares * (0.25 + items.length / 64);
    const txHash = `0x${items.length}`;
    const about = { ...sampleTrade(), ...inMarket(nth), txHash, trader: A, time: nowSeconds() };
    items.push({ ...about, ...figuresOf(shares, usdc) });
    return usdc;
  }
  return {
    items,
    sums,
    sell,
    buy(nth: number): void {
      if (settled.has(nth)) return;
      held[nth] = (held[nth] ?? 0) + 64;
      sums.paid += trade(nth, 64, boughtFor);
    },
    /** @returns null if it is settled already */
    settle(nth: number, payout: number) {
      if (settled.has(nth)) return null;
      settled.add(nth);
      sums.received += (held[nth] ?? 0) * payout;
      const { outcome, market: key } = entryKeys({ ...sampleTrade(), ...inMarket(nth) });
      const winner = payout === 1 ? outcome : shortHash('the other');
      return { market: key, payouts: new Map([[winner, 1]]), atSeconds: nowSeconds() };
    },
  };
}

/** A channel that hears later and watches the trader, in a bot that is killed now and then. */
async function openWatched(watched: { readonly style: 'each' | 'grouped' }) {
  const delayed = openDelayedBot();
  const { bot } = delayed;
  const trader = openTrader(() => bot.nowSeconds);
  await bot.watch(A, CHANNEL, watched, START);
  const setDelay = (ticks: number | null) =>
    delayed.setDelay(ticks === null ? null : ticks * TICK_SECONDS * 1000);
  await setDelay(6);
  /** Does something until the bot survives it. */
  const alive = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => {
      if (!delayed.isKilled()) throw error;
    });
    if (!delayed.isKilled()) return;
    await delayed.restart();
    await alive(work);
  };
  const poll = () => {
    bot.list(A, trader.items);
    return alive(() => bot.poll(A));
  };
  const settle = async (nth: number, payout: number): Promise<void> => {
    const settlement = trader.settle(nth, payout);
    if (settlement === null) return;
    await poll();
    await alive(() =>
      bot.parts.outbox.learn(A, (known, since) => withSettlements(known, [settlement], since)),
    );
    // Of two trades of one second on both sides of a look nobody can tell which was first.
    bot.nowSeconds += 1;
  };
  return {
    bot,
    trader,
    shown: delayed.shown,
    async happen(one: Happened): Promise<void> {
      if (one.kind === 'buys') trader.buy(one.market);
      if (one.kind === 'sells') trader.sell(one.market, one.share);
      if (one.kind === 'is settled') await settle(one.market, one.payout);
      if (one.kind === 'has another delay') await setDelay(one.ticks);
      if (one.kind !== 'is killed') return;
      let left = one.count;
      bot.onFailpoint = (reached) => {
        if (reached === one.step) left -= 1;
        if (left === 0) delayed.kill();
      };
    },
    async look(): Promise<void> {
      await poll();
      await alive(() => delayed.deliver());
    },
  };
}

describe('results in a channel that hears later', () => {
  it('count each purchase once, and all that came of it, whatever happens meanwhile', async () => {
    let results = 0;
    const plans = fc.array(happened, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(plans, style, async (plan, shownAs) => {
        const { bot, trader, shown, happen, look } = await openWatched({ style: shownAs });
        for (let now = 0; now <= LAST_TICK; now += 1) {
          bot.nowSeconds = START + now * TICK_SECONDS;
          for (const one of plan) if (one.tick === now) await happen(one);
          if (now > TRADING_TICKS) for (const nth of [0, 1]) trader.sell(nth, 1);
          await look();
        }
        const told = shown
          .filter(({ kind }) => kind === 'new')
          .flatMap(({ alerts }) => alerts)
          .flatMap(({ event }) => (event.kind === 'result' ? event.result : []));
        results += told.length;
        const total = (name: 'paid' | 'received') => sum(told.map((one) => one[name])).toNumber();
        expect({ paid: total('paid'), received: total('received') }).toEqual(trader.sums);
      }),
      randomRuns(160),
    );
    expect(results).toBeGreaterThan(5);
  });
});
