/**
 * A forecast of the intensity after a poll is a figure at each of these ages (seconds), joined by straight lines, and
 * constant after the last. Fine where bursts fade, coarse where little changes any more.
 */
export const AGES: readonly number[] = [0, 30, 75, 150, 270, 500, 1000, 2500, 7200];
const LAST = AGES.length - 1;
const SQUARES = AGES.map((age) => age * age);

/**
 * Expected waiting already accumulated by items that we have not fetched yet, in item·seconds: ∫₀ᵃ s·λ(s) ds.
 * For a constant rate this is λa²/2; polling the greatest first gives the square-root rule
 * (Cho & Garcia-Molina, "Effective page refresh policies for web crawlers", 2003).
 *
 * It is asked for far more often than forecast. So what is kept of a forecast, from `offset` on, is the integral up to
 * each of `AGES` but the first, and the intensity after the last: `AGES.length` figures.
 *
 * @param levels intensities at `AGES`, items a second
 */
export function keepWaiting(levels: Float64Array, kept: Float32Array, offset: number): void {
  let waiting = 0;
  for (let piece = 0; piece < LAST; piece += 1) {
    const from = AGES[piece] ?? 0;
    const to = AGES[piece + 1] ?? 0;
    const level = levels[piece] ?? 0;
    const slope = ((levels[piece + 1] ?? 0) - level) / (to - from);
    waiting +=
      ((level - slope * from) * (to * to - from * from)) / 2 + (slope * (to * to * to - from * from * from)) / 3;
    kept[offset + piece] = waiting;
  }
  kept[offset + LAST] = levels[LAST] ?? 0;
}

/** The intensity after the last of `AGES`, items a second. */
export function lastLevel(kept: Float32Array, offset: number): number {
  return kept[offset + LAST] ?? 0;
}

/**
 * The waiting accumulated at an age: exact at `AGES`, between them as if the intensity were constant in between.
 *
 * @param ageSeconds seconds since the last poll, ≥ 0
 */
export function accumulatedWaiting(kept: Float32Array, offset: number, ageSeconds: number): number {
  let piece = 0;
  while (piece < LAST && ageSeconds >= (AGES[piece + 1] ?? 0)) piece += 1;
  const before = piece === 0 ? 0 : (kept[offset + piece - 1] ?? 0);
  const from = SQUARES[piece] ?? 0;
  const square = ageSeconds * ageSeconds - from;
  const here = kept[offset + piece] ?? 0;
  if (piece === LAST) return before + (here * square) / 2;
  return before + ((here - before) * square) / ((SQUARES[piece + 1] ?? 0) - from);
}

/** The age at which the accumulated waiting reaches `waiting` (> 0), at most `capSeconds`. */
export function ageOfWaiting(kept: Float32Array, offset: number, waiting: number, capSeconds: number): number {
  let piece = 0;
  while (piece < LAST && (kept[offset + piece] ?? 0) < waiting) piece += 1;
  const before = piece === 0 ? 0 : (kept[offset + piece - 1] ?? 0);
  const from = SQUARES[piece] ?? 0;
  const here = kept[offset + piece] ?? 0;
  const perSquare = piece === LAST ? here / 2 : (here - before) / ((SQUARES[piece + 1] ?? 0) - from);
  if (!(perSquare > 0)) return waiting > before ? capSeconds : Math.min(capSeconds, AGES[piece] ?? 0);
  return Math.min(capSeconds, Math.sqrt(from + (waiting - before) / perSquare));
}

/** The age at which the expected number of unseen items, ∫₀ᵃ λ(s) ds, reaches `items`; Infinity if never. */
export function ageOfUnseen(levels: Float64Array, items: number): number {
  let unseen = 0;
  for (let piece = 0; piece < LAST; piece += 1) {
    const from = AGES[piece] ?? 0;
    const width = (AGES[piece + 1] ?? 0) - from;
    const level = levels[piece] ?? 0;
    const added = ((level + (levels[piece + 1] ?? 0)) / 2) * width;
    if (unseen + added >= items) return from + (width * (items - unseen)) / added;
    unseen += added;
  }
  const level = levels[LAST] ?? 0;
  return level > 0 ? (AGES[LAST] ?? 0) + (items - unseen) / level : Number.POSITIVE_INFINITY;
}
