import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

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
      watchesPerGuild: 200,
      commandsPerMinuteUser: 12,
      commandsPerMinuteGuild: 30,
      lookupShare: 0.25,
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
