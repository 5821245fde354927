import type { Logger } from 'pino';
import type { Documents } from './backend.ts';

export const QUARANTINE_PREFIX = 'quarantine:';

/** Returns the original key of a quarantined document; undefined if the key is not quarantined. */
export function quarantinedKey(key: string): string | undefined {
  if (key.startsWith(QUARANTINE_PREFIX)) return key.slice(QUARANTINE_PREFIX.length);
  return undefined;
}

/** Returns the original key of a document, quarantined or not. */
export function originalKey(key: string): string {
  return quarantinedKey(key) ?? key;
}

/** Keeps an unreadable document under another key, for the operator. Rejects if the store does. */
export async function quarantine(
  store: Pick<Documents, 'set'>,
  log: Logger,
  key: string,
  document: unknown,
) {
  log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
  await store.set(QUARANTINE_PREFIX + key, document);
}
