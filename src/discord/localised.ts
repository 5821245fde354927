import type { SharedNameAndDescription } from 'discord.js';
import type { CommandWords } from '../language/en/commands.ts';
import type { Names } from '../language/en/names.ts';
import { byLocale, ENGLISH, type Language } from '../language/language.ts';

/** A text of the catalogues that is about commands. */
export type CommandText = (texts: CommandWords) => string;

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
  name: keyof Names['options'],
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
