import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptsGzip, httpDateMs, retryAfterMs } from '../../src/lib/http-headers.ts';
import { randomRuns } from '../support/thorough.ts';

const runs = randomRuns(1000);
const LAST_SECONDS = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
/** Epoch ms of a whole second that a date of HTTP can name. */
const times = fc.integer({ min: 0, max: LAST_SECONDS }).map((seconds) => seconds * 1000);

/** What `Date.parse` takes, and RFC 9110 does not have. */
const otherDates: readonly ((at: Date) => string)[] = [
  (at) => at.toISOString(),
  (at) => at.toString(),
  (at) => at.toUTCString().replace('GMT', 'UTC'),
  (at) => at.toUTCString().replace('GMT', '+0000'),
  (at) => at.toUTCString().slice('Thu, '.length),
  (at) => at.toUTCString().toLowerCase(),
  (at) => `${at.toUTCString()} (at noon)`,
  (at) => `${at.getUTCFullYear()}`.padStart(4, '0').concat('-01-01'),
];

describe('a time to be left alone', () => {
  it('is read as seconds, or as a date from now on, whichever the server sends', () => {
    fc.assert(
      fc.property(times, times, fc.nat(1e9), (atMs, nowMs, seconds) => {
        const date = new Date(atMs).toUTCString();
        expect(httpDateMs(date)).toBe(atMs);
        expect(retryAfterMs(date, nowMs)).toBe(atMs < nowMs ? null : atMs - nowMs);
        expect(retryAfterMs(date, null)).toBeNull();
        for (const now of [nowMs, null])
          expect(retryAfterMs(`${seconds}`, now)).toBe(seconds * 1000);
        expect(retryAfterMs([` ${seconds} `], nowMs)).toBe(seconds * 1000);
        const twice = [date, `${seconds}`];
        expect(retryAfterMs(twice, nowMs), 'two values say nothing').toBeNull();
      }),
      runs,
    );
  });

  it('is not read from another date, however Date.parse takes it', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...otherDates), (atMs, write) => {
        const text = write(new Date(atMs));
        expect(httpDateMs(text), text).toBeNull();
        expect(retryAfterMs(text, 0), text).toBeNull();
      }),
      runs,
    );
    for (const text of ['Sun, 31 Feb 2027 00:00:00 GMT', 'Mon, 01 Jan 2027 00:00:00 GMT'])
      expect(httpDateMs(text), text).toBeNull();
  });

  it('is not read from anything else', () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom('', '-1', '+1', '1e3', '0x10', '1,5', '.5', '5.', 'soon', 'Infinity'),
    );
    fc.assert(
      fc.property(words, (text) => {
        fc.pre(!/^\s*\d+(\.\d+)?\s*$/.test(text));
        expect(retryAfterMs(text, 0), text).toBeNull();
      }),
      runs,
    );
    expect(retryAfterMs(undefined, 0)).toBeNull();
    expect(retryAfterMs('0.25', 0), 'fractions count').toBe(250);
  });
});

describe('a body compressed by gzip', () => {
  it.each(['gzip', 'GZIP', 'x-gzip', 'br, gzip;q=0.5', 'deflate,gzip', 'gzip ; q = 1'])(
    'is accepted by %s',
    (accepted) => expect(acceptsGzip(accepted)).toBe(true),
  );

  const others = ['', 'identity', 'br, deflate', 'gzip;q=0', 'gzip ; q=0.0, br', 'xgzip'];
  it.each([undefined, ...others, 'gzip;q=much'])('is not by %s', (accepted) =>
    expect(acceptsGzip(accepted)).toBe(false),
  );
});
