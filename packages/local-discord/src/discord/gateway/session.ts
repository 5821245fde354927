import type { Wire } from '../model.ts';
import { INTENTS } from '../world/intents.ts';

/** Events kept for RESUME; a client that is further behind has to start anew. */
const MAX_HISTORY = 2000;

export interface Sent {
  readonly s: number;
  readonly t: string;
  readonly d: unknown;
}

/** One IDENTIFY's worth of events, which outlives its connection for a while. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [number, number];
  seq: number;
  readonly history: Sent[];
  /** Takes events while a connection is there. */
  deliver: ((sent: Sent) => void) | null;
  lostAtMs: number | null;
}

export type Sessions = ReturnType<typeof createSessions>;

export function isOnShard([id, count]: readonly [number, number], guildId: string | null): boolean {
  return (guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count))) === id;
}

/** Gateway sessions with what they have been sent, for RESUME (events/gateway.mdx, "Resuming"). */
export function createSessions(deps: {
  now: () => number;
  newSecret: () => string;
  resumeWindowMs: number;
  /** What is sent in the place of an event's data. */
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

    /** A session that can still be resumed from this event; undefined when it cannot. */
    find(sessionId: string, seq: number): Session | undefined {
      const session = sessions.get(sessionId);
      const oldest = session?.history[0]?.s ?? 1;
      if (session && !isExpired(session) && seq >= oldest - 1) return session;
      sessions.delete(sessionId);
      return undefined;
    },

    end: (sessionId: string) => void sessions.delete(sessionId),

    /** The connection is gone, the session may be resumed. */
    lose(session: Session): void {
      session.deliver = null;
      session.lostAtMs = now();
    },

    /** To all sessions with this intent on the server's shard. */
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

    /** To all sessions, whatever it holds. */
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
