import { constants } from 'node:os';
import { ensureBuilt } from '../support/built.ts';
import { DEFAULTS } from './defaults.ts';
import { progress } from './figures.ts';
import { checkNumbers, isUsageError, readOptions, withDefaults } from './usage.ts';

interface Bench {
  run(args: string[]): Promise<void>;
  /** Usage text that replaces the line below if there is more to explain. */
  readonly USAGE?: string;
}

interface Entry {
  readonly options: string;
  /**
   * Kind of progress shown. By default it is the elapsed time; with `minutes` also the total, for a
   * bench whose minutes are real time; with `itself` the bench shows its own.
   */
  readonly shows?: 'minutes' | 'itself';
  load(): Promise<Bench>;
}

/** The benches of `npm run bench -- NAME [options]`; each prints JSON lines. */
const BENCHES: Readonly<Record<string, Entry>> = {
  charts: { options: '[--pictures DIRECTORY]', load: () => import('./charts.ts') },
  cluster: {
    options: '[--minutes MINUTES] [--servers N] [--wallets N] [--limit N] [--kinds LIST]',
    load: () => import('./cluster/cluster.ts'),
  },
  cost: { options: '[--seconds SECONDS]', load: () => import('./cluster/cost.ts') },
  crash: {
    options: '[--kills COUNT] [--per-step COUNT] [--seed SEED]',
    shows: 'itself',
    load: () => import('./crash.ts'),
  },
  fairness: {
    options: '[--only KIND] [--hours HOURS] [--seed SEED] [--seconds SECONDS]',
    load: () => import('./fairness.ts'),
  },
  'fan-in': {
    options: '[--minutes MINUTES] [--wallets N] [--limit N]',
    shows: 'minutes',
    load: () => import('./fan-in.ts'),
  },
  'fan-out': {
    options: '[--channels LIST] [--markets N] [--bare]',
    load: () => import('./fan-out.ts'),
  },
  freshness: {
    options: '[--minutes MINUTES] [--wallets N] [--limit N] [--purchases SHARE]',
    shows: 'minutes',
    load: () => import('./freshness.ts'),
  },
  heights: { options: '[--titles N]', load: () => import('./page/heights.ts') },
  'keep-release': { options: '', load: () => import('./keep-release.ts') },
  kept: { options: '[--wallets N] [--markets N] [--start N]', load: () => import('./kept.ts') },
  memory: {
    options: '[--wallets N] [--seconds SECONDS] [--limit N] [--flags FLAGS]',
    load: () => import('./memory.ts'),
  },
  panel: { options: '[--to DIRECTORY]', load: () => import('./page/panel.ts') },
  pictures: { options: '[--to DIRECTORY]', load: () => import('./page/pictures.ts') },
  pipeline: { options: '[--watches N]', load: () => import('./pipeline.ts') },
  polls: {
    options: '[--runs N] [--seconds SECONDS] [--changed SHARE] [--new SHARE]',
    load: () => import('./polls.ts'),
  },
  questions: {
    options: '[--days N] [--past N] [--seconds N] [--seed SEED]',
    load: () => import('./questions.ts'),
  },
  record: {
    options: '[--runs N] [--seed SEED] [--came-back] [--as RULE] [--records FILE] [--best-of N]',
    load: () => import('./record.ts'),
  },
  refusals: {
    options: '[--only KIND] [--channels N] [--minutes MINUTES] [--of N] [--outage MINUTES]',
    load: () => import('./refusals.ts'),
  },
  room: {
    options: '[--minutes MINUTES]',
    shows: 'minutes',
    load: () => import('./room.ts'),
  },
  schedule: {
    options: '[--scenario NAME] [--seed SEED] [--budget RATE] [--trace FILE] [--size]',
    load: () => import('./schedule.ts'),
  },
  soak: { options: '[--days N] [--seed SEED]', load: () => import('./soak.ts') },
  start: {
    options: '[--wallets N] [--markets N] [--waiting N] [--stores LIST]',
    load: () => import('./start.ts'),
  },
  takeover: { options: '[--runs N] [--stores LIST]', load: () => import('./cluster/takeover.ts') },
  tools: { options: '[--wallets N] [--markets N]', load: () => import('./tools.ts') },
  update: { options: '[--wallets N] [--markets N]', load: () => import('./update.ts') },
  venue: {
    options: '[--records N] [--small N] [--seconds SECONDS] [--rounds N]',
    load: () => import('./venue.ts'),
  },
};
const USAGE_EXIT_CODE = 64;
const TICK_MS = 1_000;

/** Returns the default options of a bench. */
function defaultsOf(bench: string) {
  const all: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> =
    DEFAULTS;
  return Object.hasOwn(all, bench) ? all[bench] : undefined;
}

/** Shows the elapsed time of a bench on a terminal, unless the bench shows its own progress. */
function showTime(bench: string, { shows }: Entry, options: string[]): NodeJS.Timeout | undefined {
  if (shows === 'itself') return undefined;
  const { minutes } = readOptions(options, { minutes: 0, ...defaultsOf(bench) });
  const totalSeconds = shows === 'minutes' ? 60 * Number(minutes) : null;
  const beganMs = performance.now();
  return setInterval(() => {
    progress.count(bench, (performance.now() - beganMs) / 1_000, totalSeconds, 'seconds');
  }, TICK_MS).unref();
}

// Exits normally, so that exit handlers run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

const [name = '', ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h') {
  const lines = Object.entries(BENCHES).map(([each, { options }]) =>
    `  ${each} ${withDefaults(options, defaultsOf(each))}`.trimEnd(),
  );
  const head = 'Use: npm run bench -- NAME [options]\nIn brackets: where an option is left out.';
  process.stdout.write(`${head}\n${lines.join('\n')}\n`);
  process.exit(0);
}
const entry = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (entry === undefined) {
  process.stderr.write(
    `There is no bench "${name}". Accepted: ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exit(USAGE_EXIT_CODE);
}
const bench = await entry.load();
const usage = withDefaults(
  bench.USAGE ?? `npm run bench -- ${name} ${entry.options}`,
  defaultsOf(name),
);
if (args.includes('--help')) process.stdout.write(`${usage}\n`);
else {
  try {
    checkNumbers(args, entry.options);
    await ensureBuilt();
    const ticking = showTime(name, entry, args);
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
