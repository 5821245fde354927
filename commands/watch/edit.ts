import { isDeepStrictEqual } from 'node:util';
import { checksummed } from '../../src/domain/address.ts';
import { EMBED_COLOURS, presentParts } from '../../src/embeds/embed-parts.ts';
import { joinFitting } from '../../src/embeds/text/limits.ts';
import { ENGLISH, type Language } from '../../src/language/language.ts';
import {
  type CommandOption,
  type InLanguage,
  textOption,
} from '../../src/slash-commands/options.ts';
import {
  type Change,
  type GivenOptions,
  notAccepted,
  TEXT_LIMIT,
} from '../../src/watches/settings/setting.ts';
import {
  listsGoingOn,
  meaningOf,
  typedList,
  typedName,
  typedNames,
} from '../../src/watches/settings/typed.ts';
import { LABEL_LIMIT, type Watch } from '../../src/watches/watch.ts';
import {
  DEFAULT_SETTINGS,
  editedSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  settingOf,
  type WatchSettings,
} from '../../src/watches/watch-settings.ts';
import type { Message } from '../shared/answer.ts';
import type { CommandContext } from '../shared/context.ts';
import { WALLET } from '../shared/wallet-option.ts';
import { watchRows } from './panel/rows.ts';
import { pressAnyway, unlessWarned } from './shared/anyway.ts';
import { historyLines } from './shared/changes.ts';
import {
  changeWatch,
  isChange,
  mentionWarnings,
  readWatch,
  type Subcommand,
  WATCHED_IN,
} from './shared/command.ts';
import { RESETTABLE, type Resettable, resetName } from './shared/resettable.ts';
import { suggestSeenWords, warningsOf } from './shared/seen-markets.ts';
import { channelName, pauseWords, shownName } from './shared/words.ts';

export type Editable = Pick<Watch, 'label' | 'settings'>;

/** Price from which on most fills sweep a market that is practically settled, in cents. */
const SWEEP_CENTS = 95;

/**
 * Numbers of names shown of a list after and before a change. The first combination that fits in an
 * answer is used.
 */
const NAMES_SHOWN = [
  [Infinity, Infinity],
  [Infinity, 3],
  [3, 3],
] as const;

const RESETTABLE_BY_NAME = typedNames((language) =>
  RESETTABLE.map((part) => [resetName(part, language), part]),
);

const LABEL = textOption('label', ({ settings }) => settings.label, LABEL_LIMIT);
/** Options of `/watch add`: what most channels want from the first alert on. */
const ON_ADD = ['kinds', 'minUsdc', 'style', 'mention'] as const;
export const ADD_OPTIONS = [LABEL, ...ON_ADD.map((name) => SETTINGS[name].options[0])];
export const EDIT_OPTIONS = [
  LABEL,
  ...SETTING_NAMES.flatMap((name) => settingOf(name).options),
  textOption('reset', ({ settings }) => settings.reset, TEXT_LIMIT, suggestResets),
];

const OPTIONS = EDIT_OPTIONS.map(
  (option): CommandOption<CommandContext> =>
    option.name === 'words' ? { ...option, suggest: suggestSeenWords } : option,
);

/** Options that identify the watch. */
const THE_WATCH = ['wallet', 'channel'];

/** `/watch edit`: changes label and settings of a watch. Without a change, shows them. */
export const watchEdit: Subcommand<{ readonly before: Watch; readonly change: Change<Editable> }> =
  {
    name: 'edit',
    about: (texts) => texts.edit,
    options: [WALLET, ...OPTIONS, WATCHED_IN],
    isPrivate: (interaction) => !isChange(interaction, THE_WATCH),

    check(interaction, context) {
      const before = readWatch(interaction, context);
      const change = readOptions(interaction);
      // Rejects settings that are incompatible.
      change(before);
      return { before, change };
    },

    async execute(interaction, context, { before, change }) {
      const { channelId } = before;
      if (!isChange(interaction, THE_WATCH)) {
        const components = watchRows(before, context);
        return { ...settingsAnswer(context, before), components };
      }
      const { settings } = change(before);
      const warnings = await warningsOf(channelId, settings, before.settings, context);
      const carryOut = async () => {
        let seen = before;
        const after = await changeWatch(context, before, (watch) => {
          seen = watch;
          return { ...watch, ...change(watch) };
        });
        return settingsAnswer(context, after, seen);
      };
      return unlessWarned(interaction, context, {
        subcommand: 'edit',
        channelId,
        warnings,
        carryOut,
      });
    },

    press: pressAnyway,
  };

/**
 * Returns the current settings of a watch as an answer.
 * @param before the watch before a change, if there was one
 */
export function settingsAnswer(context: CommandContext, watch: Watch, before?: Watch): Message {
  const { language } = context;
  const { edit } = language.texts.watch;
  const old = (before ?? watch).settings;
  const pause = pauseWords(watch, context.venueNowSeconds(), language);
  const channel = channelName(watch.channelId, context);
  const below = presentParts(
    pause !== null && `⏸️ ${pause}`,
    ...mentionWarnings(watch, context),
    ...hintsOf(old, watch.settings, language).map((hint) => `ℹ️ ${hint}`),
    `-# ${edit.where(`\`${checksummed(watch.wallet)}\``, channel)}`,
  );
  if (before === undefined) below.push(...historyLines(watch, context));
  const isChanged =
    before !== undefined &&
    !(before.label === watch.label && isDeepStrictEqual(before.settings, watch.settings));
  const heading =
    before !== undefined && !isChanged ? [language.texts.watch.settings.nothingChanged] : [];
  const titleOf = isChanged ? edit.changed : edit.settingsOf;
  const title = titleOf(shownName(watch.label));
  // Texts from the longest to the shortest.
  const texts = NAMES_SHOWN.map(([ofNew, ofOld]) => {
    const changed = changedLines(old, watch.settings, language, ofNew, ofOld);
    return joinFitting([...heading, ...changed, ...below]);
  });
  const whole = texts.find(({ left }) => left === 0) ?? texts.at(-1);
  const description = whole?.text ?? '';
  return { embeds: [{ title, description, color: EMBED_COLOURS.answer }] };
}

function suggestResets(typed: string, { language }: InLanguage) {
  const parts = RESETTABLE.map((part) => ({
    name: resetName(part, language),
    value: resetName(part, ENGLISH),
  }));
  return listsGoingOn(typed, parts, language.texts.watch.comma);
}

/**
 * Reads a command's options as a change of label and settings. First, the parts named in `reset`
 * return to their defaults, then each given option is applied.
 * @throws {UserError} that names the option and what it accepts. The change itself throws one if
 *   settings are incompatible, and then changes nothing
 */
export function readOptions(given: GivenOptions): Change<Editable> {
  const resets = readResets(given.options.getString('reset') ?? '');
  const changes = SETTING_NAMES.map((name) => [name, settingOf(name).read(given)] as const);
  const typed = given.options.getString('label')?.trim();
  return (present) => {
    const { label, settings } = reset(present, resets);
    const changed = changes.map(([name, change]) => [name, change(settings[name])]);
    return {
      label: typed === undefined ? label : labelOf(typed),
      settings: { ...settings, ...Object.fromEntries(changed) },
    };
  };
}

/** Returns the typed label; null for words that mean none. */
export function labelOf(typed: string): string | null {
  if (typed === '' || meaningOf(typed) === 'nothing') return null;
  return typed;
}

/** @throws {UserError} that quotes a name not in `RESETTABLE` */
function readResets(text: string): readonly Resettable[] {
  return typedList(text).map((name) => {
    const part = RESETTABLE_BY_NAME.get(typedName(name));
    if (part !== undefined) return part;
    throw notAccepted('reset', name, (language) => {
      const { settings: say, comma } = language.texts.watch;
      const names = RESETTABLE.map((one) => `\`${resetName(one, language)}\``);
      return say.accepted.resets(names.join(comma));
    });
  });
}

function reset(present: Editable, parts: readonly Resettable[]): Editable {
  let { label, settings } = present;
  for (const part of parts) {
    if (part === 'label') label = null;
    else if (part === 'all') settings = DEFAULT_SETTINGS;
    else settings = { ...settings, [part]: DEFAULT_SETTINGS[part] };
  }
  return { label, settings };
}

/** Returns the settings of a watch in words, one per line. */
export function settingsLines(settings: WatchSettings, language: Language): string[] {
  return changedLines(settings, settings, language);
}

/**
 * Returns the settings of a watch as in `settingsLines`. Changed ones are bold, with their previous
 * value.
 * @param namesShown number of names shown of each list after the change; the others are counted
 * @param oldNamesShown number of names shown of each list before the change
 */
function changedLines(
  before: WatchSettings,
  after: WatchSettings,
  language: Language,
  namesShown = Infinity,
  oldNamesShown = Infinity,
): string[] {
  const { everything, was } = language.texts.watch.settings;
  const old = new Map(editedSettings(before));
  const present = new Map(editedSettings(after));
  const phraseOf = (values: typeof old, name: SettingName, shown: number) => {
    const value = values.get(name);
    return value === undefined ? undefined : settingOf(name).say(value, language, shown);
  };
  const phrases: string[] = [];
  for (const name of SETTING_NAMES) {
    const isKept = phraseOf(old, name, Infinity) === phraseOf(present, name, Infinity);
    const oldPhrase = phraseOf(old, name, oldNamesShown);
    const newPhrase = phraseOf(present, name, namesShown);
    if (newPhrase === undefined) {
      if (oldPhrase !== undefined) phrases.push(`~~${oldPhrase}~~`);
    } else if (isKept) phrases.push(newPhrase);
    else {
      const before = oldPhrase ?? unset(name, language);
      phrases.push(before === null ? `**${newPhrase}**` : `**${newPhrase}** ${was(before)}`);
    }
  }
  if (present.size === 0) phrases.push(everything);
  return phrases.map((phrase) => `• ${phrase}`);
}

/** Returns the default value of a setting in words; null if it has no words for it. */
function unset(name: SettingName, { format }: Language): string | null {
  if (name === 'minUsdc') return format.settingUsdc(DEFAULT_SETTINGS.minUsdc);
  return null;
}

export function hintsOf(
  before: WatchSettings,
  { priceCents: band }: WatchSettings,
  language: Language,
): string[] {
  if (band === null || band.max < SWEEP_CENTS) return [];
  const isNew = before.priceCents?.min !== band.min || before.priceCents.max !== band.max;
  if (!isNew) return [];
  const { sweeps } = language.texts.watch.settings;
  return [sweeps(language.format.cents(SWEEP_CENTS), SWEEP_CENTS - 1)];
}
