import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export interface LogOptions {
  readonly level: LogLevel;
  /** Texts that must never be written, wherever they turn up: in a message, an error, a URL or a stack. */
  readonly secrets: readonly string[];
  /** Where the lines go; standard output if not given. */
  readonly destination: DestinationStream;
}

/**
 * A pino logger that strikes the secrets out of the finished line. Doing it there, and not by field name, also covers
 * the texts of errors from libraries, which no list of paths can foresee.
 */
export function createLog(options: LogOptions): Logger {
  const redact = createRedactor(options.secrets);
  return pino(
    { level: options.level, base: null },
    { write: (line: string) => void options.destination.write(redact(line)) },
  );
}

/** A function that replaces each secret, plain, URL-encoded or JSON-escaped, by a mark. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length > 0)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((redacted, form) => redacted.replaceAll(form, '[redacted]'), text);
}
