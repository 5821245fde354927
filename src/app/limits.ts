import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { type FileLimits, readLimits } from '../discord/quotas/exceptions.ts';
import { reasonOf } from '../lib/error.ts';

/** Interval at which the file is checked for changes, in ms. */
const LOOK_EVERY_MS = 10_000;
const MISSING = 'missing';

/** LIMITS_FILE as it was when the configuration was read. */
export interface LimitsAtStart {
  /** Null if LIMITS_FILE is not set. */
  readonly path: string | null;
  readonly limits: FileLimits;
  /** Limits that apply where the file states none. */
  readonly beforeFile: FileLimits['usual'];
}

/**
 * Reads LIMITS_FILE at startup. A missing file states nothing, provided that its folder exists,
 * because it may be created later.
 *
 * @param path undefined if no file is configured
 * @param beforeFile limits that apply where the file states none
 * @returns every fault, beginning with LIMITS_FILE, or the file's content
 */
export function readLimitsAtStart(
  path: string | undefined,
  beforeFile: FileLimits['usual'],
): { readonly faults: readonly string[] } | { readonly settings: LimitsAtStart } {
  const isExpected =
    path !== undefined && (stampOf(path) !== MISSING || !existsSync(dirname(path)));
  const read = isExpected ? readFile(path, beforeFile) : readLimits('{}', beforeFile);
  if ('faults' in read) {
    return { faults: read.faults.map((fault) => `LIMITS_FILE ${path}: ${fault}`) };
  }
  return { settings: { path: path ?? null, limits: read.limits, beforeFile } };
}

/**
 * Watches LIMITS_FILE and provides its present limits. A file with a fault changes nothing and is
 * logged once. A missing file states nothing.
 */
export function followLimits(log: Logger, { path, limits: initial, beforeFile }: LimitsAtStart) {
  let current = initial;
  let seen = stampOf(path);
  let onChange = (_ownerIds: readonly string[]): void => {};

  const look = (): void => {
    const stamp = stampOf(path);
    if (path === null || stamp === seen) return;
    seen = stamp;
    const read = readFile(path, beforeFile);
    if ('faults' in read) {
      log.error({ event: 'limits.not_read', file: path, faults: read.faults });
      return;
    }
    const before = current;
    current = read.limits;
    const changed = changedOwners(before, current);
    const changes = changed.length + changedDefaults(before, current).length;
    log.info({ event: 'limits.read', file: path, changed: changes });
    onChange(changed);
  };
  if (path !== null && seen === MISSING) log.warn({ event: 'limits.missing', file: path });
  const timer = path === null ? undefined : setInterval(look, LOOK_EVERY_MS).unref();

  return {
    /** Returns the file's present entry for an owner, or for all people (by their sign). */
    get: (ownerId: string) => current.exceptions.get(ownerId),
    /** Returns the limits of servers and people that the file does not mention. */
    usual: () => current.usual,
    /** Checks the file at once. */
    look,
    /**
     * Sets the listener, called with the owners (and the sign of all people) whose entries have
     * changed.
     */
    listen(listener: typeof onChange): void {
      onChange = listener;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Changes when the file does, or the reason why it cannot be looked at. No signal is used, because
 * npm passes none on.
 */
function stampOf(path: string | null): string {
  try {
    const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
    return found === undefined ? MISSING : `${found.mtimeMs}:${found.size}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Returns the owners (and the sign of all people) whose entries differ. */
function changedOwners({ exceptions: before }: FileLimits, { exceptions: now }: FileLimits) {
  const named = new Set([...before.keys(), ...now.keys()]);
  return [...named].filter((id) => !isDeepStrictEqual(before.get(id), now.get(id)));
}

/** Returns the groups whose usual limits differ. */
function changedDefaults({ usual: before }: FileLimits, { usual: now }: FileLimits) {
  const groups = ['guilds', 'users'] as const;
  return groups.filter((group) => !isDeepStrictEqual(before[group], now[group]));
}

function readFile(path: string, beforeFile: FileLimits['usual']): ReturnType<typeof readLimits> {
  try {
    return readLimits(readFileSync(path, 'utf8'), beforeFile);
  } catch (error) {
    return { faults: [`cannot be read: ${reasonOf(error)}. Accepted: the path of a JSON file.`] };
  }
}
