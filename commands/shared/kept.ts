import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Machine } from '../../src/lib/machine.ts';

/** Time for which something is kept. */
const LIFE_MS = 900_000;
/** Items kept at once; beyond it the oldest goes. */
const KEPT = 1_000;
const KEY_BYTES = 12;

/** Keeps what buttons need, for a while and in memory alone: none of it has room in a custom id. */
export function createKept<Value extends object>({ monotonicMs }: Machine) {
  const kept = new LRUCache<string, Value>({
    max: KEPT,
    ttl: LIFE_MS,
    ttlResolution: 0,
    perf: { now: monotonicMs },
  });
  return {
    /**
     * @param key left out: one that nobody can guess
     * @returns the key, for a custom id
     */
    keep(value: Value, key = randomBytes(KEY_BYTES).toString('base64url')): string {
      kept.set(key, value);
      return key;
    },
    /** Undefined once it is not kept any more. */
    find: (key: string): Value | undefined => kept.get(key),
    drop: (key: string): boolean => kept.delete(key),
  };
}
