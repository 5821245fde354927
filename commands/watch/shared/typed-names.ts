import { LANGUAGE_TAGS, type Language, languageFor } from '../../../src/language/language.ts';

/** What people put between names in a list; 和 and と are "and" without spaces around it. */
export const NAME_SEPARATORS = /[\s,;+&、，；和と]+/;

/** A name for comparison: without case, accents and the width that some keyboards give to letters. */
export function typedName(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * What names mean, whichever language they are typed in: a server may have people of several, and examples of another.
 *
 * @param namesIn what each name means in a language; no two languages may mean different things by one
 * @returns by names as `typedName` gives them
 */
export function typedNames<Meaning>(
  namesIn: (language: Language) => readonly (readonly [name: string, meaning: Meaning])[],
): ReadonlyMap<string, Meaning> {
  const named = LANGUAGE_TAGS.flatMap((tag) => namesIn(languageFor(tag)));
  return new Map(named.map(([name, meaning]) => [typedName(name), meaning]));
}
