import { type Client, DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, Events, Status } from 'discord.js';
import type { Logger } from 'pino';
import { classifyFailure } from '../alert/delivery.ts';
import { TokenRefused } from '../alert/refusals.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/** A ban that does not say how long it lasts: each log-in during one counts towards the next. */
const BAN_PAUSE_MS = 5 * 60_000;

export interface SessionDeps {
  readonly client: Client;
  readonly token: string;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Logs in, and goes on trying while Discord cannot be reached.
 *
 * @throws {TokenRefused}
 */
export async function logIn({ client, token, sleep, random, log, signal }: SessionDeps): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      // A log-in that has failed leaves it behind, and `isReady` would say no for ever.
      Reflect.set(client.ws, 'destroyed', false);
      await client.login(token);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TokenRefused) throw error;
      if (isTokenFault(error)) throw new TokenRefused(error);
      const failure = classifyFailure(error);
      const delayMs =
        failure.kind === 'banned'
          ? (failure.pauseMs ?? BAN_PAUSE_MS)
          : Math.min(RETRY_LIMIT_MS, RETRY_FIRST_MS * 2 ** attempt) * (0.5 + random() / 2);
      log.warn({ event: 'discord.login_failed', attempt: attempt + 1, delayMs: Math.round(delayMs), err: error });
      await sleep(delayMs, signal);
    }
  }
}

function isTokenFault(error: unknown): boolean {
  if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) return true;
  // The gateway's close 4004; what REST answers is confirmed before it gets here.
  return error instanceof Error && !(error instanceof DiscordAPIError) && error.message === 'Authentication failed';
}

/** Closes after which no new connection helps: wrong token, shards, version or intents (Discord's gateway close codes). */
const FINAL_CLOSES = new Set([4004, 4010, 4011, 4012, 4013, 4014]);

/** Writes what happens to the connection into the log, and tells when there will be none any more. */
export function followSession(client: Client, log: Logger, onFinalClose: () => void): void {
  client.on(Events.ClientReady, (ready) =>
    log.info({ event: 'discord.ready', user: ready.user.tag, guilds: ready.guilds.cache.size }),
  );
  client.on(Events.ShardDisconnect, ({ code }) => {
    const isFinal = FINAL_CLOSES.has(code);
    const advice = code === 4004 ? 'Discord refuses the bot’s token. Check DISCORD_TOKEN.' : undefined;
    log.error({ event: 'discord.disconnected', code, isFinal, advice });
    if (isFinal) onFinalClose();
  });
  client.on(Events.ShardReconnecting, () => log.info({ event: 'discord.reconnecting' }));
  client.on(Events.ShardResume, (_shard, replayed) => log.info({ event: 'discord.resumed', replayed }));
  client.on(Events.ShardError, (error) => log.warn({ event: 'discord.connection_error', err: error }));
  client.on(Events.Error, (error) => log.error({ event: 'discord.error', err: error }));
  client.on(Events.Warn, (message) => log.warn({ event: 'discord.warning', message }));
}

/** How the connection to the gateway stands. */
export interface Gateway {
  readonly isUp: () => boolean;
  /** Round trip of the last heartbeat, ms; null before the first. */
  readonly pingMs: () => number | null;
  /** Servers that the bot is in. */
  readonly guilds: () => number;
}

export function watchGateway(client: Client): Gateway {
  return {
    // The client's own status stays "ready" while a shard connects anew.
    isUp: () => client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready),
    pingMs: () => (client.ws.shards.size > 0 && client.ws.ping >= 0 ? client.ws.ping : null),
    guilds: () => client.guilds.cache.size,
  };
}

/**
 * Whether an error that nobody caught comes from discord.js's own handling of the gateway: a packet that arrives while a
 * session ends throws there (its RESUMED handler reads a session that is gone). The connection is made anew all the same.
 */
export function isGatewayFault(error: unknown): boolean {
  const [thrower = ''] =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return /node_modules[\\/](discord\.js[\\/]src[\\/]client[\\/]websocket|@discordjs[\\/]ws)[\\/]/.test(thrower);
}
