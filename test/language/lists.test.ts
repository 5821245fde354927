import { describe, expect, it } from 'vitest';
import { chartLanguage, drawable } from '../../src/charts/chart.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { readFilters } from '../../src/lookups/filters.ts';
import { orRefusal } from '../support/or-refusal.ts';

type Texts = { readonly [key: string]: Texts | string | ((...parts: unknown[]) => string) };

const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== ENGLISH.tag);
const AREAS = ['lists', 'card', 'files'] as const;
const PARTS = ['«1»', '«2»', '«3»', '«4»', '«5»', '«6»'];
/** Texts that take a list, the others take figures, names and times. */
const TAKE_LISTS = ['.lists.totals.notKnownFor', '.files.accepted.oneOf'];
/** Texts that may be as they are in English: short words that traders share, and bare arrangements of what they are given. */
const ALIKE = new RegExp(
  [
    'lists\\.(gap|reach\\.sentence)',
    'lists\\.filters\\.transaction',
    'lists\\.totals\\.(during|net|netNone|windows\\.day)',
    'lists\\.market\\.wallets',
    'card\\.(names\\.volume|volumeIn|taker)',
    'files\\.places\\.before',
  ]
    .map((path) => `^\\.${path}$`)
    .join('|'),
);
/** What English says of its own reader, and the others in words of theirs. */
const ENGLISH_ONLY = '.files.faults.noCsv';

/** All texts by their path. @param first what stands in the place of the first parameter, and so on */
function rendered(texts: Texts, parts: readonly unknown[], path: string): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]) => {
      const here = `${path}.${key}`;
      if (typeof text === 'string') return [[here, text] as const];
      if (typeof text === 'object') return [...rendered(text, parts, here)];
      if (TAKE_LISTS.includes(here)) return [[here, text([parts[0]])] as const];
      return [[here, text(...parts)] as const];
    }),
  );
}

/** The texts of all areas as data. */
function textsOf(tag: string, parts: readonly unknown[]): Map<string, string> {
  const { texts } = languageFor(tag);
  return new Map(AREAS.flatMap((area) => [...rendered(texts[area] as unknown as Texts, parts, `.${area}`)]));
}

describe.each(OTHERS)('lists, cards and files in %s', (tag) => {
  it('are translated, and say all that the English texts say', () => {
    const english = textsOf(ENGLISH.tag, PARTS);
    const others = textsOf(tag, PARTS);
    expect([...others.keys()]).toEqual([...english.keys()]);
    for (const [path, text] of others) {
      if (!ALIKE.test(path)) expect(text, path).not.toBe(english.get(path));
      expect(text, path).not.toMatch(/undefined|NaN|\[object/);
      const given = PARTS.filter((part) => english.get(path)?.includes(part));
      if (path !== ENGLISH_ONLY) for (const part of given) expect(text, path).toContain(part);
      const marks = (of = '') => [...of.matchAll(/\*\*|`(?:0x|2h|\d)[^`]*`/g)].map(String).sort();
      expect(marks(text), path).toEqual(marks(english.get(path)));
    }
  });

  it('keep to the limits of buttons, footers and pictures, and of one they speak as of one', () => {
    const { lists, card, files } = languageFor(tag).texts;
    for (const label of [...Object.values(lists.buttons), files.import.apply, files.import.cancel]) {
      expect(label.length).toBeLessThanOrEqual(80);
    }
    expect(card.didNotFit('1,000', 1_000).length).toBeLessThanOrEqual(40);
    for (const text of textsOf(tag, ['1', 1, 1, 1, 1, 1]).values()) expect(text.length).toBeLessThan(600);
    const { chart } = chartLanguage(languageFor(tag)).texts.lists;
    const drawn = rendered(chart as unknown as Texts, ['W'.repeat(26)], '');
    for (const text of drawn.values()) expect(drawable(text, 45, '')).toBe(text.replaceAll('\u00a0', ' '));
  });

  it('refuse an option and quote what was typed', () => {
    const none = { market: null, action: null, from: null, to: null, transaction: null };
    for (const [option, typed] of [
      ['market', 'no slug!'],
      ['action', 'Merge'],
      ['from', 'soon'],
      ['to', '2026-02-30'],
      ['transaction', '0x12'],
    ] as const) {
      const read = () => readFilters({ ...none, [option]: typed }, 1_800_000_000, () => undefined);
      expect(orRefusal(read, languageFor(tag))).toContain(`\`${typed}\``);
    }
  });
});
