import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { startVenue } from '@walletbell/venue-server/venue';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkAddresses, checkHttp } from '../../src/cli/doctor/addresses.ts';
import { checkDiscord } from '../../src/cli/doctor/discord.ts';
import { checkStore } from '../../src/cli/doctor/store.ts';
import { checkVenue, roundFinding, windowLength } from '../../src/cli/doctor/venue.ts';
import { NO_PROGRESS } from '../../src/lib/progress.ts';
import { answering } from '../support/answering.ts';
import { fullDisk, MAY_MOUNT } from '../support/full-disk.ts';
import { temporaryFolder } from '../support/temp.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const quiet = pino({ level: 'silent' });

const VENUE = {
  VENUE_API_KEY: DEMO_KEY.key,
  BUDGET_SHARE: 1,
  pollMinSeconds: 1,
  CATCH_UP_AFTER_MINUTES: 15,
};

/** A warning of a variable. */
const warning = (text: RegExp) => ({
  level: 'warn',
  subject: 'variables',
  text: expect.stringMatching(text),
});

const storeFindings = async (folder: string, name: string) =>
  (await checkStore(`sqlite://${join(folder, name)}`, 'auto', NO_PROGRESS)).findings;

/** The port of a server that answers everything with this status and body. */
const portAnswering = async (status: number, body: string) => {
  const headers = { 'content-type': 'application/json' };
  return Number(
    (await answering((_, response) => void response.writeHead(status, headers).end(body))).port,
  );
};

describe('what the doctor says of addresses', () => {
  it.each([
    [
      'NATS_URL',
      'nats://user:secret@nats.example.com:4222',
      /^NATS_URL begins with nats:\/\/: password and pages are readable on the way\. Use tls:\/\/\.$/,
    ],
    [
      'STORE_URL',
      'redis://:secret@redis.example.com:6379/0',
      /^STORE_URL begins with redis:\/\/: .*Use rediss:/,
    ],
    [
      'STORE_URL',
      'postgres://u:secret@db.example.com/bell',
      /^STORE_URL has no sslmode: password and documents are readable .*verify-full/,
    ],
    [
      'STORE_URL',
      'postgresql://u:secret@8.8.8.8/bell?sslmode=disable',
      /^STORE_URL has sslmode=disable: .*verify-full/,
    ],
    [
      'STORE_URL',
      'postgres://u:secret@db.example.com/bell?sslmode=no-verify',
      /^STORE_URL has sslmode=no-verify: /,
    ],
  ])('warns of what is in clear to another machine: %s %s', (name, address, text) => {
    const findings = checkAddresses({ [name]: address });
    expect(findings).toEqual([warning(text)]);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  it.each([
    'rediss://:secret@redis.example.com:6379/0',
    'redis://redis:6379',
    'postgres://u:secret@10.0.0.2/bell',
    'postgres://u:secret@db.example.com/bell?sslmode=verify-full',
    'postgres://u:secret@db.example.com/bell?sslmode=require',
    'sqlite://data/walletbell.sqlite',
  ])('says nothing of the store %s', (address) => {
    expect(checkAddresses({ STORE_URL: address })).toEqual([]);
  });

  it.each([
    'http://api.example.com',
    'http://8.8.8.8:8080/x',
    'http://[2001:db8::1]',
    'http://172.32.0.1',
    'http://localhost.example.com',
  ])('warns of %s, which anybody on the way can read', (address) => {
    expect(
      checkAddresses({ VENUE_BASE_URL: address, DISCORD_API_URL: address, HEARTBEAT_URL: address }),
    ).toEqual([
      warning(/^VENUE_BASE_URL .*the key.*Use https/),
      warning(/^DISCORD_API_URL .*the bot’s token/),
      warning(/^HEARTBEAT_URL .*its secret address/),
    ]);
  });

  it.each([
    'https://api.example.com',
    'http://127.0.0.1:8787',
    'http://localhost',
    'http://[::1]:1',
    'http://10.1.2.3',
    'http://172.31.0.1',
    'http://192.168.1.1',
    'http://[fd12::1]',
    'http://venue:8787',
    'http://venue.internal',
    'tls://nats.example.com:4222',
    'nats://nats:4222',
  ])('says nothing of %s', (address) => {
    expect(
      checkAddresses({ VENUE_BASE_URL: address, DISCORD_API_URL: address, HEARTBEAT_URL: null }),
    ).toEqual([]);
  });
});

describe('what the doctor says of HTTP_PORT', () => {
  it('names another program that has the port, whether or not a bot runs', async () => {
    const port = await portAnswering(200, '{"status":"UP"}');
    for (const isBotRunning of [true, false]) {
      expect(await checkHttp({ host: '127.0.0.1', port }, isBotRunning)).toEqual([
        {
          level: 'fail',
          subject: 'http',
          text: expect.stringMatching(/HTTP_PORT \d+ .*another program has the port/),
        },
      ]);
    }
  });

  it('counts a bot that answers there as the running one only if one runs on the store', async () => {
    const port = await portAnswering(200, '{"ok":true,"eventLoopDelayMs":1,"uptimeSeconds":2}');
    expect(await checkHttp({ host: '127.0.0.1', port }, true)).toMatchObject([{ level: 'ok' }]);
    expect(await checkHttp({ host: '127.0.0.1', port }, false)).toMatchObject([{ level: 'fail' }]);
  });

  it('says nothing of a free port, and names an address that is not this machine’s', async () => {
    expect(await checkHttp({ host: '127.0.0.1', port: 0 }, false)).toEqual([]);
    expect(await checkHttp({ host: '192.0.2.1', port: 0 }, false)).toMatchObject([
      { level: 'fail', text: expect.stringContaining('EADDRNOTAVAIL') },
    ]);
  });
});

describe('what the doctor says of the store', () => {
  it.skipIf(!MAY_MOUNT)('sees a disk on which the start would find no space', async () => {
    expect(await storeFindings(fullDisk(), 'store.sqlite')).toMatchObject([
      { level: 'fail', text: expect.stringMatching(/is full\. Make room/) },
    ]);
  });

  it('calls a folder a folder, and a file without a byte a store to be made', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'store'));
    expect(await storeFindings(folder, 'store')).toMatchObject([
      { level: 'fail', text: expect.stringMatching(/is a folder.*STORE_URL/) },
    ]);
    writeFileSync(join(folder, 'empty'), '', { mode: 0o600 });
    expect(await storeFindings(folder, 'empty')).toMatchObject([
      { level: 'ok', text: expect.stringMatching(/empty is made at the first start/) },
    ]);
  });
});

describe('what the doctor says of the others', () => {
  it('warns, and does not fail, when others have used up the key’s window', async () => {
    const ledger = await openLedger({ path: ':memory:' });
    onTestFinished(() => ledger.close());
    const venue = await startVenue({
      ledger,
      keys: [{ ...DEMO_KEY, limit: 1, windowSeconds: 86_400 }],
      log: quiet,
    });
    onTestFinished(() => venue.close());
    const settings = { ...VENUE, VENUE_BASE_URL: venue.url, BUDGET_SHARE: 0.0001 };
    const findings = await checkVenue(settings, [], null);
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([]);
    expect(findings).toContainEqual({
      level: 'warn',
      subject: 'venue',
      text: expect.stringMatching(/the rate limit has none left for it/),
    });
  });

  it.each([
    { odd: 1, levels: ['warn', 'ok', 'warn', 'ok'] },
    { odd: 2, levels: ['fail', 'fail', 'fail', 'fail', 'fail'] },
  ])('asks a second wallet where the first is answered oddly: %j', async ({ odd, levels }) => {
    const watches = ['1', '2', '3'].map((digit) => watchOf({ wallet: walletOfDigit(digit) }));
    const oddOnes = watches.slice(0, odd).map(({ wallet }) => wallet);
    const { origin } = await answering(({ url = '' }, response) => {
      const isOdd = oddOnes.some((wallet) => url.includes(wallet));
      const data = isOdd ? null : { items: [], nextCursor: null };
      response.writeHead(isOdd ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: !isOdd, code: '0', message: '', data }));
    });
    const findings = await checkVenue({ ...VENUE, VENUE_BASE_URL: origin }, watches, null);
    const ofVenue = findings.filter(({ subject }) => subject === 'venue');
    expect(ofVenue.map(({ level }) => level).toSorted()).toEqual(levels.toSorted());
  });

  it('names DISCORD_API_URL when it answers 404', async () => {
    const port = await portAnswering(404, '{"message":"404: Not Found","code":0}');
    const DISCORD_API_URL = `http://127.0.0.1:${port}`;
    const config = { DISCORD_API_URL, DISCORD_TOKEN: 'x', sharding: 'auto' } as const;
    expect(await checkDiscord(config, [], false)).toEqual([
      {
        level: 'fail',
        subject: 'discord',
        text: expect.stringMatching(/404: DISCORD_API_URL is not the root/),
      },
    ]);
  });
});

describe('what a key carries', () => {
  it.each([
    ['ok', 80, 600, '8 s at 600'],
    ['ok', 10, 9.99, '61 s at 9.9'],
    ['warn', 80, 40, '2 min at 40'],
    ['warn', 74, 5, '15 min at 5'],
    ['fail', 80, 5, '16 min at 5'],
  ] as const)(
    'is %s where %d endpoints share %d requests a minute',
    (level, endpoints, perMinute, said) => {
      const finding = roundFinding(endpoints, perMinute, 15, false);
      expect(finding.level).toBe(level);
      expect(finding.text).toContain(
        `a round of all ${endpoints} endpoints takes ${said} requests a minute.`,
      );
    },
  );

  it.each([
    ['ten seconds', 10_000, { lengthMs: 60_000, isAssumed: true }],
    ['what is left of a minute', 59_000, { lengthMs: 60_000, isAssumed: true }],
    ['half an hour', 1_800_000, { lengthMs: 1_800_000, isAssumed: false }],
    ['nothing', null, null],
  ] as const)('takes a window to last a minute at least: of %s', (_which, windowMs, length) => {
    expect(windowLength({ windowMs }, null)).toEqual(length);
  });

  it('says so where it is not known to last a minute', () => {
    expect(roundFinding(4_000, 540, 15, true)).toMatchObject({
      level: 'warn',
      text: expect.stringContaining(
        'takes 7 min at 540 requests a minute, if the limit is one of a minute: one look does not show it.',
      ),
    });
  });
});
