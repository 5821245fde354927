import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRetryBudget } from '../../src/delivery/refused/retry-budget.ts';
import { testMachine } from '../support/machine.ts';
import { mostInWindow, tryRefusedChannels } from '../support/refused-channels.ts';
import { randomRuns } from '../support/thorough.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 10 * MINUTE_MS;
const TRIES = 500;

/** Tries of channels `PAYER/…` on a clock that the test moves. */
function openRetryBudget(share = 1) {
  const time = createVirtualTime();
  const retryBudget = createRetryBudget(testMachine({ monotonicMs: time.now, sleep: time.sleep }), {
    share,
    accountIn(channelId) {
      const [payer = ''] = channelId.split('/');
      return { payer, owner: payer, weight: 1 };
    },
  });
  return { time, retryBudget };
}

describe('tries of channels that Discord last refused', () => {
  it('are half of what a process may have in its first ten minutes, and come again one by one', async () => {
    const { time, retryBudget } = openRetryBudget(0.1);
    const granted = Array.from({ length: 40 }, () => retryBudget.tryNow());
    expect(granted.filter((one) => one !== null)).toHaveLength(25);
    await time.pass(MINUTE_MS);
    for (const one of granted) one?.spend();
    await time.pass(9 * MINUTE_MS);
    expect(
      Array.from({ length: 40 }, () => retryBudget.tryNow()).filter((one) => one !== null),
      'the start no longer counts, those that were spent a minute later do',
    ).toHaveLength(25);
    await time.pass(MINUTE_MS);
    expect(retryBudget.tryNow()).not.toBeNull();
  });

  it('that nobody has used are others’', async () => {
    const { retryBudget } = openRetryBudget(0.004);
    const one = retryBudget.tryNow();
    expect(retryBudget.tryNow()).toBeNull();
    const other = retryBudget.waitForTry('a/1', new AbortController().signal);
    one?.release();
    expect(await other).not.toBeNull();
    one?.release();
    expect(retryBudget.tryNow(), 'given back once').toBeNull();
  });

  it('are at most 500 in any ten minutes, whoever waits, gives up or gives back, and payers take turns', async () => {
    const asks = fc.array(
      fc.record({
        payer: fc.constantFrom('a', 'a', 'a', 'b'),
        many: fc.integer({ min: 1, max: 400 }),
        afterMs: fc.integer({ min: 0, max: 4 * MINUTE_MS }),
        becomes: fc.constantFrom('spent', 'spent', 'released', 'givenUp'),
      }),
      { minLength: 4, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(asks, async (all) => {
        const { time, retryBudget } = openRetryBudget();
        const spentMs: number[] = [];
        const ends: AbortController[] = [];
        for (const { payer, many, afterMs, becomes } of all) {
          for (let n = 0; n < many; n += 1) {
            const ending = new AbortController();
            if (becomes === 'givenUp') ends.push(ending);
            void retryBudget.waitForTry(`${payer}/${n}`, ending.signal).then((granted) => {
              if (becomes === 'released') return granted?.release();
              if (granted === null) return;
              granted.spend();
              spentMs.push(time.now());
            });
          }
          await time.pass(afterMs);
          for (const ending of ends.splice(0)) ending.abort();
        }
        await time.pass(2 * 60 * MINUTE_MS);
        expect(retryBudget.waiting, 'nobody waits for ever').toBe(0);
        expect(mostInWindow(spentMs)).toBeLessThanOrEqual(TRIES);
      }),
      randomRuns(40),
    );
  });

  it('go to payers in turn: one with a thousand channels keeps nobody waiting for long', async () => {
    const { time, retryBudget } = openRetryBudget();
    const order: string[] = [];
    const ask = (channelId: string) =>
      retryBudget.waitForTry(channelId, new AbortController().signal).then((granted) => {
        granted?.spend();
        order.push(channelId);
      });
    for (let n = 0; n < 1_000; n += 1) void ask(`flood/${n}`);
    await time.pass(WINDOW_MS);
    const before = order.length;
    void ask('honest/1');
    await time.pass(WINDOW_MS);
    expect(order.indexOf('honest/1') - before).toBeLessThanOrEqual(1);
  });
});

describe('a worker with thousands of refused channels that all have something to send', () => {
  it('is refused at most 500 times in any ten minutes, and comes to each of them', async () => {
    const { refusedMs, tried, left } = await tryRefusedChannels({ channels: 1_200, minutes: 40 });
    expect(refusedMs.length).toBeGreaterThan(3 * TRIES);
    expect(mostInWindow(refusedMs)).toBeLessThanOrEqual(TRIES);
    expect(tried).toBe(1_200);
    expect(left, 'nothing waits after the end').toBe(0);
  });
});
