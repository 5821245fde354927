import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAlertsOut } from '../../src/alerts-out/settings.ts';
import { SECRET } from './receiver.ts';

const GOOD = {
  ALERTS_URL: 'https://hooks.example/in?key=abc',
  ALERTS_SECRET: SECRET,
  ALERTS_GUILDS: '100000000000000001, 100000000000000002',
};

const faultsOf = (changes: Record<string, string | undefined>) => {
  const read = readAlertsOut({ ...GOOD, ...changes });
  return 'faults' in read ? read.faults : [];
};

describe('the settings of signed alerts', () => {
  it('are none, or address, secrets and servers', () => {
    expect(readAlertsOut({})).toEqual({ settings: null });
    expect(readAlertsOut({ ALERTS_URL: ' ' })).toEqual({ settings: null });
    expect(readAlertsOut({ ...GOOD, ALERTS_SECRET: `${SECRET}, ${SECRET}` })).toEqual({
      settings: {
        url: GOOD.ALERTS_URL,
        keys: [Buffer.alloc(32, 7), Buffer.alloc(32, 7)],
        guilds: new Set(['100000000000000001', '100000000000000002']),
      },
    });
    expect(readAlertsOut({ ...GOOD, ALERTS_GUILDS: '*' })).toMatchObject({
      settings: { guilds: '*' },
    });
    for (const url of ['http://localhost:1', 'http://127.0.0.1/x', 'http://[::1]/'])
      expect(faultsOf({ ALERTS_URL: url })).toEqual([]);
    expect(
      readAlertsOut({ ...GOOD, ALERTS_URL: 'Insecure+HTTP://Lan.example/in?key=a+b' }),
    ).toMatchObject({ settings: { url: 'http://lan.example/in?key=a+b' } });
  });

  it('are refused with every fault at once, and no value', () => {
    const wrong = {
      ALERTS_URL: 'http://hooks.example/private',
      ALERTS_SECRET: 'whsec_private',
      ALERTS_GUILDS: 'private',
    };
    const faults = faultsOf(wrong);
    expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    );
    expect(faults.join()).not.toContain('private');
    expect(faultsOf({ ALERTS_SECRET: undefined, ALERTS_GUILDS: undefined })).toEqual([
      expect.stringMatching(/^ALERTS_SECRET is missing/),
      expect.stringMatching(/^ALERTS_GUILDS is missing/),
    ]);
    expect(faultsOf({ ALERTS_URL: undefined })).toEqual([
      'ALERTS_URL is missing, and ALERTS_SECRET, ALERTS_GUILDS does nothing without it.',
    ]);
    for (const url of [
      'ftp://x.example',
      'x',
      'https://u:p@x.example',
      'https://x.example/#a',
      'insecure+https://x.example',
      'insecure+ftp://x.example',
      'insecure+http://u:p@x.example',
    ])
      expect(faultsOf({ ALERTS_URL: url }), url).toHaveLength(1);
    expect(faultsOf({ ALERTS_SECRET: [SECRET, SECRET, SECRET].join() })).toHaveLength(1);
    for (const known of ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD']) {
      for (const secret of [`whsec_${known}`, `${SECRET},whsec_${known}`]) {
        expect(faultsOf({ ALERTS_SECRET: secret })).toEqual([
          expect.stringMatching(/^ALERTS_SECRET is an example .*openssl rand/),
        ]);
      }
    }
  });

  it('are nowhere shown with a secret that works: whoever copies an example is told to make one', () => {
    const pages = [
      '.env.example',
      'README.md',
      'SECURITY.md',
      'compose.yaml',
      'compose.cluster.yaml',
    ];
    const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const examples = [...pages, ...docs.map((name) => join('docs', name))].flatMap(
      (page) => readFileSync(page, 'utf8').match(/whsec_[\w+/=]+/g) ?? [],
    );
    expect(examples).not.toEqual([]);
    for (const secret of examples) {
      expect(faultsOf({ ALERTS_SECRET: secret }), secret).toEqual([
        expect.stringContaining('openssl rand'),
      ]);
    }
  });
});
