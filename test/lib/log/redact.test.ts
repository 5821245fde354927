import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRedactor,
  credentialPattern,
  scrubCredentials,
} from '../../../src/lib/log/redact.ts';
import { slowParts } from '../../support/patterns.ts';
import { randomRuns } from '../../support/thorough.ts';

/** None that is a common word or a number. */
const printable = fc
  .stringMatching(/^[\x21-\x7e]{8,60}$/)
  .filter((text) => /[a-z]\d|\d[a-z]/i.test(text));
/**
 * Words that stand in names of metrics, log lines and alerts, and numbers that stand in ids and
 * times.
 */
const COMMON = 'heartbeat walletbell Discord lastPoll alert.sent none p 30 1764 demo x1';

describe('the redactor', () => {
  it('finds a secret within base64, whatever stands around it', () => {
    fc.assert(
      fc.property(printable, fc.string(), fc.string(), (secret, before, after) => {
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(`${before}${secret}${after}`).toString(encoding);
          const shown = createRedactor([secret])(text);
          expect(shown).toContain('[redacted]');
          const rest = Buffer.from(shown.replaceAll('[redacted]', ''), encoding).toString();
          expect(rest).not.toContain(secret);
        }
      }),
    );
  });

  it('finds it URL-encoded in either case, and in JSON within JSON', () => {
    fc.assert(
      fc.property(printable, (secret) => {
        const encoded = encodeURIComponent(secret);
        const nested = JSON.stringify({ body: JSON.stringify({ key: secret }) });
        const redact = createRedactor([secret]);
        expect(redact(encoded)).toBe('[redacted]');
        expect(redact(encoded.replace(/%../g, (hex) => hex.toLowerCase()))).toBe('[redacted]');
        const struck = JSON.stringify({ body: JSON.stringify({ key: '[redacted]' }) });
        expect(redact(nested)).toBe(struck);
      }),
    );
  });

  it.each(COMMON.split(' '))(
    'leaves the word "%s" alone, and strikes it out where it is a password, a token or a key',
    (word) => {
      const redact = createRedactor([word]);
      for (const text of [
        `walletbell_${word}s_total{outcome="${word}"} 30`,
        `{"level":30,"time":1764000000000,"event":"heartbeat.failed","path":"/${word}/x","user":"${word}"}`,
        `Will ${word} win? bought 1,764 at 30 by 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed`,
        `password authentication failed for user "${word}"`,
        `https://uptime.example/api/v1/${word}`,
      ]) {
        expect(redact(text)).toBe(text);
      }
      for (const text of [
        `postgres://bell:${word}@db.example/bell`,
        `redis://:${word}@db.example`,
        `{"authorization":"Bearer ${word}"}`,
        `said {\\"password\\":\\"${word}\\"}`,
        `?password=${word}&x=1`,
        `"api_key": "${word}"`,
        `sent Bearer ${word}.`,
        `Bot ${word}`,
        `the password "${word}" is wrong`,
      ]) {
        expect(redact(text), text).toContain('[redacted]');
        expect(redact(text), text).not.toMatch(new RegExp(`(?<![\\w])${word}(?![\\w])`));
      }
    },
  );

  it('takes time in proportion to the text', () => {
    expect(slowParts(credentialPattern(['walletbell', 'change-me', '12345']))).toEqual([]);
  });
});

describe('what has the form of a credential', () => {
  it.each([
    ['https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb24.x-y_z/messages/@original', 'aW50ZX'],
    ['POST /interactions/123/aW50ZXJhY3Rpb24/callback', 'aW50ZX'],
    ['{"headers":{"authorization":"Bot abc\\"def"}}', 'abc'],
    ['sent Authorization: Bearer 0123456789abcdef', '0123456789'],
    ['Basic d2FsbGV0OmJlbGw=', 'd2Fsb'],
    ['connect redis://default:hunter2-hunter@127.0.0.1:6379/0 failed', 'hunter2'],
    ['{"msg":"said {\\"token\\":\\"abcdef\\",\\"id\\":1}"}', 'abcdef'],
    ['"x MTAwMDAwMDAwMDAwMDAwMDAwMA.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789AB y"', 'GabcDE'],
  ])('is struck out of %s', (text, secret) => {
    const shown = scrubCredentials(text);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain(secret);
  });

  it('leaves JSON what it is', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, text) => {
        const err = { message: json, stack: `x "token":"${text}"` };
        const line = JSON.stringify({ token: text, err });
        expect(() => JSON.parse(scrubCredentials(line))).not.toThrow();
      }),
      randomRuns(2_000),
    );
  });

  it('leaves ordinary lines alone', () => {
    for (const line of [
      '{"event":"alert.sent","channel":"1234","url":"http://127.0.0.1:8080/x@y"}',
      'redis://USER:PASSWORD@HOST:PORT/NUMBER (rediss:// with TLS); redis://:PASSWORD@localhost:6379/0',
      'The bot authentication failed. Check the basic settings.',
      'https://venue.example/v1/trader/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed/activity?limit=100',
    ]) {
      expect(scrubCredentials(line)).toBe(line);
    }
  });
});
