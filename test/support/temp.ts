import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Creates a folder that is removed when the test ends. All users may read it, for tests that switch
 * to another user.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder for all tests of a file, which must call `remove` at the end. */
export function sharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
