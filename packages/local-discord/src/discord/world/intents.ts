import type { Wire } from '../model.ts';

/** Gateway intents for which the fake Discord has events (events/gateway.mdx). */
export const INTENTS = {
  ALWAYS: 0,
  GUILDS: 1 << 0,
  GUILD_MEMBERS: 1 << 1,
  GUILD_MESSAGES: 1 << 9,
  DIRECT_MESSAGES: 1 << 12,
  MESSAGE_CONTENT: 1 << 15,
} as const;

/**
 * Sends an event to the gateway sessions with this intent, and `redacted` to those that may not
 * read message contents.
 */
export type Dispatch = (event: string, data: Wire, intent: number, redacted?: Wire) => void;
