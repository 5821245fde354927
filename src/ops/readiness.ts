import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { drawnTime, withWrittenTimes } from '../language/drawn-time.ts';
import { ENGLISH, type LocalizedText } from '../language/language.ts';
import type { Machine } from '../lib/machine.ts';

/**
 * From this long on, failing polls, a late tick and a pause by the rate limit count as polling that
 * does not work.
 */
const POLL_TOLERANCE_MS = 2 * 60_000;
/** Least time between two writes that try a store that has failed. */
const PROBE_SPACING_MS = 5_000;
/**
 * A store that has failed works again once so many probes in a row are written, without a failure
 * between them.
 */
const PROBES_NEEDED = 2;
/** Key that the probe writes; nothing reads it. */
const PROBE_KEY = 'probe';

export const CHECK_NAMES = ['gateway', 'store', 'feed', 'venue', 'lastPoll'] as const;
type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  readonly ok: boolean;
  /** Since when it has been so, epoch ms. */
  readonly sinceMs: number;
  /** Why it is not ok, or a remark although it is; null if there is none. */
  readonly say: LocalizedText | null;
  /** Text of `say` in English with ISO times, for whoever runs the bot. */
  readonly reason: string | null;
}

/**
 * Trouble that keeps the bot from polling an endpoint; `plan`: the key's plan does not include it,
 * or no longer, if it has answered before.
 */
export interface VenueTrouble {
  readonly kind: 'key' | 'plan' | 'unreachable';
  readonly hasAnswered: boolean;
  readonly say: LocalizedText;
}

export interface ReadinessParts {
  /** All connections to Discord's gateway of this process, and each of them. */
  readonly gateway: {
    isUp(): boolean;
    /** Tells whether another process answers commands with the same token. */
    isTokenShared(): boolean;
    shards(): readonly { readonly id: number; readonly isUp: boolean }[];
  };
  readonly feed: {
    /** Why the other half cannot be reached over NATS; null if it can, or is in this process. */
    trouble(): LocalizedText | null;
    /** Time of its last poll that succeeded, epoch ms; null if it has not, or that is not known. */
    lastPollMs(): number | null;
    /** Why polls of an endpoint fail; null if they do not. */
    readonly availability: { trouble(name: EndpointName): VenueTrouble | null };
  };
  /** `pause`: set while the venue's rate limit holds requests back. Epoch ms. */
  readonly budget: {
    snapshot(): { readonly pause: { readonly sinceMs: number; readonly untilMs: number } | null };
  };
  /** Nothing is watched, so that nothing is polled. */
  readonly isIdle: () => boolean;
  readonly store: { set(key: string, document: unknown): Promise<void> };
}

type Finding = Pick<Check, 'ok' | 'say'>;
export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Tells whether the bot can work now, by what its parts say and three events.
 *
 * @param pollMinMs POLL_MIN_SECONDS, in ms
 */
export function createReadiness(
  { nowMs, monotonicMs }: Pick<Machine, 'nowMs' | 'monotonicMs'>,
  parts: () => ReadinessParts,
  pollMinMs: number,
  /** Another process polls for this one. */
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
  /** Probes in a row that were written since the last failure of anything. */
  let probesWritten = 0;
  let probedMs = Number.NEGATIVE_INFINITY;
  let isProbing = false;

  /** Not awaited: a store that hangs must not delay the report. */
  const probeStore = () => {
    if (!hasStoreFailed || isProbing || monotonicMs() - probedMs < PROBE_SPACING_MS) return;
    probedMs = monotonicMs();
    isProbing = true;
    // A full disk takes small documents for a while: the probe is as large as what it has refused.
    const probe = { atMs: nowMs(), filler: 'x'.repeat(failedBytes) };
    parts()
      .store.set(PROBE_KEY, probe)
      // A failure is reported through `stored`, like that of every other write.
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
    // The plans of another process are not known here.
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
    /** The poll loop has planned so many requests until a time, epoch ms. */
    ticked(requests: number, untilMs: number) {
      nextTickMs = monotonicMs() + (untilMs - nowMs());
      if (parts().isIdle()) unpolledSinceMs = null;
      else if (requests >= 1) unpolledSinceMs ??= monotonicMs();
    },
    polled(outcome: string) {
      // With `error` it was our store that failed, after the venue had answered.
      if (outcome === 'ok' || outcome === 'error') hasAnswered = true;
      if (outcome === 'ok') unpolledSinceMs = null;
    },
    /**
     * A store operation has failed.
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
     * Reports how it is now. Notices changes that nothing tells and tries a failed store: to be
     * called about once a second.
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
    /** Time of the last poll that succeeded, epoch ms; null if none has since the start. */
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
  // A plan that never included one of the endpoints is a choice, and the other endpoint goes on.
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
