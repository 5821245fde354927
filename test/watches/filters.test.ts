import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../src/watches/settings/setting.ts';
import { passesWords, wordsNotIn } from '../../src/watches/settings/words.ts';
import {
  filterReasonOf,
  isPaused,
  passesFilters,
  recordKind,
  type WatchedItem,
  wantsGapsOf,
  watchSchema,
} from '../../src/watches/watch.ts';
import {
  DEFAULT_SETTINGS,
  UNFILTERED_SETTINGS,
  type WatchSettings,
} from '../../src/watches/watch-settings.ts';
import { sampleTrade, sampleTransfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { watchOf } from '../support/watch.ts';

const watched: fc.Arbitrary<WatchedItem> = fc.oneof(
  fc
    .record({
      action: fc.constantFrom('Buy', 'Sell', 'Redeem', 'Merge', 'toString'),
      marketId: fc.constantFrom('1', '2', '3'),
      marketSlug: fc.constantFrom('Rain', 'snow', ''),
      price: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
      liquidityRole: fc.constantFrom('MAKER', 'TAKER', null, 'BROKER'),
    })
    .map((changes): WatchedItem => ({ kind: 'activity', item: { ...sampleTrade(), ...changes } })),
  fc
    .constantFrom('deposit', 'withdrawal', 'rebate', '__proto__')
    .map((type): WatchedItem => ({ kind: 'transfer', item: { ...sampleTransfer(), type } })),
);
const filters = fc.record({
  kinds: fc.option(fc.subarray([...KINDS], { minLength: 1 })),
  markets: fc.option(
    fc.record({
      mode: fc.constantFrom('only' as const, 'except' as const),
      names: fc.subarray(['1', 'rain', 'snow', '9'], { minLength: 1 }),
    }),
  ),
  priceCents: fc.option(
    fc
      .tuple(fc.nat(100), fc.nat(100))
      .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
  ),
  liquidityRole: fc.constantFrom(null, 'maker' as const, 'taker' as const),
});

/** The same, written as a table of reasons to keep a record from the channel. */
function reasons(settings: WatchSettings, { kind, item }: WatchedItem): string[] {
  const word = kind === 'activity' ? item.action : item.type;
  const known: Record<string, string> = {
    Buy: 'buy',
    Sell: 'sell',
    Redeem: 'redeem',
    deposit: 'deposit',
    withdrawal: 'withdrawal',
  };
  const name = Object.keys(known).includes(word) ? known[word] : 'other';
  const found: string[] = [];
  const isWanted = settings.kinds?.some((wanted) => wanted === name) ?? name !== 'other';
  if (!isWanted) found.push('kind');
  if (kind === 'transfer') return found;
  const isListed = (settings.markets?.names ?? []).some(
    (listed) => listed === item.marketId || listed === item.marketSlug.toLowerCase(),
  );
  if (settings.markets?.mode === 'only' && !isListed) found.push('market');
  if (settings.markets?.mode === 'except' && isListed) found.push('market');
  if (name === 'redeem') return found;
  const { min, max } = settings.priceCents ?? { min: 0, max: 100 };
  if (item.price < min || item.price > max) found.push('price');
  const opposite =
    settings.liquidityRole === 'maker'
      ? 'TAKER'
      : settings.liquidityRole === 'taker'
        ? 'MAKER'
        : 'none';
  if (item.liquidityRole === opposite) found.push('role');
  return found;
}

describe('the filters of a watch', () => {
  it('let a record pass if nothing speaks against it', () => {
    fc.assert(
      fc.property(watched, filters, (record, chosen) => {
        const settings = { ...DEFAULT_SETTINGS, ...chosen };
        expect(passesFilters(settings, record)).toBe(reasons(settings, record).length === 0);
        expect(passesFilters(DEFAULT_SETTINGS, record)).toBe(recordKind(record) !== 'other');
        expect(passesFilters(UNFILTERED_SETTINGS, record)).toBe(true);
      }),
      randomRuns(4_000),
    );
  });

  it('do not take a word for a kind that is none', () => {
    for (const action of ['toString', '__proto__', 'buy']) {
      expect(recordKind({ kind: 'activity', item: { ...sampleTrade(), action } })).toBe('other');
    }
  });

  it('keep notices of missing records from a channel that wants nothing of their kind', () => {
    const gapsFor = (kinds: WatchSettings['kinds']) =>
      (['activity', 'deposits-withdrawals'] as const).map((name) =>
        wantsGapsOf({ settings: { ...DEFAULT_SETTINGS, kinds } }, name),
      );
    expect(gapsFor(null)).toEqual([true, true]);
    expect(gapsFor(['redeem'])).toEqual([true, false]);
    expect(gapsFor(['closes'])).toEqual([true, false]);
    expect(gapsFor(['withdrawal'])).toEqual([false, true]);
    expect(gapsFor(['other'])).toEqual([true, true]);
    expect(gapsFor(['buy', 'deposit'])).toEqual([true, true]);
  });
});

describe('words', () => {
  const isIn = (title: string, word: string, eventSlug = '') => {
    const item = { ...sampleTrade(), marketTitle: title, eventSlug };
    const passes = (mode: 'only' | 'except') => passesWords({ mode, names: [word] }, item);
    expect(passes('only'), `${word} in ${title}`).toBe(!passes('except'));
    expect(wordsNotIn([word], [item])).toEqual(passes('only') ? [] : [word]);
    return passes('only');
  };
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 });
  const spoilt = (text: string) =>
    fc
      .array(fc.constantFrom('upper', 'accent', 'wide', 'invisible', 'none'), {
        minLength: 8,
        maxLength: 8,
      })
      .map((ways) =>
        Array.from(text, (letter, index) => {
          const way = ways[index % ways.length];
          if (way === 'upper') return letter.toUpperCase();
          if (way === 'accent' && /[aeiou]/.test(letter)) return `${letter}\u0301`;
          if (way === 'wide') return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
          return way === 'invisible' ? `${letter}\u00ad` : letter;
        }).join(''),
      );
  const gap = fc.constantFrom(' ', '-', ', ', '! (', ' \u201c', '/', '\n');

  it('are found as whole words, in a row, whatever case, accents, width and punctuation', () => {
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 4 }),
        phrase.chain((words) => fc.tuple(fc.constant(words), spoilt(words.join(' ')))),
        fc.array(word, { maxLength: 4 }),
        gap,
        fc.boolean(),
        (before, [words, typed], after, between, isSlug) => {
          const text = [...before, ...words, ...after].join(between);
          expect(isSlug ? isIn('Which?', typed, text) : isIn(text, typed)).toBe(true);
        },
      ),
    );
  });

  it('are in a text only where its own words, in their order, hold them', () => {
    const some = fc.constantFrom('up', 'or', 'down', 'u', 'pdown');
    const row = (list: readonly string[]) => `,${list.join(',')},`;
    fc.assert(
      fc.property(
        fc.array(some, { minLength: 1, maxLength: 6 }),
        fc.array(some, { minLength: 1, maxLength: 3 }),
        (text, words) => {
          expect(isIn(text.join(' '), words.join(' '))).toBe(row(text).includes(row(words)));
        },
      ),
    );
  });

  it.each([
    ['Bitcoin Up or Down — 1 May, 4PM ET', 'up or down', true],
    ['Will the Supreme Court rule?', 'up', false],
    ['NBA: Lakers’ next coach', 'lakers', true],
    ['WNBA final', 'nba', false],
    ['Will the U.S. strike?', 'us', true],
    ['US x Iran ceasefire', 'U.S.', true],
    ['JD Vance out?', 'J.D. Vance', true],
    ['Is it over. A new start', 'overa', false],
    ['Plan B.No deal', 'bno', false],
    ['São Paulo élections', 'sao paulo elections', true],
    ['Große Straße', 'GROSSE STRASSE', true],
    ['Bitcoin above $100,000?', '$100,000', true],
    ['Bitcoin above $1,100?', '$100,000', false],
    ['東京で雨が降るか', '東京', true],
    ['京東で雨', '東京', false],
    ['NBA总决赛', 'nba', true],
    ['アップルの株価', 'アップ', false],
    ['ビットコインETF', 'ビットコイン', true],
    ['ペット大会', 'ベット', false],
    ['레이커스가 이길까?', '레이커스', true],
    ['मौसम कैसा है', 'मौसम', true],
  ])('in %j: %j is found: %j', (title, typed, isFound) => expect(isIn(title, typed)).toBe(isFound));

  it('keep nothing back that has neither title nor slug, nor transfers', () => {
    const untitled = { ...sampleTrade(), marketTitle: ' ', eventSlug: '' };
    for (const mode of ['only', 'except'] as const) {
      expect(passesWords({ mode, names: ['nba'] }, untitled)).toBe(true);
      const settings = { ...DEFAULT_SETTINGS, words: { mode, names: ['nba'] } };
      expect(passesFilters(settings, { kind: 'transfer', item: sampleTransfer() })).toBe(true);
    }
  });
});

describe('a watch that', () => {
  const { settings: _settings, pause: _pause, ...stored } = watchOf();

  it('was stored before there were settings alerts on everything', () => {
    const watch = watchSchema.parse(stored);
    expect(watch.settings).toEqual(DEFAULT_SETTINGS);
    expect(watch.pause).toBeNull();
    expect(
      filterReasonOf(watch, { kind: 'activity', item: sampleTrade() }, ['new'], 2_000),
    ).toBeNull();
  });

  it('is paused alerts on nothing until then, or until it is resumed', () => {
    const item = { kind: 'transfer', item: sampleTransfer() } as const;
    const paused = watchSchema.parse({ ...stored, pause: { untilSeconds: 2_000 } });
    expect([1_999, 2_000].map((now) => isPaused(paused, now))).toEqual([true, false]);
    expect([1_999, 2_000].map((now) => filterReasonOf(paused, item, ['new'], now))).toEqual([
      'pause',
      null,
    ]);
    expect(isPaused(watchSchema.parse({ ...stored, pause: { untilSeconds: null } }), 9e9)).toBe(
      true,
    );
  });

  it('has settings that cannot be read is not taken for one that wants everything', () => {
    for (const settings of [
      { minUsdc: -1 },
      { mention: { roleId: '@everyone', minUsdc: 0, cooldownSeconds: 0 } },
    ]) {
      expect(watchSchema.safeParse({ ...stored, settings }).success).toBe(false);
    }
  });
});
