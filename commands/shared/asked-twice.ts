import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Machine } from '../../src/lib/machine.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';

/** Time in which a change can be confirmed. */
const LIFE_MS = 900_000;
/** Changes that wait at once; beyond it the oldest have to be typed once more. */
const KEPT = 1_000;

/** A change that waits for whoever typed it to confirm it. */
interface Doubted<Answer> {
  readonly personId: string;
  readonly channelId: string;
  readonly carryOut: () => Promise<Answer>;
}

/** Changes that are asked for twice, in memory alone. */
export function createAskedTwice<Answer>({ monotonicMs }: Machine) {
  const waiting = new LRUCache<string, Doubted<Answer>>({
    max: KEPT,
    ttl: LIFE_MS,
    ttlResolution: 0,
    perf: { now: monotonicMs },
  });
  return {
    /**
     * Keeps a change until it is confirmed.
     *
     * @returns false if the same person has typed the same before: that confirms it
     */
    isToConfirm(key: string, change: Doubted<Answer>): boolean {
      if (waiting.has(key)) {
        waiting.delete(key);
        return false;
      }
      waiting.set(key, change);
      return true;
    },
    /** The change of a button; undefined if it waits no longer. */
    find: (key: string) => waiting.get(key),
    drop: (key: string) => waiting.delete(key),
  };
}

/** Names what a person has typed: the same for the same subcommand, options and channel. */
export function keyOf({ user, channelId, options }: CommandUse): string {
  // Of options their names and values alone: what else Discord sends along may change.
  const typed = JSON.stringify([user.id, channelId, options.data], ['name', 'value', 'options']);
  return createHash('sha256').update(typed).digest('base64url').slice(0, 22);
}
