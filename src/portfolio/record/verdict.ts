import * as z from 'zod';
import type { Standing } from './standing.ts';

/**
 * A verdict begins as if so many times as many wallets were compared: it is looked at after every
 * market.
 */
const LOOKS_FACTOR = 8;
/** Standard errors by which it ends below where it would begin if it were looked at once. */
const END_SLACK = 0.5;

/**
 * State that is kept of a wallet that was better than luck for a room. `better`: it is;
 * `moreCompared`: it was, and would be if no more wallets were compared than when it began;
 * `ended`: it was.
 */
export const keptVerdictSchema = z.object({
  state: z.enum(['better', 'moreCompared', 'ended']),
  /** Number of wallets that were compared when it began. */
  among: z.number(),
  /** Unix seconds at which it began, or ended. */
  changedSeconds: z.number(),
});
export type KeptVerdict = Readonly<z.infer<typeof keptVerdictSchema>>;

/**
 * Judges a standing anew. A verdict begins where the plain rule calls it better than luck among
 * eight times as many wallets, and ends half a standard error below the plain rule: looked at after
 * each market the plain rule alone would call somebody without skill better in 4 of 10 rooms of
 * ten, and change its mind again and again over a good wallet.
 *
 * @param standing undefined if the wallet is not ranked
 * @param among k, how many wallets the room has ever ranked, 1 at least
 * @param nowSeconds Unix seconds
 * @returns `before` itself if nothing changes; undefined if it never was better
 */
export function judge(
  before: KeptVerdict | undefined,
  standing: Standing | undefined,
  among: number,
  nowSeconds: number,
): KeptVerdict | undefined {
  if (before?.state === 'better') {
    if (holds(standing, among)) return before;
    const state = holds(standing, before.among) ? 'moreCompared' : 'ended';
    return { state, among: before.among, changedSeconds: nowSeconds };
  }
  const begins = standing !== undefined && isBetterThanLuck(standing, LOOKS_FACTOR * among);
  if (begins) return { state: 'better', among, changedSeconds: nowSeconds };
  // That more are compared is no longer why.
  if (before?.state === 'moreCompared' && !holds(standing, before.among)) {
    return { ...before, state: 'ended' };
  }
  return before;
}

/**
 * True if a standing is better than luck explains, where the best of several is looked at once:
 * edge > z × error, with z = Φ⁻¹(0.95^(1/k)), so that of k wallets without skill all stay below it
 * in 95 of 100 rooms.
 *
 * @param among k, 1 at least
 */
export function isBetterThanLuck(
  { isRanked, edgeCents, errorCents }: Standing,
  among: number,
): boolean {
  if (!isRanked || edgeCents === null || errorCents === null) return false;
  return edgeCents > luckQuantile(among) * errorCents;
}

/**
 * The edge that luck alone reaches, where a verdict begins, cents a share; null without a market.
 * @param among k
 */
export function luckCentsOf({ errorCents }: Standing, among: number): number | null {
  if (errorCents === null) return null;
  return luckQuantile(LOOKS_FACTOR * among) * errorCents;
}

function holds(standing: Standing | undefined, among: number): boolean {
  if (standing?.isRanked !== true) return false;
  const { edgeCents, errorCents } = standing;
  if (edgeCents === null || errorCents === null) return false;
  return edgeCents >= (luckQuantile(among) - END_SLACK) * errorCents;
}

function luckQuantile(among: number): number {
  return normalQuantile(0.95 ** (1 / Math.max(1, among)));
}

/**
 * Φ⁻¹, the quantile of the normal distribution, by Newton's steps from 0, which never go too far
 * where Φ is concave; Φ(z) = ½ + φ(z) · (z + z³/3 + z⁵/(3·5) + …).
 *
 * @param probability from 0.5 to 1
 */
function normalQuantile(probability: number): number {
  let z = 0;
  for (;;) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    let total = 0;
    let term = z;
    for (let odd = 3; total + term > total; odd += 2) {
      total += term;
      term *= (z * z) / odd;
    }
    const step = (probability - 0.5 - density * total) / density;
    if (step < 1e-9) return z;
    z += step;
  }
}
