import type { SharedNameAndDescription, SlashCommandStringOption, SlashCommandSubcommandBuilder } from 'discord.js';
import type { CommandWords } from '../language/en/commands.ts';
import type { Names } from '../language/en/names.ts';
import { byLocale, ENGLISH, type Language } from '../language/language.ts';
import type { Choice, Completion } from './slash-command.ts';

/** A text of the catalogues that is about commands. */
export type CommandText = (texts: CommandWords) => string;
export type OptionName = keyof Names['options'];

/** An option of a subcommand. */
export interface CommandOption<Context = { readonly language: Language }> {
  readonly name: OptionName;
  readonly add: (builder: SlashCommandSubcommandBuilder) => unknown;
  /** Choices while it is typed. */
  suggest?(typed: string, context: Context, interaction: Completion): readonly Choice[] | Promise<readonly Choice[]>;
}

/** Names a command or a part of one, for each person in the own language. The bot reads it by its English name. */
export function named<Builder extends SharedNameAndDescription, Kind extends keyof Names>(
  builder: Builder,
  kind: Kind,
  name: keyof Names[Kind] & string,
): Builder {
  return builder.setName(name).setNameLocalizations(byLocale(({ texts }) => String(texts.names[kind][name])));
}

/** Describes a command or a part of one, for each person in the own language. */
export function described<Builder extends SharedNameAndDescription>(builder: Builder, text: CommandText): Builder {
  return builder
    .setDescription(text(ENGLISH.texts.commands))
    .setDescriptionLocalizations(byLocale(({ texts }) => text(texts.commands)));
}

/** Names and describes an option. */
export function localised<Builder extends SharedNameAndDescription>(
  option: Builder,
  name: OptionName,
  text: CommandText,
): Builder {
  return described(named(option, 'options', name), text);
}

/** The choices of an option: what the bot reads, and what each is called in a language. */
export function choices<const Value extends string>(
  values: readonly Value[],
  nameOf: (value: Value, language: Language) => string,
) {
  return values.map((value) => {
    const say = (language: Language) => nameOf(value, language);
    return { name: say(ENGLISH), name_localizations: byLocale(say), value };
  });
}

/** An option for a text of at most so many characters. */
export function textOption(name: OptionName, about: CommandText, maxLength: number): CommandOption {
  return stringOption(name, about, (option) => option.setMaxLength(maxLength));
}

/** An option for a text, with suggestions. */
export function suggestedOption(
  name: OptionName,
  about: CommandText,
  maxLength: number,
  suggest: NonNullable<CommandOption['suggest']>,
): CommandOption {
  const option = stringOption(name, about, (so) => so.setMaxLength(maxLength).setAutocomplete(true));
  return { ...option, suggest };
}

/** An option for one of several words. */
export function choiceOption<const Value extends string>(
  name: OptionName,
  about: CommandText,
  values: readonly Value[],
  nameOf: (value: Value, language: Language) => string,
): CommandOption {
  return stringOption(name, about, (option) => option.addChoices(...choices(values, nameOf)));
}

/** An option for a number from 0 on. */
export function figureOption(name: OptionName, about: CommandText, max: number): CommandOption {
  const add = (builder: SlashCommandSubcommandBuilder) =>
    builder.addNumberOption((option) => localised(option, name, about).setMinValue(0).setMaxValue(max));
  return { name, add };
}

function stringOption(
  name: OptionName,
  about: CommandText,
  shape: (option: SlashCommandStringOption) => SlashCommandStringOption,
): CommandOption {
  return { name, add: (builder) => builder.addStringOption((option) => shape(localised(option, name, about))) };
}
