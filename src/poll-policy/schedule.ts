import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { createPopulation, urgencyOf } from './forecast.ts';
import { ascending, createShare, createSlot, isFigures, type Slot, writeLearned } from './slot.ts';
import { type Endpoint, keyOf, type Learned, PAGE_ITEMS, type PollReport } from './types.ts';

export type { Endpoint, Learned } from './types.ts';
export type Schedule = ReturnType<typeof createSchedule>;

/**
 * A failed poll is tried again after this, then after twice as long each time, at most the last.
 */
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;
/**
 * Nobody goes before held ones again within this share of a fair round: one wallet is not to take
 * half the polls.
 */
const BEFORE_HELD_ROUNDS = 0.05;
/**
 * Nor within so many picks, where a round is long because of all that is held: whoever holds it
 * would delay the others.
 */
const BEFORE_HELD_PICKS = 40;
/**
 * New endpoints count as having waited up to this: those an owner adds in a row must not stay in a
 * row for ever.
 */
const FIRST_SPREAD_ROUNDS = 0.25;
/** Its multiples, less whole numbers, lie evenly wherever one stops. */
const GOLDEN_SHARE = 0.618_034;
/** Sort key offset: in the special lane, endpoints about to overflow come before new ones. */
const BEFORE_NEW = 1e9;
/**
 * Share of a page that is expected to be unseen: above it an endpoint goes first, before it
 * overflows.
 */
const OVERFLOW_SHARE = 0.5;

/** Lanes of endpoints that may be picked, in each the most urgent first. */
type Lane = 'expedited' | 'overdue' | 'special' | 'plain';

/**
 * Polls the endpoint with the greatest urgency: about the expected waiting accumulated since its
 * last poll, as forecast from the item times seen so far (`forecast.ts`, `intensity.ts`).
 *
 * Why: for Poisson arrivals with rates λᵢ and B polls a second the least possible mean delay is
 * (Σ√λᵢ)² / (2·B·Σλᵢ), reached by polls at equal waiting ½λᵢa²: the square-root rule (Ammar & Wong
 * 1985; Cho & Garcia-Molina 2003). Round-robin gets N/(2B). Trades come in bursts, so that a policy
 * that reacts to them goes below that bound.
 *
 * These go before the most urgent, in this order:
 * - expedited endpoints (every second pick at most, while another is overdue);
 * - those past the age cap, longest wait first (`cap.ts`: at most four fair rounds, five if some
 *   are always expedited);
 * - those that may overflow a page before their turn, and new ones: every second pick at most, but
 *   all picks of the first round, in which nearly everybody is new.
 *
 * Nobody is picked again within `pollMinSeconds`: with more budget than that takes, a pick returns
 * fewer than asked.
 *
 * Those held (`fair-schedule.ts`) go after all others that waited a twentieth of a fair round, or
 * forty picks. They and the others are two shares with rounds of their own: whoever is held waits
 * for so many rounds of the picks that the held ones get.
 *
 * A pick looks at every endpoint: about a tenth of a microsecond each.
 *
 * @param options `pollMinSeconds`: no endpoint is picked again before this has passed
 *   (POLL_MIN_SECONDS). `isInTurn`: round-robin, all in turn, whatever they bring, which is what
 *   the schedule is measured against
 */
export function createSchedule({ pollMinSeconds = 0, isInTurn = false } = {}) {
  const kinds = Object.fromEntries(
    ENDPOINT_NAMES.map((name) => [name, { population: createPopulation(), isOn: true }]),
  ) as Readonly<Record<EndpointName, Slot['kind']>>;
  const slots = new Map<string, Slot>();
  const all = { rounds: 0, size: 0 };
  const free = createShare();
  const held = createShare();
  /**
   * Slots added and not picked from yet; the bot was alive when the youngest of their documents was
   * written.
   */
  let newcomers: Slot[] = [];
  let aliveSeconds = Number.NEGATIVE_INFINITY;
  let added = 0;
  let lastLane: Lane = 'plain';

  /** Counts a slot among those that can be picked, or no longer. */
  function count({ share, kind }: Slot, by: 1 | -1): void {
    if (!kind.isOn) return;
    share.size += by;
    all.size += by;
  }

  function isReady(slot: Slot, nowSeconds: number): boolean {
    const { kind, isInFlight, pickedSeconds, failedSeconds, retryWaitSeconds } = slot;
    if (isInFlight || !kind.isOn) return false;
    const isRetryEarly = isWithin(nowSeconds - failedSeconds, retryWaitSeconds);
    return !isRetryEarly && !isWithin(nowSeconds - pickedSeconds, pollMinSeconds);
  }

  /** Moves a slot to the other share; what it has waited in rounds stays. */
  function move(slot: Slot, share: Slot['share']): void {
    count(slot, -1);
    slot.pickedRounds += share.rounds - slot.share.rounds;
    slot.sinceRounds += share.rounds - slot.share.rounds;
    slot.share = share;
    count(slot, 1);
  }

  const slotsOf = (wallet: WalletAddress): Slot[] =>
    ENDPOINT_NAMES.flatMap((name) => slots.get(keyOf({ wallet, name })) ?? []);

  function offer(slot: Slot, nowSeconds: number, lanes: ReturnType<typeof createLanes>): void {
    const { forecast, share, kind, pickedRounds } = slot;
    const waited = share.rounds - pickedRounds;
    const ageSeconds = nowSeconds - slot.sinceSeconds;
    const unseen = kind.population.count(forecast, Math.max(0, ageSeconds));
    if (slot.isExpedited) lanes.offer('expedited', slot, waited);
    else if (isInTurn || waited >= share.cap.rounds) lanes.offer('overdue', slot, waited);
    else if (Number.isNaN(ageSeconds)) lanes.offer('special', slot, waited);
    else if (unseen >= OVERFLOW_SHARE * PAGE_ITEMS)
      lanes.offer('special', slot, BEFORE_NEW + unseen);
    else lanes.offer('plain', slot, urgencyOf(unseen, Math.max(0, ageSeconds)));
  }

  function take(slot: Slot, nowSeconds: number): Endpoint {
    // An owner at the limit of its share is held and let go all the time.
    if (!slot.isHeld && slot.share === held && all.rounds - slot.releasedRounds > 1)
      move(slot, free);
    for (const share of [all, slot.share]) share.rounds += 1 / Math.max(1, share.size);
    slot.share.cap.pass(1 / Math.max(1, slot.share.size));
    slot.isInFlight = true;
    slot.isExpedited = false;
    slot.pickedSeconds = nowSeconds;
    slot.pickedRounds = slot.share.rounds;
    slot.pickedRoundsOfAll = all.rounds;
    return slot.endpoint;
  }

  function pickFrom(
    isCandidate: (slot: Slot) => boolean,
    nowSeconds: number,
    limit: number,
  ): Endpoint[] {
    const lanes = createLanes(limit);
    for (const slot of slots.values())
      if (isReady(slot, nowSeconds) && isCandidate(slot)) offer(slot, nowSeconds, lanes);
    const picked: Endpoint[] = [];
    while (picked.length < limit) {
      const next = lanes.take(lastLane, all.rounds < 1);
      if (next === undefined) break;
      lastLane = next.lane;
      picked.push(take(next.slot, nowSeconds));
    }
    return picked;
  }

  function settleNewcomers(nowSeconds: number): void {
    for (const slot of newcomers) {
      slot.addedSeconds = nowSeconds;
      if (Number.isNaN(slot.seenSeconds)) continue;
      // A document says when something was found last, not when the endpoint was polled last.
      slot.sinceSeconds = Math.max(slot.seenSeconds, aliveSeconds);
      slot.kind.population.resume(slot.forecast, slot.sinceSeconds - slot.seenSeconds);
    }
    newcomers = [];
  }

  function learnFrom(
    slot: Slot,
    times: readonly number[],
    sinceSeconds: number,
    atSeconds: number,
  ): void {
    const { forecast, kind, share } = slot;
    const ageSeconds = Math.max(0, atSeconds - sinceSeconds);
    const ages = ascending(times, atSeconds - ageSeconds, atSeconds).map(
      (time) => time - atSeconds + ageSeconds,
    );
    const waitedRounds = share.rounds - slot.sinceRounds;
    if (ages.length > 0 && ageSeconds > 0) {
      const delaysRounds = ages.map((age) => (1 - age / ageSeconds) * waitedRounds);
      share.cap.found(delaysRounds, kind.population.count(forecast, ageSeconds));
    }
    kind.population.later(forecast, ages, ageSeconds, waitedRounds);
  }

  return {
    /** Begins to serve an endpoint. Adding one that is there already changes nothing. */
    add(endpoint: Endpoint, learned?: Learned): void {
      if (slots.has(keyOf(endpoint))) return;
      const kind = kinds[endpoint.name];
      const slot = createSlot(endpoint, kind, free, all.rounds, learned);
      added += 1;
      slot.pickedRounds -= FIRST_SPREAD_ROUNDS * ((added * GOLDEN_SHARE) % 1);
      slots.set(keyOf(endpoint), slot);
      kind.population.grow(1);
      count(slot, 1);
      newcomers.push(slot);
      if (!Number.isNaN(slot.seenSeconds)) aliveSeconds = Math.max(aliveSeconds, slot.seenSeconds);
    },
    /** Other owners may watch a wallet now: it matters where polls are shared between them. */
    watchersChanged(_wallet: WalletAddress): void {},
    /** Forgets both endpoints of a wallet at once. */
    remove(wallet: WalletAddress): void {
      for (const slot of slotsOf(wallet)) {
        slots.delete(keyOf(slot.endpoint));
        slot.kind.population.grow(-1);
        count(slot, -1);
      }
    },
    /**
     * Turns all endpoints of this name off or on again (403: not in the plan). Off endpoints are
     * never picked.
     */
    setAvailable(name: EndpointName, available: boolean): void {
      const kind = kinds[name];
      if (kind.isOn === available) return;
      kind.isOn = available;
      for (const slot of slots.values()) {
        if (slot.kind !== kind) continue;
        for (const share of [all, slot.share]) share.size += available ? 1 : -1;
        // Picks that went by while it was off do not make it overdue.
        slot.pickedRounds = slot.share.rounds;
        slot.sinceRounds = slot.share.rounds;
      }
    },
    /**
     * Holds both endpoints of a wallet, or does so no longer. A wallet that is added is not held.
     */
    setHeld(wallet: WalletAddress, isHeld: boolean): void {
      for (const slot of slotsOf(wallet)) {
        if (slot.isHeld === isHeld) continue;
        slot.isHeld = isHeld;
        if (isHeld) move(slot, held);
        else slot.releasedRounds = all.rounds;
      }
    },
    /**
     * Asks that an endpoint be picked before all others (a page left something open to check
     * again).
     */
    expedite(endpoint: Endpoint): void {
      const slot = slots.get(keyOf(endpoint));
      if (slot !== undefined) slot.isExpedited = !isInTurn;
    },
    /**
     * Up to `most` endpoints that may be polled now, most urgent first; in flight until `polled` or
     * `failed`.
     */
    pick(nowSeconds: number, most: number): Endpoint[] {
      settleNewcomers(nowSeconds);
      const limit = Math.min(Math.max(0, Math.floor(most)), slots.size);
      const leastRounds = Math.min(BEFORE_HELD_ROUNDS, BEFORE_HELD_PICKS / all.size);
      const goesBeforeHeld = ({ isHeld, pickedRoundsOfAll }: Slot) =>
        !isHeld && all.rounds - pickedRoundsOfAll >= leastRounds;
      const picked = held.size > 0 ? pickFrom(goesBeforeHeld, nowSeconds, limit) : [];
      if (picked.length < limit)
        picked.push(...pickFrom(() => true, nowSeconds, limit - picked.length));
      return picked;
    },
    /**
     * The poll succeeded. Another's first page, such as a command's, may be reported as well: it
     * counts as a poll.
     */
    polled(
      endpoint: Endpoint,
      { atSeconds, freshTimesSeconds, pageTimesSeconds }: PollReport,
    ): void {
      const slot = slots.get(keyOf(endpoint));
      if (slot === undefined) return;
      settleNewcomers(atSeconds);
      if (Number.isNaN(slot.seenSeconds)) {
        const times = ascending(pageTimesSeconds, Number.NEGATIVE_INFINITY, atSeconds);
        // The page shows all that there is, and nothing from before the endpoint was added.
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
    },
    /**
     * The poll failed: what waited there still waits. @param retryLimitSeconds tried again after so
     * long at most
     */
    failed(
      endpoint: Endpoint,
      nowSeconds: number,
      retryLimitSeconds: number = LAST_RETRY_SECONDS,
    ): void {
      const slot = slots.get(keyOf(endpoint));
      if (slot === undefined) return;
      slot.failedSeconds = nowSeconds;
      slot.retryWaitSeconds = Math.min(retryLimitSeconds, FIRST_RETRY_SECONDS * 2 ** slot.failures);
      slot.failures += 1;
      slot.isInFlight = false;
      // A failure would have made everybody later.
      slot.sinceRounds = slot.share.rounds;
    },
    /** Figures of an endpoint that are worth keeping; undefined if it is unknown. */
    learned(endpoint: Endpoint): Learned | undefined {
      const slot = slots.get(keyOf(endpoint));
      return slot && writeLearned(slot);
    },
    /**
     * Figures worth keeping of all of them together: one small JSON document, about three
     * kilobytes.
     */
    sharedLearning(): Readonly<Record<string, readonly number[]>> {
      return Object.fromEntries(
        ENDPOINT_NAMES.map((name) => [name, kinds[name].population.figures()]),
      );
    },
    /**
     * Takes over what `sharedLearning` returned before a restart; false, and nothing changes, for
     * anything else.
     */
    restoreShared(document: unknown): boolean {
      const lists = new Map(Object.entries(document ?? {}));
      const fits = ENDPOINT_NAMES.every((name) =>
        isFigures(lists.get(name), kinds[name].population.figures().length),
      );
      if (fits) for (const name of ENDPOINT_NAMES) kinds[name].population.restore(lists.get(name));
      return fits;
    },
    /** Time of the endpoint's last poll that succeeded, Unix seconds; null if it was not. */
    lastSeconds(endpoint: Endpoint): number | null {
      const seenSeconds = slots.get(keyOf(endpoint))?.seenSeconds ?? Number.NaN;
      if (Number.isNaN(seenSeconds)) return null;
      return seenSeconds;
    },
    /** Endpoints that can be picked at all, in flight or not. */
    get size(): number {
      return all.size;
    },
  };
}

/**
 * Tells whether a wait is not over. Below 0 the clock was set back since: that must not silence an
 * endpoint.
 */
function isWithin(passedSeconds: number, waitSeconds: number): boolean {
  return passedSeconds >= 0 && passedSeconds < waitSeconds;
}

/** Keeps the first `limit` of each lane. Of equal keys the one offered first goes first. */
function createLanes(limit: number) {
  type Candidates = { readonly slot: Slot; readonly key: number }[];
  const lanes: Readonly<Record<Lane, Candidates>> = {
    expedited: [],
    overdue: [],
    special: [],
    plain: [],
  };
  const next = (last: Lane, isFirstRound: boolean): Lane => {
    const { expedited, overdue, special, plain } = lanes;
    if (expedited.length > 0 && !(last === 'expedited' && overdue.length > 0)) return 'expedited';
    if (overdue.length > 0) return 'overdue';
    const isSpecialsTurn = isFirstRound || last !== 'special' || plain.length === 0;
    if (special.length > 0 && isSpecialsTurn) return 'special';
    return 'plain';
  };
  return {
    offer(lane: Lane, slot: Slot, key: number): void {
      const best = lanes[lane];
      if (best.length >= limit && key <= (best.at(-1)?.key ?? key)) return;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.key ?? key) < key) at -= 1;
      best.splice(at, 0, { slot, key });
      if (best.length > limit) best.pop();
    },
    /**
     * Takes out whose turn it is: expedited, overdue, special, plain; special not twice running
     * while others wait.
     */
    take(last: Lane, isFirstRound: boolean) {
      const lane = next(last, isFirstRound);
      const candidate = lanes[lane].shift();
      return candidate && { ...candidate, lane };
    },
  };
}
