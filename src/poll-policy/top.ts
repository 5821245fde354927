/** Keeps the `limit` greatest of many slots, by key and then by tie: a heap with the least of them on top. */
export interface Top {
  /** Empties it for another search. */
  reset(limit: number): void;
  offer(slot: number, key: number, tie: number): void;
  readonly size: number;
  /** The least key that is kept, once there are `limit`. */
  readonly least: number;
  /** The slots that were kept, greatest first; empties it. */
  drain(): readonly { readonly slot: number; readonly key: number }[];
}

const NOTHING: readonly never[] = [];

export function createTop(): Top {
  const slots: number[] = [];
  const keys: number[] = [];
  const ties: number[] = [];
  let limit = 0;
  let size = 0;
  let leastKey = Number.NEGATIVE_INFINITY;

  const less = (a: number, b: number): boolean => {
    const difference = (keys[a] ?? 0) - (keys[b] ?? 0);
    return difference === 0 ? (ties[a] ?? 0) < (ties[b] ?? 0) : difference < 0;
  };

  function set(at: number, slot: number, key: number, tie: number): void {
    slots[at] = slot;
    keys[at] = key;
    ties[at] = tie;
  }

  function swap(a: number, b: number): void {
    const [slot = 0, key = 0, tie = 0] = [slots[a], keys[a], ties[a]];
    set(a, slots[b] ?? 0, keys[b] ?? 0, ties[b] ?? 0);
    set(b, slot, key, tie);
  }

  function sink(): void {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < size && less(child, least)) least = child;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  }

  function rise(): void {
    for (let at = size - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!less(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  return {
    reset(newLimit) {
      limit = newLimit;
      size = 0;
      leastKey = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    },
    offer(slot, key, tie) {
      if (key < leastKey || limit === 0) return;
      if (size < limit) {
        set(size, slot, key, tie);
        size += 1;
        rise();
      } else {
        if (key === leastKey && tie <= (ties[0] ?? 0)) return;
        set(0, slot, key, tie);
        sink();
      }
      if (size === limit) leastKey = keys[0] ?? 0;
    },
    get size() {
      return size;
    },
    get least() {
      return leastKey;
    },
    drain() {
      if (size === 0) return NOTHING;
      if (size === 1) {
        size = 0;
        return [{ slot: slots[0] ?? 0, key: keys[0] ?? 0 }];
      }
      const kept = Array.from({ length: size }, (_, at) => at)
        .sort((a, b) => (less(a, b) ? 1 : -1))
        .map((at) => ({ slot: slots[at] ?? 0, key: keys[at] ?? 0 }));
      size = 0;
      return kept;
    },
  };
}
