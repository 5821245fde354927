import { join } from 'node:path';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { expect } from 'vitest';
import { runDoctor } from '../../src/cli/doctor/run.ts';
import { NO_PROGRESS } from '../../src/lib/progress.ts';
import { takeSecretFiles } from '../../src/lib/secret-files.ts';
import { type Fixture, TOKEN } from '../e2e/fixture.ts';

/** A Node.js version with security support, whichever version runs the tests. */
const NODE = '26.10.0';

/**
 * Runs the equivalent of `npm run doctor` in this process, and checks that no line contains a
 * secret.
 *
 * @param fileNames names of the variables in `.env`
 */
export async function doctor(
  environment: Readonly<Record<string, string>>,
  { fileNames = [], node = NODE }: { fileNames?: readonly string[]; node?: string } = {},
): Promise<{ exitCode: number; lines: string[] }> {
  const lines: string[] = [];
  const taken: Record<string, string | undefined> = { ...environment };
  takeSecretFiles(taken);
  const exitCode = await runDoctor(taken, (line) => lines.push(line), fileNames, node, NO_PROGRESS);
  for (const secret of [TOKEN, 'planted']) expect(lines.join('\n')).not.toContain(secret);
  return { exitCode, lines };
}

/** Returns variables with which the doctor finds no problem in a fixture. */
export function doctorEnvironment(fixture: Fixture): Record<string, string> {
  return {
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_URL: fixture.discord.apiUrl,
    VENUE_BASE_URL: fixture.venue.url,
    VENUE_API_KEY: DEMO_KEY.key,
    STORE_URL: `sqlite://${join(fixture.directory, 'data/bot.sqlite')}`,
  };
}
