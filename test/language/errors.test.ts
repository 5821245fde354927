import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { randomRuns } from '../support/thorough.ts';

/** Discord's limit of a message's content. */
const CONTENT_LIMIT = 2_000;
const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== ENGLISH.tag);

type Texts = { readonly [key: string]: Texts | string | ((...parts: string[]) => string) };

/** All texts by their path, with something put in for each parameter. */
function rendered(texts: Texts, parts: readonly string[], path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]) => {
      const here = `${path}.${key}`;
      if (typeof text === 'string') return [[here, text] as const];
      if (typeof text === 'function') return [[here, text(...parts.slice(0, text.length))] as const];
      return [...rendered(text, parts, here)];
    }),
  );
}

/** The texts as data: a parameter that is a number in the code stands in the text as it is given. */
const textsOf = (tag: string): Texts => languageFor(tag).texts.errors as unknown as Texts;

function parametersOf(texts: Texts, path = ''): Map<string, number> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]) => {
      const here = `${path}.${key}`;
      if (typeof text === 'string') return [[here, 0] as const];
      return typeof text === 'function' ? [[here, text.length] as const] : [...parametersOf(text, here)];
    }),
  );
}

describe.each(OTHERS)('the errors in %s', (tag) => {
  it('are translated, and take the same parameters', () => {
    const parts = ['«1»', '«2»', '«3»'];
    const english = rendered(textsOf(ENGLISH.tag), parts);
    for (const [path, text] of rendered(textsOf(tag), parts)) {
      expect(text, path).not.toBe(english.get(path));
      expect(text, path).not.toMatch(/undefined|NaN|\[object/);
    }
    expect(parametersOf(textsOf(tag))).toEqual(parametersOf(textsOf(ENGLISH.tag)));
  });

  it('say all that they are given, whatever it is, in one message', () => {
    const part = fc.string({ minLength: 1, maxLength: 200, unit: 'binary' });
    fc.assert(
      fc.property(fc.tuple(part, part, part), (parts) => {
        const counts = parametersOf(textsOf(tag));
        for (const [path, text] of rendered(textsOf(tag), parts)) {
          for (const given of parts.slice(0, counts.get(path))) expect(text, path).toContain(given);
          expect(text.length, path).toBeLessThan(CONTENT_LIMIT);
        }
      }),
      randomRuns(20),
    );
  });

  it('count in words where the language does', () => {
    const { quota } = languageFor(tag).texts.errors;
    expect(quota.watches(200, 200, 1)).not.toContain('  ');
    expect(quota.watches(200, 199, 2)).toContain('2');
  });
});
