import { type LevelWithSilent, type Logger, pino } from 'pino';

const LEVEL_NAMES: Readonly<Record<number, string>> = pino.levels.labels;

interface LogFields {
  readonly level: number;
  readonly time: number;
  readonly event?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
  readonly [name: string]: unknown;
}

/** Creates a logger to standard error: JSON lines, or readable lines on a terminal. */
export function createLog(level: LevelWithSilent): Logger {
  const stderr = pino.destination({ dest: 2, sync: true });
  const onTerminal = { write: (line: string) => void stderr.write(terminalLine(line)) };
  // Errors are logged under `err` only, because pino would otherwise repeat the message as `msg`.
  const options = { level, errorKey: 'error', serializers: { err: pino.stdSerializers.err } };
  return pino(options, process.stderr.isTTY ? onTerminal : stderr);
}

/**
 * Returns a line such as `14:02:11 warn import.badLine line=7`, with the stack of an error below
 * it.
 */
function terminalLine(line: string): string {
  const {
    level,
    time,
    event = '',
    err,
    pid: _pid,
    hostname: _host,
    ...others
  } = JSON.parse(line) as LogFields;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const fields = Object.entries(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const head = [clock, LEVEL_NAMES[level] ?? level, event, ...fields].join(' ');
  const below = err === undefined ? [] : (err.stack ?? `${err.type}: ${err.message}`).split('\n');
  return [head, ...below.map((text) => `    ${text}`)]
    .map((text) => `${withoutControls(text)}\n`)
    .join('');
}

/**
 * Removes control characters, because texts from outside must not move the terminal's cursor or
 * reverse a line.
 */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
