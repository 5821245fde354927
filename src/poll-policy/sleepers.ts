import { grownFloat64, grownInt32 } from './columns.ts';

/** Slots that need not be looked at before a time of their own, and those whose time has come. */
export interface Sleepers {
  reserve(slots: number): void;
  /** Lets a slot sleep until then, whether it slept before or not. */
  sleep(slot: number, untilSeconds: number): void;
  /** The slot is neither asleep nor awake any more. */
  remove(slot: number): void;
  /** Wakes those whose time has come, so many at most, the earliest first; false if there are more. */
  wakeDue(nowSeconds: number, limit: number): boolean;
  /** The slots that are awake are the first so many of `awake`, in no order. */
  readonly awakeCount: number;
  readonly awake: Int32Array;
  isAwake(slot: number): boolean;
  /** The slot is asleep or awake. */
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

  const isAwake = (slot: number): boolean => (place[slot] ?? 0) > 0;
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
      const before = until[slot] ?? 0;
      if (isAwake(slot)) remove(slot);
      until[slot] = untilSeconds;
      if (place[slot] === 0) {
        put(asleep, slot);
        asleep += 1;
        rise(asleep - 1);
      } else if (untilSeconds < before) rise(-(place[slot] ?? 0) - 1);
      else sink(-(place[slot] ?? 0) - 1);
    },
    remove,
    wakeDue(nowSeconds, limit) {
      for (let woken = 0; asleep > 0 && untilAt(0) <= nowSeconds; woken += 1) {
        if (woken >= limit) return false;
        const slot = heap[0] ?? 0;
        remove(slot);
        awake[awakeCount] = slot;
        awakeCount += 1;
        place[slot] = awakeCount;
      }
      return true;
    },
    isAwake,
    has: (slot) => (place[slot] ?? 0) !== 0,
    get awakeCount() {
      return awakeCount;
    },
    get awake() {
      return awake;
    },
  };
}
