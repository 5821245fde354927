import { existsSync } from 'node:fs';
import { readStoreUrl } from '../app/config.ts';
import {
  type CommandLineEnd,
  EXIT_USAGE,
  failed,
  printEnd,
  readWords,
  setUpProcess,
} from '../lib/command-line.ts';
import { sqlitePath, storeKind } from '../store/address.ts';
import { StoreUnfit } from '../store/error.ts';
import { movedText, readMoves, unfitness } from '../store/marks.ts';
import { backUpSqlite } from '../store/sqlite.ts';
import { closing, type Inspection, inspectStore } from '../store/store.ts';

const USAGE = `Use: npm run backup -- FILE
Copies the SQLite store that STORE_URL names into a new file, also while the bot runs.`;

/** Runs `npm run backup -- FILE`: copies the SQLite store while the bot runs. */
async function backUp(args: readonly string[]): Promise<CommandLineEnd> {
  const read = readWords(args, USAGE, { least: 1 });
  if ('exitCode' in read) return read;
  const [target = ''] = read.texts;
  // The copy contains the watches of every channel.
  setUpProcess();
  const url = readStoreUrl(process.env);
  if (storeKind(url) !== 'sqlite') {
    const text =
      'STORE_URL is no SQLite file. Use the means of the server: pg_dump, or Redis’ BGSAVE.';
    return { exitCode: EXIT_USAGE, text };
  }
  const path = sqlitePath(url);
  const sayWhatMoved = async (inspection: Inspection) => {
    const fault = await unfitness(inspection, path, { ids: [], count: 1 });
    // Nothing uses this store any more, so its backups would grow old unnoticed.
    if (fault !== null) throw new StoreUnfit(`${fault} Nothing has been backed up.`);
    for (const move of await readMoves(inspection)) {
      process.stderr.write(`${movedText(path, move)}\n`);
    }
  };
  if (existsSync(path)) await closing(inspectStore(url), sayWhatMoved);
  await backUpSqlite(path, target);
  return { exitCode: 0, text: `Backed up ${path} to ${target}.` };
}

process.exitCode = printEnd(await backUp(process.argv.slice(2)).catch(failed));
