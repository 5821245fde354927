import { grownFloat32 } from './columns.ts';
import type { Shared } from './shared.ts';
import { SCALES } from './shared.ts';
import { AGES, accumulatedWaiting, ageOfUnseen, ageOfWaiting, keepWaiting, lastLevel } from './urgency.ts';

const SCALE_COUNT = SCALES.length;
const AGE_COUNT = AGES.length;
/** The figures of `Learned`: when seen, seconds watched, items, peak, then per scale the excitation and the items it brought. */
export const LEARNED_LENGTH = 4 + 2 * SCALE_COUNT;
/** An endpoint's own branching counts as much as the others' once it has had this many items. */
const TRUST_ITEMS = 60;
/** Forgetting: what is older than about a month, or than the last so many items, no longer counts. */
const MEMORY_SECONDS = 30 * 86_400;
const MEMORY_ITEMS = 3000;
/** A restored endpoint tells the prior about as much as a day of polls would. */
const RESTORED_SECONDS = 86_400;
/** The busiest time of an endpoint is measured on this of the scales, and remembered for about a week. */
const PEAK_SCALE = 1;
const NEARLY_FULL = 0.8;
const PEAK_MEMORY_SECONDS = 7 * 86_400;
/** What was watched without an item is taken in once it is this share of all that was watched, where no echo is left. */
const UNTOLD_SHARE = 0.01;
const NO_ECHO_SHARE = 0.02;
/** A process with a branching of 1 never calms down. */
const MOST_BRANCHING = 0.95;

/** Steps of the forecast between two of `AGES`: their width, and what is left of each scale's excitation after one. */
const STEPS = AGES.slice(1).map((age, piece) => {
  const width = age - (AGES[piece] ?? 0);
  const count = Math.min(6, Math.ceil(width / 25));
  return { count, kept: SCALES.map((seconds) => Math.exp(-width / count / seconds)) };
});

/**
 * When items are expected at each slot's endpoint: a self-exciting (Hawkes) process with several time scales at once,
 *
 *     λ(t) = μ + Σₖ nₖ·Rₖ(t),   Rₖ(t) = Σⱼ exp(−(t − tⱼ)/τₖ)/τₖ over the items at times tⱼ,
 *
 * fitted as the tape comes in by expectation maximization: each item is credited to the base or to a scale in proportion
 * to their parts of λ just before it. μ is the mean of what the base was credited with (a first trade, not its echoes),
 * nₖ what a scale was credited with by what it could have brought, both drawn towards the other endpoints as long as
 * there is little evidence. Long scales do the work of a decaying rate, short ones that of a burst, and the credits
 * decide how much of each to believe: where forecasts from the past fail, the base is left, which is nearly round-robin.
 */
export interface Arrivals {
  /** Makes room for this many slots. */
  reserve(slots: number): void;
  /** Forgets what a slot held. */
  clear(slot: number): void;
  /** Takes over figures that `learned` gave. */
  restore(slot: number, figures: readonly number[], shared: Shared, endpoints: number): void;
  /** The items in (fromSeconds, toSeconds], ascending, and no others came in that time. */
  observe(
    slot: number,
    fromSeconds: number,
    toSeconds: number,
    times: readonly number[],
    shared: Shared,
    endpoints: number,
  ): void;
  /** Seconds watched, items, the greatest excitation of a few minutes, and per scale the excitation and the items it brought. */
  figures(slot: number): number[];
  /** Expected waiting of unseen items, item·seconds, at an age since the last poll. */
  waiting(slot: number, ageSeconds: number): number;
  /** The age at which so much waiting has accumulated, at most `capSeconds`. */
  ageOfWaiting(slot: number, waiting: number, capSeconds: number): number;
  /** About how many items are expected to be unseen at an age: half a page at `guardAge`, in proportion before. */
  expected(slot: number, ageSeconds: number): number;
  /** The age at which half a page is expected to be unseen. */
  guardAge(slot: number): number;
  /** The age at which a page would be nearly full, if its busiest time came back right after the poll. */
  peakAge(slot: number): number;
}

export function createArrivals(pageSize: number): Arrivals {
  let watched = new Float32Array(0);
  let untold = new Float32Array(0);
  let peaks = new Float32Array(0);
  let items = new Float32Array(0);
  let excitation = new Float32Array(0);
  let credit = new Float32Array(0);
  let waitings = new Float32Array(0);
  let guards = new Float32Array(0);
  const levels = new Float64Array(AGE_COUNT);
  const branching = new Float64Array(SCALE_COUNT);
  const echo = new Float64Array(SCALE_COUNT);
  const brought = new Float64Array(SCALE_COUNT);
  const chances = new Float64Array(SCALE_COUNT);
  const weights = new Float64Array(SCALE_COUNT);

  function firstTrades(slot: number): number {
    let own = items[slot] ?? 0;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) own -= credit[slot * SCALE_COUNT + scale] ?? 0;
    return Math.max(0, own);
  }

  /**
   * How much the items of an endpoint say about branching. The more of them there are anyhow within a scale, the less
   * its echoes can be told from the base; and credits follow what was believed before, so that the busiest endpoint
   * would teach all others its first guess.
   */
  function weighScales(base: number): void {
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) weights[scale] = 1 / (1 + base * (SCALES[scale] ?? 1));
  }

  function readBranching(slot: number, base: number, shared: Shared): void {
    weighScales(base);
    let total = 0;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
      const at = slot * SCALE_COUNT + scale;
      const chance = chancesOf(items[slot] ?? 0, excitation[at] ?? 0, watched[slot] ?? 0, SCALES[scale] ?? 1);
      const weight = weights[scale] ?? 0;
      const share =
        (weight * (credit[at] ?? 0) + TRUST_ITEMS * shared.branching(scale)) / (weight * chance + TRUST_ITEMS);
      branching[scale] = share;
      total += share;
    }
    if (total <= MOST_BRANCHING) return;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1)
      branching[scale] = ((branching[scale] ?? 0) * MOST_BRANCHING) / total;
  }

  function forecast(slot: number, base: number, shared: Shared): void {
    readBranching(slot, base, shared);
    let level = base;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
      const rate = (excitation[slot * SCALE_COUNT + scale] ?? 0) / (SCALES[scale] ?? 1);
      echo[scale] = rate;
      level += (branching[scale] ?? 0) * rate;
    }
    levels[0] = level;
    for (let piece = 0; piece < STEPS.length; piece += 1) {
      const count = STEPS[piece]?.count ?? 0;
      const kept = STEPS[piece]?.kept ?? [];
      for (let step = 0; step < count; step += 1) {
        let next = base;
        for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
          const keep = kept[scale] ?? 0;
          const rate = (echo[scale] ?? 0) * keep + level * (1 - keep);
          echo[scale] = rate;
          next += (branching[scale] ?? 0) * rate;
        }
        level = next;
      }
      levels[piece + 1] = level;
    }
    keepWaiting(levels, waitings, slot * AGE_COUNT);
    guards[slot] = ageOfUnseen(levels, pageSize / 2);
  }

  /** Lets the excitations of a slot fade for a while, and counts what they could have brought meanwhile. */
  function fade(slot: number, seconds: number): void {
    if (seconds <= 0) return;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
      const at = slot * SCALE_COUNT + scale;
      const before = excitation[at] ?? 0;
      if (before === 0) continue;
      const after = before * Math.exp(-seconds / (SCALES[scale] ?? 1));
      excitation[at] = after;
      chances[scale] = (chances[scale] ?? 0) + before - after;
    }
  }

  function creditItem(slot: number, base: number): void {
    let level = base;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
      level += ((branching[scale] ?? 0) * (excitation[slot * SCALE_COUNT + scale] ?? 0)) / (SCALES[scale] ?? 1);
    }
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
      const at = slot * SCALE_COUNT + scale;
      const share = ((branching[scale] ?? 0) * (excitation[at] ?? 0)) / (SCALES[scale] ?? 1) / level;
      credit[at] = (credit[at] ?? 0) + share;
      brought[scale] = (brought[scale] ?? 0) + share;
      excitation[at] = (excitation[at] ?? 0) + 1;
    }
    items[slot] = (items[slot] ?? 0) + 1;
    peaks[slot] = Math.max(peaks[slot] ?? 0, excitation[slot * SCALE_COUNT + PEAK_SCALE] ?? 0);
  }

  function tellBranching(count: number, shared: Shared): void {
    for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
      const weight = weights[scale] ?? 0;
      brought[scale] = (brought[scale] ?? 0) * weight;
      chances[scale] = (chances[scale] ?? 0) * weight;
    }
    shared.learnBranching(count, brought, chances);
  }

  /** Most polls find nothing, where nothing was expected: they need not change the forecast each time. */
  function saysLittle(slot: number, quietSeconds: number): boolean {
    if ((untold[slot] ?? 0) + quietSeconds > UNTOLD_SHARE * (watched[slot] ?? 0)) return false;
    let echoes = 0;
    for (let scale = 0; scale < SCALE_COUNT; scale += 1)
      echoes += (excitation[slot * SCALE_COUNT + scale] ?? 0) / (SCALES[scale] ?? 1);
    return echoes < NO_ECHO_SHARE * lastLevel(waitings, slot * AGE_COUNT);
  }

  function forget(slot: number, elapsedSeconds: number): void {
    const count = items[slot] ?? 0;
    const keep = Math.exp(-elapsedSeconds / MEMORY_SECONDS) * Math.min(1, MEMORY_ITEMS / Math.max(1, count));
    watched[slot] = (watched[slot] ?? 0) * keep;
    items[slot] = count * keep;
    peaks[slot] = (peaks[slot] ?? 0) * Math.exp(-elapsedSeconds / PEAK_MEMORY_SECONDS);
    for (let at = slot * SCALE_COUNT; at < (slot + 1) * SCALE_COUNT; at += 1) credit[at] = (credit[at] ?? 0) * keep;
  }

  return {
    reserve(slots) {
      if (slots <= watched.length) return;
      watched = grownFloat32(watched, slots);
      untold = grownFloat32(untold, slots);
      peaks = grownFloat32(peaks, slots);
      items = grownFloat32(items, slots);
      excitation = grownFloat32(excitation, slots, SCALE_COUNT);
      credit = grownFloat32(credit, slots, SCALE_COUNT);
      waitings = grownFloat32(waitings, slots, AGE_COUNT);
      guards = grownFloat32(guards, slots);
    },
    clear(slot) {
      watched[slot] = 0;
      untold[slot] = 0;
      items[slot] = 0;
      peaks[slot] = 0;
      excitation.fill(0, slot * SCALE_COUNT, (slot + 1) * SCALE_COUNT);
      credit.fill(0, slot * SCALE_COUNT, (slot + 1) * SCALE_COUNT);
      waitings.fill(0, slot * AGE_COUNT, (slot + 1) * AGE_COUNT);
      guards[slot] = Number.POSITIVE_INFINITY;
    },
    restore(slot, figures, shared, endpoints) {
      const [seconds = 0, count = 0, peak = 0] = figures;
      peaks[slot] = peak;
      watched[slot] = seconds;
      items[slot] = count;
      for (let scale = 0; scale < SCALE_COUNT; scale += 1) {
        const at = slot * SCALE_COUNT + scale;
        excitation[at] = figures[3 + scale] ?? 0;
        credit[at] = figures[3 + SCALE_COUNT + scale] ?? 0;
        brought[scale] = credit[at] ?? 0;
        chances[scale] = chancesOf(count, excitation[at] ?? 0, seconds, SCALES[scale] ?? 1);
      }
      weighScales(firstTrades(slot) / Math.max(1, seconds));
      tellBranching(count, shared);
      const told = Math.min(seconds, RESTORED_SECONDS);
      forecast(slot, shared.learnRate(firstTrades(slot), seconds, told, endpoints), shared);
    },
    observe(slot, fromSeconds, toSeconds, times, shared, endpoints) {
      const quiet = Math.max(0, toSeconds - fromSeconds);
      if (times.length === 0 && saysLittle(slot, quiet)) {
        fade(slot, quiet);
        watched[slot] = (watched[slot] ?? 0) + quiet;
        untold[slot] = (untold[slot] ?? 0) + quiet;
        return;
      }
      brought.fill(0);
      chances.fill(0);
      let clock = fromSeconds;
      if (times.length > 0) {
        const base = shared.baseRate(firstTrades(slot), watched[slot] ?? 0);
        readBranching(slot, base, shared);
        for (const time of times) {
          fade(slot, time - clock);
          clock = Math.max(clock, time);
          creditItem(slot, base);
        }
      } else weighScales(firstTrades(slot) / Math.max(1, watched[slot] ?? 0));
      fade(slot, toSeconds - clock);
      watched[slot] = (watched[slot] ?? 0) + quiet;
      const elapsed = quiet + (untold[slot] ?? 0);
      untold[slot] = 0;
      forget(slot, elapsed);
      tellBranching(times.length, shared);
      forecast(slot, shared.learnRate(firstTrades(slot), watched[slot] ?? 0, elapsed, endpoints), shared);
    },
    figures(slot) {
      const from = slot * SCALE_COUNT;
      return [
        watched[slot] ?? 0,
        items[slot] ?? 0,
        peaks[slot] ?? 0,
        ...excitation.subarray(from, from + SCALE_COUNT),
        ...credit.subarray(from, from + SCALE_COUNT),
      ];
    },
    waiting: (slot, ageSeconds) => accumulatedWaiting(waitings, slot * AGE_COUNT, ageSeconds),
    ageOfWaiting: (slot, waiting, capSeconds) => ageOfWaiting(waitings, slot * AGE_COUNT, waiting, capSeconds),
    expected: (slot, ageSeconds) => ((pageSize / 2) * ageSeconds) / (guards[slot] ?? Number.POSITIVE_INFINITY),
    guardAge: (slot) => guards[slot] ?? Number.POSITIVE_INFINITY,
    peakAge: (slot) => (NEARLY_FULL * pageSize * (SCALES[PEAK_SCALE] ?? 1)) / (peaks[slot] ?? 0),
  };
}

/**
 * How many items' worth of echo a scale has had time for. Exactly items − excitation, as long as nothing is forgotten;
 * where old items are, at least half of what evenly spread items would have had.
 */
function chancesOf(items: number, excitation: number, watchedSeconds: number, scaleSeconds: number): number {
  const spans = watchedSeconds / scaleSeconds;
  const evenly = spans > 1e-6 ? 1 - (1 - Math.exp(-spans)) / spans : 0;
  return Math.max(items - excitation, (items * evenly) / 2);
}
