import { describe, expect, it } from 'vitest';
import { createTurns, type Waiter } from '../../../src/lib/fair-shares/turns.ts';
import type { Requester } from '../../../src/venue/rate-limit/priority-share.ts';
import { RateWindow } from '../../../src/venue/rate-limit/window.ts';
import { accountOf } from '../../support/accounts.ts';

const WALL_MS = 1_800_000_000_000;
const POLLER: Requester = { priority: 'poller' };
const personOf = (owner: string): Requester => ({ priority: 'person', account: accountOf(owner) });
const NOBODY = { pollers: 0, background: 0, persons: createTurns<Waiter>() };

/**
 * A window that is not known yet, at 0 ms of a local clock that is so much behind the venue's,
 * which sends no Date.
 */
function openWindow(share = 1) {
  const clocks = { random: () => 0.5, wallOffsetMs: () => WALL_MS, nowMs: 0 };
  const window = new RateWindow({ share, ...clocks });
  /** @param resetMs by the local clock */
  const saying = (remaining: number, resetMs: number, limit = 100) => ({
    status: 200,
    headers: {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(WALL_MS + resetMs),
    },
  });
  return {
    window,
    saying,
    /** A request that is answered at once. */
    learn: (nowMs: number, remaining: number, resetMs: number, limit?: number) =>
      window.completed(window.sent(POLLER, nowMs), saying(remaining, resetMs, limit), nowMs),
    mayPoll: (nowMs: number) => window.next(nowMs, { ...NOBODY, pollers: 1 }) !== null,
    mayLookUp(nowMs: number, owner: string) {
      const persons = createTurns<Waiter>();
      persons.add({ account: accountOf(owner), lane: '' });
      return window.next(nowMs, { ...NOBODY, persons }) !== null;
    },
  };
}

describe('a window', () => {
  it('is the same within 1.1 s of its reset, or 0.4 s where windows are shorter than three seconds', () => {
    for (const [lengthMs, toleranceMs] of [
      [10_000, 1_100],
      [3_000, 1_100],
      [2_999, 400],
      [1_500, 400],
    ] as const) {
      for (const sign of [1, -1]) {
        const same = openWindow();
        same.learn(0, 5, lengthMs);
        same.learn(1, 8, lengthMs + sign * toleranceMs);
        const first = { remaining: 5, resetAtMs: lengthMs };
        expect(same.window.view(1), `${lengthMs} ± ${toleranceMs}`).toMatchObject(first);
      }
      const next = openWindow();
      next.learn(0, 5, lengthMs);
      const resetAtMs = lengthMs + toleranceMs + 1;
      next.learn(1, 8, resetAtMs);
      expect(next.window.view(1)).toMatchObject({ remaining: 8, resetAtMs });
    }
  });

  it('is a new one where the limit is another', () => {
    const { window, learn } = openWindow();
    learn(0, 5, 10_000);
    learn(1, 8, 10_000, 50);
    expect(window.view(1)).toMatchObject({ remaining: 8, limit: 50 });
  });

  it('is as long as the longest of the last six, and a second at least', () => {
    const { window, learn } = openWindow();
    learn(0, 5, 60_000);
    let nowMs = 60_000;
    for (let count = 1; count <= 6; count += 1) {
      expect(window.view(nowMs).windowMs, `after ${count - 1}`).toBe(60_000);
      learn(nowMs, 5, nowMs + 10_000);
      nowMs += 10_000;
    }
    expect(window.view(nowMs - 1).windowMs).toBe(10_000);
    const short = openWindow();
    short.learn(0, 5, 500);
    expect(short.window.view(0).windowMs).toBe(1_000);
    expect(openWindow().window.view(0).windowMs).toBeNull();
  });

  it('ends a second later than the venue says once the venue was seen to begin windows late', () => {
    const { window, learn } = openWindow();
    learn(0, 5, 10_000);
    learn(10_000, 4, 10_000);
    learn(11_000, 99, 20_000);
    expect(window.view(11_000)).toMatchObject({ remaining: 99, resetAtMs: 21_000 });
    const punctual = openWindow();
    punctual.learn(0, 5, 10_000);
    punctual.learn(9_999, 4, 10_000);
    punctual.learn(10_000, 99, 20_000);
    expect(punctual.window.view(10_000)).toMatchObject({ resetAtMs: 20_000 });
  });

  it('ends when the venue says again once no window has begun late for ten minutes', () => {
    const { window, learn } = openWindow();
    learn(0, 5, 10_000);
    // As a Date that is wrong for a moment makes it look.
    learn(10_000, 4, 10_000);
    learn(600_000, 99, 610_000);
    expect(window.view(600_000)).toMatchObject({ resetAtMs: 611_000 });
    learn(620_000, 99, 630_000);
    expect(window.view(620_000)).toMatchObject({ resetAtMs: 630_000 });
  });

  it('counts what overtook the response that opens it, and what no response came to', () => {
    const { window, saying, learn } = openWindow();
    const [slow, lost] = [window.sent(POLLER, 0), window.sent(POLLER, 0)];
    window.completed(lost, null, 5);
    window.completed(slow, saying(50, 10_000), 10);
    expect(window.view(10)).toMatchObject({ remaining: 49, inFlight: 0 });
    window.completed(window.sent(POLLER, 20), null, 30);
    expect(window.view(30).remaining).toBe(48);
    learn(40, 90, 10_000);
    expect(window.view(40).remaining).toBe(48);
  });

  it('says nothing of itself by a response that was counted in an older one', () => {
    const { window, saying, learn } = openWindow();
    learn(0, 50, 10_000);
    const late = window.sent(POLLER, 9_000);
    learn(10_000, 99, 20_000);
    window.completed(late, saying(1, 10_000), 10_001);
    expect(window.view(10_001)).toMatchObject({ remaining: 99, resetAtMs: 20_000 });
  });

  it('is spent down to the reserve, requests in flight included, and closed until its end then', () => {
    const { window, learn, mayPoll } = openWindow(0.9);
    learn(0, 12, 10_000);
    expect(window.view(0)).toMatchObject({ allowance: 90, remaining: 12 });
    window.sent(POLLER, 1);
    expect(mayPoll(1)).toBe(true);
    window.sent(POLLER, 1);
    expect(mayPoll(1)).toBe(false);
    expect(window.closedUntilMs()).toBeNull();
    const { window: spent, learn: spend, mayPoll: maySpend } = openWindow(0.9);
    spend(0, 11, 10_000);
    expect([maySpend(0), spent.closedUntilMs()]).toEqual([true, null]);
    spend(1, 10, 10_000);
    expect(maySpend(1)).toBe(false);
    expect([spent.closedUntilMs(), spent.nextChangeAtMs()]).toEqual([10_000, 10_000]);
    expect([maySpend(9_999), maySpend(10_000)]).toEqual([false, true]);
  });

  it('gives back to what the bot asks by itself what was counted in an older one', () => {
    const { window, saying, learn } = openWindow();
    const mayAsk = (nowMs: number) => window.next(nowMs, { ...NOBODY, background: 1 }) !== null;
    const background: Requester = { priority: 'background' };
    learn(0, 10, 10_000, 10);
    expect(mayAsk(1)).toBe(true);
    const older = window.sent(background, 9_000);
    learn(10_000, 9, 20_000, 10);
    expect(mayAsk(10_000)).toBe(false);
    window.completed(older, saying(1, 10_000, 10), 10_001);
    expect(mayAsk(10_001)).toBe(true);
  });

  it('that is used up is a pause if it stays closed for more than two minutes, or twice the distance of requests', () => {
    const pauseOf = (lengthMs: number, limit: number) => {
      const { window, learn } = openWindow();
      learn(0, 1, lengthMs, limit);
      expect(window.view(0).pause).toBeNull();
      learn(0, 0, lengthMs, limit);
      return window.view(0).pause;
    };
    expect(pauseOf(120_000, 100)).toBeNull();
    expect(pauseOf(120_001, 100)).toEqual({ sinceMs: 0, untilMs: 120_001 });
    expect(pauseOf(400_000, 2)).toBeNull();
    expect(pauseOf(400_000, 3)).toEqual({ sinceMs: 0, untilMs: 400_000 });
  });

  it('lets a server have more of it, the less of its time is left', () => {
    const { window, saying, mayLookUp } = openWindow();
    window.completed(window.sent(personOf('busy'), 0), saying(10, 10_000, 11), 0);
    for (const owner of ['busy', 'busy', 'busy', 'busy', 'other']) {
      const { remaining } = window.view(0);
      window.completed(
        window.sent(personOf(owner), 0),
        saying(Number(remaining) - 1, 10_000, 11),
        0,
      );
    }
    const used = { person: 6, background: 0, poller: 0 };
    expect(window.view(0)).toMatchObject({ remaining: 5, used });
    // It has had five; 5 · rest is to be less than 5 − 1.
    const mayBusy = [0, 2_000, 2_001].map((nowMs) => mayLookUp(nowMs, 'busy'));
    expect(mayBusy).toEqual([false, false, true]);
    expect(mayLookUp(0, 'other')).toBe(true);
  });
});

describe('what is left is not known', () => {
  it('so that one request goes out, and another when the first is answered or lost for three seconds', () => {
    const { window, mayPoll } = openWindow();
    expect(mayPoll(0)).toBe(true);
    const probe = window.sent(POLLER, 0);
    expect([0, 2_999, 3_000].map(mayPoll)).toEqual([false, false, true]);
    expect(window.nextChangeAtMs()).toBe(3_000);
    window.completed(probe, null, 20);
    expect(mayPoll(0)).toBe(false);
    const unanswered = window.sent(POLLER, 10);
    window.completed(unanswered, null, 20);
    expect([mayPoll(1_009), mayPoll(1_010)]).toEqual([false, true]);
    expect(window.view(1_010)).toMatchObject({ remaining: null, resetAtMs: null, inFlight: 0 });
  });

  it('where one of the three figures is missing', () => {
    for (const missing of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      const { window, saying } = openWindow();
      const { status, headers } = saying(50, 10_000);
      const without = { status, headers: { ...headers, [missing]: undefined } };
      window.completed(window.sent(POLLER, 0), without, 5);
      expect(window.view(5), missing).toMatchObject({ remaining: null, allowance: null });
      expect(window.nextChangeAtMs()).toBe(1_000);
    }
  });

  it('after a 429, before the time has come that it names', () => {
    const { window, learn, mayPoll } = openWindow();
    window.completed(window.sent(POLLER, 0), { status: 429, headers: { 'retry-after': '7' } }, 0);
    const untilMs = window.view(0).blockedUntilMs ?? 0;
    expect(untilMs).toBeGreaterThanOrEqual(7_000);
    expect(window.view(0)).toMatchObject({ pause: { sinceMs: 0, untilMs } });
    expect([window.nextChangeAtMs(), window.closedUntilMs()]).toEqual([untilMs, untilMs]);
    expect([window.promise(0, untilMs, 0), window.promise(0, untilMs + 2_000, 0)]).toEqual([0, 2]);
    expect([mayPoll(untilMs - 1), mayPoll(untilMs)]).toEqual([false, true]);
    learn(untilMs, 50, 17_000);
    const open = { blockedUntilMs: null, pause: null, remaining: 50 };
    expect(window.view(untilMs)).toMatchObject(open);
  });

  it('though the venue’s clock is, from its first Date on that is proved to be its own', () => {
    const { window } = openWindow();
    expect([window.venueTime.isKnown(), window.venueTime.offsetMs()]).toEqual([false, WALL_MS]);
    const date = new Date(WALL_MS + 60_000).toUTCString();
    const sent = window.sent(POLLER, 0);
    window.completed(sent, { status: 200, headers: { date } }, 100);
    // Whoever has answered: it does not say what is left.
    expect(window.venueTime.isKnown()).toBe(false);
    window.trust(sent);
    expect(window.venueTime.isKnown()).toBe(true);
    expect(Math.abs(window.venueTime.offsetMs() - WALL_MS - 60_000)).toBeLessThanOrEqual(1_000);
  });
});

describe('what is promised to the poller', () => {
  it('is what is left, evenly over the window, and the even pace of windows after that', () => {
    const { window, learn } = openWindow();
    expect(window.promise(0, 10_000, 0)).toBe(10);
    learn(0, 50, 10_000);
    const promised = [5_000, 10_000, 20_000].map((untilMs) => window.promise(0, untilMs, 0));
    expect(promised).toEqual([25, 50, 150]);
    expect([10, 30].map((waiting) => window.promise(0, 5_000, waiting))).toEqual([15, 0]);
    expect(window.promise(5, 5, 0)).toBe(0);
  });

  it('carries fractions over', () => {
    const { window, learn } = openWindow();
    learn(0, 1, 10_000);
    expect(
      [2_500, 5_000, 7_500, 10_000].map((untilMs) => window.promise(untilMs - 2_500, untilMs, 0)),
    ).toEqual(
      // A quarter, a third, a half and all of the one that is left.
      [0, 0, 1, 1],
    );
  });
});
