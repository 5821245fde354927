import { printEnd, setUpProcess } from '../../lib/command-line.ts';
import { readFailpoint } from '../../lib/failpoints.ts';
import { createProgress } from '../../lib/progress.ts';
import { run } from './run.ts';

setUpProcess();
const progress = createProgress(process.stderr);
const tool = {
  environment: process.env,
  progress,
  warn(text: string) {
    progress.clear();
    process.stderr.write(`${text}\n`);
  },
  nowMs: Date.now,
  onFailpoint: readFailpoint(),
};
const end = await run(process.argv.slice(2), tool);
progress.clear();
process.exitCode = printEnd(end);
