import { ENGLISH, type Language } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';

/** Returns the result of the work, or the text of its error. */
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
