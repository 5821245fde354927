/**
 * Writes what has changed every `everyMs`, one thing after the other, and again where that has
 * failed.
 */
export function createLateWrites<Key>(options: {
  readonly everyMs: number;
  readonly write: (key: Key) => Promise<void>;
  /**
   * Called once a time.
   *
   * @param keys what could not be written
   */
  readonly onFailure: (error: unknown, keys: readonly Key[]) => void;
}) {
  const { everyMs, write, onFailure } = options;
  const unwritten = new Set<Key>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeAll = async () => {
    const failed: Key[] = [];
    let failure: unknown;
    for (const key of [...unwritten]) {
      // Before the write: it may change while that is under way.
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
    /** Writes it no more. Resolves when no write of it is under way. */
    forget(key: Key): Promise<void> {
      unwritten.delete(key);
      return writing;
    },
    start(): void {
      timer = setInterval(() => void flush(), everyMs).unref();
    },
    /** Writes what is left. */
    stop(): Promise<void> {
      clearInterval(timer);
      return flush();
    },
  };
}
