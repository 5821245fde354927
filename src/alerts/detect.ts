import * as z from 'zod';
import type { Amendable } from '../domain/records.ts';
import { LARGEST_LEAD_SECONDS, type PolledPage, type UnreadableRow } from '../feed/interface.ts';
import { groupBy } from '../lib/group-by.ts';
import { compareRecords } from '../portfolio/positions/position.ts';
import { type Amended, findAmended } from './detection/amended.ts';
import {
  createKnownRecords,
  type FreshItem,
  type KnownRecords,
  recognise,
  seenSchema,
  standing,
} from './detection/known-records.ts';
import type { Gap } from './kinds/gap.ts';

/**
 * Length of the overlap in seconds. An unknown record that is at most this much older than the
 * wallet's newest record is certainly new. One that appears later is new as well, unless known
 * records have vanished from the same page: then it may be one of those, changed.
 */
export const OVERLAP_SECONDS = 3_600;
/**
 * Prefix of the names of unreadable rows, which are remembered together with the records. No
 * record's name begins with it.
 */
const UNREADABLE_PREFIX = '?';
/** Maximum number of identities kept per endpoint, in addition to a page. */
const SEEN_LIMIT = 256;
/**
 * Maximum number of identities kept in addition to those on the page, whatever their times. No
 * sound venue withdraws that many records.
 */
const SEEN_HARD_LIMIT = 1_000;
/** Minimum time between two notices that rejected records hide all others, in seconds. */
const BLIND_NOTICE_SECONDS = 86_400;
/**
 * Tolerance for records stamped by a clock slightly ahead, in seconds. A record further ahead must
 * not move the overlap into the future.
 */
const CLOCK_TOLERANCE_SECONDS = 60;
/**
 * Number of further pages that must show a duplicate record before it counts, because a mistaken
 * repeat rarely appears three times.
 */
const DUPLICATE_CONFIRMATIONS = 2;

/**
 * Schema of an endpoint's state, gathered from its pages so far, for items of the given shape.
 * Stored in the wallet's document.
 */
export const detectionStateSchema = <Item>(itemSchema: z.ZodType<Item>) =>
  z.object({
    /**
     * Unix seconds. An older record is not new, whenever it appears. `seen` holds everything that
     * pages have shown since. Never above the end of the last page, so that records it did not show
     * count as new, however late.
     */
    earliestAcceptedSeconds: z.number(),
    /** Time of the newest item so far, in Unix seconds. */
    newestSeconds: z.number(),
    /** End of the announced gap, in Unix seconds; null if none was announced. */
    gapSeconds: z.number().nullable(),
    /** Known records. */
    seen: z.array(seenSchema),
    /**
     * Identities that the last page showed more often than was announced. They are duplicate
     * records if later pages agree.
     */
    duplicateCandidates: z.record(
      z.string(),
      z.object({ item: itemSchema, count: z.int().min(1), confirmations: z.int().min(0) }),
    ),
  });
export type DetectionState<Item> = z.infer<ReturnType<typeof detectionStateSchema<Item>>>;
type DuplicateCandidate<Item> = DetectionState<Item>['duplicateCandidates'][string];

/** A page to compare. Its items may be in any order; they are sorted here. */
type DetectablePage<Item> = Omit<PolledPage<Item>, 'wallet' | 'pollId' | 'venueSeconds'>;

export interface Detection<Item> {
  /** Items to announce, oldest first; within a second, purchases come first. */
  readonly fresh: readonly FreshItem<Item>[];
  /** Known records that the venue has changed. They are not announced again. */
  readonly amended: readonly Amended<Item>[];
  /** The state to store with the alerts; the same object if nothing has changed. */
  readonly state: DetectionState<Item>;
  /**
   * Period in which items may be missing because more arrived than the page shows, in Unix seconds,
   * both ends included.
   */
  readonly gap: DetectedGap | null;
  /**
   * True if another page is needed to settle something, so the endpoint should be polled again
   * soon.
   */
  readonly recheck: boolean;
  /**
   * Items dated more than a day ahead. They are neither announced nor remembered, so each is new
   * once its time has come.
   */
  readonly refused: readonly Item[];
}

type DetectedGap = Pick<Gap, 'fromSeconds' | 'toSeconds' | 'cause'>;

interface Detectable {
  readonly time: number;
  readonly txHash: string;
  readonly action?: string;
}

/**
 * Returns the state of an endpoint that has not been polled yet: everything from `sinceSeconds` on
 * is new.
 */
export function initialDetectionState(sinceSeconds: number): DetectionState<never> {
  return {
    earliestAcceptedSeconds: sinceSeconds,
    newestSeconds: sinceSeconds,
    gapSeconds: null,
    seen: [],
    duplicateCandidates: {},
  };
}

/**
 * Compares a page with what was seen before. Every record that appears on a page is announced once.
 * If a page does not reach back to known records, a gap names the period in which records may be
 * missing. Records are recognized by their content, not by their position, so several records of
 * one transaction, equal seconds, a vanished newest record and late records are handled correctly.
 * A record is new if earlier pages did not show it, down to the end of the last page.
 *
 * If records appear that are more than an hour older than the newest, and known records of that age
 * have vanished, the venue may have changed its records. The late records are not announced again;
 * a gap names their period. A gap also reports the period of each unreadable row, once.
 *
 * A record that the page shows more often than was announced is either a duplicate record or a
 * mistake of the venue. Its first copy is announced at once, the others when further pages confirm
 * them or can no longer do so, because announcing one twice is better than losing one.
 *
 * A changed record remains the same record and is not announced again. See `findAmended`.
 *
 * Records dated more than a day ahead are rejected. Otherwise they would stay remembered until
 * their time has come and displace the others. If they fill a whole page and hide everything else,
 * a gap says so, once a day.
 * @param amendable null if the venue never changes a record
 */
export function detect<Item extends Detectable>(
  page: DetectablePage<Item>,
  before: DetectionState<Item>,
  identify: (item: Item) => string,
  amendable: Amendable<Item> | null = null,
): Detection<Item> {
  const { earliestSeconds, latestSeconds } = page;
  const isTooFarAhead = ({ time }: Item) => time > latestSeconds + LARGEST_LEAD_SECONDS;
  const refused = page.items.filter(isTooFarAhead);
  const state = amendable === null ? before : inTodaysNames(before, page, identify, amendable);
  const accepted = page.items.filter((item) => !isTooFarAhead(item));
  // An unreadable row without a known end is assumed to reach until now.
  const rows = page.unreadable.map((row) =>
    isTimeKnown(row, page) ? row : { ...row, toSeconds: latestSeconds },
  );
  if (page.hasMore && accepted.length + rows.length === 0) {
    return refused.length > 0
      ? blindPage(before, refused, earliestSeconds)
      : { fresh: [], amended: [], state: before, gap: null, recheck: true, refused };
  }
  const oldestFirst = accepted.toSorted((a, b) => b.time - a.time).reverse();
  const pageOldestSeconds = oldestSeconds(page, oldestFirst);
  const beginSeconds = page.fromSeconds ?? Number.NEGATIVE_INFINITY;
  const reachSeconds = Math.max(pageOldestSeconds, beginSeconds);
  const mayBeNew = (item: Item) =>
    item.time >= state.earliestAcceptedSeconds ||
    state.duplicateCandidates[identify(item)] !== undefined;
  const copiesByIdentity = groupBy(oldestFirst.filter(mayBeNew), identify);
  const reporter = createKnownRecords(state.seen, amendable);
  const { fresh } = reporter;
  const shown = new Set(page.items.map(identify));
  // A page is complete above its last second and from the start of the requested range. An
  // unreadable row may be any record of its period.
  const isGone = (identity: string, seconds: number) =>
    seconds > pageOldestSeconds &&
    seconds >= beginSeconds &&
    (copiesByIdentity.has(identity) || !shown.has(identity)) &&
    !rows.some(({ fromSeconds, toSeconds }) => fromSeconds <= seconds && seconds <= toSeconds);
  const amended =
    amendable === null ? [] : findAmended(copiesByIdentity, isGone, reporter, amendable);
  const unclear = [
    ...noteUnreadable(rows, state, reporter),
    ...noteChanged(copiesByIdentity, state, reachSeconds, reporter),
  ];
  // The page contains no candidates from before the requested range, so those are kept.
  const candidates = Object.entries(state.duplicateCandidates);
  const duplicateCandidates = Object.fromEntries(
    candidates.filter(([, { item }]) => item.time < beginSeconds),
  );
  for (const [identity, copies] of copiesByIdentity) {
    const candidate = reportCopies(
      identity,
      copies,
      state.duplicateCandidates[identity],
      pageOldestSeconds,
      reporter,
    );
    if (candidate !== null) duplicateCandidates[identity] = candidate;
  }
  reportOutOfReach(state.duplicateCandidates, copiesByIdentity, pageOldestSeconds, reporter);

  const newestOnPage = oldestFirst.at(-1)?.time ?? state.newestSeconds;
  const newestSeconds = Math.max(
    state.newestSeconds,
    Math.min(newestOnPage, earliestSeconds + CLOCK_TOLERANCE_SECONDS),
  );
  const overflow = findGap(state, reachSeconds, fresh.length > 0);
  const next = prune(
    {
      earliestAcceptedSeconds: Math.max(
        state.earliestAcceptedSeconds,
        Math.min(newestSeconds - OVERLAP_SECONDS, pageOldestSeconds),
      ),
      newestSeconds,
      gapSeconds: overflow?.toSeconds ?? state.gapSeconds,
      seen: reporter.seen(),
      duplicateCandidates,
    },
    reachSeconds,
    new Set([...copiesByIdentity.keys(), ...rows.map(nameOf)]),
  );
  const isSame =
    before.newestSeconds === newestSeconds && JSON.stringify(before) === JSON.stringify(next);
  return {
    fresh: fresh.sort((a, b) => compareRecords(a.item, b.item)),
    amended,
    state: isSame ? before : next,
    gap: spanOf([...(overflow === null ? [] : [overflow]), ...unclear]),
    recheck: Object.keys(next.duplicateCandidates).length > 0,
    refused,
  };
}

function isTimeKnown(
  { toSeconds }: UnreadableRow,
  { latestSeconds }: DetectablePage<unknown>,
): boolean {
  return toSeconds <= latestSeconds + LARGEST_LEAD_SECONDS;
}

/**
 * Returns the time since which the page shows everything, in Unix seconds; negative infinity if the
 * venue has nothing older. If no row is readable, the known times of its rows decide.
 */
function oldestSeconds(page: DetectablePage<unknown>, [oldest]: readonly Detectable[]): number {
  if (!page.hasMore) return Number.NEGATIVE_INFINITY;
  if (oldest !== undefined) return oldest.time;
  const known = page.unreadable.filter((row) => isTimeKnown(row, page));
  return known.length > 0
    ? Math.min(...known.map(({ toSeconds }) => toSeconds))
    : Number.NEGATIVE_INFINITY;
}

/** Returns the state with records stored before format 11 under their current names. */
function inTodaysNames<Item>(
  state: DetectionState<Item>,
  { items }: DetectablePage<Item>,
  identify: (item: Item) => string,
  amendable: Amendable<Item>,
): DetectionState<Item> {
  const candidates = Object.entries(state.duplicateCandidates);
  const shown = [...items, ...candidates.map(([, { item }]) => item)];
  const seen = recognise(state.seen, shown, identify, amendable);
  const isNamed = candidates.every(([name, { item }]) => name === identify(item));
  if (seen === state.seen && isNamed) return state;
  const duplicateCandidates = Object.fromEntries(
    candidates.map(([, candidate]) => [identify(candidate.item), candidate]),
  );
  return { ...state, seen: [...seen], duplicateCandidates };
}

/** Returns the periods of unreadable rows that have not been announced yet. */
function noteUnreadable(
  rows: readonly UnreadableRow[],
  { earliestAcceptedSeconds }: DetectionState<unknown>,
  { announced, note }: Pick<KnownRecords<Detectable>, 'announced' | 'note'>,
): readonly DetectedGap[] {
  const unknown = rows.filter(
    (row) => row.toSeconds >= earliestAcceptedSeconds && !announced.has(nameOf(row)),
  );
  for (const row of unknown) note(nameOf(row), row.toSeconds, 1);
  return unknown.map(({ fromSeconds, toSeconds }) => ({
    cause: 'unclear',
    fromSeconds: Math.min(toSeconds, Math.max(fromSeconds, earliestAcceptedSeconds)),
    toSeconds,
  }));
}

/**
 * Returns the times of late records that may be changed versions of known ones.
 * @param reachSeconds time since which the page shows everything
 */
function noteChanged<Item extends Detectable>(
  copiesByIdentity: ReadonlyMap<string, readonly [Item, ...Item[]]>,
  { seen, newestSeconds }: DetectionState<unknown>,
  reachSeconds: number,
  { announced, note }: KnownRecords<Item>,
): readonly DetectedGap[] {
  const lateSeconds = newestSeconds - OVERLAP_SECONDS;
  const hasGone = seen.some(
    ([identity, timeSeconds]) =>
      timeSeconds < lateSeconds &&
      timeSeconds > reachSeconds &&
      standing(announced.get(identity)) > 0 &&
      !copiesByIdentity.has(identity) &&
      !identity.startsWith(UNREADABLE_PREFIX),
  );
  const late = [...copiesByIdentity].filter(
    ([identity, [{ time }]]) => time < lateSeconds && !announced.has(identity),
  );
  if (!hasGone) return [];
  for (const [identity, copies] of late) note(identity, copies[0].time, copies.length);
  return late.map(([, [{ time }]]) => ({ cause: 'unclear', fromSeconds: time, toSeconds: time }));
}

function nameOf({ identity }: UnreadableRow): string {
  return UNREADABLE_PREFIX + identity;
}

/** Returns one gap that spans all of them, or null if there are none. */
function spanOf(gaps: readonly DetectedGap[]): DetectedGap | null {
  const [first] = gaps;
  if (first === undefined) return null;
  return {
    cause: first.cause,
    fromSeconds: Math.min(...gaps.map(({ fromSeconds }) => fromSeconds)),
    toSeconds: Math.max(...gaps.map(({ toSeconds }) => toSeconds)),
  };
}

/**
 * Reports the first copy of a record at once, and the others once enough pages have shown them.
 * @param copies the page's copies of the identity, at least one
 * @param before the copies that earlier pages showed beyond those announced
 * @returns the copies that further pages have to confirm, or null if there are none or no page can
 *   confirm them
 */
function reportCopies<Item extends Detectable>(
  identity: string,
  copies: readonly [Item, ...Item[]],
  before: DuplicateCandidate<Item> | undefined,
  pageOldestSeconds: number,
  { announced, report }: KnownRecords<Item>,
): DuplicateCandidate<Item> | null {
  const [item] = copies;
  if (!announced.has(identity)) report(copies, identity, 1);
  const reportedCount = standing(announced.get(identity));
  if (copies.length <= reportedCount || (before !== undefined && item.time <= pageOldestSeconds)) {
    return null;
  }
  const confirmations = before === undefined ? 0 : before.confirmations + 1;
  const count = Math.min(copies.length, before?.count ?? copies.length);
  if (confirmations < DUPLICATE_CONFIRMATIONS) return { item, count, confirmations };
  report(copies, identity, count);
  return copies.length > count ? { item, count: copies.length, confirmations: 0 } : null;
}

/**
 * Reports candidates that no further page can confirm. At or below the page's end, a smaller number
 * of copies proves nothing.
 */
function reportOutOfReach<Item extends Detectable>(
  candidates: DetectionState<Item>['duplicateCandidates'],
  copiesByIdentity: ReadonlyMap<string, readonly [Item, ...Item[]]>,
  pageOldestSeconds: number,
  { report }: KnownRecords<Item>,
): void {
  for (const [identity, { item, count }] of Object.entries(candidates)) {
    if (item.time > pageOldestSeconds) continue;
    const copies = copiesByIdentity.get(identity);
    report(copies ?? [item], identity, Math.max(count, copies?.length ?? 0));
  }
}

/** @param reachSeconds time since which the page shows the requested range */
function findGap(
  { newestSeconds, gapSeconds }: DetectionState<unknown>,
  reachSeconds: number,
  hasFresh: boolean,
): DetectedGap | null {
  // If one second fills the whole page, the page does not show what else that second holds, even if
  // all its records are known.
  const isDisconnected = reachSeconds >= newestSeconds;
  const isReported = !hasFresh && gapSeconds !== null && gapSeconds >= reachSeconds;
  return isDisconnected && !isReported
    ? { cause: 'overflow', fromSeconds: newestSeconds, toSeconds: reachSeconds }
    : null;
}

/**
 * Returns the detection for a page with only rejected records, which hide further records behind
 * them.
 */
function blindPage<Item>(
  state: DetectionState<Item>,
  refused: readonly Item[],
  nowSeconds: number,
): Detection<Item> {
  const unchanged = { fresh: [], amended: [], state, gap: null, recheck: false, refused };
  const fromSeconds = Math.max(state.newestSeconds, state.gapSeconds ?? state.newestSeconds);
  if (fromSeconds > state.newestSeconds && nowSeconds - fromSeconds < BLIND_NOTICE_SECONDS) {
    return unchanged;
  }
  const toSeconds = Math.max(Math.floor(nowSeconds), fromSeconds + 1);
  return {
    ...unchanged,
    state: { ...state, gapSeconds: toSeconds },
    gap: { cause: 'overflow', fromSeconds, toSeconds },
  };
}

/**
 * @param reachSeconds time since which the page shows everything
 * @param onPage identities that the page shows
 */
function prune<Item>(
  state: DetectionState<Item>,
  reachSeconds: number,
  onPage: ReadonlySet<string>,
) {
  // A row of unknown time counts as old once it has left the page.
  const isOpen = (identity: string) =>
    state.duplicateCandidates[identity] !== undefined ||
    (identity.startsWith(UNREADABLE_PREFIX) && onPage.has(identity));
  const newestFirst = state.seen
    .filter(
      ([identity, timeSeconds]) => timeSeconds >= state.earliestAcceptedSeconds || isOpen(identity),
    )
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const firstTooMany = newestFirst[SEEN_LIMIT];
  // Records that the next page may show again must stay, and records ahead of the clock must not
  // decide what counts as late.
  const earliestAcceptedSeconds =
    firstTooMany === undefined || firstTooMany[1] >= reachSeconds
      ? state.earliestAcceptedSeconds
      : Math.min(firstTooMany[1] + 1, state.newestSeconds);
  const kept = newestFirst.filter(
    ([identity, timeSeconds]) => timeSeconds >= earliestAcceptedSeconds || isOpen(identity),
  );
  if (kept.length <= SEEN_HARD_LIMIT) return { ...state, earliestAcceptedSeconds, seen: kept };
  const isAhead = ([, timeSeconds]: DetectionState<Item>['seen'][number]) =>
    timeSeconds > state.newestSeconds;
  const absent = kept.filter(([identity]) => !onPage.has(identity));
  const dropped = new Set(
    [...absent.filter((entry) => !isAhead(entry)), ...absent.filter(isAhead)].slice(
      SEEN_HARD_LIMIT,
    ),
  );
  return { ...state, earliestAcceptedSeconds, seen: kept.filter((entry) => !dropped.has(entry)) };
}
