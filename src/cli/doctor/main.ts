import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { printEnd, readWords, setUpProcess } from '../../lib/command-line.ts';
import { createProgress } from '../../lib/progress.ts';
import { runDoctor } from './run.ts';

const USAGE = `Use: npm run doctor
Looks at everything that the bot needs, by the same variables or .env, and changes nothing. \
Exit code 0 if it would work.`;

const read = readWords(process.argv.slice(2), USAGE);
if ('exitCode' in read) {
  process.exitCode = printEnd(read);
} else {
  // SQLite may have to create its additional files for a store that is not open.
  setUpProcess();
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  const progress = createProgress(process.stderr);
  const print = (line: string) => {
    progress.clear();
    process.stdout.write(`${line}\n`);
  };
  const names = Object.keys(file);
  process.exitCode = await runDoctor(process.env, print, names, process.versions.node, progress);
}
