import * as z from 'zod';
import { defineCollection } from '../../store/collection.ts';
import { snowflake } from '../../watches/owner.ts';

const welcomeSchema = z.object({
  version: z.literal(1),
  guildId: snowflake,
  /** When the bot was invited, epoch milliseconds by Discord: by it a later invitation is recognised. */
  invitedAtMs: z.number(),
  /** The message on its way; null once it is said, or where it cannot be. */
  underWay: z.object({ channelId: snowflake, startedAtMs: z.number() }).nullable(),
});
export type Welcome = z.infer<typeof welcomeSchema>;

/** By server. */
export const welcomeKind = defineCollection({
  prefix: 'welcome:',
  schema: welcomeSchema,
  belongs: ({ guildId }, id) => guildId === id,
  placeOf: ({ guildId }) => ({ ownerId: guildId }),
});
