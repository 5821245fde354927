import type { WalletAddress } from '../domain/address.ts';
import type { ActivityFilters, VenuePage } from '../feed/interface.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createFairLru } from '../lib/fair-shares/fair-lru.ts';

/**
 * Records per request: the venue's maximum, because a request costs the same for a single record.
 */
export const VENUE_PAGE = 100;
/**
 * Requests of a new list, and the maximum per press of a button: enough records for useful totals.
 */
const FIRST_REQUESTS = 3;
/** Records that a list begins with. */
export const FIRST_RECORDS = FIRST_REQUESTS * VENUE_PAGE;
/** Maximum requests of the first press after a restart, which reads the list again from its top. */
const RETURN_REQUESTS = 5;
/**
 * Maximum matching records in one scan, and maximum identities of read records; above it, the first
 * ones are dropped. If the venue's cursor is a position in its list, records are recognized as read
 * as long as fewer new ones come between two requests.
 */
const HELD_LIMIT = 2_000;
const LONGEST_TIME_SECONDS = 99_999_999_999;
/**
 * Maximum estimated size of all scans together, in bytes: about forty of the longest, or a thousand
 * short ones.
 */
const LIMIT_BYTES = 80_000_000;
const SCAN_LEAST_BYTES = 40_000;
const READ_BYTES = 50;

export type Paging = Pick<ActivityFilters, 'limit' | 'cursor'>;

/** The endpoint and filters of a list. */
export interface PageSource<Item> {
  /** @param anchorSeconds newer records may be left out; null: all are needed */
  fetch(paging: Paging, anchorSeconds: number | null): Promise<VenuePage<Item>>;
  matches(item: Item): boolean;
  /** Returns the same identity of a record whenever it is shown. */
  identify(item: Item): string;
}

/** A consecutive part of a list as read so far, newest first. */
export type PageScan<Item> = ReturnType<typeof beginScan<Item>>;

/**
 * Begins a scan at the top of a list.
 *
 * @param list `anchorSeconds`: time of the newest record when the list was first shown, because
 *   newer records would shift its pages; null if none was read
 */
export function beginScan<Item>(list: {
  readonly ownerId: string;
  readonly wallet: WalletAddress;
  anchorSeconds: number | null;
}) {
  return {
    ...list,
    /** True if its requests are limited to records up to the anchor. */
    isAnchored: list.anchorSeconds !== null,
    /** Records that match the filters. */
    items: [] as Item[],
    /** Number of matching records of the list before the first of `items`. */
    before: 0,
    /**
     * The venue's pages in the scan: number of records on each, number of matching ones, and their
     * estimated bytes.
     */
    pages: [] as Readonly<Record<'records' | 'matching' | 'bytes' | 'newestSeconds', number>>[],
    /** Identities of the last records read, matching or not. */
    read: [] as string[],
    /** True while the scan includes the top of the list. */
    isFromTop: true,
    /** Number of records on the pages in the scan, matching or not. */
    scanned: 0,
    /** Number of records that could not be read. */
    skipped: 0,
    newestSeconds: 0,
    oldestSeconds: LONGEST_TIME_SECONDS,
    /** Null if there is no cursor to the next page, undefined if nothing has been read yet. */
    cursor: undefined as string | null | undefined,
    /** Whether the venue has more, with or without a cursor. */
    hasMore: true,
    /** The chart that was last drawn of it; `key` names the state that it shows. */
    picture: null as {
      readonly key: string;
      readonly attachment: Buffer;
      readonly description: string;
    } | null,
  };
}

/** True if the whole list has been read, from its top to its end. */
export function isWhole({
  hasMore,
  isFromTop,
}: Pick<PageScan<unknown>, 'hasMore' | 'isFromTop'>): boolean {
  return !hasMore && isFromTop;
}

/**
 * Reads until the scan has enough, the list's end is reached, or the requests of one press are used
 * up.
 *
 * @returns the error that stopped it early; null if there was none
 * @throws the source's error, if there is nothing at all to show
 */
export async function scanTo<Item extends { readonly time: number }>(
  scan: PageScan<Item>,
  isEnough: () => boolean | Promise<boolean>,
  source: PageSource<Item>,
): Promise<Error | null> {
  const requests = scan.isAnchored && scan.cursor === undefined ? RETURN_REQUESTS : FIRST_REQUESTS;
  for (let made = 0; made < requests && scan.cursor !== null; made += 1) {
    if (scan.pages.length >= FIRST_REQUESTS && (await isEnough())) break;
    try {
      const paging = {
        limit: VENUE_PAGE,
        ...(scan.cursor !== undefined && { cursor: scan.cursor }),
      };
      const anchorSeconds = scan.isAnchored ? scan.anchorSeconds : null;
      addPage(scan, await source.fetch(paging, anchorSeconds), source);
    } catch (error) {
      if (!(error instanceof Error) || scan.scanned === 0) throw error;
      return error;
    }
  }
  return null;
}

/**
 * Adds a page of the venue to the scan; the first pages are dropped if it would become too large.
 */
function addPage<Item extends { readonly time: number }>(
  scan: PageScan<Item>,
  { items, skipped, hasMore, nextCursor }: VenuePage<Item>,
  { matches, identify }: PageSource<Item>,
): void {
  const anchor = scan.anchorSeconds ?? LONGEST_TIME_SECONDS;
  const shown = items.filter(({ time }) => time <= anchor);
  const identities = shown.map(identify);
  const repeated = repeatedCount(scan, identities);
  const wanted = shown.slice(repeated);
  const matching = wanted.filter(matches);
  const times = wanted.map(({ time }) => time);
  const newestSeconds = Math.max(0, ...times);
  scan.read.push(...identities.slice(repeated));
  scan.read.splice(0, scan.read.length - HELD_LIMIT);
  scan.items.push(...matching);
  scan.pages.push({
    records: wanted.length,
    matching: matching.length,
    bytes: 2 * JSON.stringify(matching).length,
    newestSeconds,
  });
  scan.scanned += wanted.length;
  scan.skipped += skipped.length;
  scan.newestSeconds = Math.max(scan.newestSeconds, newestSeconds);
  scan.oldestSeconds = Math.min(scan.oldestSeconds, ...times);
  if (wanted.length > 0) scan.anchorSeconds ??= scan.newestSeconds;
  scan.cursor = nextCursor;
  scan.hasMore = hasMore;
  while (scan.items.length > HELD_LIMIT) {
    const first = scan.pages.shift();
    scan.items.splice(0, first?.matching);
    scan.before += first?.matching ?? 0;
    scan.scanned -= first?.records ?? 0;
    scan.newestSeconds = scan.pages[0]?.newestSeconds ?? 0;
    scan.isFromTop = false;
  }
}

/**
 * Counts the first records of a page that were read before. If the venue's cursor is a position in
 * its list, new records move records that were already read to the next page. If a record at the
 * beginning of a page has the same figures as one at the end of the previous page, they count as
 * one.
 */
function repeatedCount(
  { read, isFromTop, scanned }: PageScan<unknown>,
  page: readonly string[],
): number {
  // Records that were read before the first known identity may be on the page.
  const isAllKnown = isFromTop && read.length === scanned;
  const longestShift = isAllKnown ? read.length : read.length + page.length - 1;
  for (let shift = longestShift; shift > 0; shift -= 1) {
    const length = Math.min(shift, page.length);
    const begin = read.length - shift;
    const known = page.slice(Math.max(0, -begin), length);
    const from = Math.max(0, begin);
    const isRepeat = known.every((identity, index) => identity === read[from + index]);
    if (known.length > 0 && isRepeat) return length;
  }
  return 0;
}

/** Whether two consecutive records of a list form one row, such as fills of one purchase. */
export type IsOneRow<Item> = (a: Item, b: Item) => boolean;

/**
 * Returns the records of a page, row by row.
 *
 * @param from index of its first record
 * @param most maximum number of rows
 */
export function rowsFrom<Item>(
  items: readonly Item[],
  from: number,
  most: number,
  isOneRow: IsOneRow<Item>,
): Item[][] {
  const rows: Item[][] = [];
  for (let index = from; index < items.length; index += 1) {
    const item = items[index] as Item;
    const before = items[index - 1];
    const goesOn = index > from && before !== undefined && isOneRow(before, item);
    if (goesOn) {
      rows.at(-1)?.push(item);
      continue;
    }
    if (rows.length === most) break;
    rows.push([item]);
  }
  return rows;
}

/**
 * Returns the index of the first record of the page that ends before this one; 0 if it would begin
 * before all records.
 */
export function startBefore<Item>(
  items: readonly Item[],
  to: number,
  most: number,
  isOneRow: IsOneRow<Item>,
): number {
  let from = to;
  for (let rows = 0; rows < most && from > 0; rows += 1) {
    from -= 1;
    while (from > 0 && isOneRow(items[from - 1] as Item, items[from] as Item)) from -= 1;
  }
  return from;
}

/**
 * Creates a cache of page scans, by the id of their pager. If they exceed `limitBytes` together,
 * the least recently used ones of the owner with the most bytes are dropped; a dropped scan is read
 * again when needed.
 */
export function createPageScanCache<Item extends object>(limitBytes = LIMIT_BYTES) {
  const scans = new Map<string, PageScan<Item>>();
  const lru = createFairLru(limitBytes);
  /** Adds a scan, or recounts its bytes after it has grown. */
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
    /** Runs work on one scan one at a time, because two people may press its buttons at once. */
    runExclusive: createKeyedMutex().run,
  };
}
export type PageScanCache<Item extends object> = ReturnType<typeof createPageScanCache<Item>>;

/**
 * Returns the estimated bytes of a scan: 2 per JSON character of its records, 50 per record read,
 * and its picture.
 */
function sizeOf({ read, pages, picture }: PageScan<object>): number {
  let records = READ_BYTES * read.length;
  for (const { bytes } of pages) records += bytes;
  const drawn = picture?.attachment.byteLength ?? 0;
  return Math.max(SCAN_LEAST_BYTES, records) + drawn;
}
