/**
 * A forecast of the intensity after a poll, items a second: straight lines between these ages (seconds), and constant
 * after the last. Fine where bursts fade, coarse where little changes any more.
 */
export const AGES: readonly number[] = [0, 30, 75, 150, 270, 500, 1000, 2500, 7200];
const LAST = AGES.length - 1;

/**
 * Expected waiting already accumulated by items that we have not fetched yet, in item·seconds: ∫₀ᵃ s·λ(s) ds.
 * For a constant rate this is λa²/2; polling the greatest first gives the square-root rule
 * (Cho & Garcia-Molina, "Effective page refresh policies for web crawlers", 2003).
 *
 * @param levels intensities at `AGES`, beginning at `offset`
 * @param ageSeconds seconds since the last poll, ≥ 0
 */
export function accumulatedWaiting(levels: Float32Array, offset: number, ageSeconds: number): number {
  let waiting = 0;
  let piece = 0;
  for (; piece < LAST && ageSeconds >= (AGES[piece + 1] ?? 0); piece += 1) {
    waiting += pieceWaiting(levels, offset, piece, AGES[piece + 1] ?? 0);
  }
  return waiting + pieceWaiting(levels, offset, piece, ageSeconds);
}

/** ∫ s·λ(s) ds from the beginning of a piece to `to`. */
function pieceWaiting(levels: Float32Array, offset: number, piece: number, to: number): number {
  const from = AGES[piece] ?? 0;
  const level = levels[offset + piece] ?? 0;
  const rise = piece === LAST ? 0 : (levels[offset + piece + 1] ?? 0) - level;
  const slope = rise === 0 ? 0 : rise / ((AGES[piece + 1] ?? 0) - from);
  const square = to * to - from * from;
  const cube = to * to * to - from * from * from;
  return ((level - slope * from) * square) / 2 + (slope * cube) / 3;
}

/** The age at which the expected number of unseen items, ∫₀ᵃ λ(s) ds, reaches `items`; Infinity if never. */
export function ageOfUnseen(levels: Float32Array, offset: number, items: number): number {
  let unseen = 0;
  for (let piece = 0; piece < LAST; piece += 1) {
    const from = AGES[piece] ?? 0;
    const width = (AGES[piece + 1] ?? 0) - from;
    const level = levels[offset + piece] ?? 0;
    const added = ((level + (levels[offset + piece + 1] ?? 0)) / 2) * width;
    if (unseen + added >= items) return from + (width * (items - unseen)) / added;
    unseen += added;
  }
  const level = levels[offset + LAST] ?? 0;
  return level > 0 ? (AGES[LAST] ?? 0) + (items - unseen) / level : Number.POSITIVE_INFINITY;
}
