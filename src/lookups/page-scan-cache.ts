import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import { createFairLru } from './fair-lru.ts';
import type { PageScan } from './page-scan.ts';

/** All walks together, in about the bytes that they take: some forty of the longest, or two thousand short ones. */
const LIMIT_BYTES = 80_000_000;
const WALK_LEAST_BYTES = 40_000;
const ITEM_BYTES = 400;

/**
 * The walks that people are on, by the id of their pager. Beyond the bound, the least lately used ones go of the server that
 * has the most. Losing one costs requests, no more.
 */
export interface PageScanCache<Item> {
  get(id: string): PageScan<Item> | undefined;
  /** Keeps a walk, and counts its records anew. */
  set(id: string, scan: PageScan<Item>): void;
  /** Lately used last. */
  values(): Iterable<PageScan<Item>>;
  /** What is done to one walk is done one after the other: two people may press at once. */
  runExclusive<Result>(id: string, work: () => Promise<Result>): Promise<Result>;
}

export function createPageScanCache<Item extends object>(limitBytes = LIMIT_BYTES): PageScanCache<Item> {
  const scans = new Map<string, PageScan<Item>>();
  const bound = createFairLru(limitBytes);
  const mutex = createKeyedMutex();
  const use = (id: string, scan: PageScan<Item>) => {
    scans.delete(id);
    scans.set(id, scan);
    for (const gone of bound.put(scan.guildId, id, sizeOf(scan))) scans.delete(gone);
  };
  return {
    get(id) {
      const scan = scans.get(id);
      if (scan !== undefined) use(id, scan);
      return scan;
    },
    set: use,
    values: () => scans.values(),
    runExclusive: mutex.run,
  };
}

/** About how many bytes a walk takes: its texts, and as much for the rest of each record. */
function sizeOf({ items, cursors }: PageScan<object>): number {
  let bytes = cursors.checkpoints.reduce((sum, { cursor }) => sum + 2 * cursor.length, 0);
  for (const item of items) {
    bytes += ITEM_BYTES;
    for (const value of Object.values(item)) if (typeof value === 'string') bytes += 2 * value.length;
  }
  return Math.max(WALK_LEAST_BYTES, bytes);
}
