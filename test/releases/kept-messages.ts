import type * as z from 'zod';
import { readActivityItemSchema, transferItemSchema } from '../../src/domain/records.ts';
import * as wire from '../../src/feed/nats/wire.ts';
import { samplesOf } from './samples.ts';

/** All that feed and bots say to each other, by names of its own. */
export const MESSAGES: Readonly<Record<string, z.ZodType>> = {
  page: wire.pageMessage,
  unchanged: wire.UNCHANGED.asked,
  state: wire.STATE.asked,
  pollList: wire.POLL_LIST.asked,
  pollListAnswer: wire.POLL_LIST.answered,
  identify: wire.IDENTIFY.asked,
  identifyAnswer: wire.IDENTIFY.answered,
  lookUp: wire.LOOKUP.asked,
  activityAnswer: wire.lookupReply(readActivityItemSchema),
  transfersAnswer: wire.lookupReply(transferItemSchema),
  settlements: wire.SETTLEMENTS.asked,
  settlementsAnswer: wire.SETTLEMENTS.answered,
};

/** Messages with every optional part, without any, and with each choice, as they go over NATS. */
export function keptMessages(): Readonly<Record<string, readonly unknown[]>> {
  const kept = Object.entries(MESSAGES).map(([name, schema]) => [
    name,
    samplesOf(schema).map((sample) =>
      JSON.parse(Buffer.from(wire.encode(sample as object)).toString()),
    ),
  ]);
  return Object.fromEntries(kept);
}
