import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../lib/error.ts';
import { sqlitePath, storeKind } from './address.ts';

/** A copy holds what people have had deleted since: it is kept for so long, ms. */
export const COPY_KEPT_MS = 14 * 24 * 3_600_000;
/** Room that a copy needs, beside the store's own size: SQLite writes pages that are not full. */
const ROOM_FACTOR = 1.1;
/**
 * Fastest copy that was measured, of a file still in memory; 250 MB a second where it was not, and
 * slow disks take far longer.
 */
const MOST_BYTES_PER_SECOND = 400_000_000;

export interface KeptCopy {
  readonly path: string;
  readonly madeAtMs: number;
}

const marker = (path: string) => `${basename(path)}.before-`;

/** Path of the copy of a SQLite file that is made before a release converts it. */
export function copyPath(path: string, version: string): string {
  return join(dirname(path), marker(path) + version);
}

/** Path of such a copy while it is not complete: one name, which the next start overwrites. */
export function unfinishedCopyPath(path: string): string {
  return `${path}.before.part`;
}

/** Copies that were made before releases converted the store, the newest first. */
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
 * Deletes copies that are older than fourteen days, and those that are not the newest.
 *
 * @returns the paths of those that are gone
 */
export function deleteOldCopies(url: string, nowMs: number): readonly string[] {
  const old = keptCopies(url).filter(
    ({ madeAtMs }, index) => index > 0 || nowMs - madeAtMs > COPY_KEPT_MS,
  );
  for (const { path } of old) fs.rmSync(path, { force: true });
  return old.map(({ path }) => path);
}

/**
 * Measures the room that a copy of a SQLite file needs, and lacks, in bytes, and the least time
 * that it takes.
 */
export function copyRoom(path: string) {
  const files = [path, `${path}-wal`];
  const storeBytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  const neededBytes = Math.ceil(storeBytes * ROOM_FACTOR);
  const { bavail, bsize } = fs.statfsSync(dirname(path));
  // The rest of an attempt that was broken off is overwritten: its bytes count as free.
  const freeBytes = bavail * bsize + sizeOf(unfinishedCopyPath(path));
  return {
    neededBytes,
    lackingBytes: Math.max(0, neededBytes - freeBytes),
    // What is only in the log of writes may be newer versions of what is in the file.
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
