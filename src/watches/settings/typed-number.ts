/** Numbers with both signs, where the last one is the decimal sign: `1.234,56`, `1,234.5`. */
const GROUPED_DECIMAL =
  /^([1-9]\d{0,2})((?:\.\d{3})+),(\d{1,2})$|^([1-9]\d{0,2})((?:,\d{3})+)\.(\d{1,2})$/;
/** Two or more groups of thousands: the sign cannot be a decimal one. */
const GROUPED = /^[1-9]\d{0,2}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/;
/** One sign before three digits: a group sign in some languages, a decimal sign in others. */
const EITHER = /^[1-9]\d{0,2}([.,])\d{3}$/;
const PLAIN = /^\d+$/;
const DECIMAL = /^(\d*)[.,](\d{1,2})$/;

/** A typed number. */
type TypedNumber =
  | { readonly kind: 'number'; readonly value: number }
  /** Nothing was typed. */
  | { readonly kind: 'empty' }
  /** `1.000`, `1,000`: ambiguous. */
  | { readonly kind: 'either'; readonly values: readonly [thousands: number, decimal: number] }
  | { readonly kind: 'unreadable' };

/**
 * Reads a number as people type it: `50`, `$1,500.50`, `0,5 ¢`, `１０００`. One sign before three
 * digits is read as a group sign only if the language uses it so; it is never guessed.
 *
 * @param tag BCP 47 tag of the language
 */
export function readTypedNumber(typed: string, tag: string): TypedNumber {
  const signs = typed.normalize('NFKC').replace(/[$¢]/g, '').trim();
  // Two numbers side by side are not one.
  if (/\d\s(?!\d{3}(?!\d))\d|\d\s{2,}\d/.test(signs)) return { kind: 'unreadable' };
  const text = signs.replace(/\s/g, '');
  if (text === '') return { kind: 'empty' };
  const either = EITHER.exec(text);
  if (either !== null) {
    const [, sign] = either;
    const thousands = Number(text.replace(/[.,]/, ''));
    if (sign === separators(tag).group) return { kind: 'number', value: thousands };
    return { kind: 'either', values: [thousands, Number(text.replace(',', '.'))] };
  }
  if (PLAIN.test(text)) return { kind: 'number', value: Number(text) };
  if (GROUPED.test(text)) return { kind: 'number', value: Number(text.replace(/[.,]/g, '')) };
  if (DECIMAL.test(text) || GROUPED_DECIMAL.test(text)) {
    const end = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
    const whole = text.slice(0, end).replace(/[.,]/g, '');
    return { kind: 'number', value: Number(`${whole}.${text.slice(end + 1)}`) };
  }
  return { kind: 'unreadable' };
}

/**
 * Writes a number as `readTypedNumber` reads it in the same language.
 *
 * @param text a number written by `String`
 */
export function shownNumber(text: string, tag: string): string {
  return text.replace('.', separators(tag).decimal);
}

/**
 * Reads back what `shownNumber` wrote, even with more decimals than people may type. Other texts
 * stay unchanged.
 */
export function withPoint(typed: string, tag: string): string {
  return typed.trim().replace(separators(tag).decimal, '.');
}

function separators(tag: string) {
  const parts = new Intl.NumberFormat(tag, { useGrouping: 'always' }).formatToParts(1_234_567.5);
  const sign = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal'), group: sign('group') };
}
