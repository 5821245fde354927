import { describe, expect, it } from 'vitest';
import { logIn } from '../../packages/local-discord/test/client.ts';
import { openFixture } from '../../packages/local-discord/test/fixture.ts';
import { checkAlertChannel } from '../../src/discord/permissions.ts';
import { UserError } from '../../src/language/user-error.ts';

describe('the check of a channel', () => {
  it('blames the channel only when Discord says that the bot cannot see it', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const client = await logIn(discord);
    const guild = await client.guilds.fetch(guildId);
    const check = () => {
      guild.channels.cache.delete(channelId);
      client.channels.cache.delete(channelId);
      return checkAlertChannel(guild, channelId, Date.now()).catch((error: unknown) => error);
    };
    expect(await check()).toBeNull();
    const route = 'GET /channels/:channel';
    discord.faults.refuseRest({ status: 404, body: '<html>Where?</html>', route });
    expect(await check()).not.toBeInstanceOf(UserError);
    for (const [status, code] of [
      [404, 10003],
      [403, 50001],
    ] as const) {
      discord.faults.refuseRest({ status, code, route });
      expect(await check()).toBeInstanceOf(UserError);
    }
  });
});
