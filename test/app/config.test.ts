import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { USUAL_LIMITS } from '../../src/discord/quotas/exceptions.ts';
import { configFaults as faults } from '../support/config-faults.ts';
import { temporaryFolder } from '../support/temp.ts';

const complete = {
  DISCORD_TOKEN: 'token',
  VENUE_BASE_URL: 'https://api.example.com/v/',
  VENUE_API_KEY: 'key',
};

/** The names of the variables that something is wrong with. */
const faulty = (environment: Parameters<typeof faults>[0]) =>
  faults(environment).map((fault) => fault.split(' ')[0]);

describe('VENUE_BASE_URL=polymarket', () => {
  const polymarket = { DISCORD_TOKEN: 'token', VENUE_BASE_URL: ' Polymarket ' };

  it('needs no key, and brings the name and the links of Polymarket', () => {
    expect(readConfig(polymarket)).toMatchObject({
      polymarket: {
        dataUrl: 'https://data-api.polymarket.com',
        gammaUrl: 'https://gamma-api.polymarket.com',
        requestsPerMinute: 600,
      },
      VENUE_NAME: 'Polymarket',
      MARKET_URL: 'https://polymarket.com/event/{eventSlug}/{marketSlug}',
      WALLET_URL: 'https://polymarket.com/profile/{address}',
      TX_URL: 'https://polygonscan.com/tx/{txHash}',
    });
    const own = { VENUE_NAME: 'Here', TX_URL: 'https://example.com/{txHash}' };
    expect(readConfig({ ...polymarket, ...own })).toMatchObject(own);
  });

  it('takes addresses of proxies and a pace of its own', () => {
    const given = {
      POLYMARKET_DATA_URL: 'http://127.0.0.1:1/data/',
      POLYMARKET_GAMMA_URL: 'http://127.0.0.1:2',
      POLYMARKET_REQUESTS_PER_MINUTE: '90',
    };
    expect(readConfig({ ...polymarket, ...given }).polymarket).toEqual({
      dataUrl: 'http://127.0.0.1:1/data',
      gammaUrl: 'http://127.0.0.1:2',
      requestsPerMinute: 90,
    });
  });

  it.each([
    [{ VENUE_API_KEY: 'key' }, ['VENUE_API_KEY']],
    [{ ROLE: 'bot', NATS_URL: 'nats://localhost:4222' }, ['VENUE_BASE_URL']],
    [{ POLYMARKET_DATA_URL: 'data-api.polymarket.com' }, ['POLYMARKET_DATA_URL']],
    [{ POLYMARKET_GAMMA_URL: 'https://user:password@example.com' }, ['POLYMARKET_GAMMA_URL']],
    [{ POLYMARKET_REQUESTS_PER_MINUTE: '6001' }, ['POLYMARKET_REQUESTS_PER_MINUTE']],
    [{ POLYMARKET_REQUESTS_PER_MINUTE: '1.5' }, ['POLYMARKET_REQUESTS_PER_MINUTE']],
  ])('with %j is refused by name', (given, names) => {
    expect(faulty({ ...polymarket, ...given })).toEqual(names);
  });
});

describe('readConfig', () => {
  it('needs three variables and has a default for each other', () => {
    expect(readConfig(complete)).toEqual({
      ROLE: 'all',
      NATS_URL: null,
      DISCORD_TOKEN: 'token',
      DISCORD_API_URL: 'https://discord.com/api',
      VENUE_BASE_URL: 'https://api.example.com/v',
      VENUE_API_KEY: 'key',
      VENUE_NAME: null,
      STORE_URL: 'sqlite://data/walletbell.sqlite',
      STANDBY: false,
      TZ: null,
      POLL_CRON: '*/5 * * * * *',
      BUDGET_SHARE: 0.9,
      CATCH_UP_AFTER_MINUTES: 15,
      ALLOWED_GUILDS: null,
      WATCHES_PER_GUILD: 200,
      WATCHES_PER_USER: 25,
      WATCHES_TOTAL: null,
      limits: {
        path: null,
        beforeFile: USUAL_LIMITS,
        limits: {
          exceptions: new Map([['@', {}]]),
          usual: {
            guilds: { commandsPerMinute: 30, lookupShare: 0.25 },
            users: { commandsPerMinute: 12 },
          },
        },
      },
      pollMinSeconds: 1,
      oldNames: [],
      polymarket: null,
      alertsOut: null,
      LOG_LEVEL: 'info',
      HTTP_PORT: null,
      HEARTBEAT_URL: null,
      LINK_URL: null,
      sharding: 'auto',
    });
  });

  it('takes the time zones that Node honours, and no name of which it would make UTC', () => {
    const before = process.env['TZ'];
    const newYear = Date.UTC(2026, 0, 1);
    const hourIn = (zone: string) => {
      process.env['TZ'] = zone;
      return new Date(newYear).getHours();
    };
    try {
      const honoured = 'Europe/Berlin :Europe/Berlin Asia/Kolkata Asia/Calcutta EST5EDT GMT+2';
      for (const zone of honoured.split(' ')) {
        expect(faults({ ...complete, TZ: zone })).toEqual([]);
        expect(hourIn(zone), zone).not.toBe(0);
      }
      const unknown = 'Mars/Olympus europe/berlin /etc/localtime CET-1CEST +02:00 Berlin';
      for (const zone of unknown.split(' ')) {
        expect(faulty({ ...complete, TZ: zone })).toEqual(['TZ']);
        expect(hourIn(zone), zone).toBe(0);
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
    expect(faults({ ...complete, TZ: 'UTC' })).toEqual([]);
    expect(faults({ ...complete, TZ: 'europe/berlin' })[0]).toMatch(/is written Europe\/Berlin/);
  });

  it('needs of a feed and of a bot what they use, and NATS between them', () => {
    const { DISCORD_TOKEN, VENUE_BASE_URL, VENUE_API_KEY } = complete;
    const NATS_URL = 'nats://user:pass@localhost:4222';
    const feed = { VENUE_API_KEY: 'key', NATS_URL: { urls: [NATS_URL], files: {} } };
    expect(readConfig({ ROLE: 'feed', NATS_URL, VENUE_BASE_URL, VENUE_API_KEY })).toMatchObject({
      ROLE: 'feed',
      VENUE_NAME: null,
      ...feed,
    });
    const bot = { ROLE: 'bot', DISCORD_TOKEN };
    expect(readConfig({ ...bot, NATS_URL })).toMatchObject(bot);
    expect(faulty({ ROLE: 'feed' })).toEqual(['VENUE_BASE_URL', 'VENUE_API_KEY', 'NATS_URL']);
    for (const [given, fault] of [
      [{ NATS_URL }, /^NATS_URL is set, and ROLE is all/],
      [{ ROLE: 'both' }, /^ROLE is no role.*all, feed, bot/],
      [{ ROLE: 'bot', NATS_URL: 'localhost' }, /^NATS_URL is not the address/],
      [
        { ROLE: 'bot', NATS_URL: `${NATS_URL}?ca=/no/such` },
        /^NATS_URL has a parameter ca, which cannot be read/,
      ],
    ] as const)
      expect(faults({ ...complete, ...given })).toEqual([expect.stringMatching(fault)]);
  });

  it('names every missing variable at once', () => {
    expect(faulty({})).toEqual(['DISCORD_TOKEN', 'VENUE_BASE_URL', 'VENUE_API_KEY']);
  });

  it.each([
    [{ VENUE_NAME: ' 币安 ' }, { VENUE_NAME: '币安' }],
    [
      { ALLOWED_GUILDS: ' 123456789012345678, 223456789012345678' },
      { ALLOWED_GUILDS: new Set(['123456789012345678', '223456789012345678']) },
    ],
    // A proxy in front of Discord.
    [{ DISCORD_API_URL: 'http://127.0.0.1:8080/' }, { DISCORD_API_URL: 'http://127.0.0.1:8080' }],
    [{ HEARTBEAT_URL: 'https://ping.example/a/' }, { HEARTBEAT_URL: 'https://ping.example/a/' }],
    [{ HTTP_PORT: '0' }, { HTTP_PORT: { host: '127.0.0.1', port: 0 } }],
    [
      { HTTP_PORT: ' bell-1.internal:9090' },
      { HTTP_PORT: { host: 'bell-1.internal', port: 9090 } },
    ],
    [{ HTTP_PORT: '0.0.0.0:9090' }, { HTTP_PORT: { host: '0.0.0.0', port: 9090 } }],
    [{ HTTP_PORT: '[::1]:9090' }, { HTTP_PORT: { host: '::1', port: 9090 } }],
    [
      { LINK_URL: ' [ Buy (now) ]( https://example.com/{tokenId}?a=(b) ) ' },
      { LINK_URL: { name: 'Buy (now)', template: 'https://example.com/{tokenId}?a=(b)' } },
    ],
  ])('reads %o', (given, read) => {
    expect(readConfig({ ...complete, ...given })).toMatchObject(read);
  });

  it('reads a limits file, and names each of its faults by its entry', () => {
    const path = join(temporaryFolder(), 'limits.json');
    const read = (json: string) => {
      writeFileSync(path, json);
      return { ...complete, LIMITS_FILE: path };
    };
    const { limits } = readConfig(
      read(`{
        "guilds": {"123456789012345678": {"watches": 0, "commandsPerMinute": 60, "lookupShare": 0.5, "weight": 0.5, "note": "desk"}},
        "users": {"223456789012345678": {"watches": 40, "commandsPerMinute": 2, "blocked": true}},
        "people": {"weight": 2},
        "defaults": {"guilds": {"lookupShare": 1}, "users": {"commandsPerMinute": 20}}
      }`),
    );
    const { exceptions: limitExceptions, usual } = limits.limits;
    expect(usual).toEqual({
      guilds: { commandsPerMinute: 30, lookupShare: 1 },
      users: { commandsPerMinute: 20 },
    });
    const guildLimits = { watches: 0, commandsPerMinute: 60, lookupShare: 0.5, weight: 0.5 };
    expect(limitExceptions.get('123456789012345678')).toMatchObject(guildLimits);
    expect(limitExceptions.get('@')).toEqual({ weight: 2 });
    const userLimits = { watches: 40, commandsPerMinute: 2, blocked: true };
    expect(limitExceptions.get('@223456789012345678')).toEqual(userLimits);
    const found = faults(
      read(`{
        "guilds": {
          "123456789012345678": {"watches": 1001, "watch": 5, "blocked": "yes"},
          "223456789012345678": {"lookupShare": 0},
          "323456789012345678": 7
        },
        "users": {"423456789012345678": {"lookupShare": 0.5, "commandsPerMinute": 0}},
        "people": {"weight": 0, "watches": 1},
        "defaults": {"guilds": {"watches": 5}, "users": {"lookupShare": 1}, "people": {}}
      }`),
    );
    const guild = 'guilds.123456789012345678';
    expect(found.map((fault) => fault.replace(`LIMITS_FILE ${path}: `, '')).toSorted()).toEqual([
      'defaults.guilds.watches: not known. Accepted: commandsPerMinute, lookupShare.',
      'defaults.people: not known. Accepted: guilds, users.',
      'defaults.users.lookupShare: not known. Accepted: commandsPerMinute.',
      `${guild}.blocked is not yes or no. Accepted: true or false.`,
      `${guild}.watch: not known. Accepted: watches, commandsPerMinute, lookupShare, weight, blocked, note.`,
      `${guild}.watches is not a number of watches. Accepted: a whole number from 0 to 1000.`,
      'guilds.223456789012345678.lookupShare is not a share. Accepted: a number above 0 and up to 1.',
      'guilds.323456789012345678 is not an object. Accepted: {"guilds": {"ID": {…}}, "users": {"ID": {…}}}.',
      'people.watches: not known. Accepted: weight, note.',
      'people.weight is not a weight. Accepted: a number from 0.1 to 100.',
      'users.423456789012345678.commandsPerMinute is not a number of commands. Accepted: a whole number from 1 to 1000000.',
      'users.423456789012345678.lookupShare: not known. Accepted: watches, commandsPerMinute, blocked, note.',
    ]);
    expect(faults(read('{"guilds": {"desk": {}}}'))).toEqual([
      `LIMITS_FILE ${path}: guilds.desk is not an id. Accepted: Discord's id of 17 to 20 digits, in quotes.`,
    ]);
    for (const text of ['{', '[]', '7', 'null', '{"guilds": []}'])
      expect(faults(read(text))).toHaveLength(1);
  });

  it('names what is wrong with the shards beside all else', () => {
    const wrong = { VENUE_API_KEY: '', SHARDS: '0,4/4' };
    expect(faulty({ ...complete, ...wrong })).toEqual(['VENUE_API_KEY', 'SHARDS']);
  });

  it('takes a link of the operator’s own with its name', () => {
    const LINK_URL = 'https://example.com/{marketSlug}?t={tokenId}';
    expect(readConfig({ ...complete, LINK_URL: `[Trade](${LINK_URL})` })).toMatchObject({
      LINK_URL: { name: 'Trade', template: LINK_URL },
    });
    for (const text of [LINK_URL, '[Trade]', `[Trade] (${LINK_URL})`, `[Trade](${LINK_URL}`]) {
      expect(faults({ ...complete, LINK_URL: text })).toEqual([
        expect.stringMatching(/^LINK_URL is not a name and a link\. Accepted: \[NAME\]/),
      ]);
    }
    const both = faults({ ...complete, LINK_URL: '[](https://example.com)', TX_URL: 'x' });
    expect(both.map((fault) => fault.split('.')[0])).toEqual([
      'TX_URL is not an http or https URL',
      'LINK_URL has a name that is not one of one line',
      'LINK_URL has no placeholder',
    ]);
  });

  it('treats an empty variable as an unset one', () => {
    expect(faults({ ...complete, BUDGET_SHARE: ' ', VENUE_API_KEY: '' })).toHaveLength(1);
  });

  const refused: Record<string, readonly string[]> = {
    VENUE_NAME: ['Two\nlines', '\u200b', 'x'.repeat(41)],
    BUDGET_SHARE: ['0', '1.1', 'much'],
    CATCH_UP_AFTER_MINUTES: ['0'],
    WATCHES_PER_GUILD: ['1001'],
    WATCHES_PER_USER: ['1001', '-1'],
    WATCHES_TOTAL: ['0', '1000001', '1.5', 'many'],
    POLL_CRON: ['every minute'],
    STORE_URL: [
      'mysql://x',
      'sqlite://:memory:',
      'sqlite://file::memory:',
      'sqlite://data/',
      'sqlite://data/..',
      'redis://127.0.0.1:6379/abc',
      'redis://127.0.0.1:99999/0',
    ],
    LOG_LEVEL: ['loud'],
    VENUE_BASE_URL: [
      'api.example.com',
      'ftp://api.example.com',
      'https://user:word@api.example.com',
      'https://api.example.com/?key=1',
      'https://api.example.com/v1',
      'https://api.example.com/gate/v1/',
      'https://bot:12/word@proxy.example/api',
    ],
    DISCORD_API_URL: [
      'nowhere',
      'https://discord.com/api/v10',
      'https://discord.com',
      'https://proxy.example/api/v9/',
      'https://proxy.example/api?x=1',
      'https://bot:12/word@proxy.example/api',
    ],
    HTTP_PORT: '65536 -1 1e3 127.0.0.1 :9464 ::1:9464 [::1] http://127.0.0.1:9464 0.0.0.0:'.split(
      ' ',
    ),
    HEARTBEAT_URL: ['ftp://ping.example'],
    MARKET_URL: ['https://example.com/{slug}'],
    TX_URL: ['javascript:alert(1)'],
    LINK_URL: [
      '[Trade](http://example.com/{tokenId})',
      '[Trade](https://example.com/{txHash})',
      `[Trade](https://example.com/{tokenId}?${'x'.repeat(500)})`,
      `[${'x'.repeat(31)}](https://example.com/{tokenId})`,
    ],
    WALLET_URL: ['https://example.com/'],
    SHARDS: ['0,1', '4/4', '0/4/5'],
    ALLOWED_GUILDS: ['123456789012345678,my server'],
    LIMITS_FILE: ['/nowhere/limits.json'],
  };
  it.each(
    Object.entries(refused).flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    ),
  )('names %s when it is "%s", and says what is accepted', (name, value) => {
    expect(faults({ ...complete, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} .*Accepted:`)),
    ]);
  });

  it.each([
    ['0 0 30 2 *', /is never due: there is no such day/],
    ['0 0 31 4,6,9,11 *', /is never due/],
    ['60 * * * *', /is not a cron pattern \(60 /],
    ['every minute', /is not a cron pattern \(expected 5 or 6 fields/],
  ])('tells of "%s" what is wrong with it', (pattern, reason) => {
    expect(faults({ ...complete, POLL_CRON: pattern })).toEqual([expect.stringMatching(reason)]);
    expect(faults({ ...complete, POLL_CRON: '0 0 29 2 *' })).toEqual([]);
  });

  it('names each variable whose quotes a supervisor has handed on, and nothing else of it', () => {
    const quoted = { DISCORD_TOKEN: '"token"', VENUE_BASE_URL: "'https://api.example.com'" };
    const said = 'stands in quotes, which belong to it here. Write the value without them.';
    expect(faults({ ...complete, ...quoted, SHARDS: '"0,1/4"', HOME: '"x"' })).toEqual(
      ['DISCORD_TOKEN', 'VENUE_BASE_URL', 'SHARDS'].map((name) => `${name} ${said}`),
    );
  });

  it.each(['postgres', 'redis', 'rediss'])(
    'takes a %s password with special characters if they are encoded, and refuses what can be read in two ways',
    (scheme) => {
      const unit = fc.constantFrom(...'ab1@#/?:%& +é\\[]'.split(''));
      const password = fc.string({ unit, minLength: 1 });
      fc.assert(
        fc.property(password, (text) => {
          const plain = `${scheme}://bell:${text}@db.example:1234/1`;
          const [fault] = faults({ ...complete, STORE_URL: plain });
          const encoded = `${scheme}://bell:${encodeURIComponent(text)}@db.example:1234/1`;
          expect(faults({ ...complete, STORE_URL: encoded })).toEqual([]);
          if (fault === undefined) {
            // Whatever is taken is looked up where it was meant to be, with the password that was
            // meant.
            expect(new URL(plain).host).toBe('db.example:1234');
            expect(decodeURIComponent(new URL(plain).password)).toBe(decodeURIComponent(text));
          } else {
            expect(fault).toMatch(/^STORE_URL .*special characters.*%XX/);
            expect(fault).toBe(faults({ ...complete, STORE_URL: `${scheme}://:@@` })[0]);
          }
        }),
      );
    },
  );

  it('never repeats a secret', () => {
    const secret = 'planted secret with a space';
    const found = faults({
      ...complete,
      DISCORD_TOKEN: secret,
      VENUE_API_KEY: secret,
      HEARTBEAT_URL: secret,
      VENUE_BASE_URL: 'https://user:planted@api.example.com',
    });
    expect(found).toHaveLength(4);
    expect(found.join()).not.toContain('planted');
  });
});
