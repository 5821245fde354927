import { createCap } from './cap.ts';
import { createForecast, type createPopulation } from './forecast.ts';
import { sixDigits } from './intensity.ts';
import type { Endpoint, Learned } from './types.ts';

/** Those that are held, or those that are not. */
export function createShare() {
  return {
    /** Their picks, counted in fair rounds: each adds one by their number. */
    rounds: 0,
    size: 0,
    cap: createCap(),
  };
}

export type Slot = ReturnType<typeof createSlot>;

/**
 * An endpoint that waits from now on; what was learned of it before is taken over if it can be
 * read.
 */
export function createSlot(
  endpoint: Endpoint,
  /** The endpoints of its name. */
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
    /** `rounds` of all when it was last let go. */
    releasedRounds: roundsOfAll,
    isInFlight: false,
    isExpedited: false,
    /** The last poll that succeeded; NaN: none. */
    seenSeconds,
    /** The first pick or poll of anybody after it was added. */
    addedSeconds: Number.NaN,
    /** Waiting counts from here: the last poll, or after a restart when the bot was last alive. */
    sinceSeconds: seenSeconds,
    /** `rounds` of its share then. */
    sinceRounds: share.rounds,
    pickedSeconds: Number.NaN,
    /** `rounds` of its share, and of all, when it was last picked. */
    pickedRounds: share.rounds,
    pickedRoundsOfAll: roundsOfAll,
    failures: 0,
    /**
     * Time at which the last poll failed, and for how long nobody asks again; NaN: it did not fail.
     */
    failedSeconds: Number.NaN,
    retryWaitSeconds: 0,
  };
}

/**
 * Figures worth keeping: empty before the first poll. The time of the last poll is kept to the
 * millisecond.
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
 * version's.
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
 * Sorted, and moved between the two times: an item may be listed late, and the venue's clock may be
 * off.
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
