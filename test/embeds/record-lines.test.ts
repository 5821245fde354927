import { describe, expect, it } from 'vitest';
import { fullRecord, recordLines, verdictLine } from '../../src/embeds/record-lines.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { channelRecord } from '../scores/samples.ts';

/** Luck alone explains 12.4 cents a share there. */
const better = channelRecord(16.5);

describe('a verdict', () => {
  it('says what luck alone explains, but not where it stands on less than that', () => {
    expect(verdictLine(better, ENGLISH)).toBe(
      '**Better than luck** · **+16.5¢** a share, luck alone explains up to +12.4¢',
    );
    const onLess = { ...channelRecord(9), verdict: 'better' } as const;
    expect(verdictLine(onLess, ENGLISH)).toBe('**Better than luck** · **+9¢** a share');
    expect(verdictLine(channelRecord(9), ENGLISH)).toBe(
      '**Could be luck** · **+9¢** a share, luck alone explains up to +12.4¢',
    );
  });

  it('ends with why, where more wallets are compared', () => {
    const ended = { ...channelRecord(9), verdict: 'moreCompared' } as const;
    expect(verdictLine(ended, ENGLISH)).toMatch(/ · more wallets are compared now$/);
  });

  it('without an edge says how many markets there are, and many without a known end once', () => {
    expect(verdictLine(channelRecord(0.04), ENGLISH)).toBe(
      '**No edge shown** · **0¢** a share · 31 markets',
    );
    const few = recordLines(channelRecord(-0.9, { withoutEnd: 3 }), ENGLISH);
    expect(few[0]).toBe('**No edge shown** · **−0.9¢** a share · 31 markets');
    expect(few[1]).toContain('3 of 31 unresolved, counted as $0');
    const many = recordLines(channelRecord(-0.9, { withoutEnd: 4 }), ENGLISH);
    expect(many[0]).toBe('**No edge shown** · **−0.9¢** a share · 31 markets · 4 unresolved');
    expect(many[1]).not.toContain('unresolved');
  });

  it('is too early while nobody knows how long the markets of a wallet take', () => {
    const unknown = channelRecord(0, { bought: 7, matureToSeconds: null }, 0);
    expect(verdictLine(unknown, ENGLISH)).toBe(
      '**Too early to say** · how long its markets take isn’t known yet',
    );
    expect(
      verdictLine(channelRecord(0, {}, 0), ENGLISH),
      'of nothing bought there is no pace',
    ).toBe('**Too early to say** · 0 markets');
  });

  it('begins with words of its own in each language', () => {
    for (const language of LANGUAGE_TAGS.map(languageFor)) {
      const { better: one, luck, noEdge, tooEarly } = language.texts.record.verdicts;
      expect(new Set([one, luck, noEdge, tooEarly]).size, language.tag).toBe(4);
      expect(verdictLine(better, language)).toMatch(`**${one}**`);
    }
  });
});

describe('what a record rests on', () => {
  it('says how many markets once: in the verdict, or else first', () => {
    const basisOf = (...record: Parameters<typeof channelRecord>) =>
      recordLines(channelRecord(...record), ENGLISH)[1];
    expect(basisOf(16.5)).toMatch(/^31 markets · won 61%, paid for 55% · /);
    expect(basisOf(9)).toMatch(/^31 markets · won 61%/);
    expect(basisOf(-0.9)).toMatch(/^won 61%/);
    expect(basisOf(0, {}, 12), 'too few').toMatch(/^won 100%/);
    expect(basisOf(3, { isRanked: false }), 'too cheap').toMatch(/^won 61%/);
    expect(basisOf(3, { days: 4, isRanked: false })).toMatch(/^31 markets · won 61%/);
  });
});

describe('what is beyond luck', () => {
  it('stands in all that there is to say of a wallet that is better, and nowhere else', () => {
    const said = '+4.1¢ a share is beyond luck. ';
    expect(fullRecord(better, ENGLISH)[1]).toContain(said);
    expect(recordLines(better, ENGLISH).join()).not.toContain('beyond');
    for (const record of [channelRecord(9), { ...channelRecord(9), verdict: 'better' } as const])
      expect(fullRecord(record, ENGLISH).join()).not.toContain('beyond');
  });
});
