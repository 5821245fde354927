import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_COOLDOWNS } from '../../src/delivery/plan/cooldowns.ts';
import { GROUPING_WINDOW_MS, plan } from '../../src/delivery/plan/plan.ts';
import { isPaused } from '../../src/watches/watch.ts';
import type { WatchSettings } from '../../src/watches/watch-settings.ts';
import { settingsSchema } from '../../src/watches/watch-settings.ts';
import { boughtFor, inMarket, soldFor } from '../support/records.ts';
import { A, CHANNEL, OTHER, TestBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';

const OPENS: Partial<WatchSettings> = { kinds: ['opens', 'closes'] };
const FROM_FIVE_HUNDRED = { ...OPENS, minUsdc: 500 };
const BELOW_NINETY = { ...OPENS, priceCents: { min: 0, max: 90 } };

/** A bot of which channels watch a wallet. */
async function openBot(
  settings: Partial<WatchSettings>,
  channelIds: readonly string[] = [CHANNEL],
) {
  const bot = new TestBot();
  for (const channelId of channelIds) await bot.watch(A, channelId, settings);
  // Its first page shows all that it ever did.
  await bot.see(A, { ...boughtFor(10, 5), ...inMarket('earlier') });
  for (const channelId of channelIds) await bot.deliver(channelId);
  return bot;
}

/**
 * Announces and drops what waits for the channel, as the bot does.
 *
 * @returns the shares of what is announced
 */
async function look(bot: TestBot, channelId = CHANNEL, isAnswered = true): Promise<number[]> {
  const nowMs = bot.nowSeconds * 1000;
  const watch = bot.registry.get(channelId, A);
  const settings =
    watch === undefined || isPaused(watch, bot.nowSeconds) ? undefined : watch.settings;
  const { groups, drop } = plan(bot.allWaiting(channelId), {
    nowMs,
    settingsOf: () => settings,
    polledAtMs: () => nowMs,
    isUnannounced: (alert) => bot.isUnannounced(alert),
    cooldowns: NO_COOLDOWNS,
    isQuietAt: () => false,
    announced: [],
    growing: [],
    takesEdits: true,
    catchUpAfterMs: Number.POSITIVE_INFINITY,
    leftOut: [],
    isCompact: false,
  });
  const announced = groups.flatMap(({ alerts }) => alerts);
  if (isAnswered)
    await bot.deliver(channelId, ({ id }) => announced.some((alert) => alert.id === id));
  await bot.deliver(channelId, ({ id }) => drop.some(({ alert }) => alert.id === id), false);
  return announced.flatMap(({ event }) => (event.kind === 'activity' ? event.item.quantity : []));
}

async function pass(bot: TestBot, seconds: number): Promise<void> {
  bot.nowSeconds += seconds;
  await bot.poll(A);
}

describe('a channel that is told of new positions alone', () => {
  it('is told of one with the first boughtFor that reaches its minimum, and of no other', async () => {
    const bot = await openBot(FROM_FIVE_HUNDRED);
    const { nowSeconds } = bot;
    await bot.see(A, boughtFor(20, 10));
    expect(await look(bot)).toEqual([]);
    await pass(bot, GROUPING_WINDOW_MS / 1000 + 1);
    expect(await look(bot)).toEqual([]);
    expect(bot.allWaiting(CHANNEL)).toEqual([]);

    await bot.see(A, boughtFor(100_000, 50_000));
    expect(bot.waiting(CHANNEL, 'activity')[0]?.context).toMatchObject({
      sharesBefore: '20',
      sharesAfter: '100020',
    });
    expect(await look(bot)).toEqual([100_000]);
    await bot.see(A, boughtFor(90_000, 45_000));
    expect(await look(bot)).toEqual([]);
    expect(bot.nowSeconds).toBeGreaterThan(nowSeconds);
  });

  it('is told of it in each channel for itself, whatever another one was shown', async () => {
    const bot = await openBot(BELOW_NINETY, [CHANNEL, OTHER]);
    await bot.change(A, OTHER, { settings: settingsSchema.parse(OPENS) });
    await bot.see(A, boughtFor(20, 18.2));
    expect(await look(bot)).toEqual([]);
    expect(await look(bot, OTHER)).toEqual([20]);
    await bot.see(A, boughtFor(1000, 500));
    expect(await look(bot)).toEqual([1000]);
    expect(await look(bot, OTHER)).toEqual([]);
  });

  it('is told of it though the program ends between message and acknowledgement, and once', async () => {
    const bot = await openBot(BELOW_NINETY);
    await bot.see(A, boughtFor(20, 18.2));
    bot.restart();
    await bot.see(A, boughtFor(1000, 500));
    expect(await look(bot, CHANNEL, false)).toEqual([1000]);
    bot.restart();
    expect(await look(bot)).toEqual([1000]);
    bot.restart();
    await bot.see(A, boughtFor(900, 450));
    expect(await look(bot)).toEqual([]);
  });

  it('is told of one that was opened while another setting left it out', async () => {
    const bot = await openBot({ kinds: ['sell'] });
    await bot.see(A, boughtFor(20, 10));
    await bot.change(A, CHANNEL, { settings: settingsSchema.parse(OPENS) });
    await bot.see(A, boughtFor(1000, 500));
    expect(await look(bot)).toEqual([1000]);
  });

  it('is not told of one that was opened before its watch, or during a pause, until it ends', async () => {
    const bot = await openBot(BELOW_NINETY);
    await bot.watch(A, OTHER, BELOW_NINETY, bot.nowSeconds + 2);
    await bot.change(A, CHANNEL, { pause: { untilSeconds: null } });
    await bot.see(A, boughtFor(20, 18.2));
    await bot.change(A, CHANNEL, { pause: null, sinceSeconds: bot.nowSeconds });
    bot.nowSeconds += 2;
    await bot.see(A, boughtFor(1000, 500));
    expect(await look(bot)).toEqual([]);
    expect(await look(bot, OTHER)).toEqual([]);
    await bot.see(A, soldFor(1020, 600));
    expect(await look(bot)).toEqual([1020]);
    await bot.see(A, boughtFor(20, 18.2));
    await bot.see(A, boughtFor(900, 450));
    expect(await look(bot)).toEqual([900]);
  });

  it('is told of one that was opened between its command and its beginning', async () => {
    const bot = await openBot(OPENS, [OTHER]);
    const { nowSeconds } = bot;
    await bot.see(A, boughtFor(20, 18.2));
    await bot.watch(A, CHANNEL, BELOW_NINETY, nowSeconds + 1);
    await bot.see(A, boughtFor(1000, 500));
    expect(await look(bot)).toEqual([1000]);
  });

  it('keeps nothing of it once the channel watches no more', async () => {
    const bot = await openBot(BELOW_NINETY, [CHANNEL, OTHER]);
    await bot.see(A, boughtFor(20, 18.2));
    expect(bot.knowledge(A)['unannounced']).toMatchObject([{ channels: [CHANNEL, OTHER] }]);
    await bot.registry.remove(OTHER, A);
    await bot.prune(A);
    expect(bot.knowledge(A)['unannounced']).toMatchObject([{ channels: [CHANNEL] }]);
    await bot.see(A, soldFor(20, 18));
    expect(bot.knowledge(A)['unannounced']).toEqual([]);
  });

  it('is told once of each position, by its first boughtFor that passes, whatever else happens', async () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant('buys' as const), cents: fc.constantFrom(95, 50, 30) }),
      fc.record({
        does: fc.constantFrom('sells a part', 'sells all', 'pause', 'resume', 'restart', 'looks'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const bot = await openBot(BELOW_NINETY);
        const model = { shares: 0, isPausedNow: false, mayOpen: false };
        for (const [index, { does, ...drawn }] of steps.entries()) {
          bot.nowSeconds += 200;
          if (does === 'restart') bot.restart();
          if (does === 'pause' || does === 'resume') {
            model.isPausedNow = does === 'pause';
            const since = does === 'resume' ? { sinceSeconds: bot.nowSeconds } : {};
            await bot.change(A, CHANNEL, {
              pause: model.isPausedNow ? { untilSeconds: null } : null,
              ...since,
            });
            bot.nowSeconds += 5;
          }
          if (does === 'buys' && 'cents' in drawn) {
            const quantity = 100 + index;
            if (model.shares === 0) model.mayOpen = !model.isPausedNow;
            model.shares += quantity;
            const isTold = model.mayOpen && !model.isPausedNow && drawn.cents < 90;
            await bot.see(A, boughtFor(quantity, (quantity * drawn.cents) / 100));
            expect(await look(bot)).toEqual(isTold ? [quantity] : []);
            if (isTold) model.mayOpen = false;
          }
          if (does.startsWith('sells') && model.shares > 0) {
            const sold = does === 'sells all' ? model.shares : 10;
            model.shares -= sold;
            await bot.see(A, soldFor(sold, sold / 2));
            expect(await look(bot)).toEqual(model.shares === 0 && !model.isPausedNow ? [sold] : []);
            // What only reduces a position waits for more of the soldFor.
            await pass(bot, GROUPING_WINDOW_MS / 1000 + 1);
            expect(await look(bot)).toEqual([]);
          }
        }
      }),
      randomRuns(200),
    );
  });
});
