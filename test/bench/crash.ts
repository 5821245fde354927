import { parseArgs } from 'node:util';
import { programFile } from '../../src/build/state.js';
import { benchFolder } from '../support/bench-folder.ts';
import { crashRun } from '../support/crash-run.ts';

/**
 * `npm run bench -- crash [--kills 300] [--per-step 10] [--seed 1]`: kills the real bot with SIGKILL at random instants
 * and at each named step, and prints what was lost and what was doubled.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '300' },
      'per-step': { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
    },
  });
  const directory = benchFolder('crash');
  const report = await crashRun({
    main: programFile('main'),
    kills: Number(values.kills),
    killsPerStep: Number(values['per-step']),
    seed: Number(values.seed),
    directory,
    onProgress: (kills) => kills % 20 === 0 && process.stderr.write(`${kills} kills\n`),
  });
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (report.lost > 0 || report.duplicated > 0) process.exitCode = 1;
}
