import { EXIT_CONFIG, errorCode, OperatorError, reasonOf } from '../lib/error.ts';
import type { StoreKind } from './address.ts';

/** The store cannot be used. The message names it, its fault and what to do. */
export class StoreError extends OperatorError {}

/** No process may work on the store in this state; a restart does not help. */
export class StoreUnfit extends StoreError {
  override readonly exitCode = EXIT_CONFIG;
}

/**
 * The place of a store cannot be written to now: a start ends, a waiting standby continues to wait.
 */
export class StorePlaceUnfit extends StoreUnfit {}

export class StoreInUse extends StoreError {
  constructor(shown: string, cause?: unknown) {
    const text =
      `The store ${shown} is in use by another walletbell. ` +
      'With two bots on one store alerts may come twice: ' +
      'end the other one, set another STORE_URL, or set STANDBY=true to wait for it.';
    super(text, cause);
  }
}

type Fault = readonly [pattern: RegExp, fault: string, advice: string];

const LOGIN = [
  'refuses user name or password',
  'Check them in STORE_URL; special characters are written as %XX there.',
] as const;

/**
 * Faults by kind of store; the first pattern that matches code or message counts. PostgreSQL's
 * codes are from its manual, appendix A.
 */
const FAULTS: Readonly<Record<StoreKind, readonly Fault[]>> = {
  sqlite: [
    [
      /NOTADB|CORRUPT|malformed|quick_check/,
      'is not a sound SQLite database',
      'Put a backup in its place, or move it away to begin with an empty one.',
    ],
    [
      /BUSY|LOCKED/,
      'is locked by another program',
      'End that program; a bot that is running then goes on by itself.',
    ],
    [
      /READONLY|EACCES|EPERM/,
      'is read-only',
      'Give this user the right to write it and its folder.',
    ],
    [/^/, 'cannot be opened', 'Check STORE_URL, the rights and the free space.'],
  ],
  redis: [
    [/AUTH|WRONGPASS/, ...LOGIN],
    [
      /DB index/i,
      'has no such database',
      'The path of STORE_URL is its number, such as redis://HOST:6379/0.',
    ],
    [
      /READONLY|MISCONF|NOPERM|OOM/,
      'cannot be written',
      "Use the primary server, and check its disk, its memory and the user's rights " +
        '(GET, SET, DEL, EXISTS, MGET, SCAN, EVAL on walletbell*).',
    ],
    [
      /^/,
      'cannot be reached',
      'Check STORE_URL, and that the Redis server runs and lets this machine in.',
    ],
  ],
  postgres: [
    [/^28|password/i, ...LOGIN],
    [/^3D000/, 'has no such database', 'Create it (createdb), or name another one in STORE_URL.'],
    [
      /^(42501|25006|53100)/,
      'cannot be written',
      'Use the primary server with space on its disk, and give the user the right ' +
        'to create and write the table walletbell in the schema public.',
    ],
    [
      /^/,
      'cannot be reached',
      'Check STORE_URL, and that the PostgreSQL server runs and lets this machine in.',
    ],
  ],
};

/** Returns an error that explains a store's error, and what the operator can do. */
export function explainStoreError(kind: StoreKind, shown: string, error: unknown): StoreError {
  if (error instanceof StoreUnfit) return error;
  if (isDiskFull(error)) return diskFull(`The store ${shown}`, error);
  if (error instanceof StoreError) return error;
  const code = errorCode(error);
  const text = reasonOf(error);
  const found = FAULTS[kind].find(([pattern]) => pattern.test(code) || pattern.test(text));
  const [, fault = 'cannot be used', advice = 'Check STORE_URL.'] = found ?? [];
  return new StoreError(`The store ${shown} ${fault} (${text}). ${advice}`, error);
}

/**
 * Whether an error of SQLite or of the file system, explained or not, means that a disk is full.
 */
export function isDiskFull(error: unknown): boolean {
  return (
    /SQLITE_FULL|ENOSPC|EDQUOT/.test(String(error)) ||
    (error instanceof StoreError && isDiskFull(error.cause))
  );
}

/**
 * Returns the error for a full disk.
 *
 * @param what for example `The store data/bot.sqlite`
 */
export function diskFull(what: string, cause: unknown): StoreError {
  return new StoreError(`${what} cannot be written: its disk is full. Make room there.`, cause);
}

export function lostStore(shown: string): StoreError {
  return new StoreError(
    `The store ${shown} does not belong to this process any more: ` +
      'another walletbell has opened it, or its data was removed or replaced while it was open. ' +
      'This bot ends, so that nothing is sent twice.',
  );
}
