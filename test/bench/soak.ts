import { benchFolder } from '../support/bench-folder.ts';
import { runSoak } from '../support/soak/run.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

/**
 * Runs the bot's real parts through weeks of simulated days, with watches and channels added and
 * removed, outages, rejections, bursts and clock changes. Prints the state of the process each day,
 * and finally a verdict: memory and store bounded, no handle leaked, nothing lost, nothing
 * duplicated.
 */
export async function run(args: string[]): Promise<void> {
  const verdict = await runSoak({
    ...readOptions(args, DEFAULTS.soak),
    directory: benchFolder('soak'),
    onDay: print,
  });
  print({ verdict: verdict.faults.length === 0 ? 'sound' : 'unsound', ...verdict });
  if (verdict.faults.length > 0) process.exitCode = 1;
}
