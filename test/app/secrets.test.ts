import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secretsOf } from '../../src/app/secrets.ts';
import { temporaryFolder } from '../support/temp.ts';

it('knows the secrets of an environment before anything is known to be right with it', () => {
  const secrets = secretsOf({
    DISCORD_TOKEN: ' token ',
    VENUE_API_KEY: 'key',
    STORE_URL: 'postgres://walletbell:p%40ss/wo#rd@db.example/bell',
    DISCORD_API_URL: 'https://bot:proxy-word@proxy.example/api',
    HEARTBEAT_URL: 'https://ping.example/0123456789abcdef?key=fedcba9876543210',
    VENUE_BASE_URL: 'nonsense',
    ALERTS_URL: 'https://Hooks.example/alerts',
    ALERTS_SECRET: 'whsec_Zmlyc3Q=, whsec_c2Vjb25k',
  });
  const known = [
    'token',
    'key',
    'p%40ss/wo#rd',
    'p@ss/wo#rd',
    'proxy-word',
    'https://ping.example/0123456789abcdef?key=fedcba9876543210',
    '0123456789abcdef',
    'fedcba9876543210',
    'https://Hooks.example/alerts',
    'https://hooks.example/alerts',
    'whsec_Zmlyc3Q=',
    'c2Vjb25k',
  ];
  expect(secrets).toEqual(expect.arrayContaining(known));
  const parameter = secretsOf({ STORE_URL: 'postgres://db.example/bell?password=parameter' });
  expect(parameter).toEqual(['parameter']);
  const folder = temporaryFolder();
  const credentials = join(folder, 'b@t.creds');
  writeFileSync(credentials, `SU${'A'.repeat(56)}\n`);
  for (const login of ['bell:pass-word', 'tok-en', 'bell:p@ss-word']) {
    const NATS_URL = `nats://h1,nats://${login}@h2?ca=/c@a&credentials=${credentials}`;
    const both = [login.replace('bell:', ''), `SU${'A'.repeat(56)}`];
    expect(secretsOf({ NATS_URL })).toEqual(expect.arrayContaining(both));
  }
  expect(secretsOf({ ALERTS_URL: 'insecure+http://Lan.example/in' })).toContain(
    'http://lan.example/in',
  );
  expect(secrets.join(' ')).not.toMatch(/nonsense|bell /);
  const HEARTBEAT_URL = 'https://uptime.example/api/v1/heartbeat/AbC123xyz';
  expect(secretsOf({ HEARTBEAT_URL })).toEqual([HEARTBEAT_URL, 'AbC123xyz']);
  expect(secretsOf({ HEARTBEAT_URL: 'https://hc.example/0123456789abcdefghijkl/bot' })).toContain(
    '0123456789abcdefghijkl',
  );
});
