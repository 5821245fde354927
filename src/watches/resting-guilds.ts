import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { snowflake } from './watch.ts';

export const RESTING_PREFIX = 'resting:';

/** How long the watches of a server that has removed the bot are kept. */
export const RESTING_DAYS = 30;

const restingSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  /** Unix seconds by the venue's clock. */
  sinceSeconds: z.number(),
  /** The bot has been removed: deleted after 30 days. Else the server is not served at present, and its watches are kept. */
  isGone: z.boolean(),
});

/** A server whose watches are kept, but neither polled for nor told of. */
export type RestingGuild = z.infer<typeof restingSchema>;

/** The servers that rest: in memory, each in the store as a document of its own. */
export interface RestingGuilds {
  /** Takes a document that was read at the start. False if it is not such a server's. */
  load(key: string, document: unknown): boolean;
  get(guildId: string): RestingGuild | undefined;
  all(): readonly RestingGuild[];
  /** Stores first, then knows it. */
  set(guild: RestingGuild): Promise<void>;
  delete(guildId: string): Promise<void>;
}

export function createRestingGuilds(store: Pick<Store, 'set' | 'delete'>): RestingGuilds {
  const byGuild = new Map<string, RestingGuild>();
  return {
    load(key, document) {
      const parsed = restingSchema.safeParse(document);
      if (!parsed.success || RESTING_PREFIX + parsed.data.guildId !== key) return false;
      byGuild.set(parsed.data.guildId, parsed.data);
      return true;
    },
    get: (guildId) => byGuild.get(guildId),
    all: () => [...byGuild.values()],
    async set(guild) {
      await store.set(RESTING_PREFIX + guild.guildId, guild);
      byGuild.set(guild.guildId, guild);
    },
    async delete(guildId) {
      await store.delete(RESTING_PREFIX + guildId);
      byGuild.delete(guildId);
    },
  };
}
