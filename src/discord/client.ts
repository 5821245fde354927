import {
  Client,
  DefaultRestOptions,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  type RateLimitData,
  REST,
  type RESTOptions,
  SimpleIdentifyThrottler,
  SimpleShardingStrategy,
} from 'discord.js';
import * as z from 'zod';
import { AddressBanned, RATE_LIMIT_WAIT_MS, TokenRefused } from '../delivery/failures.ts';
import { ChannelClosed, type Reach } from '../delivery/reach.ts';
import type { Feed } from '../feed/interface.ts';
import { parseJson } from '../lib/text/json.ts';
import { type GatewayFaults, guardClient } from './gateway/guard.ts';
import type { patientStrategy } from './gateway/patient-strategy.ts';
import { type Sharding, shardOptions } from './gateway/shards.ts';
import type { Refusals } from './requests/refusals.ts';
import type { TokenUse } from './requests/token-use.ts';
import { type RequestTurns, TURN_LIMIT_MS } from './requests/turns.ts';

const AGENT = 'walletbell';
/**
 * Wait after a 429 that states none, in seconds; discord.js would repeat the request at once,
 * forever.
 */
const UNSTATED_WAIT_SECONDS = 5;
/**
 * Discord's codes for a message that accepts no edits for a long time: an announcement, or a
 * message over an hour old.
 */
const EDIT_LIMIT_CODES: readonly unknown[] = [20022, 30046];
/** Minimum wait after one of these codes, in seconds. */
const EDIT_LIMIT_SECONDS = 60;
/** Longest wait for a response after the request is sent, in ms; the same as in discord.js. */
const ANSWER_LIMIT_MS = 15_000;
/**
 * Time after which an edit without a response is in doubt, in ms. It is retried later so that other
 * requests of its channel can proceed.
 */
const EDIT_LIMIT_MS = 3_000;
/**
 * discord.js's own limit, in ms. It also counts the wait for a turn, so it only ends requests that
 * neither of our limits ends.
 */
const WHOLE_LIMIT_MS = TURN_LIMIT_MS + 60_000;
const CONFIRMATION_LIMIT_MS = 10_000;
/** Codes with which Discord rejects a token; 0 is the code of "401: Unauthorized". */
const TOKEN_CODES: readonly number[] = [0, 40001, 50014];
/** Path of requests for a channel's messages; the group is the channel's id. */
const CHANNEL_PATH = /\/channels\/(\d+)\/messages/;
const refusalSchema = z.object({ code: z.int() });
/** The body of a 429. */
const limitSchema = z.object({ retry_after: z.number().optional(), code: z.number().optional() });

type Redact = (text: string) => string;
type MakeRequest = RESTOptions['makeRequest'];

/**
 * Creates a discord.js client that caches only what walletbell needs: servers, their channels and
 * roles, and itself.
 *
 * @param parts `apiUrl`: REST root without version, such as https://discord.com/api. `sharding`:
 *   its gateway shards. `redact` removes secrets from requests and from errors in responses.
 *   `turns` paces its requests; default: discord.js's pace. `refusals` counts refused requests.
 *   `awaitIdentify`: needed if other processes have shards of the same token. `buildStrategy` opens
 *   its connections; default: discord.js's strategy. `gatewayFaults` receives dropped packets and
 *   failed listeners; default: they are ignored. `tokenUse` watches the responses to interactions
 */
export function createDiscordClient(parts: {
  readonly apiUrl: string;
  readonly sharding: Sharding;
  readonly redact?: Redact;
  readonly turns?: RequestTurns;
  readonly refusals?: Refusals;
  readonly awaitIdentify?: Feed['awaitIdentify'];
  readonly buildStrategy?: ReturnType<typeof patientStrategy>;
  readonly gatewayFaults?: Pick<GatewayFaults, 'report'>;
  readonly tokenUse?: Pick<TokenUse, 'watching'>;
}): Client {
  const { apiUrl, sharding, redact, turns, refusals, awaitIdentify } = parts;
  const { gatewayFaults = { report() {} }, tokenUse } = parts;
  const { buildStrategy = (manager) => new SimpleShardingStrategy(manager) } = parts;
  const { makeRequest, ...options } = restOptions(apiUrl, redact, refusals);
  const request = tokenUse?.watching(makeRequest) ?? makeRequest;
  const rest = { ...options, ...pacedBy(turns, withTimeLimit(request, ANSWER_LIMIT_MS)) };
  const client: Client = new Client({
    ws: {
      buildStrategy: (manager) => guarded(buildStrategy(manager), manager),
      // If other processes have shards, each shard waits for its turn among all of them. It also
      // keeps to discord.js's limit within this process, which is the only limit if the other
      // processes do not respond.
      async buildIdentifyThrottler(manager) {
        const { session_start_limit: limit } = await manager.fetchGatewayInformation();
        const own = new SimpleIdentifyThrottler(limit.max_concurrency);
        return {
          async waitForIdentify(shardId, signal) {
            await awaitIdentify?.(shardId % limit.max_concurrency, signal);
            await own.waitForIdentify(shardId, signal);
          },
        };
      },
    },
    ...shardOptions(sharding),
    intents: [GatewayIntentBits.Guilds],
    allowedMentions: { parse: [], repliedUser: false },
    makeCache: Options.cacheWithLimits({
      GuildEmojiManager: 0,
      GuildForumThreadManager: 0,
      GuildMemberManager: {
        maxSize: 0,
        keepOverLimit: (member) => member.id === member.client.user.id,
      },
      GuildScheduledEventManager: 0,
      GuildStickerManager: 0,
      MessageManager: 0,
      PresenceManager: 0,
      StageInstanceManager: 0,
      ThreadMemberManager: 0,
      UserManager: { maxSize: 100, keepOverLimit: (user) => user.id === user.client.user?.id },
      VoiceStateManager: 0,
    }),
    rest,
  });
  const guarded = guardClient(client, gatewayFaults);
  // discord.js reads both without a check, right after this event.
  return client.on(Events.Raw, ({ t, d }: { t: unknown; d: Record<string, unknown> | null }) => {
    if (t !== GatewayDispatchEvents.InteractionCreate || d === null) return;
    d['authorizing_integration_owners'] ??= {};
    d['entitlements'] ??= [];
  });
}

/**
 * Creates a REST client for the delivery worker, which also delivers without a gateway connection
 * and decides on retries itself.
 *
 * @param parts `apiUrl`: without version, such as https://discord.com/api. `turns` paces its
 *   requests; default: discord.js's pace. `refusals` counts refused requests. `fence` is awaited
 *   right before each request, after all waits; if it rejects, the request fails. `reachOf` then
 *   says whether the channel can be written to, because Discord bans an address for too many
 *   refused requests
 * @throws {ChannelClosed} from a request to a channel that cannot be written to by then
 */
export function createRest(parts: {
  readonly apiUrl: string;
  readonly token: string;
  readonly redact?: Redact;
  readonly turns?: RequestTurns;
  readonly refusals?: Refusals;
  readonly fence?: () => Promise<void>;
  readonly reachOf?: (channelId: string) => Reach;
}): REST {
  const { apiUrl, token, redact, turns, refusals, fence, reachOf } = parts;
  const { makeRequest: request, ...options } = restOptions(apiUrl, redact, refusals);
  const edit = withTimeLimit(request, EDIT_LIMIT_MS);
  const other = withTimeLimit(request, ANSWER_LIMIT_MS);
  const fenced: MakeRequest = async (url, init) => {
    await fence?.();
    const channelId = CHANNEL_PATH.exec(url)?.[1];
    const reach = channelId === undefined ? undefined : reachOf?.(channelId);
    if (channelId !== undefined && reach?.kind === 'closed') {
      throw new ChannelClosed(channelId, reach.lacks);
    }
    return init.method === 'PATCH' ? edit(url, init) : other(url, init);
  };
  const rest = new REST({
    ...options,
    ...pacedBy(turns, fenced),
    rejectOnRateLimit,
    retries: 0,
  });
  return rest.setToken(token);
}

/**
 * Options for requests that wait for turns; they then do not wait for discord.js's own limit per
 * second as well.
 */
function pacedBy(turns: RequestTurns | undefined, makeRequest: MakeRequest) {
  const timeout = WHOLE_LIMIT_MS;
  if (turns === undefined) return { makeRequest, timeout };
  return {
    makeRequest: turns.inTurns(makeRequest),
    timeout,
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
  };
}

/**
 * Wraps requests so that one without a response within `limitMs` is aborted, as discord.js itself
 * would abort it.
 */
function withTimeLimit(request: MakeRequest, limitMs: number): MakeRequest {
  return async (url, init) => {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), limitMs);
    const { signal } = ending;
    try {
      return await request(url, {
        ...init,
        signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Makes discord.js fail instead of waiting long, so that the worker can decide what goes first. An
 * edit fails at once because other requests of its channel must not wait for it.
 */
function rejectOnRateLimit({ method, retryAfter }: RateLimitData): boolean {
  return method === 'PATCH' || retryAfter > RATE_LIMIT_WAIT_MS;
}

/** Returns the options shared by all of our Discord REST clients. */
export function restOptions(
  apiUrl: string,
  redact: Redact = (text) => text,
  refusals?: Pick<Refusals, 'counting'>,
) {
  const { makeRequest: plain } = DefaultRestOptions;
  const request = withoutSecrets(refusals?.counting(plain) ?? plain, redact);
  const meUrl = `${apiUrl}/v${DefaultRestOptions.version}/users/@me`;
  const makeRequest = withWaits(withTokenCheck(request, meUrl));
  return { api: apiUrl, userAgentAppendix: AGENT, makeRequest };
}

/**
 * Wraps requests so that secrets are redacted in bodies and error responses: failure reasons are
 * stored and shown in channels, and may quote something echoed by a server on the way.
 */
function withoutSecrets(request: MakeRequest, redact: Redact): MakeRequest {
  return async (url, init) => {
    const sent = typeof init.body === 'string' ? { ...init, body: redact(init.body) } : init;
    if (init.body instanceof FormData) {
      // In a message with files, this part holds the JSON.
      const json = init.body.get('payload_json');
      if (typeof json === 'string') init.body.set('payload_json', redact(json));
    }
    const response = await request(url, sent);
    if (response.status < 400) return response;
    const { status, statusText, headers } = response;
    return new Response(redact(await response.text()), {
      status,
      statusText,
      headers: [...headers.entries()],
    });
  };
}

/**
 * Wraps requests to correct the wait after a 429. It throws `AddressBanned` if Cloudflare responds
 * with 429 in Discord's place, with a page instead of JSON: discord.js would wait for each channel
 * separately, and then retry all of them at once. Replies to people (without the bot's token) wait
 * as usual. For any other 429, the longest stated wait is copied to the header, the only place
 * where discord.js reads it; for an edit, only the body may state it (discord-api-docs #6109).
 */
function withWaits(request: MakeRequest): MakeRequest {
  return async (url, init) => {
    const response = await request(url, init);
    if (response.status !== 429) return response;
    const headers = new Headers([...response.headers.entries()]);
    const isOurs = new Headers(init.headers as Record<string, string>).has('authorization');
    if (isOurs && headers.get('content-type')?.startsWith('application/json') !== true) {
      // Reads the body to free the connection.
      await response.arrayBuffer();
      const seconds = Number(headers.get('retry-after'));
      throw new AddressBanned(429, seconds > 0 ? seconds * 1000 : null);
    }
    const text = await response.text();
    headers.set('retry-after', String(waitSeconds(headers, text)));
    return new Response(text, { status: 429, statusText: response.statusText, headers });
  };
}

/**
 * Returns the wait that a 429 asks for, in seconds.
 *
 * @param body unparsed
 */
function waitSeconds(headers: Headers, body: string): number {
  const { retry_after: ofBody = 0, code } = limitSchema.safeParse(parseJson(body)).data ?? {};
  const ofHeader = Number(
    headers.get('retry-after') ?? headers.get('x-ratelimit-reset-after') ?? Number.NaN,
  );
  const statedSeconds = Math.max(Number.isFinite(ofHeader) ? ofHeader : 0, ofBody);
  if (EDIT_LIMIT_CODES.includes(code)) return Math.max(statedSeconds, EDIT_LIMIT_SECONDS);
  return statedSeconds > 0 ? statedSeconds : UNSTATED_WAIT_SECONDS;
}

/**
 * Wraps requests so that a 401 for the bot's token is confirmed before it counts, because a proxy
 * between the bot and Discord may also respond with 401. It requests `GET /users/@me`, once for
 * several concurrent 401s.
 *
 * discord.js never sees such a 401, which would make it discard its token.
 *
 * @param meUrl URL of `/users/@me`
 * @throws {TokenRefused} if Discord confirms the refusal
 * @throws Error if Discord does not confirm it or does not respond: the request may work later
 */
function withTokenCheck(request: MakeRequest, meUrl: string): MakeRequest {
  let confirming: Promise<boolean> | null = null;
  const confirm = async (headers: Record<string, string>): Promise<boolean> => {
    try {
      const signal = AbortSignal.timeout(CONFIRMATION_LIMIT_MS);
      const answer = await request(meUrl, { method: 'GET', headers, signal });
      return isTokenRefusal(answer.status, await answer.text());
    } catch {
      return false;
    }
  };
  return async (url, init) => {
    const response = await request(url, init);
    const sent = new Headers(init.headers as Record<string, string>);
    const authorization = sent.get('authorization');
    if (response.status !== 401 || authorization === null) return response;
    // Reads the body to free the connection.
    await response.arrayBuffer();
    confirming ??= confirm({ authorization, 'user-agent': sent.get('user-agent') ?? '' }).finally(
      () => {
        confirming = null;
      },
    );
    const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
    if (await confirming) {
      throw new TokenRefused(new Error(`${what} was answered with 401, GET /users/@me too.`));
    }
    throw new Error(
      `${what} was answered with 401, but Discord does not confirm ` +
        "that it refuses the bot's token.",
    );
  };
}

/**
 * Whether a response of `GET /users/@me` says, in Discord's own form, that the token is rejected.
 */
export function isTokenRefusal(status: number, body: string): boolean {
  if (status !== 401) return false;
  const refusal = refusalSchema.safeParse(parseJson(body));
  return refusal.success && TOKEN_CODES.includes(refusal.data.code);
}
