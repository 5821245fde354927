import { type Client, Events, type Guild } from 'discord.js';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { personOf } from '../../watches/owner.ts';
import { isOwnGuild } from '../gateway/shards.ts';
import { type Attempt, createGuildUpdates, type GuildUpdates } from './updates.ts';

const UPDATE_MS = HOUR_MS;

/**
 * Reacts to events of servers and channels. A watch is deleted with its channel. The watches of a
 * server that removes the bot are suspended for 30 days, and resume if the bot returns. A blocked
 * channel is retried after a change that may let the bot write to it. A server that has invited the
 * bot gets a message about how to begin.
 *
 * @returns stops the hourly work, and waits until deleted channels are removed from the store
 */
export function followGuildEvents(
  machine: Machine,
  parts: Parameters<typeof createGuildUpdates>[1],
): () => Promise<void> {
  const { log } = machine;
  const { client, ownerData, suspended, admission, welcomes } = parts;
  const attempt: Attempt = (what, work) =>
    work().catch((error: unknown) => log.error({ event: 'guilds.not_followed', what, err: error }));
  const updates = createGuildUpdates(machine, parts, attempt);
  const ending = new Set<Promise<void>>();
  const end = ({ id }: { readonly id: string }) => {
    const ended = attempt('channelDelete', () => ownerData.endChannel(id)).finally(() =>
      ending.delete(ended),
    );
    ending.add(ended);
  };
  admission.listen((ownerIds) => {
    for (const ownerId of ownerIds) {
      if (personOf(ownerId) === null) void attempt('limits', () => updates.admit(ownerId));
    }
  });
  client.on(Events.ClientReady, () => attempt('clientReady', updates.updateAll));
  // Servers listed in READY itself have no event of their own.
  client.on(Events.ClientReady, ({ guilds }) =>
    attempt('welcomes', async () => {
      for (const guild of guilds.cache.values()) await welcomes.greet(guild);
    }),
  );
  const timer = setInterval(() => {
    if (!client.isReady()) return;
    attempt('resting', async () => {
      for (const { ownerId } of suspended.all()) {
        if (personOf(ownerId) === null && isOwnGuild(client, ownerId)) {
          await updates.update(ownerId);
        }
      }
    });
    attempt('welcomes', welcomes.retry);
  }, UPDATE_MS).unref();
  client.on(Events.ChannelDelete, end);
  client.on(Events.ThreadDelete, end);
  // Discord also sends this for a guild that is only unavailable; discord.js distinguishes the two.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => updates.onRemoved(id)));
  client.on(Events.GuildCreate, (guild) =>
    attempt('guildCreate', () => updates.onAvailable(guild)),
  );
  client.on(Events.GuildAvailable, (guild) =>
    attempt('guildAvailable', () => updates.onAvailable(guild)),
  );
  followRights(client, updates, attempt);
  return async () => {
    clearInterval(timer);
    updates.stop();
    await Promise.all(ending);
  };
}

/**
 * Retries a guild's channels after each change that may have given the bot the permission to write.
 */
function followRights(
  client: Client,
  updates: Pick<GuildUpdates, 'lookAgain' | 'followTimeOut'>,
  attempt: Attempt,
): void {
  const lookAgain = (what: string, guild: Guild) => attempt(what, () => updates.lookAgain(guild));
  client.on(Events.GuildRoleUpdate, (_before, { guild }) => lookAgain('roleUpdate', guild));
  client.on(Events.GuildRoleDelete, ({ guild }) => lookAgain('roleDelete', guild));
  client.on(Events.ThreadUpdate, (_before, { guild }) => lookAgain('threadUpdate', guild));
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) lookAgain('channelUpdate', channel.guild);
  });
  client.on(Events.GuildMemberUpdate, (_before, member) => {
    if (member.id === client.user?.id) {
      attempt('memberUpdate', () => updates.followTimeOut(member.guild));
    }
  });
}
