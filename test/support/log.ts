import { type Logger, pino } from 'pino';

/** Creates a log that collects its lines, parsed. */
export function collectingLog(): {
  readonly log: Logger;
  readonly lines: Record<string, unknown>[];
} {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'trace', base: null },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { log, lines };
}

/** Shared by all tests, because a log costs more to create than to use. */
const QUIET = pino({ level: 'silent' });

export function quietLog(): Logger {
  return QUIET;
}
