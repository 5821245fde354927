import { readFileSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { type LimitExceptions, readExceptions } from '../discord/quotas/exceptions.ts';
import { reasonOf } from '../lib/error.ts';

/** Time between two looks whether the file has changed. */
const LOOK_EVERY_MS = 10_000;
const MISSING = 'missing';

/**
 * The exceptions of LIMITS_FILE, as the file says them now. A file with a fault changes nothing,
 * and the log says so once. A file that is not there yet says nothing of anybody.
 *
 * @param path null: there is no file
 * @param initial what it said when the configuration was read
 */
export function followLimits(log: Logger, path: string | null, initial: LimitExceptions) {
  let current = initial;
  let seen = stampOf(path);
  let onChange = (_ownerIds: readonly string[]): void => {};

  const look = (): void => {
    const stamp = stampOf(path);
    if (path === null || stamp === seen) return;
    seen = stamp;
    const read = readFile(path);
    if ('faults' in read) {
      log.error({ event: 'limits.not_read', file: path, faults: read.faults });
      return;
    }
    const before = current;
    current = read.exceptions;
    const named = new Set([...before.keys(), ...current.keys()]);
    const changed = [...named].filter(
      (ownerId) => !isDeepStrictEqual(before.get(ownerId), current.get(ownerId)),
    );
    log.info({ event: 'limits.read', file: path, changed: changed.length });
    onChange(changed);
  };
  if (path !== null && seen === MISSING) log.warn({ event: 'limits.missing', file: path });
  const timer = path === null ? undefined : setInterval(look, LOOK_EVERY_MS).unref();

  return {
    /** Returns what the file says of an owner now, or of all people by their sign. */
    get: (ownerId: string) => current.get(ownerId),
    /** Looks at once. */
    look,
    /** Calls back with the owners, and the sign of all people, of whom it says something else. */
    listen(listener: typeof onChange): void {
      onChange = listener;
    },
    stop: () => clearInterval(timer),
  };
}

/** Changes when the file does: no signal tells, as npm passes none on. */
function stampOf(path: string | null): string {
  const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  return found === undefined ? MISSING : `${found.mtimeMs}:${found.size}`;
}

function readFile(path: string): ReturnType<typeof readExceptions> {
  try {
    return readExceptions(readFileSync(path, 'utf8'));
  } catch (error) {
    return { faults: [reasonOf(error)] };
  }
}
