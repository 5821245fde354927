import type { Machine } from '../machine.ts';

/** Interval between two lines while a problem lasts, in ms. */
const REMINDER_MS = 60_000;

/**
 * Logs a recurring problem when it begins, at most once a minute while it lasts, and when it is
 * over.
 *
 * @param level of the lines while it lasts
 * @param failing fields of each of these lines
 * @param over fields of the line that everything works again. Left out if nothing reports success;
 *   then the problem never ends
 */
export function createTroubleLog(
  { log, monotonicMs }: Machine,
  level: 'warn' | 'error',
  failing: { readonly event: string },
  over?: { readonly event: string },
) {
  const things = new Set<string>();
  let failures = 0;
  let beganMs = 0;
  let loggedMs: number | null = null;
  const count = () => ({ failures, lastedSeconds: Math.round((monotonicMs() - beganMs) / 1000) });
  return {
    /**
     * @param thing what failed, such as an endpoint; the problem is over when each failed thing
     *   works again
     * @param fields of the line; a reminder also has the number of failures
     */
    failed(thing: string, fields: object): void {
      const now = monotonicMs();
      if (loggedMs === null) beganMs = now;
      if (over !== undefined) things.add(thing);
      failures += 1;
      if (loggedMs !== null && now - loggedMs < REMINDER_MS) return;
      loggedMs = now;
      log[level]({ ...failing, ...fields, ...(failures === 1 ? {} : count()) });
    },
    /** The thing works again, or is no longer needed. */
    succeeded(thing: string): void {
      if (!things.delete(thing) || things.size > 0) return;
      log.info({ ...over, ...count() });
      failures = 0;
      loggedMs = null;
    },
  };
}
