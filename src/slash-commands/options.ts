import {
  type ApplicationCommandOptionBase,
  ApplicationIntegrationType,
  InteractionContextType,
  type SharedNameAndDescription,
  SlashCommandBuilder,
  SlashCommandNumberOption,
  SlashCommandStringOption,
} from 'discord.js';
import type { CommandWords } from '../language/en/commands.ts';
import type { Names } from '../language/en/names.ts';
import { byLocale, ENGLISH, type Language } from '../language/language.ts';
import type { Choice, Completion } from './slash-command.ts';

const { Guild, BotDM, PrivateChannel } = InteractionContextType;
/** In servers, in direct messages with the bot, and in those between people. */
export const ANYWHERE = [Guild, BotDM, PrivateChannel] as const;
/** By servers that invite the bot, and by people for themselves. */
export const INSTALLED = [
  ApplicationIntegrationType.GuildInstall,
  ApplicationIntegrationType.UserInstall,
] as const;

/** A text of the catalogues that is about commands. */
export type CommandText = (texts: CommandWords) => string;
export type OptionName = keyof Names['options'];

/** The least that suggestions are made with. */
export interface InLanguage {
  readonly language: Language;
}

export interface CommandOption<Context = InLanguage> {
  readonly name: OptionName;
  readonly built: ApplicationCommandOptionBase;
  /** Choices while it is typed. */
  suggest?(
    typed: string,
    context: Context,
    interaction: Completion,
  ): readonly Choice[] | Promise<readonly Choice[]>;
}

/**
 * Names a command or a part of one, for each person in the own language. The bot reads it by its
 * English name.
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

/** Describes a command or a part of one, for each person in the own language. */
export function described<Builder extends SharedNameAndDescription>(
  builder: Builder,
  text: CommandText,
): Builder {
  return builder
    .setDescription(text(ENGLISH.texts.commands))
    .setDescriptionLocalizations(byLocale(({ texts }) => text(texts.commands)));
}

/** Adds options to a command or a subcommand, in the order in which people are offered them. */
export function withOptions<Builder extends { readonly options: unknown[] }>(
  builder: Builder,
  options: readonly Pick<CommandOption, 'built'>[],
): Builder {
  builder.options.push(...options.map(({ built }) => built));
  return builder;
}

/**
 * Suggests what the option that is being typed suggests: nothing for a text that is longer than it
 * takes.
 */
export function suggestFrom<Context>(options: readonly CommandOption<Context>[]) {
  return (interaction: Completion, context: Context) => {
    const { name, value } = interaction.options.getFocused(true);
    const { built, suggest } = options.find((option) => option.name === name) ?? {};
    // Only Discord's client heeds that while somebody types.
    const isTooLong =
      built instanceof SlashCommandStringOption && value.length > (built.max_length ?? Infinity);
    if (isTooLong) return [];
    return suggest?.(value, context, interaction) ?? [];
  };
}

/**
 * An option of any type.
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

/** An option for a text of at most so many characters, with suggestions if `suggest` is given. */
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
 * An option for one of several words.
 *
 * @param textsOf what it is about, and each word's name, by what the bot reads
 */
export function choiceOption(
  name: OptionName,
  textsOf: (texts: CommandWords, language: Language) => ChoiceTexts,
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

/** An option for a number from 0 on. */
export function figureOption(name: OptionName, about: CommandText, max: number): CommandOption {
  return optionOf(new SlashCommandNumberOption().setMinValue(0).setMaxValue(max), name, about);
}

/**
 * A look-up works anywhere, for members of servers with the bot and for people who installed it for
 * themselves.
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
