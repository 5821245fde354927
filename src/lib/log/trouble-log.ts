import type { Machine } from '../machine.ts';

/** Time between two lines about a trouble while it lasts, ms. */
const REMINDER_MS = 60_000;

/**
 * Logs of a recurring trouble when it begins, that it lasts once a minute at most, and when it is
 * over.
 *
 * @param level of the lines while it lasts
 * @param failing what is in each of these
 * @param over what is in the line that all works again. Left out where nothing says so: then a
 *   trouble goes on
 */
export function createTroubleLog(
  { log, monotonicMs }: Pick<Machine, 'log' | 'monotonicMs'>,
  level: 'warn' | 'error',
  failing: { readonly event: string },
  over?: { readonly event: string },
) {
  const things = new Set<string>();
  let failures = 0;
  let beganMs = 0;
  let saidMs: number | null = null;
  const count = () => ({ failures, lastedSeconds: Math.round((monotonicMs() - beganMs) / 1000) });
  return {
    /**
     * @param thing what failed, such as an endpoint: the trouble is over when each thing that
     *   failed works again
     * @param fields of the line; a reminder has also how often there was a failure
     */
    failed(thing: string, fields: object): void {
      const now = monotonicMs();
      if (saidMs === null) beganMs = now;
      if (over !== undefined) things.add(thing);
      failures += 1;
      if (saidMs !== null && now - saidMs < REMINDER_MS) return;
      saidMs = now;
      log[level]({ ...failing, ...fields, ...(failures === 1 ? {} : count()) });
    },
    /** The thing works, or is not needed any more. */
    succeeded(thing: string): void {
      if (!things.delete(thing) || things.size > 0) return;
      log.info({ ...over, ...count() });
      failures = 0;
      saidMs = null;
    },
  };
}
