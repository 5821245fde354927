import * as z from 'zod';
import { ownerIdSchema, snowflake } from '../../watches/owner.ts';
import { receiverEventSchema } from '../kinds/kinds.ts';

/** Fields of an alert that its messages to all owners share. */
const sharedFields = {
  id: z.string(),
  event: receiverEventSchema,
  seenAtMs: z.number(),
  isLate: z.boolean(),
};
/** Fields of an alert's message to one owner. */
const messageFields = {
  ownerId: ownerIdSchema,
  /**
   * Channel of a result or a consensus; left out if the owner gets one message for all its
   * channels.
   */
  channelId: snowflake.optional(),
  /** Number of the message among the owner's messages about the wallet. */
  sequence: z.int().min(0),
  isBetterThanLuck: z.boolean(),
  watches: z
    .array(z.object({ channel: snowflake, label: z.string().nullable(), wanted: z.boolean() }))
    .min(1)
    .readonly(),
};

/** An alert as a receiver outside Discord gets it: the message to one owner. */
export const receiverAlertSchema = z.object({ ...sharedFields, ...messageFields });
export type ReceiverAlert = Readonly<z.infer<typeof receiverAlertSchema>>;

const sharedAlertSchema = z.object({
  ...sharedFields,
  owners: z.array(z.object(messageFields)).min(1).readonly(),
});
/** An alert with its messages to all owners. */
export type SharedAlert = Readonly<z.infer<typeof sharedAlertSchema>>;
export type OwnerMessage = Readonly<SharedAlert['owners'][number]>;

/** Alerts of a wallet for receivers outside Discord, until the outgoing queue accepts them. */
export const forReceiversSchema = z.object({
  /** Number of the last message about the wallet to each owner. */
  sequences: z.record(ownerIdSchema, z.int().min(0)).readonly(),
  /**
   * Number of the last message about the wallet, from the time when messages were counted for all
   * owners together. Owners not listed above continue from it.
   */
  lastOfAll: z.int().min(0).exactOptional(),
  waiting: z.array(sharedAlertSchema).readonly(),
});
export type ForReceivers = Readonly<z.infer<typeof forReceiversSchema>>;

/** Returns a key for a message within its wallet. */
export function receiverAlertKey(
  alert: Pick<ReceiverAlert, 'id' | 'ownerId' | 'channelId'>,
): string {
  return `${alert.ownerId}:${alert.channelId ?? ''}:${alert.id}`;
}

/** Returns the messages of alerts in order, each with its alert. */
export function messagesOf(waiting: readonly SharedAlert[]): ReceiverAlert[] {
  return waiting.flatMap(({ owners, ...alert }) =>
    owners.map((message) => ({ ...alert, ...message })),
  );
}

/** Returns the alerts with only the messages that are to stay. */
export function onlyMessages(
  waiting: readonly SharedAlert[],
  stays: (message: OwnerMessage & Pick<SharedAlert, 'id'>) => boolean,
): SharedAlert[] {
  return waiting.flatMap((alert) => {
    const { id } = alert;
    const owners = alert.owners.filter((message) => stays({ id, ...message }));
    return owners.length === 0 ? [] : { ...alert, owners };
  });
}
