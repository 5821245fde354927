import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Sleeps for the delay, in ms, or until the signal aborts. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  // Many sleepers share the process's one stop signal, and Node warns of a leak above ten
  // listeners.
  setMaxListeners(0, signal);
  await delay(Math.max(0, delayMs), undefined, { signal }).catch(() => {});
}
