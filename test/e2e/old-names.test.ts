import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OLD_NAMES } from '../../src/app/old-names.ts';
import { doctor } from '../support/doctor.ts';
import { trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, TOKEN } from './fixture.ts';

it('starts with the .env of 0.9.0 in which every variable is set, and says once of each old name what to write instead; stops within ten seconds at SIGTERM, with exit code 0 and the store in order and to its own user', async () => {
  const fixture = await openFixture({ withoutBot: true });
  const { directory } = fixture;
  const certificate = join(directory, 'own 100%.pem');
  writeFileSync(certificate, '-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n');
  const old = {
    SHARD_COUNT: '1',
    POLL_MIN_SECONDS: '0.5',
    COMMANDS_PER_MINUTE_USER: '20',
    COMMANDS_PER_MINUTE_GUILD: '60',
    LOOKUP_SHARE: '0.5',
    HTTP_HOST: '0.0.0.0',
    ALERTS_INSECURE: 'true',
    LINK_NAME: 'Buy now',
    NATS_CREDENTIALS: certificate,
    NATS_CA: certificate,
    NATS_CERT: certificate,
    NATS_KEY: certificate,
  };
  expect(Object.keys(old).toSorted()).toEqual(OLD_NAMES.toSorted());
  const kept = {
    SHARDS: '0',
    VENUE_NAME: 'Polymarket',
    STANDBY: 'false',
    TZ: 'Europe/Berlin',
    BUDGET_SHARE: '0.9',
    CATCH_UP_AFTER_MINUTES: '15',
    ALLOWED_GUILDS: fixture.guildId,
    WATCHES_PER_GUILD: '200',
    WATCHES_PER_USER: '25',
    WATCHES_TOTAL: '5000',
    LOG_LEVEL: 'info',
    HTTP_PORT: '0',
    HEARTBEAT_URL: 'http://127.0.0.1:9/planted-check',
    ALERTS_URL: 'http://receiver.invalid/planted-hook',
    ALERTS_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    ALERTS_GUILDS: '*',
    LINK_URL: 'https://example.com/{marketSlug}?token={tokenId}',
    ROLE: 'all',
  };
  // A file of Windows: with its mark at the beginning of a comment's line and its ends of lines.
  const lines = Object.entries({ ...old, ...kept }).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(directory, '.env'), ['# walletbell', ...lines, ''].join('\r\n'));
  await fixture.startBot({ LIMITS_FILE: '' }, { asProcess: true });

  const said = fixture.logLines.filter(({ event }) => event === 'config.old_name');
  expect(said.map(({ variable }) => variable).toSorted()).toEqual(OLD_NAMES.toSorted());
  expect(
    Object.fromEntries(said.map(({ variable, instead }) => [variable, instead])),
  ).toMatchObject({
    SHARD_COUNT: 'SHARDS=0/1',
    HTTP_HOST: 'HTTP_PORT=0.0.0.0:0',
    LINK_NAME: 'LINK_URL=[Buy now](https://example.com/{marketSlug}?token={tokenId})',
    NATS_CA: 'nothing',
    POLL_MIN_SECONDS: 'nothing',
    COMMANDS_PER_MINUTE_USER: '{"defaults":{"users":{"commandsPerMinute":20}}} in LIMITS_FILE',
  });
  expect(await fixture.logged('http.listening')).toMatchObject({
    url: expect.stringMatching(/^http:\/\/0\.0\.0\.0:\d+$/),
  });
  await fixture.say('watch add', { wallet: WALLET });
  await fixture.ledger.addActivity(WALLET, 1, trade());
  await fixture.alerted(1);
  // After ten seconds it would be killed, and have no exit code.
  expect(await fixture.bot.stop()).toBe(0);
  expect(fixture.logLines.at(-1)?.['event']).toBe('stopped');
  expect(fixture.logLines.map(({ event }) => event)).not.toContain('discord.reconnecting');
  for (const secret of ['planted', TOKEN])
    expect(JSON.stringify(fixture.logLines)).not.toContain(secret);
  const store = join(directory, 'data', 'bot.sqlite');
  expect(readFileSync(store).subarray(0, 15).toString()).toBe('SQLite format 3');
  for (const path of [join(directory, 'data'), store, `${store}.lock`])
    expect(statSync(path).mode & 0o077, path).toBe(0);

  const { lines: found } = await doctor({
    ...old,
    ...kept,
    DISCORD_TOKEN: 'token',
    VENUE_BASE_URL: fixture.venue.url,
    VENUE_API_KEY: 'key',
    DISCORD_API_URL: fixture.discord.apiUrl,
    STORE_URL: fixture.storeUrl,
  });
  expect(found.filter((line) => line.includes(' is an old name'))).toHaveLength(OLD_NAMES.length);
  expect(found).toContain(
    'warn  variables   SHARD_COUNT is an old name, which does nothing from 0.12 on. Write instead: SHARDS=0/1',
  );
});
