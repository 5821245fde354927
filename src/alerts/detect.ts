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
 * Span below the newest item in which an unknown record is new for certain: an hour of the wallet's
 * own time. One that turns up later than that is new as well, unless known ones have gone from the
 * same page: then it may be one of those, changed.
 */
export const OVERLAP_SECONDS = 3_600;
/**
 * Prefix of the names under which unreadable rows are remembered beside the records: no record's
 * name has it.
 */
const UNREADABLE_PREFIX = '?';
/** Identities kept per endpoint at the most, beyond a page. */
const SEEN_LIMIT = 256;
/**
 * Identities kept beside those on the page whatever their times are: no sound venue takes back so
 * many records.
 */
const SEEN_HARD_LIMIT = 1_000;
/** Least time between two notices to channels that refused records hide all others. */
const BLIND_NOTICE_SECONDS = 86_400;
/**
 * Records may be stamped by a clock a little ahead; one further ahead must not drag the overlap
 * into the future.
 */
const CLOCK_TOLERANCE_SECONDS = 60;
/**
 * Further pages that must show a duplicate record to be believed: a mistaken repeat is rarely shown
 * thrice.
 */
const DUPLICATE_CONFIRMATIONS = 2;

/**
 * State of an endpoint, gathered from its pages so far, for items of the given shape. Stored in the
 * wallet's document.
 */
export const detectionStateSchema = <Item>(itemSchema: z.ZodType<Item>) =>
  z.object({
    /**
     * Unix seconds: whatever is older is not new, whenever it appears. All that pages have shown
     * since is in `seen`. Not above the end of the last page, so that what it did not show is new,
     * however late.
     */
    earliestAcceptedSeconds: z.number(),
    /** Unix seconds of the newest item so far. */
    newestSeconds: z.number(),
    /** Unix seconds up to which a gap has been announced; null if none has. */
    gapSeconds: z.number().nullable(),
    /** Records that are known. */
    seen: z.array(seenSchema),
    /**
     * Identities that the last page showed more often than was announced: duplicate records, if
     * later pages agree.
     */
    duplicateCandidates: z.record(
      z.string(),
      z.object({ item: itemSchema, count: z.int().min(1), confirmations: z.int().min(0) }),
    ),
  });
export type DetectionState<Item> = z.infer<ReturnType<typeof detectionStateSchema<Item>>>;
type DuplicateCandidate<Item> = DetectionState<Item>['duplicateCandidates'][string];

/** Another order than the venue's is put right. */
type DetectablePage<Item> = Omit<PolledPage<Item>, 'wallet' | 'pollId' | 'venueSeconds'>;

export interface Detection<Item> {
  /** Items to announce, oldest first, within a second purchases first. */
  readonly fresh: readonly FreshItem<Item>[];
  /** Known records that the venue has changed; they are not announced again. */
  readonly amended: readonly Amended<Item>[];
  /** The mark to store with it; the very same object if nothing has changed. */
  readonly state: DetectionState<Item>;
  /**
   * Times (Unix seconds, inclusive) between which items may be missing, if more arrived than the
   * page shows.
   */
  readonly gap: DetectedGap | null;
  /** Something is open until another page has been seen: poll again soon. */
  readonly recheck: boolean;
  /**
   * Items dated more than a day ahead: not announced, nor remembered, so that each is new once its
   * time has come.
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
 * The mark of an endpoint that has not been polled: whatever happens from `sinceSeconds` on is new.
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
 * Compares a first page with what was seen before. Every record that appears on a page is announced
 * once; where a page cannot reach back to what is known, a gap says between which times records may
 * be missing. Records are recognised by what they are and not by their place, so that several
 * records of a transaction, equal seconds, a vanished newest record, and late ones come out right:
 * new is what earlier pages did not show, down to the end of the last one.
 *
 * Where records turn up that are more than an hour older than the newest, and known ones of that
 * age have gone, the venue may have changed its records. They are not announced again: a gap says
 * of which time they are. So it does, once, of what cannot be read.
 *
 * A record that stands on the page more often than announced is a duplicate record or a venue's
 * slip. Its first copy is announced at once, the others when further pages confirm them or none can
 * any more: a double is better than a loss.
 *
 * A record that is changed stays the same record, and is not announced again. See `findAmended`.
 *
 * What is dated more than a day ahead is refused. It would stay remembered until its time has come,
 * and push the rest out. Where it fills a whole page, so that nothing else can be seen, a gap says
 * so, once a day.
 *
 * @param amendable null where the venue never changes a record
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
  // An unreadable row without a known end is taken to reach until now.
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
  // A page is whole above its last second, and from where the request began. A row that cannot be
  // read may be any record of its time.
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
  // The page says nothing of candidates from a time that it leaves out.
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
 * Unix seconds down to which the page shows all there is: without limit if the venue has nothing
 * older. Where nothing on it can be read, the times of its rows say so, those that are known.
 */
function oldestSeconds(page: DetectablePage<unknown>, [oldest]: readonly Detectable[]): number {
  if (!page.hasMore) return Number.NEGATIVE_INFINITY;
  if (oldest !== undefined) return oldest.time;
  const known = page.unreadable.filter((row) => isTimeKnown(row, page));
  return known.length > 0
    ? Math.min(...known.map(({ toSeconds }) => toSeconds))
    : Number.NEGATIVE_INFINITY;
}

/** The state with records that were stored before format 11 under their names of today. */
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

/** The times of rows that cannot be read, of which nothing has been said. */
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
 * Times of late records that may be known ones, changed.
 *
 * @param reachSeconds down to which the page shows all
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

/** One gap for all; null if there are none. */
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
 *
 * @param copies what the page shows of the identity, at least one
 * @param before what earlier pages showed more often than was announced
 * @returns what further pages have to confirm; null if nothing, or if none of them can
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
 * Reports candidates that no further page can confirm: at the page's end, and below it, fewer
 * copies prove nothing.
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

/** @param reachSeconds Unix seconds down to which the page shows what was asked for */
function findGap(
  { newestSeconds, gapSeconds }: DetectionState<unknown>,
  reachSeconds: number,
  hasFresh: boolean,
): DetectedGap | null {
  // A page that is full of one second says nothing of what else that second holds, even if all of
  // it is known.
  const isDisconnected = reachSeconds >= newestSeconds;
  const isReported = !hasFresh && gapSeconds !== null && gapSeconds >= reachSeconds;
  return isDisconnected && !isReported
    ? { cause: 'overflow', fromSeconds: newestSeconds, toSeconds: reachSeconds }
    : null;
}

/** Nothing but refused records, and more behind them that cannot be seen. */
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
 * @param reachSeconds Unix seconds down to which the page shows all
 * @param onPage identities that the page shows
 */
function prune<Item>(
  state: DetectionState<Item>,
  reachSeconds: number,
  onPage: ReadonlySet<string>,
) {
  // A row whose time is not known is old when it has left the page.
  const isOpen = (identity: string) =>
    state.duplicateCandidates[identity] !== undefined ||
    (identity.startsWith(UNREADABLE_PREFIX) && onPage.has(identity));
  const newestFirst = state.seen
    .filter(
      ([identity, timeSeconds]) => timeSeconds >= state.earliestAcceptedSeconds || isOpen(identity),
    )
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const firstTooMany = newestFirst[SEEN_LIMIT];
  // Records that the next page can show again must stay, and those ahead of the clock must not
  // decide what is late.
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
