import type { Language } from '../../../src/language/language.ts';

/** What lengths of time are written in, greatest first. */
const UNITS = [
  { sign: 'd', seconds: 86_400 },
  { sign: 'h', seconds: 3600 },
  { sign: 'm', seconds: 60 },
  { sign: 's', seconds: 1 },
] as const;

const EXAMPLES = ['90s', '10m', '1h30m'];

/** How a duration is typed, for error messages: markdown. */
export function durationExamples(comma: string): string {
  return EXAMPLES.map((example) => `\`${example}\``).join(comma);
}

/** A length of time in the shortest words that `parseDuration` reads back exactly: `1h30m`, `90s` as `1m30s`, `0s`. */
export function durationText(seconds: number): string {
  return partsOf(seconds)
    .map(({ count, sign }) => count + sign)
    .join('');
}

/** A length of time to the second as a language writes it; `parseDuration` reads it back too. */
export function durationWords(seconds: number, { texts }: Language): string {
  const { between, ...signs } = texts.watch.settings.time;
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
