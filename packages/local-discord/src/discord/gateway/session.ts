import type { Wire } from '../model.ts';
import { INTENTS } from '../world/intents.ts';

/** Number of events kept for RESUME; a client that is further behind has to identify again. */
const MAX_HISTORY = 2000;

export interface Sent {
  readonly s: number;
  readonly t: string;
  readonly d: unknown;
}

/** The events since one IDENTIFY; a session outlives its connection for a while. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [number, number];
  seq: number;
  readonly history: Sent[];
  /** Sends an event; null without a connection. */
  deliver: ((sent: Sent) => void) | null;
  lostAtMs: number | null;
}

export type Sessions = ReturnType<typeof createSessions>;

export function isOnShard([id, count]: readonly [number, number], guildId: string | null): boolean {
  return (guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count))) === id;
}

/**
 * Creates the store of gateway sessions and the events sent to each, for RESUME
 * (events/gateway.mdx, "Resuming").
 */
export function createSessions(deps: {
  now: () => number;
  newSecret: () => string;
  resumeWindowMs: number;
  /** Returns the data to send instead of an event's own. */
  alter: (event: string, data: unknown) => unknown;
}) {
  const { now, newSecret, resumeWindowMs, alter } = deps;
  const sessions = new Map<string, Session>();

  function isExpired(session: Session): boolean {
    return session.lostAtMs !== null && now() - session.lostAtMs > resumeWindowMs;
  }

  function push(session: Session, event: string, data: unknown): void {
    session.seq += 1;
    const sent: Sent = { s: session.seq, t: event, d: alter(event, data) };
    session.history.push(sent);
    if (session.history.length > MAX_HISTORY) session.history.shift();
    session.deliver?.(sent);
  }

  return {
    push,

    start(
      intents: number,
      shard: readonly [number, number],
      deliver: (sent: Sent) => void,
    ): Session {
      const id = newSecret();
      const session: Session = { id, intents, shard, seq: 0, history: [], deliver, lostAtMs: null };
      sessions.set(id, session);
      return session;
    },

    /** Returns a session that can be resumed from this event, or undefined if it cannot. */
    find(sessionId: string, seq: number): Session | undefined {
      const session = sessions.get(sessionId);
      const oldest = session?.history[0]?.s ?? 1;
      if (session && !isExpired(session) && seq >= oldest - 1) return session;
      sessions.delete(sessionId);
      return undefined;
    },

    end: (sessionId: string) => void sessions.delete(sessionId),

    /** Marks the connection as lost; the session may be resumed. */
    lose(session: Session): void {
      session.deliver = null;
      session.lostAtMs = now();
    },

    /** Sends an event to all sessions with this intent on the server's shard. */
    broadcast(event: string, data: Wire, intent: number, redacted: Wire, times: number): void {
      const guildId = guildIdOf(event, data);
      const isMeant = ({ intents, shard }: Session) =>
        (intent === INTENTS.ALWAYS || (intents & intent) !== 0) && isOnShard(shard, guildId);
      for (const session of [...sessions.values()]) {
        if (isExpired(session)) sessions.delete(session.id);
        if (!isMeant(session)) continue;
        const body = (session.intents & INTENTS.MESSAGE_CONTENT) === 0 ? redacted : data;
        for (let index = 0; index < times; index += 1) push(session, event, body);
      }
    },

    /** Sends an event with arbitrary data to all sessions. */
    pushToAll(event: string, data: unknown): void {
      for (const session of sessions.values()) push(session, event, data);
    },

    clear: () => sessions.clear(),
  };
}

function guildIdOf(event: string, data: Wire): string | null {
  const value = /^GUILD_(CREATE|UPDATE|DELETE)$/.test(event) ? data['id'] : data['guild_id'];
  return typeof value === 'string' ? value : null;
}
