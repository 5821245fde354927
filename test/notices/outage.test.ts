import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVenueAvailability } from '../../src/feed/availability.ts';
import {
  AWAY_AFTER_MS,
  BACK_AFTER_MS,
  CONTINUES_MS,
  nextOutage,
  type Outage,
} from '../../src/notices/outage.ts';
import { VenueError } from '../../src/venue/errors.ts';
import { testMachine } from '../support/machine.ts';
import { WALLET_A } from '../support/wallets.ts';

const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const [TRADES, TRANSFERS] = ['activity', 'deposits-withdrawals'] as const;

const call = { endpoint: 'activity', wallet: WALLET_A } as const;
const cut = new VenueError('unreachable', 'no answer', { call, cause: new Error('cut') });

/**
 * What becomes of it, a look every half minute. @param pattern of the first endpoint: u is up, d is
 * down; the other one is up
 */
function live(pattern: string, other = '') {
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
      if (letter === 'd') availability.failed(name, cut);
      else availability.succeeded(name);
    }
    const before = states.at(-1) ?? null;
    const after = nextOutage(before, availability, nowMs);
    if (after !== before) states.push(after);
  }
  return states.slice(1);
}

const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

describe('an outage of the venue', () => {
  it('begins after five minutes, and is over when the endpoint has answered for a minute', () => {
    expect(live('uudddduuuuuu')).toEqual([]);
    const [begun, ended, ...more] = live(`uu${'d'.repeat(8)}${'u'.repeat(10)}`);
    const since = { endpoints: [TRADES], sinceMs: at(2) };
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
    const open: Outage = { endpoints: [TRADES], sinceMs: at(0), untilMs: null, changedAtMs: at(5) };
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
        for (const [index, state] of states.entries()) {
          const later = states[index + 2];
          if (later !== undefined)
            expect(later.changedAtMs - state.changedAtMs).toBeGreaterThanOrEqual(6 * MINUTE_MS);
        }
        const begun = [...new Set(states.map(({ sinceMs }) => sinceMs))];
        for (const [index, sinceMs] of begun.entries()) {
          const next = begun[index + 1];
          if (next !== undefined) expect(next - sinceMs).toBeGreaterThanOrEqual(20 * MINUTE_MS);
        }
      }),
      { numRuns: 500 },
    );
  });
});
