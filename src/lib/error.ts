/**
 * The exit code for a wrong configuration (EX_CONFIG of sysexits.h): a supervisor need not try
 * again.
 */
export const EXIT_CONFIG = 78;

/** The code that system, SQLite and PostgreSQL errors carry; empty if there is none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return '';
}

/**
 * Returns the message of an error, whatever was thrown; its code if there is none, as in Node's
 * error about several addresses that refuse.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message || errorCode(error) || error.name;
  return String(error);
}

/** Error whose message says to whoever runs the program what is wrong and what to do. */
export class OperatorError extends Error {
  readonly exitCode: number = 1;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}
