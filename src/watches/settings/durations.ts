import { parseDuration } from '../../language/duration.ts';
import { ENGLISH, type Language } from '../../language/language.ts';
import type { Choice } from '../../slash-commands/slash-command.ts';

/** The longest cooldown, of alerts and of mentions: a day. */
export const COOLDOWN_LIMIT_SECONDS = 86_400;
/** What lengths of time are written in, greatest first, in seconds. */
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** A length of time to the second as a language writes it, which `parseDuration` reads back: `1h30m`, `90s` as `1m30s`, `0s`. */
export function durationWords(seconds: number, { texts }: Language): string {
  const { between, ...signs } = texts.watch.settings.time;
  let left = Math.max(0, Math.round(seconds));
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [count + signs[unit]] : [];
  });
  return parts.join(between) || `0${signs.s}`;
}

/** Lengths of time that are like what has been typed. @param starts suggested while nothing is typed, `none` among them */
export function durationsLike(
  typed: string,
  starts: readonly string[],
  limitSeconds: number,
  language: Language,
): Choice[] {
  const text = typed.trim().toLowerCase();
  const read = /^\d+$/.test(text) ? ['m', 'h', 'd', 's'].map((unit) => text + unit) : [text];
  const known = read
    .map(parseDuration)
    .flatMap((seconds) =>
      seconds === null || seconds < 1 || seconds > limitSeconds ? [] : durationWords(seconds, ENGLISH),
    );
  return [...new Set([...known, ...starts.filter((start) => start.startsWith(text))])].map((value) => {
    const seconds = parseDuration(value);
    const name = seconds === null ? language.texts.names.typed.none : durationWords(seconds, language);
    return { name, value };
  });
}
