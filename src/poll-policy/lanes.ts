/** What may be picked, most urgent first, by how it is dealt with; see `createSchedule` for the rules. */
export type Lane = 'expedited' | 'overdue' | 'special' | 'plain';

export type Lanes<Item> = ReturnType<typeof createLanes<Item>>;

/** Keeps the first `limit` of each lane. Of equal keys the one offered first goes first. */
export function createLanes<Item>(limit: number) {
  type Candidates = { readonly item: Item; readonly key: number }[];
  const lanes: Readonly<Record<Lane, Candidates>> = { expedited: [], overdue: [], special: [], plain: [] };
  const next = (last: Lane, isFirstRound: boolean): Lane => {
    const { expedited, overdue, special, plain } = lanes;
    if (expedited.length > 0 && !(last === 'expedited' && overdue.length > 0)) return 'expedited';
    if (overdue.length > 0) return 'overdue';
    return special.length > 0 && (isFirstRound || last !== 'special' || plain.length === 0) ? 'special' : 'plain';
  };
  return {
    offer(lane: Lane, item: Item, key: number): void {
      const best = lanes[lane];
      if (best.length >= limit && key <= (best.at(-1)?.key ?? key)) return;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.key ?? key) < key) at -= 1;
      best.splice(at, 0, { item, key });
      if (best.length > limit) best.pop();
    },
    /** Takes away whose turn it is: expedited, overdue, special, plain, but the special ones not twice running while others wait. */
    take(last: Lane, isFirstRound: boolean) {
      const lane = next(last, isFirstRound);
      const candidate = lanes[lane].shift();
      return candidate && { ...candidate, lane };
    },
  };
}
