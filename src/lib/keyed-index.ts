/**
 * Items by id, grouped by one of their properties, each group in order of arrival.
 *
 * @param keyOf undefined for an item without a group
 */
export function createIndex<Item, Key extends string>(
  keyOf: (item: Item, id: string) => Key | undefined,
) {
  const groups = new Map<Key, Map<string, Item>>();
  return {
    /** Stops at the first match, because thousands may watch one wallet. */
    has(key: Key, isMeant: (item: Item) => boolean = () => true): boolean {
      for (const item of groups.get(key)?.values() ?? []) if (isMeant(item)) return true;
      return false;
    },
    keys: (): readonly Key[] => [...groups.keys()],
    of: (key: Key) => [...(groups.get(key)?.values() ?? [])],
    idsOf: (key: Key) => [...(groups.get(key)?.keys() ?? [])],
    all: () => [...groups.values()].flatMap((group) => [...group.values()]),
    count(isMeant: (key: Key) => boolean): number {
      let count = 0;
      for (const [key, group] of groups) if (isMeant(key)) count += group.size;
      return count;
    },
    get: (key: Key, id: string) => groups.get(key)?.get(id),
    /** Adds an item, or replaces the one with its id. */
    set(id: string, item: Item): void {
      const key = keyOf(item, id);
      if (key === undefined) return;
      const group = groups.get(key) ?? new Map<string, Item>();
      groups.set(key, group.set(id, item));
    },
    delete(id: string, item: Item): void {
      const key = keyOf(item, id);
      if (key === undefined) return;
      const group = groups.get(key);
      group?.delete(id);
      if (group?.size === 0) groups.delete(key);
    },
  };
}
