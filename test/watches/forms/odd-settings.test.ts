import { doubtsAbout, readModal } from '@walletbell/local-discord/discord/forms/modal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChannelOptions, WITHIN } from '../../../commands/watch/channel.ts';
import { channelForm } from '../../../commands/watch/panel/channel-forms.ts';
import { CHANNEL_FORMS, WATCH_FORMS } from '../../../commands/watch/panel/rows.ts';
import { watchForm } from '../../../commands/watch/panel/watch-forms.ts';
import { ENGLISH, LANGUAGE_TAGS, languageFor } from '../../../src/language/language.ts';
import {
  type ChannelSettings,
  channelSettingsSchema,
} from '../../../src/watches/channel-settings.ts';
import {
  compareWish,
  type Form,
  formMessage,
  givenBy,
  readForm,
  shownForm,
} from '../../../src/watches/forms/form.ts';
import { formArgs } from '../../../src/watches/forms/form-id.ts';
import { wordsIn } from '../../../src/watches/settings/words.ts';
import { DEFAULT_SETTINGS, settingsSchema } from '../../../src/watches/watch-settings.ts';
import { settingsArbitrary } from '../../commands/watch/settings-samples.ts';
import { orRefusal } from '../../support/or-refusal.ts';
import { WALLET } from '../../support/wallets.ts';

const CHANNEL = '200000000000000001';
const SUBJECT = { channelId: CHANNEL, wallet: WALLET };
const tags = fc.constantFrom(...LANGUAGE_TAGS);

const channelWith = (settings: object) =>
  channelSettingsSchema.parse({ ...settings, ownerId: CHANNEL, channelId: CHANNEL });

/** What stands in a form as it is opened. */
function opened(form: Form, tag = ENGLISH.tag): Map<string, readonly string[]> {
  const { components } = formMessage(form, shownForm(form, SUBJECT, languageFor(tag)), {
    name: 'watch:panel:x',
    title: 'x',
    language: languageFor(tag),
    isRole: () => true,
  });
  const shown = new Map<string, readonly string[]>();
  for (const part of components) {
    if (!('component' in part)) continue;
    const { component } = part;
    if ('options' in component) {
      const chosen = component.options?.filter((option) => option.default === true) ?? [];
      shown.set(
        component.custom_id,
        chosen.map(({ value }) => value ?? ''),
      );
    } else if ('default_values' in component) {
      shown.set(component.custom_id, component.default_values?.map(({ id }) => id) ?? []);
    } else if ('value' in component || 'style' in component) {
      const { value } = component as { value?: string };
      shown.set((component as { custom_id: string }).custom_id, value === undefined ? [] : [value]);
    }
  }
  return shown;
}

const changesOf = (
  shown: Form,
  submitted: ReadonlyMap<string, readonly string[]>,
  tag = ENGLISH.tag,
  stored = shown,
) => {
  const args = formArgs(shownForm(shown, SUBJECT, languageFor(tag)));
  return compareWish(stored, readForm(stored, args, submitted));
};

/** Settings that only a file can bring. */
const filed = settingsArbitrary({
  usdc: fc.oneof(
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: 0, max: 9_999_999 }).map((count) => count / 1_000),
  ),
  marketName: fc
    .string({ minLength: 1, maxLength: 200, unit: 'binary' })
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name.length <= 200),
  word: fc
    .string({ minLength: 1, maxLength: 60 })
    .map((name) => name.trim().toLowerCase())
    .filter((word) => wordsIn(word).length > 0),
  priceCents: fc
    .tuple(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
    )
    .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
});

const quiet = fc
  .record({
    fromMinutes: fc.integer({ min: 0, max: 1_439 }),
    toMinutes: fc.integer({ min: 0, max: 1_439 }),
    timeZone: fc.constantFrom(
      'Europe/Berlin',
      'America/Argentina/ComodRivadavia',
      'Asia/Tokyo',
      'UTC',
    ),
  })
  .filter(({ fromMinutes, toMinutes }) => fromMinutes !== toMinutes);
const channels: fc.Arbitrary<ChannelSettings> = fc
  .record({
    view: fc.constantFrom('full', 'compact'),
    consensus: fc.option(
      fc.record({
        wallets: fc.integer({ min: 2, max: 50 }),
        hours: fc.integer({ min: 60, max: 259_200 }).map((seconds) => seconds / 3_600),
      }),
    ),
    words: settingsArbitrary().map(({ words }) => words),
    consensusOnly: fc.boolean(),
    results: fc.boolean(),
    language: fc.option(tags),
    quiet: fc.option(quiet),
    delay: fc.option(
      fc.record({
        ms: fc.integer({ min: 60, max: 21_600 }).map((seconds) => seconds * 1_000),
        fromMs: fc.constant(5),
      }),
    ),
  })
  .map((settings) =>
    channelWith({
      ...settings,
      consensusOnly: settings.consensus !== null && settings.consensusOnly,
    }),
  );

describe('a form that is submitted as it was opened', () => {
  it('changes nothing, whatever a file has brought', () => {
    const property = fc.property(
      filed,
      fc.constantFrom(...WATCH_FORMS),
      tags,
      (settings, name, tag) => {
        const form = watchForm(name, { label: null, settings });
        const shown = orRefusal(() => opened(form, tag));
        if (typeof shown === 'string') return;
        const { changed } = changesOf(form, shown, tag);
        expect([...changed].map(([{ option }, text]) => [option, text])).toEqual([]);
      },
    );
    fc.assert(property);
  });

  it('changes nothing of a channel', () => {
    const property = fc.property(
      channels,
      fc.constantFrom(...CHANNEL_FORMS),
      tags,
      (settings, name, tag) => {
        const form = channelForm(name, settings);
        const { changed } = changesOf(form, opened(form, tag), tag);
        expect([...changed].map(([{ option }, text]) => [option, text])).toEqual([]);
      },
    );
    fc.assert(property);
  });
});

describe('a form of a channel', () => {
  it('makes of it what was typed and chosen, and nothing else', () => {
    const property = fc.property(channels, channels, tags, (before, after, tag) => {
      let made = before;
      for (const name of CHANNEL_FORMS) {
        const form = channelForm(name, made);
        const { changed } = changesOf(form, opened(channelForm(name, after), tag), tag);
        made = readChannelOptions(givenBy(changed, CHANNEL, {}), null, () => 5)(made);
      }
      expect(made).toEqual(after);
    });
    fc.assert(property);
  });
});

describe('a label of several lines', () => {
  it('stands in one, and stays as it is where nothing is typed', () => {
    const form = watchForm('name', { label: 'Whale\r\nof the desk', settings: DEFAULT_SETTINGS });
    const shown = opened(form);
    expect(shown.get('label')).toEqual(['Whale of the desk']);
    expect(changesOf(form, shown).changed.size).toBe(0);
  });
});

describe('names that are typed in a list that shows none', () => {
  it('are not lost where somebody else has set others meanwhile', () => {
    const shown = watchForm('markets', { label: null, settings: DEFAULT_SETTINGS });
    const theirs = settingsSchema.parse({ words: { mode: 'except', names: ['nba'] } });
    const submitted = opened(shown).set('words:more', ['lakers']);
    const { conflicts } = changesOf(
      shown,
      submitted,
      ENGLISH.tag,
      watchForm('markets', { label: null, settings: theirs }),
    );
    expect(conflicts).toMatchObject([{ mine: 'only: lakers', theirs: 'except: nba' }]);
  });
});

describe('a length of time that is typed', () => {
  it('is no other one where none is no value of it', () => {
    const before = channelWith({
      consensus: { wallets: 3, hours: 2 },
    });
    for (const typed of ['0', 'none', '0m', 'off']) {
      const form = channelForm('consensus', before);
      const submitted = opened(form).set('consensus-within:more', [typed]);
      const { changed } = changesOf(form, submitted);
      const made = orRefusal(() =>
        readChannelOptions(givenBy(changed, null, {}), null, () => 5)(before),
      );
      expect(made, typed).toContain('`consensus-within` can’t be');
    }
    expect(WITHIN).not.toContain('none');
  });
});

describe('forms with the longest settings', () => {
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => `${n}`.padStart(length, 'm'));
  const settings = settingsSchema.parse({
    kinds: ['buy', 'sell', 'redeem', 'deposit', 'opens', 'adds', 'reduces', 'closes', 'other'],
    minUsdc: 999_999_999.99,
    markets: { mode: 'except', names: names(19, 200) },
    words: { mode: 'only', names: names(20, 60) },
    priceCents: { min: 12.34, max: 98.76 },
    liquidityRole: 'taker',
    cooldownSeconds: 86_399,
    style: 'each',
    mention: { roleId: '300000000000000001', minUsdc: 999_999_999.99, cooldownSeconds: 86_399 },
    unusualOnly: true,
    silentBelowUsdc: 999_999_999.99,
  });
  const channel = channelWith({
    view: 'compact',
    consensus: { wallets: 50, hours: 71.99 },
    consensusOnly: true,
    words: settings.words,
    results: false,
    language: 'pt-BR',
    quiet: { fromMinutes: 1_439, toMinutes: 1_438, timeZone: 'America/Argentina/ComodRivadavia' },
    delay: { ms: 21_599_000, fromMs: 5 },
  });
  const watch = { label: '👩‍👩‍👧‍👦'.repeat(5) + 'x'.repeat(5), settings };

  it.each(LANGUAGE_TAGS)('are accepted by Discord in %s', (tag) => {
    const language = languageFor(tag);
    const forms = [
      ...WATCH_FORMS.map((name) => [name, watchForm(name, watch)] as const),
      ...CHANNEL_FORMS.map((name) => [name, channelForm(name, channel)] as const),
    ];
    for (const [name, form] of forms) {
      const message = formMessage(form, shownForm(form, SUBJECT, language), {
        name: `watch:panel:${name}`,
        title: `${language.texts.watch.panel.buttons[name]}: ${'👩‍👩‍👧‍👦'.repeat(5)}`,
        language,
        isRole: () => true,
      });
      expect(doubtsAbout(readModal(message)), name).toEqual([]);
    }
  });
});
