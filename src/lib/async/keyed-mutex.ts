/**
 * Runs the work for one key strictly one after the other; different keys do not wait for each
 * other.
 */
export function createKeyedMutex() {
  const tails = new Map<string, Promise<unknown>>();
  const run = <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    const tail = result
      .catch(() => {})
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return result;
  };
  return {
    run,
    /**
     * Runs the work while nothing else runs for any of the keys. Locks are taken in sorted order,
     * so that no deadlock is possible.
     */
    runAll: <Result>(keys: Iterable<string>, work: () => Promise<Result>): Promise<Result> =>
      [...new Set(keys)].sort().reduceRight((next, key) => () => run(key, next), work)(),
    /** Resolves when nothing runs or waits. */
    async idle(): Promise<void> {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
