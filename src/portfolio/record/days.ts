import { groupBy } from '../../lib/group-by.ts';
import { DAY_SECONDS } from '../../lib/time.ts';

/** Days kept; of more, the two oldest are added up. */
const DAYS_LIMIT = 400;

/** Days since 1970, UTC. */
export function dayOf(atSeconds: number): number {
  return Math.floor(atSeconds / DAY_SECONDS);
}

/** Equal for times of one day (UTC) that are on one side of each boundary, Unix seconds. */
export function placeKey(atSeconds: number, boundaries: readonly number[]): string {
  return `${dayOf(atSeconds)} ${boundaries.filter((boundary) => boundary <= atSeconds).length}`;
}

/**
 * Adds up what is of one day and on one side of each boundary; of too many days, the two oldest.
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
