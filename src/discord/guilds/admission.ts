import type { LocalizedText } from '../../language/language.ts';
import { personOf } from '../../watches/owner.ts';
import type { LimitExceptions } from '../quotas/exceptions.ts';

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Which guilds and people the bot serves: ALLOWED_GUILDS, WATCHES_PER_USER and the blocks of LIMITS_FILE. Where servers are named,
 * people are served for themselves only if they are named, too: LIMITS_FILE gives them watches.
 */
export function createAdmission(parts: {
  /** Null: all. */
  readonly allowedGuilds: ReadonlySet<string> | null;
  /** Watches that a person may have for themselves; 0: private watches are off. */
  readonly watchesPerUser: number;
  readonly exceptions: LimitExceptions;
}) {
  const { allowedGuilds, watchesPerUser, exceptions } = parts;
  const watchesNamed = (userId: string) => exceptions.users.get(userId)?.watches;
  const isAllowed = (ownerId: string) => {
    const userId = personOf(ownerId);
    return allowedGuilds === null || (userId === null ? allowedGuilds.has(ownerId) : (watchesNamed(userId) ?? 0) > 0);
  };
  const isBlockedUser = (userId: string) => exceptions.users.get(userId)?.blocked === true;
  const isBlockedGuild = (guildId: string) => exceptions.guilds.get(guildId)?.blocked === true;
  return {
    /** Whether watches of the server, or of the person alone, are polled and alerted. */
    isServed(ownerId: string): boolean {
      const userId = personOf(ownerId);
      if (userId === null) return isAllowed(ownerId) && !isBlockedGuild(ownerId);
      return isAllowed(ownerId) && !isBlockedUser(userId) && (watchesNamed(userId) ?? watchesPerUser) > 0;
    },
    /** Why a person's command in a server, or for themselves, is not carried out; null if it is. */
    refusal(ownerId: string, userId: string): LocalizedText | null {
      if (!isAllowed(ownerId)) {
        const isPersons = personOf(ownerId) !== null;
        return ({ texts }) => (isPersons ? texts.personal.notServed : texts.errors.admission.notAllowed);
      }
      if (isBlockedGuild(ownerId)) return ({ texts }) => texts.errors.admission.serverBlocked;
      if (isBlockedUser(userId)) return ({ texts }) => texts.errors.admission.userBlocked;
      return null;
    },
  };
}
