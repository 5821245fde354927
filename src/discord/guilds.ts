import { Events } from 'discord.js';
import { createGuildLifecycle, type GuildLifecycleDeps } from './guild-lifecycle.ts';

const RESTING_UPDATE_MS = 3_600_000;

/**
 * Follows what happens to servers and channels. Watches end with their channel. Those of a server that removes the bot
 * rest for 30 days, and come back with it. A blocked channel is tried again when something has changed that may let the bot
 * write to it.
 *
 * @returns stops the hourly update of resting servers
 */
export function followGuildEvents(deps: GuildLifecycleDeps): () => void {
  const { client, log } = deps;
  const lifecycle = createGuildLifecycle(deps);
  const attempt = (what: string, work: () => Promise<void>) => {
    work().catch((error: unknown) => log.error({ event: 'guilds.not_followed', what, err: error }));
  };

  client.on(Events.ClientReady, () =>
    attempt('clientReady', async () => {
      await lifecycle.updateResting();
      await lifecycle.endMissing();
    }),
  );
  const timer = setInterval(() => {
    if (client.isReady()) attempt('resting', lifecycle.updateResting);
  }, RESTING_UPDATE_MS);
  timer.unref();
  client.on(Events.ChannelDelete, ({ id }) => attempt('channelDelete', () => lifecycle.endChannel(id)));
  client.on(Events.ThreadDelete, ({ id }) => attempt('threadDelete', () => lifecycle.endChannel(id)));
  // Discord sends this also for a guild that is only unavailable; discord.js distinguishes the two.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => lifecycle.rest(id, true)));
  client.on(Events.GuildCreate, (guild) => attempt('guildCreate', () => lifecycle.onAvailable(guild)));
  client.on(Events.GuildAvailable, (guild) => attempt('guildAvailable', () => lifecycle.onAvailable(guild)));
  client.on(Events.GuildRoleUpdate, (_before, { guild }) =>
    attempt('roleUpdate', () => lifecycle.unblockChannels(guild.id)),
  );
  client.on(Events.GuildRoleDelete, ({ guild }) => attempt('roleDelete', () => lifecycle.unblockChannels(guild.id)));
  client.on(Events.ThreadUpdate, (_before, { guild }) =>
    attempt('threadUpdate', () => lifecycle.unblockChannels(guild.id)),
  );
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) attempt('channelUpdate', () => lifecycle.unblockChannels(channel.guild.id));
  });
  client.on(Events.GuildMemberUpdate, (_before, member) => {
    if (member.id === client.user?.id) attempt('memberUpdate', () => lifecycle.unblockChannels(member.guild.id));
  });
  return () => clearInterval(timer);
}
