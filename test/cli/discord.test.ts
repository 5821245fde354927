import { describe, expect, it } from 'vitest';
import { openFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { checkDiscord } from '../../src/cli/doctor/discord.ts';
import { watchOf } from '../support/watch.ts';

const PAGE = '<html>Who are you?</html>';

async function openCheck(...persons: readonly string[]) {
  const { discord, guildId, channelId } = await openFixture();
  const watch = watchOf({ ownerId: guildId, channelId });
  const all = () =>
    checkDiscord({ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: TOKEN, sharding: 'auto' }, [
      watch,
      ...persons.map((ownerId) => ({ ...watch, ownerId, channelId: '300000000000000001' })),
    ]);
  const check = async () => {
    const findings = await all();
    return findings
      .filter(({ level }) => level === 'fail')
      .map(({ subject, text }) => `${subject}: ${text}`);
  };
  return { discord, check, all };
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
    const { discord, all } = await openCheck();
    const install = async () =>
      (await all()).flatMap(({ subject, text }) => (subject === 'install' ? [text] : []));
    expect(await install()).toEqual(['for servers, and for people themselves (User Install).']);
    const body = { integration_types_config: { 0: {} } };
    discord.faults.refuseRest({ status: 200, body, route: 'GET /applications/@me' });
    expect(await install()).toEqual([expect.stringContaining('switch User Install on')]);
  });

  it('counts people with private watches, and looks at servers’ channels alone', async () => {
    const { all } = await openCheck('@200000000000000001');
    const channels = (await all()).filter(({ subject }) => subject === 'channels');
    expect(channels).toEqual([
      {
        level: 'ok',
        subject: 'channels',
        text: expect.stringMatching(/^1 of 1 watched channels can be written/),
      },
      {
        level: 'ok',
        subject: 'channels',
        text: expect.stringMatching(/^people with private watches: 1\./),
      },
    ]);
  });
});
