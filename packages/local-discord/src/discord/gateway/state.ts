import type { WebSocket } from 'ws';
import type { Events, Rejection } from '../events.ts';
import type { Wire } from '../model.ts';
import type { World } from '../world/world.ts';
import type { Sent, Session, Sessions } from './session.ts';
import type { SessionStarts } from './starts.ts';

export interface GatewayOptions {
  readonly heartbeatIntervalMs: number;
  /** Time during which a session may be resumed after its connection was lost. */
  readonly resumeWindowMs: number;
  /** IDENTIFYs allowed per `identifyWindowMs`. */
  readonly maxConcurrency: number;
  readonly identifyWindowMs: number;
  /** IDENTIFYs allowed per day; one more resets the token. */
  readonly sessionStartTotal: number;
  /** The shard count that `GET /gateway/bot` recommends; null means one per thousand servers. */
  readonly recommendedShards: number | null;
  /** Most servers of the bot per shard; beyond it IDENTIFY is rejected (4011). */
  readonly maxGuildsPerShard: number;
  /** Privileged intents that are enabled for the bot. */
  readonly privilegedIntents: number;
  /** Whether READY itself contains the servers, as in other implementations of this protocol. */
  readonly hasGuildsInReady: boolean;
  /**
   * The event that a new session gets for an unavailable server: GUILD_DELETE or GUILD_CREATE,
   * marked as unavailable, or nothing. Discord documents the first two; the third has been
   * observed.
   */
  readonly unavailableGuilds: 'GUILD_DELETE' | 'GUILD_CREATE' | 'nothing';
}

/** Discord's own values. */
export const USUAL_GATEWAY: GatewayOptions = {
  heartbeatIntervalMs: 41_250,
  resumeWindowMs: 180_000,
  maxConcurrency: 1,
  identifyWindowMs: 5000,
  sessionStartTotal: 1000,
  recommendedShards: null,
  maxGuildsPerShard: 2500,
  privilegedIntents: 0,
  hasGuildsInReady: false,
  unavailableGuilds: 'GUILD_DELETE',
};

export interface GatewayDeps {
  readonly now: () => number;
  readonly newSecret: () => string;
  readonly world: World;
  readonly events: Events;
  readonly options: GatewayOptions;
  readonly isToken: (token: string) => boolean;
  readonly resetToken: () => void;
  readonly resumeUrl: () => string;
  readonly isOutage: () => boolean;
  readonly reject: (rejection: Omit<Rejection, 'atMs'>) => void;
}

export interface Connection {
  readonly socket: WebSocket;
  session: Session | null;
  isZombie: boolean;
  sendTimesMs: number[];
}

/** The state that the opcode handlers use. */
export interface GatewayState {
  readonly deps: GatewayDeps;
  readonly sessions: Sessions;
  readonly connections: Set<Connection>;
  readonly starts: SessionStarts;
  /** Handlers to run once a shard that is held back is let in, by shard. */
  readonly held: Map<number, (() => void)[]>;
}

/**
 * A mistake of the client that ends its connection with a close code
 * (topics/opcodes-and-status-codes.mdx).
 */
export class Closing extends Error {
  readonly code: number;
  readonly route: string;
  constructor(code: number, reason: string, route: string) {
    super(reason);
    this.code = code;
    this.route = route;
  }
}

export function send(connection: Connection, frame: Wire): void {
  if (!connection.isZombie && connection.socket.readyState === connection.socket.OPEN) {
    connection.socket.send(JSON.stringify(frame));
  }
}

export function deliverTo(connection: Connection): (sent: Sent) => void {
  return (sent) => send(connection, { op: 0, ...sent });
}

/** Whether the shard is held back; if so, `later` runs once it is let in. */
export function isHeld({ held }: GatewayState, shardId: number, later: () => void): boolean {
  held.get(shardId)?.push(later);
  return held.has(shardId);
}
