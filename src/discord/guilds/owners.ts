import { type Client, Events, type Guild } from 'discord.js';

/** Reports each server's owner: when the client learns it, and when ownership changes. */
export function learnOwners(
  client: Client,
  learnOwner: (guildId: string, userId: string) => void,
): void {
  // For an unavailable server only the id is known. Its owner is reported once it is available
  // again.
  const learn = ({ id, ownerId }: { readonly id: string; readonly ownerId: unknown }) => {
    if (typeof ownerId === 'string') learnOwner(id, ownerId);
  };
  onGuilds(client, learn);
  client.on(Events.GuildUpdate, (_before, guild) => learn(guild));
}

/** Calls a function with each server that the client learns about. */
export function onGuilds(client: Client, look: (guild: Guild) => void): void {
  client.on(Events.GuildCreate, look);
  client.on(Events.GuildAvailable, look);
  client.on(Events.ClientReady, ({ guilds }) => guilds.cache.forEach(look));
}
