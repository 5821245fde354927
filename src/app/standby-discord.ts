import { Routes } from 'discord.js';
import { TokenRefused } from '../delivery/failures.ts';
import { createRest } from '../discord/client.ts';
import { EXIT_CONFIG, OperatorError, reasonOf } from '../lib/error.ts';
import type { Given } from './context.ts';

/** Thrown if Discord rejects the token with which a standby would log in. */
class StandbyRefused extends OperatorError {
  override readonly exitCode = EXIT_CONFIG;
}

/**
 * Asks Discord for the bot of the token.
 *
 * @returns why that failed; null if it succeeded
 * @throws {OperatorError} if Discord rejects the token
 */
export async function discordTrouble(
  { config, redact }: Given,
  signal: AbortSignal,
): Promise<string | null> {
  const { DISCORD_API_URL: apiUrl, DISCORD_TOKEN: token } = config;
  try {
    await createRest({ apiUrl, token, redact }).get(Routes.user(), { signal });
    return null;
  } catch (error) {
    if (error instanceof TokenRefused) throw new StandbyRefused(error.message, error);
    return `Discord does not say who the bot is: ${redact(reasonOf(error))}`;
  }
}
