import {
  type Client,
  GatewayDispatchEvents,
  type SimpleShardingStrategy,
  Status,
} from 'discord.js';
import * as z from 'zod';
import type { Machine } from '../../lib/machine.ts';
import { snowflake } from '../../watches/owner.ts';
import { framesOf } from './fault.ts';
import type { GatewayManager } from './patient-strategy.ts';

/**
 * Recovery of a connection with a new session (`WebSocketShardDestroyRecovery` of @discordjs/ws).
 */
const BY_NEW_SESSION = 0;

/** Fields of the READY packet that the bot needs. */
const readySchema = z.object({
  user: z.object({ id: snowflake }),
  guilds: z.array(z.object({ id: snowflake })),
  application: z.object({ id: snowflake }),
});

/** Data for resuming a session; an odd value would end the connection permanently. */
const sessionSchema = z.object({
  sequence: z.int().nonnegative(),
  sessionId: z.string(),
  resumeURL: z.url({ protocol: /^wss?$/ }).nullish(),
});

/** A packet as received, unchecked. */
interface Packet {
  readonly t: string;
  readonly d: unknown;
}

/** The untyped parts of discord.js's connections that are used here. */
interface WsShard {
  onMessage(...frame: unknown[]): Promise<void>;
  destroy(options: { readonly reason: string; readonly recover: number }): Promise<void>;
}
interface WsManager {
  handlePacket(packet?: Packet, shard?: { readonly id: number; status: Status }): boolean;
}

export type GatewayFaults = ReturnType<typeof createGatewayFaults>;

/** Creates a counter of packets and events that the bot cannot handle; each kind is logged once. */
export function createGatewayFaults({ log }: Machine) {
  const logged = new Set<string>();
  let count = 0;
  return {
    /**
     * @param where the dropped packet or the failed listener, by discord.js's names, never by text
     *   from outside
     */
    report(where: { readonly packet: string } | { readonly listener: string }, error: unknown) {
      count += 1;
      const [thrower = ''] = framesOf(error);
      const kind = `${Object.entries(where).join()} ${thrower}`;
      if (logged.has(kind)) return;
      logged.add(kind);
      log.error({ event: 'discord.gateway_fault', ...where, err: error });
    },
    total: () => count,
  };
}

/**
 * Keeps gateway packets from ending the process: a packet that discord.js cannot handle is dropped,
 * and a failing listener does not keep the others from being called. A session that begins with
 * such a packet is replaced by a new one.
 *
 * @param faults receives each fault
 * @returns a function that wraps the strategy with which the client opens its connections
 */
export function guardClient(
  client: Client,
  faults: Pick<GatewayFaults, 'report'>,
): (strategy: SimpleShardingStrategy, manager: GatewayManager) => SimpleShardingStrategy {
  const shards = new Map<number, WsShard>();
  guardListeners(client, faults);

  const manager = client.ws as unknown as WsManager;
  const { handlePacket } = manager;
  // discord.js also calls it from its own timer, for packets that have waited.
  manager.handlePacket = (packet, shard) => {
    try {
      if (packet?.t === GatewayDispatchEvents.Ready) readySchema.parse(packet.d);
      return Reflect.apply(handlePacket, manager, [packet, shard]);
    } catch (error) {
      faults.report({ packet: nameOf(packet?.t) }, error);
      if (packet?.t === GatewayDispatchEvents.Ready && shard !== undefined) {
        // Otherwise the server packets that follow would make the client ready without it.
        shard.status = Status.Connecting;
        shards
          .get(shard.id)
          ?.destroy({ reason: 'READY cannot be read', recover: BY_NEW_SESSION })
          .catch((cause: unknown) => faults.report({ packet: packet.t }, cause));
      }
      return false;
    }
  };

  return (strategy, { options }) => {
    const { updateSessionInfo } = options;
    Object.assign(options, {
      updateSessionInfo(...[shardId, info]: Parameters<typeof updateSessionInfo>) {
        if (info !== null) sessionSchema.parse(info);
        return updateSessionInfo(shardId, info);
      },
    });
    const spawn = strategy.spawn.bind(strategy);
    strategy.spawn = async (shardIds) => {
      await spawn(shardIds);
      const spawned: ReadonlyMap<number, WsShard> = Reflect.get(strategy, 'shards');
      for (const [id, shard] of spawned) {
        shards.set(id, shard);
        guardFrames(shard, faults);
      }
    };
    return strategy;
  };
}

/** Drops frames of a connection that discord.js cannot read. */
function guardFrames(shard: WsShard, { report }: Pick<GatewayFaults, 'report'>): void {
  const { onMessage } = shard;
  shard.onMessage = async (...frame) => {
    try {
      await Reflect.apply(onMessage, shard, frame);
    } catch (error) {
      report({ packet: 'frame' }, error);
    }
  };
}

/**
 * Calls each listener of the client separately, and reports errors that it throws or rejects with.
 */
function guardListeners(client: Client, { report }: Pick<GatewayFaults, 'report'>): void {
  const emit = client.emit.bind(client) as (event: string, ...args: unknown[]) => boolean;
  const guarded = (event: string, ...args: unknown[]): boolean => {
    const listeners = client.rawListeners(event);
    // An error event without listeners is thrown, as usual.
    if (listeners.length === 0) return emit(event, ...args);
    const failed = (error: unknown) => report({ listener: event }, error);
    for (const listener of listeners) {
      try {
        const result: unknown = Reflect.apply(listener, client, args);
        if (result instanceof Promise) result.catch(failed);
      } catch (error) {
        failed(error);
      }
    }
    return true;
  };
  Object.assign(client, { emit: guarded });
}

/**
 * Returns a packet's name for the log; 'unknown' unless it is one of Discord's, because the text
 * comes from outside.
 */
function nameOf(type: unknown): string {
  return Object.values<unknown>(GatewayDispatchEvents).includes(type) ? String(type) : 'unknown';
}
