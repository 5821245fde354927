import { describe, expect, it } from 'vitest';
import { openFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { checkDiscord } from '../../src/cli/doctor/discord.ts';
import { registerAnothers } from '../support/anothers-commands.ts';
import { watchOf } from '../support/watch.ts';

const PAGE = '<html>Who are you?</html>';

const SESSIONS = { total: 1_000, reset_after: 1_000, max_concurrency: 1 };

async function openCheck(...persons: readonly string[]) {
  const { discord, guildId, channelId } = await openFixture();
  const watch = watchOf({ ownerId: guildId, channelId });
  const all = (isBotRunning = false) =>
    checkDiscord(
      { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: TOKEN, sharding: 'auto' },
      [
        watch,
        ...persons.map((ownerId) => ({ ...watch, ownerId, channelId: '300000000000000001' })),
      ],
      isBotRunning,
    );
  const check = async () => {
    const findings = await all();
    return findings
      .filter(({ level }) => level === 'fail')
      .map(({ subject, text }) => `${subject}: ${text}`);
  };
  /** Says what is found about a subject. */
  const about = async (subject: string, isBotRunning = false) =>
    (await all(isBotRunning))
      .filter((finding) => finding.subject === subject)
      .map(({ level, text }) => `${level} ${text}`);
  return { discord, guildId, check, about };
}

describe('the doctor', () => {
  it('says that something else answers, and accuses neither token, server nor channel', async () => {
    const { discord, check } = await openCheck();
    expect(await check()).toEqual([]);
    discord.faults.refuseRest({ status: 401, body: PAGE, route: 'GET /users/@me' });
    expect(await check()).toEqual([
      expect.stringMatching(/^discord: answers 401\..*check DISCORD_API_URL/),
    ]);
    for (const route of ['GET /guilds/:guild', 'GET /channels/:channel']) {
      discord.faults.refuseRest({ status: 404, body: PAGE, route });
      expect(await check()).toEqual([expect.stringMatching(/^discord: cannot be reached/)]);
    }
  });

  it('says for whom the bot can be installed', async () => {
    const { discord, about } = await openCheck();
    expect(await about('install')).toEqual([
      'ok for servers, and for people themselves (User Install).',
    ]);
    const body = { integration_types_config: { 0: {} } };
    discord.faults.refuseRest({ status: 200, body, route: 'GET /applications/@me' });
    expect(await about('install')).toEqual([expect.stringContaining('switch User Install on')]);
  });

  it('names commands of other programs, in all servers and in single ones', async () => {
    const { discord, guildId, about } = await openCheck();
    expect(await about('commands')).toEqual([
      'ok none yet: the bot registers them when it starts.',
    ]);
    await registerAnothers(discord, TOKEN);
    expect(await about('commands')).toEqual([
      expect.stringMatching(
        /^warn not walletbell’s, in all servers: \/ping\. The next start deletes them\. .*New Application/,
      ),
    ]);
    expect(await about('commands', true)).toEqual([
      expect.stringMatching(/\/ping\. .*another program with this token has registered them since/),
    ]);
    await registerAnothers(discord, TOKEN, guildId);
    expect(await about('commands')).toContainEqual(
      expect.stringMatching(
        /^warn registered in the server Traders \(\d+\) .*: \/ping\. .*docs\/operating\.md/,
      ),
    );
  });

  it('says that an Interactions Endpoint URL takes the commands away', async () => {
    const { discord, about } = await openCheck();
    const body = { id: discord.bot.applicationId, interactions_endpoint_url: 'https://x.example' };
    discord.faults.refuseRest({ status: 200, body, route: 'GET /applications/@me', times: 2 });
    expect(await about('commands')).toContainEqual(
      expect.stringMatching(/^fail .*Interactions Endpoint URL.*Delete it/),
    );
  });

  it('names a process that logs in during the check, unless a bot of ours may have', async () => {
    const { discord, about } = await openCheck();
    const look = async (isBotRunning: boolean) => {
      for (const remaining of [990, 989]) {
        const body = { shards: 1, session_start_limit: { ...SESSIONS, remaining } };
        discord.faults.refuseRest({ status: 200, body, route: 'GET /gateway/bot' });
      }
      const found = await about('token', isBotRunning);
      discord.faults.clear();
      return found.filter((text) => text.startsWith('warn'));
    };
    expect(await look(false)).toEqual([
      expect.stringMatching(/990 log-ins were left, then 989.*another program uses the token/),
    ]);
    expect(await look(true)).toEqual([]);
  });

  it('counts people with private watches, and looks at servers’ channels alone', async () => {
    const { about } = await openCheck('@200000000000000001');
    const channels = await about('channels');
    expect(channels).toEqual([
      expect.stringMatching(/^ok 1 of 1 watched channels can be written/),
      expect.stringMatching(/^ok people with private watches: 1\./),
    ]);
  });
});
