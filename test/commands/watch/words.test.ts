import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingsLines } from '../../../commands/watch/edit.ts';
import { pauseWords } from '../../../commands/watch/shared/words.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import { parseKinds } from '../../../src/watches/settings/kinds.ts';
import { KINDS } from '../../../src/watches/settings/setting.ts';
import { parseWords, WORDS_LIMIT } from '../../../src/watches/settings/words.ts';
import {
  DEFAULT_SETTINGS,
  MARKETS_LIMIT,
  parseMarkets,
  settingsSchema,
  settingsWords,
} from '../../../src/watches/watch-settings.ts';
import { EDITED, settingsArbitrary } from './settings-samples.ts';

describe('kinds', () => {
  it.each([
    ['buy', ['buy']],
    ['sell, buy', ['buy', 'sell']],
    ['Buys and Sells', ['buy', 'sell']],
    ['trades', ['buy', 'sell']],
    ['redemptions withdrawals', ['redeem', 'withdrawal']],
    ['transfers', ['deposit', 'withdrawal']],
    ['open and closes', ['opens', 'closes']],
    ['closings, buys', ['buy', 'closes']],
    ['all', null],
    ['trades, transfers, redeem', null],
    ['trades, transfers, redeem, opens', null],
    ['all, buy', null],
    ['other', ['other']],
    ['Other actions, openings', ['opens', 'other']],
    ['Käufe und sonstige Aktionen', ['buy', 'other']],
    ['all, other', [...KINDS]],
    ['追加、縮小、決済', ['adds', 'reduces', 'closes']],
    ['買い増し、一部売却、全決済', ['adds', 'reduces', 'closes']],
    ['other, trades, closes, transfers and redemptions', [...KINDS]],
  ])('are read from %j', (text, kinds) => expect(parseKinds(text)).toEqual(kinds));

  it.each([
    '',
    'none',
    'bye',
    'buy, bye',
    'all actions',
    'none, other',
    ',',
    'constructor',
    'toString',
  ])('are not read from %j', (text) => expect(parseKinds(text)).toBeUndefined());
});

describe('markets', () => {
  it.each([
    ['only: rain-in-paris, 501', { mode: 'only', names: ['rain-in-paris', '501'] }],
    ['EXCEPT:501 502', { mode: 'except', names: ['501', '502'] }],
    ['except 501', { mode: 'except', names: ['501'] }],
    ['Rain-In-Paris,rain-in-paris', { mode: 'only', names: ['rain-in-paris'] }],
    ['only-one-winner', { mode: 'only', names: ['only-one-winner'] }],
    ['any', null],
    ['none', null],
  ])('are read from %j', (text, markets) => expect(parseMarkets(text)).toEqual(markets));

  it.each([
    '',
    'only:',
    'except',
    'https://venue.example/weather/rain',
    '`code`',
    'a'.repeat(201),
    Array.from({ length: MARKETS_LIMIT + 1 }, (_, index) => `m${index}`).join(','),
  ])('are not read from %j', (text) => expect(parseMarkets(text)).toBeUndefined());
});

describe('words', () => {
  it.each([
    ['only: NBA, los  Angeles Lakers', { mode: 'only', names: ['nba', 'los angeles lakers'] }],
    ['except: up or down', { mode: 'except', names: ['up or down'] }],
    ['Except：東京、Wahl；élection', { mode: 'except', names: ['東京', 'wahl', 'élection'] }],
    ['nba, nba', { mode: 'only', names: ['nba'] }],
    ['$100,000, 2024,2025', { mode: 'only', names: ['$100,000', '2024', '2025'] }],
    ['any', null],
  ])('are read from %j', (text, words) => expect(parseWords(text)).toEqual(words));

  it.each([
    '',
    'only:',
    'nba, $$$',
    'a'.repeat(61),
    Array.from({ length: WORDS_LIMIT + 1 }, (_, index) => `w${index}`).join(','),
  ])('are not read from %j', (text) => expect(parseWords(text)).toBeUndefined());
});

describe('the words of settings', () => {
  it('say what differs from a watch that nobody has edited, and nothing else', () => {
    expect(settingsWords(DEFAULT_SETTINGS, ENGLISH)).toEqual([]);
    expect(settingsLines(DEFAULT_SETTINGS, ENGLISH)).toEqual([
      '• every buy, sell, redemption, deposit and withdrawal',
    ]);
    expect(settingsWords(EDITED, ENGLISH, 2)).toEqual([
      'only buys and sells',
      'from $500',
      'not in rain-in-paris, 501 and 2 more',
      'only markets with `up or down`',
      'trades at 5¢ to 94¢',
      'only taker trades',
      'only trades of unusual size',
      'at most one alert per market every 10m',
      'one alert per fill',
      'mentions <@&300000000000000001> from $10,000, at most once every 1h30m',
      'silent below $1,000',
    ]);
    const band = (min: number, max: number) =>
      settingsWords(settingsSchema.parse({ priceCents: { min, max } }), ENGLISH);
    expect([band(0, 94), band(5.5, 100), band(50, 50)].flat()).toEqual([
      'trades at 94¢ or less',
      'trades at 5.5¢ or more',
      'trades at 50¢',
    ]);
  });

  it('name each setting that is not the default, one phrase each', () => {
    fc.assert(
      fc.property(settingsArbitrary(), (settings) => {
        const keys = Object.keys(DEFAULT_SETTINGS) as (keyof typeof settings)[];
        const edited = keys.filter((key) => settings[key] !== DEFAULT_SETTINGS[key]);
        expect(settingsWords(settings, ENGLISH)).toHaveLength(edited.length);
      }),
    );
  });

  it('name a pause only while it lasts', () => {
    const paused = { pause: { untilSeconds: 1_000 } };
    expect(pauseWords(paused, 999, ENGLISH)).toBe('paused until <t:1000:f> (<t:1000:R>)');
    expect(pauseWords(paused, 1_000, ENGLISH)).toBeNull();
    expect(pauseWords({ pause: { untilSeconds: null } }, 1_000, ENGLISH)).toContain(
      '/watch resume',
    );
    expect(pauseWords({ pause: null }, 1_000, ENGLISH)).toBeNull();
  });
});
