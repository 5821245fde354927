import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WATCH_FORMS } from '../../../commands/watch/panel/rows.ts';
import { readWatchForm, watchForm } from '../../../commands/watch/panel/watch-forms.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../../src/language/language.ts';
import { componentsOf, type Filled, fill } from '../../../src/watches/forms/controls.ts';
import {
  compareWish,
  type Form,
  fieldsTooLong,
  formMessage,
  havingSeen,
  readForm,
  shownForm,
  withoutConflicts,
} from '../../../src/watches/forms/form.ts';
import { formArgs, readFormArgs } from '../../../src/watches/forms/form-id.ts';
import { DEFAULT_SETTINGS } from '../../../src/watches/watch-settings.ts';
import { settingsArbitrary } from '../../commands/watch/settings-samples.ts';
import { orRefusal } from '../../support/or-refusal.ts';
import { WALLET } from '../../support/wallets.ts';

const CHANNEL = '200000000000000001';
const SUBJECT = { channelId: CHANNEL, wallet: WALLET };
const tags = fc.constantFrom(...LANGUAGE_TAGS);
const names = fc.constantFrom(...WATCH_FORMS);
const label = fc.option(fc.stringMatching(/^[A-Za-zäß東京]{1,40}$/u));
const watches = fc.record({ label, settings: settingsArbitrary() });

/** What is submitted by who changes nothing of a form. */
function asFilled(form: Form, tag = ENGLISH.tag): Map<string, readonly string[]> {
  const language = languageFor(tag);
  const entries = form.fields.flatMap((field) => [
    ...fill(field, form.texts[field.option] ?? '', language),
  ]);
  return new Map(entries);
}

const argsOf = (form: Form, tag = ENGLISH.tag) =>
  formArgs(shownForm(form, SUBJECT, languageFor(tag)));

function messageOf(form: Form, name: string, title: string, tag = ENGLISH.tag) {
  const language = languageFor(tag);
  const shown = shownForm(form, SUBJECT, language);
  return formMessage(form, shown, { name, title, language, isRole: () => true });
}

const changesOf = (form: Form, args: readonly string[], submitted: Filled) =>
  compareWish(form, readForm(form, args, submitted));

const DEFAULTS = { label: null, settings: DEFAULT_SETTINGS };
const large = watchForm('large', DEFAULTS);

/** What `/watch edit` would make of the least amount that somebody types in the form. */
function typedLeast(typed: string, tag: (typeof LANGUAGE_TAGS)[number] = ENGLISH.tag) {
  const submitted = asFilled(large).set('min-usdc', [typed]);
  return orRefusal(() => {
    const { changed } = changesOf(large, argsOf(large, tag), submitted);
    return readWatchForm(changed, null)(DEFAULTS).settings.minUsdc;
  }, languageFor(tag));
}

describe('a form of a watch', () => {
  it('changes nothing when it is submitted as it was opened, in any language', () => {
    const property = fc.property(watches, names, tags, (watch, name, tag) => {
      const form = watchForm(name, watch);
      const { changed } = changesOf(form, argsOf(form, tag), asFilled(form, tag));
      expect([...changed.keys()].map(({ option }) => option)).toEqual([]);
    });
    fc.assert(property);
  });

  it('makes of a watch what was typed and chosen, and nothing else of it', () => {
    const property = fc.property(watches, watches, names, tags, (before, after, name, tag) => {
      const form = watchForm(name, before);
      const submitted = asFilled(watchForm(name, after), tag);
      const { changed, conflicts } = changesOf(form, argsOf(form, tag), submitted);
      const made = readWatchForm(changed, null)(before);
      expect(conflicts).toEqual([]);
      // As they are written: the order of kinds means nothing.
      expect(asFilled(watchForm(name, made), tag)).toEqual(submitted);
      for (const other of WATCH_FORMS) {
        if (other === name) continue;
        expect(
          watchForm(other, made).fields.map(({ option }) => watchForm(other, made).texts[option]),
        ).toEqual(
          watchForm(other, before).fields.map(
            ({ option }) => watchForm(other, before).texts[option],
          ),
        );
      }
    });
    fc.assert(property);
  });

  it('clears what is emptied', () => {
    const property = fc.property(watches, names, (before, name) => {
      const form = watchForm(name, before);
      const emptied: Filled = new Map([...asFilled(form).keys()].map((id) => [id, []]));
      const { changed } = changesOf(form, argsOf(form), emptied);
      const made = readWatchForm(changed, null)(before);
      expect(asFilled(watchForm(name, made))).toEqual(asFilled(watchForm(name, DEFAULTS)));
    });
    fc.assert(property);
  });

  it('says what others have cleared that a changed field needs, and gives all of it back to who wants it', () => {
    const settings = {
      ...DEFAULT_SETTINGS,
      mention: { roleId: '300000000000000001', minUsdc: 5, cooldownSeconds: 60 },
    };
    const shown = watchForm('mention', { label: null, settings });
    const submitted = asFilled(shown).set('mention-min-usdc', ['7']);
    const wish = readForm(shown, argsOf(shown), submitted);
    const cleared = watchForm('mention', DEFAULTS);
    const { conflicts } = compareWish(cleared, wish);
    expect(conflicts.map(({ field, mine, theirs }) => [field.option, mine, theirs])).toEqual([
      ['mention-min-usdc', '7', ''],
      ['mention', '300000000000000001', ''],
      ['mention-cooldown', '1m', ''],
    ]);
    const mine = compareWish(cleared, havingSeen(wish, conflicts));
    expect(mine.conflicts).toEqual([]);
    expect(readWatchForm(mine.changed, null)(DEFAULTS).settings.mention).toEqual({
      ...settings.mention,
      minUsdc: 7,
    });
    const theirs = compareWish(cleared, withoutConflicts(wish, conflicts));
    expect(theirs).toMatchObject({ conflicts: [], changed: new Map() });
  });

  it('says whose value is which where somebody else has changed the same meanwhile', () => {
    const shown = watchForm('large', DEFAULTS);
    const theirs = {
      label: null,
      settings: { ...DEFAULT_SETTINGS, minUsdc: 70, silentBelowUsdc: 9 },
    };
    const submitted = asFilled(shown).set('min-usdc', ['50']).set('min-price', ['5']);
    const read = changesOf(watchForm('large', theirs), argsOf(shown), submitted);
    expect(read.conflicts).toMatchObject([{ mine: '50', theirs: '70' }]);
    expect([...read.changed.values()]).toEqual(['50', '5']);
    const same = changesOf(
      watchForm('large', theirs),
      argsOf(shown),
      asFilled(shown).set('min-usdc', ['70']),
    );
    expect(same).toMatchObject({ conflicts: [], changed: new Map() });
  });

  it('has at most five components, labels and titles of 45 characters, menus of 25 options, in every language', () => {
    for (const tag of LANGUAGE_TAGS) {
      const language = languageFor(tag);
      const { fields, otherTime, onePerLine, newest } = language.texts.watch.panel;
      const { buttons } = language.texts.watch.panel;
      const labels = [
        ...Object.values(fields),
        ...Object.values(buttons),
        otherTime,
        onePerLine,
        newest,
      ];
      for (const one of labels) expect.soft(Array.from(one).length, one).toBeLessThanOrEqual(45);
      for (const name of WATCH_FORMS) {
        const form = watchForm(name, DEFAULTS);
        const parts = form.fields.flatMap((field) =>
          componentsOf(field, asFilled(form, tag), language, () => true),
        );
        expect(parts.length).toBeLessThanOrEqual(5);
        for (const { component } of parts) {
          if ('options' in component) expect(component.options?.length).toBeLessThanOrEqual(25);
        }
      }
    }
  });

  it('has custom ids of at most 100 characters', () => {
    const property = fc.property(watches, names, tags, (watch, name, tag) => {
      const form = watchForm(name, watch);
      const message = messageOf(form, `watch:panel:${name}`, 'x'.repeat(100), tag);
      expect(message.custom_id.length).toBeLessThanOrEqual(100);
      expect(message.title.length).toBe(45);
    });
    fc.assert(property);
  });

  it('leaves out what has no room in it, and leaves that as it is', () => {
    const markets = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(200, 'm'));
    const settings = { ...DEFAULT_SETTINGS, markets: { mode: 'only' as const, names: markets } };
    const form = watchForm('markets', { label: null, settings });
    expect(fieldsTooLong(form).map(({ option }) => option)).toEqual(['markets']);
    const { components } = messageOf(form, 'watch:panel:markets', 'x');
    const ids = components.map(
      (part) => 'component' in part && 'custom_id' in part.component && part.component.custom_id,
    );
    expect(ids).toEqual(['words', 'words:more']);
    const submitted = new Map([
      ['words', ['only']],
      ['words:more', ['nba']],
    ]);
    const { changed, conflicts } = changesOf(form, argsOf(form), submitted);
    expect([...changed].map(([{ option }, text]) => [option, text])).toEqual([
      ['words', 'only: nba'],
    ]);
    expect(conflicts).toEqual([]);
    const made = readWatchForm(changed, null)({ label: null, settings });
    expect(made.settings.markets).toEqual(settings.markets);
  });

  it('refuses what no form of ours sends', () => {
    const args = argsOf(large);
    const filled = asFilled(large);
    const without = new Map(filled);
    without.delete('size');
    const forged: (readonly [readonly string[], Filled])[] = [
      [args, without],
      [args, new Map()],
      [args, new Map(filled).set('size', ['huge'])],
      [args, new Map(filled).set('size', ['any', 'unusual'])],
      [args, new Map(filled).set('min-usdc', ['1'.repeat(5_000)])],
      [args.slice(0, 3), filled],
      [args.with(3, 'x'), filled],
      [args.with(2, 'xx'), filled],
      [args.with(1, 'AAAA'), filled],
      [args.with(0, '1'), filled],
    ];
    for (const [id, submitted] of forged) {
      expect(orRefusal(() => readForm(large, id, submitted), ENGLISH)).toBe(
        'This form doesn’t fit any more. Open it again. Nothing changed.',
      );
    }
  });

  it('reads no custom id that it does not write itself', () => {
    const property = fc.property(fc.array(fc.string(), { maxLength: 5 }), (args) => {
      const read = readFormArgs(args, 1);
      if (read !== undefined) expect(formArgs(read)).toEqual(args);
    });
    fc.assert(property);
  });
});

describe('a figure that is typed in a form', () => {
  it.each([
    ['$1,500.50', 'en-US', 1_500.5],
    ['1.500,50 $', 'en-US', 1_500.5],
    ['１０００', 'en-US', 1_000],
    ['  ', 'en-US', 0],
    ['0,5', 'en-US', 0.5],
    ['1,000', 'en-US', 1_000],
    ['1.000', 'de', 1_000],
    ['1 000', 'fr', 1_000],
    ['1 500 000,50 $', 'fr', 1_500_000.5],
    ['1.000.000', 'en-US', 1_000_000],
    ['$', 'en-US', 0],
  ] as const)('%s is read in %s', (typed, tag, usdc) => {
    expect(typedLeast(typed, tag)).toBe(usdc);
  });

  it.each([
    [
      '1.000',
      'en-US',
      '`min-usdc`: is `1.000` 1000 or 1? Type it without a separator. Nothing changed.',
    ],
    ['1,000', 'de', '`1,000`'],
    ['1.000', 'fr', '`1.000`'],
    ['1,000', 'fr', '`1,000`'],
    ['fifty', 'en-US', '`min-usdc` can’t be `fifty`'],
    ['-5', 'en-US', '`min-usdc` can’t be `-5`'],
    ['1.2.3', 'en-US', '`min-usdc`'],
    ['5 10', 'en-US', '`min-usdc` can’t be `5 10`'],
    ['50 94', 'fr', '`50 94`'],
    ['1 0000', 'fr', '`1 0000`'],
    ['0.125', 'en-US', 'two decimals'],
    ['2000000000', 'en-US', '1,000,000,000'],
  ] as const)('%s is refused in %s', (typed, tag, said) => {
    expect(typedLeast(typed, tag)).toContain(said);
  });

  it('means the same as every language writes it', () => {
    const hundredths = fc.integer({ min: 0, max: 1e11 }).map((count) => count / 100);
    const property = fc.property(hundredths, tags, (usdc, tag) => {
      const { format } = languageFor(tag);
      const written = format.quantity(usdc);
      if (usdc >= 0.01) expect(typedLeast(written, tag)).toBe(usdc);
    });
    fc.assert(property);
  });
});
