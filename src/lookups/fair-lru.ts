/** What several owners keep within one bound. */
export interface FairLru {
  /**
   * Counts something anew, as the latest of its owner.
   *
   * @returns ids of what has to go now, which are not counted any more; never the one just counted
   */
  put(owner: string, id: string, size: number): readonly string[];
  /** Counts it no more. */
  drop(id: string): void;
}

/**
 * Shares a bound so that nobody pushes out what others keep: beyond it, whoever keeps the most loses what it has used
 * longest ago. Alone, an owner may use all of it.
 *
 * @param limit of the sum of all sizes
 */
export function createFairLru(limit: number): FairLru {
  /** Of each owner: sizes by id, least lately used first. */
  const owners = new Map<string, { readonly sizes: Map<string, number>; total: number }>();
  const ownerOf = new Map<string, string>();
  let total = 0;

  const drop = (id: string) => {
    const owner = ownerOf.get(id);
    const kept = owner === undefined ? undefined : owners.get(owner);
    const size = kept?.sizes.get(id);
    if (owner === undefined || kept === undefined || size === undefined) return;
    kept.sizes.delete(id);
    kept.total -= size;
    total -= size;
    ownerOf.delete(id);
    if (kept.sizes.size === 0) owners.delete(owner);
  };

  const greatest = () => [...owners.values()].reduce((most, kept) => (kept.total > most.total ? kept : most));

  return {
    put(owner, id, size) {
      drop(id);
      const kept = owners.get(owner) ?? { sizes: new Map<string, number>(), total: 0 };
      owners.set(owner, kept);
      kept.sizes.set(id, size);
      kept.total += size;
      total += size;
      ownerOf.set(id, owner);
      const gone: string[] = [];
      while (total > limit && ownerOf.size > 1) {
        const [oldest, next] = greatest().sizes.keys();
        const leaving = oldest === id ? next : oldest;
        // It alone is more than what anybody else keeps: it is wanted now, and goes with the next.
        if (leaving === undefined) break;
        drop(leaving);
        gone.push(leaving);
      }
      return gone;
    },
    drop,
  };
}
