import type { Client } from 'discord.js';
import { type Shards, shownShards } from '../../store/marks.ts';

/**
 * Discord's limit over all routes except interactions, in requests per second and token
 * (topics/rate-limits.mdx).
 */
const REQUESTS_PER_SECOND = 50;
const SHARD_COUNT_LIMIT = 10_000;
/**
 * Passed as the number of shards if Discord's recommendation is used: discord.js ignores it with
 * `auto`. With discord.js's own default, 1, it would read SHARD_COUNT from the environment itself.
 */
const COUNT_OF_AUTO = 2;

const SHARDS_ACCEPTED =
  'Accepted: auto, or numbers from 0 on with commas and the number of all shards, such as 0,1,2/6.';
const COUNT_ACCEPTED = `Accepted: a whole number from 1 to ${SHARD_COUNT_LIMIT}, such as 6.`;

/**
 * The gateway shards of this process: the number recommended by Discord, or some of a total shared
 * by all processes.
 */
export type Sharding = 'auto' | Shards;

/** Returns the shards of a process as a text: `auto`, or for example `0,1 of 6`. */
export function shownSharding(sharding: Sharding): string {
  return sharding === 'auto' ? sharding : shownShards(sharding);
}

/** All faults of the input, or its value. */
type Read<Sharded> = { readonly faults: readonly string[] } | { readonly sharding: Sharded };

/**
 * Reads SHARDS: `auto`, or the shards of this process and the number of all, such as `0,1,2/6`.
 *
 * @returns every fault, beginning with the variable's name, or the sharding
 */
export function readSharding(text = 'auto'): Read<Sharding> {
  if (text.trim() === 'auto') return { sharding: 'auto' };
  const [ids = '', count, ...more] = text.split('/');
  if (count === undefined || more.length > 0) {
    const fault = 'is not a list of shards with the number of all shards behind it.';
    return { faults: [`SHARDS ${fault} ${SHARDS_ACCEPTED}`] };
  }
  const names = { ids: 'SHARDS', count: 'SHARDS behind the slash', accepted: SHARDS_ACCEPTED };
  return readShards(ids, count.trim(), names);
}

/**
 * Reads a list of shards and their total.
 *
 * @param names names of both inputs where they were written, and the lists accepted there
 * @returns every fault, or the shards in order
 */
export function readShards(
  idsText: string,
  countText: string | undefined,
  names: { readonly ids: string; readonly count: string; readonly accepted: string },
): Read<Shards> {
  const count = wholeNumber(countText ?? '');
  const ids = idsText.split(',').map((text) => wholeNumber(text.trim()));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index && !Number.isNaN(id));
  const beyond = isShardCount(count) ? ids.find((id) => id >= count) : undefined;
  const faults = [
    countText !== undefined &&
      !isShardCount(count) &&
      `${names.count} is not a number of shards. ${COUNT_ACCEPTED}`,
    ids.some(Number.isNaN) && `${names.ids} is not a list of shards. ${names.accepted}`,
    twice !== undefined && `${names.ids} names shard ${twice} twice. ${names.accepted}`,
    countText === undefined &&
      `${names.count} is missing: ${names.ids} is a list, ` +
        `so the number of all shards is needed. ${COUNT_ACCEPTED}`,
    beyond !== undefined &&
      `${names.ids} names shard ${beyond}, and there are ${count}. ` +
        `Accepted: from 0 to ${count - 1}.`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) return { faults };
  return { sharding: { ids: ids.toSorted((a, b) => a - b), count } };
}

function isShardCount(count: number): boolean {
  return count >= 1 && count <= SHARD_COUNT_LIMIT;
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * Returns the options for discord.js. Both are always set: otherwise it reads the environment
 * itself, and accepts only JSON there.
 */
export function shardOptions(sharding: Sharding): {
  readonly shards: 'auto' | number[];
  readonly shardCount: number;
} {
  if (sharding === 'auto') return { shards: 'auto', shardCount: COUNT_OF_AUTO };
  return { shards: [...sharding.ids], shardCount: sharding.count };
}

/**
 * Returns this process's share of the token's requests per second, proportional to its shards; at
 * least 1.
 */
export function requestsPerSecond(sharding: Sharding): number {
  if (sharding === 'auto') return REQUESTS_PER_SECOND;
  return Math.max(1, Math.floor((REQUESTS_PER_SECOND * sharding.ids.length) / sharding.count));
}

/** Returns this process's share of the limits of the token or its address: above 0, at most 1. */
export function shareOf(sharding: Sharding): number {
  return requestsPerSecond(sharding) / REQUESTS_PER_SECOND;
}

/**
 * Returns a server's shard, by Discord's rule (topics/gateway.mdx, "Sharding").
 *
 * @param guildId a Discord id
 */
function shardOf(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}

/**
 * Whether a server belongs to one of the given shards.
 *
 * @param guildId a Discord id
 */
export function hasGuild({ ids, count }: Shards, guildId: string): boolean {
  return ids.includes(shardOf(guildId, count));
}

/** Whether this process receives a server's events. Known once logged in. */
export function isOwnGuild(client: Client, guildId: string): boolean {
  const { shardCount } = client.options;
  return shardCount !== undefined && client.ws.shards.has(shardOf(guildId, shardCount));
}
