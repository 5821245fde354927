/**
 * Provides abort signals for work in progress, and reuses them afterwards. In Node 20 a new signal
 * for each of many requests outlives young collections, and a single one for all keeps everything
 * behind its listeners alive; either burdens the garbage collector. `AbortSignal.any` would leave
 * traces of each in a long-lived signal.
 */
export function createSignals() {
  const underWay = new Set<AbortController>();
  const spare: AbortController[] = [];
  return {
    /**
     * Runs work with its own signal.
     *
     * @param work must leave no listeners on the signal, and nothing that could abort it
     */
    async run<Result>(work: (ending: AbortController) => Promise<Result>): Promise<Result> {
      const ending = spare.pop() ?? new AbortController();
      underWay.add(ending);
      try {
        return await work(ending);
      } finally {
        underWay.delete(ending);
        if (!ending.signal.aborted) spare.push(ending);
      }
    },
    abort(reason?: unknown): void {
      for (const ending of underWay) ending.abort(reason);
    },
  };
}
