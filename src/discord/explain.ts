import { VenueError } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';

/**
 * Returns what a person is shown of an error, without anything that concerns operators only; null
 * if it is a bug of ours.
 */
export function explainToPerson(error: unknown, language: Language): string | null {
  if (error instanceof UserError) return error.say(language);
  if (!(error instanceof VenueError)) return null;
  const { venue, inAMinute } = language.texts.errors;
  const rateLimited = venue.rateLimited(
    error.retryAtMs === null ? inAMinute : inTime(error.retryAtMs),
  );
  return {
    budgetExhausted: rateLimited,
    rateLimited,
    unauthorized: venue.unauthorized,
    notInPlan: venue.notInPlan,
    unreachable: error.isFeedAway ? venue.feedAway : venue.unreachable,
    badResponse: venue.unreadable,
  }[error.kind];
}

/**
 * A moment as Discord writes it in the reader's language, such as "in 5 minutes"; rounded up to the
 * second.
 */
export function inTime(epochMs: number): string {
  return `<t:${Math.ceil(epochMs / 1000)}:R>`;
}
