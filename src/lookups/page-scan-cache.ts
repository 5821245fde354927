import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createFairLru } from '../lib/fair-lru.ts';
import type { PageScan } from './page-scan.ts';

/** Bytes of all scans together, estimated: some forty of the longest, or two thousand short ones. */
const LIMIT_BYTES = 80_000_000;
const SCAN_LEAST_BYTES = 40_000;
const ITEM_BYTES = 400;
const READ_BYTES = 50;

/**
 * Page scans in memory, by the id of their pager. Beyond the limit, the least recently used ones of the owner with the most
 * bytes are dropped; a dropped one is read again when it is needed.
 *
 * @param limitBytes of all scans together
 */
export function createPageScanCache<Item extends object>(limitBytes = LIMIT_BYTES) {
  const scans = new Map<string, PageScan<Item>>();
  const lru = createFairLru(limitBytes);
  /** Adds a scan, or counts its bytes anew after it has grown. */
  const set = (id: string, scan: PageScan<Item>) => {
    scans.delete(id);
    scans.set(id, scan);
    for (const gone of lru.put(scan.ownerId, id, sizeOf(scan))) scans.delete(gone);
  };
  return {
    get(id: string): PageScan<Item> | undefined {
      const scan = scans.get(id);
      if (scan !== undefined) set(id, scan);
      return scan;
    },
    set,
    /** Most recently used last. */
    values: () => scans.values(),
    /** Runs work on one scan one after the other: two people may press its buttons at once. */
    runExclusive: createKeyedMutex().run,
  };
}
export type PageScanCache<Item extends object> = ReturnType<typeof createPageScanCache<Item>>;

/** Estimated bytes of a scan: 2 a character of its texts, and 400 a record for the rest, 50 a record that was read. */
function sizeOf({ items, read, pages }: PageScan<object>): number {
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  return Math.max(SCAN_LEAST_BYTES, 2 * characters + ITEM_BYTES * items.length + READ_BYTES * read.length);
}
