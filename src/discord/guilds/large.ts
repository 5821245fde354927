import type { Client, Guild } from 'discord.js';
import type { Machine } from '../../lib/machine.ts';
import { onGuilds } from './owners.ts';

/** Bytes that discord.js keeps for each, measured with Node 20. */
const CHANNEL_BYTES = 1_300;
const ROLE_BYTES = 700;
const OVERWRITE_BYTES = 260;
/** Size above which a server is named in the log, in bytes. */
const LARGE_BYTES = 5_000_000;

/**
 * Logs, once each, the servers that use much memory in the client's cache: a stranger's server uses
 * memory too.
 */
export function nameLargeGuilds({ log }: Machine, client: Client): void {
  const named = new Set<string>();
  const look = (guild: Guild) => {
    const size = sizeOf(guild);
    if (named.has(guild.id) || size.bytes <= LARGE_BYTES) return;
    named.add(guild.id);
    const { channels, roles, overwrites, bytes } = size;
    const megabytes = Math.round(bytes / 1e6);
    log.warn({
      event: 'guild.large',
      guild: guild.id,
      name: guild.name,
      megabytes,
      channels,
      roles,
      overwrites,
    });
  };
  onGuilds(client, look);
}

function sizeOf({ channels, roles }: Guild) {
  let overwrites = 0;
  for (const channel of channels.cache.values()) {
    if ('permissionOverwrites' in channel) overwrites += channel.permissionOverwrites.cache.size;
  }
  const counts = { channels: channels.cache.size, roles: roles.cache.size, overwrites };
  const bytes =
    counts.channels * CHANNEL_BYTES + counts.roles * ROLE_BYTES + overwrites * OVERWRITE_BYTES;
  return { ...counts, bytes };
}
