import { existsSync } from 'node:fs';
import { DEFAULT_STORE_URL } from './config.ts';
import { sqlitePath, storeKind } from './store/address.ts';
import { backUpSqlite } from './store/backup.ts';
import { StoreError } from './store/error.ts';

/** Wrong use (EX_USAGE of sysexits.h). */
const EXIT_USAGE = 64;

/** `npm run backup -- FILE`: copies the SQLite store while the bot runs. */
async function main(words: readonly string[]): Promise<number> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const url = process.env['STORE_URL']?.trim() || DEFAULT_STORE_URL;
  const [target] = words;
  if (target === undefined || words.length > 1) return said(EXIT_USAGE, 'Use: npm run backup -- FILE');
  if (storeKind(url) !== 'sqlite') {
    return said(EXIT_USAGE, 'STORE_URL is no SQLite file. Use the means of the server: pg_dump, or Redis’ BGSAVE.');
  }
  try {
    await backUpSqlite(sqlitePath(url), target);
  } catch (error) {
    if (error instanceof StoreError) return said(1, error.message);
    throw error;
  }
  process.stdout.write(`Backed up ${sqlitePath(url)} to ${target}.\n`);
  return 0;
}

function said(exitCode: number, text: string): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}

process.exitCode = await main(process.argv.slice(2));
