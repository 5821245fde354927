import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyFailure } from '../../src/delivery/failures.ts';
import type { Reach } from '../../src/delivery/reach.ts';
import { createSuspicions } from '../../src/delivery/refused/suspicions.ts';
import { testMachine } from '../support/machine.ts';

const MINUTE_MS = 60_000;
const [HERE, ELSEWHERE] = ['100000000000000001', '100000000000000002'];
const refusal = (status: number, code: number) =>
  classifyFailure(Object.assign(new Error('x'), { status, code }));
const FORBIDDEN = refusal(403, 50013);

function openSuspicions(reach: Reach['kind'] = 'open') {
  const clock = { ms: 0 };
  const reaches = { kind: reach };
  const suspicions = createSuspicions(testMachine({ monotonicMs: () => clock.ms }), () => ({
    kind: reaches.kind,
    lacks: '',
  }));
  const refused = (channelId = HERE, failure = FORBIDDEN) =>
    suspicions.judge(channelId, failure, false);
  const taken = (channelId = ELSEWHERE) => suspicions.judge(channelId, 'taken', false);
  return { clock, suspicions, reaches, refused, taken };
}

describe('a refusal of a channel that the gateway knows to be writable', () => {
  it('is believed after three between which Discord took a message in another channel', () => {
    const { clock, refused, taken } = openSuspicions();
    const believed = [1, 2, 3].map(() => {
      clock.ms += MINUTE_MS;
      const judged = refused();
      taken();
      return judged?.isConfirmed;
    });
    expect(believed).toEqual([false, false, true]);
  });

  it('is not believed for messages of its own channel, nor without any, before a quarter of an hour has passed', () => {
    for (const isTaken of [false, true]) {
      const { clock, refused, taken } = openSuspicions();
      const judged: unknown[] = [];
      for (let minute = 0; minute <= 15; minute += 1) {
        judged.push(refused()?.isConfirmed);
        if (isTaken) taken(HERE);
        clock.ms += MINUTE_MS;
      }
      expect(judged).toEqual(Array.from({ length: 16 }, (_, minute) => !isTaken && minute === 15));
    }
  });

  it.each<[string, Reach['kind'], number, number, boolean]>([
    ['any 403', 'open', 403, 60_000, true],
    ['no access', 'open', 404, 50001, true],
    ['an unknown channel', 'open', 404, 10003, true],
    ['an unknown server', 'open', 404, 10004, true],
    [
      'an unknown channel that the gateway does not know either: it may be an archived thread',
      'missing',
      404,
      10003,
      true,
    ],
    ['a 403 of a channel that the gateway does not know', 'missing', 403, 50001, false],
    ['a 403 where nothing is known', 'unknown', 403, 50001, false],
    ['a 403 where the gateway says by now that it is closed', 'closed', 403, 50013, false],
    ['a message without embeds', 'open', 400, 50006, false],
    ['a locked thread', 'open', 400, 160005, false],
  ])('is doubted or not: %s', (_what, kind, status, code, isSuspected) => {
    const { refused } = openSuspicions(kind);
    expect(refused(HERE, refusal(status, code)) !== null).toBe(isSuspected);
  });

  it('is an outage where all of five tries within a minute were refused, or more than 200, and each counts for one outage', () => {
    const five = openSuspicions();
    expect([1, 2, 3, 4, 5, 6].map((n) => five.refused(`${n}`)?.isOutage)).toEqual([
      ...Array(4).fill(false),
      true,
      false,
    ]);
    const late = openSuspicions();
    const apart = [1, 2, 3, 4, 5].map((n) => {
      late.clock.ms += 15_000;
      return late.refused(`${n}`)?.isOutage;
    });
    expect(apart).not.toContain(true);
    const busy = openSuspicions();
    const many = Array.from({ length: 201 }, (_, n) => {
      busy.taken();
      return busy.refused(`${n}`)?.isOutage;
    });
    expect(many.indexOf(true)).toBe(200);
  });

  it('counts for nothing once the gateway says it, too', () => {
    const { suspicions, reaches, refused } = openSuspicions();
    for (const channelId of ['1', '2', '3', '4']) refused(channelId);
    reaches.kind = 'closed';
    for (const channelId of ['1', '2', '3', '4']) suspicions.review(channelId);
    reaches.kind = 'open';
    expect(['5', '6', '7', '8', '9'].map((channelId) => refused(channelId)?.isOutage)).toEqual([
      ...Array(4).fill(false),
      true,
    ]);
  });

  it('never closes a channel by fewer than three within a quarter of an hour, and nothing for all while Discord takes messages', () => {
    const step = fc.record({
      channel: fc.nat(5),
      isTaken: fc.boolean(),
      afterMs: fc.nat(2 * MINUTE_MS),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { clock, refused, taken } = openSuspicions();
        const since = new Map<string, { atMs: number; lastMs: number; count: number }>();
        let lastTakenMs = Number.NEGATIVE_INFINITY;
        for (const { channel, isTaken, afterMs } of steps) {
          clock.ms += afterMs;
          const channelId = `${channel}`;
          if (isTaken) {
            taken(channelId);
            since.delete(channelId);
            lastTakenMs = clock.ms;
            continue;
          }
          const known = since.get(channelId);
          const isGoingOn = known !== undefined && clock.ms - known.lastMs <= 15 * MINUTE_MS;
          const { atMs, count } = isGoingOn ? known : { atMs: clock.ms, count: 0 };
          since.set(channelId, { atMs, lastMs: clock.ms, count: count + 1 });
          const judged = refused(channelId);
          if (judged?.isConfirmed === true) {
            expect(count + 1 >= 3 || clock.ms - atMs >= 15 * MINUTE_MS).toBe(true);
            since.delete(channelId);
          } else expect(clock.ms - atMs).toBeLessThan(15 * MINUTE_MS);
          if (clock.ms - lastTakenMs < MINUTE_MS) expect(judged?.isOutage).toBe(false);
        }
      }),
    );
  });
});
