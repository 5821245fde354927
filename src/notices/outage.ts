import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { VenueAvailability } from '../feed/interface.ts';
import { defineCollection } from '../store/collection.ts';

export type Availability = Pick<VenueAvailability, 'trouble' | 'reachedSinceMs'>;

/** An endpoint that has been away for this long is an outage. */
export const AWAY_AFTER_MS = 5 * 60_000;
/** Time for which all its endpoints have answered when an outage is over. */
export const BACK_AFTER_MS = 60_000;
/** An endpoint that goes away again within this time of its end continues it. */
export const CONTINUES_MS = 15 * 60_000;

/** A time in which the venue could not be read. Epoch milliseconds. */
const outageSchema = z.object({
  /** Endpoints that were away in it. */
  endpoints: z.array(z.enum(ENDPOINT_NAMES)).min(1),
  /** Start of the outage; its name as well: no two begin at once. */
  sinceMs: z.number(),
  /** Null while it lasts. */
  untilMs: z.number().nullable(),
  /** Time at which it last became as it is stored here. */
  changedAtMs: z.number(),
});
export type Outage = z.infer<typeof outageSchema>;

const noticeSchema = z.object({
  /** Start of the outage that it is about, epoch ms. */
  outageSinceMs: z.number(),
  /** Epoch milliseconds of the first attempt. */
  startedAtMs: z.number(),
  /** Null until Discord has it. */
  messageId: z.string().nullable(),
  /** `changedAtMs` of the outage that it shows; null if that is not known. */
  shownMs: z.number().nullable(),
  /**
   * True once it has been deleted, or Discord will never take it: the channel gets nothing more of
   * this outage.
   */
  isGone: z.boolean(),
});

/** Message that a channel has been sent about the latest outage. */
export type Notice = z.infer<typeof noticeSchema>;

export const noticeKind = defineCollection({
  prefix: 'notice:',
  schema: noticeSchema,
  placeOf: (_, channelId) => ({ channelId }),
});
/** The venue's latest outage alone, with an empty id; none if it is long over. */
export const outageKind = defineCollection({ prefix: 'outage', schema: outageSchema });

/**
 * Gives the present state of the latest outage. Short failures make no outage, and one that comes
 * and goes is one.
 *
 * @param before the latest; null if it is long over, or there was none
 * @returns the very same object if nothing has changed; null once no failure can continue it
 */
export function nextOutage(
  before: Outage | null,
  availability: Availability,
  nowMs: number,
): Outage | null {
  const away: { readonly name: EndpointName; readonly sinceMs: number }[] = [];
  for (const name of ENDPOINT_NAMES) {
    const trouble = availability.trouble(name);
    if (trouble?.kind !== 'unreachable') continue;
    const { sinceMs } = trouble;
    if (nowMs - sinceMs >= AWAY_AFTER_MS) away.push({ name, sinceMs });
  }
  if (away.length === 0) {
    return before === null ? null : withoutFailure(before, availability, nowMs);
  }
  const sinceMs = Math.min(...away.map((one) => one.sinceMs));
  const isContinued =
    before !== null && (before.untilMs === null || sinceMs - before.untilMs < CONTINUES_MS);
  const earlier = isContinued ? before.endpoints : [];
  const endpoints = ENDPOINT_NAMES.filter(
    (name) => earlier.includes(name) || away.some((one) => one.name === name),
  );
  if (!isContinued) return { endpoints, sinceMs, untilMs: null, changedAtMs: nowMs };
  if (before.untilMs === null && endpoints.length === earlier.length) return before;
  return { ...before, endpoints, untilMs: null, changedAtMs: nowMs };
}

function withoutFailure(before: Outage, availability: Availability, nowMs: number): Outage | null {
  if (before.untilMs !== null) {
    // A failure that begins just before the end of that time is known to be an outage so much
    // later.
    if (nowMs - before.untilMs < CONTINUES_MS + AWAY_AFTER_MS) return before;
    return null;
  }
  const reachedMs = before.endpoints.map(availability.reachedSinceMs);
  const knownMs = reachedMs.filter((sinceMs) => sinceMs !== null);
  if (knownMs.length < reachedMs.length) return before;
  const untilMs = Math.max(...knownMs);
  if (nowMs - untilMs < BACK_AFTER_MS) return before;
  return { ...before, untilMs, changedAtMs: nowMs };
}
