import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { GatewaySeen } from '../src/discord/events.ts';
import {
  type DiscordOptions,
  type FakeDiscord,
  startDiscord,
} from '../src/discord/fake-discord.ts';
import type { MemberRef } from '../src/discord/world/world.ts';
import { NO_RATE_LIMITS } from './unlimited.ts';

export const TOKEN = 'the.bot.token';
/** Options of a poll for something that must happen; generous because the machine may be busy. */
export const SOON = { timeout: 10_000, interval: 10 };

export interface Fixture {
  readonly discord: FakeDiscord;
  readonly guildId: string;
  readonly channelId: string;
  readonly admin: MemberRef;
  readonly member: MemberRef;
}

/**
 * Starts a fake Discord with one server, one channel, an administrator and a member, until the test
 * ends.
 */
export async function openFixture(options: Partial<DiscordOptions> = {}): Promise<Fixture> {
  const discord = await startDiscord({ token: TOKEN, ...options });
  onTestFinished(() => discord.close());
  const guild = discord.createGuild({ name: 'Traders' });
  const channel = discord.createChannel(guild.id, { name: 'alerts' });
  return {
    discord,
    guildId: guild.id,
    channelId: channel.id,
    admin: discord.createMember(guild.id, { name: 'ada', admin: true }),
    member: discord.createMember(guild.id, { name: 'max' }),
  };
}

let guilds = 0n;

/**
 * Creates a server of the bot on this shard, by Discord's rule (id >> 22) % count, and returns its
 * id.
 */
export function guildOnShard(discord: FakeDiscord, [id, count]: readonly [number, number]): string {
  guilds += 1n;
  const place = (BigInt(discord.bot.id) >> 22n) - guilds * BigInt(count);
  const first = place - (place % BigInt(count));
  return discord.createGuild({ name: `Shard ${id}`, id: String((first + BigInt(id)) << 22n) }).id;
}

/** Opens a fixture without any rate limit, for tests that send many requests. */
export function openUnlimitedFixture(options: Partial<DiscordOptions> = {}): Promise<Fixture> {
  return openFixture({ ...NO_RATE_LIMITS, ...options });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface CallOptions {
  readonly json?: unknown;
  readonly raw?: string | FormData;
  readonly headers?: Record<string, string>;
  readonly token?: string | null;
}

/** Sends one REST request as a bot would. */
export async function call(
  discord: FakeDiscord,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const token = options.token === undefined ? TOKEN : options.token;
  const response = await fetch(`${discord.apiUrl}/v10${path}`, {
    method,
    headers: {
      'user-agent': 'DiscordBot (https://example.org, 1.0.0)',
      ...(token === null ? {} : { authorization: `Bot ${token}` }),
      ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: options.raw ?? (options.json === undefined ? null : JSON.stringify(options.json)),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

/** Returns the part of a response that says why a request was refused. */
export const refusal = (status: number, code: number) => ({ status, body: { code } });

/** Returns the id of the object in a response. */
export const idOf = (answer: Answer): string => z.object({ id: z.string() }).parse(answer.body).id;

/** A limit: a body just within it, a body just beyond it, and the path in Discord's error. */
export type Limit = readonly [name: string, accepted: object, refused: object, path: string];

/** Returns the limits of a part as limits of the whole that contains it. */
export const within = (
  path: string,
  wrap: (part: object) => object,
  limits: readonly Limit[],
): Limit[] =>
  limits.map(([name, accepted, refused, at]) => [
    name,
    wrap(accepted),
    wrap(refused),
    path === '' ? at : `${path}.${at}`,
  ]);

export async function expectLimits(
  limits: readonly Limit[],
  send: (body: object) => Promise<Answer>,
): Promise<void> {
  for (const [name, accepted, refused, path] of limits) {
    expect.soft(await send(accepted), name).toMatchObject({ status: 200 });
    const errors = path
      .split('.')
      .reduceRight<object>((inner, key) => ({ [key]: inner }), { _errors: [{}] });
    const body = { code: 50035, message: 'Invalid Form Body', errors };
    expect.soft(await send(refused), name).toMatchObject({ status: 400, body });
  }
}

export const text = (length: number): string => 'x'.repeat(length);
export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const post = (fixture: Fixture, json: unknown, channelId = fixture.channelId) =>
  call(fixture.discord, 'POST', `/channels/${channelId}/messages`, { json });

/** Posts a message with files, each as `[name, data]`. */
export function postFiles(
  fixture: Fixture,
  files: readonly (readonly [string, Uint8Array])[],
  json: unknown = {},
) {
  const raw = new FormData();
  raw.set('payload_json', JSON.stringify(json));
  for (const [index, [name, data]] of files.entries())
    raw.set(`files[${index}]`, new Blob([data]), name);
  return call(fixture.discord, 'POST', `/channels/${fixture.channelId}/messages`, { raw });
}

/** Replaces the bot's commands with these. */
export const register = ({ discord }: Pick<Fixture, 'discord'>, json: unknown) =>
  call(discord, 'PUT', `/applications/${discord.bot.applicationId}/commands`, { json });

/** Sends the bot's first response to an interaction. */
export const callBack = (
  discord: FakeDiscord,
  { id, token }: { id: string; token: string },
  json: unknown,
) => call(discord, 'POST', `/interactions/${id}/${token}/callback`, { json, token: null });

/** Resolves with the arguments of the first event that satisfies the predicate. */
export function eventually<Args extends unknown[]>(
  subscribe: (listener: (...args: Args) => void) => void,
  predicate: (...args: Args) => boolean = () => true,
): Promise<Args> {
  return new Promise((resolve) => {
    subscribe((...args) => {
      if (predicate(...args)) resolve(args);
    });
  });
}

/** Resolves when a session of the bot has resumed. */
export const whenResumed = (discord: FakeDiscord) =>
  eventually(
    (listener) => discord.events.on('gateway', listener),
    ({ kind }: GatewaySeen) => kind === 'resumed',
  );

/** Creates a clock that advances only when told to. */
export function clock(): { now: () => number; forward: (ms: number) => void } {
  let nowMs = Date.UTC(2026, 10, 1);
  return {
    now: () => nowMs,
    forward: (ms) => {
      nowMs += ms;
    },
  };
}
