import * as z from 'zod';
import { walletSchema } from '../../domain/address.ts';
import { ENDPOINT_NAMES } from '../../domain/records.ts';

export const POLL_LIST_PREFIX = 'poll-list:';

/** A part of what a bot wants polled, as the feed keeps it over restarts. */
export const storedListSchema = z.object({
  version: z.literal(1),
  bot: z.string(),
  entries: z.array(
    z.object({
      wallet: walletSchema,
      guilds: z.array(z.string()),
      committed: z.partialRecord(z.enum(ENDPOINT_NAMES), z.number()),
    }),
  ),
});
