import type { Commands } from '../commands.ts';
import type { Events } from '../events.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Interactions } from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';
import type { Nonces } from '../messages/nonce.ts';
import type { World } from '../world/world.ts';

/** What the routes work on. */
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
  /** What happens to a message of embeds only where EMBED_LINKS is missing: 50006 or 50013. */
  readonly missingEmbedLinks: 'empty' | 'forbidden';
  /** Whether the bot may write to people who have installed it and are in none of its servers. */
  readonly installsOpenDms: boolean;
  readonly warn: (route: string, reason: string) => void;
}
