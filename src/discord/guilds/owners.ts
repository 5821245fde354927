import { type Client, Events } from 'discord.js';

/**
 * Says who owns each server: as the client learns of it, and whenever it is given to somebody else.
 */
export function learnOwners(
  client: Client,
  learnOwner: (guildId: string, userId: string) => void,
): void {
  // Of a server that is unavailable nothing but its id is known. It is learned when the server is
  // back.
  const learn = ({ id, ownerId }: { readonly id: string; readonly ownerId: unknown }) => {
    if (typeof ownerId === 'string') learnOwner(id, ownerId);
  };
  client.on(Events.GuildAvailable, learn);
  client.on(Events.GuildCreate, learn);
  client.on(Events.GuildUpdate, (_before, guild) => learn(guild));
  client.on(Events.ClientReady, ({ guilds }) => {
    for (const guild of guilds.cache.values()) learn(guild);
  });
}
