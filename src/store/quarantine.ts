import type { Logger } from 'pino';
import type { Store } from './store.ts';

export const QUARANTINE_PREFIX = 'quarantine:';

/** Keeps what could not be read under another key, for the operator. Rejects if the store does. */
export type Quarantine = (key: string, document: unknown) => Promise<void>;

export function createQuarantine(store: Pick<Store, 'set'>, log: Logger): Quarantine {
  return async (key, document) => {
    log.error({ event: 'store.quarantined', key, movedTo: QUARANTINE_PREFIX + key });
    await store.set(QUARANTINE_PREFIX + key, document);
  };
}
