import type { Command } from '../commands.ts';
import { OPTION_TYPES, type Subcommand, type ValueOption } from '../forms/command.ts';
import { codePoints } from '../forms/form.ts';
import type { Wire } from '../model.ts';

const T = OPTION_TYPES;

/** A file picked for an attachment option. */
export interface PickedFile {
  readonly filename: string;
  readonly contentType?: string;
  readonly data: Uint8Array;
}

/** A value of an option; channels and roles are given by id. */
export type OptionValue = string | number | boolean | PickedFile;
export type OptionValues = Readonly<Record<string, OptionValue | undefined>>;

/** An action that Discord's own client does not allow. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo';
}

/**
 * Adds the entities that a person refers to to `resolved`; throws CannotDo for one that this person
 * cannot pick.
 */
export interface Resolver {
  channel(id: string, types: readonly number[]): void;
  role(id: string): void;
  user(id: string): void;
  /** A person or a role. */
  mentionable(id: string): void;
  /** Returns the attachment's id. */
  attachment(file: PickedFile): string;
}

export interface ParsedLine {
  readonly command: Command;
  /** `data.options` of the interaction. */
  readonly options: Wire[];
  /** The value type that the focused option suggests; `string` if none is focused. */
  readonly suggests: 'string' | 'number';
}

/**
 * Builds the options of a command like Discord's client, after the same checks.
 *
 * @param focused the option being typed; required options may then be missing
 * @throws CannotDo that names the option and what it accepts
 */
export function parseLine(
  commands: readonly Command[],
  line: string,
  values: OptionValues,
  resolve: Resolver,
  focused: string | null,
): ParsedLine {
  const [name = '', ...path] = line.trim().split(/\s+/);
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    const known = commands.map((candidate) => `/${candidate.name}`).join(', ') || 'none';
    throw new CannotDo(`There is no command /${name} here. Registered: ${known}.`);
  }
  const { leaf, wrap } = descend(command, path);
  const given = focused === null ? Object.keys(values) : [...Object.keys(values), focused];
  const unknown = given.find((key) => !leaf.some((option) => option.name === key));
  if (unknown !== undefined) {
    const known = leaf.map((option) => option.name).join(', ') || 'none';
    throw new CannotDo(`/${line} has no option ${unknown}. Options: ${known}.`);
  }
  if (focused !== null) return { command, ...typedOptions(leaf, line, values, focused, wrap) };
  const missing = leaf.find((option) => option.required && isAbsent(values[option.name]));
  if (missing) throw new CannotDo(`/${line} needs ${missing.name}.`);
  const options = leaf.flatMap((option): Wire[] => {
    const value = values[option.name];
    return isAbsent(value)
      ? []
      : [{ type: option.type, name: option.name, value: check(option, value, resolve) }];
  });
  return { command, options: wrap(options), suggests: 'string' };
}

/**
 * Returns the options of an autocomplete interaction; they are unchecked, and required ones may be
 * missing.
 */
function typedOptions(
  leaf: readonly ValueOption[],
  line: string,
  values: OptionValues,
  focused: string,
  wrap: (options: Wire[]) => Wire[],
): Pick<ParsedLine, 'options' | 'suggests'> {
  const target = leaf.find((option) => option.name === focused);
  if (!target?.autocomplete) throw new CannotDo(`/${line} ${focused} has no autocomplete.`);
  const options = leaf.flatMap((option): Wire[] => {
    const { type, name } = option;
    const value = values[name];
    if (option === target) return [{ type, name, value: value ?? '', focused: true }];
    return isAbsent(value) ? [] : [{ type, name, value }];
  });
  return { options: wrap(options), suggests: target.type === T.STRING ? 'string' : 'number' };
}

function isAbsent(value: OptionValue | undefined): value is undefined | '' {
  return value === undefined || value === '';
}

function descend(
  command: Command,
  path: readonly string[],
): { leaf: readonly ValueOption[]; wrap: (options: Wire[]) => Wire[] } {
  const [first, second, ...rest] = path;
  const tops = command.options ?? [];
  const subcommands = tops.filter(
    (option) => option.type === T.SUB_COMMAND || option.type === T.SUB_COMMAND_GROUP,
  );
  const typed = `/${[command.name, ...path].join(' ')}`;
  if (subcommands.length === 0) {
    if (first !== undefined) throw new CannotDo(`${typed}: /${command.name} has no subcommands.`);
    return { leaf: tops.filter(isValueOption), wrap: (options) => options };
  }
  const top = subcommands.find((option) => option.name === first);
  if (!top) {
    throw new CannotDo(
      `${typed}: choose one of ${subcommands.map((option) => option.name).join(', ')}.`,
    );
  }
  if (isSubcommand(top)) {
    if (second !== undefined) throw new CannotDo(`${typed}: ${top.name} is no group.`);
    return {
      leaf: top.options ?? [],
      wrap: (options) => [{ type: T.SUB_COMMAND, name: top.name, options }],
    };
  }
  const members = 'options' in top ? (top.options ?? []).filter(isSubcommand) : [];
  const member = members.find((option) => option.name === second);
  if (!member || rest.length > 0) {
    throw new CannotDo(
      `${typed}: choose one of ${members.map((option) => option.name).join(', ')}.`,
    );
  }
  return {
    leaf: member.options ?? [],
    wrap: (options) => [
      {
        type: T.SUB_COMMAND_GROUP,
        name: top.name,
        options: [{ type: T.SUB_COMMAND, name: member.name, options }],
      },
    ],
  };
}

function isValueOption(option: { type: number }): option is ValueOption {
  return option.type >= T.STRING;
}

function isSubcommand(option: { type: number }): option is Subcommand {
  return option.type === T.SUB_COMMAND;
}

function refusalOf(
  option: Pick<ValueOption, 'name'>,
  accepted: string,
  value: OptionValue,
): CannotDo {
  return new CannotDo(`Option ${option.name} accepts ${accepted}, got ${shown(value)}.`);
}

function check(
  option: ValueOption,
  value: OptionValue,
  resolve: Resolver,
): string | number | boolean {
  switch (option.type) {
    case T.ATTACHMENT:
      if (typeof value !== 'object') throw refusalOf(option, 'a file', value);
      checkFileType(option, value);
      return resolve.attachment(value);
    case T.BOOLEAN:
      if (typeof value !== 'boolean') throw refusalOf(option, 'true or false', value);
      return value;
    case T.INTEGER:
    case T.NUMBER:
      return checkNumber(option, value);
    default:
      if (typeof value !== 'string') throw refusalOf(option, 'text', value);
      return checkText(option, value, resolve);
  }
}

function checkNumber(option: ValueOption, value: OptionValue): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw refusalOf(option, 'a number', value);
  }
  if (option.type === T.INTEGER && !Number.isSafeInteger(value)) {
    throw refusalOf(option, 'a whole number', value);
  }
  const { min_value: min, max_value: max } = option;
  if ((typeof min === 'number' && value < min) || (typeof max === 'number' && value > max)) {
    throw refusalOf(option, `${min ?? 'any'} to ${max ?? 'any'}`, value);
  }
  return checkChoice(option, value);
}

function checkText(option: ValueOption, value: string, resolve: Resolver): string {
  if (option.type === T.CHANNEL) resolve.channel(value, option.channel_types ?? []);
  else if (option.type === T.ROLE) resolve.role(value);
  else if (option.type !== T.STRING) {
    throw new CannotDo(`Option ${option.name} picks people: not possible here.`);
  } else {
    const length = codePoints(value);
    const min = option.min_length ?? 0;
    const max = option.max_length ?? 6000;
    if (length < min || length > max) throw refusalOf(option, `${min} to ${max} characters`, value);
    checkChoice(option, value);
  }
  return value;
}

/** @throws CannotDo for a file that has none of the accepted extensions */
export function checkFileType(
  option: Pick<ValueOption, 'name' | 'file_types'>,
  file: PickedFile,
): void {
  const types = (option.file_types ?? []).filter((type) => type.startsWith('.'));
  if (types.length === 0 || types.some((type) => file.filename.toLowerCase().endsWith(type))) {
    return;
  }
  throw refusalOf(option, `files that end in ${types.join(', ')}`, file);
}

function checkChoice<Value extends string | number>(option: ValueOption, value: Value): Value {
  const choices = option.choices ?? [];
  if (choices.length > 0 && !choices.some((choice) => choice.value === value)) {
    const accepted = choices.map((choice) => shown(choice.value)).join(', ');
    throw refusalOf(option, accepted, value);
  }
  return value;
}

function shown(value: OptionValue): string {
  return typeof value === 'object' ? `the file ${value.filename}` : JSON.stringify(value);
}
