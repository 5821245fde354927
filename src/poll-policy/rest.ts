import { createDoze } from './doze.ts';
import { createSleepers } from './sleepers.ts';
import type { Slots } from './slots.ts';

/** Endpoints with a busy past wake a little before the fair round in which they are due: the pace varies. */
const WAKE_BEFORE_ROUND = 0.95;
const LONGEST_SLEEP_SECONDS = 1e6;
/** Moving a slot, to another time or another place, takes about as long as looking at so many. */
const MOVE_COST = 5;

/** Which endpoints need not be looked at yet, because their urgency is far below what is enough to be picked. */
export interface Rest {
  reserve(slots: number): void;
  /** Lets a slot sleep until its urgency will have come near the price; not at all while nothing is known of it. */
  sleep(slot: number): void;
  remove(slot: number): void;
  /** Wakes those whose time has come. */
  wake(nowSeconds: number): void;
  /** The slots that are awake are the first so many of `awake`, in no order. */
  readonly awakeCount: number;
  readonly awake: Int32Array;
  isAwake(slot: number): boolean;
  /** No endpoint that is asleep is more urgent than this; Infinity if that is not known. */
  readonly asleepBelow: number;
  /** What was lately enough to be picked, item·seconds; 0 before anything was. */
  readonly price: number;
  /** A pick took plain endpoints, and the least urgent of them was as urgent as this. */
  paid(leastPlain: number): void;
  /** A pick has looked at so many that are awake. */
  lookedAtAwake(count: number): void;
  /** Those were not enough, and it has looked at so many others. */
  lookedAtAsleep(count: number): void;
  /** A pick had to look among those asleep, and this would have been enough there: if the price has fallen, they are to wake earlier. */
  found(leastPlain: number): void;
}

/**
 * No call takes longer than it takes to look at about `lookLimit` slots: where there are more that should be woken, put
 * back or given another time, the others come in the next calls.
 */
export function createRest(slots: Slots, lookLimit: number): Rest {
  const { table, arrivals, retries } = slots;
  const sleepers = createSleepers();
  const doze = createDoze();
  const moveLimit = Math.ceil(lookLimit / MOVE_COST);
  let price = 0;
  let isBehind = false;
  let asleepBelow = 0;
  // What `asleepBelow` will be once all slots up to the last have been given times anew.
  let anewBelow = 0;
  let anewNext = Number.POSITIVE_INFINITY;
  let backNext = 0;

  function sleepBelow(urgency: number): void {
    asleepBelow = Math.max(asleepBelow, urgency);
    anewBelow = Math.max(anewBelow, urgency);
  }

  /** When a slot is to be looked at next: at once while nothing is known of it. */
  function wakeSeconds(slot: number): number {
    const retrySeconds = retries.retrySeconds(slot);
    if (retrySeconds !== undefined) return retrySeconds;
    const { columns } = slots;
    const sinceSeconds = columns.since[slot] ?? Number.NaN;
    if (Number.isNaN(sinceSeconds + (columns.seen[slot] ?? Number.NaN))) return Number.NEGATIVE_INFINITY;
    const least = price > 0 ? doze.share * price : Number.POSITIVE_INFINITY;
    sleepBelow(least);
    const peakAge = Math.max(WAKE_BEFORE_ROUND * slots.fairRoundSeconds(), arrivals.peakAge(slot));
    const age = price > 0 ? arrivals.ageOfWaiting(slot, least, LONGEST_SLEEP_SECONDS) : LONGEST_SLEEP_SECONDS;
    return sinceSeconds + Math.min(age, arrivals.guardAge(slot), peakAge);
  }

  /** Too many are awake, as after a long pause: those that would not be woken by now go back to sleep. */
  function sendBack(nowSeconds: number): void {
    for (let scanned = 0; scanned < moveLimit && sleepers.awakeCount > lookLimit; scanned += 1) {
      if (backNext >= sleepers.awakeCount) backNext = 0;
      const slot = sleepers.awake[backNext] ?? 0;
      const until = wakeSeconds(slot);
      // Another one that is awake takes its place.
      if (until > nowSeconds) sleepers.sleep(slot, until);
      else backNext += 1;
    }
  }

  function sleepAnew(): void {
    const end = Math.min(table.end, anewNext + moveLimit);
    for (; anewNext < end; anewNext += 1) if (sleepers.has(anewNext)) sleepers.sleep(anewNext, wakeSeconds(anewNext));
    if (anewNext < table.end) return;
    asleepBelow = anewBelow;
    anewNext = Number.POSITIVE_INFINITY;
  }

  return {
    reserve: (count) => sleepers.reserve(count),
    sleep: (slot) => sleepers.sleep(slot, wakeSeconds(slot)),
    remove: (slot) => sleepers.remove(slot),
    wake(nowSeconds) {
      isBehind = !sleepers.wakeDue(nowSeconds, moveLimit);
      sendBack(nowSeconds);
    },
    get awakeCount() {
      return sleepers.awakeCount;
    },
    get awake() {
      return sleepers.awake;
    },
    isAwake: (slot) => sleepers.isAwake(slot),
    get asleepBelow() {
      return isBehind ? Number.POSITIVE_INFINITY : asleepBelow;
    },
    get price() {
      return price;
    },
    paid(leastPlain) {
      price = price === 0 ? leastPlain : 0.95 * price + 0.05 * leastPlain;
    },
    lookedAtAwake: (count) => doze.lookedAtAwake(count, table.end),
    lookedAtAsleep: (count) => doze.lookedAtAsleep(count, table.end),
    found(leastPlain) {
      if (leastPlain < price) {
        price = leastPlain;
        if (anewNext >= table.end) {
          anewNext = 0;
          anewBelow = 0;
        }
      }
      if (anewNext < table.end) sleepAnew();
    },
  };
}
