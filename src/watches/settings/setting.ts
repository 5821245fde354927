import type * as z from 'zod';
import type { ActivityItem } from '../../domain/records.ts';
import { inlineCode } from '../../embeds/text/escape.ts';
import { parseDuration } from '../../language/duration.ts';
import { ENGLISH, type Language, type LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import { DAY_SECONDS } from '../../lib/time.ts';
import type { TradeSize } from '../../portfolio/trade-context.ts';
import {
  type CommandOption,
  figureOption,
  type OptionName,
  textOption,
} from '../../slash-commands/options.ts';
import type { Accepted, Cells, CellValue, Names } from './cells.ts';
import { durationWords, suggestDurations } from './durations.ts';
import type { Field } from './field.ts';
import { isNothing } from './typed.ts';

const USDC_LIMIT = 1_000_000_000;
/** Maximum cooldown of alerts and of mentions: one day. */
export const COOLDOWN_LIMIT_SECONDS = DAY_SECONDS;
const COOLDOWNS = ['none', '1m', '5m', '10m', '30m', '1h', '6h', '1d'];
const suggestCooldowns = suggestDurations(COOLDOWNS, COOLDOWN_LIMIT_SECONDS);
/** Maximum length of an option's text, in characters. */
export const TEXT_LIMIT = 1_000;

const USDC: Accepted = { max: Number.MAX_VALUE, isWhole: false, texts: ({ usdc }) => usdc };
const COOLDOWN: Accepted = {
  max: COOLDOWN_LIMIT_SECONDS,
  isWhole: true,
  texts: ({ seconds }) => seconds(COOLDOWN_LIMIT_SECONDS),
};

/** Forms of a watch's settings panel, in the order of their buttons. */
export const FORMS = ['what', 'large', 'markets', 'often', 'mention'] as const;
export type FormName = (typeof FORMS)[number];

export interface Setting<Value> {
  /**
   * Schema of its stored value. Its default applies to documents stored before the setting existed.
   */
  readonly schema: z.ZodDefault<z.ZodType<Value>>;
  readonly options: readonly [CommandOption, ...CommandOption[]];
  /** Returns its name for `reset` if that is not the name of its option: one word per language. */
  resetName?(language: Language): string;
  /**
   * Reads its options as a change of the value.
   *
   * @throws {UserError} naming the option and what it accepts
   */
  read(given: GivenOptions): Change<Value>;
  /**
   * Writes a non-default value as options that `read` accepts; left out if no text can express it.
   */
  typed?(value: NonNullable<Value>): TypedOptions;
  /** Like `typed`, for the fields of a form; the same as `typed` if left out. */
  inForm?(value: NonNullable<Value>): TypedOptions;
  /** The form that sets it. */
  readonly form: FormName;
  /** Its fields in that form. */
  readonly fields: readonly [Field, ...Field[]];
  /**
   * Writes a non-default value as a phrase, escaped for markdown.
   *
   * @param marketsShown maximum number of markets to list
   */
  say(value: NonNullable<Value>, language: Language, marketsShown: number): string;
  /**
   * Whether a record is announced under a non-default value, as far as the record alone decides.
   */
  passes?(value: NonNullable<Value>, record: JudgedRecord): boolean;
  /** Whether a record is announced under the default. Left out: every record is. */
  passesByDefault?(record: JudgedRecord): boolean;
  /** Writers of the file's columns; null for the default. */
  readonly columns: Readonly<
    Record<string, { write(value: Value, names: Names): CellValue }['write']>
  >;
  /** Reads the value from these columns; an empty or missing column means the default. */
  fromFile(cells: Cells): Value;
}

/** Options with their values as typed. */
export type TypedOptions = Readonly<Partial<Record<OptionName, string>>>;

/**
 * Returns the value after a command.
 *
 * @throws {UserError} if the given options conflict with the present value
 */
export type Change<Value> = { change(present: Value): Value }['change'];

/** Options of a command, or a form's replacement for them. */
export interface GivenOptions {
  readonly guildId: string | null;
  readonly options: {
    getString(name: OptionName): string | null;
    getNumber(name: OptionName): number | null;
    getInteger(name: OptionName): number | null;
    getRole(name: OptionName): { readonly id: string } | null;
  };
}

/** Kinds of records that a watch without `kinds` alerts on. */
export const USUAL_KINDS = ['buy', 'sell', 'redeem', 'deposit', 'withdrawal'] as const;
/**
 * Kinds of records by which a watch can be filtered. `other`: an action or type that the venue's
 * interface does not describe.
 */
export const KINDS = [...USUAL_KINDS, 'other'] as const;
export type Kind = (typeof KINDS)[number];

/** A record as the filters see it. */
export interface JudgedRecord {
  readonly kind: Kind;
  /** Null for a deposit or a withdrawal, which has no market. */
  readonly activity: ActivityItem | null;
  /**
   * Also null for a redemption: its 100 cents are not a trade price, and it has neither size nor
   * role.
   */
  readonly trade: ActivityItem | null;
  /** Null if the channel has seen too few trades; then every size passes. */
  readonly size: TradeSize | null;
}

/** The part of a setting that reads and writes a number; 0 if a file has none. */
type FigureRow = Pick<Setting<number>, 'options' | 'read' | 'columns' | 'fromFile'> & {
  readonly typed: (value: number) => TypedOptions;
  readonly fields: readonly [Field];
};

/**
 * Creates the row of an amount in USDC.
 *
 * @param column name of the file's column and of the option's description in the catalogues
 */
export function usdcRow(
  name: OptionName,
  column: 'minUsdc' | 'silentBelowUsdc' | 'mentionMinUsdc',
): FigureRow {
  const takes: LocalizedText = ({ texts, format }) =>
    texts.watch.settings.accepted.usdc(format.quantity(USDC_LIMIT));
  return {
    options: [figureOption(name, ({ settings }) => settings[column], USDC_LIMIT)],
    read(given) {
      const usdc = readFigure(given, name, USDC_LIMIT, takes);
      return (present) => usdc ?? present;
    },
    typed: (value) => ({ [name]: String(value) }),
    fields: [{ option: name, control: { kind: 'number', takes }, cleared: '0' }],
    columns: { [column]: (value) => value },
    fromFile: (cells) => cells.number(column, USDC) ?? 0,
  };
}

/**
 * Creates the row of a cooldown, in seconds.
 *
 * @param about name of the option's description in the catalogues; files have a column `…Seconds`
 */
export function cooldownRow(name: OptionName, about: 'cooldown' | 'mentionCooldown'): FigureRow {
  const column = `${about}Seconds`;
  return {
    options: [textOption(name, ({ settings }) => settings[about], TEXT_LIMIT, suggestCooldowns)],
    read({ options }) {
      const text = options.getString(name);
      const seconds = text === null ? null : readCooldown(name, text);
      return (present) => seconds ?? present;
    },
    typed: (value) => ({ [name]: durationWords(value, ENGLISH) }),
    fields: [{ option: name, control: { kind: 'duration', starts: COOLDOWNS }, cleared: 'none' }],
    columns: { [column]: (value) => value },
    fromFile: (cells) => cells.number(column, COOLDOWN) ?? 0,
  };
}

/** Returns seconds; 0 for a text that means none. */
function readCooldown(option: OptionName, text: string): number {
  if (isNothing(text) || text.trim() === '0' || parseDuration(text) === 0) return 0;
  return readDurationOption(option, text, 1, COOLDOWN_LIMIT_SECONDS, 'cooldown');
}

/** Returns an error that an option does not accept a value, with what it accepts. */
export function notAccepted(
  option: OptionName,
  value: string | number,
  takes: LocalizedText,
): UserError {
  return new UserError((language) => {
    const { watch, names } = language.texts;
    return watch.settings.notAccepted(
      names.options[option],
      inlineCode(String(value), 60),
      takes(language),
    );
  });
}

/**
 * Reads a text option.
 *
 * @param parse returns undefined for a text that the option does not accept
 */
export function readText<Value>(
  given: GivenOptions,
  option: OptionName,
  parse: (text: string) => Value | undefined,
  takes: LocalizedText,
): Change<Value> {
  const text = given.options.getString(option);
  if (text === null) return (present) => present;
  const value = parse(text);
  if (value === undefined) throw notAccepted(option, text, takes);
  return () => value;
}

/** Reads a number with at most two decimals; null if the option was not given. */
export function readFigure(
  given: GivenOptions,
  option: OptionName,
  max: number,
  takes: LocalizedText,
): number | null {
  const value = given.options.getNumber(option);
  if (value === null) return null;
  const isRounded = Number(value.toFixed(2)) === value;
  if (!isRounded || value < 0 || value > max) throw notAccepted(option, value, takes);
  return value;
}

/**
 * Reads a duration within limits, all in seconds.
 *
 * @param accepted selects the text that says what the option accepts
 */
export function readDurationOption(
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
    return watch.settings.accepted[accepted](
      examples,
      format.duration(least),
      format.duration(most),
    );
  });
}
