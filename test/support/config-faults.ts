import { ConfigError, readConfig } from '../../src/app/config.ts';

/**
 * Reads an environment as a program does.
 *
 * @returns its errors; empty if there are none
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
