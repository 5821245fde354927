import type * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { inlineCode } from '../../embeds/text/escape.ts';
import { parseDuration } from '../../language/duration.ts';
import type { Language, LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import type { TradeSize } from '../../portfolio/trade-context.ts';
import {
  type CommandOption,
  type CommandText,
  figureOption,
  type OptionName,
  textOption,
} from '../../slash-commands/options.ts';
import type { CommandUse } from '../../slash-commands/slash-command.ts';
import type { Cells, CellValue, Names } from './cells.ts';
import { COOLDOWN_LIMIT_SECONDS, durationsLike } from './durations.ts';
import { isNothing } from './typed.ts';

/** The most USDC that can be asked for. */
const USDC_LIMIT = 1_000_000_000;
const COOLDOWN_STARTS = ['none', '1m', '5m', '10m', '30m', '1h', '6h', '1d'];
/** The longest text of an option, in characters. */
export const TEXT_LIMIT = 1_000;

/** All that there is to one setting of a watch. */
export interface Setting<Value> {
  /** How it is stored, with the default, which documents have that were stored before it existed. */
  readonly schema: z.ZodDefault<z.ZodType<Value>>;
  /** By which it is changed. */
  readonly options: readonly [CommandOption, ...CommandOption[]];
  /** Whether `/watch add` has the first of these too. */
  readonly isOnAdd?: true;
  /** Whether it says what is alerted to; else how. */
  readonly isFilter: boolean;
  /** What `reset` calls it where it is not the name of its option: each one word. */
  resetName?(language: Language): string;
  /** The value after a command. @throws {UserError} that names the option and what it accepts */
  read(given: GivenOptions, present: Value): Value;
  /** A value that is not the default, as a phrase that is ready for a place where markdown is read. @param marketsShown how many are written out */
  say(value: NonNullable<Value>, language: Language, marketsShown: number): string;
  /** Whether a record is announced under a value that is not the default, as far as it alone decides. */
  passes?(value: NonNullable<Value>, record: JudgedRecord): boolean;
  /** The columns of a file, and what stands in each; null for the default. */
  readonly columns: Readonly<Record<string, Column<Value>['write']>>;
  /** What these columns say; empty, or left out, they stand for the default. */
  fromFile(cells: Cells): Value;
}

/** What a command was given: the options that it came with. */
export type GivenOptions = Pick<CommandUse, 'options' | 'guildId'>;

/** Kinds of records that a watch can be narrowed to. */
export const KINDS = ['buy', 'sell', 'redeem', 'deposit', 'withdrawal'] as const;
export type Kind = (typeof KINDS)[number];

/** A record as the filters see it. */
export interface JudgedRecord {
  /** Undefined if the contract does not describe it. */
  readonly kind: Kind | undefined;
  /** Null: a deposit or a withdrawal, which has no market. */
  readonly activity: ActivityItem | null;
  /** Null also for a redemption: it carries 100 cents, at which nobody traded, and has neither size nor role. */
  readonly trade: ActivityItem | null;
  /** Null while the room has seen too few trades: then every size passes. */
  readonly size: TradeSize | null;
}

interface Column<Value> {
  write(value: Value, names: Names): CellValue;
}

export function usdc(name: OptionName, about: CommandText): CommandOption {
  return figureOption(name, about, USDC_LIMIT);
}

export function cooldown(name: OptionName, about: CommandText): CommandOption {
  return textOption(name, about, TEXT_LIMIT, (typed, { language }) =>
    durationsLike(typed, COOLDOWN_STARTS, COOLDOWN_LIMIT_SECONDS, language),
  );
}

/** Says that an option does not take a value, and what it does take. */
export function notAccepted(option: OptionName, value: string | number, takes: LocalizedText): UserError {
  return new UserError((language) => {
    const { watch, names } = language.texts;
    return watch.settings.notAccepted(names.options[option], inlineCode(String(value), 60), takes(language));
  });
}

/** @param parse undefined for what the option does not take */
export function readText<Value>(
  given: GivenOptions,
  option: OptionName,
  parse: (text: string) => Value | undefined,
  takes: LocalizedText,
  present: Value,
): Value {
  const text = given.options.getString(option);
  if (text === null) return present;
  const value = parse(text);
  if (value === undefined) throw notAccepted(option, text, takes);
  return value;
}

/** A figure with at most two decimals. */
export function readFigure(
  given: GivenOptions,
  option: OptionName,
  max: number,
  takes: LocalizedText,
  present: number,
): number {
  const value = given.options.getNumber(option);
  if (value === null) return present;
  if (Number(value.toFixed(2)) !== value || value < 0 || value > max) throw notAccepted(option, value, takes);
  return value;
}

export function readUsdc(given: GivenOptions, option: OptionName, present: number): number {
  const takes: LocalizedText = ({ texts, format }) => texts.watch.settings.accepted.usdc(format.quantity(USDC_LIMIT));
  return readFigure(given, option, USDC_LIMIT, takes, present);
}

export function readCooldown(given: GivenOptions, option: OptionName, present: number): number {
  const text = given.options.getString(option);
  if (text === null) return present;
  if (isNothing(text) || text.trim() === '0' || parseDuration(text) === 0) return 0;
  return readDuration(option, text, 1, COOLDOWN_LIMIT_SECONDS, 'cooldown');
}

/** A length of time within limits, all in seconds. @param accepted picks the words for what the option takes */
export function readDuration(
  option: OptionName,
  text: string,
  least: number,
  most: number,
  accepted: 'cooldown' | 'pause' | 'time',
): number {
  const seconds = parseDuration(text);
  if (seconds !== null && seconds >= least && seconds <= most) return seconds;
  throw notAccepted(option, text, ({ texts: { watch }, format }) => {
    const examples = ['`90s`', '`10m`', '`1h30m`'].join(watch.comma);
    return watch.settings.accepted[accepted](examples, format.duration(least), format.duration(most));
  });
}
