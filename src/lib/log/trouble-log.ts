/** While it lasts, a trouble is logged this often, ms. */
const REMINDER_MS = 60_000;

/** How often a trouble has come; fields of a log line. */
export interface TroubleCount {
  /** Times since it began. */
  readonly failures: number;
  readonly lastedSeconds: number;
}

/** Says of a trouble that comes again and again when it begins, that it lasts once a minute at most, and when it is over. */
export function createTroubleLog<Fields extends object>(deps: {
  /** Logs a failure: the first one as it is, a reminder with how often there was one. */
  readonly onFailure: (fields: Fields & Partial<TroubleCount>) => void;
  /** Logs that all works again. Left out where nothing says so: then a trouble goes on. */
  readonly onOver?: (count: TroubleCount) => void;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
}) {
  const failing = new Set<string>();
  let failures = 0;
  let beganMs = 0;
  let saidMs: number | null = null;
  const count = (): TroubleCount => ({
    failures,
    lastedSeconds: Math.round((deps.monotonicMs() - beganMs) / 1000),
  });
  return {
    /** @param thing what failed, such as an endpoint: the trouble is over when each thing that failed works again */
    failed(thing: string, fields: Fields): void {
      const now = deps.monotonicMs();
      if (saidMs === null) beganMs = now;
      if (deps.onOver !== undefined) failing.add(thing);
      failures += 1;
      if (saidMs !== null && now - saidMs < REMINDER_MS) return;
      saidMs = now;
      deps.onFailure(failures === 1 ? fields : { ...fields, ...count() });
    },
    /** The thing works, or is not needed any more. */
    succeeded(thing: string): void {
      if (!failing.delete(thing) || failing.size > 0) return;
      deps.onOver?.(count());
      failures = 0;
      saidMs = null;
    },
  };
}
