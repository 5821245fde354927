import * as z from 'zod';
import { LANGUAGE_TAGS, type Language, languageFor } from '../language/language.ts';
import type { Store } from '../store/store.ts';
import { ownerIdSchema, snowflake } from './owner.ts';

/** The longest window of a consensus rule, hours. */
export const CONSENSUS_HOURS_LIMIT = 72;

export const CHANNEL_SETTINGS_PREFIX = 'channel:';

/** Channel settings, as they are stored. */
export const channelSettingsSchema = z.object({
  version: z.literal(1),
  ownerId: ownerIdSchema,
  channelId: snowflake,
  /** `compact`: one line an alert, several in one embed. */
  view: z.enum(['full', 'compact']).default('full'),
  /** A consensus alert when so many watched wallets buy one outcome within so many hours; null: none. */
  consensus: z
    .object({ wallets: z.int().min(2).max(50), hours: z.number().positive().max(CONSENSUS_HOURS_LIMIT) })
    .nullable()
    .default(null),
  /** Whether it is told what became of what it was alerted to. */
  results: z.boolean().default(true),
  /** Of its alerts and digests; null: the guild's, or the person's. */
  language: z.enum(LANGUAGE_TAGS).nullable().default(null),
  /** How many wallets were ranked in the channel when their watches ended. */
  rankedBefore: z.int().min(0).default(0),
});

/** What `/watch channel` has set for a channel. */
export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

/** The settings of a channel for which none are stored. */
export function defaultChannelSettings(ownerId: string, channelId: string): ChannelSettings {
  return channelSettingsSchema.parse({ version: 1, ownerId, channelId });
}

/** All channel settings: in memory; in the store a document each, `channel:<channel id>`. */
export interface ChannelSettingsStore {
  /** Adds a stored document, at the start. False if it is not one of channel settings. */
  load(key: string, document: unknown): boolean;
  /** Undefined if none are stored. */
  get(channelId: string): ChannelSettings | undefined;
  all(): readonly ChannelSettings[];
  /** Stores, then applies. */
  set(settings: ChannelSettings): Promise<void>;
  /** Counts a wallet that was ranked in the channel and is watched no more. */
  countRanked(ownerId: string, channelId: string): Promise<void>;
  /** Deletes the settings of a channel that is gone. */
  forget(channelId: string): Promise<void>;
}

export function createChannelSettings(store: Pick<Store, 'set' | 'delete'>): ChannelSettingsStore {
  const byChannel = new Map<string, ChannelSettings>();
  const set = async (settings: ChannelSettings) => {
    await store.set(CHANNEL_SETTINGS_PREFIX + settings.channelId, settings);
    byChannel.set(settings.channelId, settings);
  };
  return {
    load(key, document) {
      const parsed = channelSettingsSchema.safeParse(document);
      if (!parsed.success || CHANNEL_SETTINGS_PREFIX + parsed.data.channelId !== key) return false;
      byChannel.set(parsed.data.channelId, parsed.data);
      return true;
    },
    get: (channelId) => byChannel.get(channelId),
    all: () => [...byChannel.values()],
    set,
    countRanked(ownerId, channelId) {
      const settings = byChannel.get(channelId) ?? defaultChannelSettings(ownerId, channelId);
      return set({ ...settings, rankedBefore: settings.rankedBefore + 1 });
    },
    async forget(channelId) {
      if (!byChannel.has(channelId)) return;
      await store.delete(CHANNEL_SETTINGS_PREFIX + channelId);
      byChannel.delete(channelId);
    },
  };
}

/**
 * The language of a channel's alerts and digests: its own setting, else its guild's or its person's language.
 *
 * @param serverLocale Discord's locale of a channel's guild or person; undefined if it is not known
 */
export function channelLanguages(
  channelSettings: Pick<ChannelSettingsStore, 'get'>,
  serverLocale: (channelId: string) => string | undefined,
): (channelId: string) => Language {
  return (channelId) => languageFor(channelSettings.get(channelId)?.language ?? serverLocale(channelId));
}
