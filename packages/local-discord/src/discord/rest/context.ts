import type { Commands } from '../commands.ts';
import type { Events } from '../events.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Interactions } from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';
import type { Nonces } from '../messages/nonce.ts';
import type { World } from '../world/world.ts';

/** The dependencies of the routes. */
export interface RestContext {
  readonly now: () => number;
  readonly newId: () => string;
  readonly world: World;
  readonly messages: Messages;
  readonly commands: Commands;
  readonly interactions: Interactions;
  readonly nonces: Nonces;
  readonly events: Events;
  readonly gateway: Gateway;
  readonly gatewayUrl: () => string;
  /** The error for a message with only embeds if EMBED_LINKS is missing: 50006 or 50013. */
  readonly missingEmbedLinks: 'empty' | 'forbidden';
  /**
   * Whether the bot may send direct messages to people who have installed it but share no server
   * with it.
   */
  readonly installsOpenDms: boolean;
  readonly warn: (route: string, reason: string) => void;
}
