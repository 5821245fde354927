import { ENDPOINT_NAMES, type EndpointName } from '../venue/schema.ts';
import { ascending, readFigures, sixDigits, writeLearned } from './evidence.ts';
import { ageOf, createPopulation } from './forecast.ts';
import { createLanes, createTurns, type Lanes } from './lanes.ts';
import { hasRested } from './least-interval.ts';
import { createPace } from './pace.ts';
import { createShare, createSlot, type Kind, type Share, type Slot } from './slot.ts';
import type { Endpoint, PollReport, Schedule, ScheduleOptions } from './types.ts';

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
/** What an ordinary poll ends of waiting is the mean of about so many. */
const PRICE_MEMORY_PICKS = 50;
/** Of those in the special lane, what may overflow goes before what is new. */
const BEFORE_NEW = 1e9;

/**
 * Polls the endpoint with the greatest expected waiting already accumulated, ∫₀ᵃ s·λ(s) ds over the age a since its last poll, λ as
 * forecast from the item times seen so far (`forecast.ts`, `intensity.ts`).
 *
 * Why: for Poisson arrivals with rates λᵢ and B polls a second the least possible mean delay is (Σ√λᵢ)² / (2·B·Σλᵢ), reached with
 * frequencies ∝ √λᵢ: the square-root rule (broadcast scheduling: Ammar & Wong 1985; web crawling: Cho & Garcia-Molina 2003), which
 * equal indices for all are when the rates are constant. Round-robin gets N/(2B). Trades come in bursts, so that a policy that reacts
 * to them goes below that bound.
 *
 * These go before the index, in this order:
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
 * shares with a cap and rounds of their own: whoever is held waits for so many rounds of the picks that the held ones get.
 *
 * A pick looks at every endpoint: about a tenth of a microsecond each.
 *
 * @throws RangeError for a page size below 1
 */
export function createSchedule(options: ScheduleOptions): Schedule {
  const { random, pageSize = DEFAULT_PAGE_SIZE, pollMinSeconds = 0 } = options;
  if (!(pageSize >= 1)) throw new RangeError(`Expected pageSize to be at least 1, got ${pageSize}`);
  const kinds = new Map<EndpointName, Kind>(
    ENDPOINT_NAMES.map((name) => [name, { population: createPopulation(pageSize), slots: new Map(), isOn: true }]),
  );
  const slots: Slot[] = [];
  const all = { rounds: 0, size: 0 };
  const free = createShare(pageSize);
  const held = createShare(pageSize);
  const pace = createPace();
  /** What all endpoints have in common, under the names that it has in a stored document. */
  const learners = [
    ...[...kinds].map(([name, { population }]) => [name, population] as const),
    ['cap', free.cap] as const,
  ];
  /** Slots that were restored and not picked from yet; the bot was alive when the youngest of their documents was written. */
  let restored: Slot[] = [];
  let aliveSeconds = Number.NEGATIVE_INFINITY;
  let heldCount = 0;
  const turns = createTurns();

  function kindOf(name: EndpointName): Kind {
    const kind = kinds.get(name);
    if (kind === undefined) throw new Error(`No endpoint is named "${name}"; there are: ${ENDPOINT_NAMES.join(', ')}`);
    return kind;
  }

  const find = ({ wallet, name }: Endpoint): Slot | undefined => kindOf(name).slots.get(wallet);
  const waitedRounds = (slot: Slot): number => slot.share.rounds - slot.pickedRounds;
  const roundSeconds = (): number => all.size / (pace.perSecond() ?? Number.POSITIVE_INFINITY);

  function count(slot: Slot, by: 1 | -1): void {
    slot.share.size += by;
    all.size += by;
  }

  function move(slot: Slot, share: Share): void {
    const waited = waitedRounds(slot);
    if (slot.kind.isOn) count(slot, -1);
    slot.share = share;
    slot.pickedRounds = share.rounds - waited;
    if (slot.kind.isOn) count(slot, 1);
  }

  function hold(slot: Slot, isHeld: boolean): void {
    if (slot.isHeld === isHeld) return;
    slot.isHeld = isHeld;
    heldCount += isHeld ? 1 : -1;
    if (isHeld) move(slot, held);
    else slot.releasedRounds = all.rounds;
  }

  function mayBePicked(slot: Slot, nowSeconds: number): boolean {
    return (
      slot.kind.isOn &&
      !slot.isInFlight &&
      hasRested(nowSeconds - slot.pickedSeconds, pollMinSeconds) &&
      !(slot.retrySeconds > nowSeconds)
    );
  }

  const goesBeforeHeld = (slot: Slot): boolean =>
    !slot.isHeld && all.rounds - slot.pickedRoundsOfAll >= BEFORE_HELD_ROUNDS;

  function offer(slot: Slot, nowSeconds: number, lanes: Lanes<Slot>): void {
    const waited = waitedRounds(slot);
    const { tie, forecast, share, kind } = slot;
    const age = Math.max(0, nowSeconds - slot.sinceSeconds);
    if (slot.isExpedited) lanes.expedited.offer(slot, waited, tie);
    else if (waited >= share.capRounds) lanes.overdue.offer(slot, waited, tie);
    else if (Number.isNaN(age)) lanes.special.offer(slot, waited, tie);
    else {
      const overflow = kind.population.overflow(forecast, age, waited);
      if (overflow > 0) lanes.special.offer(slot, BEFORE_NEW + overflow, tie);
      else lanes.plain.offer(slot, kind.population.waiting(forecast, age), tie);
    }
  }

  function take(slot: Slot, nowSeconds: number): Endpoint {
    // A server at the limit of its share is held and let go all the time.
    if (slot.share === held && !slot.isHeld && all.rounds - slot.releasedRounds > 1) move(slot, free);
    for (const share of [all, slot.share]) share.rounds += 1 / Math.max(1, share.size);
    slot.share.cap.pass(1 / Math.max(1, slot.share.size));
    slot.isInFlight = true;
    slot.isExpedited = false;
    slot.pickedSeconds = nowSeconds;
    slot.pickedRounds = slot.share.rounds;
    slot.pickedRoundsOfAll = all.rounds;
    slot.tie = random();
    return slot.endpoint;
  }

  function pickFrom(isCandidate: (slot: Slot) => boolean, nowSeconds: number, limit: number): Endpoint[] {
    const lanes = createLanes<Slot>(limit);
    for (const slot of slots) if (mayBePicked(slot, nowSeconds) && isCandidate(slot)) offer(slot, nowSeconds, lanes);
    const picked: Endpoint[] = [];
    while (picked.length < limit) {
      const lane = turns.next(lanes, all.rounds < 1);
      const next = lanes[lane].take();
      if (next === undefined) break;
      turns.taken(lane);
      next.item.wasOverdue = lane === 'overdue';
      const { share } = next.item;
      if (lane === 'plain') share.price += (next.key - share.price) / PRICE_MEMORY_PICKS;
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

  function learnFrom(slot: Slot, { atSeconds, freshTimesSeconds }: PollReport): void {
    const { forecast, kind, share } = slot;
    const since = Math.min(slot.sinceSeconds, atSeconds);
    const ages = ascending(freshTimesSeconds, since, atSeconds).map((time) => time - since);
    if (slot.wasOverdue && share.price > 0) {
      share.cap.repaid(ages.reduce((sum, age) => sum + age, 0) / share.price, 1 / Math.max(1, share.size));
    }
    share.cap.found({
      items: ages.length,
      expectedItems: kind.population.count(forecast, atSeconds - since),
      spanRounds: ((ages.at(-1) ?? 0) - (ages[0] ?? 0)) / roundSeconds(),
    });
    kind.population.later(forecast, ages, atSeconds - since);
  }

  return {
    add(endpoint, learned) {
      const kind = kindOf(endpoint.name);
      if (kind.slots.has(endpoint.wallet)) return;
      const slot = createSlot(endpoint, {
        kind,
        share: free,
        learned,
        tie: random(),
        place: slots.length,
        roundsOfAll: all.rounds,
      });
      kind.slots.set(endpoint.wallet, slot);
      slots.push(slot);
      kind.population.join(slot.forecast);
      if (kind.isOn) count(slot, 1);
      if (Number.isNaN(slot.seenSeconds)) return;
      restored.push(slot);
      aliveSeconds = Math.max(aliveSeconds, slot.seenSeconds);
    },

    remove(wallet) {
      for (const kind of kinds.values()) {
        const slot = kind.slots.get(wallet);
        if (slot === undefined) continue;
        hold(slot, false);
        kind.slots.delete(wallet);
        kind.population.leave(slot.forecast);
        if (kind.isOn) count(slot, -1);
        const last = slots.pop();
        if (last === undefined || last === slot) continue;
        slots[slot.place] = last;
        last.place = slot.place;
      }
    },

    setAvailable(name, available) {
      const kind = kindOf(name);
      if (kind.isOn === available) return;
      kind.isOn = available;
      for (const slot of kind.slots.values()) {
        count(slot, available ? 1 : -1);
        // Picks that went by while it was off do not make it overdue.
        slot.pickedRounds = slot.share.rounds;
      }
    },

    setHeld(wallet, isHeld) {
      for (const { slots: byWallet } of kinds.values()) {
        const slot = byWallet.get(wallet);
        if (slot !== undefined) hold(slot, isHeld);
      }
    },

    expedite(endpoint) {
      const slot = find(endpoint);
      if (slot !== undefined) slot.isExpedited = true;
    },

    pick(nowSeconds, most) {
      settleRestored();
      for (const share of [free, held]) share.capRounds = share.cap.rounds;
      const limit = Math.min(Math.max(0, Math.floor(most)), slots.length);
      const picked = pickFrom(heldCount > 0 ? goesBeforeHeld : () => true, nowSeconds, limit);
      if (picked.length < limit && heldCount > 0) {
        picked.push(...pickFrom(() => true, nowSeconds, limit - picked.length));
      }
      pace.count(nowSeconds, picked.length);
      return picked;
    },

    polled(endpoint, report) {
      const slot = find(endpoint);
      if (slot === undefined) return;
      settleRestored();
      const { atSeconds, pageTimesSeconds } = report;
      if (Number.isNaN(slot.seenSeconds)) {
        const times = ascending(pageTimesSeconds, Number.NEGATIVE_INFINITY, atSeconds);
        slot.kind.population.first(slot.forecast, times, atSeconds);
        slot.seenSeconds = atSeconds;
      } else {
        learnFrom(slot, report);
        slot.seenSeconds = Math.max(slot.seenSeconds, atSeconds);
      }
      slot.sinceSeconds = atSeconds;
      slot.failures = 0;
      slot.retrySeconds = Number.NaN;
      slot.isInFlight = false;
    },

    failed(endpoint, nowSeconds) {
      const slot = find(endpoint);
      if (slot === undefined) return;
      slot.retrySeconds = nowSeconds + Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** slot.failures);
      slot.failures += 1;
      slot.isInFlight = false;
    },

    learned(endpoint) {
      const slot = find(endpoint);
      if (slot === undefined) return undefined;
      return Number.isNaN(slot.seenSeconds) ? [] : writeLearned(slot.seenSeconds, slot.forecast);
    },

    sharedLearning() {
      return Object.fromEntries(learners.map(([name, learner]) => [name, learner.figures().map(sixDigits)]));
    },

    restoreShared(document) {
      if (typeof document !== 'object' || document === null) return false;
      const lists = new Map(Object.entries(document).map(([name, list]) => [name, readFigures(list)]));
      if (learners.some(([name, learner]) => lists.get(name)?.length !== learner.figures().length)) return false;
      for (const [name, learner] of learners) learner.restore(lists.get(name) ?? []);
      return true;
    },

    outlook(endpoint) {
      const slot = find(endpoint);
      const perSecond = pace.perSecond();
      if (slot === undefined || Number.isNaN(slot.seenSeconds)) return { lastSeconds: null, nextSeconds: null };
      const lastSeconds = slot.seenSeconds;
      if (perSecond === null || !slot.kind.isOn) return { lastSeconds, nextSeconds: null };
      const waiting = (age: number) => slot.kind.population.waiting(slot.forecast, age);
      const ageSeconds = ageOf(slot.share.price, waiting, slot.share.cap.rounds * roundSeconds());
      return { lastSeconds, nextSeconds: slot.sinceSeconds + Math.max(ageSeconds, pollMinSeconds) };
    },

    get size() {
      return all.size;
    },
  };
}
