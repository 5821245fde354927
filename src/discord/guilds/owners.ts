import { type Client, Events } from 'discord.js';

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
  client.on(Events.GuildAvailable, learn);
  client.on(Events.GuildCreate, learn);
  client.on(Events.GuildUpdate, (_before, guild) => learn(guild));
  client.on(Events.ClientReady, ({ guilds }) => {
    for (const guild of guilds.cache.values()) learn(guild);
  });
}
