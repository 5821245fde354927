import { type Client, Events } from 'discord.js';

/**
 * Says who owns each server: as the client learns of it, and whenever it is given to somebody else.
 */
export function learnOwners(
  client: Client,
  learn: (guildId: string, userId: string) => void,
): void {
  client.on(Events.GuildAvailable, ({ id, ownerId }) => learn(id, ownerId));
  client.on(Events.GuildCreate, ({ id, ownerId }) => learn(id, ownerId));
  client.on(Events.GuildUpdate, (_before, { id, ownerId }) => learn(id, ownerId));
  client.on(Events.ClientReady, ({ guilds }) => {
    for (const { id, ownerId } of guilds.cache.values()) learn(id, ownerId);
  });
}
