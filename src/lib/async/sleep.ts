import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Sleeps for so many ms, or until the signal aborts. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  // Many sleep by the one signal of a process's end, and Node warns of more than ten as of a leak.
  setMaxListeners(0, signal);
  await delay(Math.max(0, delayMs), undefined, { signal }).catch(() => {});
}
