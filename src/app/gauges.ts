import type { ShardState } from '../discord/gateway/gateway.ts';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import type { Feed } from '../feed/interface.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { BotParts } from './bot-parts.ts';

/**
 * Adds the gauges of both halves.
 *
 * @param wallets number of polled wallets
 */
export function addFeedGauges(
  { gauge, gauges, total }: Metrics,
  { budget, stats, availability }: Feed,
  wallets: () => number,
): void {
  const now = budget.snapshot;
  gauge(
    'budget_limit_requests',
    'Requests in a window of the key, as the venue says.',
    () => now().limit,
  );
  gauge(
    'budget_allowance_requests',
    'Of the limit, what the bot may use (BUDGET_SHARE).',
    () => now().allowance,
  );
  gauge(
    'budget_remaining_requests',
    'What is left of the limit in this window.',
    () => now().remaining,
  );
  gauges('budget_used_requests', 'Requests sent in this window.', 'priority', () => now().used);
  gauges(
    'budget_waiting_requests',
    'Requests that wait for the budget.',
    'priority',
    () => now().waiting,
  );
  gauge('budget_paused', '1 while a 429 is waited out.', () =>
    Number(now().blockedUntilMs !== null),
  );
  total('venue_requests_total', 'Requests to the venue, repeats included.', () => stats().requests);
  total('venue_retries_total', 'Requests to the venue that were repeats.', () => stats().retries);
  total(
    'venue_items_skipped_total',
    'Items of pages that could not be read.',
    () => stats().skippedItems,
  );
  gauge('venue_listing_delay_seconds', 'Seconds by which the venue says its lists are late.', () =>
    Math.max(...ENDPOINT_NAMES.map((name) => availability.listing(name)?.delaySeconds ?? 0)),
  );
  gauge('wallets', 'Wallets that are watched.', wallets);
}

/**
 * Adds the gauges of the bot half.
 *
 * @param nowMs time by this machine's clock, in epoch ms
 */
export function addBotGauges(metrics: Metrics, parts: BotParts, nowMs: () => number): void {
  const { gauge, gauges, total } = metrics;
  const { registry, later, deliveryWorker, channelQueues, gateway, refusals } = parts;
  gauge(
    'wallets_unread',
    'Wallets whose documents the start has not read yet.',
    parts.firstReading.left,
  );
  const waiting = (figure: 'alerts' | 'oldestSeconds') => () => {
    const ofChannels = (isBlocked: boolean) => {
      const found = later
        .channels()
        .filter((channelId) => isBlocked === deliveryWorker.isBlocked(channelId));
      return later.waitingFor(found)[figure];
    };
    return { open: ofChannels(false), blocked: ofChannels(true) };
  };

  gauges(
    'outbox_alerts',
    'Alerts that wait for a channel, each counted once a channel.',
    'channels',
    waiting('alerts'),
  );
  gauges(
    'outbox_oldest_seconds',
    'Age of the oldest alert that waits.',
    'channels',
    waiting('oldestSeconds'),
  );
  gauge(
    'discord_send_pending_seconds',
    'Age of the message that has been tried for the longest.',
    () => {
      let oldestSeconds = 0;
      for (const channelId of channelQueues.channels()) {
        const { message } = channelQueues.get(channelId);
        if (message === null || deliveryWorker.isBlocked(channelId)) continue;
        const ageSeconds = (nowMs() - message.startedAtMs) / 1000;
        oldestSeconds = Math.max(oldestSeconds, ageSeconds);
      }
      return oldestSeconds;
    },
  );
  gauge(
    'alerts_out_waiting',
    'Alerts that wait to be handed on to ALERTS_URL.',
    () => parts.alertsOut.counts().waiting,
  );
  total(
    'alerts_out_dropped_total',
    'Alerts that were not handed on because too many waited.',
    () => parts.alertsOut.counts().dropped,
  );
  gauge(
    'later_alerts',
    'Alerts that wait for channels that hear later.',
    () => later.counts().waiting,
  );
  total(
    'later_dropped_total',
    'Alerts for channels that hear later that became notices because too many waited.',
    () => later.counts().dropped,
  );
  total('discord_refusals_total', 'Requests that Discord has refused.', refusals.total);
  gauge(
    'discord_refusals_recent',
    'Refused in ten minutes; half of the limit more in the first ten, for what was before.',
    refusals.count,
  );
  gauge(
    'discord_refusals_limit',
    'Refusals in ten minutes at which Discord bans the address: this process’s part.',
    () => refusals.limit,
  );
  gauge(
    'discord_tries_waiting',
    'Channels that Discord has refused and that wait to be tried again.',
    deliveryWorker.triesWaiting,
  );
  const { blockedChannels, deadLetters } = deliveryWorker;
  gauge(
    'blocked_channels',
    'Channels that cannot be written at present.',
    () => blockedChannels().length,
  );
  gauge(
    'dead_letters',
    'Alerts that Discord has rejected for good.',
    () => channelQueues.channels().flatMap(deadLetters).length,
  );
  gauge('watches', 'Watches.', () => registry.size);
  gauge(
    'resting_watches',
    'Watches of servers that have removed the bot or are not served.',
    () => registry.suspendedSize,
  );
  addGatewayGauges(metrics, gateway);
  total(
    'gateway_faults_total',
    'Packets of Discord’s gateway that were dropped, and listeners that failed at one.',
    parts.gatewayFaults.total,
  );
}

/** Adds the gauges of Discord's gateway, in total and per shard. */
function addGatewayGauges({ gauge, gauges }: Metrics, gateway: BotParts['gateway']): void {
  const perShard = (read: (shard: ShardState) => number | null) => () =>
    Object.fromEntries(gateway.shards().map((shard) => [shard.id, read(shard)]));
  const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);

  gauge('guilds', 'Servers that the bot is in.', gateway.guilds);
  gauge('gateway_ping_seconds', 'Round trip of the last heartbeat of Discord’s gateway.', () =>
    inSeconds(gateway.pingMs()),
  );
  const up = perShard(({ isUp }) => Number(isUp));
  gauges('gateway_shard_up', '1 while the shard is connected to Discord’s gateway.', 'shard', up);
  const pings = perShard(({ pingMs }) => inSeconds(pingMs));
  gauges('gateway_shard_ping_seconds', 'Round trip of the shard’s last heartbeat.', 'shard', pings);
  const guilds = perShard((shard) => shard.guilds);
  gauges('gateway_shard_guilds', 'Servers that the bot is in on the shard.', 'shard', guilds);
}
