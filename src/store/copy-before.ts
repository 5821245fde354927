import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../lib/error.ts';
import { sqlitePath, storeKind } from './address.ts';

/**
 * Time that a copy from before an update is kept, in ms. Short, because it still holds data that
 * people have deleted since.
 */
export const COPY_KEPT_MS = 14 * 24 * 3_600_000;
/** Space for a copy relative to the store's size; SQLite writes pages that are not full. */
const SPACE_FACTOR = 1.1;
/**
 * Fastest measured copy, of a file still in memory. It was 250 MB a second for a file that was not,
 * and slow disks take far longer.
 */
const MOST_BYTES_PER_SECOND = 400_000_000;

interface KeptCopy {
  readonly path: string;
  readonly madeAtMs: number;
}

const marker = (path: string) => `${basename(path)}.before-`;

/** Returns the path of the copy of a SQLite file that is made before a release converts it. */
export function copyPath(path: string, version: string): string {
  return join(dirname(path), marker(path) + version);
}

/** Returns the path of an incomplete copy. The name is fixed, so the next start overwrites it. */
export function unfinishedCopyPath(path: string): string {
  return `${path}.before.part`;
}

/** Returns the copies that were made before conversions of the store, the newest first. */
export function keptCopies(url: string): readonly KeptCopy[] {
  if (storeKind(url) !== 'sqlite') return [];
  const path = sqlitePath(url);
  const copies: KeptCopy[] = [];
  for (const name of namesIn(dirname(path))) {
    if (!name.startsWith(marker(path))) continue;
    const copy = join(dirname(path), name);
    const found = fs.statSync(copy, { throwIfNoEntry: false });
    if (found?.isFile() === true) copies.push({ path: copy, madeAtMs: found.mtimeMs });
  }
  return copies.toSorted((one, other) => other.madeAtMs - one.madeAtMs);
}

/**
 * Deletes copies older than fourteen days, and all except the newest.
 *
 * @returns the paths of the deleted copies
 */
export function deleteOldCopies(url: string, nowMs: number): readonly string[] {
  const old = keptCopies(url).filter(
    ({ madeAtMs }, index) => index > 0 || nowMs - madeAtMs > COPY_KEPT_MS,
  );
  for (const { path } of old) fs.rmSync(path, { force: true });
  return old.map(({ path }) => path);
}

/**
 * Measures the space that a copy of a SQLite file needs and lacks, in bytes, and its minimum
 * duration.
 */
export function copySpace(path: string) {
  const files = [path, `${path}-wal`];
  const storeBytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  const neededBytes = Math.ceil(storeBytes * SPACE_FACTOR);
  const { bavail, bsize } = fs.statfsSync(dirname(path));
  // The remains of an interrupted attempt are overwritten, so their bytes count as free.
  const freeBytes = bavail * bsize + sizeOf(unfinishedCopyPath(path));
  return {
    neededBytes,
    lackingBytes: Math.max(0, neededBytes - freeBytes),
    // Data that is only in the write-ahead log may be newer versions of data in the file.
    leastSeconds: Math.ceil(sizeOf(path) / MOST_BYTES_PER_SECOND),
  };
}

function sizeOf(path: string): number {
  return fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
