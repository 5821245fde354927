import type { LevelWithSilent, Logger } from 'pino';
import { readCommandLine, USAGE } from './cli.ts';
import { importFile } from './import.ts';
import { DEMO_KEY, readKeysFile, type VenueKey } from './keys.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { createLog } from './log.ts';
import { createSimulator, type Simulator } from './simulator/simulator.ts';
import { startVenue } from './venue.ts';

/** Exit codes from sysexits.h. */
const EXIT = { usage: 64, data: 65, unavailable: 69, ioError: 74, config: 78 };

/** Most bad lines of a file that are reported one by one; the others are only counted. */
const REPORTED_BAD_LINES = 20;
const BACKFILL_HOURS = 2;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

type Options = ReturnType<typeof readCommandLine>;

/** Ends the program with a message for the operator. */
class Stop extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, cause: unknown) {
    super(messageOf(cause), { cause });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  const options = await orStop(EXIT.usage, () => readCommandLine(process.argv.slice(2)));
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const log = await orStop(EXIT.config, () =>
    createLog(readLogLevel(process.env['LOG_LEVEL'] ?? 'info')),
  );
  const { keys: keysFile } = options;
  const keys =
    keysFile === undefined ? [DEMO_KEY] : await orStop(EXIT.config, () => readKeysFile(keysFile));
  const ledger = await orStop(EXIT.ioError, () => openLedger({ path: options.db }));
  try {
    await load(ledger, options, log);
    const simulator = options.simulate ? await prepareSimulator(ledger, log) : undefined;
    await serve(ledger, options, log, keys, simulator);
  } finally {
    await ledger.close();
  }
}

async function load(ledger: Ledger, { imports, simulate }: Options, log: Logger): Promise<void> {
  for (const file of imports) {
    const startMs = performance.now();
    let badLines = 0;
    const report = await orStop(EXIT.ioError, () =>
      importFile(ledger, file, ({ line, reason }) => {
        badLines += 1;
        if (badLines <= REPORTED_BAD_LINES) {
          log.warn({ event: 'import.badLine', file, line, reason });
        }
      }),
    );
    if (report.bad > REPORTED_BAD_LINES) {
      log.warn({ event: 'import.moreBadLines', file, count: report.bad - REPORTED_BAD_LINES });
    }
    log.info({
      event: 'import.done',
      file,
      ...report,
      durationMs: Math.round(performance.now() - startMs),
    });
  }
  const { activity, transfers } = await ledger.counts();
  if (imports.length > 0 && activity + transfers === 0 && !simulate) {
    throw new Stop(
      EXIT.data,
      'Nothing to serve: no line could be loaded, and the ledger is empty.',
    );
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
  for (const trader of simulator.traders) log.info({ event: 'simulator.trader', ...trader });
  log.info({ event: 'simulator.ready', seed, records });
  return simulator;
}

async function serve(
  ledger: Ledger,
  { host, port, keys: keysFile }: Options,
  log: Logger,
  keys: readonly VenueKey[],
  simulator: Simulator | undefined,
): Promise<void> {
  const venue = await orStop(EXIT.unavailable, () => startVenue({ ledger, keys, host, port, log }));
  const stopped = new Promise<string>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  if (keysFile !== undefined) {
    process.on('SIGHUP', async () => {
      try {
        const replaced = await readKeysFile(keysFile);
        venue.setKeys(replaced);
        log[replaced.length === 0 ? 'warn' : 'info']({
          event: 'keys.read',
          count: replaced.length,
        });
      } catch (error) {
        log.error({
          event: 'keys.unreadable',
          reason: messageOf(error),
          kept: 'the keys from before',
        });
      }
    });
  } else if (host !== 'localhost' && host !== '::1' && !host.startsWith('127.')) {
    log.warn({
      event: 'keys.demo',
      reason: `Anybody who reaches ${host} may use the key "demo". Name a --keys file.`,
    });
  }
  if (keys.length === 0) {
    log.warn({
      event: 'keys.none',
      reason: 'The --keys file has no entry: every request is refused (401).',
    });
  }
  const counts = await ledger.counts();
  log.info({ event: 'venue.listening', url: venue.url, keys: keys.length, ...counts });
  process.stdout.write(`${JSON.stringify({ listening: venue.url })}\n`);
  simulator?.start();

  const signal = await stopped;
  log.info({ event: 'venue.stopping', signal });
  await simulator?.stop();
  await venue.close();
}

function readLogLevel(text: string): LevelWithSilent {
  const level = LOG_LEVELS.find((name) => name === text);
  if (level === undefined) {
    throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, got "${text}".`);
  }
  return level;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
