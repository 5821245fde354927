import { parseDuration } from '../../language/duration.ts';
import { ENGLISH, type Language, type LocalizedText } from '../../language/language.ts';
import type { OptionName } from '../../slash-commands/options.ts';
import { durationWords } from './durations.ts';
import { isNothing } from './typed.ts';

/** The names that people read for values, by what the bot reads. */
type NamesIn = (language: Language) => Readonly<Record<string, string>>;

/** Control of a form. */
export type Control =
  /**
   * A figure that is typed.
   *
   * @param takes said where the figure cannot be read
   */
  | { readonly kind: 'number'; readonly takes: LocalizedText }
  /** A line of text of at most so many characters. */
  | { readonly kind: 'text'; readonly most: number }
  /** One of some values. */
  | { readonly kind: 'choice'; readonly names: NamesIn }
  /** Any number of some values, typed with commas between them. */
  | { readonly kind: 'several'; readonly names: NamesIn }
  /** One of some lengths of time, or another one that is typed. */
  | { readonly kind: 'duration'; readonly starts: readonly string[] }
  /** Names to announce alone, or to leave out, one a line. Both read what the option takes. */
  | {
      readonly kind: 'list';
      readonly mode: (text: string) => 'only' | 'except' | undefined;
      readonly names: (text: string) => readonly string[];
    }
  | { readonly kind: 'role' };

/** A field of a form: it sets an option, by the text that the option takes. */
export interface Field {
  readonly option: OptionName;
  readonly control: Control;
  /** The option's text for its default; empty: only `reset` takes the setting back. */
  readonly cleared: string;
  /** The option without which this one counts for nothing. */
  readonly needs?: OptionName;
  /**
   * A text of the option as the bot writes it itself, empty for the default; a text that the option
   * does not take stays as it is. Left out: the control says how.
   */
  normal?(text: string): string;
}

/**
 * A text of the field's option as the bot writes it itself, empty for the default: two texts that
 * mean the same are the same.
 */
export function normalText(field: Field, text: string): string {
  const written = field.normal?.(text) ?? plainText(field, text.trim());
  return written === field.cleared ? '' : written;
}

/** The lines of a text that have something in them. */
export function linesIn(text: string): string[] {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

function plainText({ control: { kind }, cleared }: Field, text: string): string {
  if (kind === 'number') return /^\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text;
  // A file may bring a label of several lines, and a field has one.
  if (kind === 'text') return linesIn(text).join(' ');
  if (kind !== 'duration') return text;
  const isNone = text === '0' || isNothing(text) || parseDuration(text) === 0;
  // Where none is no value, the option refuses it.
  if (isNone) return cleared === 'none' ? '' : text;
  const seconds = parseDuration(text);
  return seconds === null ? text : durationWords(seconds, ENGLISH);
}
