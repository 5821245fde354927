import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Machine } from '../../src/lib/machine.ts';

/** Time for which an item is kept, in ms. */
const LIFE_MS = 900_000;
/** Maximum number of items kept at once. Beyond it, the oldest is removed. */
const KEPT = 1_000;
const KEY_BYTES = 12;

/** Keeps data for buttons that does not fit in a custom id, for some time and only in memory. */
export function createKept<Value extends object>({ monotonicMs }: Machine) {
  const kept = new LRUCache<string, Value>({
    max: KEPT,
    ttl: LIFE_MS,
    ttlResolution: 0,
    perf: { now: monotonicMs },
  });
  return {
    /**
     * @param key left out: a key that cannot be guessed
     * @returns the key, for a custom id
     */
    keep(value: Value, key = randomBytes(KEY_BYTES).toString('base64url')): string {
      kept.set(key, value);
      return key;
    },
    /** Returns the value, or undefined once it is no longer kept. */
    find: (key: string): Value | undefined => kept.get(key),
    drop: (key: string): boolean => kept.delete(key),
  };
}
