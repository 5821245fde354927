import { type Client, type Guild, PermissionFlagsBits } from 'discord.js';
import { expect, it } from 'vitest';
import type { CommandContext } from '../../../commands/shared/context.ts';
import { watchScores } from '../../../commands/watch/scores.ts';
import { logIn } from '../../../packages/local-discord/test/client.ts';
import { type Fixture, openFixture } from '../../../packages/local-discord/test/fixture.ts';
import type { ButtonUse, CommandUse } from '../../../src/slash-commands/slash-command.ts';

/**
 * A command of the ordinary member in the fixture's channel that names another channel, as a client
 * of its own could send it.
 */
async function commandAbout(
  fixture: Fixture,
  client: Client,
  guild: Guild,
  channelId: string,
): Promise<CommandUse> {
  const member = await guild.members.fetch(fixture.member.userId);
  const typed = guild.channels.cache.get(fixture.channelId);
  return {
    client,
    guildId: guild.id,
    authorizingIntegrationOwners: { guildId: guild.id },
    user: member.user,
    guild,
    channelId: fixture.channelId,
    member,
    memberPermissions: typed?.permissionsFor(member),
    options: { getChannel: () => ({ id: channelId }) },
    inCachedGuild: () => true,
  } as unknown as CommandUse;
}

it('refuses a channel that whoever asks does not see, also one of no name and one of another server', async () => {
  const fixture = await openFixture();
  const { discord, guildId } = fixture;
  const { id: secret } = discord.createChannel(guildId, { name: 'secret' });
  discord.setOverwrite(secret, {
    id: fixture.member.userId,
    type: 1,
    allow: 0n,
    deny: PermissionFlagsBits.ViewChannel,
  });
  const elsewhere = discord.createGuild({ name: 'Elsewhere' });
  const { id: foreign } = discord.createChannel(elsewhere.id, { name: 'alerts' });
  const client = await logIn(discord);
  const guild = client.guilds.cache.get(guildId);
  if (guild === undefined) throw new Error('The bot is in the server.');
  const place = { kind: 'server', ownerId: guildId };
  const watched = {
    place,
    registry: { ofChannel: () => [{ ownerId: guildId }] },
  } as unknown as CommandContext;
  for (const channelId of [secret, foreign, '100000000000000001']) {
    const interaction = await commandAbout(fixture, client, guild, channelId);
    expect(() => watchScores.check?.(interaction, watched), channelId).toThrow('You can’t see <#');
    const press = {
      ...interaction,
      followUp: () => expect.fail('answered'),
    } as unknown as ButtonUse;
    const pressed = watchScores.press?.(press, [channelId], watched);
    await expect(pressed, 'by the button of an answer').rejects.toThrow('You can’t see <#');
  }
  const here = await commandAbout(fixture, client, guild, fixture.channelId);
  expect(() => watchScores.check?.(here, watched)).not.toThrow();
});
