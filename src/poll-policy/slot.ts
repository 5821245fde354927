import { createCap } from './cap.ts';
import { createForecast, type createPopulation } from './forecast.ts';
import { sixDigits } from './intensity.ts';
import type { Endpoint, Learned } from './types.ts';

/** Creates the share of the throttled endpoints, or that of all others. */
export function createShare() {
  return {
    /** Its picks, counted in fair rounds; each pick adds one divided by the number of endpoints. */
    rounds: 0,
    size: 0,
    cap: createCap(),
  };
}

export type Slot = ReturnType<typeof createSlot>;

/**
 * Creates the slot of an endpoint that waits from now on. Data learned earlier is used if it can be
 * read.
 */
export function createSlot(
  endpoint: Endpoint,
  /** Shared data of all endpoints with its name. */
  kind: { readonly population: ReturnType<typeof createPopulation>; isOn: boolean },
  share: ReturnType<typeof createShare>,
  roundsOfAll: number,
  learned?: Learned,
) {
  const { seenSeconds, forecast } = readLearned(learned) ?? {
    seenSeconds: Number.NaN,
    forecast: createForecast(),
  };
  return {
    endpoint: { wallet: endpoint.wallet, name: endpoint.name },
    kind,
    forecast,
    share,
    isThrottled: false,
    /** `rounds` of all endpoints when it was last released. */
    releasedRounds: roundsOfAll,
    isInFlight: false,
    isExpedited: false,
    /** Time of the last successful poll; NaN: none. */
    seenSeconds,
    /** Time of the first pick or poll of any endpoint after it was added. */
    addedSeconds: Number.NaN,
    /**
     * Start of the current wait: the last poll or, after a restart, the time when the bot was last
     * running.
     */
    sinceSeconds: seenSeconds,
    /** `rounds` of its share at that time. */
    sinceRounds: share.rounds,
    pickedSeconds: Number.NaN,
    /** `rounds` of its share, and of all endpoints, when it was last picked. */
    pickedRounds: share.rounds,
    pickedRoundsOfAll: roundsOfAll,
    failures: 0,
    /**
     * Time of the last poll's failure, and the delay before the next attempt; NaN: it did not fail.
     */
    failedSeconds: Number.NaN,
    retryWaitSeconds: 0,
  };
}

/**
 * Returns the data worth storing; empty before the first poll. The time of the last poll is stored
 * to the millisecond.
 */
export function writeLearned({ seenSeconds, forecast }: Slot): Learned {
  if (Number.isNaN(seenSeconds)) return [];
  const { credits, watchedSeconds, counts } = forecast;
  return [
    Math.round(seenSeconds * 1000) / 1000,
    ...[credits, watchedSeconds, ...counts].map(sixDigits),
  ];
}

/**
 * Reads what `writeLearned` returned; null for anything else, such as an empty list or another
 * version's data.
 */
function readLearned(learned: Learned | undefined) {
  if (!isFigures(learned, 3 + createForecast().counts.length)) return null;
  const [seenSeconds = 0, credits = 0, watchedSeconds = 0, ...counts] = learned;
  return { seenSeconds, forecast: createForecast(counts, credits, watchedSeconds) };
}

export function isFigures(list: unknown, length: number): list is readonly number[] {
  return (
    Array.isArray(list) &&
    list.length === length &&
    list.every((figure) => Number.isFinite(figure) && figure >= 0)
  );
}

/**
 * Sorts times and clamps them between the two limits, because an item may be listed late and the
 * venue's clock may be wrong.
 */
export function ascending(
  times: readonly number[],
  fromSeconds: number,
  toSeconds: number,
): readonly number[] {
  if (times.length === 0) return times;
  return times
    .filter(Number.isFinite)
    .map((time) => Math.min(toSeconds, Math.max(fromSeconds, time)))
    .sort((a, b) => a - b);
}
