import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotProcess } from '../../src/demo/bot-process.ts';

/**
 * Creates a folder for a bench that is removed when the process ends, even by a signal
 * (`test/bench/main.ts`). A program that writes to it must be started with `endsWithUs`, because a
 * program that has just started would create the folder again.
 */
export function benchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `walletbell-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Kills the bot's process when this process ends, before its folder is removed. */
export function endsWithUs(bot: BotProcess): BotProcess {
  const kill = () => void bot.process.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  bot.process.once('exit', () => process.off('exit', kill));
  return bot;
}
