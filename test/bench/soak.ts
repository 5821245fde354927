import { benchFolder } from '../support/bench-folder.ts';
import { runSoak } from '../support/soak/run.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

/**
 * The bot's real parts live through weeks of simulated days, with watches and channels that come
 * and go, outages, refusals, bursts and clocks that are set. Prints how the process stands each
 * day, and a verdict: memory and store bounded, no handle leaked, nothing lost, nothing doubled.
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
