import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressBanned, classifyFailure, TokenRefused } from '../../src/delivery/failures.ts';

/**
 * As discord.js makes them: a page has no code, Discord's general error 0, and a proxy's JSON its
 * own numbers.
 */
const answer = (status: number, code: unknown) =>
  Object.assign(new Error('No Description'), { status, code });
const foreignCode = fc.oneof(
  fc.constant(undefined),
  fc.constant('ENOTFOUND'),
  fc.integer({ min: 0, max: 999 }),
);

describe('what a failed send means', () => {
  it('is nothing final without a code of Discord’s own, whatever the status', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), foreignCode, (status, code) => {
        const { kind } = classifyFailure(answer(status, code));
        expect(kind).toBe(status === 403 ? 'banned' : 'retry');
      }),
    );
  });

  const NO_TOKEN = 'Expected token to be set for this request, but none was present';
  it.each<[string, unknown, object]>([
    ...[undefined, 0, 40001, 50014].map((code): [string, unknown, object] => [
      `no refused token at a 401 that nobody has confirmed (${code})`,
      answer(401, code),
      { kind: 'retry', status: 401 },
    ]),
    ['no refused token where none was sent', new Error(NO_TOKEN), { kind: 'retry' }],
    ['a refused token', new TokenRefused(null), { kind: 'refused' }],
    ['a ban, with its pause', new AddressBanned(429, 9_000), { kind: 'banned', pauseMs: 9_000 }],
    ['a ban of unknown length', answer(403, 40333), { kind: 'banned', pauseMs: null }],
    ['an archived thread’s', { ...answer(400, 50083), method: 'PATCH' }, { kind: 'rejected' }],
    ['a new message’s there', { ...answer(400, 50083), method: 'POST' }, { kind: 'blocked' }],
    ['a channel that is gone', answer(404, 10003), { kind: 'blocked', isGone: true }],
    ['a server that is gone', answer(404, 10004), { kind: 'blocked', isGone: true }],
    ['closed messages', answer(403, 50007), { reason: expect.stringContaining('(50007)') }],
    ['no server', answer(403, 50278), { reason: expect.stringContaining('shared server') }],
  ])('is %s', (_what, error, expected) => {
    expect(classifyFailure(error)).toMatchObject(expected);
  });

  // Discord's table of JSON error codes. The statuses are those it uses, and others: the code alone
  // counts.
  it.each([
    ['blocked', [50001, 50013, 50006, 160002, 40058, 50008, 50024, 160005, 50083, 50007, 50278]],
    ['rejected', [50035, 50109, 40005, 50045, 30015, 200000, 200001, 240000]],
    ['retry', [20028, 20029, 40003, 40062, 130000, 40001, 50014]],
    ['banned', [40333]],
    ['messageGone', [10008]],
  ])('is %s at these codes, whatever the status', (kind, codes) => {
    for (const code of codes) {
      for (const status of [400, 401, 403, 404, 413, 429, 503]) {
        const failure = classifyFailure(answer(status, code));
        expect([code, status, failure.kind]).toEqual([code, status, kind]);
        if (failure.kind === 'blocked') expect(failure.isGone).toBe(false);
      }
    }
  });

  it('is the message’s fault with any other code, the channel’s with 403, and nobody’s where time may help', () => {
    const others = fc.integer({ min: 60_000, max: 90_000 });
    fc.assert(
      fc.property(others, fc.integer({ min: 400, max: 599 }), (code, status) => {
        const { kind } = classifyFailure(answer(status, code));
        if (status >= 500 || [401, 408, 429].includes(status)) expect(kind).toBe('retry');
        else expect(kind).toBe(status === 403 ? 'blocked' : 'rejected');
      }),
    );
    for (const status of [399, 400, 401, 403, 408, 429, 499, 500]) {
      const isLater = [399, 401, 408, 429, 500].includes(status);
      const expected = isLater ? 'retry' : status === 403 ? 'blocked' : 'rejected';
      expect([status, classifyFailure(answer(status, 60_000)).kind]).toEqual([status, expected]);
    }
    // The codes that name a cause begin here.
    expect(classifyFailure(answer(400, 10_000)).kind).toBe('rejected');
    expect(classifyFailure(answer(400, 9_999)).kind).toBe('retry');
  });

  it('is said with what came back, as far as a log line holds it', () => {
    for (const error of [new TypeError('fetch failed'), 'fetch failed', null, undefined, 7, {}]) {
      const message = error instanceof Error ? error.message : String(error);
      expect(classifyFailure(error)).toEqual({
        kind: 'retry',
        reason: message,
        status: 0,
        pauseMs: null,
      });
    }
    expect(classifyFailure({ status: 502, message: 'x'.repeat(600) })).toEqual({
      kind: 'retry',
      reason: `${'x'.repeat(500)} (502)`,
      status: 502,
      pauseMs: null,
    });
  });
});
