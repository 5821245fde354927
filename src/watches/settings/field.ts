import { parseDuration } from '../../language/duration.ts';
import { ENGLISH, type Language, type LocalizedText } from '../../language/language.ts';
import type { OptionName } from '../../slash-commands/options.ts';
import { durationWords } from './durations.ts';
import { isNothing } from './typed.ts';

/** Displayed names of values, by stored value. */
type NamesIn = (language: Language) => Readonly<Record<string, string>>;

/** A form's control. */
export type Control =
  /**
   * A typed number.
   *
   * @param takes text shown if the number cannot be read
   */
  | { readonly kind: 'number'; readonly takes: LocalizedText }
  /** A line of text of at most `most` characters. */
  | { readonly kind: 'text'; readonly most: number }
  /** One of several values. */
  | { readonly kind: 'choice'; readonly names: NamesIn }
  /** Any number of values; as text, separated by commas. */
  | { readonly kind: 'several'; readonly names: NamesIn }
  /** One of several durations, or another one that is typed. */
  | { readonly kind: 'duration'; readonly starts: readonly string[] }
  /**
   * Names to announce exclusively, or to exclude, one per line. Both functions read the option's
   * text.
   */
  | {
      readonly kind: 'list';
      readonly mode: (text: string) => 'only' | 'except' | undefined;
      readonly names: (text: string) => readonly string[];
    }
  | { readonly kind: 'role' };

/** A field of a form. It sets an option by the text that the option accepts. */
export interface Field {
  readonly option: OptionName;
  readonly control: Control;
  /** The option's text for its default; empty if only `reset` restores the default. */
  readonly cleared: string;
  /** The option without which this one has no effect. */
  readonly needs?: OptionName;
  /**
   * Normalizes a text of the option, empty for the default. A text that the option does not accept
   * stays unchanged. Left out: the control decides.
   */
  normal?(text: string): string;
}

/**
 * Normalizes a text of the field's option, empty for the default. Texts with the same meaning
 * become equal.
 */
export function normalText(field: Field, text: string): string {
  const written = field.normal?.(text) ?? plainText(field, text.trim());
  return written === field.cleared ? '' : written;
}

/** Returns the non-empty lines of a text. */
export function linesIn(text: string): string[] {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

function plainText({ control: { kind }, cleared }: Field, text: string): string {
  if (kind === 'number') return /^\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text;
  // An imported label may have several lines; the field has one.
  if (kind === 'text') return linesIn(text).join(' ');
  if (kind !== 'duration') return text;
  const isNone = text === '0' || isNothing(text) || parseDuration(text) === 0;
  // If none is not a valid value, the option rejects it.
  if (isNone) return cleared === 'none' ? '' : text;
  const seconds = parseDuration(text);
  return seconds === null ? text : durationWords(seconds, ENGLISH);
}
