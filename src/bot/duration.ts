const UNITS = [
  { sign: 'd', seconds: 86_400, names: 'd|days?' },
  { sign: 'h', seconds: 3600, names: 'h|hrs?|hours?' },
  { sign: 'm', seconds: 60, names: 'm|mins?|minutes?' },
  { sign: 's', seconds: 1, names: 's|secs?|seconds?' },
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
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const { sign, seconds: size } of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count}${sign}`);
    left -= count * size;
  }
  return parts.length === 0 ? '0s' : parts.join('');
}
