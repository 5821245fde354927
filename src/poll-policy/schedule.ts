import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { createCaution } from './caution.ts';
import { createChooser } from './choose.ts';
import { readLearned, waitingOf, windowOf, writeLearned } from './evidence.ts';
import { createRest } from './rest.ts';
import type { Shared } from './shared.ts';
import { createShared } from './shared.ts';
import { createSlots, FREE, IN_FLIGHT, IN_FLIGHT_OVERDUE, WAITING } from './slots.ts';
import type { Endpoint, Schedule, ScheduleOptions } from './types.ts';

export type { Endpoint, Learned, Schedule } from './types.ts';

const DEFAULT_PAGE_SIZE = 100;
const DEFAULT_MAX_ROUNDS = 8;
const DEFAULT_LOOK_LIMIT = 5000;

/**
 * Polls the endpoint with the greatest expected waiting already accumulated, ∫₀ᵃ s·λ(s) ds over the age a since its
 * last poll (`schedule-urgency.ts`), λ as forecast from the item times seen so far (`schedule-arrivals.ts`).
 *
 * Why: for Poisson arrivals with rates λᵢ and B polls a second the least possible mean delay is (Σ√λᵢ)² / (2·B·Σλᵢ),
 * reached with frequencies ∝ √λᵢ: the square-root rule (broadcast scheduling: Ammar & Wong 1985; web crawling: Cho &
 * Garcia-Molina 2003), which equal indices for all are when the rates are constant. Round-robin gets N/(2B). Trades come
 * in bursts, so that a policy that reacts to them goes below that bound.
 *
 * These go before the index, in this order:
 * - expedited endpoints (every second pick at most, while another is overdue);
 * - those past the age cap, longest wait first. (maxRounds − 1)·N picks of others put an endpoint there, and at most
 *   N − 1 can be before it then, so that it is picked after maxRounds·N picks at the latest, whatever the forecasts say
 *   (one round more if something is expedited all the time). N is the number of endpoints; picks know of any budget;
 * - those of which half a page is expected to be unseen, and those that have waited a fair round and would have nearly
 *   filled a page if their busiest time were back, before a page overflows, and new ones: every second pick at most, but
 *   all picks of the first round, in which nearly everybody is new;
 * - those past the softer cap that was learned from what such polls found (`schedule-caution.ts`), longest wait first.
 *
 * Nobody is picked again within `pollMinSeconds`, whatever the rules above say: with more budget than that takes, a pick
 * returns fewer than it was asked for.
 *
 * Those that are held (`fair-share.ts`) go after all others that have waited a twentieth of a fair round, and may wait longer than the
 * rules above say.
 *
 * A pick does not look at everybody: an endpoint sleeps until it will have reached most of what was enough to be picked
 * lately (`schedule-rest.ts`, `schedule-doze.ts`). If those that are awake may not be the most urgent, the others are
 * looked at, too. Up to `lookLimit` endpoints that is all of them, and what is picked are the most urgent. Of more than
 * that a pick looks at so many, taken in turns: it returns as many as there are, and keeps to the cap, but who is about to
 * overflow or to become the most urgent may have to wait for the few picks in which the turn comes round.
 *
 * @throws RangeError for a page size or a look limit below 1, or fewer than two rounds
 */
export function createSchedule(options: ScheduleOptions): Schedule {
  const {
    random,
    pageSize = DEFAULT_PAGE_SIZE,
    maxRounds = DEFAULT_MAX_ROUNDS,
    pollMinSeconds = 0,
    lookLimit = DEFAULT_LOOK_LIMIT,
  } = options;
  if (!(pageSize >= 1)) throw new RangeError(`Expected pageSize to be at least 1, got ${pageSize}`);
  if (!(maxRounds >= 2)) throw new RangeError(`Expected maxRounds to be at least 2, got ${maxRounds}`);
  if (!(lookLimit >= 1)) throw new RangeError(`Expected lookLimit to be at least 1, got ${lookLimit}`);
  const slots = createSlots(pageSize, pollMinSeconds);
  const { table, arrivals, order, retries, pace, expedited } = slots;
  const rest = createRest(slots, lookLimit);
  const chooser = createChooser(slots, rest, lookLimit);
  const caution = createCaution(pageSize, maxRounds - 1);
  const shared = ENDPOINT_NAMES.map(() => createShared());

  const slotOf = (endpoint: Endpoint): number => table.find(endpoint.wallet, endpoint.name);
  const nameOf = (slot: number): EndpointName => ENDPOINT_NAMES[slots.columns.name[slot] ?? 0] ?? 'activity';
  const sharedOf = (slot: number): Shared => shared[slots.columns.name[slot] ?? 0] ?? createShared();

  /** A slot whose endpoint may be picked (again). */
  function enter(slot: number): void {
    slots.columns.state[slot] = WAITING;
    if (slots.isOn(slot)) rest.sleep(slot);
  }

  function hold(slot: number, isHeld: boolean): void {
    const { held } = slots.columns;
    slots.heldCount += Number(isHeld) - (held[slot] ?? 0);
    held[slot] = Number(isHeld);
  }

  /** @param overdueUpTo whoever was last picked then or before had waited too long. */
  function take(slot: number, overdueUpTo: number, nowSeconds: number): Endpoint {
    const { columns } = slots;
    columns.state[slot] = (columns.pickedAt[slot] ?? 0) <= overdueUpTo ? IN_FLIGHT_OVERDUE : IN_FLIGHT;
    slots.picks += 1;
    columns.pickedAt[slot] = slots.picks;
    columns.pickedSeconds[slot] = nowSeconds;
    expedited.delete(slot);
    rest.remove(slot);
    order.append(slot);
    columns.tie[slot] = random();
    return { wallet: table.wallet(slot), name: nameOf(slot) };
  }

  return {
    add(endpoint, learned) {
      if (slotOf(endpoint) >= 0) return;
      const slot = table.insert(endpoint.wallet, endpoint.name);
      slots.recount();
      slots.reserve();
      rest.reserve(table.end);
      const { columns } = slots;
      columns.name[slot] = ENDPOINT_NAMES.indexOf(endpoint.name);
      columns.tie[slot] = random();
      columns.seen[slot] = Number.NaN;
      columns.since[slot] = Number.NaN;
      columns.pickedSeconds[slot] = Number.NaN;
      columns.pickedAt[slot] = slots.picks;
      arrivals.clear(slot);
      if (slots.isOn(slot)) order.append(slot);
      enter(slot);
      const known = readLearned(learned);
      if (known === null) return;
      columns.seen[slot] = known.seenSeconds;
      // An old document says when something was found last, not when the endpoint was polled last: that was most
      // likely when the youngest of all documents was written.
      slots.aliveSeconds = Math.max(slots.aliveSeconds, known.seenSeconds);
      arrivals.restore(slot, known.figures, sharedOf(slot), slots.available);
    },

    remove(wallet) {
      for (const name of ENDPOINT_NAMES) {
        const slot = table.find(wallet, name);
        if (slot < 0) continue;
        slots.columns.state[slot] = FREE;
        hold(slot, false);
        retries.clear(slot);
        expedited.delete(slot);
        rest.remove(slot);
        order.remove(slot);
        table.release(slot);
      }
      slots.recount();
    },

    setAvailable(name, isIncluded) {
      if (!slots.setOn(name, isIncluded)) return;
      const { columns } = slots;
      for (let slot = 0; slot < table.end; slot += 1) {
        if (nameOf(slot) !== name || columns.state[slot] === FREE) continue;
        if (!isIncluded) {
          rest.remove(slot);
          order.remove(slot);
          continue;
        }
        // Picks that went by while it was off do not make it overdue.
        columns.pickedAt[slot] = slots.picks;
        order.append(slot);
        if (columns.state[slot] === WAITING) enter(slot);
      }
    },

    setHeld(wallet, isHeld) {
      for (const name of ENDPOINT_NAMES) {
        const slot = table.find(wallet, name);
        if (slot >= 0) hold(slot, isHeld);
      }
    },

    expedite(endpoint) {
      const slot = slotOf(endpoint);
      if (slot >= 0) expedited.add(slot);
    },

    pick(nowSeconds, count) {
      const { available, picks } = slots;
      const limit = Math.min(Math.max(0, Math.floor(count)), table.end);
      const overdueAfter = caution.rounds * available;
      const pickSome = (most: number): Endpoint[] => {
        const chosen = chooser.choose(nowSeconds, most, overdueAfter, (maxRounds - 1) * available);
        if (chosen.leastPlain !== null) rest.paid(chosen.leastPlain);
        return chosen.slots.map((slot) => take(slot, picks - overdueAfter, nowSeconds));
      };
      const picked = pickSome(limit);
      if (picked.length < limit && slots.heldCount > 0) {
        slots.mayPickHeld = true;
        picked.push(...pickSome(limit - picked.length));
        slots.mayPickHeld = false;
      }
      pace.count(nowSeconds, picked.length);
      caution.pass(picked.length / Math.max(1, available));
      return picked;
    },

    polled(endpoint, report) {
      const slot = slotOf(endpoint);
      if (slot < 0) return;
      const { atSeconds } = report;
      const { available, columns } = slots;
      const seen = columns.seen[slot] ?? Number.NaN;
      const isFirst = Number.isNaN(seen);
      const window = windowOf(report, seen, columns.since[slot] ?? Number.NaN, pageSize);
      if (!isFirst && columns.state[slot] === IN_FLIGHT_OVERDUE && rest.price > 0)
        caution.repaid(waitingOf(window.times, columns.since[slot] ?? 0) / rest.price, 1 / Math.max(1, available));
      if (!isFirst) caution.found(window.times, arrivals.expected(slot, atSeconds - seen), slots.fairRoundSeconds());
      arrivals.observe(slot, window.fromSeconds, atSeconds, window.times, sharedOf(slot), slots.available);
      columns.seen[slot] = isFirst ? atSeconds : Math.max(seen, atSeconds);
      columns.since[slot] = atSeconds;
      retries.clear(slot);
      enter(slot);
    },

    failed(endpoint, nowSeconds) {
      const slot = slotOf(endpoint);
      if (slot < 0) return;
      retries.failed(slot, nowSeconds);
      enter(slot);
    },

    learned(endpoint) {
      const slot = slotOf(endpoint);
      if (slot < 0) return undefined;
      const seen = slots.columns.seen[slot] ?? Number.NaN;
      return Number.isNaN(seen) ? [] : writeLearned(seen, arrivals.figures(slot));
    },

    outlook(endpoint) {
      const slot = slotOf(endpoint);
      const lastSeconds = slot < 0 ? Number.NaN : (slots.columns.seen[slot] ?? Number.NaN);
      const perSecond = pace.perSecond();
      if (Number.isNaN(lastSeconds)) return { lastSeconds: null, nextSeconds: null };
      if (perSecond === null || !slots.isOn(slot)) return { lastSeconds, nextSeconds: null };
      const since = slots.columns.since[slot] ?? Number.NaN;
      const age = arrivals.ageOfWaiting(slot, rest.price, (caution.rounds * slots.available) / perSecond);
      const waitSeconds = Math.max(age, pollMinSeconds);
      return { lastSeconds, nextSeconds: (Number.isNaN(since) ? lastSeconds : since) + waitSeconds };
    },

    get size() {
      return slots.available;
    },
  };
}
