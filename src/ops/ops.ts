import type { Logger } from 'pino';
import type { Outbox } from '../alerts/outbox.ts';
import type { ChannelQueueStore } from '../delivery/channel-queue.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import type { Gateway } from '../discord/gateway.ts';
import type { ShardState } from '../discord/shards.ts';
import type { VenueAvailability } from '../feed/availability.ts';
import type { Store } from '../store/store.ts';
import type { VenueClient } from '../venue/client.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import type { Registry } from '../watches/registry.ts';
import { measureEventLoop } from './event-loop.ts';
import { createHeartbeat } from './heartbeat.ts';
import { json, serveHttp } from './http.ts';
import { createMetrics, type Figures, type Waiting } from './metrics.ts';
import { type Observer, toEach } from './observer.ts';
import { createReadiness, type ReadyReport } from './readiness.ts';
import { createRecent, type Delays, type Recent } from './recent.ts';

/** Half of what is due runs later than this: the process is alive, but nobody is served. */
const STUCK_MS = 2_000;
/** So exact is since when a part has been ready or not. */
const LOOK_MS = 1_000;

/** What the parts tell, once they exist. */
export interface OpsParts {
  readonly budget: Pick<Budget, 'snapshot' | 'venueNowMs'>;
  readonly venue: Pick<VenueClient, 'stats'>;
  readonly availability: Pick<VenueAvailability, 'trouble'>;
  readonly registry: Pick<Registry, 'size' | 'restingSize' | 'wallets' | 'ofGuild'>;
  readonly outbox: Pick<Outbox, 'channels' | 'pending'>;
  readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'blockedChannels' | 'deadLetters'>;
  readonly channelQueues: Pick<ChannelQueueStore, 'channels' | 'get'>;
  readonly store: Pick<Store, 'set'>;
  readonly gateway: Gateway;
}

export interface OpsDeps {
  readonly version: string;
  readonly http: { readonly host: string; readonly port: number } | null;
  readonly heartbeatUrl: string | null;
  /** How far apart the polls of one endpoint are at least (POLL_MIN_SECONDS), ms. */
  readonly pollMinMs: number;
  readonly parts: () => OpsParts;
  /** Takes out of a reason what nobody may read. What has no free text, such as a metric, is served as it is. */
  readonly redact: (text: string) => string;
  /** Wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** A clock that never jumps, ms from any origin. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
}

/** How things stand, for an admin of a guild: of other guilds it holds counts alone. */
export interface Status {
  readonly version: string;
  readonly uptimeSeconds: number;
  readonly ready: ReadyReport;
  readonly gatewayPingMs: number | null;
  /** Of this process, by their number, and the one that the guild is on; null if it is not known. */
  readonly shards: readonly ShardState[];
  readonly shardHere: number | null;
  readonly budget: Figures['budget'];
  readonly polls: ReturnType<Recent['polls']>;
  readonly lastPollMs: number | null;
  /** Alerts that wait, and for how long the oldest one has. */
  readonly here: GuildStatus;
  readonly total: { readonly watches: number; readonly wallets: number; readonly waiting: number };
}

export interface GuildStatus {
  readonly watches: number;
  readonly waiting: Waiting;
  readonly blockedChannels: readonly string[];
  readonly deadLetters: number;
  readonly delays: Delays | null;
}

/** How the bot is seen from outside: health, readiness, metrics, heartbeat and status. */
export interface Ops {
  /** To be told what happens. */
  readonly observer: Observer;
  status(guildId: string): Status;
  /** Listens and pings, as far as it is asked to. @throws {ListenError} */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param deps `parts` is asked for only after `start` */
export function createOps(deps: OpsDeps): Ops {
  const { nowMs, monotonicMs, log } = deps;
  const startedMs = monotonicMs();
  const recent = createRecent(monotonicMs);
  const readiness = createReadiness({
    isGatewayUp: () => deps.parts().gateway.isUp(),
    shards: () => deps.parts().gateway.shards(),
    availability: { trouble: (name) => deps.parts().availability.trouble(name) },
    pause: () => deps.parts().budget.snapshot().pause,
    watches: () => deps.parts().registry.size,
    pollMinMs: deps.pollMinMs,
    write: (key, document) => deps.parts().store.set(key, document),
    nowMs,
    monotonicMs,
  });

  const waitingFor = (channelIds: readonly string[]): Waiting => {
    const { outbox, budget } = deps.parts();
    const pending = channelIds.map((channelId) => outbox.pending(channelId));
    const oldestMs = Math.min(...pending.map(([oldest]) => oldest?.seenAtMs ?? Number.POSITIVE_INFINITY));
    return {
      alerts: pending.reduce((sum, { length }) => sum + length, 0),
      oldestSeconds: Number.isFinite(oldestMs) ? Math.max(0, (budget.venueNowMs() - oldestMs) / 1000) : 0,
    };
  };

  const figures = (): Figures => {
    const { budget, venue, registry, outbox, deliveryWorker, gateway, channelQueues } = deps.parts();
    const isBlocked = (channelId: string) => deliveryWorker.block(channelId) !== null;
    return {
      budget: budget.snapshot(),
      venue: venue.stats(),
      waiting: {
        open: waitingFor(outbox.channels().filter((channelId) => !isBlocked(channelId))),
        blocked: waitingFor(outbox.channels().filter(isBlocked)),
      },
      sendingSeconds: Math.max(
        0,
        ...channelQueues.channels().map((channelId) => {
          const { message, block } = channelQueues.get(channelId);
          return message === null || block !== null ? 0 : (nowMs() - message.startedAtMs) / 1000;
        }),
      ),
      blockedChannels: deliveryWorker.blockedChannels().length,
      deadLetters: channelQueues
        .channels()
        .reduce((sum, channelId) => sum + deliveryWorker.deadLetters(channelId).length, 0),
      watches: registry.size,
      restingWatches: registry.restingSize,
      wallets: [...registry.wallets()].length,
      guilds: gateway.guilds(),
      gatewayPingMs: gateway.pingMs(),
      shards: gateway.shards(),
      lastPollMs: readiness.lastPollMs(),
    };
  };

  const uptimeSeconds = () => (monotonicMs() - startedMs) / 1000;
  const metrics = createMetrics({ version: deps.version, figures, readiness: readiness.report });
  const observer = toEach([readiness, recent, metrics]);
  const closers: (() => void | Promise<void>)[] = [];

  const readyPage = async () => {
    const { ready, checks } = readiness.report();
    const shown = Object.entries(checks).map(([name, { ok, sinceMs, reason }]) => [
      name,
      { ok, since: new Date(sinceMs).toISOString(), reason: reason === null ? null : deps.redact(reason) },
    ]);
    const { gateway } = deps.parts();
    return json(ready ? 200 : 503, { ready, checks: Object.fromEntries(shown), shards: gateway.shards() });
  };

  return {
    observer,
    status(guildId) {
      const { registry, deliveryWorker, gateway } = deps.parts();
      const { budget, gatewayPingMs, shards, lastPollMs, watches, wallets, waiting } = figures();
      const ofGuild = registry.ofGuild(guildId);
      const channelIds = [...new Set(ofGuild.map(({ channelId }) => channelId))];
      return {
        version: deps.version,
        uptimeSeconds: uptimeSeconds(),
        ready: readiness.report(),
        gatewayPingMs,
        shards,
        shardHere: gateway.shardOf(guildId),
        budget,
        polls: recent.polls(),
        lastPollMs,
        here: {
          watches: ofGuild.length,
          waiting: waitingFor(channelIds),
          blockedChannels: channelIds.filter((channelId) => deliveryWorker.block(channelId) !== null),
          deadLetters: channelIds.reduce((sum, channelId) => sum + deliveryWorker.deadLetters(channelId).length, 0),
          delays: recent.delays(guildId),
        },
        total: { watches, wallets, waiting: waiting.open.alerts + waiting.blocked.alerts },
      };
    },
    async start() {
      const looking = setInterval(readiness.look, LOOK_MS);
      looking.unref();
      closers.push(() => clearInterval(looking));
      if (deps.http !== null) {
        const loop = measureEventLoop();
        closers.push(loop.stop);
        const server = await serveHttp({
          ...deps.http,
          pages: {
            '/healthz': async () => {
              const delayMs = Math.round(loop.medianMs());
              const ok = delayMs < STUCK_MS;
              return json(ok ? 200 : 503, {
                ok,
                eventLoopDelayMs: delayMs,
                uptimeSeconds: Math.round(uptimeSeconds()),
              });
            },
            '/readyz': readyPage,
            '/metrics': async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.text() }),
          },
          log,
        });
        closers.push(server.close);
      }
      if (deps.heartbeatUrl !== null) {
        const heartbeat = createHeartbeat({
          url: deps.heartbeatUrl,
          isWorking: () => readiness.report().ready,
          onPing: observer.heartbeat,
          monotonicMs,
          log,
        });
        heartbeat.start();
        closers.push(heartbeat.stop);
      }
    },
    async stop() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}
