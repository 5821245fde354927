import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { benchFolder } from '../support/bench-folder.ts';
import { runSoak } from '../support/soak/run.ts';

/**
 * `npm run bench -- soak [--days 56] [--seed 1]`: the bot's real parts live through weeks of simulated days, with watches
 * and channels that come and go, outages, refusals, bursts and clocks that are set. Prints how the process stands each
 * day, and a verdict: memory and store bounded, no handle leaked, nothing lost, nothing doubled.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { days: { type: 'string', default: '56' }, seed: { type: 'string', default: '1' } },
  });
  const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  const directory = benchFolder('soak');
  const startMs = performance.now();
  const verdict = await runSoak({ days: Number(values.days), seed: Number(values.seed), directory, onDay: print });
  print({
    verdict: verdict.faults.length === 0 ? 'sound' : 'unsound',
    ...verdict,
    seconds: Math.round((performance.now() - startMs) / 1000),
  });
  if (verdict.faults.length > 0) process.exitCode = 1;
}
