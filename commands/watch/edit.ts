import { checksummed } from '../../src/domain/address.ts';
import { EMBED_COLOURS } from '../../src/embeds/embed-parts.ts';
import { ENGLISH, type Language } from '../../src/language/language.ts';
import {
  type CommandOption,
  type InLanguage,
  textOption,
} from '../../src/slash-commands/options.ts';
import { type GivenOptions, notAccepted, TEXT_LIMIT } from '../../src/watches/settings/setting.ts';
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
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  settingOf,
  settingsWords,
  type WatchSettings,
} from '../../src/watches/watch-settings.ts';
import type { CommandContext } from '../shared/context.ts';
import { WALLET } from '../shared/wallet-option.ts';
import {
  changeWatch,
  mentionWarnings,
  readWatch,
  type Subcommand,
  WATCHED_IN,
} from './shared/command.ts';
import { seenWarnings, suggestSeenWords } from './shared/seen-markets.ts';
import { channelName, pauseWords, shownName } from './shared/words.ts';

export type Editable = Pick<Watch, 'label' | 'settings'>;

/** From here on a fill is mostly the sweep of a market that is as good as settled. */
const SWEEP_CENTS = 95;

/** What the option `reset` takes; `all` leaves the label. */
export const RESETTABLE: readonly (SettingName | 'label' | 'all')[] = [
  ...SETTING_NAMES,
  'label',
  'all',
];
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

/** `/watch edit`: changes label and settings of a watch; without a change it shows them. */
export const watchEdit: Subcommand<Watch> = {
  name: 'edit',
  about: (texts) => texts.edit,
  options: [WALLET, ...OPTIONS, WATCHED_IN],
  isPrivate: false,

  check(interaction, context) {
    const watch = readWatch(interaction, context);
    applyOptions(watch, interaction);
    return watch;
  },

  async execute(interaction, context, before) {
    const { language, place } = context;
    const given = interaction.options.data.flatMap((subcommand) => subcommand.options ?? []);
    const isChange = given.some(({ name }) => name !== 'wallet' && name !== 'channel');
    const after = isChange
      ? await changeWatch(context, before, (watch) => ({
          ...watch,
          ...applyOptions(watch, interaction),
        }))
      : before;
    const { edit } = language.texts.watch;
    const pause = pauseWords(after, context.venueNowSeconds(), language);
    const description = [
      ...settingsLines(after.settings, language),
      ...(pause === null ? [] : [`⏸️ ${pause}`]),
      ...(await seenWarnings([after.wallet], after.settings, before.settings, context)),
      ...mentionWarnings(interaction, after, language),
      ...hintsOf(before.settings, after.settings, language).map((hint) => `ℹ️ ${hint}`),
      `-# ${edit.where(`\`${checksummed(after.wallet)}\``, channelName(after.channelId, place, language))}`,
    ].join('\n');
    const title = (isChange ? edit.changed : edit.settingsOf)(shownName(after.label));
    return { embeds: [{ title, description, color: EMBED_COLOURS.answer }] };
  },
};

function suggestResets(typed: string, { language }: InLanguage) {
  const parts = RESETTABLE.map((part) => ({
    name: resetName(part, language),
    value: resetName(part, ENGLISH),
  }));
  return listsGoingOn(typed, parts, language.texts.watch.comma);
}

/** What a part is called where it is reset: mostly the option's own name. */
export function resetName(part: (typeof RESETTABLE)[number], language: Language): string {
  const { options, typed } = language.texts.names;
  if (part === 'all') return typed.all;
  if (part === 'label') return options.label;
  const row = settingOf(part);
  return row.resetName?.(language) ?? options[row.options[0].name];
}

/**
 * Label and settings as they are after a command: what `reset` names goes back to its default
 * first, then each option that was given has its say.
 *
 * @throws {UserError} that names the option and what it accepts; there is no half of a change
 */
export function applyOptions(present: Editable, given: GivenOptions): Editable {
  const { label, settings } = applyReset(present, given.options.getString('reset') ?? '');
  const changed = SETTING_NAMES.map((name) => [name, settingOf(name).read(given, settings[name])]);
  const typed = given.options.getString('label')?.trim();
  return {
    label: typed === undefined ? label : labelOf(typed),
    settings: { ...settings, ...Object.fromEntries(changed) },
  };
}

/** The label that was typed; null for words that mean none. */
function labelOf(typed: string): string | null {
  if (typed === '' || meaningOf(typed) === 'nothing') return null;
  return typed;
}

function applyReset(present: Editable, text: string): Editable {
  let { label, settings } = present;
  for (const name of typedList(text)) {
    const part = RESETTABLE_BY_NAME.get(typedName(name));
    if (part === undefined) {
      throw notAccepted('reset', name, (language) => {
        const { settings: say, comma } = language.texts.watch;
        return say.accepted.resets(
          RESETTABLE.map((one) => `\`${resetName(one, language)}\``).join(comma),
        );
      });
    }
    if (part === 'label') label = null;
    else
      settings =
        part === 'all' ? DEFAULT_SETTINGS : { ...settings, [part]: DEFAULT_SETTINGS[part] };
  }
  return { label, settings };
}

/** What a watch alerts of and how, a line each. */
export function settingsLines(settings: WatchSettings, language: Language): string[] {
  const words = settingsWords(settings, language);
  return (words.length > 0 ? words : [language.texts.watch.settings.everything]).map(
    (phrase) => `• ${phrase}`,
  );
}

export function hintsOf(
  before: WatchSettings,
  { priceCents: band }: WatchSettings,
  language: Language,
): string[] {
  const isNew =
    band !== null && (before.priceCents?.min !== band.min || before.priceCents.max !== band.max);
  const { sweeps } = language.texts.watch.settings;
  return isNew && band.max >= SWEEP_CENTS
    ? [sweeps(language.format.cents(SWEEP_CENTS), SWEEP_CENTS - 1)]
    : [];
}
