import type { Outbox } from '../../src/alerts/outbox.ts';
import { deadLettersOf, waitingFor } from '../../src/delivery/plan/waiting.ts';
import type { DeliveryWorker } from '../../src/delivery/worker.ts';
import type { Gateway } from '../../src/discord/gateway/gateway.ts';
import type { Budget } from '../../src/feed/interface.ts';
import { VERSION } from '../../src/lib/version.ts';
import type { Ops } from '../../src/ops/ops.ts';
import type { Registry } from '../../src/watches/registry.ts';

/** The parts that `/watch status` is read from. */
export interface StatusParts {
  readonly ops: Pick<Ops, 'readiness' | 'recent' | 'uptimeSeconds'>;
  readonly registry: Pick<Registry, 'size' | 'wallets' | 'ofOwner'>;
  readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'deadLetters'>;
  readonly outbox: Pick<Outbox, 'channels' | 'pending'>;
  readonly budget: Pick<Budget, 'snapshot' | 'venueNowMs'>;
  readonly gateway: Gateway;
}

export type Status = ReturnType<typeof statusOf>;

/** What `/watch status` says to a person of one server, or outside of them: of others it holds counts alone. */
export function statusOf({ ops, registry, deliveryWorker, outbox, budget, gateway }: StatusParts, ownerId: string) {
  const watches = registry.ofOwner(ownerId);
  const channelIds = [...new Set(watches.map(({ channelId }) => channelId))];
  const waiting = (ids: readonly string[]) => waitingFor(outbox, ids, budget.venueNowMs());
  return {
    version: VERSION,
    uptimeSeconds: ops.uptimeSeconds(),
    ready: ops.readiness.report(),
    /** Epoch ms; null if none has succeeded since the start. */
    lastPollMs: ops.readiness.lastPollMs(),
    polls: ops.recent.polls(),
    budget: budget.snapshot(),
    gatewayPingMs: gateway.pingMs(),
    /** Of this process, by id. */
    shards: gateway.shards(),
    /** Id of the server's shard; null if it is not known. */
    shardHere: gateway.shardOf(ownerId),
    here: {
      watches: watches.length,
      waiting: waiting(channelIds),
      /** Ids of its channels that the bot cannot write to at present. */
      blockedChannels: channelIds.filter((channelId) => deliveryWorker.block(channelId) !== null),
      deadLetters: deadLettersOf(deliveryWorker, channelIds),
      delays: ops.recent.delays(ownerId),
    },
    total: {
      watches: registry.size,
      wallets: [...registry.wallets()].length,
      waiting: waiting(outbox.channels()).alerts,
    },
  };
}
