import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { optionFault } from '../lib/command-line.ts';
import { OperatorError } from '../lib/error.ts';
import { createProgress } from '../lib/progress.ts';
import { DAY_SECONDS } from '../lib/time.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { openSite } from './site.ts';

const USAGE = `Usage: npm run demo -- [--headless] [--seconds N] [--port N]
  --headless   print the alerts, end after the seconds, and check them against the venue's ledger
  --seconds N  how long traders trade; 60 with --headless, until Ctrl-C without
  --hours N    how long traders have traded, and the bot has watched them, when it starts; 2400 if left out
  --port N     port of the page, or with --headless of the local Discord; a free one if left out
  --help       this text`;
const HEADLESS_SECONDS = 60;
/** Located next to this program in dist/. */
const BOT_MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const PAGE_FOLDER = fileURLToPath(new URL('page/', import.meta.url));
/** Enough for a track record of every trader, but short because a person waits for it. */
const HISTORY_HOURS = 2_400;
const MOST_HISTORY_HOURS = 10_000;
const progress = createProgress(process.stderr);

interface DemoOptions {
  readonly headless: boolean;
  /** Null: until Ctrl-C. */
  readonly seconds: number | null;
  /** Length of the history, in hours. */
  readonly hours: number;
  readonly port: number;
  readonly help: boolean;
}

async function headless(options: DemoOptions, interruption: AbortSignal): Promise<boolean> {
  const sandbox = await createSandbox({
    discordPort: options.port,
    historyHours: options.hours,
    botMain: BOT_MAIN,
    progress,
    say,
    complain,
  });
  let hasTraded = false;
  try {
    hasTraded = await trade(sandbox, interruption, async () => {
      await Promise.race([
        interruptedOrOver(options.seconds, interruption),
        sandbox.bot.unexpectedEnd(),
      ]);
    });
    if (hasTraded) await sandbox.drained();
  } finally {
    await sandbox.close();
  }
  return hasTraded && summary(sandbox);
}

async function withPage(options: DemoOptions, interruption: AbortSignal): Promise<boolean> {
  const site = await openSite({
    port: options.port,
    historyHours: options.hours,
    botMain: BOT_MAIN,
    pageFolder: PAGE_FOLDER,
    progress,
    say,
    complain,
  });
  const { sandbox } = site;
  let hasTraded = false;
  try {
    hasTraded = await trade(sandbox, interruption, async () => {
      say(`Open ${site.url} in a browser.`);
      await interruptedOrOver(options.seconds, interruption);
    });
    if (hasTraded && sandbox.bot.state === 'running' && sandbox.venue.mode === 'up') {
      await sandbox.drained();
    } else if (hasTraded)
      say('The bot or the venue is not there: what still waits counts as lost.');
  } finally {
    await site.close();
  }
  return hasTraded && summary(sandbox);
}

/**
 * Starts the bot, and lets traders trade until the work is done.
 *
 * @returns false if it was interrupted before the first trade
 */
async function trade(
  sandbox: Sandbox,
  interruption: AbortSignal,
  work: () => Promise<void>,
): Promise<boolean> {
  const interrupted = interruptedOrOver(null, interruption);
  if (!interruption.aborted) {
    const opening = sandbox.open();
    // It fails once everything it needs is closed.
    opening.catch(() => {});
    await Promise.race([opening, interrupted]);
  }
  if (interruption.aborted) {
    say('Interrupted before the traders traded.');
    return false;
  }
  sandbox.simulator.start();
  say(
    `Traders trade. The local Discord is ${sandbox.discord.apiUrl}, the venue ${sandbox.venue.url}. Ctrl-C ends.`,
  );
  await work();
  await sandbox.simulator.stop();
  return true;
}

function summary({ account, receiver }: Sandbox): boolean {
  const { alerts, duplicates, announced, differences, ...all } = account.balance();
  const lost = all.lost - announced;
  const { received } = receiver;
  for (const difference of differences) complain(difference);
  say(
    `${received.alerts} signed alerts reached the receiver, ${received.repeated} of them more than once`,
  );
  // A page of the venue has 100 records, so after an outage it may not reach back to the beginning
  // of the outage.
  const missing = announced > 0 ? `, ${announced} of which the channels were told` : '';
  say(`${alerts} alerts, ${duplicates} duplicates, ${lost} lost${missing}`);
  return alerts > 0 && duplicates === 0 && lost === 0;
}

/**
 * Returns a signal that is aborted at Ctrl-C, at SIGTERM, and when the terminal is closed. At
 * Ctrl-C npm forwards a signal that was already received.
 */
function followSignals(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interruption.abort());
  }
  // A closed terminal accepts no more lines, but that must not prevent the cleanup.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return interruption.signal;
}

/** Resolves at an interruption, or after the seconds. */
async function interruptedOrOver(seconds: number | null, interruption: AbortSignal): Promise<void> {
  if (interruption.aborted) return;
  const interrupted = once(interruption, 'abort');
  await (seconds === null ? interrupted : Promise.race([interrupted, delay(seconds * 1000)]));
}

function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      headless: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      hours: { type: 'string', default: String(HISTORY_HOURS) },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const usualSeconds = values.headless ? HEADLESS_SECONDS : null;
  const seconds = values.seconds === undefined ? usualSeconds : Number(values.seconds);
  if (seconds !== null && !(seconds > 0 && seconds <= DAY_SECONDS)) {
    throw new TypeError(
      `--seconds is "${values.seconds}". Accepted: a number above 0, up to 86400.`,
    );
  }
  const hours = Number(values.hours);
  if (values.hours.trim() === '' || !(hours >= 0 && hours <= MOST_HISTORY_HOURS)) {
    throw new TypeError(
      `--hours is "${values.hours}". Accepted: a number from 0 to ${MOST_HISTORY_HOURS}.`,
    );
  }
  const port = Number(values.port ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(
      `--port is "${values.port}". Accepted: a whole number from 0 to 65535; 0 picks a free one.`,
    );
  }
  return { headless: values.headless, seconds, hours, port, help: values.help };
}

function say(line: string): void {
  progress.clear();
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  progress.clear();
  process.stderr.write(`${line}\n`);
}

/**
 * Returns one line for an unavailable port or folder; any other error is a bug, and is shown with
 * its stack.
 */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  const faults = [error, error.cause].filter((fault) => fault instanceof Error);
  const isPortFault = faults.some((fault) => 'syscall' in fault && fault.syscall === 'listen');
  return isPortFault
    ? `${error.message}. Choose another --port, or leave it out.`
    : (error.stack ?? error.message);
}

async function main(): Promise<number> {
  let options: DemoOptions;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    complain(`${optionFault(error)}.\n${USAGE}`);
    return 64;
  }
  if (options.help) {
    say(USAGE);
    return 0;
  }
  // Before the first child process and the first file.
  const interruption = followSignals();
  return (await (options.headless
    ? headless(options, interruption)
    : withPage(options, interruption)))
    ? 0
    : 1;
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    complain(wordsOf(error));
    process.exit(1);
  },
);
