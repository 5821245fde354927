import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { defineCollection } from '../store/collection.ts';

/** An endpoint that has been away for this long is an outage. */
export const AWAY_AFTER_MS = 5 * 60_000;
/** It is over once all its endpoints have answered for this long. */
export const BACK_AFTER_MS = 60_000;
/** An endpoint that goes away again within this time of its end continues it. */
export const CONTINUES_MS = 15 * 60_000;

/** A time in which the venue could not be read. Epoch milliseconds. */
const outageSchema = z.object({
  version: z.literal(1),
  /** Those that were away in it. */
  endpoints: z.array(z.enum(ENDPOINT_NAMES)).min(1),
  /** Its name as well: no two begin at once. */
  sinceMs: z.number(),
  /** Null while it lasts. */
  untilMs: z.number().nullable(),
  /** When it last became what it is here. */
  changedAtMs: z.number(),
});
export type Outage = z.infer<typeof outageSchema>;

const noticeSchema = z.object({
  version: z.literal(1),
  /** When the outage began that it is about, epoch ms. */
  outageSinceMs: z.number(),
  /** Epoch milliseconds of the first attempt. */
  startedAtMs: z.number(),
  /** Null until Discord has it. */
  messageId: z.string().nullable(),
  /** What of the outage it shows, see `stateOf`; null if that is not known. */
  shown: z.string().nullable(),
  /** It has been deleted, or Discord will never take it: the channel gets nothing more of this outage. */
  isGone: z.boolean(),
});

/** What a channel has been sent of the latest outage. */
export type Notice = z.infer<typeof noticeSchema>;

/** By channel. */
export const noticeKind = defineCollection({
  prefix: 'notice:',
  schema: noticeSchema,
  placeOf: (_, channelId) => ({ channelId }),
});
/** The venue's latest outage alone, with an empty id; none if it is long over. */
export const outageKind = defineCollection({ prefix: 'outage', schema: outageSchema });

/** How an endpoint stands at a moment. Epoch milliseconds. */
export interface EndpointReading {
  readonly name: EndpointName;
  /** Since when it cannot be reached; null if it can, or nobody has tried in this run. */
  readonly awaySinceMs: number | null;
  /** Since when it answers; null if it does not, or nobody has tried in this run. */
  readonly reachedSinceMs: number | null;
}

/**
 * What has become of the latest outage. Short failures make none, and one that comes and goes is one.
 *
 * @param before the latest; null if it is long over, or there was none
 * @returns the very same object if nothing has changed; null once no failure can continue it
 */
export function nextOutage(before: Outage | null, readings: readonly EndpointReading[], nowMs: number): Outage | null {
  const away = readings.filter(({ awaySinceMs }) => awaySinceMs !== null && nowMs - awaySinceMs >= AWAY_AFTER_MS);
  if (away.length === 0) return before === null ? null : withoutFailure(before, readings, nowMs);
  const endpoints = away.map(({ name }) => name);
  const sinceMs = Math.min(...away.map(({ awaySinceMs }) => awaySinceMs ?? nowMs));
  const isContinued = before !== null && (before.untilMs === null || sinceMs - before.untilMs < CONTINUES_MS);
  if (!isContinued) return { version: 1, endpoints, sinceMs, untilMs: null, changedAtMs: nowMs };
  const all = ENDPOINT_NAMES.filter((name) => before.endpoints.includes(name) || endpoints.includes(name));
  if (before.untilMs === null && all.length === before.endpoints.length) return before;
  return { ...before, endpoints: all, untilMs: null, changedAtMs: nowMs };
}

function withoutFailure(before: Outage, readings: readonly EndpointReading[], nowMs: number): Outage | null {
  if (before.untilMs !== null) {
    // What begins just before the end of that time is known to be an outage so much later.
    return nowMs - before.untilMs < CONTINUES_MS + AWAY_AFTER_MS ? before : null;
  }
  const reached = readings.filter(({ name }) => before.endpoints.includes(name)).map((one) => one.reachedSinceMs);
  const known = reached.filter((sinceMs) => sinceMs !== null);
  if (known.length < reached.length) return before;
  const untilMs = Math.max(...known);
  return nowMs - untilMs < BACK_AFTER_MS ? before : { ...before, untilMs, changedAtMs: nowMs };
}
