import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NAMES, readConfig, VARIABLES } from '../../src/app/config.ts';
import { OLD_NAMES } from '../../src/app/old-names.ts';
import { configFaults } from '../support/config-faults.ts';
import { sharedFolder } from '../support/temp.ts';

const DISCORD_TOKEN = 'token';
const BOT = { DISCORD_TOKEN, VENUE_BASE_URL: 'https://api.example.com', VENUE_API_KEY: 'k' };
const CLUSTER = { ROLE: 'bot', DISCORD_TOKEN, NATS_URL: 'nats://u:p@h1,nats://u:p@h2' };
const ALERTS_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ALERTS = { ALERTS_SECRET, ALERTS_GUILDS: '*' };
const LINK = 'https://example.com/{tokenId}';

const { folder, remove } = sharedFolder();
afterAll(remove);

/** Files that NATS is reached with, whose names would end a parameter. */
function natsFiles() {
  const file = (name: string, content: string) => {
    const path = join(folder, `${name} 100%, a&b=c?#+.pem`);
    writeFileSync(path, content);
    return path;
  };
  const certificate = '-----BEGIN CERTIFICATE-----\n';
  const seed = `SU${'A'.repeat(56)}`;
  return {
    credentials: file(
      'credentials',
      `-----BEGIN NATS USER JWT-----\nx\n------BEGIN USER NKEY SEED------\n${seed}\n`,
    ),
    ca: file('ca', certificate),
    cert: file('cert', certificate),
    key: file('key', '-----BEGIN PRIVATE KEY-----\n'),
  };
}

function limitsFile(defaults: object): string {
  const path = join(folder, `${JSON.stringify(defaults).replace(/\W/g, '')}.json`);
  writeFileSync(path, JSON.stringify({ defaults }));
  return path;
}

type Variables = Readonly<Record<string, string>>;

/** The row of an old name that the limits file says now. */
const ofLimits = (old: Variables, defaults: object) => {
  const now = { LIMITS_FILE: limitsFile(defaults) };
  return [BOT, old, now, `${JSON.stringify({ defaults })} in LIMITS_FILE`] as const;
};

describe('an old name alone', () => {
  const files = natsFiles();
  const at = (name: keyof typeof files) => `${name}=${encodeURIComponent(files[name])}`;
  /** Variables beside it, the old one, what is written in place of all, and what the log says. */
  const table: readonly (readonly [
    beside: Variables,
    old: Variables,
    now: Variables,
    instead: string,
  ])[] = [
    [BOT, { POLL_MIN_SECONDS: '0.5' }, {}, 'nothing'],
    [
      { ...BOT, ...ALERTS, ALERTS_URL: 'http://lan.example/a' },
      { ALERTS_INSECURE: 'true' },
      { ALERTS_URL: 'insecure+http://lan.example/a' },
      'ALERTS_URL=insecure+http://…',
    ],
    [
      { ...BOT, ...ALERTS, ALERTS_URL: 'https://lan.example/a' },
      { ALERTS_INSECURE: 'false' },
      {},
      'nothing',
    ],
    [
      CLUSTER,
      { NATS_CREDENTIALS: files.credentials },
      { NATS_URL: `nats://u:p@h1,nats://u:p@h2?${at('credentials')}` },
      `NATS_URL=…?${at('credentials').replaceAll('%2F', '/')}`,
    ],
    [
      CLUSTER,
      { NATS_CA: ` ${files.ca}\r` },
      { NATS_URL: `nats://u:p@h1?${at('ca')},nats://u:p@h2` },
      `NATS_URL=…?${at('ca').replaceAll('%2F', '/')}`,
    ],
    [
      { ...CLUSTER, NATS_URL: `${CLUSTER.NATS_URL}?${at('key')}` },
      { NATS_CERT: files.cert },
      { NATS_URL: `${CLUSTER.NATS_URL}?${at('key')}&${at('cert')}` },
      `NATS_URL=…?${at('cert').replaceAll('%2F', '/')}`,
    ],
    [
      { ...CLUSTER, NATS_URL: `nats://u:p@h1?${at('cert')},nats://u:p@h2` },
      { NATS_KEY: files.key },
      { NATS_URL: `nats://u:p@h1,nats://u:p@h2?${at('key')}&${at('cert')}` },
      `NATS_URL=…?${at('key').replaceAll('%2F', '/')}`,
    ],
    [BOT, { NATS_CA: '/none' }, {}, 'nothing'],
    [
      { ...BOT, HTTP_PORT: '9464' },
      { HTTP_HOST: '0.0.0.0' },
      { HTTP_PORT: '0.0.0.0:9464' },
      'HTTP_PORT=0.0.0.0:9464',
    ],
    [
      { ...BOT, HTTP_PORT: ' 9464' },
      { HTTP_HOST: '::' },
      { HTTP_PORT: '[::]:9464' },
      'HTTP_PORT=[::]:9464',
    ],
    [BOT, { HTTP_HOST: '0.0.0.0' }, {}, 'nothing'],
    [{ ...BOT, SHARDS: '0,1' }, { SHARD_COUNT: '4' }, { SHARDS: '0,1/4' }, 'SHARDS=0,1/4'],
    [
      { ...BOT, LINK_URL: LINK },
      { LINK_NAME: 'Trade (now)' },
      { LINK_URL: `[Trade (now)](${LINK})` },
      `LINK_URL=[Trade (now)](${LINK})`,
    ],
    ofLimits({ COMMANDS_PER_MINUTE_USER: '20' }, { users: { commandsPerMinute: 20 } }),
    ofLimits({ COMMANDS_PER_MINUTE_GUILD: '60' }, { guilds: { commandsPerMinute: 60 } }),
    ofLimits({ LOOKUP_SHARE: '0.5' }, { guilds: { lookupShare: 0.5 } }),
  ];

  it.each(table)('beside %j: %j is %j', (beside, old, now, instead) => {
    const { oldNames, limits, ...read } = readConfig({ ...beside, ...old });
    const { oldNames: none, limits: limitsNow, ...readNow } = readConfig({ ...beside, ...now });
    expect(read).toEqual(readNow);
    expect(limits.limits.usual).toEqual(limitsNow.limits.usual);
    expect(oldNames).toEqual([{ variable: Object.keys(old)[0], instead, goneWith: '0.12' }]);
    expect(none).toEqual([]);
  });

  it('is each of them tried above, and known to the doctor, which takes none for a new one', () => {
    const tried = new Set(table.flatMap(([, old]) => Object.keys(old)));
    expect([...tried].toSorted()).toEqual(OLD_NAMES.toSorted());
    expect(OLD_NAMES.filter((name) => VARIABLES.includes(name))).toEqual([]);
    expect(NAMES).toEqual(expect.arrayContaining([...OLD_NAMES]));
  });
});

describe('an old name beside the new one', () => {
  const ca = natsFiles().ca;
  const both: readonly (readonly [old: string, value: string, now: Variables, other: string])[] = [
    ['SHARD_COUNT', '4', { SHARDS: '0 / 4' }, '5'],
    ['LINK_NAME', 'Trade', { LINK_URL: `[Trade](${LINK})` }, 'Buy'],
    ['ALERTS_INSECURE', 'true', { ...ALERTS, ALERTS_URL: 'insecure+http://lan.example' }, 'false'],
    [
      'NATS_CA',
      ca,
      { ROLE: 'bot', NATS_URL: `nats://h1,nats://h2?ca=${encodeURIComponent(ca)}` },
      '/other.pem',
    ],
  ];

  it.each(both)(
    '%s=%s with %j is fine, and a fault with both names as %s',
    (old, value, now, other) => {
      expect(configFaults({ ...BOT, ...now, [old]: value })).toEqual([]);
      const name = Object.keys(now).at(-1);
      expect(configFaults({ ...BOT, ...now, [old]: other })).toEqual([
        `${old} and ${name} say different things. Remove ${old}: ${name} says it now.`,
      ]);
    },
  );

  it('is said by the log only where it is not in vain', () => {
    expect(readConfig({ ...BOT, HTTP_HOST: '::', HTTP_PORT: '[::]:1' }).oldNames).toEqual([]);
  });

  it('of the image, which sets HTTP_HOST for everybody, gives way to an address in HTTP_PORT', () => {
    for (const host of ['[::]', '127.0.0.1', 'localhost']) {
      const written = { HTTP_HOST: '0.0.0.0', HTTP_PORT: `${host}:8080` };
      const { HTTP_PORT, oldNames } = readConfig({ ...BOT, ...written });
      expect(HTTP_PORT).toEqual({ host: host.replace(/[[\]]/g, ''), port: 8080 });
      expect(oldNames).toEqual([{ variable: 'HTTP_HOST', instead: 'nothing', goneWith: '0.12' }]);
    }
  });

  it('gives way to the limits file, which may state the default later', () => {
    const old = { COMMANDS_PER_MINUTE_USER: '6', COMMANDS_PER_MINUTE_GUILD: '60' };
    const LIMITS_FILE = limitsFile({ users: { commandsPerMinute: 5 } });
    const { limits } = readConfig({ ...BOT, ...old, LOOKUP_SHARE: '1', LIMITS_FILE });
    expect(limits.limits.usual).toEqual({
      guilds: { commandsPerMinute: 60, lookupShare: 1 },
      users: { commandsPerMinute: 5 },
    });
  });
});

describe('a faulty value of an old name', () => {
  const faulty: readonly (readonly [written: Variables, fault: RegExp])[] = [
    [{ HTTP_PORT: '9464', HTTP_HOST: 'http://127.0.0.1' }, /^HTTP_PORT \(with HTTP_HOST\) is not/],
    [{ HTTP_PORT: '99999', HTTP_HOST: '0.0.0.0' }, /^HTTP_PORT \(with HTTP_HOST\) is not/],
    [{ SHARDS: '0,1', SHARD_COUNT: 'six' }, /^SHARDS \(with SHARD_COUNT\) behind the slash is/],
    [{ SHARD_COUNT: '4' }, /^SHARDS \(with SHARD_COUNT\) is not a list of shards/],
    [{ SHARDS: 'auto', SHARD_COUNT: '4' }, /^SHARDS \(with SHARD_COUNT\) is not a list/],
    [{ LINK_URL: LINK, LINK_NAME: 'x'.repeat(31) }, /^LINK_URL \(with LINK_NAME\) has a name/],
    [{ LINK_NAME: 'Trade' }, /^LINK_URL \(with LINK_NAME\) is not an https URL/],
    [
      { ...ALERTS, ALERTS_URL: 'http://lan.example', ALERTS_INSECURE: 'yes' },
      /^ALERTS_URL \(with ALERTS_INSECURE\) is not a web address/,
    ],
    [
      { ...CLUSTER, NATS_CA: '/none', NATS_KEY: '/none' },
      /^NATS_URL \(with NATS_CA, NATS_KEY\) has a parameter ca, which cannot be read/,
    ],
    [{ COMMANDS_PER_MINUTE_USER: '0' }, /^COMMANDS_PER_MINUTE_USER in defaults.*Accepted: a whole/],
    [{ COMMANDS_PER_MINUTE_GUILD: '1.5' }, /^COMMANDS_PER_MINUTE_GUILD in defaults.*Accepted/],
    [{ LOOKUP_SHARE: 'much' }, /^LOOKUP_SHARE in defaults.*Accepted: a number above 0/],
    [{ HTTP_PORT: '1', HTTP_HOST: '"::"' }, /^HTTP_HOST stands in quotes/],
  ];

  it.each(faulty)('%j is a fault of what was written', (written, fault) => {
    const [first, ...others] = configFaults({ ...BOT, ...written });
    expect(first).toMatch(fault);
    expect(others.filter((other) => !/^NATS_URL \(with/.test(other))).toEqual([]);
  });
});
