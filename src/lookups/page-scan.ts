import type { WalletAddress } from '../domain/address.ts';
import type { ActivityFilters, VenuePage } from '../feed/interface.ts';
import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import { createFairLru } from '../lib/fair-shares/fair-lru.ts';

/** Records of one request: the venue's maximum, because a request costs the same for one. */
export const VENUE_PAGE = 100;
/**
 * Requests of a new list, and the most of one press of a button: enough records for useful totals.
 */
const FIRST_REQUESTS = 3;
/** Records that a list begins with. */
export const FIRST_RECORDS = FIRST_REQUESTS * VENUE_PAGE;
/** Most requests of the first press after a restart, which reads the list again from its top. */
const RETURN_REQUESTS = 5;
/**
 * Matching records that one scan holds, and identities of records read; beyond, the first ones are
 * dropped.
 */
const HELD_LIMIT = 2_000;
const LONGEST_TIME_SECONDS = 99_999_999_999;
/** Bytes of all scans together, estimated: some forty of the longest, or a thousand short ones. */
const LIMIT_BYTES = 80_000_000;
const SCAN_LEAST_BYTES = 40_000;
const READ_BYTES = 50;

export type Paging = Pick<ActivityFilters, 'limit' | 'cursor'>;

/** The endpoint and filters of a list. */
export interface PageSource<Item> {
  /** @param anchorSeconds newer records need not come; null: all must */
  fetch(paging: Paging, anchorSeconds: number | null): Promise<VenuePage<Item>>;
  matches(item: Item): boolean;
  /** Names a record, the same whenever it is shown. */
  identify(item: Item): string;
}

/** A consecutive part of a list as it has been read, newest first. */
export type PageScan<Item> = ReturnType<typeof beginScan<Item>>;

/**
 * Begins a scan at the top of a list.
 *
 * @param list `anchorSeconds`: time of the newest record when the list was first shown, for what
 *   has come since would shift its pages; null: none has been read
 */
export function beginScan<Item>(list: {
  readonly ownerId: string;
  readonly wallet: WalletAddress;
  anchorSeconds: number | null;
}) {
  return {
    ...list,
    /** True if its requests are narrowed to the anchor. */
    isAnchored: list.anchorSeconds !== null,
    /** Matching records. */
    items: [] as Item[],
    /** Count of matching records of the list before the first of `items`. */
    before: 0,
    /**
     * The pages of the venue that it holds: records on each, matching ones, and the estimated bytes
     * of these.
     */
    pages: [] as Readonly<Record<'records' | 'matching' | 'bytes' | 'newestSeconds', number>>[],
    /** Identities of the last records read, matching or not. */
    read: [] as string[],
    /** True while it holds the top of the list. */
    isFromTop: true,
    /** Records of the pages that it holds, matching or not. */
    scanned: 0,
    /** Records that could not be read. */
    skipped: 0,
    newestSeconds: 0,
    oldestSeconds: LONGEST_TIME_SECONDS,
    /** Null: there is no way on. Undefined: nothing has been read yet. */
    cursor: undefined as string | null | undefined,
    /** Whether the venue has more, with a way on or without. */
    hasMore: true,
    /** The chart that was last drawn of it; `key` names the state that it shows. */
    picture: null as {
      readonly key: string;
      readonly attachment: Buffer;
      readonly description: string;
    } | null,
  };
}

/** True if all of the list has been read, from its top to its end. */
export function isWhole({
  hasMore,
  isFromTop,
}: Pick<PageScan<unknown>, 'hasMore' | 'isFromTop'>): boolean {
  return !hasMore && isFromTop;
}

/**
 * Reads on until the scan holds enough, the list's end is reached, or the requests of one press are
 * used up.
 *
 * @returns why it stopped early, null if nothing went wrong
 * @throws what the source throws, if there is nothing to show at all
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

/** Adds a page of the venue to the scan; the first pages go where it would hold too much. */
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
 * Counts the first records of a page that were read before. If the venue's cursor is a place in its
 * list, records that have come since it was given move those that were read to the next page. If a
 * record at the beginning of a page has the same figures as one at the end of the page before, they
 * count as one.
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

/**
 * Tells whether two records that follow each other in a list are one row, such as fills of one
 * purchase.
 */
export type IsOneRow<Item> = (a: Item, b: Item) => boolean;

/**
 * The records of a page, row by row.
 *
 * @param from index of its first record
 * @param most rows
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
 * Index of the first record of the page that ends before this one; 0 where it would begin before
 * all of them.
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
 * Page scans in memory, by the id of their pager. Beyond `limitBytes` together, the least recently
 * used ones of the owner with the most bytes are dropped; a dropped one is read again when it is
 * needed.
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

/**
 * Estimated bytes of a scan: of its records 2 a character of JSON, 50 a record that was read; its
 * picture.
 */
function sizeOf({ read, pages, picture }: PageScan<object>): number {
  let records = READ_BYTES * read.length;
  for (const { bytes } of pages) records += bytes;
  const drawn = picture?.attachment.byteLength ?? 0;
  return Math.max(SCAN_LEAST_BYTES, records) + drawn;
}
