import type { WalletAddress } from '../venue/address.ts';
import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
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
  /** No endpoint waits longer than this many fair rounds (one pick of every endpoint). Default 4, at least 2. */
  readonly maxRounds?: number;
}

const FREE = 0;
const WAITING = 1;
const IN_FLIGHT = 2;
const MEMORY_SECONDS = 8 * 3600;

export function createSchedule(options: ScheduleOptions): Schedule {
  const { random, pageSize = 100, maxRounds = 4 } = options;
  const table = createSlotTable();
  const available = new Map(ENDPOINT_NAMES.map((name) => [name, true]));
  const state: number[] = [];
  const lastSeconds: number[] = []; // NaN: never polled
  const sinceSeconds: number[] = []; // waiting counts from here
  const pickedAt: number[] = []; // value of `picks` at its last pick
  const retrySeconds: number[] = [];
  const failures: number[] = [];
  const expedited: boolean[] = [];
  const items: number[] = [];
  const exposure: number[] = [];
  const tie: number[] = [];
  let picks = 0;
  let paceFrom = Number.NaN;
  let pacePicks = 0;
  let paceSeconds = 0;
  let sharedItems = 0.1;
  let sharedExposure = 60;

  const size = () => ENDPOINT_NAMES.reduce((sum, name) => sum + (available.get(name) ? table.count(name) : 0), 0);
  const at = (array: readonly number[], slot: number) => array[slot] ?? 0;
  const rate = (slot: number) =>
    (at(items, slot) + 0.5) / (at(exposure, slot) + (0.5 * sharedExposure) / Math.max(sharedItems, 1e-9));

  function urgency(slot: number, nowSeconds: number): number {
    const age = Math.max(0, nowSeconds - at(sinceSeconds, slot));
    const lambda = rate(slot);
    const waiting = (lambda * age * age) / 2;
    return lambda * age > pageSize / 2 ? waiting * 1e6 : waiting;
  }

  return {
    add(endpoint, learned) {
      if (table.find(endpoint.wallet, endpoint.name) >= 0) return;
      const slot = table.insert(endpoint.wallet, endpoint.name);
      const [known, counted, watched] =
        learned?.length === 3 && learned.every((figure) => Number.isFinite(figure) && figure >= 0) ? learned : [];
      state[slot] = WAITING;
      lastSeconds[slot] = known ?? Number.NaN;
      sinceSeconds[slot] = Number.NaN;
      pickedAt[slot] = picks;
      retrySeconds[slot] = 0;
      failures[slot] = 0;
      expedited[slot] = false;
      items[slot] = counted ?? 0;
      exposure[slot] = watched ?? 0;
      tie[slot] = random();
    },
    remove(wallet) {
      for (const name of ENDPOINT_NAMES) {
        const slot = table.find(wallet, name);
        if (slot < 0) continue;
        state[slot] = FREE;
        table.release(slot);
      }
    },
    setAvailable(name, on) {
      const was = available.get(name);
      available.set(name, on);
      if (was || !on) return;
      for (let slot = 0; slot < table.end; slot += 1) {
        if (state[slot] !== FREE && table.name(slot) === name) pickedAt[slot] = picks;
      }
    },
    expedite(endpoint) {
      const slot = table.find(endpoint.wallet, endpoint.name);
      if (slot >= 0) expedited[slot] = true;
    },
    pick(nowSeconds, count) {
      if (Number.isFinite(paceFrom) && nowSeconds > paceFrom) {
        const elapsed = nowSeconds - paceFrom;
        const keep = Math.exp(-elapsed / 60);
        pacePicks *= keep;
        paceSeconds = paceSeconds * keep + elapsed;
      }
      paceFrom = nowSeconds;
      const total = size();
      const candidates: { slot: number; lane: number; urgency: number }[] = [];
      for (let slot = 0; slot < table.end; slot += 1) {
        if (state[slot] !== WAITING || !available.get(table.name(slot))) continue;
        if (Number.isNaN(sinceSeconds[slot])) sinceSeconds[slot] = nowSeconds;
        if (at(retrySeconds, slot) > nowSeconds) continue;
        const waitedPicks = picks - at(pickedAt, slot);
        const overdue = waitedPicks >= (maxRounds - 1) * total;
        const lane = expedited[slot] ? 3 : overdue ? 2 : Number.isNaN(lastSeconds[slot]) ? 1 : 0;
        candidates.push({ slot, lane, urgency: lane === 2 ? waitedPicks : urgency(slot, nowSeconds) });
      }
      candidates.sort((a, b) => b.lane - a.lane || b.urgency - a.urgency || at(tie, b.slot) - at(tie, a.slot));
      const chosen = candidates.slice(0, Math.max(0, Math.floor(count)));
      for (const { slot } of chosen) {
        state[slot] = IN_FLIGHT;
        expedited[slot] = false;
        picks += 1;
        pacePicks += 1;
        pickedAt[slot] = picks;
        tie[slot] = random();
      }
      return chosen.map(({ slot }) => ({ wallet: table.wallet(slot), name: table.name(slot) }));
    },
    polled(endpoint, report) {
      const slot = table.find(endpoint.wallet, endpoint.name);
      if (slot < 0) return;
      const first = Number.isNaN(lastSeconds[slot]);
      const seen = first ? report.pageTimesSeconds : report.freshTimesSeconds;
      const oldest = seen.reduce((least, time) => Math.min(least, time), report.atSeconds);
      const full = seen.length >= pageSize;
      const from = full || first ? oldest : at(lastSeconds, slot);
      const elapsed = Math.max(0, report.atSeconds - from);
      const counted = Math.max(0, seen.length - (full || first ? 1 : 0));
      const keep = Math.exp(-elapsed / MEMORY_SECONDS);
      items[slot] = at(items, slot) * keep + counted;
      exposure[slot] = at(exposure, slot) * keep + elapsed;
      sharedItems = sharedItems * 0.999 + counted;
      sharedExposure = sharedExposure * 0.999 + elapsed;
      state[slot] = WAITING;
      failures[slot] = 0;
      retrySeconds[slot] = 0;
      lastSeconds[slot] = report.atSeconds;
      sinceSeconds[slot] = report.atSeconds;
    },
    failed(endpoint, nowSeconds) {
      const slot = table.find(endpoint.wallet, endpoint.name);
      if (slot < 0) return;
      state[slot] = WAITING;
      const streak = at(failures, slot) + 1;
      failures[slot] = streak;
      retrySeconds[slot] = nowSeconds + Math.min(300, 5 * 2 ** Math.min(10, streak - 1));
    },
    learned(endpoint) {
      const slot = table.find(endpoint.wallet, endpoint.name);
      if (slot < 0) return undefined;
      const last = at(lastSeconds, slot);
      return Number.isNaN(last) ? [] : [last, at(items, slot), at(exposure, slot)];
    },
    outlook(endpoint) {
      const slot = table.find(endpoint.wallet, endpoint.name);
      const last = slot < 0 ? Number.NaN : at(lastSeconds, slot);
      if (Number.isNaN(last)) return { lastSeconds: null, nextSeconds: null };
      const round = pacePicks > 0 && paceSeconds > 0 ? (size() * paceSeconds) / pacePicks : Number.NaN;
      return { lastSeconds: last, nextSeconds: Number.isFinite(round) ? last + round : null };
    },
    get size() {
      return size();
    },
  };
}
