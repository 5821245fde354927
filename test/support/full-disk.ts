import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temp.ts';

const run = (program: string, ...args: string[]) => spawnSync(program, args);

/** Whether this process may mount a file system: the superuser, where nothing forbids it. */
export const MAY_MOUNT = process.getuid?.() === 0 && run('unshare', '-m', 'true').status === 0;

/** A folder on a disk of its own without a free byte, gone when the test ends. Only where `MAY_MOUNT`. */
export function fullDisk(): string {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  const { status, stderr } = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', folder);
  if (status !== 0) throw new Error(`No disk could be mounted: ${stderr}`);
  onTestFinished(() => void run('umount', folder));
  writeFileSync(join(folder, 'filler'), 'x'.repeat(64 * 1024));
  return folder;
}
