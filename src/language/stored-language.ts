import * as z from 'zod';
import { LANGUAGE_TAGS, type LanguageTag } from './language.ts';

/** Until format 12 Taiwan had texts of its own: simplified characters with other permissions. */
const TAIWAN = 'zh-TW';

/**
 * Schema of a stored language.
 *
 * @param taiwan stands for Taiwan's, which earlier releases stored
 */
export function storedLanguage(taiwan: LanguageTag): z.ZodType<LanguageTag> {
  return z.union([z.enum(LANGUAGE_TAGS), z.literal(TAIWAN).transform((): LanguageTag => taiwan)]);
}
