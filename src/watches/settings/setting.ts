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
/** The longest cooldown, of alerts and of mentions: a day. */
export const COOLDOWN_LIMIT_SECONDS = DAY_SECONDS;
const COOLDOWNS = ['none', '1m', '5m', '10m', '30m', '1h', '6h', '1d'];
const suggestCooldowns = suggestDurations(COOLDOWNS, COOLDOWN_LIMIT_SECONDS);
/** The longest text of an option, in characters. */
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
   * Schema of its stored value, with the default, which documents have that were stored before it
   * existed.
   */
  readonly schema: z.ZodDefault<z.ZodType<Value>>;
  readonly options: readonly [CommandOption, ...CommandOption[]];
  /** Its name in `reset` where that is not the name of its option: one word in each language. */
  resetName?(language: Language): string;
  /**
   * Reads its options as a change of the value.
   *
   * @throws {UserError} that names the option and what it accepts
   */
  read(given: GivenOptions): Change<Value>;
  /**
   * Writes a value that is not the default as options that `read` takes; left out where no text can
   * stand for it.
   */
  typed?(value: NonNullable<Value>): TypedOptions;
  /** As `typed`, for the fields of a form; left out: equal to it. */
  inForm?(value: NonNullable<Value>): TypedOptions;
  /** The form that sets it. */
  readonly form: FormName;
  /** Its fields there. */
  readonly fields: readonly [Field, ...Field[]];
  /**
   * A value that is not the default, as a phrase ready for markdown.
   *
   * @param marketsShown how many are written out
   */
  say(value: NonNullable<Value>, language: Language, marketsShown: number): string;
  /**
   * Tells whether a record is announced under a value that is not the default, as far as the record
   * alone decides.
   */
  passes?(value: NonNullable<Value>, record: JudgedRecord): boolean;
  /** Whether a record is announced under the default. Left out: every record is. */
  passesByDefault?(record: JudgedRecord): boolean;
  /** The columns of a file, and what stands in each; null for the default. */
  readonly columns: Readonly<
    Record<string, { write(value: Value, names: Names): CellValue }['write']>
  >;
  /** Reads the value from these columns; empty, or left out, they stand for the default. */
  fromFile(cells: Cells): Value;
}

/** Options with their values as they are typed. */
export type TypedOptions = Readonly<Partial<Record<OptionName, string>>>;

/**
 * The value after a command.
 *
 * @throws {UserError} if what was given does not go together with it
 */
export type Change<Value> = { change(present: Value): Value }['change'];

/** Options of a command, or what stands for them in a form. */
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
 * Kinds of records that a watch can be narrowed to. `other`: an action or a type that the venue's
 * interface does not describe.
 */
export const KINDS = [...USUAL_KINDS, 'other'] as const;
export type Kind = (typeof KINDS)[number];

/** A record as the filters see it. */
export interface JudgedRecord {
  readonly kind: Kind;
  /** Null: a deposit or a withdrawal, which has no market. */
  readonly activity: ActivityItem | null;
  /**
   * Null also for a redemption: it carries 100 cents, at which nobody traded, and has neither size
   * nor role.
   */
  readonly trade: ActivityItem | null;
  /** Null while the room has seen too few trades: then every size passes. */
  readonly size: TradeSize | null;
}

/** The part of a row that reads and writes a figure; 0 where a file says none. */
type FigureRow = Pick<Setting<number>, 'options' | 'read' | 'columns' | 'fromFile'> & {
  readonly typed: (value: number) => TypedOptions;
  readonly fields: readonly [Field];
};

/**
 * An amount.
 *
 * @param column of files, and of the catalogues' description of the option
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
 * Seconds.
 *
 * @param about the catalogues' description of the option; files have a column of `…Seconds`
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

/** Seconds; 0 for a text that means none. */
function readCooldown(option: OptionName, text: string): number {
  if (isNothing(text) || text.trim() === '0' || parseDuration(text) === 0) return 0;
  return readDurationOption(option, text, 1, COOLDOWN_LIMIT_SECONDS, 'cooldown');
}

/** Says that an option does not take a value, and what it does take. */
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
 * Reads an option of words.
 *
 * @param parse undefined for what the option does not take
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

/** A figure with at most two decimals; null if the option was not given. */
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
 * A length of time within limits, all in seconds.
 *
 * @param accepted picks the words for what the option takes
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
