import {
  type ApplicationCommandOptionBase,
  ApplicationIntegrationType,
  InteractionContextType,
  type SharedNameAndDescription,
  SlashCommandBuilder,
  SlashCommandNumberOption,
  SlashCommandStringOption,
} from 'discord.js';
import type { Names } from '../language/en/names.ts';
import { byLocale, ENGLISH, type Language } from '../language/language.ts';
import type { Texts } from '../language/texts.ts';
import type { Choice, Completion } from './slash-command.ts';

const { Guild, BotDM, PrivateChannel } = InteractionContextType;
/** In servers, in direct messages with the bot, and in direct messages between people. */
export const ANYWHERE = [Guild, BotDM, PrivateChannel] as const;
/** By servers that invite the bot, and by people for themselves. */
export const INSTALLED = [
  ApplicationIntegrationType.GuildInstall,
  ApplicationIntegrationType.UserInstall,
] as const;

/** Returns a text of the catalogs about commands. */
export type CommandText = (texts: Texts['commands']) => string;
export type OptionName = keyof Names['options'];

/** Minimum context of suggestions. */
export interface InLanguage {
  readonly language: Language;
}

export interface CommandOption<Context = InLanguage> {
  readonly name: OptionName;
  readonly built: ApplicationCommandOptionBase;
  /** Returns choices while the option is being typed. */
  suggest?(
    typed: string,
    context: Context,
    interaction: Completion,
  ): readonly Choice[] | Promise<readonly Choice[]>;
}

/**
 * Names a command or a part of one, localized for each person. The bot reads it by its English
 * name.
 */
export function named<Builder extends SharedNameAndDescription, Kind extends keyof Names>(
  builder: Builder,
  kind: Kind,
  name: keyof Names[Kind] & string,
): Builder {
  return builder
    .setName(name)
    .setNameLocalizations(byLocale(({ texts }) => String(texts.names[kind][name])));
}

/** Describes a command or a part of one, localized for each person. */
export function described<Builder extends SharedNameAndDescription>(
  builder: Builder,
  text: CommandText,
): Builder {
  return builder
    .setDescription(text(ENGLISH.texts.commands))
    .setDescriptionLocalizations(byLocale(({ texts }) => text(texts.commands)));
}

/** Adds options to a command or a subcommand, in the order in which people see them. */
export function withOptions<Builder extends { readonly options: unknown[] }>(
  builder: Builder,
  options: readonly Pick<CommandOption, 'built'>[],
): Builder {
  builder.options.push(...options.map(({ built }) => built));
  return builder;
}

/**
 * Returns the suggestions of the option that is being typed; none for a text longer than the option
 * accepts.
 */
export function suggestFrom<Context>(options: readonly CommandOption<Context>[]) {
  return (interaction: Completion, context: Context) => {
    const { name, value } = interaction.options.getFocused(true);
    const { built, suggest } = options.find((option) => option.name === name) ?? {};
    // Only Discord's client enforces this limit during typing.
    const isTooLong =
      built instanceof SlashCommandStringOption && value.length > (built.max_length ?? Infinity);
    if (isTooLong) return [];
    return suggest?.(value, context, interaction) ?? [];
  };
}

/**
 * Returns an option of any type.
 *
 * @param built without name and description
 */
export function optionOf(
  built: ApplicationCommandOptionBase,
  name: OptionName,
  about: CommandText,
): CommandOption {
  return { name, built: described(named(built, 'options', name), about) };
}

/**
 * Returns an option for a text of at most `maxLength` characters, with suggestions if `suggest` is
 * given.
 */
export function textOption<Context extends InLanguage = InLanguage>(
  name: OptionName,
  about: CommandText,
  maxLength: number,
  suggest?: NonNullable<CommandOption<Context>['suggest']>,
  isRequired = false,
): CommandOption<Context> {
  const built = new SlashCommandStringOption().setMaxLength(maxLength).setRequired(isRequired);
  if (suggest === undefined) return optionOf(built, name, about);
  return { ...optionOf(built.setAutocomplete(true), name, about), suggest };
}

type ChoiceTexts = readonly [about: string, names: Readonly<Record<string, string>>];

/**
 * Returns an option for one of several words.
 *
 * @param textsOf returns the option's description, and each word's name, by the value that the bot
 *   reads
 */
export function choiceOption(
  name: OptionName,
  textsOf: (texts: Texts['commands'], language: Language) => ChoiceTexts,
) {
  const namesIn = (language: Language) => textsOf(language.texts.commands, language)[1];
  const choices = Object.entries(namesIn(ENGLISH)).map(([value, name]) => ({
    name,
    name_localizations: byLocale((language) => namesIn(language)[value] ?? name),
    value,
  }));
  const built = new SlashCommandStringOption().addChoices(...choices);
  return optionOf(built, name, (texts) => textsOf(texts, ENGLISH)[0]);
}

/** Returns an option for a number from 0 on. */
export function figureOption(name: OptionName, about: CommandText, max: number): CommandOption {
  return optionOf(new SlashCommandNumberOption().setMinValue(0).setMaxValue(max), name, about);
}

/**
 * Returns the parts of a lookup command, which works anywhere, for members of servers with the bot
 * and for people who installed it for themselves.
 */
export function lookUp<Context>(
  name: keyof Names['commands'],
  about: CommandText,
  options: readonly CommandOption<Context>[],
) {
  const definition = described(named(new SlashCommandBuilder(), 'commands', name), about)
    .setContexts(...ANYWHERE)
    .setIntegrationTypes(...INSTALLED);
  return {
    definition: withOptions(definition, options),
    isPrivate: () => false,
    autocomplete: suggestFrom(options),
  };
}
