const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;

/** Slots whose last poll failed, and when each may be tried again: after 5 seconds, then twice as long each time. */
export interface Retries {
  failed(slot: number, nowSeconds: number): void;
  clear(slot: number): void;
  /** When the slot may be tried again; undefined if its last poll did not fail. */
  retrySeconds(slot: number): number | undefined;
}

export function createRetries(): Retries {
  const failing = new Map<number, { readonly failures: number; readonly retrySeconds: number }>();
  return {
    failed(slot, nowSeconds) {
      const failures = failing.get(slot)?.failures ?? 0;
      const pause = Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** failures);
      failing.set(slot, { failures: Math.min(30, failures + 1), retrySeconds: nowSeconds + pause });
    },
    clear: (slot) => void failing.delete(slot),
    retrySeconds: (slot) => (failing.size === 0 ? undefined : failing.get(slot)?.retrySeconds),
  };
}
