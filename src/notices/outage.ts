import * as z from 'zod';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { VenueAvailability } from '../feed/interface.ts';
import { defineCollection } from '../store/collection.ts';

export type Availability = Pick<VenueAvailability, 'trouble' | 'reachedSinceMs' | 'listing'>;

/** An endpoint that has been away for this long is an outage. */
export const AWAY_AFTER_MS = 5 * 60_000;
/** Time for which all its endpoints have answered when an outage is over. */
export const BACK_AFTER_MS = 60_000;
/** An endpoint that goes away again within this time of its end continues it. */
export const CONTINUES_MS = 15 * 60_000;

/**
 * Why the venue could not be read as usual: it did not answer, it refused the key, it refused the
 * key one of its endpoints, or it listed late.
 */
const CAUSES = ['unreachable', 'key', 'endpoint', 'late'] as const;
type Cause = (typeof CAUSES)[number];

/** A time in which the venue could not be read. Epoch milliseconds. */
const outageSchema = z.object({
  /** Endpoints that were away in it. */
  endpoints: z.array(z.enum(ENDPOINT_NAMES)).min(1),
  cause: z.enum(CAUSES),
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

/** Message that a channel has been sent about the latest outage of its kind. */
export type Notice = z.infer<typeof noticeSchema>;

const placeOf = (_: Notice, channelId: string) => ({ channelId });
export const noticeKind = defineCollection({ prefix: 'notice:', schema: noticeSchema, placeOf });
/** The venue's latest outage alone, with an empty id; none if it is long over. */
export const outageKind = defineCollection({ prefix: 'outage', schema: outageSchema });
/**
 * As these two, of endpoints that the venue refuses the key. Such an outage may last for weeks, and
 * must not hide one of the venue meanwhile.
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
/** As these, of lists that are late: a venue that goes away meanwhile has a notice of its own. */
export const lateNoticeKind = defineCollection({ prefix: 'late:', schema: noticeSchema, placeOf });
export const lateOutageKind = defineCollection({ prefix: 'lateness', schema: outageSchema });

/** An endpoint that cannot be read as usual, and since when, epoch ms. */
interface Failure {
  readonly name: EndpointName;
  readonly sinceMs: number;
  readonly cause: Cause;
}

/** Decides the present state of an outage. */
export type NextOutage = (
  before: Outage | null,
  availability: Availability,
  nowMs: number,
) => Outage | null;

/**
 * Gives the present state of the latest outage of the venue: it does not answer, or refuses the
 * key, which a refusal of every endpoint means too. Short failures make no outage, and one that
 * comes and goes is one.
 *
 * @param before the latest; null if it is long over, or there was none
 * @returns the very same object if nothing has changed; null once no failure can continue it
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
  // The endpoints that a plan does not include are no longer waited for once another one answers.
  const awaited = (before?.endpoints ?? []).filter(
    (name) => refusedMs !== null || availability.trouble(name)?.kind !== 'plan',
  );
  return next(before, { failures, awaited, wellSinceMs: availability.reachedSinceMs, nowMs });
};

/**
 * Gives the present state of the latest outage of endpoints that the venue refuses the key although
 * they have answered before; as `nextOutage`. That the key is refused altogether is not said twice.
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
 * Gives the present state of the latest time in which the venue listed late; as `nextOutage`. An
 * endpoint that cannot be read says nothing of its lists.
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

/** Since when all endpoints are refused, epoch ms; null if one of them is not. */
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
  /** Time since which an endpoint has been without such a failure, epoch ms; null: it is not. */
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
 * Whether a failure belongs to the outage before it. Of a refused key it is said since when there
 * are no alerts: it continues only what had no alerts from its beginning. What is over had one cause,
 * and its notice names that.
 */
function continues(before: Outage, away: readonly Failure[], sinceMs: number, cause: Cause) {
  const isOther = (before.cause === 'key') !== (cause === 'key');
  const isWider = away.some(({ name }) => !before.endpoints.includes(name));
  if (before.untilMs === null) return !(isOther && cause === 'key' && isWider);
  return !isOther && sinceMs - before.untilMs < CONTINUES_MS;
}

function withoutFailure(before: Outage, { awaited, wellSinceMs, nowMs }: Findings): Outage | null {
  if (before.untilMs !== null) {
    // A failure that begins just before the end of that time is known to be an outage so much
    // later.
    if (nowMs - before.untilMs < CONTINUES_MS + AWAY_AFTER_MS) return before;
    return null;
  }
  // What is left of it is a plan without these endpoints.
  if (awaited.length === 0) return null;
  const reachedMs = awaited.map(wellSinceMs);
  const knownMs = reachedMs.filter((sinceMs) => sinceMs !== null);
  if (knownMs.length < reachedMs.length) return before;
  const untilMs = Math.max(...knownMs);
  if (nowMs - untilMs < BACK_AFTER_MS) return before;
  return { ...before, endpoints: [...awaited], untilMs, changedAtMs: nowMs };
}
