import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../../src/build/state.js';
import { openStore } from '../../src/store/store.ts';
import { openWorld } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { SERVERS, writeDatabase } from './update.ts';
import { readOptions } from './usage.ts';

const LOOK_EVERY_MS = 50;
const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });

/**
 * Measures the operator's programs with a large store, in processes as `npm run` starts them: the
 * doctor, and `store servers`, `dump` and `load`. Prints times, and the peak memory of each.
 */
export async function run(args: string[]): Promise<void> {
  const { wallets, markets } = readOptions(args, DEFAULTS.tools);
  const world = await openWorld('tools', { servers: SERVERS, wallets, limit: 6_000 });
  const { storeUrl, environment, directory } = world;
  await (await openStore(storeUrl)).close();
  await writeDatabase(storeUrl.replace('sqlite://', ''), world.watches, markets);
  const dump = join(directory, 'dump.jsonl');
  const other = `sqlite://${join(directory, 'loaded.sqlite')}`;
  await measure('doctor', [], environment);
  await measure('store', ['servers'], environment);
  await measure('store', ['dump', dump], environment);
  await measure('store', ['load', dump], { ...environment, STORE_URL: other });
  await world.close();
}

/** Runs a script of package.json with these arguments. */
async function measure(
  name: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { scripts } = packageSchema.parse(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  );
  const beganMs = performance.now();
  // The script begins with `exec`, so this process becomes the program's.
  const tool = spawn('sh', ['-c', [scripts[name], ...words].join(' ')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: 'ignore',
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    if (tool.exitCode === null) peakMb = Math.max(peakMb, usageOf(tool.pid).peakMb);
  }, LOOK_EVERY_MS);
  const [exitCode] = await once(tool, 'close');
  clearInterval(timer);
  const seconds = (performance.now() - beganMs) / 1000;
  print({ what: [name, ...words.slice(0, 1)].join(' '), seconds, peakMb, exitCode });
}
