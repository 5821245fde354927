import type { Outbox } from '../alerts/outbox.ts';
import type { ChannelQueueStore } from '../delivery/channel-queue.ts';
import type { DeliveryWorker } from '../delivery/worker.ts';
import type { Gateway } from '../discord/gateway.ts';
import type { VenueAvailability } from '../feed/availability.ts';
import type { Figures, OwnerFigures, Waiting } from '../ops/figures.ts';
import type { OpsDeps } from '../ops/ops.ts';
import type { Store } from '../store/store.ts';
import type { VenueClient } from '../venue/client.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import type { Registry } from '../watches/registry.ts';

/** The parts that health, readiness, metrics and `/watch status` are read from. */
export interface StatusParts {
  readonly budget: Pick<Budget, 'snapshot' | 'venueNowMs'>;
  readonly venue: Pick<VenueClient, 'stats'>;
  readonly availability: Pick<VenueAvailability, 'trouble'>;
  readonly registry: Pick<Registry, 'size' | 'restingSize' | 'wallets' | 'ofOwner'>;
  readonly outbox: Pick<Outbox, 'channels' | 'pending'>;
  readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'blockedChannels' | 'deadLetters'>;
  readonly channelQueues: Pick<ChannelQueueStore, 'channels' | 'get'>;
  readonly store: Pick<Store, 'set'>;
  readonly gateway: Gateway;
}

type StatusReaders = Pick<
  OpsDeps,
  'isGatewayUp' | 'shards' | 'shardOf' | 'venueTroubles' | 'pause' | 'watches' | 'write' | 'figures' | 'ownerFigures'
>;

/**
 * What ops reads of the parts.
 *
 * @param parts asked at each reading: ops is created before them, because the store reports to it
 */
export function statusReaders(parts: () => StatusParts, nowMs: () => number): StatusReaders {
  return {
    isGatewayUp: () => parts().gateway.isUp(),
    shards: () => parts().gateway.shards(),
    shardOf: (ownerId) => parts().gateway.shardOf(ownerId),
    venueTroubles: () => ENDPOINT_NAMES.map((name) => parts().availability.trouble(name)),
    pause: () => parts().budget.snapshot().pause,
    watches: () => parts().registry.size,
    write: (key, document) => parts().store.set(key, document),
    figures: () => figuresOf(parts(), nowMs()),
    ownerFigures: (ownerId) => ownerFiguresOf(parts(), ownerId),
  };
}

function figuresOf(parts: StatusParts, nowMs: number): Figures {
  const { budget, venue, registry, outbox, deliveryWorker, gateway, channelQueues } = parts;
  const isBlocked = (channelId: string) => deliveryWorker.block(channelId) !== null;
  const queued = channelQueues.channels();
  const sendingSeconds = queued.map((channelId) => {
    const { message, block } = channelQueues.get(channelId);
    return message === null || block !== null ? 0 : (nowMs - message.startedAtMs) / 1000;
  });
  return {
    budget: budget.snapshot(),
    venue: venue.stats(),
    waiting: {
      open: waitingFor(
        parts,
        outbox.channels().filter((channelId) => !isBlocked(channelId)),
      ),
      blocked: waitingFor(parts, outbox.channels().filter(isBlocked)),
    },
    sendingSeconds: Math.max(0, ...sendingSeconds),
    blockedChannels: deliveryWorker.blockedChannels().length,
    deadLetters: deadLettersOf(parts, queued),
    watches: registry.size,
    restingWatches: registry.restingSize,
    wallets: [...registry.wallets()].length,
    guilds: gateway.guilds(),
    gatewayPingMs: gateway.pingMs(),
    shards: gateway.shards(),
  };
}

function ownerFiguresOf(parts: StatusParts, ownerId: string): OwnerFigures {
  const watches = parts.registry.ofOwner(ownerId);
  const channelIds = [...new Set(watches.map(({ channelId }) => channelId))];
  return {
    watches: watches.length,
    waiting: waitingFor(parts, channelIds),
    blockedChannels: channelIds.filter((channelId) => parts.deliveryWorker.block(channelId) !== null),
    deadLetters: deadLettersOf(parts, channelIds),
  };
}

function waitingFor({ outbox, budget }: StatusParts, channelIds: readonly string[]): Waiting {
  const pending = channelIds.map((channelId) => outbox.pending(channelId));
  const oldestMs = Math.min(...pending.map(([oldest]) => oldest?.seenAtMs ?? Number.POSITIVE_INFINITY));
  return {
    alerts: pending.reduce((sum, { length }) => sum + length, 0),
    oldestSeconds: Number.isFinite(oldestMs) ? Math.max(0, (budget.venueNowMs() - oldestMs) / 1000) : 0,
  };
}

function deadLettersOf({ deliveryWorker }: StatusParts, channelIds: readonly string[]): number {
  return channelIds.reduce((sum, channelId) => sum + deliveryWorker.deadLetters(channelId).length, 0);
}
