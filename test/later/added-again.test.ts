import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { happening } from '../support/happening.ts';
import { boughtFor, sampleTrade } from '../support/records.ts';
import { A, B, CHANNEL, OTHER, START } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';
import { openDelayedBot } from './delayed-bot.ts';

const TICK_SECONDS = 5;
const DELAY_TICKS = 12;

const tick = fc.integer({ min: 1, max: 40 });
const plans = fc.record({
  happenings: fc.array(
    fc.oneof(
      happening(5, 'buys', { tick }),
      happening(2, 'is removed', { tick }),
      happening(2, 'is added', { tick }),
      happening(1, 'restart', { tick }),
    ),
    { maxLength: 16 },
  ),
  /** Whether another channel watches the wallet, at once; and the channel another wallet. */
  isWatchedElsewhere: fc.boolean(),
  watchesAnother: fc.boolean(),
});

describe('a wallet that is removed from a channel that hears later, and added again', () => {
  it('is told of from where it was added, and of nothing that was not told before it was removed', async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(plans, async ({ happenings, isWatchedElsewhere, watchesAnother }) => {
        const delayed = openDelayedBot();
        const { bot, shown } = delayed;
        await bot.watch(A, CHANNEL, { style: 'each' }, START);
        if (isWatchedElsewhere) await bot.watch(A, OTHER, {}, START);
        if (watchesAnother) await bot.watch(B, CHANNEL, {}, START);
        await delayed.setDelay(DELAY_TICKS * TICK_SECONDS * 1000);
        const items: ActivityItem[] = [];
        /** Purchases of which the channel is still to be told, with their ticks. */
        const waiting = new Map<string, number>();
        const expected: string[] = [];
        for (let now = 0; now <= 60; now += 1) {
          bot.nowSeconds = START + now * TICK_SECONDS;
          for (const { kind } of happenings.filter((one) => one.tick === now)) {
            const isWatched = bot.registry.get(CHANNEL, A) !== undefined;
            if (kind === 'buys') {
              const about = { ...sampleTrade(), time: bot.nowSeconds, txHash: `0x${items.length}` };
              items.push({ ...about, ...boughtFor(10, 5) });
            }
            if (kind === 'is removed' && isWatched) {
              await bot.registry.remove(CHANNEL, A);
              waiting.clear();
            }
            if (kind === 'is added' && !isWatched) await bot.watch(A, CHANNEL, { style: 'each' });
            if (kind === 'restart') await delayed.restart();
          }
          bot.list(A, items);
          await bot.idle();
          await bot.poll(A);
          if (bot.registry.get(CHANNEL, A) !== undefined)
            for (const { txHash, time } of items)
              if (time === bot.nowSeconds) waiting.set(txHash, now);
          await delayed.deliver();
          for (const [txHash, boughtAt] of waiting)
            if (boughtAt + DELAY_TICKS === now) {
              expected.push(txHash);
              waiting.delete(txHash);
            }
        }
        const hashes = shown
          .flatMap(({ alerts }) => alerts)
          .flatMap(({ event }) => (event.kind === 'activity' ? event.item.txHash : []));
        expect(hashes.toSorted()).toEqual(expected.toSorted());
        expect([...bot.disk.keys()].filter((key) => key.startsWith('later:'))).toEqual([]);
        told += hashes.length;
      }),
      randomRuns(400, 25),
    );
    expect(told).toBeGreaterThan(0);
  });
});
