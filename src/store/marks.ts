import * as z from 'zod';
import { shownRelease } from '../lib/release.ts';
import type { Documents } from './backend.ts';

/**
 * Some gateway shards out of a total shared by all processes. A server belongs to shard (id >> 22)
 * % count.
 */
export interface Shards {
  readonly ids: readonly number[];
  readonly count: number;
}

/**
 * Format of the documents of 0.9.0, the first release. Older documents are rejected; newer formats
 * result from it by the steps in `migrations/`. Until 0.9.0 is released, it is raised when a stored
 * document changes its shape; after that never again.
 */
export const FIRST_FORMAT = 9;

/** Documents in which a store describes itself, by key. */
export const MARK_SCHEMAS = {
  meta: z.object({
    /** The newest format of its documents; no older program works on it. */
    schemaVersion: z.int().min(1),
    /** Program that last started on it. */
    writtenBy: z.object({ version: z.string(), commit: z.string() }).readonly().optional(),
  }),
  store: z.object({ id: z.uuid() }),
  moved: z.object({
    /** Oldest first. */
    moves: z
      .array(
        z.object({
          /** Address of the new store, without secrets. */
          to: z.string(),
          /** Id of the new store. */
          storeId: z.string(),
          /** The shards served from there; null: all. */
          shards: z
            .object({ ids: z.array(z.int().min(0)).min(1).readonly(), count: z.int().min(1) })
            .readonly()
            .nullable(),
        }),
      )
      .min(1),
  }),
  /** A copy into this store is not finished; `from` is its source, without secrets. */
  copying: z.object({ from: z.string() }),
  /** Written to test whether the store accepts writes again. */
  probe: z.unknown(),
};

type Reads = Pick<Documents, 'get'>;
type Writes = Pick<Documents, 'set' | 'delete'>;
type Marks = { readonly [Name in keyof typeof MARK_SCHEMAS]: z.infer<(typeof MARK_SCHEMAS)[Name]> };
/**
 * Move of the data of all servers, or of the servers of some shards, to another store that serves
 * it now.
 */
type Move = Marks['moved']['moves'][number];

export type Meta = Marks['meta'];

/** Whether a document is a mark, in which a store describes itself; copies leave marks out. */
export function isMark(key: string): boolean {
  return Object.hasOwn(MARK_SCHEMAS, key);
}

/** @param mark null deletes it */
export async function writeMark<Name extends keyof Marks>(
  store: Writes,
  name: Name,
  mark: Marks[Name] | null,
) {
  if (mark === null) await store.delete(name);
  else await store.set(name, mark);
}

/**
 * Reads a store's description of its documents; undefined if there is none, or it cannot be read.
 */
export async function readMeta(store: Reads): Promise<Meta | undefined> {
  return MARK_SCHEMAS.meta.safeParse(await store.get('meta')).data;
}

/** The formats that a program reads, both inclusive. */
interface Formats {
  readonly first: number;
  readonly version: number;
}

/**
 * Returns why this program must not work on a store's documents; null if it may, also if it
 * converts them.
 *
 * @param shown the store, without secrets
 * @param copies files with the store as it was before conversions, the newest first
 */
export async function versionFault(
  store: Reads,
  shown: string,
  { first, version }: Formats,
  copies: readonly { readonly path: string }[] = [],
): Promise<string | null> {
  if ((await store.get('meta')) === undefined) return null;
  const meta = await readMeta(store);
  if (meta === undefined) {
    return (
      `The store ${shown} does not say which walletbell wrote it: ` +
      'its document "meta" cannot be read. ' +
      'Put a backup in its place, or set another STORE_URL.'
    );
  }
  const { schemaVersion: found, writtenBy } = meta;
  if (found >= first && found <= version) return null;
  const writer = writtenBy === undefined ? '' : ` ${shownRelease(writtenBy)}`;
  if (found < first) {
    return (
      `The store ${shown} was written by a walletbell before 0.9.0 (format ${found}; ` +
      `this one reads ${first} to ${version}): ` +
      'none of its watches, settings and waiting alerts can be read. ' +
      'Start that one and type /watch export in each server; ' +
      'then start this one with another STORE_URL and type /watch import there.'
    );
  }
  const later =
    `The store ${shown} was written by a later walletbell${writer} (format ${found}; ` +
    `this one reads ${first} to ${version}). ` +
    `Start${writer || ' the later one'}, or set another STORE_URL.`;
  const [copy] = copies;
  if (copy === undefined) {
    return `${later} To go back, put a backup from before the update in its place.`;
  }
  return (
    `${later} To go back: ${copy.path} holds the store as it was before the update. ` +
    `With no bot running, remove ${shown}-wal and ${shown}-shm and copy it over ${shown}. ` +
    'No trade is lost; what was announced since comes once more, in catch-up messages; ' +
    'watches added since are gone.'
  );
}

/** Returns the store's own id; undefined if it has none yet, or an unreadable one. */
export async function readId(store: Reads): Promise<string | undefined> {
  return MARK_SCHEMAS.store.safeParse(await store.get('store')).data?.id;
}

/**
 * Returns the moves away from this store, oldest first. An unreadable mark counts as a move of
 * everything, because it proves that there was a move.
 */
export async function readMoves(store: Reads): Promise<readonly Move[]> {
  const found = await store.get('moved');
  if (found === undefined) return [];
  const unreadable = { to: 'another store (which, cannot be read)', storeId: '', shards: null };
  return MARK_SCHEMAS.moved.safeParse(found).data?.moves ?? [unreadable];
}

/**
 * Returns a text if a copy into the store is not finished; null if none was begun.
 *
 * @param shown the store, without secrets
 */
export async function incompleteness(store: Reads, shown: string): Promise<string | null> {
  const found = await store.get('copying');
  if (found === undefined) return null;
  const { from } = MARK_SCHEMAS.copying.safeParse(found).data ?? { from: 'another store' };
  return (
    `The store ${shown} is incomplete: a copy of ${from} into it has not been finished. ` +
    'Repeat it (npm run store -- copy …): it begins anew.'
  );
}

/**
 * Returns why a process may not work on a store; null if it may.
 *
 * @param shown the store, without secrets
 * @param shards its own; `auto`: all
 */
export async function unfitness(
  store: Reads,
  shown: string,
  shards: Shards | 'auto',
): Promise<string | null> {
  const incomplete = await incompleteness(store, shown);
  if (incomplete !== null) return incomplete;
  const moved = (await readMoves(store)).find(
    (move) => shards === 'auto' || overlap(move.shards, shards),
  );
  if (moved === undefined) return null;
  return movedText(shown, moved);
}

/**
 * Returns a text that says that documents are served from another store, from which, and what to
 * do.
 */
export function movedText(shown: string, { to, shards }: Move): string {
  const twice = 'with a bot on each store alerts may come twice';
  if (shards === null) {
    return `The store ${shown} has moved to ${to}: ${twice}. Set STORE_URL to the new one.`;
  }
  return (
    `Shards ${shownShards(shards)} of the store ${shown} are served from ${to}: ${twice}. ` +
    'Set STORE_URL to that one, or SHARDS to the shards that are left.'
  );
}

export function otherShards({ ids, count }: Shards): Shards {
  return {
    ids: Array.from({ length: count }, (_, id) => id).filter((id) => !ids.includes(id)),
    count,
  };
}

/** Formats shards: `0,1 of 4`. */
export function shownShards({ ids, count }: Shards): string {
  return `${ids.join(',')} of ${count}`;
}

/** Whether a server can belong to both, also if their totals differ. Null: all servers. */
export function overlap(one: Shards | null, other: Shards | null): boolean {
  if (one === null || other === null) return true;
  // A number with the remainders a and b exists exactly if a and b agree modulo the greatest common
  // divisor.
  let divisor = one.count;
  let rest = other.count;
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return one.ids.some((id) => other.ids.some((otherId) => id % divisor === otherId % divisor));
}
