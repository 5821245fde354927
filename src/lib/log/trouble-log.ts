/** While it lasts, a trouble is logged this often, ms. */
const REMINDER_MS = 60_000;
const MS_PER_SECOND = 1000;

/** How often a trouble has come; fields of a log line. */
export interface TroubleCount {
  /** Times since it began. */
  readonly failures: number;
  readonly lastedSeconds: number;
}

export interface TroubleLogDeps<Fields extends object> {
  /** Logs a failure: the first one as it is, a reminder with how often there was one. */
  readonly onFailure: (fields: Fields & Partial<TroubleCount>) => void;
  /** Logs that all works again. Left out where nothing says so: then a trouble goes on. */
  readonly onOver?: (count: TroubleCount) => void;
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
}

/** Says of a trouble that comes again and again when it begins, that it lasts once a minute at most, and when it is over. */
export interface TroubleLog<Fields extends object> {
  /** @param thing what failed, such as an endpoint: the trouble is over when each thing that failed works again */
  failed(thing: string, fields: Fields): void;
  /** The thing works, or is not needed any more. */
  succeeded(thing: string): void;
}

export function createTroubleLog<Fields extends object>(deps: TroubleLogDeps<Fields>): TroubleLog<Fields> {
  const failing = new Set<string>();
  let failures = 0;
  let beganMs = 0;
  let saidMs: number | null = null;
  const count = (): TroubleCount => ({
    failures,
    lastedSeconds: Math.round((deps.monotonicMs() - beganMs) / MS_PER_SECOND),
  });
  return {
    failed(thing, fields) {
      const now = deps.monotonicMs();
      if (saidMs === null) beganMs = now;
      if (deps.onOver !== undefined) failing.add(thing);
      failures += 1;
      if (saidMs !== null && now - saidMs < REMINDER_MS) return;
      saidMs = now;
      deps.onFailure(failures === 1 ? fields : { ...fields, ...count() });
    },
    succeeded(thing) {
      if (!failing.delete(thing) || failing.size > 0) return;
      deps.onOver?.(count());
      failures = 0;
      saidMs = null;
    },
  };
}
