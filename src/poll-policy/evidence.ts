import { LEARNED_LENGTH } from './arrivals.ts';
import type { Learned, PollReport } from './types.ts';

/** All items of an endpoint between two times, the first exclusive: what the estimate is made from. */
export interface EvidenceWindow {
  readonly fromSeconds: number;
  /** Ascending, inside the window. */
  readonly times: readonly number[];
}

/** What a poll shows; `seenSeconds` is the time of the poll before, NaN for the first, `addedSeconds` NaN where not known. */
export function windowOf(
  report: PollReport,
  seenSeconds: number,
  addedSeconds: number,
  pageSize: number,
): EvidenceWindow {
  const { atSeconds, freshTimesSeconds, pageTimesSeconds } = report;
  if (!Number.isNaN(seenSeconds)) return nextWindow(freshTimesSeconds, seenSeconds, atSeconds, pageSize);
  return firstWindow(pageTimesSeconds, Number.isNaN(addedSeconds) ? atSeconds : addedSeconds, atSeconds, pageSize);
}

/**
 * What an endpoint's first page shows. A page that is not full is the whole history: nothing else came before, and the
 * time since the endpoint was added counts as watched. A full page begins in the middle; its oldest item opens the
 * window and does not count (a window that is opened by an item would seem busier than it is).
 */
function firstWindow(
  pageTimes: readonly number[],
  addedSeconds: number,
  atSeconds: number,
  pageSize: number,
): EvidenceWindow {
  const times = ascending(pageTimes, Number.NEGATIVE_INFINITY, atSeconds);
  const oldest = times[0] ?? atSeconds;
  if (times.length < pageSize && addedSeconds <= oldest)
    return { fromSeconds: Math.min(addedSeconds, atSeconds), times };
  return { fromSeconds: oldest, times: times.slice(1) };
}

/** What a later poll shows. More than a page of fresh items: the window begins at the oldest that is left. */
function nextWindow(
  freshTimes: readonly number[],
  seenSeconds: number,
  atSeconds: number,
  pageSize: number,
): EvidenceWindow {
  const times = ascending(freshTimes, seenSeconds, atSeconds);
  const oldest = times[0];
  if (times.length < pageSize || oldest === undefined) return { fromSeconds: Math.min(seenSeconds, atSeconds), times };
  return { fromSeconds: oldest, times: times.slice(1) };
}

/** Sorted and moved into the window: an item may be listed late, and the venue's clock may be off. */
function ascending(times: readonly number[], fromSeconds: number, toSeconds: number): readonly number[] {
  if (times.length === 0) return times;
  return times
    .filter(Number.isFinite)
    .map((time) => Math.min(toSeconds, Math.max(fromSeconds, time)))
    .sort((a, b) => a - b);
}

/** What the index of an endpoint turned out to be: item·seconds from its last poll to each of its items. */
export function waitingOf(times: readonly number[], sinceSeconds: number): number {
  return times.reduce((sum, time) => sum + Math.max(0, time - sinceSeconds), 0);
}

/** Six digits are more than the estimates are worth; the time is kept to the millisecond. */
export function writeLearned(seenSeconds: number, figures: readonly number[]): Learned {
  return [Math.round(seenSeconds * 1000) / 1000, ...figures.map((figure) => Number(figure.toPrecision(6)))];
}

/** Reads what `writeLearned` wrote; null for anything else, such as an empty list or another version's. */
export function readLearned(
  learned: Learned | undefined,
): { readonly seenSeconds: number; readonly figures: readonly number[] } | null {
  if (learned?.length !== LEARNED_LENGTH) return null;
  if (!learned.every((figure) => Number.isFinite(figure) && figure >= 0)) return null;
  const [seenSeconds = 0, ...figures] = learned;
  return { seenSeconds, figures };
}
