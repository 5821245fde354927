import { z } from 'zod';
import type { GatewayDeps } from './gateway.ts';
import type { Guild } from './model.ts';
import { isOnShard } from './session.ts';

const PRIVILEGED_INTENTS = (1 << 1) | (1 << 8) | (1 << 15);
const ALL_INTENTS = (1 << 26) - 1;
const DAY_MS = 86_400_000;

/** A mistake of the client that ends its connection with a close code (topics/opcodes-and-status-codes.mdx). */
export class Closing extends Error {
  readonly code: number;
  readonly route: string;
  constructor(code: number, reason: string, route: string) {
    super(reason);
    this.code = code;
    this.route = route;
  }
}

const identifySchema = z.object({
  token: z.string(),
  intents: z.int().min(0).max(ALL_INTENTS),
  properties: z.object({}),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).optional(),
});

export interface IdentifyRequest {
  readonly intents: number;
  readonly shard: readonly [number, number];
  /** The bot's servers on this shard. */
  readonly guilds: readonly Guild[];
}

export interface Identifying {
  /** @throws Closing with the gateway's close code */
  read(payload: unknown): IdentifyRequest;
  /** Counts a session start against the limits of a moment and of a day. */
  start(): 'accepted' | 'tooSoon' | 'tokenReset';
  starts(): { total: number; remaining: number; resetAfterMs: number; maxConcurrency: number };
}

/** What an IDENTIFY has to be, and how many there may be (events/gateway.mdx, "Session Start Limit Object"). */
export function createIdentifying(deps: GatewayDeps): Identifying {
  const { now, world, options } = deps;
  let identifyTimesMs: number[] = [];
  let startTimesMs: number[] = [];

  function recentStarts(): number[] {
    startTimesMs = startTimesMs.filter((atMs) => now() - atMs < DAY_MS);
    return startTimesMs;
  }

  function read(payload: unknown): IdentifyRequest {
    const parsed = identifySchema.safeParse(payload);
    if (!parsed.success) {
      const fields = parsed.error.issues.map((issue) => issue.path[0]);
      const code = fields.includes('intents') ? 4013 : fields.includes('shard') ? 4010 : 4002;
      throw new Closing(code, 'Error while decoding payload.', 'IDENTIFY');
    }
    const { token, intents, shard = [0, 1] } = parsed.data;
    if (!deps.isToken(token)) throw new Closing(4004, 'Authentication failed.', 'IDENTIFY');
    if (shard[0] >= shard[1]) throw new Closing(4010, 'Invalid shard.', 'IDENTIFY');
    if ((intents & PRIVILEGED_INTENTS & ~options.privilegedIntents) !== 0) {
      throw new Closing(4014, 'Disallowed intent(s).', 'IDENTIFY');
    }
    const guilds = world.botGuilds().filter((guild) => isOnShard(shard, guild.id));
    if (guilds.length > options.maxGuildsPerShard) throw new Closing(4011, 'Sharding required.', 'IDENTIFY');
    return { intents, shard, guilds };
  }

  function start(): 'accepted' | 'tooSoon' | 'tokenReset' {
    identifyTimesMs = identifyTimesMs.filter((atMs) => now() - atMs < options.identifyWindowMs);
    if (identifyTimesMs.length >= options.maxConcurrency) {
      const reason = `More than ${options.maxConcurrency} IDENTIFY in ${options.identifyWindowMs} ms`;
      deps.reject({
        source: 'gateway',
        route: 'IDENTIFY',
        status: 9,
        code: 0,
        reason,
        formErrors: [],
        injected: false,
      });
      return 'tooSoon';
    }
    if (recentStarts().length >= options.sessionStartTotal) {
      deps.resetToken();
      return 'tokenReset';
    }
    identifyTimesMs.push(now());
    startTimesMs.push(now());
    return 'accepted';
  }

  return {
    read,
    start,
    starts() {
      const starts = recentStarts();
      return {
        total: options.sessionStartTotal,
        remaining: Math.max(0, options.sessionStartTotal - starts.length),
        resetAfterMs: starts[0] === undefined ? DAY_MS : starts[0] + DAY_MS - now(),
        maxConcurrency: options.maxConcurrency,
      };
    },
  };
}
