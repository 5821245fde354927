import { ENGLISH, type Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';

/** What the work returns, or the words in which it refuses. */
export function orRefusal<Result>(
  work: () => Result,
  language: Language = ENGLISH,
): Result | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) return error.say(language);
    throw error;
  }
}
