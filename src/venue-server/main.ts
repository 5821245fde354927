import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { type CliOptions, readCommandLine, USAGE } from './cli.ts';
import { importFile } from './import.ts';
import { DEMO_KEY, readKeysFile, type VenueKey } from './keys.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { createSimulator, type Simulator } from './simulator/simulator.ts';
import { startVenue } from './venue.ts';

/** Exit codes of sysexits.h. */
const EXIT = { usage: 64, data: 65, unavailable: 69, ioError: 74, config: 78 };

/** Bad lines of a file that are reported one by one; the others are counted. */
const REPORTED_BAD_LINES = 20;
const BACKFILL_HOURS = 2;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Ends the program with a message for the operator. */
class Stop extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}

async function orStop<T>(exitCode: number, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Stop(exitCode, cause);
  }
}

async function main(): Promise<void> {
  const options = await orStop(EXIT.usage, () => readCommandLine(process.argv.slice(2)));
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const log = await orStop(EXIT.config, () => createLog(process.env['LOG_LEVEL'] ?? 'info'));
  const readKeys = async (): Promise<readonly VenueKey[]> =>
    options.keys === undefined ? [DEMO_KEY] : readKeysFile(options.keys);
  const keys = await orStop(EXIT.config, readKeys);
  const ledger = await orStop(EXIT.ioError, () => openLedger({ path: options.db }));
  try {
    await load(ledger, options, log);
    const simulator = options.simulate ? await prepareSimulator(ledger, log) : undefined;
    await serve({ options, log, keys, readKeys, ledger, simulator });
  } finally {
    await ledger.close();
  }
}

async function load(ledger: Ledger, options: CliOptions, log: Logger): Promise<void> {
  for (const file of options.imports) {
    const startMs = performance.now();
    let badLines = 0;
    const report = await orStop(EXIT.ioError, () =>
      importFile(ledger, file, ({ line, reason }) => {
        badLines += 1;
        if (badLines <= REPORTED_BAD_LINES) log.warn({ event: 'import.badLine', file, line, reason });
      }),
    );
    if (report.bad > REPORTED_BAD_LINES)
      log.warn({ event: 'import.moreBadLines', file, count: report.bad - REPORTED_BAD_LINES });
    log.info({ event: 'import.done', file, ...report, durationMs: Math.round(performance.now() - startMs) });
  }
  const { activity, transfers } = await ledger.counts();
  if (options.imports.length > 0 && activity + transfers === 0 && !options.simulate) {
    throw new Stop(EXIT.data, 'Nothing to serve: no line could be loaded, and the ledger is empty.');
  }
}

async function prepareSimulator(ledger: Ledger, log: Logger): Promise<Simulator> {
  const seed = Date.now();
  const simulator = createSimulator({
    ledger,
    seed,
    nowSeconds: () => Date.now() / 1000,
    onError: (error) => log.error({ event: 'simulator.stopped', err: error }),
  });
  const { activity, transfers } = await ledger.counts();
  const records = activity + transfers === 0 ? await simulator.backfill(BACKFILL_HOURS) : 0;
  log.info({ event: 'simulator.ready', seed, records, traders: simulator.traders });
  return simulator;
}

async function serve(deps: {
  readonly options: CliOptions;
  readonly log: Logger;
  readonly keys: readonly VenueKey[];
  readonly readKeys: () => Promise<readonly VenueKey[]>;
  readonly ledger: Ledger;
  readonly simulator: Simulator | undefined;
}): Promise<void> {
  const { options, log, ledger, simulator } = deps;
  const { host, port } = options;
  const venue = await orStop(EXIT.unavailable, () => startVenue({ ledger, keys: deps.keys, host, port, log }));
  const stopped = new Promise<string>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  if (options.keys !== undefined) {
    process.on('SIGHUP', () => {
      deps.readKeys().then(
        (keys) => {
          venue.setKeys(keys);
          log[keys.length === 0 ? 'warn' : 'info']({ event: 'keys.read', count: keys.length });
        },
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          log.error({ event: 'keys.unreadable', reason, kept: 'the keys from before' });
        },
      );
    });
  } else if (!isLoopback(host)) {
    log.warn({ event: 'keys.demo', reason: `Anybody who reaches ${host} may use the key "demo". Name a --keys file.` });
  }
  if (deps.keys.length === 0) {
    log.warn({ event: 'keys.none', reason: 'The --keys file has no entry: every request is refused (401).' });
  }
  const counts = await ledger.counts();
  log.info({ event: 'venue.listening', url: venue.url, keys: deps.keys.length, ...counts });
  process.stdout.write(`${JSON.stringify({ listening: venue.url })}\n`);
  simulator?.start();

  const signal = await stopped;
  log.info({ event: 'venue.stopping', signal });
  await simulator?.stop();
  await venue.close();
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

function createLog(level: string): Logger {
  if (!LOG_LEVELS.includes(level)) {
    throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, got "${level}".`);
  }
  const stderr = 2;
  return process.stderr.isTTY
    ? pino({ level }, pretty({ destination: stderr, sync: true }))
    : pino({ level }, pino.destination({ dest: stderr, sync: true }));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
