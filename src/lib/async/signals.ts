/**
 * Signals that end work under way; of work that has ended, for what comes next. In Node 20 a signal
 * made for each of many requests outlives young collections, and one for all keeps what comes after
 * each of its listeners alive: either keeps the garbage collector at work. `AbortSignal.any` would
 * leave something of each in a signal that lives long.
 */
export function createSignals() {
  const underWay = new Set<AbortController>();
  const spare: AbortController[] = [];
  return {
    /**
     * Does work with a signal of its own.
     *
     * @param work must leave nothing that listens to it, or aborts it, behind
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
