/** What has changed is written some time later, one thing after the other, and again where that has failed. */
export function createLateWrites<Key>({
  everyMs,
  atOnce = Number.POSITIVE_INFINITY,
  write,
  onFailure,
}: {
  readonly everyMs: number;
  /** So many are written at once at the most; others wait for the next time. */
  readonly atOnce?: number;
  readonly write: (key: Key) => Promise<void>;
  /** Called once a time. @param keys what could not be written */
  readonly onFailure: (error: unknown, keys: readonly Key[]) => void;
}) {
  const unwritten = new Set<Key>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeSome = async (limit: number) => {
    const failed: Key[] = [];
    let failure: unknown;
    for (const key of [...unwritten].slice(0, limit)) {
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
  const flush = (limit: number) => {
    writing = writing.then(() => writeSome(limit));
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
      timer = setInterval(() => void flush(atOnce), everyMs).unref();
    },
    /** Writes what is left. */
    stop(): Promise<void> {
      clearInterval(timer);
      return flush(Number.POSITIVE_INFINITY);
    },
  };
}
