import * as z from 'zod';
import { storedLanguage } from '../language/stored-language.ts';
import { CONSENSUS_HOURS_LIMIT } from '../portfolio/consensus.ts';
import { type Collection, defineCollection } from '../store/collection.ts';
import { delaySchema } from './delay.ts';
import { ownerIdSchema, snowflake } from './owner.ts';
import { quietSchema } from './quiet-hours.ts';
import { words } from './settings/words.ts';

export const channelSettingsSchema = z.object({
  ownerId: ownerIdSchema,
  channelId: snowflake,
  /** `compact`: one line an alert, several in one embed. */
  view: z.enum(['full', 'compact']).default('full'),
  /**
   * A consensus alert when so many watched wallets buy one outcome within so many hours; null:
   * none.
   */
  consensus: z
    .object({
      wallets: z.int().min(2).max(50),
      hours: z.number().positive().max(CONSENSUS_HOURS_LIMIT),
    })
    .nullable()
    .default(null),
  /** Words of markets: alerts that every watch's own words leave must pass these, too. */
  words: words.schema,
  /** True: it gets no alert of a single trade, redemption, deposit or withdrawal. */
  consensusOnly: z.boolean().default(false),
  /** True: it is told the results of positions that it was alerted to. */
  results: z.boolean().default(true),
  /** Language of its alerts and digests; null: the server's, or the person's. */
  language: storedLanguage('zh-CN').nullable().default(null),
  /** Hours in which everything comes silently and mentions nobody; null: none. */
  quiet: quietSchema.nullable().default(null),
  /** Time by which it hears later; null: it hears at once. */
  delay: delaySchema.nullable().default(null),
  /** Count of wallets that were ranked in the channel when their watches ended. */
  rankedBefore: z.int().min(0).default(0),
});

export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

/** True if the channel with these settings hears later. */
export function hearsLater(settings: Pick<ChannelSettings, 'delay'> | undefined): boolean {
  return (settings?.delay ?? null) !== null;
}

export function defaultChannelSettings(ownerId: string, channelId: string): ChannelSettings {
  return channelSettingsSchema.parse({ ownerId, channelId });
}

export const channelSettingsKind = defineCollection({
  prefix: 'channel:',
  schema: channelSettingsSchema,
  belongs: ({ channelId }, id) => channelId === id,
  placeOf: ({ ownerId, channelId }) => ({ ownerId, channelId }),
});
export type ChannelSettingsStore = Collection<ChannelSettings>;
