import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder of a bench's own, gone when the process ends, also at a signal (`test/bench/main.ts`).
 * Bots that still write there end by themselves when their parent does.
 */
export function benchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `walletbell-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
