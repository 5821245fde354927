import { readFileSync, statSync } from 'node:fs';
import { reasonOf } from './error.ts';

/** Variables that can be read from a file named by a variable with the suffix `_FILE`. */
const NAMES = [
  'DISCORD_TOKEN',
  'VENUE_API_KEY',
  'STORE_URL',
  'NATS_URL',
  'HEARTBEAT_URL',
  'ALERTS_URL',
  'ALERTS_SECRET',
] as const;

/** Names of the variables that name files. */
export const FILE_VARIABLES: readonly string[] = NAMES.map((name) => `${name}_FILE`);

/** Maximum size of a secret file, in bytes. No secret is longer; a larger file was not meant. */
const BYTES_LIMIT = 65_536;

/**
 * Sets each variable for which only a file is given, as with Docker's secrets and systemd's
 * credentials. A variable whose file cannot be read stays unset; see {@link secretFileFaults}.
 */
export function takeSecretFiles(environment: NodeJS.ProcessEnv): void {
  for (const name of NAMES) {
    const path = pathOf(environment, name);
    if (path === null || isSet(environment, name)) continue;
    const read = readSecret(path);
    if ('text' in read) environment[name] = read.text;
  }
}

/**
 * Finds faults in the named files. Returns the variable that each file is for, and a sentence,
 * which does not quote the file's content.
 */
export function secretFileFaults(environment: NodeJS.ProcessEnv) {
  return NAMES.flatMap((name) => {
    const path = pathOf(environment, name);
    if (path === null) return [];
    const read = readSecret(path);
    if ('fault' in read) return [{ name, fault: `${name}_FILE ${read.fault}` }];
    const isOther = isSet(environment, name) && environment[name] !== read.text;
    if (!isOther) return [];
    return [{ name, fault: `${name} and ${name}_FILE are both set. Accepted: one of them.` }];
  });
}

function isSet(environment: NodeJS.ProcessEnv, name: string): boolean {
  return (environment[name] ?? '').trim() !== '';
}

function pathOf(environment: NodeJS.ProcessEnv, name: string): string | null {
  const path = environment[`${name}_FILE`]?.trim() ?? '';
  return path === '' ? null : path;
}

function readSecret(path: string): { readonly text: string } | { readonly fault: string } {
  const accepted = 'Accepted: the path of a file with one line, the secret alone.';
  try {
    if (!statSync(path).isFile()) return { fault: `names no file. ${accepted}` };
    const bytes = readFileSync(path);
    const text = bytes
      .subarray(0, BYTES_LIMIT + 1)
      .toString('utf8')
      .replace(/\r?\n$/, '');
    if (text.trim() === '') return { fault: `names an empty file. ${accepted}` };
    const isOneLine = bytes.length <= BYTES_LIMIT && !/[\r\n]/.test(text);
    return isOneLine ? { text } : { fault: `names a file of several lines. ${accepted}` };
  } catch (error) {
    return { fault: `cannot be read: ${reasonOf(error)}. ${accepted}` };
  }
}
