import { LEARNING_PREFIX } from './learning.ts';
import { RATE_LIMIT_KEY } from './rate-limit-memory.ts';
import { SETTLEMENTS_PREFIX } from './settlements/settlements.ts';

/** Tells whether a stored document is the feed's, to be given to its `load`. */
export function isFeedKey(key: string): boolean {
  if (key === RATE_LIMIT_KEY) return true;
  return key.startsWith(LEARNING_PREFIX) || key.startsWith(SETTLEMENTS_PREFIX);
}
