/** `npm run bench -- NAME [options]`: each bench prints JSON lines. */
const BENCHES: Readonly<Record<string, () => Promise<{ run(args: string[]): Promise<void> }>>> = {
  charts: () => import('./charts.ts'),
  crash: () => import('./crash.ts'),
  freshness: () => import('./freshness.ts'),
  pipeline: () => import('./pipeline.ts'),
  schedule: () => import('./schedule.ts'),
  soak: () => import('./soak.ts'),
  venue: () => import('./venue.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load === undefined) {
  process.stderr.write(`There is no bench "${name}". Accepted: ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exit(64);
}
load()
  .then(({ run }) => run(args))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    process.exitCode = 1;
  });
