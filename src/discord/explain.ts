import { VenueError } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';

/**
 * Returns the text that explains an error to a person, without anything meant for operators only;
 * null if the error is a bug of ours.
 */
export function explainToPerson(error: unknown, language: Language): string | null {
  if (error instanceof UserError) return error.say(language);
  if (!(error instanceof VenueError)) return null;
  const { venue, inAMinute } = language.texts.errors;
  const rateLimited = venue.rateLimited(
    error.retryAtMs === null ? inAMinute : clockTime(error.retryAtMs, language),
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
 * Returns a time for a refusal, "at 9:59:34 PM" in the reader's zone, rounded up to the second. It
 * is absolute because a refusal may be read later, when "in 5 seconds" has become "ago".
 */
export function clockTime(epochMs: number, { texts }: Pick<Language, 'texts'>): string {
  return texts.errors.at(`<t:${Math.ceil(epochMs / 1000)}:T>`);
}
