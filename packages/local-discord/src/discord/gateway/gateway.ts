import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Wire } from '../model.ts';
import { receive } from './receive.ts';
import { createSessions } from './session.ts';
import { createSessionStarts, type SessionStarts } from './starts.ts';
import { Closing, type Connection, type GatewayDeps, type GatewayState, send } from './state.ts';

const GUILDS_PER_RECOMMENDED_SHARD = 1000;

export interface GatewayFaults {
  /**
   * Cuts every connection, or that of one shard, or closes it with this code. Sessions can be
   * resumed unless the code forbids it.
   */
  dropGateway(closeCode?: number, shardId?: number): void;
  /** While on, IDENTIFY and RESUME of the shard get no answer; switching it off answers them. */
  holdShard(shardId: number, on: boolean): void;
  /** While on, the open connections receive nothing, not even heartbeat acknowledgements. */
  zombie(on: boolean): void;
  /** Sends op 9; without `resumable` the sessions are deleted. */
  invalidSession(resumable: boolean): void;
  /** Sends op 7, which asks clients to reconnect. */
  reconnect(): void;
  /**
   * Delivers every future event of this name this many times: 0 loses it, 2 duplicates it, 1 is
   * normal.
   */
  deliver(event: string, times: number): void;
  /** Sends an arbitrary event that nothing caused. */
  sendPacket(event: string, data: unknown): void;
  /** Sends a raw text, which may be an invalid frame. */
  sendText(text: string): void;
  /** Passes the data of every future event through a function, and sends its result instead. */
  alterPackets(alter: (event: string, data: unknown) => unknown): void;
}

export interface Gateway extends GatewayFaults {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Sends an event to the sessions with this intent, and `redacted` to those that may not read
   * message contents.
   */
  dispatch(event: string, data: Wire, intent: number, redacted?: Wire): void;
  /** Returns the number of connections that have identified or resumed. */
  readyConnections(): number;
  /** Returns the shards of these connections, as `[number, count]`. */
  readyShards(): (readonly [number, number])[];
  /** Returns the shard count that `GET /gateway/bot` recommends. */
  recommendedShards(): number;
  readonly sessionStarts: SessionStarts['left'];
  close(): void;
}

/** Creates the gateway: its connections, what is sent to them, and faults (events/gateway.mdx). */
export function createGateway(deps: GatewayDeps): Gateway {
  const { now, newSecret, world, options } = deps;
  const server = new WebSocketServer({ noServer: true });
  const altering: Altering = { deliveries: new Map(), alter: (_event, data) => data };
  const state: GatewayState = {
    deps,
    sessions: createSessions({
      now,
      newSecret,
      resumeWindowMs: options.resumeWindowMs,
      alter: (event, data) => altering.alter(event, data),
    }),
    connections: new Set(),
    starts: createSessionStarts(now, options),
    held: new Map(),
  };
  const { sessions, connections } = state;

  return {
    ...createFaults(state, altering),

    upgrade(request, socket, head) {
      if (deps.isOutage()) {
        socket.destroy();
        return;
      }
      // Browsers send the origin of the page, and bots are not pages. No other site may talk to
      // this Discord.
      if (request.headers.origin !== undefined) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const url = new URL(request.url ?? '/', 'http://discord');
      server.handleUpgrade(request, socket, head, (webSocket) => accept(state, webSocket, url));
    },

    dispatch(event, data, intent, redacted = data) {
      const times = altering.deliveries.get(event) ?? 1;
      sessions.broadcast(event, data, intent, redacted, times);
    },

    readyConnections: () =>
      [...connections].filter((connection) => connection.session !== null).length,
    readyShards: () =>
      [...connections].flatMap(({ session }) => (session === null ? [] : [session.shard])),
    recommendedShards: () =>
      options.recommendedShards ??
      Math.max(1, Math.ceil(world.botGuilds().length / GUILDS_PER_RECOMMENDED_SHARD)),
    sessionStarts: state.starts.left,

    close() {
      for (const { socket } of connections) socket.terminate();
      sessions.clear();
      server.close();
    },
  };
}

/** Changes to events before delivery. */
interface Altering {
  /** Number of deliveries by event name. */
  readonly deliveries: Map<string, number>;
  alter: (event: string, data: unknown) => unknown;
}

function createFaults(
  { sessions, connections, held }: GatewayState,
  altering: Altering,
): GatewayFaults {
  return {
    dropGateway(closeCode, shardId) {
      for (const { socket, session } of connections) {
        if (shardId !== undefined && session?.shard[0] !== shardId) continue;
        if (closeCode === undefined) socket.terminate();
        else socket.close(closeCode);
      }
    },

    zombie(on) {
      for (const connection of connections) connection.isZombie = on;
    },

    invalidSession(resumable) {
      for (const connection of connections) {
        const { session } = connection;
        if (!session) continue;
        send(connection, { op: 9, d: resumable });
        sessions.lose(session);
        if (!resumable) sessions.end(session.id);
        connection.session = null;
      }
    },

    reconnect() {
      for (const connection of connections) send(connection, { op: 7, d: null });
    },

    deliver: (event, times) => void altering.deliveries.set(event, times),

    sendPacket: sessions.pushToAll,

    sendText(text) {
      for (const { socket } of connections) socket.send(text);
    },

    alterPackets(alter) {
      altering.alter = alter;
    },

    holdShard(shardId, on) {
      const waiting = held.get(shardId) ?? [];
      if (on) held.set(shardId, waiting);
      else held.delete(shardId);
      if (!on) for (const answer of waiting) answer();
    },
  };
}

function accept(state: GatewayState, socket: WebSocket, url: URL): void {
  const { deps, sessions, connections } = state;
  const connection: Connection = { socket, session: null, isZombie: false, sendTimesMs: [] };
  connections.add(connection);
  socket.on('error', () => {});
  socket.on('close', (code) => {
    connections.delete(connection);
    const { session } = connection;
    if (session) {
      if (code === 1000 || code === 1001) sessions.end(session.id);
      else sessions.lose(session);
    }
    deps.events.emit('gateway', {
      kind: 'closed',
      sessionId: session?.id ?? null,
      closeCode: code,
    });
  });
  socket.on('message', (data) => {
    guarded(deps, connection, () => {
      receive(state, connection, Buffer.isBuffer(data) ? data : Buffer.from(String(data)));
    });
  });
  deps.events.emit('gateway', { kind: 'connected', sessionId: null, closeCode: null });
  guarded(deps, connection, () => {
    const query = url.searchParams;
    const isUsable =
      query.get('v') === '10' && query.get('encoding') === 'json' && !query.has('compress');
    if (!isUsable) throw new Closing(4012, 'Only v=10, encoding=json, uncompressed.', url.search);
    const hello = { heartbeat_interval: deps.options.heartbeatIntervalMs, _trace: [] };
    send(connection, { op: 10, d: hello, s: null, t: null });
  });
}

/** Runs an action for a connection; a mistake of the client closes the connection. */
function guarded(deps: GatewayDeps, connection: Connection, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Closing)) throw error;
    const { code, route, message: reason } = error;
    deps.reject({
      source: 'gateway',
      route,
      status: code,
      code: 0,
      reason,
      formErrors: [],
      injected: false,
    });
    connection.socket.close(code, reason);
  }
}
