/**
 * A least-recently-used limit that is fair to owners: beyond it, the owner with the largest total
 * loses its least recently used id, so that nobody evicts the data of smaller owners. A lone owner
 * may use all of it. Tracks only ids and sizes.
 *
 * @param limit maximum sum of all sizes
 */
export function createFairLru(limit: number) {
  /** Sizes by id, least recently used first, per owner. */
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

  const greatest = () =>
    [...owners.values()].reduce((most, kept) => (kept.total > most.total ? kept : most));

  return {
    /**
     * Counts an id again, as its owner's most recently used.
     *
     * @returns evicted ids, which no longer count; never this one
     */
    put(owner: string, id: string, size: number): readonly string[] {
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
        // The new id alone exceeds the limit; it stays until the next one is counted.
        if (leaving === undefined) break;
        drop(leaving);
        gone.push(leaving);
      }
      return gone;
    },
    drop,
  };
}
