import * as z from 'zod';
import { storedLanguage } from '../language/stored-language.ts';
import { CONSENSUS_HOURS_LIMIT } from '../portfolio/consensus.ts';
import { type Collection, defineCollection, ownPlace } from '../store/collection.ts';
import { delaySchema } from './delay.ts';
import { ownerIdSchema, snowflake } from './owner.ts';
import { quietSchema } from './quiet-hours.ts';
import { words } from './settings/words.ts';

export const channelSettingsSchema = z.object({
  ownerId: ownerIdSchema,
  channelId: snowflake,
  /** `compact`: one line per alert, several alerts in one embed. */
  view: z.enum(['full', 'compact']).default('full'),
  /**
   * Posts a consensus alert when this many watched wallets buy one outcome within this many hours;
   * null: no consensus alerts.
   */
  consensus: z
    .object({
      wallets: z.int().min(2).max(50),
      hours: z.number().positive().max(CONSENSUS_HOURS_LIMIT),
    })
    .nullable()
    .default(null),
  /**
   * Filter by words in market titles. Alerts must pass it in addition to the watch's own filter.
   */
  words: words.schema,
  /** True: the channel gets no alerts of single trades, redemptions, deposits or withdrawals. */
  consensusOnly: z.boolean().default(false),
  /** True: the channel gets the results of positions that it was alerted to. */
  results: z.boolean().default(true),
  /** Language of the channel's alerts and digests; null: the server's or the person's language. */
  language: storedLanguage('zh-CN').nullable().default(null),
  /** Hours in which everything is posted silently and without mentions; null: none. */
  quiet: quietSchema.nullable().default(null),
  /** Delay of everything posted in the channel; null: none. */
  delay: delaySchema.nullable().default(null),
  /** Number of wallets that were ranked in the channel when their watches ended. */
  rankedBefore: z.int().min(0).default(0),
});

export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

/** Whether these settings delay the channel. */
export function isDelayed(settings: ChannelSettings | undefined): boolean {
  return (settings?.delay ?? null) !== null;
}

export function defaultChannelSettings(ownerId: string, channelId: string): ChannelSettings {
  return channelSettingsSchema.parse({ ownerId, channelId });
}

export const channelSettingsKind = defineCollection({
  prefix: 'channel:',
  schema: channelSettingsSchema,
  belongs: ({ channelId }, id) => channelId === id,
  placeOf: ownPlace,
});
export type ChannelSettingsStore = Collection<ChannelSettings>;
