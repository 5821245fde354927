import { grownInt32 } from './columns.ts';

/** Slots by how long ago they were picked: a list to which every picked slot is appended anew. */
export interface Order {
  reserve(slots: number): void;
  /** Puts a slot behind all others, whether it was in the list or not. */
  append(slot: number): void;
  remove(slot: number): void;
  /** The slot that was appended longest ago; −1 if there is none. */
  first(): number;
  /** The slot that was appended after this one; −1 if there is none. */
  after(slot: number): number;
}

/** Doubly linked by two columns. 0 stands for no neighbour, n for slot n − 1. */
export function createOrder(): Order {
  let previous = new Int32Array(0);
  let next = new Int32Array(0);
  let head = 0;
  let tail = 0;

  function remove(slot: number): void {
    const before = previous[slot] ?? 0;
    const behind = next[slot] ?? 0;
    if (before === 0 && head !== slot + 1) return;
    if (before === 0) head = behind;
    else next[before - 1] = behind;
    if (behind === 0) tail = before;
    else previous[behind - 1] = before;
    previous[slot] = 0;
    next[slot] = 0;
  }

  return {
    reserve(slots) {
      previous = grownInt32(previous, slots);
      next = grownInt32(next, slots);
    },
    append(slot) {
      remove(slot);
      previous[slot] = tail;
      next[slot] = 0;
      if (tail === 0) head = slot + 1;
      else next[tail - 1] = slot + 1;
      tail = slot + 1;
    },
    remove,
    first: () => head - 1,
    after: (slot) => (next[slot] ?? 0) - 1,
  };
}
