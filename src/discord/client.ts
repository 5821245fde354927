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
import { type GatewayFaults, guardClient } from './gateway/guard.ts';
import type { patientStrategy } from './gateway/patient-strategy.ts';
import { type Sharding, shardOptions } from './gateway/shards.ts';
import type { Refusals } from './requests/refusals.ts';
import type { TokenUse } from './requests/token-use.ts';
import { type RequestTurns, TURN_LIMIT_MS } from './requests/turns.ts';

const AGENT = 'walletbell';
/** Wait after a 429 that states none: discord.js would repeat the request at once, for ever. */
const UNSTATED_WAIT_SECONDS = 5;
/**
 * Discord's codes for a message that takes no edit for long: of an announcement, and of one that is
 * over an hour old.
 */
const EDIT_LIMIT_CODES: readonly unknown[] = [20022, 30046];
/** Least wait after one of these. */
const EDIT_LIMIT_SECONDS = 60;
/** Longest wait for an answer, from when the request is handed over: as discord.js has it. */
const ANSWER_LIMIT_MS = 15_000;
/**
 * An edit whose answer has not come after this is in doubt, and tried again later: others of its
 * channel go on.
 */
const EDIT_LIMIT_MS = 3_000;
/** discord.js counts the wait for a turn, too: its own limit is for what neither of ours ends. */
const WHOLE_LIMIT_MS = TURN_LIMIT_MS + 60_000;
const CONFIRMATION_LIMIT_MS = 10_000;
/** The codes with which Discord refuses a token; 0 is the one of "401: Unauthorized". */
const TOKEN_CODES: readonly number[] = [0, 40001, 50014];
/** Path of requests for a channel's messages; the group is the channel's id. */
const CHANNEL_PATH = /\/channels\/(\d+)\/messages/;
const refusalSchema = z.object({ code: z.int() });
/** The body of a 429. */
const limitSchema = z.object({ retry_after: z.number().optional(), code: z.number().optional() });

type Redact = (text: string) => string;
type MakeRequest = RESTOptions['makeRequest'];

/**
 * A discord.js client that knows only what walletbell needs: servers, their channels and roles, and
 * itself.
 *
 * @param parts `apiUrl`: REST root without version, such as https://discord.com/api. `sharding`:
 *   its shards of the gateway. `redact` strikes secrets out of what is sent, and out of errors that
 *   come back. `turns` for its requests; left out: as discord.js paces them. `refusals` counts what
 *   is refused. `awaitIdentify`: where other processes have shards of the same token.
 *   `buildStrategy`: how its connections are opened; left out: as discord.js does. `gatewayFaults`
 *   is told of packets that were dropped, and of listeners that failed; left out: nobody is. `tokenUse`
 *   looks at the answers to interactions
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
      // Each shard waits for its turn among those of all processes, where others have some, and
      // keeps to discord.js's limit within this process, which is all there is where nobody
      // answers.
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
  // discord.js reads both without looking, right after this event.
  return client.on(Events.Raw, ({ t, d }: { t: unknown; d: Record<string, unknown> | null }) => {
    if (t !== GatewayDispatchEvents.InteractionCreate || d === null) return;
    d['authorizing_integration_owners'] ??= {};
    d['entitlements'] ??= [];
  });
}

/**
 * REST alone, for the delivery worker: it delivers also without a gateway connection, and decides
 * itself on retries.
 *
 * @param parts `apiUrl`: without version, such as https://discord.com/api. `turns` for its
 *   requests; left out: as discord.js paces them. `refusals` counts what is refused. Right before
 *   each request, after all waits, `fence` is awaited: the request fails where it rejects. And
 *   `reachOf` is asked whether its channel can be written: Discord bans an address for requests
 *   that it refuses
 * @throws {ChannelClosed} from a request to a channel that cannot be written by then
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
 * Options for requests that have their turns; what has had one does not wait for discord.js's own
 * second, too.
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
 * Wraps requests; gives up those whose answer does not begin within `limitMs`, as discord.js gives
 * them up.
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
 * Has discord.js fail where it would wait for long, for the worker to decide what goes first; an
 * edit, which others of its channel must not wait for, fails at once.
 */
function rejectOnRateLimit({ method, retryAfter }: RateLimitData): boolean {
  return method === 'PATCH' || retryAfter > RATE_LIMIT_WAIT_MS;
}

/** Returns the options of every REST client of ours that talks to Discord. */
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
 * Reasons of failures are stored and shown in channels, and may quote what a server on the way has
 * echoed.
 */
function withoutSecrets(request: MakeRequest, redact: Redact): MakeRequest {
  return async (url, init) => {
    const sent = typeof init.body === 'string' ? { ...init, body: redact(init.body) } : init;
    if (init.body instanceof FormData) {
      // A message with files: its JSON is in this part.
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
 * Throws `AddressBanned` when Cloudflare answers 429 in Discord's place, with a page instead of
 * JSON: discord.js would wait for each channel on its own, and then try all of them at once.
 * Replies to people (without the bot's token) wait as usual. Any other 429 gets the longest wait
 * that it states in its header, which discord.js reads alone: of an edit the body alone may say it
 * (discord-api-docs #6109).
 */
function withWaits(request: MakeRequest): MakeRequest {
  return async (url, init) => {
    const response = await request(url, init);
    if (response.status !== 429) return response;
    const headers = new Headers([...response.headers.entries()]);
    const isOurs = new Headers(init.headers as Record<string, string>).has('authorization');
    if (isOurs && headers.get('content-type')?.startsWith('application/json') !== true) {
      // Frees the connection.
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
 * The wait that a 429 asks for, seconds.
 *
 * @param body as it came
 */
function waitSeconds(headers: Headers, body: string): number {
  const { retry_after: ofBody = 0, code } = limitIn(body);
  const ofHeader = Number(
    headers.get('retry-after') ?? headers.get('x-ratelimit-reset-after') ?? Number.NaN,
  );
  const statedSeconds = Math.max(Number.isFinite(ofHeader) ? ofHeader : 0, ofBody);
  if (EDIT_LIMIT_CODES.includes(code)) return Math.max(statedSeconds, EDIT_LIMIT_SECONDS);
  return statedSeconds > 0 ? statedSeconds : UNSTATED_WAIT_SECONDS;
}

function limitIn(body: string): z.infer<typeof limitSchema> {
  try {
    return limitSchema.safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {};
  }
}

/**
 * Wraps requests so that a 401 to the bot's token is confirmed before it counts: a proxy between
 * the bot and Discord may answer 401 too. It asks `GET /users/@me`; several 401s at the same time
 * ask once.
 *
 * discord.js never sees such a 401, at which it would throw its token away.
 *
 * @param meUrl of `/users/@me`
 * @throws {TokenRefused} when Discord confirms it
 * @throws Error when it does not, or cannot be asked: the request may work later
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
    // Frees the connection.
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
 * Tells whether an answer of `GET /users/@me` says, in Discord's own form, that the token is
 * refused.
 */
export function isTokenRefusal(status: number, body: string): boolean {
  if (status !== 401) return false;
  try {
    const refusal = refusalSchema.safeParse(JSON.parse(body));
    return refusal.success && TOKEN_CODES.includes(refusal.data.code);
  } catch {
    return false;
  }
}
