import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fixture, openFixture, TOKEN } from '../e2e/fixture.ts';
import { registerAnothers } from '../support/anothers-commands.ts';
import { answering } from '../support/answering.ts';
import { doctor, doctorEnvironment } from '../support/doctor.ts';
import { within } from '../support/thorough.ts';

interface SetUp {
  /**
   * Breaks it.
   *
   * @returns variables that differ, or names in `.env`, or another Node.js
   */
  readonly broken: (fixture: Fixture) => Promise<{
    readonly environment?: Readonly<Record<string, string>>;
    readonly fileNames?: readonly string[];
    readonly node?: string;
  }>;
  /** Line that names what is wrong, and what to do. */
  readonly named: RegExp;
}

/** A file in the fixture's folder. */
function fileOf({ directory }: Fixture, name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function withoutToken(fixture: Fixture, path: string) {
  return {
    environment: { ...doctorEnvironment(fixture), DISCORD_TOKEN: '', DISCORD_TOKEN_FILE: path },
  };
}

/** Broken set-ups, by their names. */
const SET_UPS: Readonly<Record<string, SetUp>> = {
  'a path too many in VENUE_BASE_URL': {
    broken: async ({ venue }) => ({ environment: { VENUE_BASE_URL: `${venue.url}/api` } }),
    named: /^fail {2}venue .*Check that VENUE_BASE_URL is the API itself.*it has \/api\.$/,
  },
  'another web server as the venue': {
    broken: async () => {
      const { origin } = await answering((_, response) => void response.end('<html>Hello</html>'));
      return { environment: { VENUE_BASE_URL: origin } };
    },
    named: /^fail {2}venue .*Check that VENUE_BASE_URL is the API itself/,
  },
  'a misspelt variable in .env': {
    broken: async () => ({ environment: { ALLOWED_GUILD: '1' }, fileNames: ['ALLOWED_GUILD'] }),
    named: /^warn {2}variables .*ALLOWED_GUILD is no variable .*Is ALLOWED_GUILDS meant\?$/,
  },
  'a misspelt variable in the environment': {
    broken: async () => ({ environment: { HTTP_PROT: '9464' } }),
    named: /^warn {2}variables .*HTTP_PROT is no variable .*Is HTTP_PORT meant\?$/,
  },
  'no file of a secret': {
    broken: async (fixture) => withoutToken(fixture, '/nowhere/token'),
    named: /^fail {2}variables .*DISCORD_TOKEN_FILE cannot be read: ENOENT.*Accepted: the path/,
  },
  'a folder in the place of a secret': {
    broken: async (fixture) => {
      const path = join(fixture.directory, 'token');
      mkdirSync(path);
      return withoutToken(fixture, path);
    },
    named: /^fail {2}variables .*DISCORD_TOKEN_FILE names no file\. Accepted: the path/,
  },
  'a newline inside of a secret': {
    broken: async (fixture) => withoutToken(fixture, fileOf(fixture, 'token', 'planted\nx\n')),
    named:
      /^fail {2}variables .*DISCORD_TOKEN_FILE names a file of several lines\. Accepted: the path/,
  },
  'a secret and another one in a file': {
    broken: async (fixture) => ({
      environment: { VENUE_API_KEY_FILE: fileOf(fixture, 'key', 'planted-other\n') },
    }),
    named: /^fail {2}variables .*VENUE_API_KEY and VENUE_API_KEY_FILE are both set\. Accepted: one/,
  },
  'a pattern that is no cron': {
    broken: async () => ({ environment: { POLL_CRON: 'now' } }),
    named: /^fail {2}variables .*POLL_CRON.*Accepted/,
  },
  'a refused token': {
    broken: async () => ({ environment: { DISCORD_TOKEN: 'planted.wrong.token' } }),
    named: /^fail {2}token .*refuses it \(401\)\. Check DISCORD_TOKEN/,
  },
  'a refused key': {
    broken: async () => ({ environment: { VENUE_API_KEY: 'planted-wrong-key' } }),
    named: /^fail {2}venue .*refused the key \(401.*Check VENUE_API_KEY/,
  },
  'a Discord that is not there': {
    broken: async () => ({ environment: { DISCORD_API_URL: 'http://127.0.0.1:65530' } }),
    named: /^fail {2}discord .*ECONNREFUSED.*Check the network and DISCORD_API_URL/,
  },
  'a store that another process has': {
    broken: async (fixture) => {
      await fixture.startBot();
      return {};
    },
    named: /^ok {4}store .*in use by a running walletbell.*A second one is refused\.$/,
  },
  'a second process with the token': {
    broken: async ({ discord }) => {
      for (const remaining of [990, 989]) {
        const limit = { total: 1_000, remaining, reset_after: 1_000, max_concurrency: 1 };
        const body = { shards: 1, session_start_limit: limit };
        discord.faults.refuseRest({ status: 200, body, route: 'GET /gateway/bot' });
      }
      return {};
    },
    named: /^warn {2}token .*another program uses the token.*needs a token of its own/,
  },
  'commands of another program': {
    broken: async (fixture) => {
      await registerAnothers(fixture.discord, TOKEN);
      return {};
    },
    named: /^warn {2}commands .*\/ping\. The next start deletes them\. .*New Application/,
  },
  'commands of another program in one server': {
    broken: async (fixture) => {
      await registerAnothers(fixture.discord, TOKEN, fixture.guildId);
      return {};
    },
    named: /^warn {2}commands .*Desk \(\d+\).*\/ping\. .*To delete them: docs\/operating\.md/,
  },
  'an Interactions Endpoint URL': {
    broken: async ({ discord }) => {
      const body = {
        id: discord.bot.applicationId,
        interactions_endpoint_url: 'https://x.example',
      };
      const route = 'GET /applications/@me';
      discord.faults.refuseRest({ status: 200, body, route, times: 2 });
      return {};
    },
    named: /^fail {2}commands .*Interactions Endpoint URL.*Delete it/,
  },
  'a port that another program has': {
    broken: async () => {
      const { port } = await answering((_, response) => void response.end('Hello'));
      return { environment: { HTTP_PORT: String(port) } };
    },
    named: /^fail {2}http .*HTTP_PORT \d+ .*another program has the port/,
  },
  'a store where nothing can be written': {
    broken: async () => ({ environment: { STORE_URL: 'sqlite:///proc/walletbell/store.sqlite' } }),
    named: /^fail {2}store .*(?:Name another file in STORE_URL|Give it the right)/,
  },
  'a folder in the place of the store': {
    broken: async ({ directory }) => ({ environment: { STORE_URL: `sqlite://${directory}` } }),
    named: /^fail {2}store .*is a folder.*STORE_URL/,
  },
  'no file of limits': {
    broken: async ({ directory }) => ({
      environment: { LIMITS_FILE: join(directory, 'limits.json') },
    }),
    named:
      /^warn {2}limits .*LIMITS_FILE: there is no \S+limits\.json yet.*Make it, or check the path\.$/,
  },
  'a Node.js without security fixes': {
    broken: async () => ({ node: '20.19.0' }),
    named: /^warn {2}node .*no security fixes since 2026-04-30\. Use Node\.js 24 or 26\.$/,
  },
};

describe('the doctor names', { timeout: within(60_000) }, () => {
  it.each(Object.keys(SET_UPS))('%s', async (name) => {
    const setUp = SET_UPS[name];
    if (setUp === undefined) throw new TypeError(name);
    const fixture = await openFixture({ withoutBot: true });
    const { environment = {}, ...options } = await setUp.broken(fixture);
    const all = { ...doctorEnvironment(fixture), ...environment };
    const { lines, exitCode } = await doctor(all, options);
    expect(lines).toContainEqual(expect.stringMatching(setUp.named));
    expect(exitCode).toBe(lines.some((line) => line.startsWith('fail')) ? 1 : 0);
  });
});
