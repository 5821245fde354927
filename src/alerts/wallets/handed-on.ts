import * as z from 'zod';
import { ownerIdSchema, snowflake } from '../../watches/owner.ts';
import { eventSchema } from '../kinds/kinds.ts';

/** An alert as a receiver outside of Discord is to get it, one for each owner. */
export const handedOnAlertSchema = z.object({
  id: z.string(),
  event: eventSchema,
  seenAtMs: z.number(),
  ownerId: ownerIdSchema,
  /** Channel that a result or a consensus is of; left out of what is one message an owner. */
  channelId: snowflake.optional(),
  /** Number of the message among those about the wallet. */
  sequence: z.int().min(0),
  isLate: z.boolean(),
  isBetterThanLuck: z.boolean(),
  watches: z
    .array(z.object({ channel: snowflake, label: z.string().nullable(), wanted: z.boolean() }))
    .min(1)
    .readonly(),
});
export type HandedOnAlert = Readonly<z.infer<typeof handedOnAlertSchema>>;

/** Alerts of a wallet that go out of Discord, until the waiting room has them. */
export const handedOnSchema = z.object({
  /** Messages that there have been about the wallet. */
  sequence: z.int().min(0),
  waiting: z.array(handedOnAlertSchema).readonly(),
});
export type HandedOn = Readonly<z.infer<typeof handedOnSchema>>;

/** Names an alert for an owner among those of its wallet. */
export function handedOnKey(alert: Pick<HandedOnAlert, 'id' | 'ownerId' | 'channelId'>): string {
  return `${alert.ownerId}:${alert.channelId ?? ''}:${alert.id}`;
}
