import { ConfigError, readConfig } from '../../src/app/config.ts';

/**
 * Reads an environment as a program does.
 *
 * @returns what is wrong with it; none: nothing
 */
export function configFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
