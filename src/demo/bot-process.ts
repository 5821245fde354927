import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The real bot as a separate process. */
export interface BotProcess {
  readonly process: ChildProcess;
  /**
   * Asks it to end, and kills it if it does not end within 10 s.
   *
   * @returns its exit code
   */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface BotProcessOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder in which it runs, and in which it looks for a relative STORE_URL and `.env`. */
  readonly directory: string;
  /** The bot's program, dist/main.js. */
  readonly main: string;
  /** Node's flags; default: those of `npm start`. */
  readonly nodeFlags?: readonly string[];
  /** Command-line arguments. */
  readonly args?: readonly string[];
  /**
   * A program that starts it, and its arguments; the bot's own command line is appended. By default
   * it is started directly.
   */
  readonly launcher?: readonly [program: string, ...args: string[]];
  /**
   * Receives its log, one parsed line at a time; lines that are not JSON come unchanged, under
   * `text`.
   */
  readonly onLine: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Node's flags, as in `npm start`: short-lived objects get 4 MB instead of 16, which saves 20 MB.
 * The heap grows by 30 % of the live objects before a full collection; otherwise V8 lets it grow to
 * four times their size. Optimizing for size saves 20 to 40 MB with 1,000 wallets, without
 * measurable processor time. With concurrent Sparkplug a process that ends may wait for ever on
 * Node 26 (docs/decisions.md).
 */
const NODE_FLAGS = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--optimize-for-size',
  '--no-concurrent-sparkplug',
];
const STOP_LIMIT_MS = 10_000;

/**
 * Starts the bot with only the given environment. It has its own process group, so that Ctrl-C in a
 * terminal only reaches its parent, which stops it in order. Through the channel between them it
 * notices when its parent is gone, and ends.
 */
export function startBot(options: BotProcessOptions): BotProcess {
  const bot = [...(options.nodeFlags ?? NODE_FLAGS), options.main, ...(options.args ?? [])];
  const [program, ...args] = [...(options.launcher ?? []), process.execPath, ...bot];
  const child = spawn(program ?? process.execPath, args, {
    cwd: options.directory,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) {
      createInterface({ input: stream }).on('line', (line) => options.onLine(parse(line)));
    }
  }
  const ended = once(child, 'close');
  return {
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
        await ended;
        clearTimeout(timer);
      }
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  } catch {
    // Not a log line: output of a process before it has a log, or when Node itself ends it.
  }
  return { text: line };
}
