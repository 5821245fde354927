import type { Logger } from 'pino';
import { measureEventLoop } from './event-loop.ts';
import type { BudgetFigures, Figures, OwnerFigures, ShardFigures } from './figures.ts';
import { createHeartbeat } from './heartbeat.ts';
import { json, type Page, serveHttp } from './http.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness, type ReadinessDeps, type ReadyReport } from './readiness.ts';
import { createRecent, type Delays, type Recent } from './recent.ts';
import type { Telemetry } from './telemetry.ts';

/** A median delay of the event loop from which on the process counts as stuck: it is alive, but nobody is served. */
const STUCK_MS = 2_000;
/** The times from which on checks are good or bad are exact to this. */
const UPDATE_MS = 1_000;

export interface OpsDeps extends ReadinessDeps {
  readonly version: string;
  /** What this process is: its role, and its gateway shards. */
  readonly identity: { readonly role: string; readonly shards: string };
  /** Null: nothing is served. */
  readonly http: { readonly host: string; readonly port: number } | null;
  readonly heartbeatUrl: string | null;
  readonly figures: () => Figures;
  readonly ownerFigures: (ownerId: string) => OwnerFigures;
  /** Null if it is not known. */
  readonly shardOf: (ownerId: string) => number | null;
  /** Strikes secrets out of a reason in /readyz. Metrics have no free text and are served as they are. */
  readonly redact: (text: string) => string;
  readonly log: Logger;
}

/** The answer of `/watch status`, for a person of one guild: of other guilds it holds counts alone. */
export interface Status {
  readonly version: string;
  readonly uptimeSeconds: number;
  readonly ready: ReadyReport;
  readonly gatewayPingMs: number | null;
  /** Of this process, by id. */
  readonly shards: readonly ShardFigures[];
  /** Id of the guild's shard; null if it is not known. */
  readonly shardHere: number | null;
  readonly budget: BudgetFigures;
  readonly polls: ReturnType<Recent['polls']>;
  /** Epoch ms. */
  readonly lastPollMs: number | null;
  readonly here: OwnerFigures & { readonly delays: Delays | null };
  readonly total: { readonly watches: number; readonly wallets: number; readonly waiting: number };
}

/** How the bot is seen from outside: health, readiness, metrics, heartbeat and status. */
export interface Ops {
  readonly telemetry: Telemetry;
  status(ownerId: string): Status;
  /** Serves HTTP where it is configured, as a standby until it is activated. @throws {ListenError} */
  start(): Promise<void>;
  /** From now on the process is the one that works: its parts are reported on, and the heartbeat is sent. */
  activate(): void;
  stop(): Promise<void>;
}

/** @param deps asked only after `activate`: the parts that they report on may be created later than this */
export function createOps(deps: OpsDeps): Ops {
  const { version, monotonicMs, log } = deps;
  const startedMs = monotonicMs();
  const uptimeSeconds = () => (monotonicMs() - startedMs) / 1000;
  const recent = createRecent(monotonicMs);
  const readiness = createReadiness(deps);
  let isActive = false;
  const metrics = createMetrics({
    version,
    figures: deps.figures,
    readiness,
    isActive: () => isActive,
    identity: deps.identity,
  });
  const closers: (() => void | Promise<void>)[] = [];

  const serve = async (address: NonNullable<OpsDeps['http']>) => {
    const loop = measureEventLoop();
    closers.push(loop.stop);
    const server = await serveHttp({
      ...address,
      pages: {
        '/healthz': async () => healthPage(Math.round(loop.medianMs()), Math.round(uptimeSeconds())),
        '/readyz': async () => (isActive ? readyPage(readiness.report(), deps) : STANDBY_PAGE),
        '/metrics': async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.text() }),
      },
      log,
    });
    closers.push(server.close);
  };

  const startHeartbeat = (url: string) => {
    const isWorking = () => readiness.report().ready;
    const heartbeat = createHeartbeat({ url, isWorking, onPing: metrics.heartbeat, monotonicMs, log });
    heartbeat.start();
    closers.push(heartbeat.stop);
  };

  return {
    telemetry: {
      ticked: readiness.ticked,
      polled(...poll) {
        for (const part of [readiness, recent, metrics]) part.polled(...poll);
      },
      gapFound: metrics.gapFound,
      sent: metrics.sent,
      arrived(arrival) {
        for (const part of [recent, metrics]) part.arrived(arrival);
      },
      stored(...operation) {
        for (const part of [readiness, metrics]) part.stored(...operation);
      },
      commanded: metrics.commanded,
    },
    status(ownerId) {
      const { budget, gatewayPingMs, shards, watches, wallets, waiting } = deps.figures();
      return {
        version,
        uptimeSeconds: uptimeSeconds(),
        ready: readiness.report(),
        gatewayPingMs,
        shards,
        shardHere: deps.shardOf(ownerId),
        budget,
        polls: recent.polls(),
        lastPollMs: readiness.lastPollMs(),
        here: { ...deps.ownerFigures(ownerId), delays: recent.delays(ownerId) },
        total: { watches, wallets, waiting: waiting.open.alerts + waiting.blocked.alerts },
      };
    },
    async start() {
      if (deps.http !== null) await serve(deps.http);
    },
    activate() {
      isActive = true;
      const timer = setInterval(readiness.update, UPDATE_MS);
      timer.unref();
      closers.push(() => clearInterval(timer));
      if (deps.heartbeatUrl !== null) startHeartbeat(deps.heartbeatUrl);
    },
    async stop() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** A standby is ready although it does nothing: a deployment waits for it before it ends the process that works. */
const STANDBY_PAGE = json(200, { ready: true, role: 'standby', checks: {}, shards: [] });

function healthPage(eventLoopDelayMs: number, uptimeSeconds: number): Page {
  const ok = eventLoopDelayMs < STUCK_MS;
  return json(ok ? 200 : 503, { ok, eventLoopDelayMs, uptimeSeconds });
}

function readyPage(
  { ready, checks }: ReadyReport,
  { redact, shards, identity: { role } }: Pick<OpsDeps, 'redact' | 'shards' | 'identity'>,
): Page {
  const shown = Object.entries(checks).map(([name, { ok, sinceMs, reason }]) => [
    name,
    { ok, since: new Date(sinceMs).toISOString(), reason: reason === null ? null : redact(reason) },
  ]);
  return json(ready ? 200 : 503, { ready, role, checks: Object.fromEntries(shown), shards: shards() });
}
