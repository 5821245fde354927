import { describe, expect, it } from 'vitest';
import { createRivalWatch } from '../../../src/feed/nats/feed-server.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';

/**
 * Two feeds that hear each other once a second.
 *
 * @param beganMs of both, by clocks of their own
 */
function two(beganMs: readonly [number, number]) {
  const clock = { nowMs: 0 };
  const ended: string[] = [];
  const { log, lines } = collectingLog();
  const [first, second] = [
    { feed: 'a', beganMs: beganMs[0] },
    { feed: 'b', beganMs: beganMs[1] },
  ] as const;
  const hears = [first, second].map((own) =>
    createRivalWatch(testMachine({ monotonicMs: () => clock.nowMs, log }), own, () => {
      if (!ended.includes(own.feed)) ended.push(own.feed);
    }),
  );
  const speak = (seconds: number, ...who: readonly (typeof first | typeof second)[]) => {
    for (
      const untilMs = clock.nowMs + seconds * 1_000;
      clock.nowMs < untilMs;
      clock.nowMs += 1_000
    ) {
      for (const said of who) for (const hear of hears) hear(said);
    }
  };
  return { clock, ended, lines, first, second, speak };
}

describe('two feeds on one NATS', () => {
  it.each([
    ['that began first', [1, 2], 'b'],
    ['that began first, whichever it is', [2, 1], 'a'],
    ['of the two that began at once', [1, 1], 'b'],
  ] as const)('end the later one and leave the one %s', (_, beganMs, later) => {
    const { ended, lines, first, second, speak } = two(beganMs);
    speak(10, first, second);
    expect(ended).toEqual([]);
    speak(60, first, second);
    expect(ended).toEqual([later]);
    expect(lines.map(({ event }) => event)).toEqual(['feed.other_heard', 'feed.other_heard']);
  });

  it('go on where the earlier one was only stopped, and falls silent as it finds its store lost', () => {
    const { clock, ended, first, second, speak } = two([1, 2]);
    for (let times = 0; times < 20; times += 1) {
      speak(4, first, second);
      speak(10, second);
      clock.nowMs += 60_000;
    }
    expect(ended).toEqual([]);
  });
});
