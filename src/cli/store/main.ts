import { printEnd, setUpProcess } from '../../lib/command-line.ts';
import { readFailpoint } from '../../lib/failpoints.ts';
import { run } from './run.ts';

setUpProcess();
const tool = {
  environment: process.env,
  warn: (text: string) => process.stderr.write(`${text}\n`),
  nowMs: Date.now,
  onFailpoint: readFailpoint(),
};
process.exitCode = printEnd(await run(process.argv.slice(2), tool));
