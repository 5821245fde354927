import type { WalletAddress } from '../venue/address.ts';
import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { createArrivals } from './schedule-arrivals.ts';
import { roomFor } from './schedule-columns.ts';
import { firstWindow, nextWindow, readLearned, writeLearned } from './schedule-evidence.ts';
import type { Choice } from './schedule-lanes.ts';
import { createLanes } from './schedule-lanes.ts';
import { createPace } from './schedule-pace.ts';
import type { Shared } from './schedule-shared.ts';
import { createShared } from './schedule-shared.ts';
import { createSlotTable } from './schedule-table.ts';

/** One thing that can be polled: a wallet's activity or its deposits and withdrawals. */
export interface Endpoint {
  readonly wallet: WalletAddress;
  readonly name: EndpointName;
}

/** What a poll brought, as far as the schedule cares. */
export interface PollReport {
  /** Venue clock, seconds (fractions allowed): when the response was made. */
  readonly atSeconds: number;
  /** Times of the items that are new since the poll before, seconds, any order. */
  readonly freshTimesSeconds: readonly number[];
  /** Times of all items on the page, seconds, newest first: the only evidence on an endpoint's first poll. */
  readonly pageTimesSeconds: readonly number[];
}

/** What the schedule has learned of one endpoint: kept in the wallet's document, so that it survives a restart. */
export type Learned = readonly number[];

/** Decides which endpoints to poll next. Keeps no clock and does no I/O. */
export interface Schedule {
  /** Begins to serve an endpoint. Adding one that is there already changes nothing. */
  add(endpoint: Endpoint, learned?: Learned): void;
  /** Forgets both endpoints of a wallet at once. */
  remove(wallet: WalletAddress): void;
  /** Turns all endpoints of this name off or on again (403: the plan does not include it). Off endpoints are never picked. */
  setAvailable(name: EndpointName, available: boolean): void;
  /** Asks that an endpoint be picked before all others (a page left something open to check again). */
  expedite(endpoint: Endpoint): void;
  /** Up to `count` endpoints, most urgent first. A picked one is in flight until `polled` or `failed`, and not picked again. */
  pick(nowSeconds: number, count: number): Endpoint[];
  /** The poll succeeded. */
  polled(endpoint: Endpoint, report: PollReport): void;
  /** The poll failed: what was waiting there still waits. */
  failed(endpoint: Endpoint, nowSeconds: number): void;
  /** What is worth keeping of an endpoint; undefined if it is unknown. */
  learned(endpoint: Endpoint): Learned | undefined;
  /** When the endpoint was last polled, and by the present budget is expected next; null where not known. */
  outlook(endpoint: Endpoint): { readonly lastSeconds: number | null; readonly nextSeconds: number | null };
  /** Endpoints that can be picked at all, in flight or not. */
  readonly size: number;
}

export interface ScheduleOptions {
  /** Uniform in [0, 1): breaks ties. A seeded generator makes the schedule repeatable. */
  readonly random: () => number;
  /** Items on a full page. Default 100. */
  readonly pageSize?: number;
  /** No endpoint waits longer than this many fair rounds (as many picks as there are endpoints). Default 8, at least 2. */
  readonly maxRounds?: number;
}

const DEFAULT_PAGE_SIZE = 100;
const DEFAULT_MAX_ROUNDS = 8;
const FREE = 0;
const WAITING = 1;
const IN_FLIGHT = 2;
const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 300;
/** An endpoint is not looked at until its urgency is this share of what was enough to be picked lately. */
const ASLEEP_SHARE = 0.5;
const LONGEST_SLEEP_SECONDS = 1e6;

/**
 * Polls the endpoint with the greatest expected waiting already accumulated, ∫₀ᵃ s·λ(s) ds over the age a since its
 * last poll (`schedule-urgency.ts`), λ as forecast from the item times seen so far (`schedule-arrivals.ts`).
 *
 * Why: for Poisson arrivals with rates λᵢ and B polls a second the least possible mean delay is (Σ√λᵢ)² / (2·B·Σλᵢ),
 * reached with frequencies ∝ √λᵢ: the square-root rule (broadcast scheduling: Ammar & Wong 1985; web crawling: Cho &
 * Garcia-Molina 2003). Round-robin gets N/(2B). The index equals the price of a poll at which polling now is as good as
 * later; equal indices for all are the square-root rule when the rates are constant. Trades come in bursts, so that a
 * policy that reacts to them goes below that bound.
 *
 * Four lanes go before the index, in this order:
 * - expedited endpoints (every second pick at most, while another lane is overdue);
 * - overdue ones, longest wait first: the age cap. An endpoint is overdue after (maxRounds − 1)·N picks of others, and
 *   at most N − 1 can be before it then, so that it is picked after maxRounds·N picks at the latest, whatever the
 *   forecasts say (one round more if something is expedited all the time). N is the number of endpoints, and rounds
 *   are counted in picks: a budget that grows or shrinks needs no other care;
 * - those of which half a page is expected to be unseen, and those that have waited a fair round and would have nearly
 *   filled a page if their busiest time were back, before a page overflows, and
 * - new ones, every second pick at most for both together.
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
  let columns = roomFor(0);
  const failing = new Map<number, { readonly failures: number; readonly retrySeconds: number }>();
  let picks = 0;
  let price = 0;
  // No endpoint younger than its wake age is more urgent than this.
  let asleepBelow = 0;
  let aliveSeconds = Number.NEGATIVE_INFINITY;

  const slotOf = (endpoint: Endpoint): number => table.find(endpoint.wallet, endpoint.name);
  const nameOf = (slot: number): EndpointName => ENDPOINT_NAMES[columns.name[slot] ?? 0] ?? 'activity';
  const sharedOf = (slot: number): Shared => shared[columns.name[slot] ?? 0] ?? createShared();
  const countAvailable = (): number =>
    ENDPOINT_NAMES.reduce((sum, name, index) => sum + (isOn[index] === 1 ? table.count(name) : 0), 0);

  function sortIntoLanes(nowSeconds: number, overdueAfter: number, wakeAll: boolean): void {
    const { state, name, expedited, tie, seen, since, wakeAge, pickedAt } = columns;
    const roundSeconds = countAvailable() / (pace.perSecond() ?? Number.POSITIVE_INFINITY);
    for (let slot = 0; slot < table.end; slot += 1) {
      if (state[slot] !== WAITING || isOn[name[slot] ?? 0] === 0) continue;
      if (failing.size > 0 && (failing.get(slot)?.retrySeconds ?? 0) > nowSeconds) continue;
      let from = since[slot] ?? 0;
      if (Number.isNaN(from)) {
        from = Math.min(nowSeconds, Math.max(aliveSeconds, seen[slot] ?? Number.NaN));
        if (Number.isNaN(from)) from = nowSeconds;
        since[slot] = from;
      }
      const order = tie[slot] ?? 0;
      const waitedPicks = picks - (pickedAt[slot] ?? 0);
      if (expedited[slot] === 1) lanes.expedited.offer(slot, waitedPicks, order);
      else if (waitedPicks >= overdueAfter) lanes.overdue.offer(slot, waitedPicks, order);
      else if (Number.isNaN(seen[slot])) lanes.special.offer(slot, 0, order);
      else {
        const age = Math.max(0, nowSeconds - from);
        if (age < (wakeAge[slot] ?? 0)) {
          if (!wakeAll) continue;
          wakeAge[slot] = 0;
        }
        const guardAge = Math.min(arrivals.guardAge(slot), Math.max(roundSeconds, arrivals.peakAge(slot)));
        const lane = age >= guardAge ? lanes.special : lanes.plain;
        lane.offer(slot, arrivals.waiting(slot, age), order);
      }
    }
  }

  /** Looks at all endpoints only if those that are awake may not be the most urgent ones. */
  function choose(nowSeconds: number, limit: number): Choice {
    const overdueAfter = (maxRounds - 1) * countAvailable();
    lanes.reset(limit);
    sortIntoLanes(nowSeconds, overdueAfter, false);
    if (lanes.plain.size === limit && lanes.plain.least >= asleepBelow) return lanes.drain(limit);
    lanes.reset(limit);
    sortIntoLanes(nowSeconds, overdueAfter, true);
    asleepBelow = 0;
    return lanes.drain(limit);
  }

  function sleep(slot: number): void {
    const least = ASLEEP_SHARE * price;
    const age = ageAtPrice((ageSeconds) => arrivals.waiting(slot, ageSeconds), least, LONGEST_SLEEP_SECONDS);
    columns.wakeAge[slot] = Math.min(age, arrivals.guardAge(slot), arrivals.peakAge(slot));
    asleepBelow = Math.max(asleepBelow, least);
  }

  function take(slot: number): Endpoint {
    picks += 1;
    columns.state[slot] = IN_FLIGHT;
    columns.expedited[slot] = 0;
    columns.pickedAt[slot] = picks;
    columns.tie[slot] = random();
    return { wallet: table.wallet(slot), name: nameOf(slot) };
  }

  return {
    add(endpoint, learned) {
      if (slotOf(endpoint) >= 0) return;
      const slot = table.insert(endpoint.wallet, endpoint.name);
      columns = roomFor(table.end, columns);
      arrivals.reserve(table.end);
      columns.state[slot] = WAITING;
      columns.name[slot] = ENDPOINT_NAMES.indexOf(endpoint.name);
      columns.expedited[slot] = 0;
      columns.tie[slot] = random();
      columns.seen[slot] = Number.NaN;
      columns.since[slot] = Number.NaN;
      columns.wakeAge[slot] = 0;
      columns.pickedAt[slot] = picks;
      arrivals.clear(slot);
      const known = readLearned(learned);
      if (known === null) return;
      columns.seen[slot] = known.seenSeconds;
      // An old document says when something was found last, not when the endpoint was polled last: that was most
      // likely when the youngest of all documents was written.
      aliveSeconds = Math.max(aliveSeconds, known.seenSeconds);
      arrivals.restore(slot, known.figures, sharedOf(slot), countAvailable());
    },

    remove(wallet) {
      for (const name of ENDPOINT_NAMES) {
        const slot = table.find(wallet, name);
        if (slot < 0) continue;
        columns.state[slot] = FREE;
        failing.delete(slot);
        table.release(wallet, name);
      }
    },

    setAvailable(name, available) {
      const index = ENDPOINT_NAMES.indexOf(name);
      const wasOn = isOn[index] === 1;
      isOn[index] = available ? 1 : 0;
      if (wasOn || !available) return;
      // Picks that went by while it was off do not make it overdue.
      for (let slot = 0; slot < table.end; slot += 1) {
        if (columns.name[slot] !== index) continue;
        columns.pickedAt[slot] = picks;
        columns.wakeAge[slot] = 0;
      }
    },

    expedite(endpoint) {
      const slot = slotOf(endpoint);
      if (slot >= 0) columns.expedited[slot] = 1;
    },

    pick(nowSeconds, count) {
      const limit = Math.min(Math.max(0, Math.floor(count)), table.end);
      const chosen = choose(nowSeconds, limit);
      pace.count(nowSeconds, chosen.slots.length);
      if (chosen.leastPlain !== null) price = price === 0 ? chosen.leastPlain : 0.95 * price + 0.05 * chosen.leastPlain;
      return chosen.slots.map(take);
    },

    polled(endpoint, report) {
      const slot = slotOf(endpoint);
      if (slot < 0) return;
      const { atSeconds } = report;
      const seen = columns.seen[slot] ?? Number.NaN;
      const isFirst = Number.isNaN(seen);
      const added = columns.since[slot] ?? Number.NaN;
      const window = isFirst
        ? firstWindow(report.pageTimesSeconds, Number.isNaN(added) ? atSeconds : added, atSeconds, pageSize)
        : nextWindow(report.freshTimesSeconds, seen, atSeconds, pageSize);
      arrivals.observe(slot, window.fromSeconds, atSeconds, window.times, sharedOf(slot), countAvailable());
      columns.seen[slot] = isFirst ? atSeconds : Math.max(seen, atSeconds);
      columns.since[slot] = atSeconds;
      failing.delete(slot);
      columns.state[slot] = WAITING;
      sleep(slot);
    },

    failed(endpoint, nowSeconds) {
      const slot = slotOf(endpoint);
      if (slot < 0) return;
      const failures = failing.get(slot)?.failures ?? 0;
      const pause = Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** failures);
      failing.set(slot, { failures: Math.min(30, failures + 1), retrySeconds: nowSeconds + pause });
      columns.wakeAge[slot] = 0;
      columns.state[slot] = WAITING;
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
      const capSeconds = ((maxRounds - 1) * countAvailable()) / perSecond;
      const age = ageAtPrice((ageSeconds) => arrivals.waiting(slot, ageSeconds), price, capSeconds);
      return { lastSeconds, nextSeconds: (Number.isNaN(since) ? lastSeconds : since) + age };
    },

    get size() {
      return countAvailable();
    },
  };
}

/** The age, at most `capSeconds`, at which the accumulated waiting reaches the price of a poll. */
function ageAtPrice(waiting: (ageSeconds: number) => number, price: number, capSeconds: number): number {
  let low = 0;
  let high = capSeconds;
  for (let halving = 0; halving < 30; halving += 1) {
    const middle = (low + high) / 2;
    if (waiting(middle) < price) low = middle;
    else high = middle;
  }
  return high;
}
