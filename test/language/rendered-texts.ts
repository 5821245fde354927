import { ENGLISH, type LanguageTag, languageFor } from '../../src/language/language.ts';
import { isMissing } from './missing-texts.ts';

type TextTree = {
  readonly [key: string]: TextTree | string | ((...parts: unknown[]) => string);
};

/** What is put in for parameters, in their order. */
export const PARTS = ['‹1›', '‹2›', '‹3›', '‹4›', '‹5›', '‹6›'];
/** Texts that take something else than figures, names and times, and what they are given here. */
const OTHER_PARTS: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [/\.lists\.totals\.notKnownFor$|\.files\.accepted\.oneOf$/, [[PARTS[0]]]],
  [/\.digest\.quiet$/, [[PARTS[0]]]],
  [/\.digest\.quietAndMore$/, [[PARTS[0]], PARTS[1]]],
  [/\.watch\.pause\.state$/, [{ at: PARTS[0], in: PARTS[1] }]],
  [/\.watch\.pause\.already$/, [PARTS[0], { at: PARTS[1], in: PARTS[2] }]],
  [/\.watch\.pause\.only$/, [PARTS[0], { at: PARTS[1], in: PARTS[2] }]],
  [/\.watch\.pause\.(one|all)$/, [PARTS[0], PARTS[1], { at: PARTS[2], in: PARTS[3] }]],
];

/** Parts of a language that hold no text. */
const NOT_TEXTS = ['format', 'slash'];
/** The areas of the texts, such as `alerts`. */
const AREAS = Object.keys(ENGLISH.texts).filter((name) => !NOT_TEXTS.includes(name));

/** Texts by their path, with something put in for each parameter. */
export function rendered(
  texts: unknown,
  path = '',
  parts: readonly unknown[] = PARTS,
): [path: string, text: string][] {
  return Object.entries(texts as TextTree).flatMap(([key, text]): [string, string][] => {
    const here = `${path}.${key}`;
    if (typeof text === 'string') return [[here, text]];
    if (typeof text === 'object') return rendered(text, here, parts);
    const [, given = parts] = OTHER_PARTS.find(([pattern]) => pattern.test(here)) ?? [];
    return [[here, text(...given)]];
  });
}

/**
 * All texts that a language has, by their path, such as `.alerts.bought`: not those for which
 * English stands in.
 */
export function textsOf(tag: LanguageTag, languages = languageFor): ReadonlyMap<string, string> {
  const areas = new Map(Object.entries(languages(tag).texts));
  const all = AREAS.flatMap((area) => rendered(areas.get(area), `.${area}`));
  return new Map(all.filter(([path]) => !isMissing(tag, path.slice(1))));
}

/** A text without what is quoted as it is typed. */
export const proseOf = (text: string) => text.replaceAll(/`[^`]*`/g, 'code');
