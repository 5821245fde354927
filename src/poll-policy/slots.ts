import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import type { Arrivals } from './arrivals.ts';
import { createArrivals } from './arrivals.ts';
import type { Columns } from './columns.ts';
import { roomFor } from './columns.ts';
import { hasRested } from './least-interval.ts';
import type { Order } from './order.ts';
import { createOrder } from './order.ts';
import type { Pace } from './pace.ts';
import { createPace } from './pace.ts';
import type { Retries } from './retries.ts';
import { createRetries } from './retries.ts';
import type { SlotTable } from './table.ts';
import { createSlotTable } from './table.ts';

/** What a slot's endpoint is doing, in `Columns.state`. */
export const FREE = 0;
export const WAITING = 1;
export const IN_FLIGHT = 2;
/** In flight because it had waited long, not because much was expected. */
export const IN_FLIGHT_OVERDUE = 3;

/**
 * Nobody goes before those that are held again within this share of a fair round: a server with a single wallet is not to take half of
 * the polls for it.
 */
const BEFORE_HELD_ROUNDS = 0.05;

/** What is known of the slots, shared by the parts of a schedule. */
export interface Slots {
  readonly table: SlotTable;
  readonly arrivals: Arrivals;
  /** By how long ago they were picked. */
  readonly order: Order;
  readonly retries: Retries;
  readonly pace: Pace;
  readonly expedited: Set<number>;
  /** Others once the slots have grown. */
  readonly columns: Columns;
  /** Endpoints that can be picked at all, in flight or not. */
  readonly available: number;
  /** Picks so far. */
  picks: number;
  /** Whether those that are held may be picked, too. */
  mayPickHeld: boolean;
  /** Slots that are held. */
  heldCount: number;
  /** When the youngest of all that was restored was seen, seconds. */
  aliveSeconds: number;
  /** Makes room for as many slots as the table has. */
  reserve(): void;
  /** Turns the endpoints of a name on or off; false if they were so already. */
  setOn(name: EndpointName, isIncluded: boolean): boolean;
  isOn(slot: number): boolean;
  /** To be called when endpoints were added or removed. */
  recount(): void;
  mayBePicked(slot: number, nowSeconds: number): boolean;
  /** Since when the waiting at a slot counts: from now on, if it was not there to be picked before. */
  beginWaiting(slot: number, nowSeconds: number): number;
  fairRoundSeconds(): number;
}

export function createSlots(pageSize: number, pollMinSeconds = 0): Slots {
  const table = createSlotTable();
  const arrivals = createArrivals(pageSize);
  const order = createOrder();
  const retries = createRetries();
  const pace = createPace();
  const isOn = Uint8Array.from(ENDPOINT_NAMES, () => 1);
  let columns = roomFor(0);
  let available = 0;
  const goesBeforeHeld = (slot: number): boolean =>
    columns.held[slot] === 0 && slots.picks - (columns.pickedAt[slot] ?? 0) >= BEFORE_HELD_ROUNDS * available;
  const slots: Slots = {
    table,
    arrivals,
    order,
    retries,
    pace,
    expedited: new Set(),
    picks: 0,
    mayPickHeld: false,
    heldCount: 0,
    aliveSeconds: Number.NEGATIVE_INFINITY,
    get columns() {
      return columns;
    },
    get available() {
      return available;
    },
    reserve() {
      columns = roomFor(table.end, columns);
      arrivals.reserve(table.end);
      order.reserve(table.end);
    },
    setOn(name, isIncluded) {
      const index = ENDPOINT_NAMES.indexOf(name);
      if ((isOn[index] === 1) === isIncluded) return false;
      isOn[index] = isIncluded ? 1 : 0;
      slots.recount();
      return true;
    },
    isOn: (slot) => isOn[columns.name[slot] ?? 0] === 1,
    recount() {
      available = ENDPOINT_NAMES.reduce((sum, name, index) => sum + (isOn[index] === 1 ? table.count(name) : 0), 0);
    },
    mayBePicked: (slot, nowSeconds) =>
      columns.state[slot] === WAITING &&
      (slots.mayPickHeld || slots.heldCount === 0 || goesBeforeHeld(slot)) &&
      isOn[columns.name[slot] ?? 0] === 1 &&
      hasRested(nowSeconds - (columns.pickedSeconds[slot] ?? Number.NaN), pollMinSeconds) &&
      !((retries.retrySeconds(slot) ?? 0) > nowSeconds),
    beginWaiting(slot, nowSeconds) {
      const since = columns.since[slot] ?? 0;
      if (!Number.isNaN(since)) return since;
      const from = Math.min(nowSeconds, Math.max(slots.aliveSeconds, columns.seen[slot] ?? Number.NaN));
      const begun = Number.isNaN(from) ? nowSeconds : from;
      columns.since[slot] = begun;
      return begun;
    },
    fairRoundSeconds: () => available / (pace.perSecond() ?? Number.POSITIVE_INFINITY),
  };
  return slots;
}
