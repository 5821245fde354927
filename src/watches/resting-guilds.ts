import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { snowflake } from './watch.ts';

export const RESTING_PREFIX = 'resting:';

/** Days for which the watches of a guild that has removed the bot are kept. */
export const RESTING_DAYS = 30;

/** A resting guild, as it is stored. */
export const restingSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  /** Unix seconds by the venue's clock. */
  sinceSeconds: z.number(),
  /** True: the bot was removed, the watches are deleted after 30 days. False: the guild is not served at present. */
  isGone: z.boolean(),
});

/** A guild whose watches are kept, but neither polled nor announced. */
export type RestingGuild = z.infer<typeof restingSchema>;

/** All resting guilds: in memory; in the store a document each, `resting:<guild id>`. */
export interface RestingGuilds {
  /** Adds a stored document, at the start. False if it is not one of a resting guild. */
  load(key: string, document: unknown): boolean;
  get(guildId: string): RestingGuild | undefined;
  all(): readonly RestingGuild[];
  /** Stores, then applies. */
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
