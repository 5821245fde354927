import * as z from 'zod';
import { defineCollection } from '../store/collection.ts';
import { ownerIdSchema } from './owner.ts';

/** Days for which the watches of a guild that has removed the bot are kept. */
export const RESTING_DAYS = 30;

const restingSchema = z.object({
  version: z.literal(1),
  ownerId: ownerIdSchema,
  /** Unix seconds by the venue's clock. */
  sinceSeconds: z.number(),
  /** True: the bot was removed, the watches are deleted after 30 days. False: the server, or the person, is not served at present. */
  isGone: z.boolean(),
});

/** A server, or a person alone, whose watches are kept, but neither polled nor announced. */
export type RestingOwner = z.infer<typeof restingSchema>;

/** By owner. */
export const restingKind = defineCollection({
  prefix: 'resting:',
  schema: restingSchema,
  belongs: ({ ownerId }, id) => ownerId === id,
  placeOf: ({ ownerId }) => ({ ownerId }),
});
