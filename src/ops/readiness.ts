import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { drawnTime, withWrittenTimes } from '../language/drawn-time.ts';
import { ENGLISH, type LocalizedText } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';

/**
 * Duration from which failing polls, a late tick or a rate-limit pause count as an outage of
 * polling, in ms.
 */
const POLL_TOLERANCE_MS = 2 * 60_000;
/** Minimum interval between test writes to a store that has failed, in ms. */
const PROBE_SPACING_MS = 5_000;
/**
 * Number of consecutive successful test writes after which a failed store counts as working again.
 */
const PROBES_NEEDED = 2;
/** Key of the test write; nothing reads it. */
const PROBE_KEY = 'probe';

export const CHECK_NAMES = ['gateway', 'store', 'feed', 'venue', 'lastPoll'] as const;
type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  readonly ok: boolean;
  /** Time since which it has been so, in epoch ms. */
  readonly sinceMs: number;
  /** Reason why it is not ok, or a remark although it is; null if there is none. */
  readonly say: LocalizedText | null;
  /** Text of `say` in English with ISO times, for the operator. */
  readonly reason: string | null;
}

/**
 * Trouble that keeps the bot from polling an endpoint; `plan`: the key's plan does not include it,
 * or no longer includes it if it has answered before.
 */
export interface VenueTrouble {
  readonly kind: 'key' | 'plan' | 'unreachable';
  readonly hasAnswered: boolean;
  readonly say: LocalizedText;
}

export interface ReadinessParts {
  /** All of this process's connections to Discord's gateway, and each of them. */
  readonly gateway: {
    isUp(): boolean;
    /** Whether another process answers commands with the same token. */
    isTokenShared(): boolean;
    shards(): readonly { readonly id: number; readonly isUp: boolean }[];
  };
  readonly feed: {
    /**
     * Returns why the other half cannot be reached over NATS; null if it can, or if it is in this
     * process.
     */
    trouble(): LocalizedText | null;
    /**
     * Returns the time of its last successful poll, in epoch ms; null if there was none, or if
     * unknown.
     */
    lastPollMs(): number | null;
    /** Returns why polls of an endpoint fail; null if they do not. */
    readonly availability: { trouble(name: EndpointName): VenueTrouble | null };
  };
  /** `pause`: set while the venue's rate limit holds requests back. Epoch ms. */
  readonly budget: {
    snapshot(): { readonly pause: { readonly sinceMs: number; readonly untilMs: number } | null };
  };
  /** True if nothing is watched, so nothing is polled. */
  readonly isIdle: () => boolean;
  readonly store: { set(key: string, document: unknown): Promise<void> };
}

type Finding = Pick<Check, 'ok' | 'say'>;
export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Creates the check whether the bot can work now, based on the state of its parts and three events.
 *
 * @param pollMinMs minimum interval between polls of one endpoint, in ms
 */
export function createReadiness(
  { nowMs, monotonicMs }: Machine,
  parts: () => ReadinessParts,
  pollMinMs: number,
  /** True if another process polls for this one. */
  isPolledElsewhere: boolean,
) {
  const startMs = nowMs();
  const states = new Map<CheckName, { readonly ok: boolean; readonly sinceMs: number }>();
  let hasAnswered = false;
  /**
   * Monotonic time of the first tick since the last success that allowed a request; null if there
   * was none.
   */
  let unpolledSinceMs: number | null = null;
  let nextTickMs = monotonicMs();
  let hasStoreFailed = false;
  /** Bytes of the largest document that could not be written since the store failed. */
  let failedBytes = 0;
  /** Number of consecutive successful test writes since the last failure of any operation. */
  let probesWritten = 0;
  let probedMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  /** Not awaited, because a hanging store must not delay the report. */
  const probeStore = () => {
    if (!hasStoreFailed || isProbing || monotonicMs() - probedMs < PROBE_SPACING_MS) return;
    probedMs = monotonicMs();
    isProbing = true;
    // A full disk accepts small documents for a while, so the test document is as large as the
    // rejected ones.
    const probe = { atMs: nowMs(), filler: 'x'.repeat(failedBytes) };
    parts()
      .store.set(PROBE_KEY, probe)
      // A failure is reported through `storeFailed`, like that of every other write.
      .then(onProbeWritten, () => {})
      .finally(() => {
        isProbing = false;
      });
  };

  const onProbeWritten = async () => {
    probesWritten += 1;
    if (probesWritten < PROBES_NEEDED) return;
    hasStoreFailed = false;
    failedBytes = 0;
    found('store', store());
    await parts().store.set(PROBE_KEY, { atMs: nowMs() });
  };

  const store = (): Finding => {
    if (hasStoreFailed) return wrong(({ texts }) => texts.watch.status.storeFailed);
    return fine();
  };

  const lastPollMs = () => parts().feed.lastPollMs();

  const lastPoll = (): Finding => {
    if (parts().isIdle()) return fine(({ texts }) => texts.watch.status.nothingWatched);
    const now = monotonicMs();
    const lastMs = lastPollMs();
    if (lastMs === null && unpolledSinceMs === null) {
      return wrong(({ texts }) => texts.watch.status.noPoll);
    }
    const since = lastMs === null ? null : drawnTime(lastMs, 'f');
    // The plans of another process are unknown here.
    const unpolledMs = isPolledElsewhere ? nowMs() - (lastMs ?? 0) : now - (unpolledSinceMs ?? now);
    if (lastMs === null || unpolledMs > POLL_TOLERANCE_MS + pollMinMs) {
      return wrong(({ texts }) => texts.watch.status.noPollPlanned(since));
    }
    if (!isPolledElsewhere && now - nextTickMs > POLL_TOLERANCE_MS) {
      const lateSeconds = Math.round((now - nextTickMs) / 1000);
      return wrong(({ texts }) => texts.watch.status.tickLate(lateSeconds));
    }
    return fine();
  };

  const found = (name: CheckName, { ok, say }: Finding): Check => {
    const before = states.get(name);
    const state =
      before?.ok === ok ? before : { ok, sinceMs: before === undefined ? startMs : nowMs() };
    states.set(name, state);
    return { ...state, say, reason: say === null ? null : withWrittenTimes(say(ENGLISH)) };
  };

  return {
    /** Records that the poll loop has planned a number of requests until a time in epoch ms. */
    ticked(requests: number, untilMs: number) {
      nextTickMs = monotonicMs() + (untilMs - nowMs());
      if (parts().isIdle()) unpolledSinceMs = null;
      else if (requests >= 1) unpolledSinceMs ??= monotonicMs();
    },
    polled(outcome: string) {
      // With `error`, our store failed after the venue had answered.
      if (outcome === 'ok' || outcome === 'error') hasAnswered = true;
      if (outcome === 'ok') unpolledSinceMs = null;
    },
    /**
     * Records that a store operation has failed.
     *
     * @param bytes of the document that could not be written
     */
    storeFailed(bytes: number) {
      hasStoreFailed = true;
      probesWritten = 0;
      failedBytes = Math.max(failedBytes, bytes);
      found('store', store());
    },
    /**
     * Reports the present state. It detects changes without an event and tests a failed store, so
     * call it about once a second.
     */
    report() {
      probeStore();
      const say = parts().feed.trouble();
      const checks = {
        gateway: found('gateway', gatewayFinding(parts().gateway)),
        store: found('store', store()),
        feed: found('feed', say === null ? fine() : wrong(say)),
        venue: found('venue', venueFinding(parts(), hasAnswered || lastPollMs() !== null)),
        lastPoll: found('lastPoll', lastPoll()),
      };
      return { ready: Object.values(checks).every(({ ok }) => ok), checks };
    },
    /**
     * Returns the time of the last successful poll, in epoch ms; null if there was none since the
     * start.
     */
    lastPollMs,
  };
}

function gatewayFinding(gateway: ReadinessParts['gateway']): Finding {
  if (gateway.isUp()) {
    return fine(gateway.isTokenShared() ? ({ texts }) => texts.watch.status.tokenShared : null);
  }
  const shards = gateway.shards();
  const down = shards.filter(({ isUp }) => !isUp).map(({ id }) => id);
  if (shards.length < 2 || down.length === 0) {
    return wrong(({ texts }) => texts.watch.status.gatewayDown);
  }
  return wrong(({ texts }) => texts.watch.status.shardsDown(down.join(', '), shards.length));
}

function venueFinding({ feed, budget }: ReadinessParts, hasAnswered: boolean): Finding {
  const troubles = ENDPOINT_NAMES.map((name) => feed.availability.trouble(name)).filter(
    (trouble) => trouble !== null,
  );
  // A plan that never included one of the endpoints is a choice, and the other endpoint continues.
  const isChoice = ({ kind, hasAnswered }: VenueTrouble) => kind === 'plan' && !hasAnswered;
  const worst = troubles.find((trouble) => !isChoice(trouble)) ?? troubles[0];
  if (worst === undefined || isChoice(worst)) {
    const { pause } = budget.snapshot();
    if (pause !== null && pause.untilMs - pause.sinceMs > POLL_TOLERANCE_MS) {
      const until = drawnTime(pause.untilMs, 't');
      return wrong(({ texts }) => texts.watch.status.paused(until));
    }
  }
  if (worst === undefined) {
    if (hasAnswered) return fine();
    return fine(({ texts }) => texts.watch.status.nothingAsked);
  }
  const isServed = isChoice(worst) && troubles.length < ENDPOINT_NAMES.length;
  return { ok: isServed, say: worst.say };
}

function fine(say: LocalizedText | null = null): Finding {
  return { ok: true, say };
}

function wrong(say: LocalizedText): Finding {
  return { ok: false, say };
}
