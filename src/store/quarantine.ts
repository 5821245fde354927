import type { Logger } from 'pino';
import type { Documents } from './backend.ts';

export const QUARANTINE_PREFIX = 'quarantine:';

/**
 * The key under which a document stood that is under this one now; undefined if it has not been put
 * aside.
 */
export function quarantinedKey(key: string): string | undefined {
  if (key.startsWith(QUARANTINE_PREFIX)) return key.slice(QUARANTINE_PREFIX.length);
  return undefined;
}

/** The key of a document, wherever it lies now. */
export function originalKey(key: string): string {
  return quarantinedKey(key) ?? key;
}

/** Keeps what could not be read under another key, for the operator. Rejects if the store does. */
export async function quarantine(
  store: Pick<Documents, 'set'>,
  log: Logger,
  key: string,
  document: unknown,
) {
  log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
  await store.set(QUARANTINE_PREFIX + key, document);
}
