/** Interval of writes, in ms: the most that a crash loses. */
const WRITE_EVERY_MS = 60_000;

/** Writes changed keys once a minute, one after the other, and retries failed writes. */
export function createLateWrites<Key>({
  write,
  onFailure,
}: {
  readonly write: (key: Key) => Promise<void>;
  /**
   * Called once per round with failures.
   *
   * @param keys keys that could not be written
   */
  readonly onFailure: (error: unknown, keys: readonly Key[]) => void;
}) {
  const unwritten = new Set<Key>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeAll = async () => {
    const failed: Key[] = [];
    let failure: unknown;
    for (const key of [...unwritten]) {
      // Before the write, because the key may change while it is being written.
      if (!unwritten.delete(key)) continue;
      await write(key).catch((error: unknown) => {
        unwritten.add(key);
        failed.push(key);
        failure ??= error;
      });
    }
    if (failed.length > 0) onFailure(failure, failed);
  };
  const flush = () => {
    writing = writing.then(writeAll);
    return writing;
  };

  return {
    changed: (key: Key) => void unwritten.add(key),
    /** Cancels the write of a key. Resolves when no write is in progress. */
    forget(key: Key): Promise<void> {
      unwritten.delete(key);
      return writing;
    },
    start(): void {
      timer = setInterval(() => void flush(), WRITE_EVERY_MS).unref();
    },
    /** Writes everything that is left. */
    stop(): Promise<void> {
      clearInterval(timer);
      return flush();
    },
  };
}
