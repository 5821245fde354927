import type { Logger } from 'pino';
import type { Store } from './store.ts';

export const QUARANTINE_PREFIX = 'quarantine:';

/** The key under which a document stood that is under this one now; undefined if it has not been put aside. */
export function quarantinedKey(key: string): string | undefined {
  return key.startsWith(QUARANTINE_PREFIX) ? key.slice(QUARANTINE_PREFIX.length) : undefined;
}

export type Quarantine = ReturnType<typeof createQuarantine>;

/** Keeps what could not be read under another key, for the operator. Rejects if the store does. */
export function createQuarantine(store: Pick<Store, 'set'>, log: Logger) {
  return async (key: string, document: unknown): Promise<void> => {
    log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
    await store.set(QUARANTINE_PREFIX + key, document);
  };
}
