import { grownFloat64, grownInt32 } from './schedule-columns.ts';

/** Slots that need not be looked at before a time of their own, and those whose time has come. */
export interface Sleepers {
  reserve(slots: number): void;
  /** Lets a slot sleep until then, whether it slept before or not. */
  sleep(slot: number, untilSeconds: number): void;
  /** Lets all, asleep or awake, sleep until times given anew: in proportion to their number, far less work than one by one. */
  sleepAnew(untilSeconds: (slot: number) => number): void;
  /** The slot is neither asleep nor awake any more. */
  remove(slot: number): void;
  /** Wakes those whose time has come. */
  wakeDue(nowSeconds: number): void;
  /** The slots that are awake are the first so many of `awake`, in no order. */
  readonly awakeCount: number;
  readonly awake: Int32Array;
  has(slot: number): boolean;
}

/**
 * The awake ones are a list, the others a binary heap by time. `place` says where a slot is: 0 nowhere, n > 0 at n − 1
 * in the list, n < 0 at −n − 1 in the heap.
 */
export function createSleepers(): Sleepers {
  let awake = new Int32Array(0);
  let heap = new Int32Array(0);
  let place = new Int32Array(0);
  let until = new Float64Array(0);
  let awakeCount = 0;
  let asleep = 0;

  const untilAt = (at: number): number => until[heap[at] ?? 0] ?? 0;

  function put(at: number, slot: number): void {
    heap[at] = slot;
    place[slot] = -at - 1;
  }

  function rise(from: number): void {
    const slot = heap[from] ?? 0;
    const time = until[slot] ?? 0;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (untilAt(parent) <= time) break;
      put(at, heap[parent] ?? 0);
      at = parent;
    }
    put(at, slot);
  }

  function sink(from: number): void {
    const slot = heap[from] ?? 0;
    const time = until[slot] ?? 0;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= asleep) break;
      if (child + 1 < asleep && untilAt(child + 1) < untilAt(child)) child += 1;
      if (untilAt(child) >= time) break;
      put(at, heap[child] ?? 0);
      at = child;
    }
    put(at, slot);
  }

  function remove(slot: number): void {
    const where = place[slot] ?? 0;
    place[slot] = 0;
    if (where > 0) {
      awakeCount -= 1;
      const last = awake[awakeCount] ?? 0;
      if (last === slot) return;
      awake[where - 1] = last;
      place[last] = where;
    } else if (where < 0) {
      const at = -where - 1;
      asleep -= 1;
      if (at === asleep) return;
      put(at, heap[asleep] ?? 0);
      sink(at);
      rise(at);
    }
  }

  return {
    reserve(slots) {
      if (slots <= place.length) return;
      awake = grownInt32(awake, slots);
      heap = grownInt32(heap, slots);
      place = grownInt32(place, slots);
      until = grownFloat64(until, slots);
    },
    sleep(slot, untilSeconds) {
      remove(slot);
      until[slot] = untilSeconds;
      put(asleep, slot);
      asleep += 1;
      rise(asleep - 1);
    },
    sleepAnew(untilSeconds) {
      for (let at = 0; at < awakeCount; at += 1) heap[asleep + at] = awake[at] ?? 0;
      asleep += awakeCount;
      awakeCount = 0;
      for (let at = 0; at < asleep; at += 1) {
        const slot = heap[at] ?? 0;
        place[slot] = -at - 1;
        until[slot] = untilSeconds(slot);
      }
      for (let at = (asleep >> 1) - 1; at >= 0; at -= 1) sink(at);
    },
    remove,
    wakeDue(nowSeconds) {
      while (asleep > 0 && untilAt(0) <= nowSeconds) {
        const slot = heap[0] ?? 0;
        remove(slot);
        awake[awakeCount] = slot;
        awakeCount += 1;
        place[slot] = awakeCount;
      }
    },
    has: (slot) => (place[slot] ?? 0) !== 0,
    get awakeCount() {
      return awakeCount;
    },
    get awake() {
      return awake;
    },
  };
}
