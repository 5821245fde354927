import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Machine } from '../lib/machine.ts';
import { quantile } from '../lib/quantile.ts';
import type { Store } from '../store/store.ts';
import { createHeartbeat } from './heartbeat.ts';
import { json, serveHttp } from './http.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReadiness, type ReadinessParts } from './readiness.ts';

/**
 * A median delay of the event loop from which on the process counts as stuck: it is alive, but
 * nobody is served.
 */
const STUCK_MS = 2_000;
/** Distance of samples of the delay, and the time over which their median is taken. */
const RESOLUTION_MS = 20;
const WINDOW_MS = 15_000;
/** The times from which on checks are good or bad are exact to this. */
const UPDATE_MS = 1_000;

/** Polls are counted in so many buckets: five minutes. */
const BUCKETS = 30;
const BUCKET_MS = 10_000;
const RECORDS_KEPT = 100;
/** Owners whose records are kept; the one whose last alert is the oldest is dropped first. */
const OWNERS_KEPT = 1_000;

/** A record that a message announced. */
interface ArrivedRecord {
  /** From its time to Discord's answer to the message, by the venue's clock. */
  readonly delaySeconds: number;
  /**
   * True if the message says what it means for the wallet's position; null for a deposit or
   * withdrawal.
   */
  readonly saysPosition: boolean | null;
}

type Poll = Parameters<Metrics['polls']>[0];
export type Ops = ReturnType<typeof createOps>;

/** Shows the bot to the outside: health, readiness, metrics, heartbeat and status. */
export function createOps(
  machine: Pick<Machine, 'nowMs' | 'monotonicMs' | 'log'>,
  options: {
    readonly identity: { readonly role: string; readonly shards: string };
    readonly config: {
      readonly HTTP_HOST: string;
      /** Null: nothing is served. */
      readonly HTTP_PORT: number | null;
      readonly HEARTBEAT_URL: string | null;
      /** Least distance of the polls of one endpoint. */
      readonly POLL_MIN_SECONDS: number;
    };
    /**
     * Strikes secrets out of a reason in /readyz. Metrics have no free text and are served as they
     * are.
     */
    readonly redact: (text: string) => string;
  },
) {
  const { monotonicMs, log } = machine;
  const { identity, config, redact } = options;
  const { HTTP_HOST: host, HTTP_PORT: port, HEARTBEAT_URL: heartbeatUrl } = config;
  const startedMs = monotonicMs();
  const uptimeSeconds = () => (monotonicMs() - startedMs) / 1000;
  /** Null for a standby. */
  let working: ReadinessParts | null = null;
  const parts = () => {
    if (working === null) throw new TypeError('A standby has no parts yet.');
    return working;
  };
  const recent = createRecent(monotonicMs);
  const readiness = createReadiness(
    machine,
    parts,
    config.POLL_MIN_SECONDS * 1000,
    identity.role === 'bot',
  );
  const metrics = createMetrics();
  const isActive = () => Number(working !== null);
  metrics.gauge('active', '1 for the process that works, 0 for a standby.', isActive, identity);
  /** Why a standby could not take over; null: it could, or has not looked yet. */
  let standbyTrouble: string | null = null;
  let standbyConversion: string | null = null;
  let hasStandbyLooked = false;
  const isStandbyReady = () => hasStandbyLooked && standbyTrouble === null;
  metrics.gauge('standby_ready', '0 for a standby that could not take over, else 1.', () =>
    Number(working !== null || isStandbyReady()),
  );
  let isServing = false;
  const closers: (() => void | Promise<void>)[] = [];

  const readyPage = () => {
    // A standby is ready although it does nothing: a deployment waits for it before it ends the
    // process that works.
    if (working === null) {
      const reason = hasStandbyLooked
        ? standbyTrouble
        : 'It has not looked yet whether it could take over.';
      const ready = isStandbyReady();
      const shown = {
        ready,
        role: 'standby',
        reason: reason === null ? null : redact(reason),
        ...(standbyConversion !== null && { store: redact(standbyConversion) }),
        checks: {},
        shards: [],
      };
      return json(ready ? 200 : 503, shown);
    }
    const { ready, checks } = readiness.report();
    const shown = Object.entries(checks).map(([name, { ok, sinceMs, reason }]) => [
      name,
      {
        ok,
        since: new Date(sinceMs).toISOString(),
        reason: reason === null ? null : redact(reason),
      },
    ]);
    const shards = working.gateway.shards();
    return json(ready ? 200 : 503, {
      ready,
      role: identity.role,
      checks: Object.fromEntries(shown),
      shards,
    });
  };

  /**
   * Serves HTTP where it is configured, once, as a standby until it is activated. @throws
   * {ListenError}
   */
  const start = async () => {
    if (port === null || isServing) return;
    isServing = true;
    const loop = measureEventLoop();
    closers.push(loop.stop);
    const server = await serveHttp({
      host,
      port,
      pages: {
        async '/healthz'() {
          const eventLoopDelayMs = Math.round(loop.medianMs());
          const ok = eventLoopDelayMs < STUCK_MS;
          return json(ok ? 200 : 503, {
            ok,
            eventLoopDelayMs,
            uptimeSeconds: Math.round(uptimeSeconds()),
          });
        },
        '/readyz': async () => readyPage(),
        '/metrics': async () => ({
          status: 200,
          contentType: metrics.contentType,
          body: await metrics.text(),
        }),
      },
      log,
    });
    closers.push(server.close);
  };

  return {
    metrics,
    recent,
    readiness,
    uptimeSeconds,
    ticked: readiness.ticked,
    polled(endpoint: Poll['endpoint'], outcome: Poll['outcome']) {
      metrics.polls({ endpoint, outcome });
      readiness.polled(outcome);
      recent.polled(outcome);
    },
    /** @param ownerId null if the watch was removed meanwhile */
    arrived(ownerId: string | null, record: ArrivedRecord) {
      const { delaySeconds, saysPosition } = record;
      metrics.alertDelay.observe(delaySeconds);
      if (saysPosition !== null) metrics.positions({ said: saysPosition ? 'yes' : 'no' });
      if (ownerId !== null) recent.arrived(ownerId, record);
    },
    /** Wraps a store so that each operation is counted and timed. */
    measured(store: Store): Store {
      const measure = async <Result>(
        operation: 'get' | 'set' | 'delete',
        work: () => Promise<Result>,
        document?: unknown,
      ) => {
        const observe = metrics.storeSeconds.startTimer({ operation });
        try {
          return await work();
        } catch (error) {
          metrics.storeErrors({ operation });
          readiness.storeFailed(
            document === undefined ? 0 : Buffer.byteLength(JSON.stringify(document)),
          );
          throw error;
        } finally {
          observe();
        }
      };
      return {
        ...store,
        get: (key) => measure('get', () => store.get(key)),
        set: (key, document) => measure('set', () => store.set(key, document), document),
        delete: (key) => measure('delete', () => store.delete(key)),
      };
    },
    start,
    /**
     * Notes whether a standby could take over.
     *
     * @param trouble why not; null: it could
     * @param conversion what it will do with the store first; null: nothing
     */
    standbyLooked(trouble: string | null, conversion: string | null): void {
      hasStandbyLooked = true;
      standbyTrouble = trouble;
      standbyConversion = conversion;
    },
    /**
     * From now on this process works: its parts are reported on, and the heartbeat is sent. @throws
     * {ListenError}
     */
    async activate(parts: ReadinessParts) {
      working = parts;
      metrics.gauges(
        'ready',
        '1 if /readyz says so, by check and for all together.',
        'check',
        () => {
          const { ready, checks } = readiness.report();
          const all = Object.entries({ all: { ok: ready }, ...checks });
          return Object.fromEntries(all.map(([name, { ok }]) => [name, Number(ok)]));
        },
      );
      metrics.gauge(
        'last_successful_poll_timestamp_seconds',
        'Unix time of the last poll that succeeded.',
        () => {
          const lastMs = readiness.lastPollMs();
          return lastMs === null ? null : lastMs / 1000;
        },
      );
      const isReady = () => readiness.report().ready;
      const onPing = (isDone: boolean) => metrics.heartbeats({ outcome: isDone ? 'ok' : 'failed' });
      const heartbeat =
        heartbeatUrl === null ? null : createHeartbeat(machine, heartbeatUrl, isReady, onPing);
      const timer = setInterval(() => {
        readiness.report();
        heartbeat?.beat();
      }, UPDATE_MS).unref();
      closers.push(() => clearInterval(timer));
      if (heartbeat !== null) closers.push(heartbeat.stop);
      await start();
    },
    async stop() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** Recent polls and delays, for `/watch status`. @param monotonicMs a clock that never jumps, ms */
export function createRecent(monotonicMs: () => number) {
  /** Polls by the time at which they ended, in buckets since that clock's beginning. */
  const buckets = new LRUCache<number, { readonly succeeded: number; readonly failed: number }>({
    max: BUCKETS,
  });
  const recordsByOwner = new LRUCache<string, readonly ArrivedRecord[]>({ max: OWNERS_KEPT });
  const bucketNow = () => Math.floor(monotonicMs() / BUCKET_MS);

  return {
    polled(outcome: string) {
      const { succeeded, failed } = buckets.get(bucketNow()) ?? { succeeded: 0, failed: 0 };
      const isDone = outcome === 'ok';
      buckets.set(bucketNow(), {
        succeeded: succeeded + Number(isDone),
        failed: failed + Number(!isDone),
      });
    },
    arrived(ownerId: string, record: ArrivedRecord) {
      recordsByOwner.set(
        ownerId,
        [...(recordsByOwner.get(ownerId) ?? []), record].slice(-RECORDS_KEPT),
      );
    },
    /** Polls of the last five minutes. */
    polls() {
      const counted = [...buckets.entries()].filter(([bucket]) => bucket > bucketNow() - BUCKETS);
      return {
        succeeded: counted.reduce((sum, [, { succeeded }]) => sum + succeeded, 0),
        failed: counted.reduce((sum, [, { failed }]) => sum + failed, 0),
        windowMs: BUCKETS * BUCKET_MS,
      };
    },
    /**
     * Delays of an owner's last alerts; null if none came since start. `withoutPosition`: without
     * what they mean for it.
     */
    delays(ownerId: string) {
      const records = recordsByOwner.peek(ownerId);
      if (records === undefined) return null;
      const delays = records.map(({ delaySeconds }) => delaySeconds).sort((a, b) => a - b);
      const withoutPosition = records.filter(({ saysPosition }) => saysPosition === false).length;
      const [medianSeconds, p95Seconds] = [quantile(delays, 0.5), quantile(delays, 0.95)];
      return { count: delays.length, medianSeconds, p95Seconds, withoutPosition };
    },
  };
}

/** Measures the delay of the event loop: how late it runs timers that are due. */
function measureEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let lastMs: number | null = null;
  // The histogram holds intervals between two timers of the monitor: delay = interval − resolution.
  const median = () => Math.max(0, histogram.percentile(50) / 1e6 - RESOLUTION_MS);
  const timer = setInterval(() => {
    lastMs = median();
    histogram.reset();
  }, WINDOW_MS).unref();
  return {
    /**
     * Median delay of the last whole 15 seconds, ms; before the first 15 seconds, of the time so
     * far.
     */
    medianMs: () => lastMs ?? median(),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
