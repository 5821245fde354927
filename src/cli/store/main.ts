import { setUpProcess } from '../../lib/command-line.ts';
import { readFailpoint } from '../../lib/failpoints.ts';
import { run } from './run.ts';

setUpProcess();
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  nowMs: Date.now,
  onFailpoint: readFailpoint(),
});
