import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { VenueAvailability } from '../feed/interface.ts';
import { defineCollection } from '../store/collection.ts';

export type Availability = Pick<VenueAvailability, 'trouble' | 'reachedSinceMs' | 'listing'>;

/** Duration from which an endpoint's absence is an outage, in ms. */
export const AWAY_AFTER_MS = 5 * 60_000;
/** Duration for which all its endpoints must have answered until an outage is over, in ms. */
export const BACK_AFTER_MS = 60_000;
/** Time after an outage's end within which another failure of its endpoint continues it, in ms. */
export const CONTINUES_MS = 15 * 60_000;

/**
 * Why the venue could not be read as usual: it did not answer, it rejected the key, it rejected the
 * key for one of its endpoints, or its lists were late.
 */
const CAUSES = ['unreachable', 'key', 'endpoint', 'late'] as const;
type Cause = (typeof CAUSES)[number];

/** A period in which the venue could not be read. Times are in epoch ms. */
const outageSchema = z.object({
  /** Endpoints that were away during the outage. */
  endpoints: z.array(z.enum(ENDPOINT_NAMES)).min(1),
  cause: z.enum(CAUSES),
  /** Start of the outage, which also identifies it: no two begin at the same time. */
  sinceMs: z.number(),
  /** Null while it lasts. */
  untilMs: z.number().nullable(),
  /** Time of the last change of this stored state. */
  changedAtMs: z.number(),
});
export type Outage = z.infer<typeof outageSchema>;

const noticeSchema = z.object({
  /** Start of the outage that the notice is about, in epoch ms. */
  outageSinceMs: z.number(),
  /** Time of the first attempt, in epoch ms. */
  startedAtMs: z.number(),
  /** Null until Discord has accepted it. */
  messageId: z.string().nullable(),
  /** `changedAtMs` of the outage as shown; null if unknown. */
  shownMs: z.number().nullable(),
  /**
   * True if it was deleted, or Discord will never accept it; the channel gets nothing more about
   * this outage.
   */
  isGone: z.boolean(),
});

/** Message about the latest outage of its kind in a channel. */
export type Notice = z.infer<typeof noticeSchema>;

const placeOf = (_: Notice, channelId: string) => ({ channelId });
export const noticeKind = defineCollection({ prefix: 'notice:', schema: noticeSchema, placeOf });
/** The venue's latest outage, with an empty id; none if it is long over. */
export const outageKind = defineCollection({ prefix: 'outage', schema: outageSchema });
/**
 * Notices and outages like these two, for endpoints for which the venue rejects the key. Such an
 * outage may last for weeks, and must not hide an outage of the venue in that time.
 */
export const endpointNoticeKind = defineCollection({
  prefix: 'refused:',
  schema: noticeSchema,
  placeOf,
});
export const endpointOutageKind = defineCollection({
  prefix: 'refusal',
  schema: outageSchema,
});
/**
 * Notices and outages like these, for late lists; if the venue goes away in that time, that has a
 * separate notice.
 */
export const lateNoticeKind = defineCollection({ prefix: 'late:', schema: noticeSchema, placeOf });
export const lateOutageKind = defineCollection({ prefix: 'lateness', schema: outageSchema });

/** An endpoint that cannot be read as usual, and since when, in epoch ms. */
interface Failure {
  readonly name: EndpointName;
  readonly sinceMs: number;
  readonly cause: Cause;
}

/** Computes the present state of an outage. */
export type NextOutage = (
  before: Outage | null,
  availability: Availability,
  nowMs: number,
) => Outage | null;

/**
 * Returns the present state of the latest outage of the venue: it does not answer, or rejects the
 * key, which includes rejection by every endpoint. Short failures are not an outage, and an
 * intermittent one is a single outage.
 *
 * @param before the latest outage; null if it is long over, or there was none
 * @returns the same object if nothing has changed; null once no failure can continue it
 */
export const nextOutage: NextOutage = (before, availability, nowMs) => {
  const refusedMs = refusedSinceMs(availability);
  const failures = ENDPOINT_NAMES.flatMap((name): Failure | readonly [] => {
    const trouble = availability.trouble(name);
    if (trouble === null) return [];
    if (trouble.kind === 'unreachable')
      return { name, sinceMs: trouble.sinceMs, cause: 'unreachable' };
    return refusedMs === null ? [] : { name, sinceMs: refusedMs, cause: 'key' };
  });
  // Endpoints that a plan does not include are no longer awaited once another one answers.
  const awaited = (before?.endpoints ?? []).filter(
    (name) => refusedMs !== null || availability.trouble(name)?.kind !== 'plan',
  );
  return next(before, { failures, awaited, wellSinceMs: availability.reachedSinceMs, nowMs });
};

/**
 * Returns the present state of the latest outage of endpoints for which the venue rejects the key
 * although they have answered before; like `nextOutage`. A complete rejection of the key is not
 * reported twice.
 */
export const nextEndpointOutage: NextOutage = (before, availability, nowMs) => {
  const isKeys = refusedSinceMs(availability) !== null;
  const failures = ENDPOINT_NAMES.flatMap((name): Failure | readonly [] => {
    const trouble = availability.trouble(name);
    if (isKeys || trouble?.kind !== 'plan' || !trouble.hasAnswered) return [];
    return { name, sinceMs: trouble.sinceMs, cause: 'endpoint' };
  });
  const { reachedSinceMs: wellSinceMs } = availability;
  return next(before, { failures, awaited: before?.endpoints ?? [], wellSinceMs, nowMs });
};

/**
 * Returns the present state of the latest period of late lists; like `nextOutage`. An endpoint that
 * cannot be read says nothing about its lists.
 */
export const nextLateOutage: NextOutage = (before, { trouble, listing }, nowMs) => {
  const failures = ENDPOINT_NAMES.flatMap((name): Failure | readonly [] => {
    const found = trouble(name) === null ? listing(name) : null;
    return found?.isLate === true ? { name, sinceMs: found.sinceMs, cause: 'late' } : [];
  });
  const awaited = (before?.endpoints ?? []).filter((name) => trouble(name)?.kind !== 'plan');
  const wellSinceMs = (name: EndpointName) => {
    const found = listing(name);
    return found === null || found.isLate ? null : found.sinceMs;
  };
  return next(before, { failures, awaited, wellSinceMs, nowMs });
};

/**
 * Returns the time since which all endpoints have rejected the key, in epoch ms; null if one of
 * them does not.
 */
function refusedSinceMs({ trouble }: Availability): number | null {
  const refusals = ENDPOINT_NAMES.map(trouble).filter(
    (found) => found !== null && found.kind !== 'unreachable',
  );
  if (refusals.length < ENDPOINT_NAMES.length) return null;
  return Math.max(...refusals.map((refusal) => refusal?.sinceMs ?? 0));
}

interface Findings {
  readonly failures: readonly Failure[];
  /** Endpoints that have to answer before the outage is over. */
  readonly awaited: readonly EndpointName[];
  /**
   * Returns the time since which an endpoint has had no such failure, in epoch ms; null if it has
   * one.
   */
  readonly wellSinceMs: (name: EndpointName) => number | null;
  readonly nowMs: number;
}

function next(before: Outage | null, findings: Findings): Outage | null {
  const { failures, nowMs } = findings;
  const away = failures.filter(({ sinceMs }) => nowMs - sinceMs >= AWAY_AFTER_MS);
  if (away.length === 0) return before === null ? null : withoutFailure(before, findings);
  const sinceMs = Math.min(...away.map((one) => one.sinceMs));
  const cause = away.find((one) => one.cause === 'key')?.cause ?? away[0]?.cause ?? 'unreachable';
  const isContinued = before !== null && continues(before, away, sinceMs, cause);
  const earlier = isContinued ? before.endpoints : [];
  const endpoints = ENDPOINT_NAMES.filter(
    (name) => earlier.includes(name) || away.some((one) => one.name === name),
  );
  if (!isContinued) return { endpoints, cause, sinceMs, untilMs: null, changedAtMs: nowMs };
  const isSame = endpoints.length === earlier.length && before.cause === cause;
  if (before.untilMs === null && isSame) return before;
  return { ...before, endpoints, cause, untilMs: null, changedAtMs: nowMs };
}

/**
 * Whether a failure belongs to the preceding outage. A notice about a rejected key states since
 * when there are no alerts, so it only continues an outage without alerts from its beginning. An
 * outage that is over had one cause, which its notice names.
 */
function continues(before: Outage, away: readonly Failure[], sinceMs: number, cause: Cause) {
  const isOther = (before.cause === 'key') !== (cause === 'key');
  const isWider = away.some(({ name }) => !before.endpoints.includes(name));
  if (before.untilMs === null) return !(isOther && cause === 'key' && isWider);
  return !isOther && sinceMs - before.untilMs < CONTINUES_MS;
}

function withoutFailure(before: Outage, { awaited, wellSinceMs, nowMs }: Findings): Outage | null {
  if (before.untilMs !== null) {
    // A failure that begins just before the end of that time is recognized as an outage only this
    // much later.
    if (nowMs - before.untilMs < CONTINUES_MS + AWAY_AFTER_MS) return before;
    return null;
  }
  // Only a plan without these endpoints is left of the outage.
  if (awaited.length === 0) return null;
  const reachedMs = awaited.map(wellSinceMs);
  const knownMs = reachedMs.filter((sinceMs) => sinceMs !== null);
  if (knownMs.length < reachedMs.length) return before;
  const untilMs = Math.max(...knownMs);
  if (nowMs - untilMs < BACK_AFTER_MS) return before;
  return { ...before, endpoints: [...awaited], untilMs, changedAtMs: nowMs };
}
