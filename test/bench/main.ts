import { constants } from 'node:os';
import { ensureBuilt } from '../support/built.ts';
import { DEFAULTS } from './defaults.ts';
import { progress } from './figures.ts';
import { describeOptions, isUsageError } from './usage.ts';

interface Bench {
  run(args: string[]): Promise<void>;
  /** Usage text that replaces the line below if there is more to explain. */
  readonly USAGE?: string;
}

/** The benches of `npm run bench -- NAME [options]`; each prints JSON lines. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  charts: () => import('./charts.ts'),
  cluster: () => import('./cluster/cluster.ts'),
  cost: () => import('./cluster/cost.ts'),
  crash: () => import('./crash.ts'),
  fairness: () => import('./fairness.ts'),
  'fan-in': () => import('./fan-in.ts'),
  'fan-out': () => import('./fan-out.ts'),
  freshness: () => import('./freshness.ts'),
  heights: () => import('./page/heights.ts'),
  'keep-release': () => import('./keep-release.ts'),
  kept: () => import('./kept.ts'),
  memory: () => import('./memory.ts'),
  panel: () => import('./page/panel.ts'),
  pictures: () => import('./page/pictures.ts'),
  pipeline: () => import('./pipeline.ts'),
  polls: () => import('./polls.ts'),
  questions: () => import('./questions.ts'),
  record: () => import('./record.ts'),
  refusals: () => import('./refusals.ts'),
  room: () => import('./room.ts'),
  schedule: () => import('./schedule.ts'),
  soak: () => import('./soak.ts'),
  start: () => import('./start.ts'),
  takeover: () => import('./cluster/takeover.ts'),
  tools: () => import('./tools.ts'),
  update: () => import('./update.ts'),
  venue: () => import('./venue.ts'),
};
/** A bench that shows its own progress. */
const SHOWS_ITSELF = 'crash';
const USAGE_EXIT_CODE = 64;
const TICK_MS = 1_000;

/** Returns the default options of a bench. */
function defaultsOf(bench: string) {
  const all: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> =
    DEFAULTS;
  return Object.hasOwn(all, bench) ? all[bench] : undefined;
}

/** Shows the elapsed time of a bench on a terminal, unless the bench shows its own progress. */
function showTime(bench: string): NodeJS.Timeout | undefined {
  if (bench === SHOWS_ITSELF) return undefined;
  const beganMs = performance.now();
  return setInterval(() => {
    progress.count(bench, (performance.now() - beganMs) / 1_000, null, 'seconds');
  }, TICK_MS).unref();
}

// Exits normally, so that exit handlers run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

const [name = '', ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h') {
  const lines = Object.keys(BENCHES).map((each) =>
    `  ${each} ${describeOptions(defaultsOf(each))}`.trimEnd(),
  );
  const head = 'Use: npm run bench -- NAME [options]\nIn brackets: where an option is left out.';
  process.stdout.write(`${head}\n${lines.join('\n')}\n`);
  process.exit(0);
}
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load === undefined) {
  process.stderr.write(
    `There is no bench "${name}". Accepted: ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exit(USAGE_EXIT_CODE);
}
const bench = await load();
const usage = [
  bench.USAGE ?? `npm run bench -- ${name}`,
  `  defaults: ${describeOptions(defaultsOf(name))}`,
].join('\n');
if (args.includes('--help')) process.stdout.write(`${usage}\n`);
else {
  try {
    await ensureBuilt();
    const ticking = showTime(name);
    await bench.run(args).finally(() => clearInterval(ticking));
    progress.clear();
  } catch (error) {
    progress.clear();
    if (isUsageError(error)) {
      process.stderr.write(`${error.message}\n${usage}\n`);
      process.exitCode = USAGE_EXIT_CODE;
    } else {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
      process.exitCode = 1;
    }
  }
}
