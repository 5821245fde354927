import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';
import { temporaryFolder } from './support/temp.ts';

const complete = { DISCORD_TOKEN: 'token', VENUE_BASE_URL: 'https://api.example.com/v/', VENUE_API_KEY: 'key' };

function faults(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('readConfig', () => {
  it('needs three variables and has a default for each other', () => {
    expect(readConfig(complete)).toEqual({
      discordToken: 'token',
      discordApiUrl: 'https://discord.com/api',
      sharding: 'auto',
      venueBaseUrl: 'https://api.example.com/v',
      venueApiKey: 'key',
      storeUrl: 'sqlite://data/walletbell.sqlite',
      pollCron: '*/5 * * * * *',
      budgetShare: 0.9,
      catchUpAfterMinutes: 15,
      allowedGuilds: null,
      watchesPerGuild: 200,
      commandsPerMinuteUser: 12,
      commandsPerMinuteGuild: 30,
      lookupShare: 0.25,
      limitExceptions: { guilds: new Map(), users: new Map() },
      logLevel: 'info',
      http: null,
      heartbeatUrl: null,
      marketUrl: null,
      txUrl: null,
      walletUrl: null,
    });
  });

  it('names every missing variable at once', () => {
    expect(faults({}).map((fault) => fault.split(' ')[0])).toEqual([
      'DISCORD_TOKEN',
      'VENUE_BASE_URL',
      'VENUE_API_KEY',
    ]);
  });

  it('reads the servers that are served', () => {
    const { allowedGuilds } = readConfig({ ...complete, ALLOWED_GUILDS: ' 123456789012345678, 223456789012345678' });
    expect(allowedGuilds).toEqual(new Set(['123456789012345678', '223456789012345678']));
  });

  it('reads a limits file, and names each of its faults by its entry', () => {
    const path = join(temporaryFolder(), 'limits.json');
    const read = (json: string) => {
      writeFileSync(path, json);
      return { ...complete, LIMITS_FILE: path };
    };
    const { limitExceptions } = readConfig(
      read(`{
        "guilds": {"123456789012345678": {"watches": 0, "commandsPerMinute": 60, "lookupShare": 0.5, "note": "desk"}},
        "users": {"223456789012345678": {"commandsPerMinute": 2, "blocked": true}}
      }`),
    );
    expect(limitExceptions.guilds.get('123456789012345678')).toMatchObject({
      watches: 0,
      commandsPerMinute: 60,
      lookupShare: 0.5,
    });
    expect(limitExceptions.users.get('223456789012345678')).toEqual({ commandsPerMinute: 2, blocked: true });
    const found = faults(
      read(`{
        "guilds": {
          "123456789012345678": {"watches": 1001, "watch": 5, "blocked": "yes"},
          "223456789012345678": {"lookupShare": 0},
          "323456789012345678": 7
        },
        "users": {"423456789012345678": {"watches": 5, "commandsPerMinute": 0}},
        "people": {}
      }`),
    );
    const guild = 'guilds.123456789012345678';
    expect(found.map((fault) => fault.replace(`LIMITS_FILE ${path}: `, '')).toSorted()).toEqual([
      `${guild}.blocked is not yes or no. Accepted: true or false.`,
      `${guild}.watch: not known. Accepted: watches, commandsPerMinute, lookupShare, blocked, note.`,
      `${guild}.watches is not a number of watches. Accepted: a whole number from 0 to 1000.`,
      'guilds.223456789012345678.lookupShare is not a share. Accepted: a number above 0 and up to 1.',
      'guilds.323456789012345678 is not an object. Accepted: {"guilds": {"ID": {…}}, "users": {"ID": {…}}}.',
      'people: not known. Accepted: guilds, users.',
      'users.423456789012345678.commandsPerMinute is not a number of commands. Accepted: a whole number from 1 to 1000000.',
      'users.423456789012345678.watches: not known. Accepted: commandsPerMinute, blocked, note.',
    ]);
    expect(faults(read('{"guilds": {"desk": {}}}'))).toEqual([
      `LIMITS_FILE ${path}: guilds.desk is not an id. Accepted: Discord's id of 17 to 20 digits, in quotes.`,
    ]);
    for (const text of ['{', '[]', '7', 'null', '{"guilds": []}']) expect(faults(read(text))).toHaveLength(1);
  });

  it('names what is wrong with the shards beside all else', () => {
    const found = faults({ ...complete, VENUE_API_KEY: '', SHARDS: '0,4', SHARD_COUNT: '4' });
    expect(found.map((fault) => fault.split(' ')[0])).toEqual(['VENUE_API_KEY', 'SHARDS']);
  });

  it('takes an empty variable for an unset one', () => {
    expect(faults({ ...complete, BUDGET_SHARE: ' ', VENUE_API_KEY: '' })).toHaveLength(1);
  });

  it.each([
    ['BUDGET_SHARE', '0'],
    ['BUDGET_SHARE', '1.1'],
    ['BUDGET_SHARE', 'much'],
    ['CATCH_UP_AFTER_MINUTES', '0'],
    ['WATCHES_PER_GUILD', '1001'],
    ['COMMANDS_PER_MINUTE_USER', '0'],
    ['COMMANDS_PER_MINUTE_GUILD', '1.5'],
    ['LOOKUP_SHARE', '2'],
    ['POLL_CRON', 'every minute'],
    ['STORE_URL', 'mysql://x'],
    ['LOG_LEVEL', 'loud'],
    ['VENUE_BASE_URL', 'api.example.com'],
    ['VENUE_BASE_URL', 'ftp://api.example.com'],
    ['VENUE_BASE_URL', 'https://user:word@api.example.com'],
    ['VENUE_BASE_URL', 'https://api.example.com/?key=1'],
    ['DISCORD_API_URL', 'nowhere'],
    ['HTTP_PORT', '65536'],
    ['HTTP_PORT', '-1'],
    ['HTTP_PORT', '1e3'],
    ['HTTP_HOST', 'http://127.0.0.1'],
    ['HEARTBEAT_URL', 'ftp://ping.example'],
    ['MARKET_URL', 'https://example.com/{slug}'],
    ['TX_URL', 'javascript:alert(1)'],
    ['WALLET_URL', 'https://example.com/'],
    ['SHARD_COUNT', '4'],
    ['ALLOWED_GUILDS', '123456789012345678,my server'],
    ['LIMITS_FILE', '/nowhere/limits.json'],
  ])('names %s when it is "%s", and says what is accepted', (name, value) => {
    expect(faults({ ...complete, [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} .*Accepted:`))]);
  });

  it('serves nothing without a port, and on loopback unless told otherwise', () => {
    expect(readConfig({ ...complete, HTTP_HOST: '0.0.0.0' }).http).toBeNull();
    expect(readConfig({ ...complete, HTTP_PORT: '0' }).http).toEqual({ host: '127.0.0.1', port: 0 });
    expect(readConfig({ ...complete, HTTP_PORT: '9090', HTTP_HOST: '::1' }).http).toEqual({ host: '::1', port: 9090 });
  });

  it('leaves the address of the heartbeat as it is', () => {
    expect(readConfig({ ...complete, HEARTBEAT_URL: 'https://ping.example/a/' }).heartbeatUrl).toBe(
      'https://ping.example/a/',
    );
  });

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
