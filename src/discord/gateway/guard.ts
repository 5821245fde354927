import {
  type Client,
  GatewayDispatchEvents,
  type SimpleShardingStrategy,
  Status,
} from 'discord.js';
import * as z from 'zod';
import type { Machine } from '../../lib/machine.ts';
import { snowflake } from '../../watches/owner.ts';
import type { GatewayManager } from './patient-strategy.ts';

/** Recovery of a connection by a new session (`WebSocketShardDestroyRecovery` of @discordjs/ws). */
const BY_NEW_SESSION = 0;

/** Fields of the packet that begins a session which the bot cannot do without. */
const readySchema = z.object({
  user: z.object({ id: snowflake }),
  guilds: z.array(z.object({ id: snowflake })),
  application: z.object({ id: snowflake }),
});

/** Data by which a session is resumed, of which an odd value would end the connection for good. */
const sessionSchema = z.object({
  sequence: z.int().nonnegative(),
  sessionId: z.string(),
  resumeURL: z.url({ protocol: /^wss?$/ }).nullish(),
});

/** A packet as it comes, unchecked. */
interface Packet {
  readonly t: string;
  readonly d: unknown;
}

/** The parts of discord.js's connections that have no types, as far as they are used here. */
interface WsShard {
  onMessage(...frame: unknown[]): Promise<void>;
  destroy(options: { readonly reason: string; readonly recover: number }): Promise<void>;
}
interface WsManager {
  handlePacket(packet?: Packet, shard?: { readonly id: number; status: Status }): boolean;
}

export type GatewayFaults = ReturnType<typeof createGatewayFaults>;

/** Counts what the gateway sends and the bot cannot handle, and logs each kind of it once. */
export function createGatewayFaults({ log }: Pick<Machine, 'log'>) {
  const logged = new Set<string>();
  let count = 0;
  return {
    /**
     * @param where the packet that was dropped, or the listener that failed: by the names of
     *   discord.js, never by a text from outside
     */
    report(where: { readonly packet: string } | { readonly listener: string }, error: unknown) {
      count += 1;
      const stack = error instanceof Error ? (error.stack ?? '') : '';
      const thrower = stack.split('\n').find((line) => /^\s+at /.test(line)) ?? '';
      const kind = `${Object.entries(where).join()} ${thrower}`;
      if (logged.has(kind)) return;
      logged.add(kind);
      log.error({ event: 'discord.gateway_fault', ...where, err: error });
    },
    total: () => count,
  };
}

/**
 * Keeps what the gateway sends from ending the process: a packet that discord.js cannot handle is
 * dropped, and a listener that fails keeps no other from being called. A session that begins with
 * a packet like that is replaced by a new one.
 *
 * @param faults told of each
 * @returns wraps the strategy by which the client opens its connections
 */
export function guardClient(
  client: Client,
  faults: Pick<GatewayFaults, 'report'>,
): (strategy: SimpleShardingStrategy, manager: GatewayManager) => SimpleShardingStrategy {
  const shards = new Map<number, WsShard>();
  guardListeners(client, faults);

  const manager = client.ws as unknown as WsManager;
  const { handlePacket } = manager;
  // discord.js calls it for packets that have waited, too, from a timer of its own.
  manager.handlePacket = (packet, shard) => {
    try {
      if (packet?.t === GatewayDispatchEvents.Ready) readySchema.parse(packet.d);
      return Reflect.apply(handlePacket, manager, [packet, shard]);
    } catch (error) {
      faults.report({ packet: nameOf(packet?.t) }, error);
      if (packet?.t === GatewayDispatchEvents.Ready && shard !== undefined) {
        // Else the servers that come after it would make the client ready without it.
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

/** Drops the frames of a connection that discord.js cannot read. */
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

/** Calls each listener of the client by itself; what it throws, or rejects with, is reported. */
function guardListeners(client: Client, { report }: Pick<GatewayFaults, 'report'>): void {
  const emit = client.emit.bind(client) as (event: string, ...args: unknown[]) => boolean;
  const guarded = (event: string, ...args: unknown[]): boolean => {
    const listeners = client.rawListeners(event);
    // An error that nobody listens to is thrown, as usual.
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

/** The name of a packet, for the log: one that Discord does not have comes from outside. */
function nameOf(type: unknown): string {
  return Object.values<unknown>(GatewayDispatchEvents).includes(type) ? String(type) : 'unknown';
}
