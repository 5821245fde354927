import { LEARNING_PREFIX } from './learning.ts';
import { RATE_LIMIT_KEY } from './rate-limit-memory.ts';
import { SETTLEMENTS_PREFIX } from './settlements/settlements.ts';

/** Whether a stored document belongs to the feed and must be passed to its `load`. */
export function isFeedKey(key: string): boolean {
  if (key === RATE_LIMIT_KEY) return true;
  return key.startsWith(LEARNING_PREFIX) || key.startsWith(SETTLEMENTS_PREFIX);
}
