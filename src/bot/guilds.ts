import { type Client, DiscordAPIError, Events, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Logger } from 'pino';
import type { Courier } from '../alert/courier.ts';
import type { Digests } from '../digest/clerk.ts';
import type { Registry } from '../watch/registry.ts';
import type { Rooms } from '../watch/rooms.ts';
import { mayRing } from './channel-check.ts';
import { isOwnGuild } from './shards.ts';

export interface GuildsDeps {
  readonly client: Client;
  readonly registry: Registry;
  readonly rooms: Rooms;
  readonly digests: Pick<Digests, 'documents' | 'unblock'>;
  readonly courier: Courier;
  readonly log: Logger;
}

/** What Discord answers about a server that the bot is not in. */
const UNKNOWN_GUILD: readonly unknown[] = [RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess];
const UNKNOWN_CHANNEL: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel];
const FOREIGN_ADVICE =
  'The store holds watches of servers on shards that this process does not take. They ring from here; a process that has them in its own store as well rings them twice.';

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

  const roomsOf = (guildId: string) => rooms.all().filter((room) => room.guildId === guildId);
  const channelsOf = (guildId: string) =>
    new Set(
      [...registry.ofGuild(guildId), ...digestsOf(guildId), ...roomsOf(guildId)].map(({ channelId }) => channelId),
    );

  const endGuild = async (guildId: string) => {
    for (const channelId of channelsOf(guildId)) await endChannel(channelId);
  };

  /** What went while the bot was away is missing in what Discord tells at the start; it is asked before anything ends. */
  const endMissing = async () => {
    const known = new Set([
      ...registry.guilds(),
      ...[...digests.documents.all(), ...rooms.all()].map(({ guildId }) => guildId),
    ]);
    // Of servers on other processes' shards nothing is known here.
    const guildIds = [...known].filter((guildId) => isOwnGuild(client, guildId));
    const foreign = known.size - guildIds.length;
    if (foreign > 0) log.warn({ event: 'guilds.of_other_shards', guilds: foreign, advice: FOREIGN_ADVICE });
    // A bot that is in none of them may be another one, which has yet to be invited.
    if (!guildIds.some((guildId) => client.guilds.cache.has(guildId))) return;
    for (const guildId of guildIds) {
      const guild = client.guilds.cache.get(guildId);
      if (guild === undefined) {
        if (!(await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD))) continue;
        log.info({ event: 'guild.left_meanwhile', guild: guildId });
        await endGuild(guildId);
      } else if (guild.available) {
        for (const channelId of channelsOf(guildId)) {
          if (client.channels.cache.has(channelId)) continue;
          if (!(await isRefused(client, Routes.channel(channelId), UNKNOWN_CHANNEL))) continue;
          log.info({ event: 'channel.deleted_meanwhile', guild: guildId, channel: channelId });
          await endChannel(channelId);
        }
      }
    }
  };

  const tryAgain = async (guild: Pick<Guild, 'id'>) => {
    // Also those that are not known to be blocked: the answer that says so may be on its way.
    for (const channelId of new Set(registry.ofGuild(guild.id).map((watch) => watch.channelId))) {
      if (mayRing(client, channelId) !== false) await courier.unblock(channelId);
    }
    for (const { channelId } of digestsOf(guild.id)) {
      if (mayRing(client, channelId) !== false) digests.unblock(channelId);
    }
  };

  client.on(Events.ClientReady, () => attempt('clientReady', endMissing));
  client.on(Events.ChannelDelete, ({ id }) => attempt('channelDelete', () => endChannel(id)));
  client.on(Events.ThreadDelete, ({ id }) => attempt('threadDelete', () => endChannel(id)));
  // Discord also says this of a server that is only unavailable; discord.js tells the two apart.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => endGuild(id)));
  client.on(Events.GuildCreate, (guild) => attempt('guildCreate', () => tryAgain(guild)));
  client.on(Events.GuildAvailable, (guild) => attempt('guildAvailable', () => tryAgain(guild)));
  client.on(Events.GuildRoleUpdate, (_before, { guild }) => attempt('roleUpdate', () => tryAgain(guild)));
  client.on(Events.GuildRoleDelete, ({ guild }) => attempt('roleDelete', () => tryAgain(guild)));
  client.on(Events.ThreadUpdate, (_before, { guild }) => attempt('threadUpdate', () => tryAgain(guild)));
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) attempt('channelUpdate', () => tryAgain(channel.guild));
  });
  client.on(Events.GuildMemberUpdate, (_before, member) => {
    if (member.id === client.user?.id) attempt('memberUpdate', () => tryAgain(member.guild));
  });
}

/** Whether Discord refuses to show something with one of these codes; any other failure tells nothing. */
async function isRefused(client: Client, route: `/${string}`, codes: readonly unknown[]): Promise<boolean> {
  try {
    await client.rest.get(route);
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && codes.includes(error.code);
  }
}
