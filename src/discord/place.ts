import { InteractionContextType } from 'discord.js';
import { personOwner } from '../watches/owner.ts';
import type { AnyUse } from './slash-command.ts';

/** Where somebody uses the bot, and whose watches count there. */
export interface Place {
  /**
   * `server`: one that has invited the bot. `directMessage`: the person's own with the bot. `elsewhere`: a server without it or a
   * private channel, where the person's own installation answers.
   */
  readonly kind: 'server' | 'directMessage' | 'elsewhere';
  /** The server, or the person for themselves. */
  readonly ownerId: string;
}

type Placed = Pick<AnyUse, 'guildId' | 'context' | 'authorizingIntegrationOwners' | 'user'>;

export function placeOf({ guildId, context, authorizingIntegrationOwners, user }: Placed): Place {
  // In a server without the bot it is the person who has installed it.
  if (guildId !== null && authorizingIntegrationOwners.guildId !== null) return { kind: 'server', ownerId: guildId };
  const kind = guildId === null && context === InteractionContextType.BotDM ? 'directMessage' : 'elsewhere';
  return { kind, ownerId: personOwner(user.id) };
}

/** Whose watches count where somebody uses the bot: the server's, or the person's own. */
export function ownerOf(interaction: Placed): string {
  return placeOf(interaction).ownerId;
}
