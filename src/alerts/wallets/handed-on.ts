import * as z from 'zod';
import { ownerIdSchema, snowflake } from '../../watches/owner.ts';
import { handedOnEventSchema } from '../kinds/kinds.ts';

/** Fields of an alert that its messages to all owners share. */
const sharedFields = {
  id: z.string(),
  event: handedOnEventSchema,
  seenAtMs: z.number(),
  isLate: z.boolean(),
};
/** Fields of an alert's message to one owner. */
const messageFields = {
  ownerId: ownerIdSchema,
  /** Channel that a result or a consensus is of; left out of what is one message an owner. */
  channelId: snowflake.optional(),
  /** Number of the message among the owner's about the wallet. */
  sequence: z.int().min(0),
  isBetterThanLuck: z.boolean(),
  watches: z
    .array(z.object({ channel: snowflake, label: z.string().nullable(), wanted: z.boolean() }))
    .min(1)
    .readonly(),
};

/** An alert as a receiver outside of Discord is to get it: the message to one owner. */
export const handedOnAlertSchema = z.object({ ...sharedFields, ...messageFields });
export type HandedOnAlert = Readonly<z.infer<typeof handedOnAlertSchema>>;

const sharedAlertSchema = z.object({
  ...sharedFields,
  owners: z.array(z.object(messageFields)).min(1).readonly(),
});
/** An alert with its messages to all owners. */
export type SharedAlert = Readonly<z.infer<typeof sharedAlertSchema>>;
export type OwnerMessage = Readonly<SharedAlert['owners'][number]>;

/** Alerts of a wallet that go out of Discord, until the waiting room has them. */
export const handedOnSchema = z.object({
  /** Number of the last message about the wallet to each owner. */
  sequences: z.record(ownerIdSchema, z.int().min(0)).readonly(),
  /**
   * Number of the last message about the wallet to anybody, of the time when messages were counted
   * for all owners together: those that are not named above go on from it.
   */
  lastOfAll: z.int().min(0).exactOptional(),
  waiting: z.array(sharedAlertSchema).readonly(),
});
export type HandedOn = Readonly<z.infer<typeof handedOnSchema>>;

/** Names a message among those of its wallet. */
export function handedOnKey(alert: Pick<HandedOnAlert, 'id' | 'ownerId' | 'channelId'>): string {
  return `${alert.ownerId}:${alert.channelId ?? ''}:${alert.id}`;
}

/** Lists the messages of alerts, each with its alert, in their order. */
export function messagesOf(waiting: readonly SharedAlert[]): HandedOnAlert[] {
  return waiting.flatMap(({ owners, ...alert }) =>
    owners.map((message) => ({ ...alert, ...message })),
  );
}

/** The alerts with those of their messages that are to stay. */
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
