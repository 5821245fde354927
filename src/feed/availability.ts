import type { Logger } from 'pino';
import type { EndpointName } from '../domain/records.ts';
import { ENGLISH, type LocalizedText } from '../language/language.ts';
import type { VenueError } from '../venue/errors.ts';

/** Probes of a refused key or endpoint start this far apart and slow down to the limit. */
const PROBE_FIRST_MS = 30_000;
const PROBE_LIMIT_MS = 10 * 60_000;

/** What keeps the poller from the venue. */
export interface Trouble {
  readonly kind: 'key' | 'plan' | 'unreachable';
  /** As a person reads it. */
  readonly say: LocalizedText;
  readonly sinceMs: number;
}

/** Knows whether the venue serves us, reports each change once, and says when to try again. */
export interface VenueAvailability {
  /** A poll of the endpoint has succeeded. */
  succeeded(name: EndpointName): void;
  failed(name: EndpointName, error: VenueError): void;
  /** What is wrong with an endpoint; null if nothing. */
  trouble(name: EndpointName): Trouble | null;
  /** Since when the endpoint answers, epoch ms; null if it does not, or has not been asked in this run. */
  reachedSinceMs(name: EndpointName): number | null;
  /** Whether the endpoint may be polled as usual. */
  isOpen(name: EndpointName): boolean;
  /** Whether one request may be spent now to see if a refusal still holds. True once a wait. */
  isProbeDue(name: EndpointName): boolean;
}

export interface VenueAvailabilityDeps {
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly onChange: (name: EndpointName, isOpen: boolean) => void;
}

interface Refusal extends Trouble {
  readonly probeDelayMs: number;
  nextProbeMs: number;
}

export function createVenueAvailability(deps: VenueAvailabilityDeps): VenueAvailability {
  const names: readonly EndpointName[] = ['activity', 'deposits-withdrawals'];
  const refusals = new Map<EndpointName, Refusal>();
  const outages = new Map<EndpointName, Trouble>();
  const reachedSince = new Map<EndpointName, number>();

  const refuse = (name: EndpointName, kind: 'key' | 'plan', say: LocalizedText) => {
    const now = deps.nowMs();
    const before = refusals.get(name);
    const probeDelayMs = before === undefined ? PROBE_FIRST_MS : Math.min(PROBE_LIMIT_MS, before.probeDelayMs * 2);
    const sinceMs = before?.kind === kind ? before.sinceMs : now;
    reachedSince.delete(name);
    refusals.set(name, { kind, say, sinceMs, probeDelayMs, nextProbeMs: now + probeDelayMs });
    if (before?.kind === kind) return;
    const reason = say(ENGLISH);
    deps.log.error({ event: kind === 'key' ? 'venue.key_refused' : 'venue.not_in_plan', endpoint: name, reason });
    deps.onChange(name, false);
  };

  /** A key that is refused at one endpoint is refused at all of them. */
  const refuseKey = (name: EndpointName) => {
    const say: LocalizedText = ({ texts }) => texts.watch.status.keyRefused;
    for (const each of names) if (each === name || !refusals.has(each)) refuse(each, 'key', say);
  };

  const markUnreachable = (name: EndpointName, reason: string) => {
    if (outages.has(name)) return;
    reachedSince.delete(name);
    const say: LocalizedText = ({ texts }) => texts.watch.status.unreachable;
    outages.set(name, { kind: 'unreachable', say, sinceMs: deps.nowMs() });
    deps.log.warn({ event: 'venue.unreachable', endpoint: name, reason });
  };

  const readmit = (name: EndpointName) => {
    if (!refusals.delete(name)) return;
    deps.log.info({ event: 'venue.accepted_again', endpoint: name });
    deps.onChange(name, true);
  };

  return {
    succeeded(name) {
      if (!reachedSince.has(name)) reachedSince.set(name, deps.nowMs());
      if (outages.delete(name)) deps.log.info({ event: 'venue.reached_again', endpoint: name });
      readmit(name);
      // One answer proves the key; the plan's endpoints are each on their own.
      for (const other of names) if (refusals.get(other)?.kind === 'key') readmit(other);
    },
    failed(name, error) {
      if (error.kind === 'unauthorized') {
        refuseKey(name);
      } else if (error.kind === 'notInPlan') {
        refuse(name, 'plan', ({ texts }) => texts.watch.status.notInPlan[name]);
      } else if (error.kind === 'unreachable' || error.kind === 'badResponse') {
        markUnreachable(name, error.message);
      }
    },
    trouble: (name) => refusals.get(name) ?? outages.get(name) ?? null,
    reachedSinceMs: (name) => reachedSince.get(name) ?? null,
    isOpen: (name) => !refusals.has(name),
    isProbeDue(name) {
      const refusal = refusals.get(name);
      if (refusal === undefined) return false;
      const now = deps.nowMs();
      const waitMs = refusal.nextProbeMs - now;
      // Further away than it was ever meant to be: the clock was set back.
      if (waitMs > 0 && waitMs <= refusal.probeDelayMs) return false;
      // An outage, or the end of the watch that it went for, may leave the probe without an answer.
      refusal.nextProbeMs = now + refusal.probeDelayMs;
      return true;
    },
  };
}
