import { STEPS, STEPS_LATER } from '../../src/lib/failpoints.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { faultsIn } from '../support/crash/destination.ts';
import { crashRun } from '../support/crash/run.ts';
import { DEFAULTS } from './defaults.ts';
import { print, progress } from './figures.ts';
import { readOptions } from './usage.ts';

/**
 * Kills the real bot with SIGKILL at random moments and at each named step. Prints what was lost
 * and duplicated in channels, one of which is delayed by a minute, and at a receiver of signed
 * alerts that also fails.
 */
export async function run(args: string[]): Promise<void> {
  const { kills, 'per-step': killsPerStep, seed } = readOptions(args, DEFAULTS.crash);
  const report = await crashRun({
    kills,
    killsPerStep,
    seed,
    directory: benchFolder('crash'),
    hasLater: true,
    onKill: (done, all) => progress.count('crash', done, all, 'kills'),
    steps: [...STEPS, ...STEPS_LATER],
  });
  print(report);
  const faults = [report.channels, report.receiver].map(faultsIn);
  if (faults.some((found) => Object.keys(found).length > 0)) process.exitCode = 1;
}
