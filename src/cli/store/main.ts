import { existsSync } from 'node:fs';
import { readFailpoint } from '../../lib/failpoints.ts';
import { run } from './run.ts';

/** For tests alone: ends the process in the middle of its work. */
const KILL_SWITCH = 'WALLETBELL_TEST_KILL_AT';

// What is stored is for this user alone.
process.umask(0o077);
if (existsSync('.env')) process.loadEnvFile('.env');
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  nowMs: Date.now,
  onFailpoint: readFailpoint(process.env[KILL_SWITCH], () => process.kill(process.pid, 'SIGKILL')),
});
