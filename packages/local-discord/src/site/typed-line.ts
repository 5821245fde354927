import { OPTION_TYPES } from '../discord/forms/command.ts';
import {
  CannotDo,
  type OptionValue,
  type OptionValues,
  type PickedFile,
} from '../discord/people/commandline.ts';
import type { TypedCommand, TypedOption } from './commands.ts';
import type { PageSuggestion, PageSuggestions, PageWorld, PickedChoice } from './protocol.ts';

const T = OPTION_TYPES;
const MAX_SUGGESTIONS = 25;

/**
 * A command as typed in the person's language, such as `/watch add wallet:quickdraw label:Big one`.
 */
interface TypedLine {
  readonly command: TypedCommand;
  /** The text before the first option. */
  readonly stray: string;
  readonly values: readonly TypedValue[];
}

interface TypedValue {
  readonly option: TypedOption;
  readonly text: string;
  /** Start of the value in the line. */
  readonly from: number;
}

/** Parses a line, and returns null if it has no command name yet. */
function readLine(commands: readonly TypedCommand[], line: string): TypedLine | null {
  const [command] = commands
    .filter(({ label }) => line === `/${label}` || line.startsWith(`/${label} `))
    .sort((a, b) => b.label.length - a.label.length);
  if (!command) return null;
  const start = command.label.length + 1;
  // Option names contain no characters with a meaning in patterns
  // (interactions/application-commands.mdx, "Naming").
  const names = new RegExp(`\\s(${command.options.map(({ label }) => label).join('|')}):`, 'gu');
  const found = [...line.slice(start).matchAll(names)];
  const values = found.flatMap(({ 0: match, 1: name, index }, place): TypedValue[] => {
    const option = command.options.find(({ label }) => label === name);
    const from = start + index + match.length;
    return option
      ? [{ option, from, text: line.slice(from, ends(found, place, start)).trim() }]
      : [];
  });
  return { command, values, stray: line.slice(start, ends(found, -1, start)).trim() };
}

function ends(
  found: readonly { readonly index: number }[],
  place: number,
  start: number,
): number | undefined {
  const next = found[place + 1];
  return next && start + next.index;
}

/**
 * Returns a typed line as Discord's client would send it.
 *
 * @param file the person's file for an option that accepts one
 * @param picked picked suggestions, which the line shows by name
 * @throws CannotDo with a text for the person
 */
export function readCommand(
  commands: readonly TypedCommand[],
  text: string,
  world: PageWorld,
  file: PickedFile | null,
  picked: readonly PickedChoice[] = [],
): { readonly line: string; readonly values: OptionValues } {
  const typed = readLine(commands, text);
  if (typed === null) throw new CannotDo('No such command here. Type / to see them.');
  const { command, stray } = typed;
  if (stray !== '') {
    throw new CannotDo(
      `"${stray}" is no option of /${command.label}: options are typed as name:value.`,
    );
  }
  const values = valuesOf(typed, world, picked);
  const fileOption = fileOptionOf(command);
  if (fileOption && file) values[fileOption.name] = file;
  const missing = command.options.find(
    ({ required, name }) => required && (values[name] ?? '') === '',
  );
  if (missing) throw new CannotDo(`${missing.label} is required.`);
  return { line: command.line, values };
}

function fileOptionOf({ options }: TypedCommand): TypedOption | undefined {
  return options.find(({ type }) => type === T.ATTACHMENT);
}

function valuesOf(
  { values }: TypedLine,
  world: PageWorld,
  picked: readonly PickedChoice[],
): Record<string, OptionValue> {
  const read = ({ option, text }: TypedValue) => {
    const choice = picked.find((one) => one.option === option.name && one.shown === text);
    return choice?.value ?? readValue(option, text, world);
  };
  return Object.fromEntries(values.map((typed) => [typed.option.name, read(typed)]));
}

/** Returns the value of the text, or the text itself if it has none; that is rejected later. */
function readValue(option: TypedOption, text: string, world: PageWorld): OptionValue {
  const known = knownValues(option, world).find(
    ({ name, value }) => name.toLowerCase() === text.toLowerCase() || String(value) === text,
  );
  if (known) return known.value;
  // As in Discord, the beginning of a choice's name is enough: `an` for `an: nur Konsens`.
  const begun = option.choices.filter(({ name }) =>
    name.toLowerCase().startsWith(text.toLowerCase()),
  );
  if (begun.length === 1 && begun[0] !== undefined) return begun[0].value;
  const isNumber = option.type === T.NUMBER || option.type === T.INTEGER;
  return isNumber && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/** Returns the values that can be picked from a list. */
function knownValues({ choices, type, channelTypes }: TypedOption, { channels, roles }: PageWorld) {
  switch (type) {
    case T.BOOLEAN:
      return [true, false].map((value) => ({ name: String(value), value }));
    case T.CHANNEL:
      return channels
        .filter((channel) => channelTypes.length === 0 || channelTypes.includes(channel.type))
        .map(({ id, name }) => ({ name: `#${name}`, value: id }));
    case T.ROLE:
      // The role @everyone already has the sign in its name.
      return roles.map(({ id, name }) => ({ name: `@${name.replace(/^@/, '')}`, value: id }));
    default:
      return choices;
  }
}

/** Asks the bot for suggestions for an option, like `FakeDiscord.autocomplete`. */
export type Autocomplete = (
  line: string,
  values: OptionValues,
  focused: string,
) => Promise<readonly { readonly name: string; readonly value: string | number }[]>;

/**
 * Returns possible continuations of a line that begins with a slash: a command, an option's value,
 * or the next option.
 *
 * @param picked picked suggestions, which the line shows by name
 */
export async function suggestionsFor(
  commands: readonly TypedCommand[],
  text: string,
  world: PageWorld,
  autocomplete: Autocomplete,
  picked: readonly PickedChoice[] = [],
): Promise<PageSuggestions> {
  const line = readLine(commands, text);
  if (line === null) return { suggestions: commandSuggestions(commands, text), takesFile: false };
  const last = line.values.at(-1);
  const values =
    last === undefined || /\s$/.test(text)
      ? []
      : await valueSuggestions(line, last, text, { world, autocomplete, picked });
  const options = optionSuggestions(line, text);
  // After a value with a space the last word may be the start of an option, so suggestions without
  // this word are dropped.
  const word =
    /\s/.test(last?.text ?? '') && options.length > 0 ? lastWordOf(text).toLowerCase() : '';
  const meant = values.filter((one) =>
    `${one.label} ${one.text.slice(last?.from)}`.toLowerCase().includes(word),
  );
  const suggestions = [...meant, ...options].slice(0, MAX_SUGGESTIONS);
  return { suggestions, takesFile: fileOptionOf(line.command) !== undefined };
}

function commandSuggestions(commands: readonly TypedCommand[], text: string): PageSuggestion[] {
  return commands
    .filter(({ label }) => `/${label}`.startsWith(text.toLowerCase()))
    .map(({ label, description, options: [first] }) => ({
      kind: 'command',
      label: `/${label}`,
      detail: description,
      text: `/${label} ${first?.required && first.type !== T.ATTACHMENT ? `${first.label}:` : ''}`,
      picked: null,
    }));
}

async function valueSuggestions(
  line: TypedLine,
  { option, from, text: typed }: TypedValue,
  text: string,
  {
    world,
    autocomplete,
    picked,
  }: {
    readonly world: PageWorld;
    readonly autocomplete: Autocomplete;
    readonly picked: readonly PickedChoice[];
  },
): Promise<PageSuggestion[]> {
  const suggestion = (name: string, choice: PickedChoice | null): PageSuggestion => ({
    kind: 'value',
    label: name,
    detail: '',
    text: `${text.slice(0, from)}${name} `,
    picked: choice,
  });
  if (option.autocomplete) {
    const values = valuesOf(line, world, picked);
    const found = await autocomplete(line.command.line, values, option.name);
    return found.map(({ name, value }) =>
      suggestion(name, { option: option.name, shown: name.trim(), value }),
    );
  }
  return knownValues(option, world)
    .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
    .map(({ name }) => suggestion(name, null));
}

function lastWordOf(text: string): string {
  return /(?<!\S)\S*$/.exec(text)?.[0] ?? '';
}

/** Returns the missing options whose names begin with the last word. */
function optionSuggestions({ command, values }: TypedLine, text: string): PageSuggestion[] {
  const isNamed = text === `/${command.label}`;
  const word = isNamed ? '' : lastWordOf(text);
  const before = isNamed ? `${text} ` : text.slice(0, text.length - word.length);
  return command.options
    .filter(
      (option) => option.type !== T.ATTACHMENT && !values.some((value) => value.option === option),
    )
    .filter(({ label }) => label.startsWith(word))
    .map(({ label, description, required }) => ({
      kind: required ? 'required' : 'option',
      label: `${label}:`,
      detail: description,
      text: `${before}${label}:`,
      picked: null,
    }));
}
