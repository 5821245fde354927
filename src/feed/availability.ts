import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { LocalizedText } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type { Schedule } from '../poll-policy/schedule.ts';
import { type Lookups, lookupOf, lookupsBy } from '../venue/client.ts';
import { VenueError } from '../venue/errors.ts';

/**
 * Interval between two probes of a rejected key or endpoint, in ms. Ten seconds below a minute,
 * because the first alert must come within a minute after the end of a rejection.
 */
const PROBE_MS = 50_000;

/** Delay of lists above which they count as late, in seconds; alerts are then no longer current. */
const LATE_SECONDS = 60;

/** State of the delay of an endpoint's lists. */
export interface Listing {
  readonly isLate: boolean;
  /** Delay that the venue last reported, in seconds. */
  readonly delaySeconds: number;
  /** Time when they became late, or on time again, in epoch ms. */
  readonly sinceMs: number;
}

export const TROUBLE_KINDS = ['key', 'plan', 'unreachable'] as const;

/** A problem that keeps the poller from the venue. */
export interface Trouble {
  readonly kind: (typeof TROUBLE_KINDS)[number];
  /**
   * Whether the endpoint has responded since the feed started. A plan that never included an
   * endpoint is the operator's choice; an endpoint that stops responding is an outage.
   */
  readonly hasAnswered: boolean;
  readonly say: LocalizedText;
  readonly sinceMs: number;
}

interface Refusal extends Trouble {
  nextProbeMs: number;
}

export type VenueAvailability = ReturnType<typeof createVenueAvailability>;

/**
 * Tracks whether the venue serves this bot, reports each change once, and decides when to try
 * again.
 */
export function createVenueAvailability(
  { nowMs, log }: Machine,
  onChange: Schedule['setAvailable'],
) {
  const refusals = new Map<EndpointName, Refusal>();
  const outages = new Map<EndpointName, Trouble>();
  const reachedSince = new Map<EndpointName, number>();
  const listings = new Map<EndpointName, Listing>();
  /** Endpoints that have returned a page since the feed started. */
  const answered = new Set<EndpointName>();
  /** Endpoints whose last response was malformed. It may be one wallet's problem or the venue's. */
  const odd = new Set<EndpointName>();

  /** @param reason for the log: what the operator can do */
  const refuse = (name: EndpointName, kind: 'key' | 'plan', reason: string) => {
    const now = nowMs();
    const before = refusals.get(name);
    reachedSince.delete(name);
    if (before?.kind === kind) return;
    const hasAnswered = answered.has(name);
    const say = troubleText(kind, name);
    refusals.set(name, { kind, hasAnswered, say, sinceMs: now, nextProbeMs: now + PROBE_MS });
    // While rejected it is hardly polled, so the age of an earlier outage means nothing once it is
    // accepted again.
    outages.delete(name);
    log.error({
      event: kind === 'key' ? 'venue.key_refused' : 'venue.not_in_plan',
      endpoint: name,
      ...(kind === 'plan' && { hasAnswered }),
      reason,
    });
    onChange(name, false);
  };

  const readmit = (name: EndpointName) => {
    if (!refusals.delete(name)) return;
    log.info({ event: 'venue.accepted_again', endpoint: name });
    onChange(name, true);
  };

  /** Records that the venue has accepted the key at an endpoint. */
  const keyTaken = (name: EndpointName) => {
    readmit(name);
    // One response proves the key, but not that other endpoints are in the plan.
    for (const other of ENDPOINT_NAMES) if (refusals.get(other)?.kind === 'key') readmit(other);
  };

  /** Rejects the key at all endpoints, because a key rejected at one is invalid at all. */
  const keyRefused = (name: EndpointName, reason: string) => {
    for (const each of ENDPOINT_NAMES) {
      if (each === name || !refusals.has(each)) refuse(each, 'key', reason);
    }
  };

  /**
   * Schedules the endpoints that share the key's probe one after the other, the one just asked
   * last.
   */
  const passTurn = (asked: EndpointName, now: number) => {
    const others = ENDPOINT_NAMES.filter((name) => name !== asked);
    const inTurn = [...others, asked].filter((name) => refusals.get(name)?.kind === 'key');
    for (const [turn, name] of inTurn.entries()) {
      const refusal = refusals.get(name);
      if (refusal !== undefined) refusal.nextProbeMs = now + (turn + 1) * PROBE_MS;
    }
  };

  const unreachable = (name: EndpointName, message: string) => {
    if (outages.has(name) || refusals.has(name)) return;
    reachedSince.delete(name);
    outages.set(name, {
      kind: 'unreachable',
      hasAnswered: answered.has(name),
      say: troubleText('unreachable', name),
      sinceMs: nowMs(),
    });
    log.warn({ event: 'venue.unreachable', endpoint: name, reason: message });
  };

  return {
    succeeded(name: EndpointName): void {
      odd.delete(name);
      answered.add(name);
      if (!reachedSince.has(name)) reachedSince.set(name, nowMs());
      if (outages.delete(name)) log.info({ event: 'venue.reached_again', endpoint: name });
      keyTaken(name);
    },
    failed(name: EndpointName, { kind, message, isVenues }: VenueError): void {
      if (kind === 'unauthorized') {
        keyRefused(name, message);
      } else if (kind === 'notInPlan') {
        refuse(name, 'plan', message);
      } else if (kind === 'unreachable') {
        unreachable(name, message);
      } else if (kind === 'badResponse') {
        // A malformed response from the venue itself proves that it has accepted the key. One from
        // a server in between proves nothing.
        if (isVenues) keyTaken(name);
        // One malformed response may be that wallet's problem; two in a row, without a page between
        // them, are the venue's.
        if (odd.has(name)) unreachable(name, message);
        odd.add(name);
      }
    },
    /** Records how late the endpoint's lists are, in seconds, according to its newest page. */
    listed(name: EndpointName, delaySeconds: number): void {
      const before = listings.get(name);
      const isLate = delaySeconds > LATE_SECONDS;
      const sinceMs = before?.isLate === isLate ? before.sinceMs : nowMs();
      listings.set(name, { isLate, delaySeconds, sinceMs });
    },
    /**
     * Returns how late the endpoint's lists are; null if it has returned no page since the start.
     */
    listing: (name: EndpointName): Listing | null => listings.get(name) ?? null,
    keyTaken,
    /** Returns the problem of an endpoint; null if there is none. */
    trouble: (name: EndpointName): Trouble | null =>
      refusals.get(name) ?? outages.get(name) ?? null,
    /**
     * Returns since when the endpoint has responded, in epoch ms; null if it does not, or has not
     * been asked since the start.
     */
    reachedSinceMs: (name: EndpointName) => reachedSince.get(name) ?? null,
    isOpen: (name: EndpointName) => !refusals.has(name),
    /**
     * Whether one request may be spent now to check whether a rejection still holds. True once per
     * interval. A rejected key has one probe for all endpoints, which take turns because one of
     * them may be down.
     */
    isProbeDue(name: EndpointName): boolean {
      const refusal = refusals.get(name);
      if (refusal === undefined) return false;
      const now = nowMs();
      const waitMs = refusal.nextProbeMs - now;
      // A time further away than any probe sets means that the clock was set back.
      if (waitMs > 0 && waitMs <= ENDPOINT_NAMES.length * PROBE_MS) return false;
      // Set again here, because an outage, or the end of the probed watch, may leave the probe
      // without a response.
      refusal.nextProbeMs = now + PROBE_MS;
      if (refusal.kind === 'key') passTurn(name, now);
      return true;
    },
  };
}

/** Returns the user-visible text about an endpoint that is not polled. */
export function troubleText(kind: Trouble['kind'], name: EndpointName): LocalizedText {
  return ({ texts: { errors, watch } }) => {
    const { notInPlan, unreachable } = watch.status;
    return { key: errors.venue.unauthorized, plan: notInPlan[name], unreachable }[kind];
  };
}

/**
 * Wraps a client's calls so that they also report whether the venue accepts the key, because a
 * person's lookup may find out first.
 */
export function reportingAvailability(client: Lookups, availability: VenueAvailability): Lookups {
  const report = (name: EndpointName, error: VenueError) => {
    const { kind, isVenues } = error;
    if (kind === 'unauthorized' || kind === 'notInPlan') availability.failed(name, error);
    // Only this lookup may be malformed; it says nothing about the endpoint.
    if (kind === 'badResponse' && isVenues) availability.keyTaken(name);
  };
  const watchCall = async <Page>(name: EndpointName, call: Promise<Page>): Promise<Page> => {
    try {
      const page = await call;
      availability.succeeded(name);
      return page;
    } catch (error) {
      if (error instanceof VenueError) report(name, error);
      throw error;
    }
  };
  return lookupsBy((name) => {
    const call = lookupOf(client, name);
    return (...args) => watchCall(name, call(...args));
  });
}
