import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../e2e/fixture.ts';
import { answering } from '../support/answering.ts';
import { doctor, doctorEnvironment } from '../support/doctor.ts';
import { within } from '../support/thorough.ts';

interface SetUp {
  /**
   * Breaks it.
   *
   * @returns the variables that differ
   */
  readonly broken: (fixture: Fixture) => Promise<Record<string, string>>;
  /** Line that names what is wrong, and what to do. */
  readonly named: RegExp;
}

/** Broken set-ups, by their names: those of which no other test shows what the doctor says. */
const SET_UPS: Readonly<Record<string, SetUp>> = {
  'a path too many in VENUE_BASE_URL': {
    broken: async ({ venue }) => ({ VENUE_BASE_URL: `${venue.url}/api` }),
    named:
      /^fail {2}venue .*of whatever wallet\. Check that VENUE_BASE_URL is the API itself\. .*it has \/api\.$/,
  },
  'another web server as the venue': {
    broken: async () => {
      const { origin } = await answering((_, response) => void response.end('<html>Hello</html>'));
      return { VENUE_BASE_URL: origin };
    },
    named: /^fail {2}venue .*Check that VENUE_BASE_URL is the API itself/,
  },
  'no file of a secret': {
    broken: async () => ({ DISCORD_TOKEN: '', DISCORD_TOKEN_FILE: '/nowhere/token' }),
    named: /^fail {2}variables .*DISCORD_TOKEN_FILE cannot be read: ENOENT.*Accepted: the path/,
  },
  'a pattern that is no cron': {
    broken: async () => ({ POLL_CRON: 'now' }),
    named: /^fail {2}variables .*POLL_CRON.*Accepted/,
  },
  'a store where nothing can be written': {
    broken: async () => ({ STORE_URL: 'sqlite:///proc/walletbell/store.sqlite' }),
    named: /^fail {2}store .*(?:Name another file in STORE_URL|Give it the right)/,
  },
  'no file of limits': {
    broken: async ({ directory }) => ({ LIMITS_FILE: join(directory, 'limits.json') }),
    named:
      /^warn {2}limits .*LIMITS_FILE: there is no \S+limits\.json yet.*Make it, or check the path\.$/,
  },
};

describe('the doctor names', { timeout: within(60_000) }, () => {
  it.each(Object.keys(SET_UPS))('%s', async (name) => {
    const setUp = SET_UPS[name];
    if (setUp === undefined) throw new TypeError(name);
    const fixture = await openFixture({ withoutBot: true });
    const changes = await setUp.broken(fixture);
    const { lines, exitCode } = await doctor({ ...doctorEnvironment(fixture), ...changes });
    expect(lines).toContainEqual(expect.stringMatching(setUp.named));
    expect(exitCode).toBe(lines.some((line) => line.startsWith('fail')) ? 1 : 0);
  });
});
