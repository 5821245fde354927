import type { WebSocket } from 'ws';
import type { Events, Rejection } from '../events.ts';
import type { Wire } from '../model.ts';
import type { World } from '../world/world.ts';
import type { Sent, Session, Sessions } from './session.ts';
import type { SessionStarts } from './starts.ts';

export interface GatewayOptions {
  readonly heartbeatIntervalMs: number;
  /** How long a session may be resumed after its connection was lost. */
  readonly resumeWindowMs: number;
  /** IDENTIFYs allowed per `identifyWindowMs`. */
  readonly maxConcurrency: number;
  readonly identifyWindowMs: number;
  /** IDENTIFYs a day; one more, and the token is reset. */
  readonly sessionStartTotal: number;
  /** What `GET /gateway/bot` recommends; null: one for each thousand servers. */
  readonly recommendedShards: number | null;
  /** Servers of the bot on one shard, above which IDENTIFY is refused (4011). */
  readonly maxGuildsPerShard: number;
  /** Privileged intents that are switched on for the bot. */
  readonly privilegedIntents: number;
  /** Whether servers come with READY itself, as in other servers that speak this protocol. */
  readonly hasGuildsInReady: boolean;
  /**
   * What a new session is sent of a server that is unavailable: GUILD_DELETE or GUILD_CREATE marked
   * so, or nothing. Discord's documentation has the first two, and clients have met the third.
   */
  readonly unavailableGuilds: 'GUILD_DELETE' | 'GUILD_CREATE' | 'nothing';
}

/** As Discord has them. */
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

/** What the opcodes work on. */
export interface GatewayState {
  readonly deps: GatewayDeps;
  readonly sessions: Sessions;
  readonly connections: Set<Connection>;
  readonly starts: SessionStarts;
  /** By shard that is not let in at present: what is done when it is. */
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

/** True when the shard is held back; `later` then runs when it no longer is. */
export function isHeld({ held }: GatewayState, shardId: number, later: () => void): boolean {
  held.get(shardId)?.push(later);
  return held.has(shardId);
}
