import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { announcingFrom } from '../../src/watches/watch.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { storeAsFormat11 } from '../alerts/older-format.ts';
import { boughtFor, inMarket, sampleTrade, soldFor } from '../support/records.ts';
import { A, CHANNEL, START } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { type DelayedBot, KILL_STEPS, openDelayedBot } from './delayed-bot.ts';

const TICK_SECONDS = 5;

interface Traded {
  readonly tick: number;
  readonly market: number;
  readonly action: 'Buy' | 'Sell' | 'Merge';
  /** Polls after which the venue lists it. */
  readonly lateTicks: number;
}

const traded: fc.Arbitrary<Traded> = fc.record({
  tick: fc.integer({ min: 1, max: 30 }),
  market: fc.integer({ min: 0, max: 1 }),
  action: fc.constantFrom('Buy' as const, 'Buy' as const, 'Sell' as const),
  lateTicks: fc.constantFrom(0, 0, 0, 3),
});

/** The records of trades, of which the wallet never sells more than it holds. */
function recordsOf(
  trades: readonly Traded[],
): readonly (Traded & { readonly item: ActivityItem })[] {
  const held = [0, 0];
  return trades
    .toSorted((a, b) => a.tick - b.tick)
    .flatMap((trade, index) => {
      const { tick, market, action } = trade;
      const before = held[market] ?? 0;
      const quantity = action === 'Sell' ? before : 100;
      if (quantity === 0) return [];
      if (action !== 'Merge') held[market] = action === 'Buy' ? before + quantity : 0;
      const usdc = quantity * (0.4 + index / 100);
      const item = {
        ...sampleTrade(),
        ...inMarket(market),
        trader: A,
        action,
        quantity,
        time: START + tick * TICK_SECONDS,
        txHash: `0x${String(index + 1).padStart(64, '0')}`,
        transferNetAmount: action === 'Buy' ? usdc : -usdc,
      };
      return [{ ...trade, item }];
    });
}

/** Lets a tick pass: the venue lists what has happened, the wallet is polled. */
async function passTick(
  { bot }: DelayedBot,
  tick: number,
  records: ReturnType<typeof recordsOf>,
): Promise<void> {
  bot.nowSeconds = START + tick * TICK_SECONDS;
  const listed = records.filter((record) => record.tick + record.lateTicks <= tick);
  bot.list(
    A,
    listed.map(({ item }) => item),
  );
  await bot.poll(A);
}

type Typed =
  | { readonly kind: 'pause'; readonly ticks: number | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'edit'; readonly settings: Partial<WatchSettings> };

const typed: fc.Arbitrary<Typed & { readonly tick: number }> = fc.oneof(
  fc.record({
    tick: fc.integer({ min: 1, max: 30 }),
    kind: fc.constant('pause' as const),
    ticks: fc.option(fc.integer({ min: 1, max: 12 })),
  }),
  fc.record({ tick: fc.integer({ min: 1, max: 30 }), kind: fc.constant('resume' as const) }),
  fc.record({
    tick: fc.integer({ min: 1, max: 30 }),
    kind: fc.constant('edit' as const),
    settings: fc.record({
      minUsdc: fc.constantFrom(0, 60),
      cooldownSeconds: fc.constantFrom(0, 40),
      style: fc.constantFrom('grouped' as const, 'each' as const),
      kinds: fc.constantFrom<WatchSettings['kinds']>(null, ['buy'], ['sell', 'other'], ['deposit']),
    }),
  }),
);

/**
 * Does what somebody types, as its command does.
 *
 * @param lagSeconds of the channel's clock
 */
async function type({ bot }: DelayedBot, what: Typed, lagSeconds: number): Promise<void> {
  const watch = bot.registry.get(CHANNEL, A);
  if (watch === undefined) throw new Error('The wallet is watched.');
  if (what.kind === 'edit')
    return bot.change(A, CHANNEL, { settings: { ...watch.settings, ...what.settings } });
  if (what.kind === 'resume') {
    if (watch.pause === null) return;
    const resumed = announcingFrom(watch, bot.nowSeconds - lagSeconds);
    return bot.change(A, CHANNEL, { ...resumed, pause: null });
  }
  if (what.ticks === null) return bot.change(A, CHANNEL, { pause: { untilSeconds: null } });
  const untilSeconds = bot.nowSeconds + what.ticks * TICK_SECONDS;
  const held = lagSeconds > 0 ? { heldSeconds: untilSeconds - lagSeconds } : {};
  return bot.change(A, CHANNEL, { pause: { untilSeconds, ...held } });
}

/** What happens, the same in two channels. */
interface Plan {
  readonly trades: readonly Traded[];
  readonly typings: readonly (Typed & { readonly tick: number })[];
  /** Ticks at which a page is lost, of which the channel gets a notice. */
  readonly missed: readonly number[];
}

const tradesOf =
  (action: Traded['action'], lateTicks = 0) =>
  (tick: number, market = 0): Traded => ({ tick, market, action, lateTicks });
const bought = tradesOf('Buy');
const sold = tradesOf('Sell');
const merged = tradesOf('Merge');
const wants = (tick: number, settings: Partial<WatchSettings>) =>
  ({ tick, kind: 'edit', settings }) as const;

interface Example {
  readonly trades: Traded[];
  readonly typings: (Typed & { readonly tick: number })[];
  readonly missed: number[];
  readonly delayTicks: 12 | 36;
}
/** What once read otherwise later. */
const once = (trades: Traded[], others: Partial<Example> = {}): Example => ({
  ...{ trades, typings: [], missed: [], delayTicks: 12 },
  ...others,
});

/** Sold before it was posted and bought again, before the clock came to either. */
const BOUGHT_AGAIN = once([bought(1), bought(2, 1), sold(2, 1), bought(3, 1), sold(3)], {
  typings: [wants(1, { minUsdc: 60 })],
});

/** Two sales that were seen at once, in another order. */
const SEEN_AT_ONCE = once([bought(1), bought(1, 1), tradesOf('Sell', 3)(19), sold(22, 1)], {
  delayTicks: 36,
});

/** Bought in a doubt, when the channel wanted no purchases: it had no result. */
const BOUGHT_IN_DOUBT = once([tradesOf('Buy', 3)(1), sold(1), tradesOf('Buy', 3)(2), sold(5)], {
  typings: [wants(1, { kinds: ['sell'] }), wants(4, { kinds: null })],
});

/** Records that were missed before the channel was resumed: they were told. */
const MISSED_BEFORE_RESUME = once([...Array.from({ length: 102 }, () => bought(1)), bought(3)], {
  typings: [
    { tick: 1, kind: 'pause', ticks: null },
    { tick: 2, kind: 'resume' },
  ],
});

/** Missed when only deposits were wanted, by another clock: it was not told. */
const MISSED_BEFORE_EDIT = once([], {
  typings: [wants(1, { kinds: ['deposit'] }), wants(3, { kinds: null })],
  missed: [14],
});

/** An action of which only a watch that names it is told: it was not. */
const OF_NO_USUAL_KIND = once([bought(1), merged(3), merged(5, 1)], {
  typings: [wants(2, { kinds: ['buy', 'other'] }), wants(4, { kinds: null })],
});

/** Bought anew unwanted, and sold at once: its result came alone, seconds after the sale. */
const SOLD_WITH_UNWANTED = once([bought(28, 1), sold(28, 1), bought(1, 1)], {
  typings: [wants(1, { kinds: ['sell', 'other'] })],
});

/** The store was converted while a move still wrote to it: it read as damaged. */
const UPDATED_AT_A_MOVE = once([bought(26), bought(1)], { missed: [26] });

/** Below the minimum, it waited for more when the watch was resumed: a start lost it. */
const RESUMED_WHILE_IT_WAITED = once([bought(2), bought(4)], {
  typings: [
    { tick: 1, kind: 'pause', ticks: 1 },
    wants(1, { minUsdc: 60 }),
    { tick: 3, kind: 'resume' },
  ],
});

describe('a channel that hears later', () => {
  it('reads what another one reads, so much later, whatever is typed by its clock', async () => {
    const plans = fc.record({
      trades: fc.array(traded, { minLength: 1, maxLength: 8 }),
      typings: fc.array(typed, { maxLength: 4 }),
      missed: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 2 }),
      delayTicks: fc.constantFrom(12, 36),
    });
    /** Tick at which the bot goes on with what one of an older format has stored; null: none. */
    const update = fc.option(fc.integer({ min: 1, max: 60 }));
    const run = async (
      { trades, typings, missed }: Plan,
      delayTicks: number,
      updateTick: number | null,
    ) => {
      const delayed = openDelayedBot();
      const { bot } = delayed;
      const records = recordsOf(trades);
      await bot.watch(A, CHANNEL, {}, START);
      if (delayTicks > 0) await delayed.setDelay(delayTicks * TICK_SECONDS * 1000);
      for (let tick = 0; tick <= 90 + delayTicks; tick += 1) {
        await passTick(delayed, tick, records);
        if (missed.includes(tick)) await bot.abandon(bot.pageOf(A, tick));
        if (tick === updateTick) await delayed.restart(() => storeAsFormat11(bot, A));
        await delayed.deliver();
        for (const one of typings.filter((each) => each.tick === tick - delayTicks)) {
          await type(delayed, one, delayTicks * TICK_SECONDS);
          await delayed.deliver();
        }
      }
      return delayed.shown.map(({ atSeconds, kind, id, body }) => ({
        atSeconds: atSeconds - delayTicks * TICK_SECONDS,
        kind,
        id,
        body,
      }));
    };
    let messages = 0;
    await fc.assert(
      fc.asyncProperty(plans, update, async ({ delayTicks, ...plan }, updateTick) => {
        const atOnce = await run(plan, 0, null);
        messages += atOnce.length;
        expect(await run(plan, delayTicks, updateTick)).toEqual(atOnce);
      }),
      {
        ...randomRuns(160, 12),
        examples: [
          [BOUGHT_AGAIN, null],
          [SEEN_AT_ONCE, null],
          [BOUGHT_IN_DOUBT, null],
          [MISSED_BEFORE_RESUME, null],
          [MISSED_BEFORE_EDIT, null],
          [OF_NO_USUAL_KIND, null],
          [SOLD_WITH_UNWANTED, null],
          [UPDATED_AT_A_MOVE, 26],
          [RESUMED_WHILE_IT_WAITED, 16],
        ],
      },
    );
    expect(messages).toBeGreaterThan(20);
  });

  it('gets everything once and nothing early, however the bot is killed and the delay is changed', async () => {
    const tick = fc.integer({ min: 1, max: 45 });
    const plans = fc.record({
      trades: fc.array(traded, { minLength: 1, maxLength: 10 }),
      kills: fc.array(
        fc.record({
          tick,
          step: fc.constantFrom(...KILL_STEPS),
          count: fc.integer({ min: 1, max: 3 }),
        }),
        { maxLength: 4 },
      ),
      delays: fc.array(fc.record({ tick, ticks: fc.constantFrom(null, 12, 24, 36) }), {
        maxLength: 4,
      }),
    });
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const delayed = openDelayedBot();
        const { bot, shown } = delayed;
        const records = recordsOf(plan.trades);
        await bot.watch(A, CHANNEL, { style: 'each' }, START);
        let delayMs = 12 * TICK_SECONDS * 1000;
        let clockMs = 0;
        await delayed.setDelay(delayMs);
        const alive = async (work: () => Promise<unknown>): Promise<void> => {
          await work().catch((error: unknown) => {
            if (!delayed.isKilled()) throw error;
          });
          if (!delayed.isKilled()) return;
          kills += 1;
          await delayed.restart();
          await alive(() => delayed.deliver());
        };
        for (let now = 0; now <= 90; now += 1) {
          for (const { step, count } of plan.kills.filter((kill) => kill.tick === now)) {
            let left = count;
            bot.onFailpoint = (reached) => {
              if (reached === step) left -= 1;
              if (left === 0) delayed.kill();
            };
          }
          const begun = shown.length;
          await alive(() => passTick(delayed, now, records));
          await alive(() => delayed.deliver());
          clockMs = Math.max(clockMs, bot.nowSeconds * 1000 - delayMs);
          for (const { ticks } of plan.delays.filter((change) => change.tick === now)) {
            delayMs = (ticks ?? 0) * TICK_SECONDS * 1000;
            await delayed.setDelay(ticks === null ? null : delayMs);
            await alive(() => delayed.deliver());
            clockMs = Math.max(clockMs, bot.nowSeconds * 1000 - delayMs);
          }
          for (const { alerts } of shown.slice(begun))
            for (const { seenAtMs } of alerts) expect(seenAtMs).toBeLessThanOrEqual(clockMs);
        }
        const hashes = shown.flatMap(({ alerts }) =>
          alerts.flatMap(({ event }) => (event.kind === 'activity' ? event.item.txHash : [])),
        );
        expect(hashes.toSorted()).toEqual(records.map(({ item }) => item.txHash).toSorted());
        expect([...bot.disk.keys()].filter((key) => key.startsWith('later:'))).toEqual([]);
      }),
      randomRuns(240, 20),
    );
    expect(kills).toBeGreaterThan(0);
  });

  it('has notices in the place of its oldest alerts where too many wait, and no result of them', async () => {
    const delayed = openDelayedBot({ bounds: { items: 20, bytes: 10_000_000 } });
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, { style: 'each' }, START);
    await delayed.setDelay(3_600_000);
    const records = recordsOf(Array.from({ length: 30 }, (_, index) => bought(index + 1)));
    for (let tick = 0; tick <= 40; tick += 1) {
      await passTick(delayed, tick, records);
      await delayed.deliver();
    }
    const { waiting, dropped } = delayed.later.counts();
    expect(waiting).toBeLessThanOrEqual(20);
    expect(dropped).toBeGreaterThanOrEqual(10);
    expect(shown).toEqual([]);
    await delayed.restart();
    bot.nowSeconds += 3_600;
    await delayed.deliver();
    const alerts = shown.flatMap((one) => one.alerts);
    const gaps = alerts.filter(({ event }) => event.kind === 'gap');
    expect(gaps.length).toBeGreaterThan(0);
    const times = alerts.flatMap(({ event }) => (event.kind === 'activity' ? event.item.time : []));
    for (const { item } of records) {
      const isTold = gaps.some(
        ({ event }) =>
          event.kind === 'gap' &&
          event.gap.fromSeconds <= item.time &&
          item.time <= event.gap.toSeconds,
      );
      expect(times.includes(item.time)).toBe(!isTold);
    }
    const { alertedPositions } = bot.knowledge(A) as {
      alertedPositions: readonly { outcomes: readonly { alertId?: string; shares: string }[] }[];
    };
    const outcomes = alertedPositions.flatMap((position) => position.outcomes);
    expect(outcomes.map(({ alertId }) => alertId)).toEqual([undefined]);
    expect(Number(outcomes[0]?.shares)).toBe(100 * times.length);
  });

  it('gets nothing of a pause that was over before the bot came back, nor of a time before its watch', async () => {
    const delayed = openDelayedBot();
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, { style: 'each' }, START);
    await delayed.setDelay(60_000);
    const records = recordsOf([2, 6, 10].map((tick) => bought(tick)));
    for (let tick = 0; tick <= 11; tick += 1) await passTick(delayed, tick, records);
    await delayed.later.idle();
    // At the channel's clock of a tick before the first trade, until after the second.
    await type(delayed, { kind: 'pause', ticks: 8 }, 60);
    await delayed.restart();
    bot.nowSeconds = START + 40 * TICK_SECONDS;
    await delayed.deliver();
    const times = shown.flatMap(({ alerts }) =>
      alerts.flatMap(({ event }) => (event.kind === 'activity' ? event.item.time : [])),
    );
    expect(times).toEqual([START + 10 * TICK_SECONDS]);
  });

  it('reads the trades of a page in their order, also when the venue is asked about the first', async () => {
    const run = async (delayMs: number | null) => {
      let asks = 2;
      const isFirst = ({ event }: Alert) =>
        event.kind === 'activity' && event.item.marketTitle === 'First';
      const awaitingAnswerMs = (alert: Alert) => {
        if (!isFirst(alert) || asks === 0) return 0;
        asks -= 1;
        return 1;
      };
      const delayed = openDelayedBot({ awaitingAnswerMs });
      const { bot, shown } = delayed;
      await bot.watch(A, CHANNEL, {}, START);
      await delayed.setDelay(delayMs);
      await bot.poll(A);
      bot.trade(A, { ...inMarket(1), marketTitle: 'First' });
      bot.trade(A, { ...inMarket(2), marketTitle: 'Second' });
      bot.nowSeconds += 10;
      await bot.poll(A);
      await delayed.deliver();
      bot.nowSeconds += 900;
      await delayed.deliver();
      expect(asks).toBe(0);
      return shown.flatMap(({ alerts }) =>
        alerts.map(({ event }) => event.kind === 'activity' && event.item.marketTitle),
      );
    };
    expect(await run(null)).toEqual(['First', 'Second']);
    expect(await run(600_000)).toEqual(['First', 'Second']);
  });

  it('keeps what is on its way to it while its watch cannot be read', async () => {
    let waits = true;
    const delayed = openDelayedBot({ awaitingAnswerMs: () => (waits ? 1 : 0) });
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, {}, START);
    await delayed.setDelay(60_000);
    await bot.poll(A);
    await bot.see(A);
    const key = `watch:${CHANNEL}:${A}`;
    const stored = bot.disk.get(key);
    bot.disk.set(key, '"damaged"');
    waits = false;
    await delayed.restart();
    bot.nowSeconds += 120;
    await delayed.deliver();
    expect(shown).toEqual([]);
    bot.disk.set(key, stored ?? '');
    await delayed.restart();
    await delayed.deliver();
    expect(shown).toHaveLength(1);
  });

  it('reads that a wallet’s document could not be read when its clock has come there', async () => {
    const delayed = openDelayedBot();
    const { bot, shown } = delayed;
    await bot.watch(A, CHANNEL, {}, START);
    await delayed.setDelay(60_000);
    await passTick(delayed, 0, []);
    bot.disk.set(`wallet:${A}`, '"damaged"');
    await delayed.restart();
    for (let tick = 1; tick <= 20; tick += 1) {
      await passTick(delayed, tick, []);
      await delayed.deliver();
    }
    expect(shown.map(({ atSeconds }) => atSeconds)).toEqual([START + 65, START + 65]);
  });

  it('reads what came of a position with its sale, whatever is sold later of what it did not want', async () => {
    const yes = { ...inMarket(1), tokenId: 'yes', positionSide: 'Yes', outcomeIndex: 0 };
    const no = { ...inMarket(1), tokenId: 'no', positionSide: 'No', outcomeIndex: 1 };
    const trades = [
      { tick: 1, item: boughtFor(300, 120, yes) },
      { tick: 3, item: boughtFor(100, 40, no) },
      { tick: 30, item: soldFor(300, 150, yes) },
      { tick: 60, item: soldFor(100, 50, no) },
    ];
    const run = async (delayTicks: number) => {
      const delayed = openDelayedBot();
      const { bot, shown } = delayed;
      await bot.watch(A, CHANNEL, { minUsdc: 60 }, START);
      await delayed.setDelay(delayTicks * TICK_SECONDS * 1000);
      for (let tick = 0; tick <= 100 + delayTicks; tick += 1) {
        bot.nowSeconds = START + tick * TICK_SECONDS;
        const [one] = trades.filter((trade) => trade.tick === tick);
        if (one !== undefined) bot.trade(A, { ...one.item, time: bot.nowSeconds });
        bot.nowSeconds = START + tick * TICK_SECONDS;
        await bot.poll(A);
        await delayed.deliver();
      }
      return shown.map(({ atSeconds, body }) => ({
        atSeconds: atSeconds - delayTicks * TICK_SECONDS,
        body: body.embeds?.[0]?.description?.split('\n')[0],
      }));
    };
    const atOnce = await run(0);
    expect(atOnce.at(-1)?.body).toContain('position **+\u2060$30.00** (+25%)');
    expect(await run(50)).toEqual(atOnce);
  });
});
