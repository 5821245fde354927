import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { createArrivals } from './schedule-arrivals.ts';
import { createCaution } from './schedule-caution.ts';
import { roomFor } from './schedule-columns.ts';
import { createDoze } from './schedule-doze.ts';
import { readLearned, waitingOf, windowOf, writeLearned } from './schedule-evidence.ts';
import type { Choice } from './schedule-lanes.ts';
import { createLanes } from './schedule-lanes.ts';
import { createOrder } from './schedule-order.ts';
import { createPace } from './schedule-pace.ts';
import { createRetries } from './schedule-retries.ts';
import type { Shared } from './schedule-shared.ts';
import { createShared } from './schedule-shared.ts';
import { createSleepers } from './schedule-sleepers.ts';
import { createSlotTable } from './schedule-table.ts';
import type { Endpoint, Schedule, ScheduleOptions } from './schedule-types.ts';

export type { Endpoint, Learned, Schedule } from './schedule-types.ts';

const DEFAULT_PAGE_SIZE = 100;
const DEFAULT_MAX_ROUNDS = 8;
const FREE = 0;
const WAITING = 1;
const IN_FLIGHT = 2;
/** In flight because it had waited long, not because much was expected. */
const IN_FLIGHT_OVERDUE = 3;
/** Endpoints with a busy past wake a little before the fair round in which they are due: the pace varies. */
const WAKE_BEFORE_ROUND = 0.95;
const LONGEST_SLEEP_SECONDS = 1e6;

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
 * A pick does not look at everybody: an endpoint sleeps until it will have reached most of what was enough to be picked
 * lately (`schedule-sleepers.ts`, `schedule-doze.ts`). If those that are awake may not be the most urgent, all are looked at.
 *
 * @throws RangeError for a page size below 1 or fewer than two rounds
 */
export function createSchedule(options: ScheduleOptions): Schedule {
  const { random, pageSize = DEFAULT_PAGE_SIZE, maxRounds = DEFAULT_MAX_ROUNDS } = options;
  if (!(pageSize >= 1)) throw new RangeError(`Expected pageSize to be at least 1, got ${pageSize}`);
  if (!(maxRounds >= 2)) throw new RangeError(`Expected maxRounds to be at least 2, got ${maxRounds}`);
  const table = createSlotTable();
  const arrivals = createArrivals(pageSize);
  const shared = ENDPOINT_NAMES.map(() => createShared());
  const isOn = Uint8Array.from(ENDPOINT_NAMES, () => 1);
  const lanes = createLanes();
  const pace = createPace();
  const caution = createCaution(pageSize, maxRounds - 1);
  const order = createOrder();
  const sleepers = createSleepers();
  const doze = createDoze();
  const expedited = new Set<number>();
  const retries = createRetries();
  let columns = roomFor(0);
  let available = 0;
  let picks = 0;
  let price = 0;
  // No endpoint that is asleep was more urgent than this when it was last looked at, nor is it before it wakes.
  let asleepBelow = 0;
  let aliveSeconds = Number.NEGATIVE_INFINITY;

  const slotOf = (endpoint: Endpoint): number => table.find(endpoint.wallet, endpoint.name);
  const nameOf = (slot: number): EndpointName => ENDPOINT_NAMES[columns.name[slot] ?? 0] ?? 'activity';
  const sharedOf = (slot: number): Shared => shared[columns.name[slot] ?? 0] ?? createShared();
  const recount = (): void => {
    available = ENDPOINT_NAMES.reduce((sum, name, index) => sum + (isOn[index] === 1 ? table.count(name) : 0), 0);
  };
  const mayBePicked = (slot: number, nowSeconds: number): boolean =>
    columns.state[slot] === WAITING &&
    isOn[columns.name[slot] ?? 0] === 1 &&
    !((retries.retrySeconds(slot) ?? 0) > nowSeconds);

  const fairRoundSeconds = (): number => available / (pace.perSecond() ?? Number.POSITIVE_INFINITY);

  function beginWaiting(slot: number, nowSeconds: number): number {
    const since = columns.since[slot] ?? 0;
    if (!Number.isNaN(since)) return since;
    const from = Math.min(nowSeconds, Math.max(aliveSeconds, columns.seen[slot] ?? Number.NaN));
    columns.since[slot] = Number.isNaN(from) ? nowSeconds : from;
    return columns.since[slot] ?? nowSeconds;
  }

  /** Offers what is expedited, and what is overdue: as many as are asked for, longest wait first. */
  function offerFirst(nowSeconds: number, overdueAfter: number, limit: number): void {
    for (const slot of expedited) {
      if (mayBePicked(slot, nowSeconds)) lanes.expedited.offer(slot, picks - (columns.pickedAt[slot] ?? 0), 0);
    }
    for (let slot = order.first(); slot >= 0; slot = order.after(slot)) {
      const waited = picks - (columns.pickedAt[slot] ?? 0);
      if (waited < overdueAfter || (lanes.overdue.size === limit && waited < lanes.overdue.least)) return;
      if (expedited.has(slot) || !mayBePicked(slot, nowSeconds)) continue;
      beginWaiting(slot, nowSeconds);
      lanes.overdue.offer(slot, waited, columns.tie[slot] ?? 0);
    }
  }

  /** Offers a slot that may be picked, unless it has been offered first. */
  function offer(slot: number, nowSeconds: number, overdueAfter: number, roundSeconds: number): void {
    if (picks - (columns.pickedAt[slot] ?? 0) >= overdueAfter) return;
    if (expedited.size > 0 && expedited.has(slot)) return;
    const age = Math.max(0, nowSeconds - beginWaiting(slot, nowSeconds));
    const tie = columns.tie[slot] ?? 0;
    if (Number.isNaN(columns.seen[slot])) {
      lanes.special.offer(slot, 0, tie);
      return;
    }
    const guardAge = Math.min(arrivals.guardAge(slot), Math.max(roundSeconds, arrivals.peakAge(slot)));
    const lane = age >= guardAge ? lanes.special : lanes.plain;
    lane.offer(slot, arrivals.waiting(slot, age), tie);
  }

  /** Looks at all endpoints only if those that are awake may not be the most urgent ones. */
  function choose(nowSeconds: number, limit: number): Choice {
    const overdueAfter = caution.rounds * available;
    const roundSeconds = fairRoundSeconds();
    lanes.reset(limit);
    sleepers.wakeDue(nowSeconds);
    offerFirst(nowSeconds, overdueAfter, limit);
    const { awake, awakeCount } = sleepers;
    for (let at = 0; at < awakeCount; at += 1) offer(awake[at] ?? 0, nowSeconds, overdueAfter, roundSeconds);
    doze.lookedAtAwake(awakeCount, table.end);
    if (lanes.overdue.size < limit && (lanes.plain.size < limit || lanes.plain.least < asleepBelow)) {
      lanes.reset(limit);
      offerFirst(nowSeconds, overdueAfter, limit);
      for (let slot = 0; slot < table.end; slot += 1)
        if (mayBePicked(slot, nowSeconds)) offer(slot, nowSeconds, overdueAfter, roundSeconds);
      doze.lookedAtAll();
      if (lanes.plain.size === limit) sleepAnew(Math.min(price, lanes.plain.least));
    }
    // In the first round everybody is new, and none is to wait longer than a fair round for its first poll.
    return lanes.drain(limit, (maxRounds - 1) * available, picks >= available);
  }

  /** The price of a poll has fallen: who sleeps is to wake earlier. */
  function sleepAnew(newPrice: number): void {
    if (!(newPrice < price)) return;
    price = newPrice;
    asleepBelow = 0;
    sleepers.sleepAnew(wakeSeconds);
  }

  /** When a slot is to be looked at next: at once while nothing is known of it. */
  function wakeSeconds(slot: number): number {
    const retrySeconds = retries.retrySeconds(slot);
    if (retrySeconds !== undefined) return retrySeconds;
    const sinceSeconds = columns.since[slot] ?? Number.NaN;
    if (Number.isNaN(sinceSeconds + (columns.seen[slot] ?? Number.NaN))) return Number.NEGATIVE_INFINITY;
    const least = doze.share * price;
    asleepBelow = Math.max(asleepBelow, least);
    const peakAge = Math.max(WAKE_BEFORE_ROUND * fairRoundSeconds(), arrivals.peakAge(slot));
    const age = arrivals.ageOfWaiting(slot, least, LONGEST_SLEEP_SECONDS);
    return sinceSeconds + Math.min(age, arrivals.guardAge(slot), peakAge);
  }

  /** A slot whose endpoint may be picked (again). */
  function enter(slot: number): void {
    columns.state[slot] = WAITING;
    if (isOn[columns.name[slot] ?? 0] === 1) sleepers.sleep(slot, wakeSeconds(slot));
  }

  /** `overdueUpTo`: whoever was last picked then or before had waited too long. */
  function take(slot: number, overdueUpTo: number): Endpoint {
    columns.state[slot] = (columns.pickedAt[slot] ?? 0) <= overdueUpTo ? IN_FLIGHT_OVERDUE : IN_FLIGHT;
    picks += 1;
    columns.pickedAt[slot] = picks;
    expedited.delete(slot);
    sleepers.remove(slot);
    order.append(slot);
    columns.tie[slot] = random();
    return { wallet: table.wallet(slot), name: nameOf(slot) };
  }

  return {
    add(endpoint, learned) {
      if (slotOf(endpoint) >= 0) return;
      const slot = table.insert(endpoint.wallet, endpoint.name);
      recount();
      columns = roomFor(table.end, columns);
      for (const part of [arrivals, order, sleepers]) part.reserve(table.end);
      columns.name[slot] = ENDPOINT_NAMES.indexOf(endpoint.name);
      columns.tie[slot] = random();
      columns.seen[slot] = Number.NaN;
      columns.since[slot] = Number.NaN;
      columns.pickedAt[slot] = picks;
      arrivals.clear(slot);
      if (isOn[columns.name[slot] ?? 0] === 1) order.append(slot);
      enter(slot);
      const known = readLearned(learned);
      if (known === null) return;
      columns.seen[slot] = known.seenSeconds;
      // An old document says when something was found last, not when the endpoint was polled last: that was most
      // likely when the youngest of all documents was written.
      aliveSeconds = Math.max(aliveSeconds, known.seenSeconds);
      arrivals.restore(slot, known.figures, sharedOf(slot), available);
    },

    remove(wallet) {
      for (const name of ENDPOINT_NAMES) {
        const slot = table.find(wallet, name);
        if (slot < 0) continue;
        columns.state[slot] = FREE;
        retries.clear(slot);
        expedited.delete(slot);
        sleepers.remove(slot);
        order.remove(slot);
        table.release(slot);
      }
      recount();
    },

    setAvailable(name, isIncluded) {
      const index = ENDPOINT_NAMES.indexOf(name);
      if ((isOn[index] === 1) === isIncluded) return;
      isOn[index] = isIncluded ? 1 : 0;
      recount();
      for (let slot = 0; slot < table.end; slot += 1) {
        if (columns.name[slot] !== index || columns.state[slot] === FREE) continue;
        if (!isIncluded) {
          sleepers.remove(slot);
          order.remove(slot);
          continue;
        }
        // Picks that went by while it was off do not make it overdue.
        columns.pickedAt[slot] = picks;
        order.append(slot);
        if (columns.state[slot] === WAITING) enter(slot);
      }
    },

    expedite(endpoint) {
      const slot = slotOf(endpoint);
      if (slot >= 0) expedited.add(slot);
    },

    pick(nowSeconds, count) {
      const limit = Math.min(Math.max(0, Math.floor(count)), table.end);
      const overdueUpTo = picks - caution.rounds * available;
      const chosen = choose(nowSeconds, limit);
      pace.count(nowSeconds, chosen.slots.length);
      caution.pass(chosen.slots.length / Math.max(1, available));
      if (chosen.leastPlain !== null) price = price === 0 ? chosen.leastPlain : 0.95 * price + 0.05 * chosen.leastPlain;
      return chosen.slots.map((slot) => take(slot, overdueUpTo));
    },

    polled(endpoint, report) {
      const slot = slotOf(endpoint);
      if (slot < 0) return;
      const { atSeconds } = report;
      const seen = columns.seen[slot] ?? Number.NaN;
      const isFirst = Number.isNaN(seen);
      const window = windowOf(report, seen, columns.since[slot] ?? Number.NaN, pageSize);
      if (!isFirst && columns.state[slot] === IN_FLIGHT_OVERDUE && price > 0)
        caution.repaid(waitingOf(window.times, columns.since[slot] ?? 0) / price, 1 / Math.max(1, available));
      if (!isFirst) caution.found(window.times, arrivals.expected(slot, atSeconds - seen), fairRoundSeconds());
      arrivals.observe(slot, window.fromSeconds, atSeconds, window.times, sharedOf(slot), available);
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
      const seen = columns.seen[slot] ?? Number.NaN;
      return Number.isNaN(seen) ? [] : writeLearned(seen, arrivals.figures(slot));
    },

    outlook(endpoint) {
      const slot = slotOf(endpoint);
      const lastSeconds = slot < 0 ? Number.NaN : (columns.seen[slot] ?? Number.NaN);
      const perSecond = pace.perSecond();
      if (Number.isNaN(lastSeconds)) return { lastSeconds: null, nextSeconds: null };
      if (perSecond === null || isOn[columns.name[slot] ?? 0] === 0) return { lastSeconds, nextSeconds: null };
      const since = columns.since[slot] ?? Number.NaN;
      const age = arrivals.ageOfWaiting(slot, price, (caution.rounds * available) / perSecond);
      return { lastSeconds, nextSeconds: (Number.isNaN(since) ? lastSeconds : since) + age };
    },

    get size() {
      return available;
    },
  };
}
