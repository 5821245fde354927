import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temp.ts';

const run = (program: string, ...args: string[]) => spawnSync(program, args);
const BYTES_PER_KIB = 1024;

/**
 * Whether this process may mount a file system, that is, whether it is the superuser and nothing
 * forbids it.
 */
export const MAY_MOUNT = process.getuid?.() === 0 && run('unshare', '-m', 'true').status === 0;

/** Mounts a disk that is removed when the test ends. Requires `MAY_MOUNT`. */
export function smallDisk(sizeKib: number) {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  const { status, stderr } = run('mount', '-t', 'tmpfs', '-o', `size=${sizeKib}k`, 'none', folder);
  if (status !== 0) throw new Error(`No disk could be mounted: ${stderr}`);
  onTestFinished(() => void run('umount', '--lazy', folder));
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Fills the disk completely. */
    fill(): void {
      const bytes = 'x'.repeat(BYTES_PER_KIB);
      try {
        for (;;) writeFileSync(filler, bytes, { flag: 'a' });
      } catch (error) {
        if (!String(error).includes('ENOSPC')) throw error;
      }
    },
    makeReadOnly: () => void run('mount', '-o', 'remount,ro', folder),
    /** Removes the file that filled it. */
    free: () => rmSync(filler),
  };
}

/** Creates a folder on a full disk, removed when the test ends. Requires `MAY_MOUNT`. */
export function fullDisk(): string {
  const disk = smallDisk(64);
  disk.fill();
  return disk.folder;
}
