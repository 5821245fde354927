import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { createPopulation } from './forecast.ts';
import { createPicker, createShares } from './pick.ts';
import { ascending, createSlot, isFigures, type Slot, writeLearned } from './slot.ts';
import { type Endpoint, keyOf, type Learned, PAGE_ITEMS, type PollReport } from './types.ts';

export type { Endpoint, Learned } from './types.ts';
export type Schedule = ReturnType<typeof createSchedule>;

/**
 * Delay before retrying a failed poll, in seconds; it doubles with each failure up to the second
 * value.
 */
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;
/**
 * New endpoints count as having waited up to this many rounds, so that those added together do not
 * stay next to each other forever.
 */
const FIRST_SPREAD_ROUNDS = 0.25;
/** The fractional parts of its multiples are evenly distributed, however many there are. */
const GOLDEN_SHARE = 0.618_034;

/**
 * Polls the endpoint with the greatest urgency, which is about the expected waiting time
 * accumulated since its last poll, as forecast from the item times seen so far (`forecast.ts`,
 * `intensity.ts`).
 *
 * The reason: for Poisson arrivals with rates λᵢ and B polls per second, the minimum mean delay is
 * (Σ√λᵢ)² / (2·B·Σλᵢ), reached by polling at equal waiting ½λᵢa²: the square-root rule (Ammar &
 * Wong 1985; Cho & Garcia-Molina 2003). Round-robin has N/(2B). Trades come in bursts, so a policy
 * that reacts to them goes below that bound.
 *
 * These come before the most urgent endpoint, in this order:
 * - expedited endpoints (at most every second pick while another one is overdue);
 * - those past the age cap, longest wait first (`cap.ts`: at most four fair rounds, five if some
 *   are always expedited);
 * - those that may overflow a page before their turn, and new ones: at most every second pick, but
 *   all picks of the first round, in which nearly all endpoints are new.
 *
 * No endpoint is picked again within `pollMinSeconds`; if the budget allows more, a pick returns
 * fewer than requested.
 *
 * Throttled endpoints (`fair-schedule.ts`) come after all others that have waited a twentieth of a
 * fair round, or forty picks. The throttled and the others are two shares with rounds of their own:
 * the cap of a throttled endpoint counts only the picks that throttled endpoints get.
 *
 * A pick examines every endpoint, at about a tenth of a microsecond each.
 *
 * @param options `pollMinSeconds`: minimum interval between picks of one endpoint. `isInTurn`:
 *   round-robin regardless of results, the baseline against which the schedule is measured
 */
export function createSchedule({ pollMinSeconds = 0, isInTurn = false } = {}) {
  const kinds = Object.fromEntries(
    ENDPOINT_NAMES.map((name) => [name, { population: createPopulation(), isOn: true }]),
  ) as Readonly<Record<EndpointName, Slot['kind']>>;
  const slots = new Map<string, Slot>();
  const shares = createShares();
  const newcomers = createNewcomers();
  const pick = createPicker(slots, shares, { pollMinSeconds, isInTurn });

  const slotsOf = (wallet: WalletAddress): Slot[] =>
    ENDPOINT_NAMES.flatMap((name) => slots.get(keyOf({ wallet, name })) ?? []);

  return {
    /** Begins to serve an endpoint. Adding a known one changes nothing. */
    add(endpoint: Endpoint, learned?: Learned): void {
      if (slots.has(keyOf(endpoint))) return;
      const kind = kinds[endpoint.name];
      const slot = createSlot(endpoint, kind, shares.free, shares.all.rounds, learned);
      slots.set(keyOf(endpoint), slot);
      kind.population.grow(1);
      shares.count(slot, 1);
      newcomers.add(slot);
    },
    /**
     * Called when a wallet's owners may have changed. Does nothing here, because sharing is done by
     * `createFairSchedule`.
     */
    watchersChanged(_wallet: WalletAddress): void {},
    /** Removes both endpoints of a wallet at once. */
    remove(wallet: WalletAddress): void {
      for (const slot of slotsOf(wallet)) {
        slots.delete(keyOf(slot.endpoint));
        slot.kind.population.grow(-1);
        shares.count(slot, -1);
      }
    },
    /**
     * Turns all endpoints of this name off or on again (403: not in the plan). Endpoints that are
     * off are never picked.
     */
    setAvailable(name: EndpointName, available: boolean): void {
      const kind = kinds[name];
      if (kind.isOn === available) return;
      kind.isOn = available;
      for (const slot of slots.values()) {
        if (slot.kind !== kind) continue;
        shares.resize(slot, available ? 1 : -1);
        // Picks made while it was off do not make it overdue.
        slot.pickedRounds = slot.share.rounds;
        slot.sinceRounds = slot.share.rounds;
      }
    },
    /** Throttles both endpoints of a wallet, or releases them. A new wallet is not throttled. */
    setThrottled(wallet: WalletAddress, isThrottled: boolean): void {
      for (const slot of slotsOf(wallet)) {
        if (slot.isThrottled === isThrottled) continue;
        slot.isThrottled = isThrottled;
        if (isThrottled) shares.move(slot, shares.held);
        // It moves back after one round (`pick.ts`).
        else slot.releasedRounds = shares.all.rounds;
      }
    },
    /**
     * Requests that an endpoint be picked before all others, because its page left something open
     * to check again.
     */
    expedite(endpoint: Endpoint): void {
      const slot = slots.get(keyOf(endpoint));
      if (slot !== undefined) slot.isExpedited = !isInTurn;
    },
    /**
     * Returns up to `most` endpoints that may be polled now, most urgent first. They are in flight
     * until `polled` or `failed`.
     */
    pick(nowSeconds: number, most: number): Endpoint[] {
      newcomers.settle(nowSeconds);
      return pick(nowSeconds, most);
    },
    /**
     * Records a successful poll. A first page requested elsewhere, such as by a command, may be
     * reported too and counts as a poll.
     */
    polled(endpoint: Endpoint, report: PollReport): void {
      const slot = slots.get(keyOf(endpoint));
      if (slot === undefined) return;
      newcomers.settle(report.atSeconds);
      takeReport(slot, report);
    },
    /**
     * Records a failed poll; its records still wait.
     *
     * @param retryLimitSeconds maximum delay before the next attempt
     */
    failed(
      endpoint: Endpoint,
      nowSeconds: number,
      retryLimitSeconds: number = LAST_RETRY_SECONDS,
    ): void {
      const slot = slots.get(keyOf(endpoint));
      if (slot !== undefined) takeFailure(slot, nowSeconds, retryLimitSeconds);
    },
    /** Returns the data of an endpoint that is worth storing; undefined if it is unknown. */
    learned(endpoint: Endpoint): Learned | undefined {
      const slot = slots.get(keyOf(endpoint));
      return slot && writeLearned(slot);
    },
    /** Returns the shared data worth storing: one small JSON document of about three kilobytes. */
    sharedLearning(): Readonly<Record<string, readonly number[]>> {
      return Object.fromEntries(
        ENDPOINT_NAMES.map((name) => [name, kinds[name].population.figures()]),
      );
    },
    /**
     * Restores what `sharedLearning` returned before a restart. Returns false and changes nothing
     * for anything else.
     */
    restoreShared(document: unknown): boolean {
      const lists = new Map(Object.entries(document ?? {}));
      const fits = ENDPOINT_NAMES.every((name) =>
        isFigures(lists.get(name), kinds[name].population.figures().length),
      );
      if (fits) for (const name of ENDPOINT_NAMES) kinds[name].population.restore(lists.get(name));
      return fits;
    },
    /** Returns when the endpoint was last polled successfully, in Unix seconds; null if never. */
    lastSeconds(endpoint: Endpoint): number | null {
      const seenSeconds = slots.get(keyOf(endpoint))?.seenSeconds ?? Number.NaN;
      if (Number.isNaN(seenSeconds)) return null;
      return seenSeconds;
    },
    /** Number of endpoints that can be picked, in flight or not. */
    get size(): number {
      return shares.all.size;
    },
  };
}

/** Keeps the endpoints that were added since the last pick. */
function createNewcomers() {
  let slots: Slot[] = [];
  /** Time of their most recent document, in Unix seconds; the bot was running then. */
  let aliveSeconds = Number.NEGATIVE_INFINITY;
  let added = 0;
  return {
    add(slot: Slot): void {
      added += 1;
      slot.pickedRounds -= FIRST_SPREAD_ROUNDS * ((added * GOLDEN_SHARE) % 1);
      slots.push(slot);
      if (!Number.isNaN(slot.seenSeconds)) aliveSeconds = Math.max(aliveSeconds, slot.seenSeconds);
    },
    /** Called before each pick and report; from then on the endpoints wait. */
    settle(nowSeconds: number): void {
      for (const slot of slots) {
        slot.addedSeconds = nowSeconds;
        if (Number.isNaN(slot.seenSeconds)) continue;
        // A document has the time of the last finding, not that of the last poll.
        slot.sinceSeconds = Math.max(slot.seenSeconds, aliveSeconds);
        slot.kind.population.resume(slot.forecast, slot.sinceSeconds - slot.seenSeconds);
      }
      slots = [];
    },
  };
}

/** Learns from a successful poll, after which the endpoint waits again. */
function takeReport(
  slot: Slot,
  { atSeconds, freshTimesSeconds, pageTimesSeconds }: PollReport,
): void {
  if (Number.isNaN(slot.seenSeconds)) {
    const times = ascending(pageTimesSeconds, Number.NEGATIVE_INFINITY, atSeconds);
    // The page shows everything, and nothing from before the endpoint was added.
    const isWhole =
      times.length < PAGE_ITEMS && slot.addedSeconds <= (times[0] ?? slot.addedSeconds);
    if (isWhole) learnFrom(slot, times, slot.addedSeconds, atSeconds);
    else slot.kind.population.first(slot.forecast, times, atSeconds);
    slot.seenSeconds = atSeconds;
  } else {
    learnFrom(slot, freshTimesSeconds, slot.sinceSeconds, atSeconds);
    slot.seenSeconds = Math.max(slot.seenSeconds, atSeconds);
  }
  slot.sinceSeconds = atSeconds;
  slot.sinceRounds = slot.share.rounds;
  slot.failures = 0;
  slot.failedSeconds = Number.NaN;
  slot.isInFlight = false;
}

function learnFrom(
  slot: Slot,
  times: readonly number[],
  sinceSeconds: number,
  atSeconds: number,
): void {
  const { forecast, kind, share } = slot;
  const intervalSeconds = Math.max(0, atSeconds - sinceSeconds);
  /** Seconds from the previous poll to each arrival. */
  const arrivals = ascending(times, atSeconds - intervalSeconds, atSeconds).map(
    (time) => time - atSeconds + intervalSeconds,
  );
  const waitedRounds = share.rounds - slot.sinceRounds;
  if (arrivals.length > 0 && intervalSeconds > 0) {
    const delaysRounds = arrivals.map((arrival) => (1 - arrival / intervalSeconds) * waitedRounds);
    share.cap.found(delaysRounds, kind.population.count(forecast, intervalSeconds));
  }
  kind.population.later(forecast, arrivals, intervalSeconds, waitedRounds);
}

function takeFailure(slot: Slot, nowSeconds: number, retryLimitSeconds: number): void {
  slot.failedSeconds = nowSeconds;
  slot.retryWaitSeconds = Math.min(retryLimitSeconds, FIRST_RETRY_SECONDS * 2 ** slot.failures);
  slot.failures += 1;
  slot.isInFlight = false;
  // Round-robin would have failed too, so this wait does not count in the comparison with it.
  slot.sinceRounds = slot.share.rounds;
}
