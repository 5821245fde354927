import type { Choice } from './lanes.ts';
import { createLanes } from './lanes.ts';
import type { Rest } from './rest.ts';
import type { Slots } from './slots.ts';

/** Finds the slots to pick. See `createSchedule` for the rules. */
export interface Chooser {
  /**
   * Up to `limit` slots that may be picked, and never fewer than there are. Those past `overdueAfter` picks go first,
   * and nothing but the expedited before those past `strictAfter`.
   */
  choose(nowSeconds: number, limit: number, overdueAfter: number, strictAfter: number): Choice;
}

/**
 * Looks at about `lookLimit` of those that are awake and at as many of those that are not, at most, unless it takes more
 * to find enough. The next call goes on where this one stopped, so that none is left out for long.
 */
export function createChooser(slots: Slots, rest: Rest, lookLimit: number): Chooser {
  const { table, arrivals, order, expedited } = slots;
  const lanes = createLanes();
  let awakeNext = 0;
  let asleepNext = 0;

  const isEnough = (limit: number): boolean =>
    lanes.expedited.size + lanes.overdue.size + lanes.special.size + lanes.plain.size >= limit;

  /** Offers what is expedited, and what is overdue: as many as are asked for, longest wait first. */
  function offerFirst(nowSeconds: number, overdueAfter: number, limit: number): void {
    const { columns, picks } = slots;
    for (const slot of expedited) {
      if (slots.mayBePicked(slot, nowSeconds)) lanes.expedited.offer(slot, picks - (columns.pickedAt[slot] ?? 0), 0);
    }
    let scanned = 0;
    for (let slot = order.first(); slot >= 0; slot = order.after(slot)) {
      const waited = picks - (columns.pickedAt[slot] ?? 0);
      if (waited < overdueAfter) return;
      // Many may have waited equally long, such as all that were added at once.
      if (lanes.overdue.size === limit && (waited < lanes.overdue.least || scanned >= lookLimit)) return;
      scanned += 1;
      if (expedited.has(slot) || !slots.mayBePicked(slot, nowSeconds)) continue;
      slots.beginWaiting(slot, nowSeconds);
      lanes.overdue.offer(slot, waited, columns.tie[slot] ?? 0);
    }
  }

  /** Offers a slot that may be picked, unless it has been offered first. */
  function offer(slot: number, nowSeconds: number, overdueAfter: number, roundSeconds: number): void {
    const { columns } = slots;
    if (slots.picks - (columns.pickedAt[slot] ?? 0) >= overdueAfter) return;
    if (expedited.size > 0 && expedited.has(slot)) return;
    const age = Math.max(0, nowSeconds - slots.beginWaiting(slot, nowSeconds));
    const tie = columns.tie[slot] ?? 0;
    if (Number.isNaN(columns.seen[slot])) {
      lanes.special.offer(slot, 0, tie);
      return;
    }
    const guardAge = Math.min(arrivals.guardAge(slot), Math.max(roundSeconds, arrivals.peakAge(slot)));
    const lane = age >= guardAge ? lanes.special : lanes.plain;
    lane.offer(slot, arrivals.waiting(slot, age), tie);
  }

  return {
    choose(nowSeconds, limit, overdueAfter, strictAfter) {
      const roundSeconds = slots.fairRoundSeconds();
      // In the first round everybody is new, and none is to wait longer than a fair round for its first poll.
      const isFirstRound = slots.picks < slots.available;
      lanes.reset(limit);
      rest.wake(nowSeconds);
      offerFirst(nowSeconds, overdueAfter, limit);
      const { awake, awakeCount } = rest;
      let scanned = 0;
      for (; scanned < awakeCount && (scanned < lookLimit || !isEnough(limit)); scanned += 1) {
        if (awakeNext >= awakeCount) awakeNext = 0;
        const slot = awake[awakeNext] ?? 0;
        // It may have been polled just now.
        if (slots.mayBePicked(slot, nowSeconds)) offer(slot, nowSeconds, overdueAfter, roundSeconds);
        awakeNext += 1;
      }
      rest.lookedAtAwake(scanned);
      const isFull = lanes.overdue.size === limit || (isFirstRound && lanes.special.size === limit);
      if (!isFull && (lanes.plain.size < limit || lanes.plain.least < rest.asleepBelow)) {
        for (scanned = 0; scanned < table.end && (scanned < lookLimit || !isEnough(limit)); scanned += 1) {
          if (asleepNext >= table.end) asleepNext = 0;
          if (!rest.isAwake(asleepNext) && slots.mayBePicked(asleepNext, nowSeconds))
            offer(asleepNext, nowSeconds, overdueAfter, roundSeconds);
          asleepNext += 1;
        }
        rest.lookedAtAsleep(scanned);
        if (lanes.plain.size === limit) rest.found(lanes.plain.least);
      }
      return lanes.drain(limit, strictAfter, !isFirstRound);
    },
  };
}
