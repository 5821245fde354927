import * as z from 'zod';

const id = z.string().regex(/^\d{1,20}$/, 'must be an id');
const text = z.string().min(1).max(6000);
const file = z.object({ filename: z.string().min(1).max(200), base64: z.base64().max(14_000_000) });

/** Picked suggestions, which the line shows by name. */
const picked = z
  .array(
    z.object({
      option: z.string().max(100),
      shown: z.string().max(200),
      value: z.union([z.string().max(6000), z.number()]),
    }),
  )
  .max(25)
  .default([]);

/** A person's value of a modal field. */
const fieldValue = z.union([
  z.string().max(10_000),
  z.boolean(),
  z.null(),
  z.array(z.string().max(100)).max(25),
  z.array(file).max(10),
]);

/** A request from the page. `as` is the acting person. */
export const requestSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('suggest'), as: id, channelId: id, text, picked }),
  z.object({ do: z.literal('send'), as: id, channelId: id, text, file: file.nullable(), picked }),
  z.object({ do: z.literal('press'), as: id, messageId: id, customId: z.string().max(100) }),
  z.object({
    do: z.literal('select'),
    as: id,
    messageId: id,
    customId: z.string().max(100),
    values: z.array(z.string().max(100)).max(25),
  }),
  z.object({ do: z.literal('useOnMessage'), as: id, messageId: id }),
  z.object({
    do: z.literal('submit'),
    as: id,
    modalId: id,
    values: z.record(z.string().max(100), fieldValue),
  }),
  z.object({ do: z.literal('closeModal'), as: id, modalId: id }),
  z.object({ do: z.literal('language'), as: id, locale: z.string().max(10) }),
  z.object({
    do: z.literal('control'),
    control: z.string().max(100),
    button: z.string().max(100),
    choice: z.string().max(100).nullable(),
  }),
  z.object({
    do: z.literal('permission'),
    channelId: id,
    take: z.enum(['view', 'send', 'embed', 'nothing']),
  }),
  z.object({ do: z.literal('directMessages'), as: id, isOpen: z.boolean() }),
  z.object({
    do: z.literal('createChannel'),
    name: z.string().regex(/^[\p{L}\p{N}_-]{1,100}$/u, 'must be a word'),
  }),
  z.object({ do: z.literal('deleteChannel'), channelId: id }),
]);
export type SiteRequest = z.output<typeof requestSchema>;
