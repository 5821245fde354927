import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import type { LocalizedText } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';
import type { Schedule } from '../poll-policy/schedule.ts';
import { type LookUps, lookUpOf, lookUpsBy } from '../venue/client.ts';
import { VenueError } from '../venue/errors.ts';

/** Probes of a refused key or endpoint start this far apart and slow down to the limit. */
const PROBE_FIRST_MS = 30_000;
const PROBE_LIMIT_MS = 10 * 60_000;

export const TROUBLE_KINDS = ['key', 'plan', 'unreachable'] as const;

/** Trouble that keeps the poller from the venue. */
export interface Trouble {
  readonly kind: (typeof TROUBLE_KINDS)[number];
  readonly say: LocalizedText;
  readonly sinceMs: number;
}

/** A key that is refused again so soon after it was taken, ms, is probed at longer distances. */
const RELAPSE_MS = 10 * 60_000;

interface Refusal extends Trouble {
  readonly probeDelayMs: number;
  nextProbeMs: number;
}

/** The end of a refusal. */
interface Readmission {
  readonly atMs: number;
  /** Distance of the first probe, should it be refused again soon. */
  readonly probeDelayMs: number;
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
  const readmissions = new Map<EndpointName, Readmission>();
  /** Endpoints of which the last answer was odd: it may be the wallet's trouble, or everybody's. */
  const odd = new Set<EndpointName>();

  const readmittedLately = (name: EndpointName): Readmission | undefined => {
    const last = readmissions.get(name);
    if (last === undefined || nowMs() - last.atMs >= RELAPSE_MS) return undefined;
    return last;
  };

  const firstProbeDelayMs = (name: EndpointName): number =>
    readmittedLately(name)?.probeDelayMs ?? PROBE_FIRST_MS;

  /** @param reason for the log: what to do */
  const refuse = (name: EndpointName, kind: 'key' | 'plan', reason: string) => {
    const now = nowMs();
    const before = refusals.get(name);
    const laterMs = Math.min(PROBE_LIMIT_MS, 2 * (before?.probeDelayMs ?? 0));
    const probeDelayMs = before === undefined ? firstProbeDelayMs(name) : laterMs;
    const sinceMs = before?.kind === kind ? before.sinceMs : now;
    const say = troubleText(kind, name);
    reachedSince.delete(name);
    refusals.set(name, { kind, say, sinceMs, probeDelayMs, nextProbeMs: now + probeDelayMs });
    if (before?.kind === kind) return;
    log.error({
      event: kind === 'key' ? 'venue.key_refused' : 'venue.not_in_plan',
      endpoint: name,
      reason,
    });
    onChange(name, false);
  };

  const readmit = (name: EndpointName) => {
    if (!refusals.delete(name)) return;
    const last = readmittedLately(name);
    const probeDelayMs =
      last === undefined ? PROBE_FIRST_MS : Math.min(PROBE_LIMIT_MS, 2 * last.probeDelayMs);
    readmissions.set(name, { atMs: nowMs(), probeDelayMs });
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

  const unreachable = (name: EndpointName, message: string) => {
    if (outages.has(name)) return;
    reachedSince.delete(name);
    outages.set(name, {
      kind: 'unreachable',
      say: troubleText('unreachable', name),
      sinceMs: nowMs(),
    });
    log.warn({ event: 'venue.unreachable', endpoint: name, reason: message });
  };

  return {
    succeeded(name: EndpointName): void {
      odd.delete(name);
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
     * Tells whether one request may be spent now to see if a refusal still holds. True once a wait.
     */
    isProbeDue(name: EndpointName): boolean {
      const refusal = refusals.get(name);
      if (refusal === undefined) return false;
      const now = nowMs();
      const waitMs = refusal.nextProbeMs - now;
      // Further away than it was ever meant to be: the clock was set back.
      if (waitMs > 0 && waitMs <= refusal.probeDelayMs) return false;
      // An outage, or the end of the watch that it went for, may leave the probe without an answer.
      refusal.nextProbeMs = now + refusal.probeDelayMs;
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
