import { existsSync } from 'node:fs';
import { readFailpoint } from '../../lib/failpoints.ts';
import { run } from './run.ts';

// What is stored is for this user alone.
process.umask(0o077);
if (existsSync('.env')) process.loadEnvFile('.env');
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  nowMs: Date.now,
  onFailpoint: readFailpoint(),
});
