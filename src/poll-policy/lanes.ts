/** What may be picked, by how it is dealt with; see `createSchedule` for the rules. */
export interface Lanes<Item> {
  readonly expedited: Top<Item>;
  readonly overdue: Top<Item>;
  /** Endpoints about to overflow a page, and new ones. */
  readonly special: Top<Item>;
  readonly plain: Top<Item>;
}

export function createLanes<Item>(limit: number): Lanes<Item> {
  const top = () => createTop<Item>(limit);
  return { expedited: top(), overdue: top(), special: top(), plain: top() };
}

/** Whose turn it is: expedited, overdue, special, plain, but expedited and special ones not twice running while they keep others waiting. */
export interface Turns {
  next(lanes: Lanes<unknown>, isFirstRound: boolean): keyof Lanes<unknown>;
  taken(lane: keyof Lanes<unknown>): void;
}

export function createTurns(): Turns {
  let last: keyof Lanes<unknown> = 'plain';
  return {
    next({ expedited, overdue, special, plain }, isFirstRound) {
      if (expedited.size > 0 && !(last === 'expedited' && overdue.size > 0)) return 'expedited';
      if (overdue.size > 0) return 'overdue';
      return special.size > 0 && (isFirstRound || last !== 'special' || plain.size === 0) ? 'special' : 'plain';
    },
    taken(lane) {
      last = lane;
    },
  };
}

/** The greatest of what is offered, as many as wanted: by key, equals by tie. */
export interface Top<Item> {
  offer(item: Item, key: number, tie: number): void;
  /** Takes the greatest away. */
  take(): { readonly item: Item; readonly key: number } | undefined;
  /** Left to take. */
  readonly size: number;
}

function createTop<Item>(limit: number): Top<Item> {
  const ranked: { readonly item: Item; readonly key: number; readonly tie: number }[] = [];
  let taken = 0;
  let least = Number.NEGATIVE_INFINITY;
  const isBelow = (at: number, key: number, tie: number): boolean => {
    const other = ranked[at];
    return other !== undefined && (other.key < key || (other.key === key && other.tie < tie));
  };
  return {
    offer(item, key, tie) {
      if (key < least) return;
      if (ranked.length >= limit && !isBelow(limit - 1, key, tie)) return;
      let at = ranked.length;
      while (isBelow(at - 1, key, tie)) at -= 1;
      ranked.splice(at, 0, { item, key, tie });
      if (ranked.length > limit) ranked.pop();
      if (ranked.length === limit) least = ranked[limit - 1]?.key ?? least;
    },
    take() {
      const next = ranked[taken];
      taken += 1;
      return next;
    },
    get size() {
      return ranked.length - taken;
    },
  };
}
