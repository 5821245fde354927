import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyFailure } from '../../src/delivery/failures.ts';
import { AddressBanned, TokenRefused } from '../../src/delivery/refusals.ts';

/** As discord.js makes them: a page has no code, Discord's general error 0, and a proxy's JSON its own numbers. */
const answer = (status: number, code: unknown) => Object.assign(new Error('No Description'), { status, code });
const foreignCode = fc.oneof(fc.constant(undefined), fc.constant('ENOTFOUND'), fc.integer({ min: 0, max: 999 }));

describe('what a failed send means', () => {
  it('is nothing final without a code of Discord’s own, whatever the status', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), foreignCode, (status, code) => {
        const { kind } = classifyFailure(answer(status, code));
        expect(kind).toBe(status === 403 ? 'banned' : 'retry');
      }),
    );
  });

  it('is no refused token at a 401 that nobody has confirmed', () => {
    for (const code of [undefined, 0, 40001, 50014]) {
      expect(classifyFailure(answer(401, code))).toMatchObject({ kind: 'retry', status: 401 });
    }
    expect(classifyFailure(new Error('Expected token to be set for this request, but none was present')).kind).toBe(
      'retry',
    );
    expect(classifyFailure(new TokenRefused(null)).kind).toBe('refused');
  });

  it('is a ban when Cloudflare says so, with the pause that it asks for', () => {
    expect(classifyFailure(new AddressBanned(429, 90_000))).toMatchObject({ kind: 'banned', pauseMs: 90_000 });
    expect(classifyFailure(answer(403, 40333))).toMatchObject({ kind: 'banned', pauseMs: null });
  });

  it.each([
    [404, 10003, { kind: 'blocked', gone: true }],
    [403, 50013, { kind: 'blocked', gone: false }],
    [403, 20022, { kind: 'blocked', gone: false }],
    [403, 50007, { kind: 'blocked', gone: false, reason: expect.stringContaining('(50007)') }],
    [403, 50278, { kind: 'blocked', gone: false, reason: expect.stringContaining('shared server') }],
    [403, 40003, { kind: 'retry' }],
    [400, 50035, { kind: 'rejected' }],
    [400, 160007, { kind: 'rejected' }],
    [404, 10008, { kind: 'delivered' }],
    [400, 130000, { kind: 'retry' }],
    [400, 40062, { kind: 'retry' }],
  ])('is what Discord’s code says: %i with %i', (status, code, failure) => {
    expect(classifyFailure(answer(status, code))).toMatchObject(failure);
  });
});
