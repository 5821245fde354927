import { z } from 'zod';
import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';
import type { Store } from '../store/store.ts';
import { snowflake } from './watch.ts';

/** The longest time over which a room may look for consensus. */
export const CONSENSUS_HOURS_LIMIT = 72;

export const CHANNEL_SETTINGS_PREFIX = 'channel:';

const channelSettingsSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  channelId: snowflake,
  /** `compact`: one line an alert, several in one embed. */
  view: z.enum(['full', 'compact']).default('full'),
  /** How many of the watched wallets within how many hours on one outcome are told of; null: none. */
  consensus: z
    .object({ wallets: z.int().min(2).max(50), hours: z.number().positive().max(CONSENSUS_HOURS_LIMIT) })
    .nullable()
    .default(null),
  /** What its alerts and digests are written in; null: what the server speaks. */
  language: z.enum(LANGUAGE_TAGS).nullable().default(null),
});

/** How a channel wants its alerts to look. */
export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

/** A channel that has chosen nothing. */
export function defaultChannelSettings(guildId: string, channelId: string): ChannelSettings {
  return channelSettingsSchema.parse({ version: 1, guildId, channelId });
}

/** What channels have chosen: in memory, each in the store as a document of its own. */
export interface ChannelSettingsStore {
  /** Takes a document that was read at the start. False if it is not a room. */
  load(key: string, document: unknown): boolean;
  /** The channel's choices; undefined if it has made none. */
  get(channelId: string): ChannelSettings | undefined;
  all(): readonly ChannelSettings[];
  /** Stores first, then knows it. */
  set(settings: ChannelSettings): Promise<void>;
  /** Forgets a channel that is gone. */
  forget(channelId: string): Promise<void>;
}

export function createChannelSettings(store: Pick<Store, 'set' | 'delete'>): ChannelSettingsStore {
  const byChannel = new Map<string, ChannelSettings>();
  return {
    load(key, document) {
      const parsed = channelSettingsSchema.safeParse(document);
      if (!parsed.success || CHANNEL_SETTINGS_PREFIX + parsed.data.channelId !== key) return false;
      byChannel.set(parsed.data.channelId, parsed.data);
      return true;
    },
    get: (channelId) => byChannel.get(channelId),
    all: () => [...byChannel.values()],
    async set(settings) {
      await store.set(CHANNEL_SETTINGS_PREFIX + settings.channelId, settings);
      byChannel.set(settings.channelId, settings);
    },
    async forget(channelId) {
      if (!byChannel.has(channelId)) return;
      await store.delete(CHANNEL_SETTINGS_PREFIX + channelId);
      byChannel.delete(channelId);
    },
  };
}

/**
 * What a channel's alerts and digests are written in: its own choice, or else what its server speaks.
 *
 * @param serverLocale Discord's name for the language of a channel's server; undefined if it is not known
 */
export function channelLanguages(
  channelSettings: Pick<ChannelSettingsStore, 'get'>,
  serverLocale: (channelId: string) => string | undefined,
): (channelId: string) => Language {
  return (channelId) => languageFor(channelSettings.get(channelId)?.language ?? serverLocale(channelId));
}
