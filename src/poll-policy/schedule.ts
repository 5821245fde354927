import { ENDPOINT_NAMES, type EndpointName } from '../venue/schema.ts';
import { ageOf, createPopulation } from './forecast.ts';
import { createLanes, type Lane, type Lanes } from './lanes.ts';
import { createPace } from './pace.ts';
import {
  ascending,
  createShare,
  createSlot,
  isFigures,
  type Kind,
  type Share,
  type Slot,
  writeLearned,
} from './slot.ts';
import { type Endpoint, hasRested, keyOf, type Schedule, type ScheduleOptions } from './types.ts';

export type { Endpoint, Learned, Schedule } from './types.ts';

const DEFAULT_PAGE_SIZE = 100;
/** A failed poll is tried again after this, then after twice as long each time, at most the last. */
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;
/**
 * Nobody goes before those that are held again within this share of a fair round: a server with a single wallet is not to take half of
 * the polls for it.
 */
const BEFORE_HELD_ROUNDS = 0.05;
/** The usual urgency is the mean of about so many picks. */
const USUAL_MEMORY_PICKS = 50;
/**
 * New endpoints begin as if they had waited so long at most, each for another part of it: those of one server, added in a row, are not to
 * be polled in a row for ever.
 */
const FIRST_SPREAD_ROUNDS = 0.25;
/** Its multiples, less whole numbers, lie evenly wherever one stops. */
const GOLDEN_SHARE = 0.618_034;
/** Of those in the special lane, what may overflow goes before what is new. */
const BEFORE_NEW = 1e9;

/**
 * Polls the endpoint with the greatest urgency: about the expected waiting accumulated since its last poll, as forecast from the item
 * times seen so far (`forecast.ts`, `intensity.ts`).
 *
 * Why: for Poisson arrivals with rates λᵢ and B polls a second the least possible mean delay is (Σ√λᵢ)² / (2·B·Σλᵢ), reached with
 * frequencies ∝ √λᵢ: the square-root rule (broadcast scheduling: Ammar & Wong 1985; web crawling: Cho & Garcia-Molina 2003), which
 * polls at equal waiting ½λᵢa² for all are when the rates are constant. Round-robin gets N/(2B). Trades come in bursts, so that a policy
 * that reacts to them goes below that bound.
 *
 * These go before the most urgent, in this order:
 * - expedited endpoints (every second pick at most, while another is overdue);
 * - those past the age cap, longest wait first (`cap.ts`: at most four fair rounds, whatever the forecasts say; one round more if
 *   something is expedited all the time);
 * - those that may overflow a page before their turn, and new ones: every second pick at most, but all picks of the first round, in
 *   which nearly everybody is new.
 *
 * Nobody is picked again within `pollMinSeconds`, whatever the rules above say: with more budget than that takes, a pick returns fewer
 * than it was asked for.
 *
 * Those that are held (`fair-share.ts`) go after all others that have waited a twentieth of a fair round. They and the others are two
 * shares with rounds of their own: whoever is held waits for so many rounds of the picks that the held ones get.
 *
 * A pick looks at every endpoint: about a tenth of a microsecond each.
 *
 * @throws RangeError for a page size below 1
 */
export function createSchedule({ pageSize = DEFAULT_PAGE_SIZE, pollMinSeconds = 0 }: ScheduleOptions = {}): Schedule {
  if (!(pageSize >= 1)) throw new RangeError(`Expected pageSize to be at least 1, got ${pageSize}`);
  const kinds = new Map<EndpointName, Kind>(
    ENDPOINT_NAMES.map((name) => [name, { population: createPopulation(pageSize), isOn: true }]),
  );
  const slots = new Map<string, Slot>();
  const all = { rounds: 0, size: 0 };
  const free = createShare(pageSize);
  const held = createShare(pageSize);
  const pace = createPace();
  /** Slots that were restored and not picked from yet; the bot was alive when the youngest of their documents was written. */
  let restored: Slot[] = [];
  let aliveSeconds = Number.NEGATIVE_INFINITY;
  let added = 0;
  let lastLane: Lane = 'plain';

  function kindOf(name: EndpointName): Kind {
    const kind = kinds.get(name);
    if (kind === undefined) throw new Error(`No endpoint is named "${name}"; there are: ${ENDPOINT_NAMES.join(', ')}`);
    return kind;
  }

  const roundSeconds = (): number => all.size / (pace.perSecond() ?? Number.POSITIVE_INFINITY);

  /** Counts a slot among those that can be picked, or no longer. */
  function count({ share, kind }: Slot, by: 1 | -1): void {
    if (!kind.isOn) return;
    share.size += by;
    all.size += by;
  }

  function isReady({ kind, isInFlight, pickedSeconds, retrySeconds }: Slot, nowSeconds: number): boolean {
    return (
      kind.isOn && !isInFlight && !(retrySeconds > nowSeconds) && hasRested(nowSeconds - pickedSeconds, pollMinSeconds)
    );
  }

  /** Moves a slot to the other share; what it has waited in rounds stays. */
  function move(slot: Slot, share: Share): void {
    count(slot, -1);
    slot.pickedRounds += share.rounds - slot.share.rounds;
    slot.share = share;
    count(slot, 1);
  }

  const goesBeforeHeld = ({ isHeld, pickedRoundsOfAll }: Slot): boolean =>
    !isHeld && all.rounds - pickedRoundsOfAll >= BEFORE_HELD_ROUNDS;

  function offer(slot: Slot, nowSeconds: number, lanes: Lanes<Slot>): void {
    const { forecast, share, kind, pickedRounds } = slot;
    const waited = share.rounds - pickedRounds;
    const age = Math.max(0, nowSeconds - slot.sinceSeconds);
    if (slot.isExpedited) lanes.offer('expedited', slot, waited);
    else if (waited >= share.cap.rounds) lanes.offer('overdue', slot, waited);
    else if (Number.isNaN(age)) lanes.offer('special', slot, waited);
    else {
      const overflow = kind.population.overflow(forecast, age);
      if (overflow > 0) lanes.offer('special', slot, BEFORE_NEW + overflow);
      else lanes.offer('plain', slot, kind.population.urgency(forecast, age));
    }
  }

  function take(slot: Slot, nowSeconds: number): Endpoint {
    // A server at the limit of its share is held and let go all the time.
    if (!slot.isHeld && slot.share === held && all.rounds - slot.releasedRounds > 1) move(slot, free);
    for (const share of [all, slot.share]) share.rounds += 1 / Math.max(1, share.size);
    slot.share.cap.pass(1 / Math.max(1, slot.share.size));
    slot.isInFlight = true;
    slot.isExpedited = false;
    slot.pickedSeconds = nowSeconds;
    slot.pickedRounds = slot.share.rounds;
    slot.pickedRoundsOfAll = all.rounds;
    return slot.endpoint;
  }

  function pickFrom(isCandidate: (slot: Slot) => boolean, nowSeconds: number, limit: number): Endpoint[] {
    const lanes = createLanes<Slot>(limit);
    for (const slot of slots.values())
      if (isReady(slot, nowSeconds) && isCandidate(slot)) offer(slot, nowSeconds, lanes);
    const picked: Endpoint[] = [];
    while (picked.length < limit) {
      const next = lanes.take(lastLane, all.rounds < 1);
      if (next === undefined) break;
      lastLane = next.lane;
      const { share } = next.item;
      if (next.lane === 'plain') share.usualUrgency += (next.key - share.usualUrgency) / USUAL_MEMORY_PICKS;
      picked.push(take(next.item, nowSeconds));
    }
    return picked;
  }

  function settleRestored(): void {
    for (const slot of restored) {
      // A document says when something was found last, not when the endpoint was polled last.
      slot.sinceSeconds = Math.max(slot.seenSeconds, aliveSeconds);
      slot.kind.population.resume(slot.forecast, slot.sinceSeconds - slot.seenSeconds);
    }
    restored = [];
  }

  function learnFrom({ forecast, kind, share, sinceSeconds }: Slot, times: readonly number[], atSeconds: number): void {
    const since = Math.min(sinceSeconds, atSeconds);
    const ages = ascending(times, since, atSeconds).map((time) => time - since);
    share.cap.found({
      items: ages.length,
      expectedItems: kind.population.count(forecast, atSeconds - since),
      spanRounds: ((ages.at(-1) ?? 0) - (ages[0] ?? 0)) / roundSeconds(),
    });
    kind.population.later(forecast, ages, atSeconds - since);
  }

  return {
    add(endpoint, learned) {
      if (slots.has(keyOf(endpoint))) return;
      const kind = kindOf(endpoint.name);
      const slot = createSlot(endpoint, kind, free, all.rounds, learned);
      added += 1;
      slot.pickedRounds -= FIRST_SPREAD_ROUNDS * ((added * GOLDEN_SHARE) % 1);
      slots.set(keyOf(endpoint), slot);
      kind.population.join(slot.forecast);
      count(slot, 1);
      if (Number.isNaN(slot.seenSeconds)) return;
      restored.push(slot);
      aliveSeconds = Math.max(aliveSeconds, slot.seenSeconds);
    },

    remove(wallet) {
      for (const name of ENDPOINT_NAMES) {
        const slot = slots.get(keyOf({ wallet, name }));
        if (slot === undefined) continue;
        slots.delete(keyOf(slot.endpoint));
        slot.kind.population.leave(slot.forecast);
        count(slot, -1);
      }
    },

    setAvailable(name, available) {
      const kind = kindOf(name);
      if (kind.isOn === available) return;
      const own = [...slots.values()].filter((slot) => slot.kind === kind);
      for (const slot of own) count(slot, -1);
      kind.isOn = available;
      for (const slot of own) {
        count(slot, 1);
        // Picks that went by while it was off do not make it overdue.
        slot.pickedRounds = slot.share.rounds;
      }
    },

    setHeld(wallet, isHeld) {
      for (const name of ENDPOINT_NAMES) {
        const slot = slots.get(keyOf({ wallet, name }));
        if (slot === undefined || slot.isHeld === isHeld) continue;
        slot.isHeld = isHeld;
        if (isHeld) move(slot, held);
        else slot.releasedRounds = all.rounds;
      }
    },

    expedite(endpoint) {
      const slot = slots.get(keyOf(endpoint));
      if (slot !== undefined) slot.isExpedited = true;
    },

    pick(nowSeconds, most) {
      settleRestored();
      const limit = Math.min(Math.max(0, Math.floor(most)), slots.size);
      const picked = held.size > 0 ? pickFrom(goesBeforeHeld, nowSeconds, limit) : [];
      if (picked.length < limit) picked.push(...pickFrom(() => true, nowSeconds, limit - picked.length));
      pace.count(nowSeconds, picked.length);
      return picked;
    },

    polled(endpoint, { atSeconds, freshTimesSeconds, pageTimesSeconds }) {
      const slot = slots.get(keyOf(endpoint));
      if (slot === undefined) return;
      settleRestored();
      if (Number.isNaN(slot.seenSeconds)) {
        const times = ascending(pageTimesSeconds, Number.NEGATIVE_INFINITY, atSeconds);
        slot.kind.population.first(slot.forecast, times, atSeconds);
        slot.seenSeconds = atSeconds;
      } else {
        learnFrom(slot, freshTimesSeconds, atSeconds);
        slot.seenSeconds = Math.max(slot.seenSeconds, atSeconds);
      }
      slot.sinceSeconds = atSeconds;
      slot.failures = 0;
      slot.retrySeconds = Number.NaN;
      slot.isInFlight = false;
    },

    failed(endpoint, nowSeconds, retryLimitSeconds = LAST_RETRY_SECONDS) {
      const slot = slots.get(keyOf(endpoint));
      if (slot === undefined) return;
      slot.retrySeconds = nowSeconds + Math.min(retryLimitSeconds, FIRST_RETRY_SECONDS * 2 ** slot.failures);
      slot.failures += 1;
      slot.isInFlight = false;
    },

    learned(endpoint) {
      const slot = slots.get(keyOf(endpoint));
      return slot && writeLearned(slot);
    },

    sharedLearning() {
      return Object.fromEntries([...kinds].map(([name, { population }]) => [name, population.figures()]));
    },

    restoreShared(document) {
      if (typeof document !== 'object' || document === null) return false;
      const lists = new Map(Object.entries(document));
      const fits = [...kinds].every(([name, { population }]) =>
        isFigures(lists.get(name), population.figures().length),
      );
      if (fits) for (const [name, { population }] of kinds) population.restore(lists.get(name));
      return fits;
    },

    outlook(endpoint) {
      const slot = slots.get(keyOf(endpoint));
      const perSecond = pace.perSecond();
      if (slot === undefined || Number.isNaN(slot.seenSeconds)) return { lastSeconds: null, nextSeconds: null };
      const { kind, forecast, share, seenSeconds: lastSeconds, sinceSeconds } = slot;
      if (perSecond === null || !kind.isOn) return { lastSeconds, nextSeconds: null };
      const urgency = (age: number) => kind.population.urgency(forecast, age);
      const ageSeconds = ageOf(share.usualUrgency, urgency, share.cap.rounds * roundSeconds());
      return { lastSeconds, nextSeconds: sinceSeconds + Math.max(ageSeconds, pollMinSeconds) };
    },

    get size() {
      return all.size;
    },
  };
}
