import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, scrubCredentials, secretsOf } from '../../src/redact.ts';

const printable = fc.stringMatching(/^[\x21-\x7e]{8,60}$/);

describe('the redactor', () => {
  it('finds a secret within base64, whatever stands around it', () => {
    fc.assert(
      fc.property(printable, fc.string(), fc.string(), (secret, before, after) => {
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(`${before}${secret}${after}`).toString(encoding);
          const shown = createRedactor([secret])(text);
          expect(shown).toContain('[redacted]');
          expect(Buffer.from(shown.replaceAll('[redacted]', ''), encoding).toString()).not.toContain(secret);
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
        expect(redact(nested)).toBe(JSON.stringify({ body: JSON.stringify({ key: '[redacted]' }) }));
      }),
    );
  });

  it('knows the secrets of an environment before anything is known to be right with it', () => {
    const secrets = secretsOf({
      DISCORD_TOKEN: ' token ',
      VENUE_API_KEY: 'key',
      STORE_URL: 'postgres://walletbell:p%40ss/wo#rd@db.example/bell',
      DISCORD_API_URL: 'https://bot:proxy-word@proxy.example/api',
      HEARTBEAT_URL: 'https://ping.example/0123456789abcdef?key=fedcba9876543210',
      VENUE_BASE_URL: 'nonsense',
    });
    for (const secret of [
      'token',
      'key',
      'p%40ss/wo#rd',
      'p@ss/wo#rd',
      'proxy-word',
      'https://ping.example/0123456789abcdef?key=fedcba9876543210',
      '0123456789abcdef',
      'fedcba9876543210',
    ]) {
      expect(secrets).toContain(secret);
    }
    expect(secretsOf({ STORE_URL: 'postgres://db.example/bell?password=parameter' })).toEqual(['parameter']);
    expect(secrets.join(' ')).not.toMatch(/nonsense|bell /);
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
        const line = JSON.stringify({ token: text, err: { message: json, stack: `x "token":"${text}"` } });
        expect(() => JSON.parse(scrubCredentials(line))).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves ordinary lines alone', () => {
    for (const line of [
      '{"event":"alert.sent","channel":"1234","url":"http://127.0.0.1:8080/x@y"}',
      'The bot authentication failed. Check the basic settings.',
      'https://venue.example/v1/trader/0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed/activity?limit=100',
    ]) {
      expect(scrubCredentials(line)).toBe(line);
    }
  });
});
