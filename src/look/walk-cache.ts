import { createKeyedSerial } from '../alert/serial.ts';
import type { Walk } from './walk.ts';

/** Matching records of all walks together: some tens of megabytes. */
const ITEMS_LIMIT = 10_000;
const WALKS_LIMIT = 200;

/** The walks that people are on, by the id of their pager: the least lately used ones go first. Losing one costs requests, no more. */
export interface WalkCache<Item> {
  get(id: string): Walk<Item> | undefined;
  /** Keeps a walk, and counts its records anew. */
  set(id: string, walk: Walk<Item>): void;
  /** Lately used last. */
  values(): Iterable<Walk<Item>>;
  /** What is done to one walk is done one after the other: two people may press at once. */
  turn<Result>(id: string, work: () => Promise<Result>): Promise<Result>;
}

export function createWalkCache<Item>(): WalkCache<Item> {
  const walks = new Map<string, Walk<Item>>();
  const serial = createKeyedSerial();
  const use = (id: string, walk: Walk<Item>) => {
    walks.delete(id);
    walks.set(id, walk);
  };
  return {
    get(id) {
      const walk = walks.get(id);
      if (walk !== undefined) use(id, walk);
      return walk;
    },
    set(id, walk) {
      use(id, walk);
      let items = [...walks.values()].reduce((sum, kept) => sum + kept.items.length, 0);
      for (const [oldest, { items: kept }] of walks) {
        if (oldest === id || (walks.size <= WALKS_LIMIT && items <= ITEMS_LIMIT)) break;
        walks.delete(oldest);
        items -= kept.length;
      }
    },
    values: () => walks.values(),
    turn: serial.run,
  };
}
