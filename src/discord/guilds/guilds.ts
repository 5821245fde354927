import { Events, type Guild } from 'discord.js';
import { createGuildLifecycle, type GuildLifecycleDeps } from './guild-lifecycle.ts';
import type { Welcomes } from './welcome.ts';

const UPDATE_MS = 3_600_000;

export interface GuildEventsDeps extends GuildLifecycleDeps {
  readonly welcomes: Welcomes;
}

/**
 * Follows what happens to servers and channels. Watches end with their channel. Those of a server that removes the bot
 * rest for 30 days, and come back with it. A blocked channel is tried again when something has changed that may let the bot
 * write to it. A server that has invited the bot gets a message how to begin.
 *
 * @returns stops what is done every hour
 */
export function followGuildEvents(deps: GuildEventsDeps): () => void {
  const { client, welcomes, log } = deps;
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
  client.on(Events.ClientReady, () =>
    attempt('welcomes', async () => {
      // Which of them have invited the bot meanwhile Discord does not say.
      for (const guild of client.guilds.cache.values()) await welcomes.greet(guild);
    }),
  );
  const onAvailable = async (guild: Guild) => {
    await lifecycle.onAvailable(guild);
    await welcomes.greet(guild);
  };
  const timer = setInterval(() => {
    if (!client.isReady()) return;
    attempt('resting', lifecycle.updateResting);
    attempt('welcomes', welcomes.retry);
  }, UPDATE_MS);
  timer.unref();
  client.on(Events.ChannelDelete, ({ id }) => attempt('channelDelete', () => lifecycle.endChannel(id)));
  client.on(Events.ThreadDelete, ({ id }) => attempt('threadDelete', () => lifecycle.endChannel(id)));
  // Discord sends this also for a guild that is only unavailable; discord.js distinguishes the two.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => lifecycle.rest(id, true)));
  client.on(Events.GuildCreate, (guild) => attempt('guildCreate', () => onAvailable(guild)));
  client.on(Events.GuildAvailable, (guild) => attempt('guildAvailable', () => onAvailable(guild)));
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
