import { groupBy } from '../../lib/group-by.ts';
import { DAY_SECONDS } from '../../lib/time.ts';

/** Maximum number of days kept. Beyond it, the two oldest are added up. */
const DAYS_LIMIT = 400;

/** Returns the number of days since 1970, in UTC. */
export function dayOf(atSeconds: number): number {
  return Math.floor(atSeconds / DAY_SECONDS);
}

/**
 * Returns a key that is equal for times of one day (UTC) on the same side of each boundary, in Unix
 * seconds.
 */
export function placeKey(atSeconds: number, boundaries: readonly number[]): string {
  return `${dayOf(atSeconds)} ${boundaries.filter((boundary) => boundary <= atSeconds).length}`;
}

/**
 * Adds up entries of one day on the same side of each boundary. If there are too many days, adds up
 * the two oldest.
 * @returns oldest first
 */
export function mergeDays<Day extends { readonly fromSeconds: number }>(
  all: readonly Day[],
  boundaries: readonly number[],
  plus: (one: Day, other: Day) => Day,
): Day[] {
  const byPlace = groupBy(all, ({ fromSeconds }) => placeKey(fromSeconds, boundaries));
  const merged = [...byPlace.values()].map((same) => same.reduce(plus));
  merged.sort((a, b) => a.fromSeconds - b.fromSeconds);
  const tooMany = merged.length - DAYS_LIMIT;
  if (tooMany <= 0) return merged;
  const oldest = merged.slice(0, tooMany + 1).reduce(plus);
  return [oldest, ...merged.slice(tooMany + 1)];
}
