import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as german from '../../src/language/de/index.ts';
import { ENGLISH, languageFor } from '../../src/language/language.ts';
import { missingTexts, textsOf } from '../../src/language/texts.ts';
import { completed, missing } from '../../src/language/translated.ts';
import { MISSING_TEXTS } from './missing-texts.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** Groups of texts within groups, and a text alone. */
const { group } = fc.letrec<{ group: Record<string, unknown>; text: unknown }>((tie) => ({
  group: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.oneof(tie('text'), tie('group')), {
    maxKeys: 4,
  }),
  text: fc.oneof(
    fc.string(),
    fc.constant(() => 'made'),
    fc.constant(['one', 'two']),
  ),
}));

describe('a text that a language lacks', () => {
  const partsWithoutUndo: typeof german = {
    ...german,
    errors: () => ({}),
    watch: (venue, terms) => {
      const {
        undo: _undo,
        nothingWatched: _nothingWatched,
        ...others
      } = german.watch(venue, terms);
      return others;
    },
  };

  it('is the English one, with the names of commands as that language has them', () => {
    const { watch } = textsOf(partsWithoutUndo)(null);
    const german = languageFor('de').texts.watch;
    expect(watch.undo.button).toBe(ENGLISH.texts.watch.undo.button);
    expect(watch.nothingWatched('#trades')).toMatch(/watched.*`\/beobachten hinzufügen`/s);
    expect(watch.edit.changed('Whale')).toBe(german.edit.changed('Whale'));
    expect(missingTexts(partsWithoutUndo)).toContain('watch.undo.button');
  });

  it('names the venue as the operator calls it', () => {
    const { errors } = textsOf(partsWithoutUndo)('Zed');
    expect(errors.venue.unreachable).toMatch(/^Zed isn’t responding/);
  });

  it('is listed, and nothing else is', () => {
    fc.assert(
      fc.property(group, fc.infiniteStream(fc.boolean()), (english, kept) => {
        const own = thinned(english, kept);
        expect(completed(english, own)).toEqual(english);
        expect(missing(english, own).toSorted()).toEqual(
          pathsOf(english)
            .filter((path) => !pathsOf(own).includes(path))
            .toSorted(),
        );
      }),
    );
  });

  it('does not come with a release', () => {
    const isRelease = !version.endsWith('-dev');
    const texts = [...MISSING_TEXTS].flatMap(([folder, paths]) =>
      paths.map((path) => `${folder}: ${path}`),
    );
    expect(isRelease ? texts : []).toEqual([]);
  });
});

it('a text that English lacks does not compile', () => {
  // @ts-expect-error: no such text
  expect(ENGLISH.texts.watch.noSuchText).toBeUndefined();
  // @ts-expect-error: what no English text is called, no other may be
  const more: Parameters<typeof textsOf>[0]['card'] = { noSuchText: '' };
  expect(more).toBeDefined();
});

/** Leaves texts and groups out. */
function thinned(texts: unknown, kept: fc.Stream<boolean>): never {
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts)) return texts as never;
  const entries = Object.entries(texts).filter(() => kept.next().value);
  return Object.fromEntries(entries.map(([name, text]) => [name, thinned(text, kept)])) as never;
}

function pathsOf(texts: unknown, path: readonly string[] = []): string[] {
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts)) return [path.join('.')];
  return Object.entries(texts).flatMap(([name, text]) => pathsOf(text, [...path, name]));
}
