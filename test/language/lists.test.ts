import { describe, expect, it } from 'vitest';
import { chartLanguage, drawable } from '../../src/charts/chart.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { readFilters } from '../../src/lookups/filters.ts';
import { orRefusal } from '../support/or-refusal.ts';

const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== ENGLISH.tag);

describe.each(OTHERS)('lists and cards in %s', (tag) => {
  it('have room in their footers and pictures', () => {
    const language = languageFor(tag);
    expect(language.texts.card.didNotFit('1,000', 1_000).length).toBeLessThanOrEqual(40);
    const { netDeposits, bought, sold, redeemed, per } = chartLanguage(language).texts.lists.chart;
    const drawn = [netDeposits('W'.repeat(26)), bought, sold, redeemed];
    const spans = Object.values(per).flatMap((say) => [say(1), say(30)]);
    for (const text of [...drawn, ...spans])
      expect(drawable(text, 45, '')).toBe(text.replaceAll('\u00a0', ' '));
  });

  it('refuse an option and quote what was typed', () => {
    for (const [option, typed] of [
      ['market', 'no slug!'],
      ['action', 'Merge'],
      ['from', 'soon'],
      ['to', '2026-02-30'],
      ['transaction', '0x12'],
    ] as const) {
      const read = () =>
        readFilters(
          (name) => (name === option ? typed : null),
          1_800_000_000,
          () => undefined,
        );
      expect(orRefusal(read, languageFor(tag))).toContain(`\`${typed}\``);
    }
  });
});
