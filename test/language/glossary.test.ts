import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  languageFor,
  languagesNaming,
} from '../../src/language/language.ts';
import { proseOf, textsOf } from './rendered-texts.ts';

const pattern = z.string().refine((source) => new RegExp(source, 'u'), 'is no regular expression');
const glossarySchema = z.strictObject({
  /** What no text says, in any case of its letters if so; of one locale alone, if it is named. */
  avoid: z.array(
    z.strictObject({
      pattern,
      anyCase: z.literal(true).optional(),
      locale: z.enum(LANGUAGE_TAGS).optional(),
      reason: z.string().min(1),
    }),
  ),
  /** What a term is called, by its name: one of these stands wherever English says it. */
  terms: z.record(z.string(), pattern),
  /** Articles that the venue's name goes without. */
  venueArticles: z.array(z.string()),
  /** Paths of texts that are the same in English. */
  sameAsEnglish: z.array(z.string()),
});
const englishSchema = glossarySchema.omit({ sameAsEnglish: true }).extend({
  /** Words that no other of the languages has. */
  ownWords: z.array(z.string()),
  /** Beginnings of paths where a term means something else, or the sentence needs none elsewhere. */
  termsInAnotherSense: z.array(z.string()),
});

function glossary<Schema extends z.ZodType>(folder: string, schema: Schema): z.infer<Schema> {
  const file = `src/language/${folder}/glossary.json`;
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

const english = textsOf(ENGLISH.tag);
const ofEnglish = glossary('en', englishSchema);
const ENGLISH_WORDS = new RegExp(`\\b(${ofEnglish.ownWords.join('|')})\\b`, 'iu');
/** Areas whose shortest texts, too, are others than in English, but for those that are alike. */
const ALL_OTHER = /^\.(card|errors|files|lists|notices|watch)\./;

describe.each(LANGUAGE_TAGS)('the texts in %s', (tag) => {
  const texts = textsOf(tag);
  const isEnglish = tag === ENGLISH.tag;
  const [folder = ''] = tag.split('-');
  const { avoid, terms, venueArticles, sameAsEnglish } = isEnglish
    ? { ...ofEnglish, sameAsEnglish: [] }
    : glossary(folder, glossarySchema);

  it('have no word and no mark that readers of the language stumble over', () => {
    const wrongs = avoid
      .filter(({ locale = tag }) => locale === tag)
      .map(({ pattern, anyCase, reason }) => ({
        wrong: new RegExp(pattern, anyCase ? 'iu' : 'u'),
        reason,
      }));
    const quotes = languageFor(tag).texts.format.quotes.join('');
    for (const [path, text] of [...texts, ['.format.quotes', quotes] as const]) {
      for (const { wrong, reason } of wrongs)
        expect.soft(proseOf(text), `${path}: ${reason}`).not.toMatch(wrong);
    }
  });

  it('use the terms of Discord and of trading that readers know', () => {
    expect(Object.keys(terms)).toEqual(Object.keys(ofEnglish.terms));
    for (const [name, source] of Object.entries(terms)) {
      const term = new RegExp(ofEnglish.terms[name] ?? '', 'iu');
      for (const [path, text] of english) {
        const isSaid = term.test(text.replaceAll(/`[^`]*`|“[^”]*”/g, 'code'));
        const isElsewhere = ['.names.', ...ofEnglish.termsInAnotherSense].some((start) =>
          path.startsWith(start),
        );
        if (isSaid && !isElsewhere)
          expect.soft(texts.get(path), `${path}: ${name}`).toMatch(new RegExp(source, 'iu'));
      }
    }
  });

  it('give the name of the venue no article', () => {
    const article = new RegExp(`\\b(${venueArticles.join('|')}) Zed`, 'iu');
    if (venueArticles.length === 0) return;
    for (const [path, text] of textsOf(tag, languagesNaming('Zed')))
      expect.soft(text, path).not.toMatch(article);
  });

  if (!isEnglish)
    it('have nothing left of the English texts', () => {
      for (const path of sameAsEnglish) expect.soft(texts.get(path), path).toBe(english.get(path));
      for (const [path, text] of texts) {
        const prose = proseOf(text);
        if (path.startsWith('.names.')) continue;
        expect.soft(prose, path).not.toMatch(ENGLISH_WORDS);
        const words = prose.match(/\p{Ll}{3,}/gu) ?? [];
        // Without a letter it arranges what it is given, and has no words of a language.
        const isShortToo = ALL_OTHER.test(path) && /\p{L}/u.test(text);
        const isOther = isShortToo ? !sameAsEnglish.includes(path) : words.length > 2;
        if (isOther) expect.soft(text, path).not.toBe(english.get(path));
      }
    });
});
