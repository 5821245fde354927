import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotProcess } from '../../src/demo/bot-process.ts';

/**
 * A folder of a bench's own, gone when the process ends, also at a signal (`test/bench/main.ts`).
 * A program that writes there is started with `endsWithUs`: one that has just begun would make the
 * folder again.
 */
export function benchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `walletbell-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Has a process killed when this one ends, before its folder is removed. */
export function endsWithUs(bot: BotProcess): BotProcess {
  const kill = () => void bot.process.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  bot.process.once('exit', () => process.off('exit', kill));
  return bot;
}
