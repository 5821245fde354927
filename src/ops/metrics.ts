import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Figures, PRIORITIES } from './figures.ts';
import { CHECK_NAMES, type Readiness } from './readiness.ts';
import {
  COMMAND_OUTCOMES,
  ENDPOINTS,
  GAP_CAUSES,
  POLL_OUTCOMES,
  SEND_OUTCOMES,
  STORE_OPERATIONS,
  type Telemetry,
} from './telemetry.ts';

/** Up to a day: alerts that come late after an outage count as well. */
const DELAY_BUCKETS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];
const CALL_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface MetricsDeps {
  readonly version: string;
  readonly figures: () => Figures;
  readonly readiness: Pick<Readiness, 'report' | 'lastPollMs'>;
  /** False for a standby: there is nothing to report on yet. */
  readonly isActive: () => boolean;
  /** What this process is, as labels. */
  readonly identity: { readonly role: string; readonly shards: string };
}

export interface Metrics extends Omit<Telemetry, 'ticked'> {
  /** A ping of HEARTBEAT_URL was answered, or failed. */
  heartbeat(isDone: boolean): void;
  readonly contentType: string;
  /** The exposition text, with the figures of this moment. */
  text(): Promise<string>;
}

/** Prometheus metrics in a registry of their own. No label ever holds a wallet, a server or a channel. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const makers = metricMakers(registry);
  const { counter, histogram } = makers;
  const updateFigures = figureMetrics(makers, deps);
  const active = makers.gauge('active', '1 for the process that works, 0 for a standby.', ['role', 'shards']);

  const delay = histogram(
    'alert_delay_seconds',
    'From a record to the message that announces it, by the venue’s clock.',
    DELAY_BUCKETS_SECONDS,
  );
  const positions = counter(
    'alert_positions_total',
    'Trades and redemptions announced, with what they mean for the position or without.',
    ['said'],
  );
  const polls = counter('polls_total', 'Polls by endpoint and outcome.', ['endpoint', 'outcome']);
  const gaps = counter('gaps_total', 'Polls that found more than a first page shows.', ['endpoint']);
  const gapNotices = counter('gap_notices_sent_total', 'Notices to channels that something may be missing.', ['cause']);
  const sends = counter('discord_sends_total', 'Messages sent to channels, by outcome.', ['outcome']);
  const sendSeconds = histogram('discord_send_seconds', 'Until Discord answers a message.', CALL_BUCKETS_SECONDS);
  const storeErrors = counter('store_errors_total', 'Store operations that failed.', ['operation']);
  const storeSeconds = histogram('store_operation_seconds', 'Store operations.', CALL_BUCKETS_SECONDS, ['operation']);
  const commands = counter('commands_total', 'Slash commands and button presses by outcome.', ['command', 'outcome']);
  const commandSeconds = histogram('command_seconds', 'Until a command is answered.', CALL_BUCKETS_SECONDS, [
    'command',
  ]);
  const heartbeats = counter('heartbeats_total', 'Pings of HEARTBEAT_URL by outcome.', ['outcome']);

  // Present from the start, so that a rate over them sees the first failure.
  for (const said of ['yes', 'no']) positions.inc({ said }, 0);
  for (const outcome of SEND_OUTCOMES) sends.inc({ outcome }, 0);
  for (const operation of STORE_OPERATIONS) storeErrors.inc({ operation }, 0);
  for (const endpoint of ENDPOINTS) {
    for (const outcome of POLL_OUTCOMES) polls.inc({ endpoint, outcome }, 0);
    gaps.inc({ endpoint }, 0);
  }
  for (const cause of GAP_CAUSES) gapNotices.inc({ cause }, 0);
  for (const outcome of ['ok', 'failed'] as const) heartbeats.inc({ outcome }, 0);

  return {
    contentType: registry.contentType,
    text() {
      active.set(deps.identity, Number(deps.isActive()));
      if (deps.isActive()) updateFigures();
      return registry.metrics();
    },
    polled: (endpoint, outcome) => polls.inc({ endpoint, outcome }),
    gapFound: (endpoint) => gaps.inc({ endpoint }),
    sent(outcome, durationSeconds) {
      sends.inc({ outcome });
      sendSeconds.observe(durationSeconds);
    },
    arrived({ records, gaps: causes }) {
      for (const { delaySeconds, saysPosition } of records) {
        delay.observe(delaySeconds);
        if (saysPosition !== null) positions.inc({ said: saysPosition ? 'yes' : 'no' });
      }
      for (const cause of causes) gapNotices.inc({ cause });
    },
    stored(operation, isDone, durationSeconds) {
      if (!isDone) storeErrors.inc({ operation });
      storeSeconds.observe({ operation }, durationSeconds);
    },
    commanded(command, outcome, durationSeconds) {
      for (const each of COMMAND_OUTCOMES) commands.inc({ command, outcome: each }, 0);
      commands.inc({ command, outcome });
      commandSeconds.observe({ command }, durationSeconds);
    },
    heartbeat: (isDone) => heartbeats.inc({ outcome: isDone ? 'ok' : 'failed' }),
  };
}

/** Metrics that are read from the figures of the moment. @returns updates them, before each exposition */
function figureMetrics({ counter, gauge }: ReturnType<typeof metricMakers>, deps: MetricsDeps): () => void {
  gauge('build_info', 'Always 1; says what runs.', ['version', 'node']).set(
    { version: deps.version, node: process.version },
    1,
  );

  const budgetLimit = gauge('budget_limit_requests', 'Requests in a window of the key, as the venue says.');
  const budgetAllowance = gauge('budget_allowance_requests', 'Of the limit, what the bot may use (BUDGET_SHARE).');
  const budgetRemaining = gauge('budget_remaining_requests', 'What is left of the limit in this window.');
  const budgetUsed = gauge('budget_used_requests', 'Requests sent in this window.', ['priority']);
  const budgetWaiting = gauge('budget_waiting_requests', 'Requests that wait for the budget.', ['priority']);
  const pausedUntil = gauge('budget_paused', '1 while a 429 is waited out.');
  const requests = counter('venue_requests_total', 'Requests to the venue, repeats included.', []);
  const retries = counter('venue_retries_total', 'Requests to the venue that were repeats.', []);
  const skipped = counter('venue_items_skipped_total', 'Items of pages that could not be read.', []);
  const depth = gauge('outbox_alerts', 'Alerts that wait for a channel, each counted once a channel.', ['channels']);
  const age = gauge('outbox_oldest_seconds', 'Age of the oldest alert that waits.', ['channels']);
  const sending = gauge('discord_send_pending_seconds', 'Age of the message that has been tried for the longest.');
  const blocked = gauge('blocked_channels', 'Channels that cannot be written at present.');
  const dead = gauge('dead_letters', 'Alerts that Discord has rejected for good.');
  const watches = gauge('watches', 'Watches.');
  const restingWatches = gauge('resting_watches', 'Watches of servers that have removed the bot or are not served.');
  const wallets = gauge('wallets', 'Wallets that are watched.');
  const guilds = gauge('guilds', 'Servers that the bot is in.');
  const ping = gauge('gateway_ping_seconds', 'Round trip of the last heartbeat of Discord’s gateway.');
  const shardUp = gauge('gateway_shard_up', '1 while the shard is connected to Discord’s gateway.', ['shard']);
  const shardPing = gauge('gateway_shard_ping_seconds', 'Round trip of the shard’s last heartbeat.', ['shard']);
  const shardGuilds = gauge('gateway_shard_guilds', 'Servers that the bot is in on the shard.', ['shard']);
  const lastPoll = gauge('last_successful_poll_timestamp_seconds', 'Unix time of the last poll that succeeded.');
  const ready = gauge('ready', '1 if /readyz says so, by check and for all together.', ['check']);

  return () => {
    const report = deps.readiness.report();
    ready.set({ check: 'all' }, Number(report.ready));
    for (const check of CHECK_NAMES) ready.set({ check }, Number(report.checks[check].ok));
    const now = deps.figures();
    setKnown(budgetLimit, now.budget.limit);
    setKnown(budgetAllowance, now.budget.allowance);
    setKnown(budgetRemaining, now.budget.remaining);
    setKnown(ping, now.gatewayPingMs === null ? null : now.gatewayPingMs / 1000);
    for (const { id: shard, isUp, pingMs, guilds: count } of now.shards) {
      shardUp.set({ shard }, Number(isUp));
      if (pingMs !== null) shardPing.set({ shard }, pingMs / 1000);
      shardGuilds.set({ shard }, count);
    }
    const lastPollMs = deps.readiness.lastPollMs();
    setKnown(lastPoll, lastPollMs === null ? null : lastPollMs / 1000);
    for (const priority of PRIORITIES) {
      budgetUsed.set({ priority }, now.budget.used[priority]);
      budgetWaiting.set({ priority }, now.budget.waiting[priority]);
    }
    pausedUntil.set(Number(now.budget.blockedUntilMs !== null));
    setTotal(requests, now.venue.requests);
    setTotal(retries, now.venue.retries);
    setTotal(skipped, now.venue.skippedItems);
    for (const channels of ['open', 'blocked'] as const) {
      depth.set({ channels }, now.waiting[channels].alerts);
      age.set({ channels }, now.waiting[channels].oldestSeconds);
    }
    sending.set(now.sendingSeconds);
    blocked.set(now.blockedChannels);
    dead.set(now.deadLetters);
    watches.set(now.watches);
    restingWatches.set(now.restingWatches);
    wallets.set(now.wallets);
    guilds.set(now.guilds);
  };
}

/** What creates metrics of one registry, named `walletbell_…`. */
function metricMakers(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `walletbell_${name}`, help, labelNames, registers });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `walletbell_${name}`, help, labelNames, registers });
  const histogram = <Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[] = [],
  ) => new Histogram({ name: `walletbell_${name}`, help, buckets, labelNames, registers });
  return { counter, gauge, histogram };
}

/** An unknown value has no sample. */
function setKnown(gauge: Gauge<never>, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

/** For totals that are counted elsewhere. */
function setTotal(counter: Counter<never>, total: number): void {
  counter.reset();
  counter.inc(total);
}
