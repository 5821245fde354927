import * as z from 'zod';
import type { Guild } from '../model.ts';
import { guildCreateWire, unavailableWire, userWire } from '../wire.ts';
import { INTENTS } from '../world/intents.ts';
import { isOnShard, type Session } from './session.ts';
import {
  Closing,
  type Connection,
  deliverTo,
  type GatewayDeps,
  type GatewayState,
  isHeld,
  send,
} from './state.ts';

const PRIVILEGED_INTENTS = (1 << 1) | (1 << 8) | (1 << 15);
const ALL_INTENTS = (1 << 26) - 1;

const identifySchema = z.object({
  token: z.string(),
  intents: z.int().min(0).max(ALL_INTENTS),
  properties: z.object({}),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});

interface IdentifyRequest {
  readonly intents: number;
  readonly shard: readonly [number, number];
  /** The bot's servers on this shard. */
  readonly guilds: readonly Guild[];
}

/**
 * Handles op 2 (events/gateway.mdx, "Identifying").
 *
 * @throws Closing
 */
export function identify(state: GatewayState, connection: Connection, payload: unknown): void {
  const { world, events, resumeUrl, options } = state.deps;
  if (connection.session) throw new Closing(4005, 'Already authenticated.', 'IDENTIFY');
  const { intents, shard, guilds } = readIdentify(state.deps, payload);
  if (isHeld(state, shard[0], () => identify(state, connection, payload))) return;
  if (!takeStart(state, connection)) return;
  const session = state.sessions.start(intents, shard, deliverTo(connection));
  connection.session = session;
  state.sessions.push(session, 'READY', {
    v: 10,
    user: { ...userWire(world.bot), verified: true, mfa_enabled: true, email: null, flags: 0 },
    user_settings: {},
    session_type: 'normal',
    session_id: session.id,
    resume_gateway_url: resumeUrl(),
    relationships: [],
    private_channels: [],
    presences: [],
    guilds: guilds.map((guild) =>
      options.hasGuildsInReady && !guild.unavailable
        ? guildCreateWire(guild, world.bot)
        : unavailableWire(guild),
    ),
    application: { id: world.applicationId, flags: 0 },
    shard,
  });
  if ((intents & INTENTS.GUILDS) !== 0) sendGuilds(state, session, guilds);
  events.emit('gateway', { kind: 'identified', sessionId: session.id, closeCode: null });
}

/** Sends the servers that READY has only listed. */
function sendGuilds(
  { deps: { world, options }, sessions }: GatewayState,
  session: Session,
  guilds: readonly Guild[],
): void {
  const { hasGuildsInReady, unavailableGuilds: event } = options;
  for (const guild of guilds) {
    if (guild.unavailable) {
      if (event !== 'nothing') sessions.push(session, event, unavailableWire(guild));
    } else if (!hasGuildsInReady) {
      sessions.push(session, 'GUILD_CREATE', guildCreateWire(guild, world.bot));
    }
  }
}

/** Counts the session start, and returns false if it is rejected. */
function takeStart({ deps, starts }: GatewayState, connection: Connection): boolean {
  const verdict = starts.take();
  if (verdict === 'tooMany') deps.resetToken();
  if (verdict === 'tooSoon') {
    const { maxConcurrency, identifyWindowMs } = deps.options;
    const reason = `More than ${maxConcurrency} IDENTIFY in ${identifyWindowMs} ms`;
    deps.reject({
      source: 'gateway',
      route: 'IDENTIFY',
      status: 9,
      code: 0,
      reason,
      formErrors: [],
      injected: false,
    });
    send(connection, { op: 9, d: false });
  }
  return verdict === 'accepted';
}

function readIdentify({ world, isToken, options }: GatewayDeps, payload: unknown): IdentifyRequest {
  const parsed = identifySchema.safeParse(payload);
  if (!parsed.success) {
    throw new Closing(closeCodeOf(parsed.error), 'Error while decoding payload.', 'IDENTIFY');
  }
  const { token, intents, shard = [0, 1] } = parsed.data;
  if (!isToken(token)) throw new Closing(4004, 'Authentication failed.', 'IDENTIFY');
  if (shard[0] >= shard[1]) throw new Closing(4010, 'Invalid shard.', 'IDENTIFY');
  if ((intents & PRIVILEGED_INTENTS & ~options.privilegedIntents) !== 0) {
    throw new Closing(4014, 'Disallowed intent(s).', 'IDENTIFY');
  }
  const guilds = world.botGuilds().filter((guild) => isOnShard(shard, guild.id));
  if (guilds.length > options.maxGuildsPerShard) {
    throw new Closing(4011, 'Sharding required.', 'IDENTIFY');
  }
  return { intents, shard, guilds };
}

function closeCodeOf({ issues }: z.ZodError): number {
  const fields = issues.map((issue) => issue.path[0]);
  if (fields.includes('intents')) return 4013;
  return fields.includes('shard') ? 4010 : 4002;
}
