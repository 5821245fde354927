import { once } from 'node:events';
import {
  type Client,
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  HTTPError,
  Routes,
  Status,
} from 'discord.js';
import { classifyFailure, TokenRefused } from '../../delivery/failures.ts';
import { backOffMs } from '../../lib/async/backoff.ts';
import type { Machine } from '../../lib/machine.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Sharding } from './shards.ts';

const RETRY_FIRST_MS = 1_000;
const RETRY_LIMIT_MS = 60_000;
/**
 * Pause after a ban that states no length, in ms; each log-in during a ban counts towards the next.
 */
const BAN_PAUSE_MS = 5 * 60_000;
/**
 * Daily log-ins that may be spent on a gateway that rejects a valid token: half of the 1,000
 * available (topics/gateway.mdx, "Session Start Limit").
 */
const LOG_INS_A_DAY = 500;
/** Minimum interval between log lines of a shard that gets no session, in ms. */
const RECONNECTING_EVERY_MS = 60_000;
/** Message of the error that discord.js creates for the gateway's close code 4004. */
const GATEWAY_REFUSAL = 'Authentication failed';

interface Session {
  readonly client: Client;
  readonly token: string;
  readonly signal: AbortSignal;
}

/**
 * Logs in, and retries while Discord is unreachable. It also retries whenever the gateway closes a
 * connection as if the token were wrong, because only `GET /users/@me` can confirm that.
 *
 * @returns when the signal aborts
 * @throws {TokenRefused}
 */
export async function keepLoggedIn(
  { log, sleep, random }: Machine,
  session: Session,
): Promise<void> {
  const { client, signal } = session;
  const isClosed = () => client.ws.shards.some(({ status }) => status === Status.Disconnected);
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let error = await failureOfLogIn(session);
    if (error === undefined && signal.aborted) {
      // `destroy` ran while the log-in was fetching the gateway's address, and found nothing to
      // close.
      Reflect.set(client.ws, 'destroyed', false);
      await client.destroy();
      return;
    }
    if (error === undefined) {
      while (!signal.aborted && !isClosed()) {
        await once(client, Events.ShardDisconnect, { signal }).catch(() => {});
      }
      attempt = 0;
      error = new Error(GATEWAY_REFUSAL);
    }
    // A stop aborts a log-in in progress.
    if (signal.aborted) return;
    if (error instanceof TokenRefused) throw error;
    const failure = classifyFailure(error);
    let delayMs = backOffMs(attempt, RETRY_FIRST_MS, RETRY_LIMIT_MS, random);
    if (failure.kind === 'banned') delayMs = failure.pauseMs ?? BAN_PAUSE_MS;
    if (isGatewayRefusal(error)) delayMs = await refusalPauseMs(session);
    const what = { attempt: attempt + 1, delayMs: Math.round(delayMs), advice: loginAdvice(error) };
    log.warn({ event: 'discord.login_failed', ...what, err: error });
    await sleep(delayMs, signal);
  }
}

/**
 * Tries to log in.
 *
 * @returns the error; undefined if it succeeded
 */
async function failureOfLogIn({ client, token }: Session): Promise<unknown> {
  try {
    // A failed log-in leaves it true, and `isReady` would then stay false.
    Reflect.set(client.ws, 'destroyed', false);
    await client.login(token);
    return undefined;
  } catch (error) {
    const isTokenFault =
      error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
    return isTokenFault ? new TokenRefused(error) : error;
  }
}

/**
 * Returns the delay after the gateway has rejected a token, in ms.
 *
 * @throws {TokenRefused} if Discord confirms it
 */
async function refusalPauseMs({ client, token }: Session): Promise<number> {
  try {
    // A failed log-in has removed the token.
    await client.rest.setToken(token).get(Routes.user());
  } catch (error) {
    if (error instanceof TokenRefused) throw error;
  }
  return Math.max(BAN_PAUSE_MS, (client.ws.shards.size * DAY_MS) / LOG_INS_A_DAY);
}

function loginAdvice(error: unknown): string | undefined {
  if (isGatewayRefusal(error)) {
    return 'The gateway refuses the token, and Discord does not confirm it.';
  }
  // This is the message of @discordjs/ws.
  if (error instanceof Error && error.message.startsWith('Not enough sessions remaining')) {
    return (
      'No log-in is left today: something starts the bot again and again. Find it. ' +
      'The bot tries again by itself.'
    );
  }
  const isNotFound =
    (error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 404;
  if (isNotFound) return 'Check DISCORD_API_URL: it answers 404.';
  return undefined;
}

function isGatewayRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    !(error instanceof DiscordAPIError) &&
    error.message === GATEWAY_REFUSAL
  );
}

/**
 * Gateway close codes after which a new connection does not help: wrong shards, version or intents.
 */
const SHARDING_REQUIRED = 4011;
const FINAL_CLOSES = new Set([4010, SHARDING_REQUIRED, 4012, 4013, 4014]);

/**
 * Logs the state changes of the connections, and reports when Discord has closed one permanently.
 */
export function followSession(
  { log, monotonicMs }: Machine,
  parts: {
    readonly client: Client;
    readonly sharding: Sharding;
    /** Aborted when the bot stops; the disconnects that follow are not logged. */
    readonly signal: AbortSignal;
    /**
     * Called when Discord has closed a connection permanently. `isStartable`: a restarted bot can
     * connect again.
     */
    readonly onFinalClose: (isStartable: boolean) => void;
  },
): void {
  const { client, sharding, signal, onFinalClose } = parts;
  client.on(Events.ClientReady, (ready) =>
    log.info({
      event: 'discord.ready',
      user: ready.user.tag,
      guilds: ready.guilds.cache.size,
      shards: [...ready.ws.shards.keys()],
      shardCount: ready.options.shardCount,
    }),
  );
  client.on(Events.ShardDisconnect, ({ code }, shard) => {
    const isFinal = FINAL_CLOSES.has(code);
    log.error({
      event: 'discord.disconnected',
      shard,
      code,
      isFinal,
      advice: adviceFor(code, sharding),
    });
    // Discord recommends more shards by now; the next start fetches the number.
    if (isFinal) onFinalClose(code === SHARDING_REQUIRED && sharding === 'auto');
  });
  const loggedMs = new Map<number, number>();
  client.on(Events.ShardReconnecting, (shard) => {
    const isLogged =
      monotonicMs() - (loggedMs.get(shard) ?? Number.NEGATIVE_INFINITY) < RECONNECTING_EVERY_MS;
    if (signal.aborted || isLogged) return;
    loggedMs.set(shard, monotonicMs());
    log.info({ event: 'discord.reconnecting', shard });
  });
  client.on(Events.ShardReady, (shard) => loggedMs.delete(shard));
  client.on(Events.ShardResume, (shard, replayed) => {
    loggedMs.delete(shard);
    log.info({ event: 'discord.resumed', shard, replayed });
  });
  client.on(Events.ShardError, (error, shard) =>
    log.warn({ event: 'discord.connection_error', shard, err: error }),
  );
  client.on(Events.Error, (error) => log.error({ event: 'discord.error', err: error }));
  client.on(Events.Warn, (message) => log.warn({ event: 'discord.warning', message }));
}

function adviceFor(code: number, sharding: Sharding): string | undefined {
  if (code === 4010) return 'Discord knows no such shard. Check SHARDS.';
  if (code !== SHARDING_REQUIRED) return undefined;
  if (sharding === 'auto') {
    return (
      'The bot is in too many servers for its shards. ' +
      'Start it again: it asks Discord for their number.'
    );
  }
  return 'The bot is in too many servers for its shards. Raise the number behind the slash of SHARDS in every process.';
}

export type Gateway = ReturnType<typeof trackGateway>;
export type ShardState = ReturnType<Gateway['shards']>[number];

/** Creates a view of the state of the connections to Discord's gateway. */
export function trackGateway(client: Client) {
  return {
    // The client's own status stays "ready" while a shard reconnects.
    isUp: () => client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready),
    /** Round trip of the last heartbeat in ms, averaged over the shards; null before the first. */
    pingMs: () => (client.ws.shards.size > 0 && client.ws.ping >= 0 ? client.ws.ping : null),
    guilds: () => client.guilds.cache.size,
    /** Shards of this process, sorted by id; empty before the first log-in. */
    shards() {
      const guilds = new Map<number, number>();
      for (const { shardId } of client.guilds.cache.values()) {
        guilds.set(shardId, (guilds.get(shardId) ?? 0) + 1);
      }
      return client.ws.shards
        .map(({ id, status, ping }) => ({
          id,
          isUp: status === Status.Ready,
          /** Round trip of the last heartbeat, in ms; null before the first. */
          pingMs: ping >= 0 ? ping : null,
          guilds: guilds.get(id) ?? 0,
        }))
        .toSorted((a, b) => a.id - b.id);
    },
    /** Returns the server's shard; null if the bot is not in the server. */
    shardOf: (guildId: string): number | null => client.guilds.cache.get(guildId)?.shardId ?? null,
  };
}
