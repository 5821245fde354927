/**
 * Exit code for a wrong configuration (EX_CONFIG of sysexits.h); a supervisor need not restart the
 * program.
 */
export const EXIT_CONFIG = 78;

/** Returns the code of a system, SQLite or PostgreSQL error; empty if there is none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return '';
}

/**
 * Returns the message of anything thrown; its code if there is no message, as in Node's error about
 * several addresses that refuse a connection.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message || errorCode(error) || error.name;
  return String(error);
}

/** Error whose message tells the operator what is wrong and what to do. */
export class OperatorError extends Error {
  readonly exitCode: number = 1;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}
