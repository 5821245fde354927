import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface AllMay {
  /** Commands a minute of a person. */
  readonly users?: number;
  /** Commands a minute of a server. */
  readonly guilds?: number;
  readonly lookupShare?: number;
}

/**
 * Writes a limits file whose defaults allow a person and a server a number of commands.
 *
 * @param folder folder of the file
 * @returns the variable that names it
 */
export function limitsOfAll(
  folder: string,
  { users = 1_000_000, guilds = 1_000_000, lookupShare = 0.25 }: AllMay = {},
) {
  const path = join(folder, 'limits-of-all.json');
  const defaults = {
    guilds: { commandsPerMinute: guilds, lookupShare },
    users: { commandsPerMinute: users },
  };
  writeFileSync(path, JSON.stringify({ defaults }));
  return { LIMITS_FILE: path };
}
