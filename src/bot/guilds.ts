import { type Client, Events, type Guild } from 'discord.js';
import type { Logger } from 'pino';
import type { Courier } from '../alert/courier.ts';
import type { Digests } from '../digest/clerk.ts';
import type { Registry } from '../watch/registry.ts';
import type { Rooms } from '../watch/rooms.ts';
import { mayRing } from './channel-check.ts';

export interface GuildsDeps {
  readonly client: Client;
  readonly registry: Registry;
  readonly rooms: Rooms;
  readonly digests: Pick<Digests, 'documents' | 'trouble' | 'reconsider'>;
  readonly courier: Courier;
  readonly log: Logger;
}

/**
 * Follows what happens to servers and channels: watches end with their channel or server, and a blocked channel is
 * tried again when something has changed that may let it be written.
 */
export function keepInStep({ client, registry, rooms, digests, courier, log }: GuildsDeps): void {
  const attempt = (what: string, work: () => Promise<void>) => {
    work().catch((error: unknown) => log.error({ event: 'guilds.not_followed', what, err: error }));
  };

  const endChannel = async (channelId: string) => {
    for (const { wallet } of registry.ofChannel(channelId)) await registry.remove(channelId, wallet);
    await courier.forget(channelId);
    await rooms.forget(channelId);
    await digests.documents.change(channelId, () => undefined);
  };

  const digestsOf = (guildId: string) => digests.documents.all().filter((digest) => digest.guildId === guildId);

  const endGuild = async (guildId: string) => {
    const channelIds = new Set([...registry.ofGuild(guildId), ...digestsOf(guildId)].map(({ channelId }) => channelId));
    for (const channelId of channelIds) await endChannel(channelId);
  };

  const tryAgain = async (guild: Pick<Guild, 'id'>) => {
    const channelIds = new Set(registry.ofGuild(guild.id).map(({ channelId }) => channelId));
    for (const channelId of courier.blockedChannels()) {
      if (channelIds.has(channelId) && mayRing(client, channelId) !== false) await courier.unblock(channelId);
    }
    for (const { channelId } of digestsOf(guild.id)) {
      if (digests.trouble(channelId) !== null && mayRing(client, channelId) !== false) digests.reconsider(channelId);
    }
  };

  client.on(Events.ChannelDelete, ({ id }) => attempt('channelDelete', () => endChannel(id)));
  client.on(Events.ThreadDelete, ({ id }) => attempt('threadDelete', () => endChannel(id)));
  // Discord also says this of a server that is only unavailable; discord.js tells the two apart.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => endGuild(id)));
  client.on(Events.GuildCreate, (guild) => attempt('guildCreate', () => tryAgain(guild)));
  client.on(Events.GuildAvailable, (guild) => attempt('guildAvailable', () => tryAgain(guild)));
  client.on(Events.GuildRoleUpdate, (_before, { guild }) => attempt('roleUpdate', () => tryAgain(guild)));
  client.on(Events.ThreadUpdate, (_before, { guild }) => attempt('threadUpdate', () => tryAgain(guild)));
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) attempt('channelUpdate', () => tryAgain(channel.guild));
  });
  client.on(Events.GuildMemberUpdate, (_before, member) => {
    if (member.id === client.user?.id) attempt('memberUpdate', () => tryAgain(member.guild));
  });
}
