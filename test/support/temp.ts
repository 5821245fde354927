import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A folder of the test's own, gone when the test ends. Anybody may look into it, for tests that
 * change user.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for all tests of a file; `remove` is called after them. */
export function sharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'walletbell-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
