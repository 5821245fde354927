import type { LocalizedText } from '../language/language.ts';
import type { LimitExceptions } from './quotas/exceptions.ts';

/** Which guilds and people the bot serves: ALLOWED_GUILDS and the blocks of LIMITS_FILE. */
export interface Admission {
  /** Whether watches of the guild are polled and alerted. */
  isServed(guildId: string): boolean;
  /** Why a person's command in a guild is not carried out; null if it is. */
  refusal(guildId: string, userId: string): LocalizedText | null;
}

/** @param allowedGuilds null: all */
export function createAdmission(allowedGuilds: ReadonlySet<string> | null, exceptions: LimitExceptions): Admission {
  const isAllowed = (guildId: string) => allowedGuilds === null || allowedGuilds.has(guildId);
  const isBlocked = (guildId: string) => exceptions.guilds.get(guildId)?.blocked === true;
  return {
    isServed: (guildId) => isAllowed(guildId) && !isBlocked(guildId),
    refusal(guildId, userId) {
      if (!isAllowed(guildId)) return ({ texts }) => texts.errors.admission.notAllowed;
      if (isBlocked(guildId)) return ({ texts }) => texts.errors.admission.serverBlocked;
      if (exceptions.users.get(userId)?.blocked === true) return ({ texts }) => texts.errors.admission.userBlocked;
      return null;
    },
  };
}
