import { createKeyedSerial } from '../lib/keyed-mutex.ts';
import type { Walk } from './page-scan.ts';
import { createSharedBound } from './shared-bound.ts';

/** All walks together, in about the bytes that they take: some forty of the longest, or two thousand short ones. */
const LIMIT_BYTES = 80_000_000;
const WALK_LEAST_BYTES = 40_000;
const ITEM_BYTES = 400;

/**
 * The walks that people are on, by the id of their pager. Beyond the bound, the least lately used ones go of the server that
 * has the most. Losing one costs requests, no more.
 */
export interface WalkCache<Item> {
  get(id: string): Walk<Item> | undefined;
  /** Keeps a walk, and counts its records anew. */
  set(id: string, walk: Walk<Item>): void;
  /** Lately used last. */
  values(): Iterable<Walk<Item>>;
  /** What is done to one walk is done one after the other: two people may press at once. */
  turn<Result>(id: string, work: () => Promise<Result>): Promise<Result>;
}

export function createWalkCache<Item extends object>(limitBytes = LIMIT_BYTES): WalkCache<Item> {
  const walks = new Map<string, Walk<Item>>();
  const bound = createSharedBound(limitBytes);
  const serial = createKeyedSerial();
  const use = (id: string, walk: Walk<Item>) => {
    walks.delete(id);
    walks.set(id, walk);
    for (const gone of bound.put(walk.guildId, id, sizeOf(walk))) walks.delete(gone);
  };
  return {
    get(id) {
      const walk = walks.get(id);
      if (walk !== undefined) use(id, walk);
      return walk;
    },
    set: use,
    values: () => walks.values(),
    turn: serial.run,
  };
}

/** About how many bytes a walk takes: its texts, and as much for the rest of each record. */
function sizeOf({ items, trail }: Walk<object>): number {
  let bytes = trail.checkpoints.reduce((sum, { cursor }) => sum + 2 * cursor.length, 0);
  for (const item of items) {
    bytes += ITEM_BYTES;
    for (const value of Object.values(item)) if (typeof value === 'string') bytes += 2 * value.length;
  }
  return Math.max(WALK_LEAST_BYTES, bytes);
}
