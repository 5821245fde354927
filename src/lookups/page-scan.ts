import { z } from 'zod';
import type { WalletAddress } from '../venue/address.ts';
import type { VenuePage } from '../venue/client.ts';

/** Records of one request: the venue's most, for it costs the same as one. */
export const VENUE_PAGE = 100;
/** Requests that a list begins with, and at most makes at a press: enough for totals that say something. */
const FIRST_REQUESTS = 3;
/** Records that a list begins with. */
export const FIRST_RECORDS = FIRST_REQUESTS * VENUE_PAGE;
/** Requests that bring a walk back after a restart. */
const RETURN_REQUESTS = 5;
/** Records that one walk keeps; one that goes further begins anew where it stands. */
const LOOKED_LIMIT = 2_000;
const LONGEST_TIME_SECONDS = 99_999_999_999;

export const trailSchema = z.object({
  /** Time of the newest record when the list was first shown: what has come since would shift its pages. */
  anchorSeconds: z.number().nullable(),
  /** Whether the cursors come from requests that were narrowed to the anchor. */
  isAnchored: z.boolean(),
  /** For each page of the venue after the first: its cursor, and how many matching records lie before it. */
  checkpoints: z.array(z.object({ cursor: z.string(), before: z.int().min(0) })),
});

/** How to find back into a list, by what can be stored. */
export type Trail = z.infer<typeof trailSchema>;

export function newTrail(): Trail {
  return { anchorSeconds: null, isAnchored: false, checkpoints: [] };
}

/** What has been read of a list, in one piece, newest first. */
export interface Walk<Item> {
  readonly guildId: string;
  readonly wallet: WalletAddress;
  readonly trail: Trail;
  /** Matching records. */
  readonly items: Item[];
  /** How many matching records of the list lie before the first of `items`. */
  readonly before: number;
  /** Whether it began at the top of the list. */
  readonly isFromTop: boolean;
  /** Pages of the venue read, counted from the top of the list. */
  page: number;
  /** Records read here, matching or not. */
  looked: number;
  /** Records that could not be read. */
  skipped: number;
  newestSeconds: number;
  oldestSeconds: number;
  /** Pages that this walk reads without being asked, counted from the top of the list. */
  readonly wantedPages: number;
  /** Null: the end of the list has been reached. Undefined: nothing has been read yet. */
  cursor: string | null | undefined;
}

export interface WalkSource<Item> {
  /** @param anchorSeconds newer records need not come; null: all must */
  fetch(cursor: string | undefined, anchorSeconds: number | null): Promise<VenuePage<Item>>;
  matches(item: Item): boolean;
}

/** Begins a walk that reaches a matching record: at the top of the list if that is near, else where its page begins. */
export function beginWalk<Item>(
  place: { readonly guildId: string; readonly wallet: WalletAddress; readonly trail: Trail },
  wantedIndex: number,
): Walk<Item> {
  const { checkpoints } = place.trail;
  const passed = checkpoints.filter(({ before }) => before <= wantedIndex).length;
  const page = passed < RETURN_REQUESTS ? 0 : passed;
  const start = page === 0 ? undefined : checkpoints[page - 1];
  if (page === 0) place.trail.isAnchored = place.trail.anchorSeconds !== null;
  const known = Math.min(RETURN_REQUESTS, Math.max(FIRST_REQUESTS, checkpoints.length + 1));
  return {
    ...place,
    items: [],
    before: start?.before ?? 0,
    isFromTop: page === 0,
    page,
    looked: 0,
    skipped: 0,
    newestSeconds: 0,
    oldestSeconds: LONGEST_TIME_SECONDS,
    wantedPages: page === 0 ? known : page + FIRST_REQUESTS,
    cursor: start?.cursor,
  };
}

/** Whether the walk shows these matching records, or can go on to them. */
export function canReach(walk: Walk<unknown>, fromIndex: number, toIndex: number): boolean {
  if (fromIndex < walk.before) return false;
  const isThere = toIndex <= walk.before + walk.items.length || walk.cursor === null;
  return isThere || walk.looked < LOOKED_LIMIT;
}

/** Whether all of the list has been read, from its top to its end. */
export function isWhole({ cursor, isFromTop }: Pick<Walk<unknown>, 'cursor' | 'isFromTop'>): boolean {
  return cursor === null && isFromTop;
}

/**
 * Reads on until the walk holds this many matching records of the list, its end is reached, or the requests of one press
 * are used up; writes the walk's trail.
 *
 * @returns why it stopped early, null if nothing went wrong
 * @throws what the source throws, if there is nothing to show at all
 */
export async function walkTo<Item extends { readonly time: number }>(
  walk: Walk<Item>,
  toIndex: number,
  source: WalkSource<Item>,
): Promise<Error | null> {
  const requests = Math.max(FIRST_REQUESTS, walk.cursor === undefined ? walk.wantedPages : 0);
  for (let made = 0; made < requests && walk.cursor !== null; made += 1) {
    const isEnough = walk.page >= walk.wantedPages && walk.before + walk.items.length >= toIndex;
    if (isEnough || walk.looked >= LOOKED_LIMIT) break;
    try {
      take(walk, await source.fetch(walk.cursor, walk.trail.isAnchored ? walk.trail.anchorSeconds : null), source);
    } catch (error) {
      if (!(error instanceof Error) || walk.looked === 0) throw error;
      return error;
    }
  }
  return null;
}

function take<Item extends { readonly time: number }>(
  walk: Walk<Item>,
  { items, skipped, nextCursor }: VenuePage<Item>,
  { matches }: WalkSource<Item>,
): void {
  const { trail } = walk;
  const anchor = trail.anchorSeconds ?? LONGEST_TIME_SECONDS;
  const wanted = items.filter(({ time }) => time <= anchor);
  for (const item of wanted) {
    walk.newestSeconds = Math.max(walk.newestSeconds, item.time);
    walk.oldestSeconds = Math.min(walk.oldestSeconds, item.time);
    if (matches(item)) walk.items.push(item);
  }
  if (trail.anchorSeconds === null && wanted.length > 0) trail.anchorSeconds = walk.newestSeconds;
  walk.looked += wanted.length;
  walk.skipped += skipped.length;
  walk.cursor = nextCursor;
  if (nextCursor !== null) {
    const before = walk.before + walk.items.length;
    const known = trail.checkpoints[walk.page];
    if (known?.cursor !== nextCursor || known.before !== before) {
      trail.checkpoints.splice(walk.page, Number.POSITIVE_INFINITY, { cursor: nextCursor, before });
    }
  }
  walk.page += 1;
}
