import type { Language } from '../language/language.ts';

/** The last names of each are those that other languages than English show. */
const UNITS = [
  { sign: 'd', seconds: 86_400, names: 'd|days?|j|日|天' },
  { sign: 'h', seconds: 3600, names: 'h|hrs?|hours?|時間|小时' },
  { sign: 'm', seconds: 60, names: 'm|mins?|minutes?|分钟?' },
  { sign: 's', seconds: 1, names: 's|secs?|seconds?|秒' },
] as const;

/** How a duration is typed: for error messages and descriptions. */
export const DURATION_EXAMPLES = '90s, 10m, 1h30m, 1d';

const PATTERN = new RegExp(`^${UNITS.map(({ names }) => `(?:(\\d{1,9})\\s*(?:${names}))?`).join('\\s*')}$`, 'i');

/**
 * Reads a length of time as people type it, greatest unit first: `90s`, `10 min`, `1h30m`, `2 days`.
 *
 * @returns whole seconds; null if it is none (a bare number is none: ten what?)
 */
export function parseDuration(text: string): number | null {
  const found = PATTERN.exec(text.trim());
  const counts = UNITS.map((_unit, index) => found?.[index + 1]);
  if (counts.every((count) => count === undefined)) return null;
  return UNITS.reduce((sum, { seconds }, index) => sum + Number(counts[index] ?? 0) * seconds, 0);
}

/** A length of time in the shortest words that `parseDuration` reads back exactly: `1h30m`, `90s` as `1m30s`, `0s`. */
export function durationText(seconds: number): string {
  return partsOf(seconds)
    .map(({ count, sign }) => count + sign)
    .join('');
}

/** A length of time to the second as a language writes it; `parseDuration` reads it back too. */
export function durationWords(seconds: number, { words }: Language): string {
  const { between, ...signs } = words.watch.settings.time;
  return partsOf(seconds)
    .map(({ count, sign }) => count + signs[sign])
    .join(between);
}

interface Part {
  readonly count: number;
  readonly sign: (typeof UNITS)[number]['sign'];
}

function partsOf(seconds: number): readonly Part[] {
  let left = Math.max(0, Math.round(seconds));
  const parts: Part[] = [];
  for (const { sign, seconds: size } of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push({ count, sign });
    left -= count * size;
  }
  return parts.length === 0 ? [{ count: 0, sign: 's' }] : parts;
}
