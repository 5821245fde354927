import * as z from 'zod';
import { memberWire } from '../wire.ts';
import { identify } from './identify.ts';
import type { Session } from './session.ts';
import { Closing, type Connection, deliverTo, type GatewayState, isHeld, send } from './state.ts';

const MAX_PAYLOAD_BYTES = 4096;
const MAX_SENDS = 120;
const SENDS_WINDOW_MS = 60_000;

const frameSchema = z.object({ op: z.int(), d: z.unknown().optional() });
const resumeSchema = z.object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) });
const requestMembersSchema = z.object({
  guild_id: z.string(),
  nonce: z.string().optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
});

/**
 * Handles a frame from the client, within the limits of events/gateway.mdx, "Rate Limiting".
 *
 * @throws Closing
 */
export function receive(state: GatewayState, connection: Connection, data: Buffer): void {
  const nowMs = state.deps.now();
  connection.sendTimesMs = connection.sendTimesMs.filter((atMs) => nowMs - atMs < SENDS_WINDOW_MS);
  connection.sendTimesMs.push(nowMs);
  if (connection.sendTimesMs.length > MAX_SENDS) throw new Closing(4008, 'Rate limited.', 'SEND');
  if (data.byteLength > MAX_PAYLOAD_BYTES) {
    throw new Closing(4002, 'Payload over 4096 bytes.', 'SEND');
  }
  const parsed = frameSchema.safeParse(parseJson(data.toString('utf8')));
  if (!parsed.success) throw new Closing(4002, 'Error while decoding payload.', 'SEND');
  const { op, d } = parsed.data;
  switch (op) {
    case 1:
      send(connection, { op: 11 });
      break;
    case 2:
      identify(state, connection, d);
      break;
    case 6:
      resume(state, connection, d);
      break;
    case 3:
    case 4:
    case 8:
    case 31:
      if (!connection.session) throw new Closing(4003, 'Not authenticated.', `OP ${op}`);
      if (op === 8) sendMembers(state, connection.session, d);
      break;
    default:
      throw new Closing(4001, 'Unknown opcode.', `OP ${op}`);
  }
}

/** Handles op 6 (events/gateway.mdx, "Resuming"). */
function resume(state: GatewayState, connection: Connection, payload: unknown): void {
  const { deps, sessions, connections } = state;
  if (connection.session) throw new Closing(4005, 'Already authenticated.', 'RESUME');
  const parsed = resumeSchema.safeParse(payload);
  if (!parsed.success) throw new Closing(4002, 'Error while decoding payload.', 'RESUME');
  const { token, session_id: sessionId, seq } = parsed.data;
  if (!deps.isToken(token)) throw new Closing(4004, 'Authentication failed.', 'RESUME');
  const session = sessions.find(sessionId, seq);
  if (!session) {
    send(connection, { op: 9, d: false });
    return;
  }
  if (isHeld(state, session.shard[0], () => resume(state, connection, payload))) return;
  if (seq > session.seq) throw new Closing(4007, 'Invalid seq.', 'RESUME');
  for (const other of [...connections].filter((one) => one.session === session)) {
    other.session = null;
    other.socket.terminate();
  }
  connection.session = session;
  session.lostAtMs = null;
  session.deliver = deliverTo(connection);
  const missed = session.history.filter((sent) => sent.s > seq && sent.t !== 'RESUMED');
  for (const sent of missed) session.deliver(sent);
  sessions.push(session, 'RESUMED', {});
  deps.events.emit('gateway', { kind: 'resumed', sessionId, closeCode: null });
}

/** Handles op 8 (events/gateway-events.mdx, "Request Guild Members"). */
function sendMembers(
  { deps: { world }, sessions }: GatewayState,
  session: Session,
  payload: unknown,
): void {
  const parsed = requestMembersSchema.safeParse(payload);
  const guild = parsed.success ? world.guild(parsed.data.guild_id) : undefined;
  if (!parsed.success || !guild) return;
  const wanted = parsed.data.user_ids === undefined ? null : [parsed.data.user_ids].flat();
  const members = [...guild.members.values()].filter(
    (member) => wanted === null || wanted.includes(member.userId),
  );
  sessions.push(session, 'GUILD_MEMBERS_CHUNK', {
    guild_id: guild.id,
    members: members.map((member) => memberWire(member, world.user(member.userId) ?? null)),
    chunk_index: 0,
    chunk_count: 1,
    not_found: (wanted ?? []).filter((id) => !guild.members.has(id)),
    ...(parsed.data.nonce === undefined ? {} : { nonce: parsed.data.nonce }),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
