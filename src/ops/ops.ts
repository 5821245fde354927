import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ListenAddress } from '../lib/listen.ts';
import type { Machine } from '../lib/machine.ts';
import type { Store } from '../store/store.ts';
import { createHeartbeat } from './heartbeat.ts';
import { json, serveHttp } from './http.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReadiness, type Readiness, type ReadinessParts } from './readiness.ts';
import { type ArrivedRecord, createRecent } from './recent.ts';

/**
 * Median delay of the event loop from which the process counts as stuck, in ms: it is alive, but
 * too slow to serve anyone.
 */
const STUCK_MS = 2_000;
/** Interval between samples of the delay, and the period of their median, in ms. */
const RESOLUTION_MS = 20;
const WINDOW_MS = 15_000;
/** Update interval of the checks, in ms; the times of their changes are accurate to this. */
const UPDATE_MS = 1_000;

const NOT_LOOKED = {
  trouble: 'It has not looked yet whether it could take over.',
  conversion: null,
};

type Poll = Parameters<Metrics['polls']>[0];
export type Ops = ReturnType<typeof createOps>;

interface OpsOptions {
  /** Labels by which processes of one installation are counted together. */
  readonly identity: {
    readonly role: string;
    readonly shards: string;
    readonly installation: string;
  };
  readonly config: {
    /** Null: nothing is served. */
    readonly HTTP_PORT: ListenAddress | null;
    readonly HEARTBEAT_URL: string | null;
    /** Minimum interval between polls of one endpoint, in seconds. */
    readonly pollMinSeconds: number;
  };
  /** Redacts secrets in a reason in /readyz. Metrics have no free text and are served unchanged. */
  readonly redact: (text: string) => string;
}

/** Creates the bot's operational interfaces: health, readiness, metrics, heartbeat and status. */
export function createOps(machine: Machine, { identity, config, redact }: OpsOptions) {
  const { monotonicMs, log } = machine;
  const { HTTP_PORT: address, HEARTBEAT_URL: heartbeatUrl } = config;
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
    config.pollMinSeconds * 1000,
    identity.role === 'bot',
  );
  const metrics = createMetrics();
  const isActive = () => Number(working !== null);
  metrics.gauge('active', '1 for the process that works, 0 for a standby.', isActive, identity);
  const standby = createStandby();
  metrics.gauge('standby_ready', '0 for a standby that could not take over, else 1.', () =>
    Number(working !== null || standby.isReady()),
  );
  let isServing = false;
  const closers: (() => void | Promise<void>)[] = [];

  const report = () => {
    if (working === null) return standby.report(redact);
    return workingReport(identity.role, readiness.report(), working.gateway.shards(), redact);
  };
  const readyPage = () => {
    const shown = report();
    return json(shown.ready ? 200 : 503, shown);
  };

  /**
   * Serves HTTP if configured, once; as a standby until activated.
   *
   * @throws {ListenError}
   */
  const start = async () => {
    if (address === null || isServing) return;
    isServing = true;
    const loop = measureEventLoop();
    closers.push(loop.stop);
    const pages = {
      '/healthz': async () => healthPage(loop.medianMs(), uptimeSeconds()),
      '/readyz': async () => readyPage(),
      '/metrics': async () => ({
        status: 200,
        contentType: metrics.contentType,
        body: await metrics.text(),
      }),
    };
    const server = await serveHttp({ address, pages, log });
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
    /** @param ownerId null if the watch was removed in the meantime */
    arrived(ownerId: string | null, record: ArrivedRecord) {
      const { delaySeconds, showsPosition } = record;
      metrics.alertDelay.observe(delaySeconds);
      if (showsPosition !== null) metrics.positions({ said: showsPosition ? 'yes' : 'no' });
      if (ownerId !== null) recent.arrived(ownerId, record);
    },
    /** Wraps a store so that each operation is counted and timed. */
    measured: (store: Store) => measuredStore(store, metrics, readiness),
    start,
    standbyLooked: standby.looked,
    /**
     * Marks this process as active: it reports on its parts, and sends the heartbeat.
     *
     * @throws {ListenError}
     */
    async activate(activated: ReadinessParts) {
      working = activated;
      addReadinessGauges(metrics, readiness);
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

/**
 * Creates the state of a standby: whether it could take over. It counts as ready although it does
 * nothing, because a deployment waits for it before it ends the active process.
 */
function createStandby() {
  /** Null before its first check. */
  let found: { readonly trouble: string | null; readonly conversion: string | null } | null = null;
  const isReady = () => found?.trouble === null;
  return {
    isReady,
    report(redact: (text: string) => string) {
      const { trouble, conversion } = found ?? NOT_LOOKED;
      const shown = { ready: isReady(), role: 'standby', reason: redacted(trouble, redact) };
      const rest = { checks: {}, shards: [] };
      if (conversion === null) return { ...shown, ...rest };
      return { ...shown, store: redact(conversion), ...rest };
    },
    /**
     * Records whether a standby could take over.
     *
     * @param trouble the reason if it could not, else null
     * @param conversion what it would first do with the store; null: nothing
     */
    looked(trouble: string | null, conversion: string | null): void {
      found = { trouble, conversion };
    },
  };
}

/** Returns the active process's report, as /readyz shows it. */
function workingReport(
  role: string,
  { ready, checks }: ReturnType<Readiness['report']>,
  shards: ReturnType<ReadinessParts['gateway']['shards']>,
  redact: (text: string) => string,
) {
  const shown = Object.entries(checks).map(([name, { ok, sinceMs, reason }]) => {
    const since = new Date(sinceMs).toISOString();
    return [name, { ok, since, reason: redacted(reason, redact) }];
  });
  return { ready, role, checks: Object.fromEntries(shown), shards };
}

function redacted(reason: string | null, redact: (text: string) => string): string | null {
  if (reason === null) return null;
  return redact(reason);
}

function healthPage(medianDelayMs: number, uptimeSeconds: number) {
  const eventLoopDelayMs = Math.round(medianDelayMs);
  const ok = eventLoopDelayMs < STUCK_MS;
  return json(ok ? 200 : 503, { ok, eventLoopDelayMs, uptimeSeconds: Math.round(uptimeSeconds) });
}

function measuredStore(store: Store, metrics: Metrics, readiness: Readiness): Store {
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
}

/** Adds the metrics of an active process. */
function addReadinessGauges(metrics: Metrics, readiness: Readiness): void {
  metrics.gauges('ready', '1 if /readyz says so, by check and for all together.', 'check', () => {
    const { ready, checks } = readiness.report();
    const all = Object.entries({ all: { ok: ready }, ...checks });
    return Object.fromEntries(all.map(([name, { ok }]) => [name, Number(ok)]));
  });
  metrics.gauge(
    'last_successful_poll_timestamp_seconds',
    'Unix time of the last poll that succeeded.',
    () => {
      const lastMs = readiness.lastPollMs();
      if (lastMs === null) return null;
      return lastMs / 1000;
    },
  );
}

/** Measures the delay of the event loop: how late it runs due timers. */
function measureEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let lastMs: number | null = null;
  // The histogram contains intervals between two timers of the monitor: delay = interval −
  // resolution.
  const median = () => Math.max(0, histogram.percentile(50) / 1e6 - RESOLUTION_MS);
  const timer = setInterval(() => {
    lastMs = median();
    histogram.reset();
  }, WINDOW_MS).unref();
  return {
    /**
     * Returns the median delay of the last full 15 seconds, in ms; during the first 15 seconds, of
     * the time so far.
     */
    medianMs: () => lastMs ?? median(),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
