import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import {
  AWAY_AFTER_MS,
  BACK_AFTER_MS,
  CONTINUES_MS,
  nextEndpointOutage,
  nextLateOutage,
  nextOutage,
  type Outage,
} from '../../src/notices/outage.ts';
import { VenueError } from '../../src/venue/errors.ts';
import { testMachine } from '../support/machine.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A } from '../support/wallets.ts';

const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const [TRADES, TRANSFERS] = ['activity', 'deposits-withdrawals'] as const;

const call = { endpoint: 'activity', wallet: WALLET_A } as const;
const failure = (kind: VenueError['kind']) =>
  new VenueError(kind, 'no', { call, cause: new Error('no') });
/** What an endpoint answers, by the letters of a pattern; else a page. */
const FAILURES: Readonly<Record<string, VenueError>> = {
  d: failure('unreachable'),
  k: failure('unauthorized'),
  p: failure('notInPlan'),
};

/**
 * What becomes of it, a look every half minute.
 *
 * @param pattern of the first endpoint: u is up, d is down, k refuses the key (401), p is a plan
 *   without it (403), l is up and lists late; the other one is up
 */
function live(pattern: string, other = '', next = nextOutage) {
  let nowMs = START_MS;
  const availability = createVenueAvailability(testMachine({ nowMs: () => nowMs }), () => {});
  const states: (Outage | null)[] = [null];
  for (let place = 0; place < pattern.length * 2; place += 1) {
    nowMs = START_MS + (place * MINUTE_MS) / 2;
    const at = Math.floor(place / 2);
    for (const [name, letter] of [
      [TRADES, pattern[at]],
      [TRANSFERS, other[at]],
    ] as const) {
      const failed = FAILURES[letter ?? 'u'];
      if (failed === undefined) {
        availability.listed(name, letter === 'l' ? 300 : 60);
        availability.succeeded(name);
      } else availability.failed(name, failed);
    }
    const before = states.at(-1) ?? null;
    const after = next(before, availability, nowMs);
    if (after !== before) states.push(after);
  }
  return states.slice(1);
}

/** Expects at most two changes in six minutes. */
function expectCalm(states: readonly Outage[]): void {
  for (const [index, state] of states.entries()) {
    const laterMs = states[index + 2]?.changedAtMs ?? Number.POSITIVE_INFINITY;
    expect(laterMs - state.changedAtMs).toBeGreaterThanOrEqual(6 * MINUTE_MS);
  }
}

const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

describe('an outage of the venue', () => {
  it('begins after five minutes, and is over when the endpoint has answered for a minute', () => {
    expect(live('uudddduuuuuu')).toEqual([]);
    const [begun, ended, ...more] = live(`uu${'d'.repeat(8)}${'u'.repeat(10)}`);
    const since = { endpoints: [TRADES], cause: 'unreachable', sinceMs: at(2) };
    expect(begun).toEqual({ ...since, untilMs: null, changedAtMs: at(2) + AWAY_AFTER_MS });
    expect(ended).toEqual({ ...begun, untilMs: at(10), changedAtMs: at(10) + BACK_AFTER_MS });
    expect(more).toEqual([]);
  });

  it('names both endpoints if both were away, and lasts until both are back', () => {
    const states = live(`${'d'.repeat(9)}${'u'.repeat(8)}`, `uu${'d'.repeat(11)}uuuu`);
    expect(states.map((state) => [state?.endpoints, state?.untilMs])).toEqual([
      [[TRADES], null],
      [[TRADES, TRANSFERS], null],
      [[TRADES, TRANSFERS], at(13)],
    ]);
  });

  it.each([
    ['401', 'k'],
    ['403 at both endpoints', 'p'],
  ])('is a refused key too, by %s, from when the last endpoint was refused', (_, letter) => {
    const refused = letter.repeat(8);
    const [begun, ended, ...more] = live(`uu${refused}uuuuu`, `uu${refused}uuuuu`);
    expect(begun).toEqual({
      endpoints: [TRADES, TRANSFERS],
      cause: 'key',
      sinceMs: at(2),
      untilMs: null,
      changedAtMs: at(2) + AWAY_AFTER_MS,
    });
    expect(ended).toMatchObject({ cause: 'key', untilMs: at(10) });
    expect(more).toEqual([]);
    const fromFirst = letter.repeat(12);
    expect(live(fromFirst, fromFirst)).toMatchObject([{ cause: 'key', sinceMs: at(0) }]);
    for (const pattern of [`uu${refused}uuuuu`, fromFirst]) {
      expect(live(pattern, pattern, nextEndpointOutage), 'said twice').toEqual([]);
    }
  });

  it('is none where the plan never had an endpoint, whatever becomes of the other one', () => {
    const plan = 'p'.repeat(40);
    for (const next of [nextOutage, nextEndpointOutage]) {
      expect(live('u'.repeat(40), plan, next)).toEqual([]);
    }
    expect(live(`uu${'d'.repeat(8)}uuuuu`, plan)).toMatchObject([
      { endpoints: [TRADES], cause: 'unreachable', untilMs: null },
      { endpoints: [TRADES], untilMs: at(10) },
    ]);
    for (const letter of 'kp') {
      expect(live(`uu${letter.repeat(8)}uuuuu`, plan)).toMatchObject([
        { cause: 'key', sinceMs: at(2), untilMs: null },
        { endpoints: [TRADES], untilMs: at(10) },
      ]);
    }
  });

  it('is that of an endpoint alone which answered before it was refused, and hides none of the venue', () => {
    const refused = `uu${'p'.repeat(30)}uuuuu`;
    const trades = `${'u'.repeat(12)}${'d'.repeat(8)}${'u'.repeat(17)}`;
    expect(live(trades, refused, nextEndpointOutage)).toMatchObject([
      { endpoints: [TRANSFERS], cause: 'endpoint', sinceMs: at(2), untilMs: null },
      { endpoints: [TRANSFERS], cause: 'endpoint', sinceMs: at(2), untilMs: at(32) },
    ]);
    expect(live(trades, refused)).toMatchObject([
      { endpoints: [TRADES], cause: 'unreachable', sinceMs: at(12), untilMs: null },
      { endpoints: [TRADES], untilMs: at(20) },
    ]);
  });

  it('ends where the key is accepted with a smaller plan, and says since when the rest is missing', () => {
    const trades = `uu${'k'.repeat(8)}${'u'.repeat(9)}`;
    const transfers = `uu${'k'.repeat(8)}${'p'.repeat(9)}`;
    expect(live(trades, transfers)).toMatchObject([
      { endpoints: [TRADES, TRANSFERS], cause: 'key', untilMs: null },
      { endpoints: [TRADES], cause: 'key', untilMs: at(10) },
    ]);
    expect(live(trades, transfers, nextEndpointOutage)).toMatchObject([
      { endpoints: [TRANSFERS], cause: 'endpoint', sinceMs: at(10), untilMs: null },
    ]);
  });

  it('says of a key since when there have been no alerts, whatever was away before', () => {
    const [trades, transfers] = ['u'.repeat(10) + 'k'.repeat(9), 'd'.repeat(10) + 'k'.repeat(9)];
    expect(live(trades, transfers)).toMatchObject([
      { endpoints: [TRANSFERS], cause: 'unreachable', sinceMs: at(0) },
      { endpoints: [TRADES, TRANSFERS], cause: 'key', sinceMs: at(10) },
    ]);
    const both = `${'d'.repeat(10)}${'k'.repeat(9)}`;
    expect(live(both, both)).toMatchObject([
      { cause: 'unreachable', sinceMs: at(0) },
      { cause: 'key', sinceMs: at(0) },
    ]);
  });

  it('of a refused key, once it is over, is no part of a time in which the venue does not answer', () => {
    const states = live(`${'k'.repeat(8)}uuuu${'d'.repeat(8)}uuuu`, 'k'.repeat(8));
    expect(states).toMatchObject([
      { cause: 'key', untilMs: null },
      { cause: 'key', sinceMs: at(0), untilMs: at(8) },
      { cause: 'unreachable', endpoints: [TRADES], sinceMs: at(12), untilMs: null },
      { cause: 'unreachable', endpoints: [TRADES], sinceMs: at(12), untilMs: at(20) },
    ]);
  });

  it('is also a venue that lists late, and goes on over a time in which it does not answer at all', () => {
    const late = `uu${'l'.repeat(8)}uuuuu`;
    expect(live(late)).toEqual([]);
    expect(live(late, '', nextEndpointOutage)).toEqual([]);
    expect(live(`uu${'l'.repeat(4)}uuuuu`, '', nextLateOutage)).toEqual([]);
    expect(live(late, late, nextLateOutage)).toMatchObject([
      { endpoints: [TRADES, TRANSFERS], cause: 'late', sinceMs: at(2), untilMs: null },
      { endpoints: [TRADES, TRANSFERS], cause: 'late', sinceMs: at(2), untilMs: at(10) },
    ]);
    const away = `uu${'l'.repeat(8)}${'d'.repeat(8)}lluuuu`;
    expect(live(away, '', nextLateOutage)).toMatchObject([
      { endpoints: [TRADES], cause: 'late', sinceMs: at(2), untilMs: null },
      { endpoints: [TRADES], cause: 'late', sinceMs: at(2), untilMs: at(20) },
    ]);
    expect(live(away)).toMatchObject([
      { cause: 'unreachable', sinceMs: at(10), untilMs: null },
      { cause: 'unreachable', sinceMs: at(10), untilMs: at(18) },
    ]);
    // It is not waited for once the plan is without it.
    expect(live(`${'l'.repeat(8)}pppp`, '', nextLateOutage).at(-1)).toBeNull();
  });

  it('changes at most twice in six minutes however the venue answers', () => {
    const runs = fc
      .array(fc.tuple(fc.constantFrom(...'udkpl'), fc.integer({ min: 1, max: 12 })), {
        maxLength: 20,
      })
      .map((parts) => parts.map(([letter, minutes]) => letter.repeat(minutes)).join(''));
    fc.assert(
      fc.property(
        runs,
        fc.constantFrom('same', 'never in the plan', 'up'),
        fc.constantFrom(nextOutage, nextEndpointOutage, nextLateOutage),
        (one, kind, next) => {
          const other = kind === 'same' ? one : (kind === 'up' ? 'u' : 'p').repeat(one.length);
          const states = live(one, other, next).filter((state) => state !== null);
          expectCalm(states);
        },
      ),
      randomRuns(1_000),
    );
  });

  it('goes on where the venue comes and goes, and is another one later', () => {
    const again = (upMinutes: number) =>
      live(`${'d'.repeat(6)}${'u'.repeat(upMinutes)}${'d'.repeat(6)}uuuu`);
    const continued = again(10);
    expect(new Set(continued.map((state) => state?.sinceMs))).toEqual(new Set([at(0)]));
    expect(continued.map((state) => state?.untilMs ?? null)).toEqual([null, at(6), null, at(22)]);
    const another = again(CONTINUES_MS / MINUTE_MS);
    expect(another.map((state) => state?.sinceMs)).toEqual([at(0), at(0), at(21), at(21)]);
  });

  it('is forgotten when nothing can continue it any more', () => {
    expect(live(`${'d'.repeat(6)}${'u'.repeat(30)}`).at(-1)).toBeNull();
  });

  it('goes on over a restart, after which nobody knows yet how the venue stands', () => {
    const open: Outage = {
      cause: 'unreachable',
      endpoints: [TRADES],
      sinceMs: at(0),
      untilMs: null,
      changedAtMs: at(5),
    };
    const availability = createVenueAvailability(testMachine({ nowMs: () => at(61) }), () => {});
    expect(nextOutage(open, availability, at(60))).toBe(open);
    for (const name of [TRADES, TRANSFERS]) availability.succeeded(name);
    expect(nextOutage(open, availability, at(61))).toBe(open);
    expect(nextOutage(open, availability, at(62))).toMatchObject({
      sinceMs: at(0),
      untilMs: at(61),
    });
  });

  it('changes at most twice in six minutes however the venue comes and goes, and begins at most once in twenty', () => {
    const pattern = fc.string({ unit: fc.constantFrom('u', 'd'), minLength: 1, maxLength: 240 });
    const long = fc
      .array(fc.tuple(fc.constantFrom('u', 'd'), fc.integer({ min: 1, max: 30 })), {
        maxLength: 20,
      })
      .map((runs) => runs.map(([letter, minutes]) => letter.repeat(minutes)).join(''));
    fc.assert(
      fc.property(fc.oneof(pattern, long), (first) => {
        const states = live(first).filter((state) => state !== null);
        expectCalm(states);
        const begun = [...new Set(states.map(({ sinceMs }) => sinceMs))];
        for (const [index, sinceMs] of begun.entries()) {
          const next = begun[index + 1];
          if (next !== undefined) expect(next - sinceMs).toBeGreaterThanOrEqual(20 * MINUTE_MS);
        }
      }),
      randomRuns(1_000),
    );
  });
});
