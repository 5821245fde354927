import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import type { VenuePage } from '../feed/interface.ts';

/** Records of one request: the venue's maximum, because a request costs the same for one. */
export const VENUE_PAGE = 100;
/** Requests of a new list, and the most of one press of a button: enough records for useful totals. */
const FIRST_REQUESTS = 3;
/** Records that a list begins with. */
export const FIRST_RECORDS = FIRST_REQUESTS * VENUE_PAGE;
/** Most requests to read a list again from its top after a restart. */
const RETURN_REQUESTS = 5;
/** Records that one scan reads; beyond, a new scan begins at the page that is wanted. */
const SCANNED_LIMIT = 2_000;
const LONGEST_TIME_SECONDS = 99_999_999_999;

export const cursorsSchema = z.object({
  /** Time of the newest record when the list was first shown: what has come since would shift its pages. */
  anchorSeconds: z.number().nullable(),
  /** Whether the cursors come from requests that were narrowed to the anchor. */
  isAnchored: z.boolean(),
  /** For each page of the venue after the first: its cursor, how many matching records lie before it, and the last record before it. */
  checkpoints: z.array(z.object({ cursor: z.string(), before: z.int().min(0), last: z.string().nullable() })),
});

/** Where the venue's pages of a list begin: what is stored to continue a list after a restart. */
export type Cursors = z.infer<typeof cursorsSchema>;

/** Of a list that has not been read yet. */
export function newCursors(): Cursors {
  return { anchorSeconds: null, isAnchored: false, checkpoints: [] };
}

/** A consecutive part of a list as it has been read, newest first. */
export interface PageScan<Item> {
  readonly ownerId: string;
  readonly wallet: WalletAddress;
  readonly cursors: Cursors;
  /** Matching records. */
  readonly items: Item[];
  /** Characters of all their texts. */
  characters: number;
  /** How many matching records of the list lie before the first of `items`. */
  readonly before: number;
  /** Identities of the records read here, matching or not, in their order; first that of the one before them, if it is known. */
  readonly read: string[];
  /** Whether it began at the top of the list. */
  readonly isFromTop: boolean;
  /** Pages of the venue read, counted from the top of the list. */
  page: number;
  /** Records read here, matching or not. */
  scanned: number;
  /** Records that could not be read. */
  skipped: number;
  newestSeconds: number;
  oldestSeconds: number;
  /** Pages of the venue that this scan reads in any case, counted from the top of the list. */
  readonly wantedPages: number;
  /** Null: the end of the list has been reached. Undefined: nothing has been read yet. */
  cursor: string | null | undefined;
}

/** The endpoint and filters of a list. */
export interface PageSource<Item> {
  /** @param anchorSeconds newer records need not come; null: all must */
  fetch(cursor: string | undefined, anchorSeconds: number | null): Promise<VenuePage<Item>>;
  matches(item: Item): boolean;
  /** Names a record, the same whenever it is shown. */
  identify(item: Item): string;
}

/**
 * Begins a scan that can show a matching record: at the top of the list if that is at most five requests away, else at the
 * venue's page that holds the record.
 *
 * @param wantedIndex of the record among the matching ones of the list, from 0
 */
export function beginScan<Item>(
  place: { readonly ownerId: string; readonly wallet: WalletAddress; readonly cursors: Cursors },
  wantedIndex: number,
): PageScan<Item> {
  const { checkpoints } = place.cursors;
  const passed = checkpoints.filter(({ before }) => before <= wantedIndex).length;
  const page = passed < RETURN_REQUESTS ? 0 : passed;
  const start = page === 0 ? undefined : checkpoints[page - 1];
  if (page === 0) place.cursors.isAnchored = place.cursors.anchorSeconds !== null;
  const known = Math.min(RETURN_REQUESTS, Math.max(FIRST_REQUESTS, checkpoints.length + 1));
  return {
    ...place,
    items: [],
    characters: 0,
    before: start?.before ?? 0,
    read: typeof start?.last === 'string' ? [start.last] : [],
    isFromTop: page === 0,
    page,
    scanned: 0,
    skipped: 0,
    newestSeconds: 0,
    oldestSeconds: LONGEST_TIME_SECONDS,
    wantedPages: page === 0 ? known : page + FIRST_REQUESTS,
    cursor: start?.cursor,
  };
}

/** Whether the scan holds these matching records of the list, or can read on to them. */
export function canShow(scan: PageScan<unknown>, fromIndex: number, toIndex: number): boolean {
  if (fromIndex < scan.before) return false;
  const isThere = toIndex <= scan.before + scan.items.length || scan.cursor === null;
  return isThere || hasRoom(scan);
}

/** Whether the scan may read another page. */
function hasRoom({ scanned }: PageScan<unknown>): boolean {
  return scanned + VENUE_PAGE <= SCANNED_LIMIT;
}

/** Whether all of the list has been read, from its top to its end. */
export function isWhole({ cursor, isFromTop }: Pick<PageScan<unknown>, 'cursor' | 'isFromTop'>): boolean {
  return cursor === null && isFromTop;
}

/**
 * Reads on until the scan holds this many matching records of the list, its end is reached, or the requests of one press
 * are used up. Updates `cursors`.
 *
 * @returns why it stopped early, null if nothing went wrong
 * @throws what the source throws, if there is nothing to show at all
 */
export async function scanTo<Item extends { readonly time: number }>(
  scan: PageScan<Item>,
  toIndex: number,
  source: PageSource<Item>,
): Promise<Error | null> {
  const requests = Math.max(FIRST_REQUESTS, scan.cursor === undefined ? scan.wantedPages : 0);
  for (let made = 0; made < requests && scan.cursor !== null; made += 1) {
    const isEnough = scan.page >= scan.wantedPages && scan.before + scan.items.length >= toIndex;
    if (isEnough || !hasRoom(scan)) break;
    try {
      addPage(
        scan,
        await source.fetch(scan.cursor, scan.cursors.isAnchored ? scan.cursors.anchorSeconds : null),
        source,
      );
    } catch (error) {
      if (!(error instanceof Error) || scan.scanned === 0) throw error;
      return error;
    }
  }
  return null;
}

/** Adds a page of the venue to the scan, and where the next page begins to its cursors. */
function addPage<Item extends { readonly time: number }>(
  scan: PageScan<Item>,
  { items, skipped, nextCursor }: VenuePage<Item>,
  { matches, identify }: PageSource<Item>,
): void {
  const { cursors } = scan;
  const anchor = cursors.anchorSeconds ?? LONGEST_TIME_SECONDS;
  const shown = items.filter(({ time }) => time <= anchor);
  const identities = shown.map(identify);
  const repeated = repeatedCount(scan, identities);
  const wanted = shown.slice(repeated);
  scan.read.push(...identities.slice(repeated));
  for (const item of wanted) {
    scan.newestSeconds = Math.max(scan.newestSeconds, item.time);
    scan.oldestSeconds = Math.min(scan.oldestSeconds, item.time);
    if (!matches(item)) continue;
    scan.items.push(item);
    scan.characters += charactersOf(item);
  }
  if (cursors.anchorSeconds === null && wanted.length > 0) cursors.anchorSeconds = scan.newestSeconds;
  scan.scanned += wanted.length;
  scan.skipped += skipped.length;
  scan.cursor = nextCursor;
  if (nextCursor !== null) {
    const before = scan.before + scan.items.length;
    const known = cursors.checkpoints[scan.page];
    const last = scan.read.at(-1) ?? null;
    if (known?.cursor !== nextCursor || known.before !== before) {
      cursors.checkpoints.splice(scan.page, Number.POSITIVE_INFINITY, { cursor: nextCursor, before, last });
    }
  }
  scan.page += 1;
}

function charactersOf(item: object): number {
  const values: unknown[] = Object.values(item);
  return values.reduce<number>((sum, of) => sum + (typeof of === 'string' ? of.length : 0), 0);
}

/**
 * How many of the first records of a page were read before. If the venue's cursor is a place in its list, records that have
 * come since it was given move those that were read to the next page. Of two records that are the same in every figure, one at the
 * end of a page and one at the beginning of the next, the second counts as the first.
 */
function repeatedCount({ read, isFromTop }: PageScan<unknown>, page: readonly string[]): number {
  // What lies above the top of the scan is not known, and may be on the page.
  for (let shift = read.length + (isFromTop ? 0 : page.length - 1); shift > 0; shift -= 1) {
    const length = Math.min(shift, page.length);
    const begin = read.length - shift;
    const known = page.slice(Math.max(0, -begin), length);
    if (known.length > 0 && known.every((identity, index) => identity === read[Math.max(0, begin) + index]))
      return length;
  }
  return 0;
}
