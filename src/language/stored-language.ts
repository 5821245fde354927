import * as z from 'zod';
import { LANGUAGE_TAGS, type LanguageTag } from './language.ts';

/** Until format 12, Taiwan had its own texts: simplified characters with different permissions. */
const TAIWAN = 'zh-TW';

/**
 * Returns the schema of a stored language.
 *
 * @param taiwan replaces Taiwan's language, which earlier releases stored
 */
export function storedLanguage(taiwan: LanguageTag): z.ZodType<LanguageTag> {
  return z.union([z.enum(LANGUAGE_TAGS), z.literal(TAIWAN).transform((): LanguageTag => taiwan)]);
}
