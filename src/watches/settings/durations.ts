import { parseDuration } from '../../language/duration.ts';
import { ENGLISH, type Language } from '../../language/language.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../lib/time.ts';

/** Units of written durations, largest first, in seconds. */
const UNITS = { d: DAY_SECONDS, h: HOUR_SECONDS, m: 60, s: 1 } as const;

/**
 * Writes a duration, rounded to the second, in a form that `parseDuration` reads: `1h30m`, `1m30s`
 * for 90 s, `0s`.
 */
export function durationWords(seconds: number, { texts }: Language): string {
  const { between, ...signs } = texts.watch.settings.time;
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const unit of Object.keys(UNITS) as (keyof typeof UNITS)[]) {
    const count = Math.floor(left / UNITS[unit]);
    left %= UNITS[unit];
    if (count > 0) parts.push(count + signs[unit]);
  }
  return parts.join(between) || `0${signs.s}`;
}

/**
 * Suggests durations that match the typed text.
 *
 * @param starts suggestions for an empty text; may include `none`
 */
export function suggestDurations(starts: readonly string[], limitSeconds: number) {
  return (typed: string, { language }: { readonly language: Language }) => {
    const text = typed.trim().toLowerCase();
    const isFigure = /^\d+$/.test(text);
    const meant = isFigure ? ['m', 'h', 'd', 's'].map((unit) => text + unit) : [text];
    const values = new Set<string>();
    for (const one of meant) {
      const seconds = parseDuration(one);
      const fits = seconds !== null && seconds >= 1 && seconds <= limitSeconds;
      if (fits) values.add(durationWords(seconds, ENGLISH));
    }
    for (const start of starts) {
      if (start.startsWith(text)) values.add(start);
    }
    return [...values].map((value) => {
      const seconds = parseDuration(value);
      const { none } = language.texts.names.typed;
      return { name: seconds === null ? none : durationWords(seconds, language), value };
    });
  };
}
