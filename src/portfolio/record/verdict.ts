import * as z from 'zod';
import type { Standing } from './standing.ts';

/**
 * Factor by which the number of wallets is multiplied when a verdict begins. It makes the threshold
 * stricter, because a wallet is checked after every market.
 */
const LOOKS_FACTOR = 8;
/** Number of standard errors by which a verdict ends below the threshold for a single check. */
const END_SLACK = 0.5;

/**
 * Stored state of a wallet that was better than luck for a channel. `better`: it still is;
 * `moreCompared`: it was, and would still be if no more wallets were compared than when the verdict
 * began; `ended`: it was.
 */
export const keptVerdictSchema = z.object({
  state: z.enum(['better', 'moreCompared', 'ended']),
  /** Number of wallets compared when the verdict began. */
  among: z.number(),
  /** Time at which the verdict began or ended, in Unix seconds. */
  changedSeconds: z.number(),
});
export type KeptVerdict = Readonly<z.infer<typeof keptVerdictSchema>>;

/**
 * Reassesses a standing. A verdict begins if the plain rule finds it better than luck among eight
 * times as many wallets, and ends half a standard error below the plain rule. Checked after each
 * market, the plain rule alone would find a wallet without skill better than luck in 4 of 10
 * channels with ten wallets, and would change its verdict on a good wallet again and again.
 * @param standing undefined if the wallet is not ranked
 * @param among k, the number of wallets the channel has ever ranked, at least 1
 * @param nowSeconds Unix seconds
 * @returns `before` itself if nothing changes; undefined if the wallet was never better than luck
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
  // The larger number of compared wallets is no longer the reason.
  if (before?.state === 'moreCompared' && !holds(standing, before.among)) {
    return { ...before, state: 'ended' };
  }
  return before;
}

/**
 * True if a standing is better than luck explains, if the best of several is checked once: edge > z
 * × error, with z = Φ⁻¹(0.95^(1/k)), so that among k wallets without skill all stay below it in 95
 * of 100 channels.
 * @param among k, at least 1
 */
export function isBetterThanLuck(
  { isRanked, edgeCents, errorCents }: Standing,
  among: number,
): boolean {
  if (!isRanked || edgeCents === null || errorCents === null) return false;
  return edgeCents > luckQuantile(among) * errorCents;
}

/**
 * Returns the edge that luck alone explains, at which a verdict begins, in cents per share; null
 * without a market.
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
 * Returns Φ⁻¹, the quantile of the normal distribution, by Newton's method from 0, which never
 * overshoots where Φ is concave; Φ(z) = ½ + φ(z) · (z + z³/3 + z⁵/(3·5) + …).
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
