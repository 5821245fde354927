import { InteractionContextType } from 'discord.js';
import type { AnyUse } from '../slash-commands/slash-command.ts';
import { personOwner } from '../watches/owner.ts';

/** Place where a person uses the bot, and the owner whose watches count there. */
export interface Place {
  /**
   * `server`: a server that has invited the bot. `directMessage`: the person's own with the bot.
   * `elsewhere`: a server without the bot or a private channel, where the person's own installation
   * answers.
   */
  readonly kind: 'server' | 'directMessage' | 'elsewhere';
  /** The server, or the person for themselves. */
  readonly ownerId: string;
}

type Placed = Pick<
  AnyUse,
  'guildId' | 'guild' | 'context' | 'authorizingIntegrationOwners' | 'user'
>;

export function placeOf({
  guildId,
  guild,
  context,
  authorizingIntegrationOwners: owners,
  user,
}: Placed): Place {
  // In a server without the bot, the person has installed it. If no owner is named, the gateway
  // knows whether the bot is in the server.
  const isInvited = owners.guildId !== null || (owners.userId === null && guild !== null);
  if (guildId !== null && isInvited) return { kind: 'server', ownerId: guildId };
  const kind =
    guildId === null && context === InteractionContextType.BotDM ? 'directMessage' : 'elsewhere';
  return { kind, ownerId: personOwner(user.id) };
}

/** Returns the channel that a thread belongs to; null outside of threads. */
export function threadParent({ channel }: Pick<AnyUse, 'channel'>): string | null {
  return channel?.isThread() === true ? channel.parentId : null;
}
