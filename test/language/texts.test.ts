import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../commands/watch/edit.ts';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  type Language,
  languageFor,
  languagesNaming,
} from '../../src/language/language.ts';
import { storedLanguage } from '../../src/language/stored-language.ts';
import { readTime } from '../../src/lookups/filters.ts';
import { channelSettingsSchema } from '../../src/watches/channel-settings.ts';
import { parseKinds } from '../../src/watches/settings/kinds.ts';
import { isNothing } from '../../src/watches/settings/typed.ts';
import { DEFAULT_SETTINGS, parseMarkets } from '../../src/watches/watch-settings.ts';
import { given } from '../commands/watch/settings-samples.ts';
import { sourceFiles } from '../docs/pages.ts';
import { widthOf } from '../support/text-width.ts';
import { PARTS, rendered, textsOf } from './rendered-texts.ts';

/** Bold print, and what is quoted as it is typed. */
const marksIn = (text = '') => (text.match(/\*\*|`(?:0x|2h|\d)[^`]*`/g) ?? []).toSorted();
/** What stands between two texts, or between a figure and the next. */
const JOINTS = /\.(gap|comma|time\.\w+)$/;

/** Labels of buttons, with what stands in them. */
const BUTTONS = [
  /^\.details\.buttons\./,
  /^\.lists\.buttons\./,
  /^\.files\.import\.(apply|cancel)$/,
  /^\.watch\.(undo\.button|mute\.unmute|pause\.resume|flood\.(minUsdc|cooldown))$/,
  /^\.personal\.forget\.(yes|no)$/,
];
/** What a button of a phone shows in a line, in letters of a Latin script. */
const BUTTON_WIDTH = 42;

describe.each(LANGUAGE_TAGS)('the texts in %s', (tag) => {
  const texts = textsOf(tag);

  it('say all that the English texts say, and nothing of the code', () => {
    const english = textsOf(ENGLISH.tag);
    expect(Object.keys(languageFor(tag).texts).toSorted()).toEqual(
      Object.keys(ENGLISH.texts).toSorted(),
    );
    expect([...english.keys()].filter((path) => texts.has(path))).toEqual([...texts.keys()]);
    for (const [path, text] of texts) {
      expect.soft(text, path).not.toMatch(/undefined|NaN|\[object|=>/);
      const said = PARTS.filter((part) => english.get(path)?.includes(part));
      for (const part of said) expect.soft(text, path).toContain(part);
      expect.soft(marksIn(text), path).toEqual(marksIn(english.get(path)));
    }
  });

  it('say it of one thing as well, for which languages have words of their own', () => {
    const ofOne = (language: Language) =>
      rendered(language.texts.watch, '.watch', [1, ...PARTS.slice(1)]);
    const english = new Map(ofOne(ENGLISH));
    for (const [path, text] of ofOne(languageFor(tag))) {
      expect.soft(text, path).not.toMatch(/undefined|null|NaN|\[object|=>/);
      for (const part of PARTS.filter((one) => english.get(path)?.includes(one)))
        expect.soft(text, path).toContain(part);
    }
  });

  it('have no space where none belongs', () => {
    for (const [path, text] of texts) {
      expect.soft(text, path).not.toMatch(/\s{2}/);
      if (!JOINTS.test(path)) expect.soft(text, path).toBe(text.trim());
    }
  });

  it('have labels of buttons that fit a phone', () => {
    const labels = [...texts].filter(([path]) => BUTTONS.some((button) => button.test(path)));
    expect(labels.length).toBeGreaterThan(15);
    for (const [path, label] of labels)
      expect.soft(widthOf(label), label + path).toBeLessThanOrEqual(BUTTON_WIDTH);
  });

  it('are not much longer than in English, so that they have room where those have', () => {
    const english = textsOf(ENGLISH.tag);
    for (const [path, text] of texts) {
      const length = english.get(path)?.length ?? 0;
      expect
        .soft(text.length, `${path}: ${text}`)
        .toBeLessThanOrEqual(Math.ceil(1.8 * length) + 16);
    }
  });

  it('name the venue where the English ones say the exchange, and as the operator calls it', () => {
    // A correction names it in its first line, or in the small print where that line is long.
    const placeOf = ([path]: readonly [string, string]) =>
      path.replace(/^\.alerts\.amended\..*/, '.alerts.amended');
    const english = [...textsOf(ENGLISH.tag)].filter(
      ([path, text]) => texts.has(path) && /exchange/i.test(text),
    );
    const named = [...textsOf(tag, languagesNaming('Zed'))].filter(([, text]) =>
      text.includes('Zed'),
    );
    expect(new Set(named.map(placeOf))).toEqual(new Set(english.map(placeOf)));
    for (const [path, text] of named) {
      expect.soft(text, path).not.toMatch(/\s{2}/);
      expect.soft(text, path).toBe(text.trim());
    }
    for (const [path, text] of texts) expect.soft(text, path).not.toMatch(/\bvenue\b/i);
  });

  it('end with a stop where they are sentences', () => {
    const { errors, watch } = languageFor(tag).texts;
    const sentences = [
      ...rendered(errors.venue),
      ...rendered(errors.quota),
      ...rendered(errors.channel),
      ...rendered(watch.resume),
      ['.watch.status.waiting', watch.status.waiting(2, '3 s')],
    ];
    for (const [path, text] of sentences) expect.soft(text, path).toMatch(/[.。]$/);
  });
});

it.each(LANGUAGE_TAGS)(
  'the deletion of data counts no wallets where there are none, in %s',
  (tag) => {
    const { question } = languageFor(tag).texts.personal.forget;
    expect(question(0)).not.toMatch(/\d/);
    expect(question(21)).toContain('21');
  },
);

it('all count nouns by the rules of the language that they are in', () => {
  const tags = sourceFiles('src/language').flatMap((file) => {
    const [, folder] = /language\/([a-z]+)\//.exec(file) ?? [];
    const found = [...readFileSync(file, 'utf8').matchAll(/\bplural\('(\w+)[^']*'\)/g)];
    return found.map(([, tag]) => ({ file, folder, tag }));
  });
  expect(tags.length).toBeGreaterThan(50);
  expect(tags.filter(({ folder, tag }) => folder !== tag)).toEqual([]);
});

describe('a refusal', () => {
  it.each(LANGUAGE_TAGS)('says that nothing has changed, in %s', (tag) => {
    const { settings, channel } = languageFor(tag).texts.watch;
    const [, nothingChanged = ''] =
      /[.。]\s?([^.。]+[.。])$/.exec(settings.notAccepted('a', '`b`', 'c')) ?? [];
    expect(nothingChanged).not.toBe('');
    const refusals = [
      settings.bandWrong('1', '2'),
      settings.notEveryone,
      settings.needsRole('a'),
      channel.walletsWrong(1, 2, 50),
      languageFor(tag).texts.errors.quota.watches(200, 200, 1),
      languageFor(tag).texts.errors.quota.total(1),
    ];
    for (const refusal of refusals) {
      expect(refusal).toContain(nothingChanged);
      expect(refusal).not.toMatch(/\s{2}/);
    }
  });
});

describe.each(LANGUAGE_TAGS)('what help in %s offers between quotes', (tag) => {
  const { commands, names, format } = languageFor(tag).texts;
  const { settings, channel, activity } = commands;
  const [before, after] = format.quotes;

  it('is accepted as it stands there', () => {
    const pieces = (text: string) => text.split(before).slice(1);
    const quoted = (text: string) => pieces(text).map((piece) => piece.split(after)[0] ?? '');
    const { none, all, any, only, except } = names.typed;
    expect(quoted(settings.kinds)).toHaveLength(2);
    expect(parseKinds(quoted(settings.kinds)[0] ?? '')).toEqual(['buy', 'sell']);
    expect(parseKinds(quoted(settings.kinds)[1] ?? '')).toEqual(['opens', 'closes']);
    const reset = readOptions(given({ reset: quoted(settings.reset)[0] ?? '' }))({
      label: 'a',
      settings: DEFAULT_SETTINGS,
    });
    expect(reset.label).toBe('a');
    for (const nothing of [none, all, any]) expect.soft(isNothing(nothing), nothing).toBe(true);
    for (const [word, mode] of [
      [only, 'only'],
      [except, 'except'],
    ] as const) {
      expect(parseMarkets(`${word}: 501, rain-in-paris`)).toEqual({
        mode,
        names: ['501', 'rain-in-paris'],
      });
    }
    for (const text of [settings.markets, settings.words, channel.words])
      expect(text).toContain(before + except);
    expect(
      readOptions(given({ label: none }))({ label: 'a', settings: DEFAULT_SETTINGS }).label,
    ).toBeNull();
  });

  it('names reset as the one way that clears a setting', () => {
    const { reset, ...others } = settings;
    expect(reset).toContain(before + names.typed.all + after);
    const said = Object.entries({ ...others, ...channel }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    expect(said.length).toBeGreaterThan(20);
    for (const [option, text] of said) {
      for (const word of [names.typed.none, names.typed.all, names.typed.any]) {
        expect.soft(text, option).not.toContain(before + word + after);
      }
      expect.soft(text, option).not.toMatch(/[;；。] ?(0|100)\s?[:：は ]/);
    }
  });

  it('is read as a time', () => {
    const examples = activity.from.split(/[:：,、（(]\s?/).slice(1, 4);
    expect(examples).toHaveLength(3);
    const noon = 1_800_014_400;
    const read = examples.map((text) => readTime(text.trim(), 'from', noon));
    const midnight = noon - (noon % 86_400);
    expect(read).toEqual([noon - 7_200, noon - 3 * 86_400, midnight - 86_400]);
    const at = readTime(`${names.typed.today} 09:30`, 'from', noon);
    expect(at).toBe(midnight + 9 * 3_600 + 1_800);
  });
});

describe('a locale that reads the texts of another', () => {
  it('calls permissions, settings and the first command as its own client does', () => {
    const [spain, latinAmerica] = (['es-ES', 'es-419'] as const).map((tag) => textsOf(tag));
    const changed = [...(spain ?? [])].filter(([path, text]) => latinAmerica?.get(path) !== text);
    const asThere = (text: string) =>
      text
        .replaceAll('Gestionar', 'Administrar')
        .replaceAll('añadir', 'agregar')
        .replaceAll('añadida', 'agregada')
        .replaceAll('Ajustes de privacidad', 'Configuración de privacidad');
    for (const [path, text] of changed) {
      if (!path.endsWith('.languageName'))
        expect.soft(latinAmerica?.get(path), path).toBe(asThere(text));
    }
    const paths = changed.map(([path]) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        '.watch.mute.managersOnly',
        '.watch.nothingWatched',
        '.personal.refused.closed',
      ]),
    );
    expect(languageFor('es-419').format.cents(63.5)).toBe('63.5¢');
    expect(languageFor('es-ES').format.cents(63.5)).toBe('63,5\u00a0¢');
  });

  it('is English in Taiwan, and what earlier releases stored of it is read', () => {
    expect(languageFor('zh-TW')).toBe(ENGLISH);
    expect(LANGUAGE_TAGS).not.toContain('zh-TW');
    const channel = { ownerId: '100000000000000001', channelId: '200000000000000001' };
    const settings = channelSettingsSchema.parse({ ...channel, language: 'zh-TW' });
    expect(settings.language).toBe('zh-CN');
    expect(storedLanguage('en-US').parse('zh-TW')).toBe('en-US');
    expect(storedLanguage('en-US').parse('de')).toBe('de');
    expect(storedLanguage('en-US').safeParse('zh-HK').success).toBe(false);
  });
});
