import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { LocalizedText } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type { Schedule } from '../poll-policy/schedule.ts';
import { type LookUps, lookUpOf, lookUpsBy } from '../venue/client.ts';
import { VenueError } from '../venue/errors.ts';

/**
 * Time between two probes of a refused key, or of a refused endpoint, ms. Ten seconds below a
 * minute, because the first alert has to come within a minute of the end of a refusal.
 */
const PROBE_MS = 50_000;

/** Lists that are later than this are late, seconds: an alert is then no longer of now. */
const LATE_SECONDS = 60;

/** State of how late an endpoint's lists are. */
export interface Listing {
  readonly isLate: boolean;
  /** Seconds, as the venue last said it. */
  readonly delaySeconds: number;
  /** Time since which they have been late, or on time, epoch ms. */
  readonly sinceMs: number;
}

export const TROUBLE_KINDS = ['key', 'plan', 'unreachable'] as const;

/** Trouble that keeps the poller from the venue. */
export interface Trouble {
  readonly kind: (typeof TROUBLE_KINDS)[number];
  /**
   * Whether the endpoint has answered in this run of the feed. A plan that never included an
   * endpoint is the operator's choice; an endpoint that stops answering is an outage.
   */
  readonly hasAnswered: boolean;
  readonly say: LocalizedText;
  readonly sinceMs: number;
}

interface Refusal extends Trouble {
  nextProbeMs: number;
}

export type VenueAvailability = ReturnType<typeof createVenueAvailability>;

/** Knows whether the venue serves us, reports each change once, and says when to try again. */
export function createVenueAvailability(
  { nowMs, log }: Machine,
  onChange: Schedule['setAvailable'],
) {
  const refusals = new Map<EndpointName, Refusal>();
  const outages = new Map<EndpointName, Trouble>();
  const reachedSince = new Map<EndpointName, number>();
  const listings = new Map<EndpointName, Listing>();
  /** Endpoints that have answered with a page in this run. */
  const answered = new Set<EndpointName>();
  /** Endpoints of which the last answer was odd: it may be the wallet's trouble, or everybody's. */
  const odd = new Set<EndpointName>();

  /** @param reason for the log: what to do */
  const refuse = (name: EndpointName, kind: 'key' | 'plan', reason: string) => {
    const now = nowMs();
    const before = refusals.get(name);
    reachedSince.delete(name);
    if (before?.kind === kind) return;
    const hasAnswered = answered.has(name);
    const say = troubleText(kind, name);
    refusals.set(name, { kind, hasAnswered, say, sinceMs: now, nextProbeMs: now + PROBE_MS });
    // Refused, it is hardly asked: how long ago it went away says nothing when it is accepted again.
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

  /** The venue has taken the key at an endpoint. */
  const keyTaken = (name: EndpointName) => {
    readmit(name);
    // One answer proves the key; the plan's endpoints are each on their own.
    for (const other of ENDPOINT_NAMES) if (refusals.get(other)?.kind === 'key') readmit(other);
  };

  /** A key that is refused at one endpoint is refused at all of them. */
  const keyRefused = (name: EndpointName, reason: string) => {
    for (const each of ENDPOINT_NAMES) {
      if (each === name || !refusals.has(each)) refuse(each, 'key', reason);
    }
  };

  /** The endpoints that share the key's probe come one after the other, the one that was asked last. */
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
        // An odd answer of the venue's own: it has taken the key. Whatever stands in between proves
        // nothing.
        if (isVenues) keyTaken(name);
        // One wallet's odd answer is that wallet's trouble; two in a row, without a page between
        // them, are everybody's.
        if (odd.has(name)) unreachable(name, message);
        odd.add(name);
      }
    },
    /** Takes in how late the endpoint's lists are by its newest page, seconds. */
    listed(name: EndpointName, delaySeconds: number): void {
      const before = listings.get(name);
      const isLate = delaySeconds > LATE_SECONDS;
      const sinceMs = before?.isLate === isLate ? before.sinceMs : nowMs();
      listings.set(name, { isLate, delaySeconds, sinceMs });
    },
    /** Lateness of the endpoint's lists; null if it has not shown a page in this run. */
    listing: (name: EndpointName): Listing | null => listings.get(name) ?? null,
    keyTaken,
    /** Trouble of an endpoint; null if nothing. */
    trouble: (name: EndpointName): Trouble | null =>
      refusals.get(name) ?? outages.get(name) ?? null,
    /**
     * Since when the endpoint answers, epoch ms; null if it does not, or has not been asked in this
     * run.
     */
    reachedSinceMs: (name: EndpointName) => reachedSince.get(name) ?? null,
    isOpen: (name: EndpointName) => !refusals.has(name),
    /**
     * Whether one request may be spent now to see if a refusal still holds. True once a wait. A
     * refused key has one probe for all endpoints, which take turns: one of them may be away.
     */
    isProbeDue(name: EndpointName): boolean {
      const refusal = refusals.get(name);
      if (refusal === undefined) return false;
      const now = nowMs();
      const waitMs = refusal.nextProbeMs - now;
      // Further away than it was ever meant to be: the clock was set back.
      if (waitMs > 0 && waitMs <= ENDPOINT_NAMES.length * PROBE_MS) return false;
      // An outage, or the end of the watch that it went for, may leave the probe without an answer.
      refusal.nextProbeMs = now + PROBE_MS;
      if (refusal.kind === 'key') passTurn(name, now);
      return true;
    },
  };
}

/** Text for people on an endpoint that is not polled. */
export function troubleText(kind: Trouble['kind'], name: EndpointName): LocalizedText {
  return ({ texts: { errors, watch } }) => {
    const { notInPlan, unreachable } = watch.status;
    return { key: errors.venue.unauthorized, plan: notInPlan[name], unreachable }[kind];
  };
}

/**
 * Wraps a client's calls so that they also report whether the venue takes the key: a person may be
 * the first to know.
 */
export function reportingAvailability(client: LookUps, availability: VenueAvailability): LookUps {
  const report = (name: EndpointName, error: VenueError) => {
    const { kind, isVenues } = error;
    if (kind === 'unauthorized' || kind === 'notInPlan') availability.failed(name, error);
    // It may be odd for what the person asked, and is no trouble of the endpoint.
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
  return lookUpsBy((name) => {
    const call = lookUpOf(client, name);
    return (...args) => watchCall(name, call(...args));
  });
}
