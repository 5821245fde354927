import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Events, Rejection } from './events.ts';
import { Closing, createIdentifying, type Identifying } from './identify.ts';
import type { Wire } from './model.ts';
import { createSessions, type Sent, type Session } from './session.ts';
import { guildCreateWire, memberWire, userWire } from './wire.ts';
import { INTENTS, type World } from './world.ts';

const MAX_PAYLOAD_BYTES = 4096;
const MAX_SENDS = 120;
const SENDS_WINDOW_MS = 60_000;
const GUILDS_PER_RECOMMENDED_SHARD = 1000;

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
}

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

export interface GatewayFaults {
  /** Cuts every connection, or that of one shard, or closes it with this code. Sessions can be resumed unless the code forbids it. */
  dropGateway(closeCode?: number, shardId?: number): void;
  /** True: IDENTIFY and RESUME of the shard wait for their answer. False: they get it. */
  holdShard(shardId: number, on: boolean): void;
  /** True: the open connections get nothing more, not even a heartbeat's acknowledgement. False: they do again. */
  zombie(on: boolean): void;
  /** Op 9; without `resumable` the sessions are gone. */
  invalidSession(resumable: boolean): void;
  /** Op 7: please connect again. */
  reconnect(): void;
  /** Delivers every following event of this name so many times: 0 loses it, 2 doubles it, 1 is as usual. */
  deliver(event: string, times: number): void;
}

export interface Gateway extends GatewayFaults {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends an event to the sessions with this intent; `redacted` to those that may not read message contents. */
  dispatch(event: string, data: Wire, intent: number, redacted?: Wire): void;
  /** Connections that have identified or resumed. */
  readyConnections(): number;
  /** Shards of these connections, as `[number, count]`. */
  readyShards(): (readonly [number, number])[];
  /** What `GET /gateway/bot` recommends. */
  recommendedShards(): number;
  readonly sessionStarts: Identifying['starts'];
  close(): void;
}

interface Connection {
  readonly socket: WebSocket;
  session: Session | null;
  isZombie: boolean;
  sendTimesMs: number[];
}

const frameSchema = z.object({ op: z.int(), d: z.unknown().optional() });
const resumeSchema = z.object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) });
const requestMembersSchema = z.object({
  guild_id: z.string(),
  nonce: z.string().optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
});

/** The gateway: connections, IDENTIFY and RESUME, and its limits (events/gateway.mdx). */
export function createGateway(deps: GatewayDeps): Gateway {
  const { now, world, events, options } = deps;
  const server = new WebSocketServer({ noServer: true });
  const sessions = createSessions({ now, newSecret: deps.newSecret, resumeWindowMs: options.resumeWindowMs });
  const connections = new Set<Connection>();
  const deliveries = new Map<string, number>();
  const identifying = createIdentifying(deps);
  /** By shard that is not let in at present: what is done when it is. */
  const held = new Map<number, (() => void)[]>();
  const isHeld = (shardId: number, later: () => void): boolean => {
    held.get(shardId)?.push(later);
    return held.has(shardId);
  };

  function send(connection: Connection, frame: Wire): void {
    if (!connection.isZombie && connection.socket.readyState === connection.socket.OPEN) {
      connection.socket.send(JSON.stringify(frame));
    }
  }

  const deliverTo = (connection: Connection) => (sent: Sent) => send(connection, { op: 0, ...sent });

  function identify(connection: Connection, payload: unknown): void {
    if (connection.session) throw new Closing(4005, 'Already authenticated.', 'IDENTIFY');
    const { intents, shard, guilds } = identifying.read(payload);
    if (isHeld(shard[0], () => identify(connection, payload))) return;
    const verdict = identifying.start();
    if (verdict === 'tooSoon') send(connection, { op: 9, d: false });
    if (verdict !== 'accepted') return;
    const session = sessions.start(intents, shard, deliverTo(connection));
    connection.session = session;
    sessions.push(session, 'READY', {
      v: 10,
      user: { ...userWire(world.bot), verified: true, mfa_enabled: true, email: null, flags: 0 },
      user_settings: {},
      session_type: 'normal',
      session_id: session.id,
      resume_gateway_url: deps.resumeUrl(),
      relationships: [],
      private_channels: [],
      presences: [],
      guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
      application: { id: world.applicationId, flags: 0 },
      shard,
    });
    for (const guild of guilds) {
      const isWanted = (intents & INTENTS.GUILDS) !== 0 && !guild.unavailable;
      if (isWanted) sessions.push(session, 'GUILD_CREATE', guildCreateWire(guild, world.bot));
    }
    events.emit('gateway', { kind: 'identified', sessionId: session.id, closeCode: null });
  }

  function resume(connection: Connection, payload: unknown): void {
    if (connection.session) throw new Closing(4005, 'Already authenticated.', 'RESUME');
    const parsed = resumeSchema.safeParse(payload);
    if (!parsed.success) throw new Closing(4002, 'Error while decoding payload.', 'RESUME');
    const { token, session_id: sessionId, seq } = parsed.data;
    if (!deps.isToken(token)) throw new Closing(4004, 'Authentication failed.', 'RESUME');
    const session = sessions.find(sessionId, seq);
    if (session && isHeld(session.shard[0], () => resume(connection, payload))) return;
    if (!session) {
      send(connection, { op: 9, d: false });
      return;
    }
    if (seq > session.seq) throw new Closing(4007, 'Invalid seq.', 'RESUME');
    for (const other of connections) {
      if (other.session !== session) continue;
      other.session = null;
      other.socket.terminate();
    }
    connection.session = session;
    session.lostAtMs = null;
    session.deliver = deliverTo(connection);
    for (const sent of session.history) if (sent.s > seq && sent.t !== 'RESUMED') session.deliver(sent);
    sessions.push(session, 'RESUMED', {});
    events.emit('gateway', { kind: 'resumed', sessionId, closeCode: null });
  }

  function sendMembers(session: Session, payload: unknown): void {
    const parsed = requestMembersSchema.safeParse(payload);
    const guild = parsed.success ? world.guild(parsed.data.guild_id) : undefined;
    if (!parsed.success || !guild) return;
    const wanted = parsed.data.user_ids === undefined ? null : [parsed.data.user_ids].flat();
    const members = [...guild.members.values()].filter((member) => wanted === null || wanted.includes(member.userId));
    sessions.push(session, 'GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: members.map((member) => memberWire(member, world.user(member.userId) ?? null)),
      chunk_index: 0,
      chunk_count: 1,
      not_found: (wanted ?? []).filter((id) => !guild.members.has(id)),
      ...(parsed.data.nonce === undefined ? {} : { nonce: parsed.data.nonce }),
    });
  }

  function receive(connection: Connection, data: Buffer): void {
    const nowMs = now();
    connection.sendTimesMs = connection.sendTimesMs.filter((atMs) => nowMs - atMs < SENDS_WINDOW_MS);
    connection.sendTimesMs.push(nowMs);
    if (connection.sendTimesMs.length > MAX_SENDS) throw new Closing(4008, 'Rate limited.', 'SEND');
    if (data.byteLength > MAX_PAYLOAD_BYTES) throw new Closing(4002, 'Payload over 4096 bytes.', 'SEND');
    const parsed = frameSchema.safeParse(parseJson(data.toString('utf8')));
    if (!parsed.success) throw new Closing(4002, 'Error while decoding payload.', 'SEND');
    const { op, d } = parsed.data;
    switch (op) {
      case 1:
        send(connection, { op: 11 });
        break;
      case 2:
        identify(connection, d);
        break;
      case 6:
        resume(connection, d);
        break;
      case 3:
      case 4:
      case 8:
      case 31:
        if (!connection.session) throw new Closing(4003, 'Not authenticated.', `OP ${op}`);
        if (op === 8) sendMembers(connection.session, d);
        break;
      default:
        throw new Closing(4001, 'Unknown opcode.', `OP ${op}`);
    }
  }

  /** Does something for a connection; a mistake of the client closes it. */
  function guarded(connection: Connection, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof Closing)) throw error;
      const { code, route, message: reason } = error;
      deps.reject({ source: 'gateway', route, status: code, code: 0, reason, formErrors: [], injected: false });
      connection.socket.close(code, reason);
    }
  }

  function accept(socket: WebSocket, url: URL): void {
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
      events.emit('gateway', { kind: 'closed', sessionId: session?.id ?? null, closeCode: code });
    });
    socket.on('message', (data) => {
      guarded(connection, () => receive(connection, Buffer.isBuffer(data) ? data : Buffer.from(String(data))));
    });
    events.emit('gateway', { kind: 'connected', sessionId: null, closeCode: null });
    guarded(connection, () => {
      const query = url.searchParams;
      const isUsable = query.get('v') === '10' && query.get('encoding') === 'json' && !query.has('compress');
      if (!isUsable) throw new Closing(4012, 'Only v=10, encoding=json, uncompressed.', url.search);
      const hello = { heartbeat_interval: options.heartbeatIntervalMs, _trace: [] };
      send(connection, { op: 10, d: hello, s: null, t: null });
    });
  }

  return {
    upgrade(request, socket, head) {
      if (deps.isOutage()) {
        socket.destroy();
        return;
      }
      // Browsers name the page that asks; bots are no pages. No other site is to talk to this Discord.
      if (request.headers.origin !== undefined) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const url = new URL(request.url ?? '/', 'http://double');
      server.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, url));
    },

    dispatch(event, data, intent, redacted = data) {
      sessions.broadcast(event, data, intent, redacted, deliveries.get(event) ?? 1);
    },

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

    deliver: (event, times) => void deliveries.set(event, times),
    readyConnections: () => [...connections].filter((connection) => connection.session !== null).length,
    readyShards: () => [...connections].flatMap(({ session }) => (session === null ? [] : [session.shard])),
    recommendedShards: () =>
      options.recommendedShards ?? Math.max(1, Math.ceil(world.botGuilds().length / GUILDS_PER_RECOMMENDED_SHARD)),
    holdShard(shardId, on) {
      const waiting = held.get(shardId) ?? [];
      if (on) held.set(shardId, waiting);
      else held.delete(shardId);
      if (!on) for (const answer of waiting) answer();
    },

    sessionStarts: identifying.starts,

    close() {
      for (const { socket } of connections) socket.terminate();
      sessions.clear();
      server.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
