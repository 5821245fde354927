import { matureBy } from './record.ts';
import { type SpanSums, type Standing, standingAt } from './standing.ts';

/** Names of the sums, in the order of a {@link KeptSums}. */
const NAMES = [
  'markets',
  'days',
  'won',
  'withoutEnd',
  'priceCents',
  'edgeCents',
  'errorCents',
  'isRanked',
  'oneIn',
  'firstSeconds',
  'single',
  'missing',
  'twentiethSeconds',
  'afterSeconds',
  'matureToSeconds',
  'lastSeconds',
  'nextSeconds',
] as const satisfies readonly (keyof SpanSums)[];

/**
 * The sums of a span as numbers only, about 190 bytes of memory, in the order of {@link NAMES},
 * with NaN for null.
 */
export type KeptSums = readonly number[];

export function keepSums(sums: SpanSums): KeptSums {
  return NAMES.map((name) => Number(sums[name] ?? Number.NaN));
}

function readSums(kept: KeptSums): SpanSums {
  const sums = Object.fromEntries(NAMES.map((name, index) => [name, orNull(kept[index])]));
  return { ...(sums as unknown as SpanSums), isRanked: isRankedBy(kept) };
}

const RANKED = NAMES.indexOf('isRanked');
const AFTER = NAMES.indexOf('afterSeconds');
const MATURE_TO = NAMES.indexOf('matureToSeconds');
const LAST = NAMES.indexOf('lastSeconds');
const NEXT = NAMES.indexOf('nextSeconds');

/** True if there were enough mature markets to rank the wallet. */
export function isRankedBy(kept: KeptSums): boolean {
  return kept[RANKED] === 1;
}

/**
 * Returns the standing at a time, from the markets that were mature when the sums were computed.
 * @param nowSeconds venue's clock
 */
export function standingBy(kept: KeptSums, nowSeconds: number): Standing {
  return standingAt(readSums(kept), nowSeconds);
}

/**
 * Returns the time at which the sums became outdated, because another market has matured since, or
 * the clock was set back to before one had.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @returns Unix seconds, 0 if the clock was set back; null if they are up to date
 */
export function staleSince(kept: KeptSums, nowSeconds: number): number | null {
  const after = orNull(kept[AFTER]);
  const matureToSeconds = matureBy(after, orNull(kept[MATURE_TO]), nowSeconds);
  const reachSeconds = matureToSeconds ?? Number.NEGATIVE_INFINITY;
  const nextSeconds = orNull(kept[NEXT]);
  if (nextSeconds !== null && nextSeconds <= reachSeconds) return nextSeconds + (after ?? 0);
  const lastSeconds = orNull(kept[LAST]);
  if (lastSeconds !== null && lastSeconds > reachSeconds) return 0;
  return null;
}

function orNull(number: number | undefined): number | null {
  if (number === undefined || Number.isNaN(number)) return null;
  return number;
}
