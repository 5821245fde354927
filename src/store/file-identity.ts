import { statSync } from 'node:fs';

/**
 * Remembers which files some paths lead to at this moment; where there is none, none is expected later.
 *
 * @returns whether each path still leads to the same file, by device and inode, as SQLite itself compares them
 *   (SQLITE_READONLY_DBMOVED); what cannot be asked counts as unchanged
 */
export function rememberFiles(paths: readonly string[]): () => boolean {
  const remembered = paths
    .map((path) => ({ path, before: identityOf(path) }))
    .filter(({ before }) => before !== 'missing' && before !== 'unknown');
  return () => remembered.every(({ path, before }) => [before, 'unknown'].includes(identityOf(path)));
}

/** Takes some microseconds. */
function identityOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'missing' : `${found.dev}:${found.ino}`;
  } catch {
    // No right to look, or a disk that fails: that says nothing of the file, and writing to it will fail by itself.
    return 'unknown';
  }
}
