import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type REST, Routes } from 'discord.js';
import { createRest } from '../../../src/discord/client.ts';
import { createRequestTurns } from '../../../src/discord/requests/turns.ts';
import type { Account } from '../../../src/lib/fair-shares/account.ts';
import { listenLocally } from '../../support/listen.ts';
import { testMachine } from '../../support/machine.ts';
import { print, quantiles } from '../figures.ts';
import { WORLDS, type World } from './worlds.ts';

/** Number of channels of all flooding servers: of a single one, and of several together. */
const CHANNELS_OF_ONE = 200;
const CHANNELS_OF_MANY = 1_000;
const HONEST_CHANNELS = 20;
const HONEST_EVERY_MS = 500;
/** After this time the floods have reached their limits. */
const WARM_UP_MS = 6_000;
/** Time to wait for messages that have not arrived by the end. */
const PATIENCE_MS = 30_000;
/** Discord's response time, and its limit of five messages per channel in five seconds. */
const ANSWER_MS = 60;
const LIMIT = { messages: 5, windowMs: 5_000 };
const PER_SECOND = 50;

/**
 * Measures in real time, through the bot's own REST client, how late the messages of an honest
 * server are.
 *
 * @param seconds length of a run
 */
export async function compareMessages(seconds: number): Promise<void> {
  for (const [world, servers] of Object.entries(WORLDS)) {
    print({ what: 'messages', world, isFair: true, ...(await sendIn(servers, seconds, true)) });
  }
  for (const world of ['beside a flooding one', 'beside nine of one person']) {
    const servers = WORLDS[world];
    if (servers === undefined) continue;
    print({ what: 'messages', world, isFair: false, ...(await sendIn(servers, seconds, false)) });
  }
}

async function sendIn({ floods, honest }: World, seconds: number, isFair: boolean) {
  const discord = openDiscord();
  const { url, close } = await listenLocally(createServer(discord.answer));
  const accounts = new Map<string, Account>();
  const stopping = new AbortController();
  const turns = createRequestTurns(testMachine(), {
    accountOf: (channelId) => accounts.get(channelId) ?? honest,
    ownerOf: (channelId) => channelId,
    perSecond: PER_SECOND,
    signal: stopping.signal,
    onTurn: () => {},
  });
  const rest = createRest({ apiUrl: `${url}/api`, token: 'x.y.z', ...(isFair && { turns }) });
  const channels = floods.length > 1 ? CHANNELS_OF_MANY : floods.length * CHANNELS_OF_ONE;
  const flooding = Array.from({ length: channels }, async (_, index) => {
    const channelId = String(10n ** 17n + BigInt(index));
    const account = floods[index % floods.length];
    if (account !== undefined) accounts.set(channelId, account);
    while (!stopping.signal.aborted) await post(rest, channelId);
  });
  await delay(WARM_UP_MS);
  discord.requestsAtMs.length = 0;
  const { lateSeconds, sent } = await sendHonest(rest, seconds);
  stopping.abort();
  const { requestsAtMs, refused } = discord;
  await Promise.race([Promise.all(flooding), delay(2 * LIMIT.windowMs)]);
  rest.clearHandlerSweeper();
  await close();
  const at = quantiles(lateSeconds);
  return {
    channels,
    medianSeconds: at(0.5),
    p95Seconds: at(0.95),
    worstSeconds: at(1),
    arrived: lateSeconds.length,
    sent,
    mostInASecond: mostWithin(requestsAtMs, 1_000),
    refused: refused(),
  };
}

const post = (rest: REST, channelId: string) =>
  rest.post(Routes.channelMessages(channelId), { body: { content: 'x' } }).catch(() => {});

/** Sends a message every half second, in the channels in turn. */
async function sendHonest(rest: REST, seconds: number) {
  const lateSeconds: number[] = [];
  const sending: Promise<unknown>[] = [];
  const count = Math.round((seconds * 1_000) / HONEST_EVERY_MS);
  for (let index = 0; index < count; index += 1) {
    const channelId = String(2n * 10n ** 17n + BigInt(index % HONEST_CHANNELS));
    const fromMs = performance.now();
    sending.push(
      post(rest, channelId).then(() => lateSeconds.push((performance.now() - fromMs) / 1_000)),
    );
    await delay(HONEST_EVERY_MS);
  }
  const giveUp = new AbortController();
  const patience = delay(PATIENCE_MS, undefined, { signal: giveUp.signal }).catch(() => {});
  await Promise.race([Promise.all(sending), patience]);
  giveUp.abort();
  return { lateSeconds: [...lateSeconds], sent: count };
}

/** Starts a Discord that accepts messages within each channel's limit. */
function openDiscord() {
  const windows = new Map<string, { fromMs: number; count: number }>();
  const requestsAtMs: number[] = [];
  let refused = 0;
  const take = (channelId: string, response: ServerResponse) => {
    const nowMs = performance.now();
    const known = windows.get(channelId);
    const isOver = known === undefined || nowMs - known.fromMs >= LIMIT.windowMs;
    const window = isOver ? { fromMs: nowMs, count: 0 } : known;
    windows.set(channelId, window);
    window.count += 1;
    const resetSeconds = ((window.fromMs + LIMIT.windowMs - nowMs) / 1_000).toFixed(3);
    const headers = {
      'content-type': 'application/json',
      'x-ratelimit-limit': String(LIMIT.messages),
      'x-ratelimit-remaining': String(Math.max(0, LIMIT.messages - window.count)),
      'x-ratelimit-reset-after': resetSeconds,
      'x-ratelimit-bucket': 'messages',
    };
    if (window.count <= LIMIT.messages) return response.writeHead(200, headers).end('{"id":"1"}');
    refused += 1;
    const body = {
      message: 'You are being rate limited.',
      retry_after: Number(resetSeconds),
      global: false,
    };
    return response
      .writeHead(429, { ...headers, 'retry-after': resetSeconds })
      .end(JSON.stringify(body));
  };
  return {
    requestsAtMs,
    refused: () => refused,
    answer(request: IncomingMessage, response: ServerResponse): void {
      const channelId = /channels\/(\d+)\//.exec(request.url ?? '')?.[1] ?? '';
      requestsAtMs.push(performance.now());
      request.resume().on('end', () => setTimeout(take, ANSWER_MS, channelId, response));
    },
  };
}

/**
 * Returns the largest number of these times within any window of this length.
 *
 * @param timesMs ascending
 */
function mostWithin(timesMs: readonly number[], lengthMs: number): number {
  let first = 0;
  let most = 0;
  for (const [index, atMs] of timesMs.entries()) {
    while ((timesMs[first] ?? atMs) <= atMs - lengthMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
