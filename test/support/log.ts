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

export function quietLog(): Logger {
  return pino({ level: 'silent' });
}
