import { existsSync } from 'node:fs';
import { DEFAULT_STORE_URL, EXIT_CONFIG } from '../app/config.ts';
import { EXIT_USAGE, printEnd, readWords } from '../lib/command-line.ts';
import { sqlitePath, storeFault, storeKind } from '../store/address.ts';
import { backUpSqlite } from '../store/backup.ts';
import { StoreError, StoreUnfit } from '../store/error.ts';
import { movedText, readMoves, unfitness } from '../store/marks.ts';
import { closing, inspectStore } from '../store/store.ts';

const USAGE = `Use: npm run backup -- FILE
Copies the SQLite store that STORE_URL names into a new file, also while the bot runs.`;

/** `npm run backup -- FILE`: copies the SQLite store while the bot runs. */
async function main(args: readonly string[]): Promise<number> {
  const read = readWords(args, USAGE, { least: 1 });
  if ('exitCode' in read) return printEnd(read);
  const [target = ''] = read.texts;
  // The copy holds what every channel watches: it is readable by its owner alone.
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const url = process.env['STORE_URL']?.trim() || DEFAULT_STORE_URL;
  const fault = storeFault(url);
  if (fault !== null) return fail(EXIT_CONFIG, `STORE_URL ${fault}`);
  if (storeKind(url) !== 'sqlite') {
    return fail(EXIT_USAGE, 'STORE_URL is no SQLite file. Use the means of the server: pg_dump, or Redis’ BGSAVE.');
  }
  try {
    if (existsSync(sqlitePath(url))) await sayWhatMoved(url);
    await backUpSqlite(sqlitePath(url), target);
  } catch (error) {
    if (error instanceof StoreError) return fail(error instanceof StoreUnfit ? EXIT_CONFIG : 1, error.message);
    throw error;
  }
  process.stdout.write(`Backed up ${sqlitePath(url)} to ${target}.\n`);
  return 0;
}

/** @throws {StoreUnfit} if nothing works on the store any more, so that its copies would grow old unnoticed */
function sayWhatMoved(url: string): Promise<void> {
  return closing(inspectStore(url), async (inspection) => {
    const fault = await unfitness(inspection, sqlitePath(url), { ids: [], count: 1 });
    if (fault !== null) throw new StoreUnfit(`${fault} Nothing has been backed up.`);
    for (const move of await readMoves(inspection)) process.stderr.write(`${movedText(sqlitePath(url), move)}\n`);
  });
}

function fail(exitCode: number, text: string): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}

process.exitCode = await main(process.argv.slice(2));
