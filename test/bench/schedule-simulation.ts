import type { Endpoint, Schedule } from '../../src/poll-policy/schedule.ts';
import type { PollReport } from '../../src/poll-policy/types.ts';
import { walletOf } from '../support/wallets.ts';
import { mean, quantiles } from './figures.ts';
import type { Tape } from './schedule-tapes.ts';

/** The part of a schedule that the simulation uses. */
export type Policy = Pick<Schedule, 'add' | 'pick' | 'polled'>;

/**
 * A policy that numbers its endpoints from 0 in the order in which they are added. Times are in
 * seconds, those of items ascending.
 */
export interface NumberedPolicy {
  add(nowSeconds: number): number;
  /** Returns the next endpoint to poll; -1 for none. */
  pick(nowSeconds: number): number;
  polled(
    index: number,
    nowSeconds: number,
    freshTimes: readonly number[],
    pageTimes: readonly number[],
  ): void;
}

export type Outcome = ReturnType<typeof simulate>;

const PAGE_SIZE = 100;
const NOTHING: readonly number[] = [];
const NO_TIMES = new Float64Array(0);

export function endpointOf(index: number): Endpoint {
  return { wallet: walletOf(index), name: 'activity' };
}

/** Returns the index given to `endpointOf`, below 2³². */
function indexOf({ wallet }: Endpoint): number {
  return Number.parseInt(wallet.slice(-8), 16) - 1;
}

/**
 * Runs a policy on a tape; polls are sequential and equally spaced. A poll returns the newest page
 * of everything that has happened by then; new items that don't fit on it are lost. The delay of an
 * item is the time of the poll that reports it minus the item's own time. Items not reported before
 * the end don't count for any policy.
 */
export function simulate(tape: Tape, pollsPerSecond: number, policy: Policy) {
  const endpoints = tape.items.map((_, index) => endpointOf(index));
  const world = createWorld(tape);
  const waits = createWaits(endpoints.length);
  const arriving = endpoints
    .map((_, index) => index)
    .sort((a, b) => (tape.watchedFrom[a] ?? 0) - (tape.watchedFrom[b] ?? 0));
  let arrived = 0;
  let polls = 0;
  const admit = (now: number): void => {
    for (; arrived < arriving.length; arrived += 1) {
      const index = arriving[arrived] ?? 0;
      const endpoint = endpoints[index];
      if (endpoint === undefined || (tape.watchedFrom[index] ?? 0) > now) return;
      policy.add(endpoint);
      waits.begin(index);
    }
  };
  for (let turn = 1; turn / pollsPerSecond < tape.seconds; turn += 1) {
    const now = turn / pollsPerSecond;
    admit(now);
    const endpoint = policy.pick(now, 1)[0];
    if (endpoint === undefined) continue;
    polls += 1;
    waits.polled(indexOf(endpoint), arrived);
    policy.polled(endpoint, world.poll(indexOf(endpoint), now));
  }
  /**
   * The longest wait of an endpoint for a poll, in fair rounds. A round has as many polls as there
   * are endpoints.
   */
  const longestWaitRounds = waits.longestRounds(arriving.slice(0, arrived));
  const at = quantiles(world.delays);
  const summary = {
    mean: mean(world.delays),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  };
  return { ...summary, longestWaitRounds, overflowLost: world.overflowLost, polls };
}

/** Adapts such a policy to the simulation. */
export function numbered(policy: NumberedPolicy): Policy {
  const endpoints: Endpoint[] = [];
  const numbers = new Map<string, number>();
  let clock = 0;
  return {
    add(endpoint) {
      numbers.set(endpoint.wallet, policy.add(clock));
      endpoints.push(endpoint);
    },
    pick(nowSeconds) {
      clock = nowSeconds;
      const endpoint = endpoints[policy.pick(nowSeconds)];
      return endpoint === undefined ? [] : [endpoint];
    },
    polled({ wallet }, { atSeconds, freshTimesSeconds, pageTimesSeconds }) {
      policy.polled(
        numbers.get(wallet) ?? 0,
        atSeconds,
        freshTimesSeconds,
        pageTimesSeconds.toReversed(),
      );
    },
  };
}

/** Creates a view of a tape through polls. */
function createWorld(tape: Tape) {
  const seen = Int32Array.from(tape.items, (times, index) =>
    countBefore(times, tape.watchedFrom[index] ?? 0),
  );
  const wasPolled = new Uint8Array(tape.items.length);
  const delays: number[] = [];
  const world = {
    delays,
    overflowLost: 0,
    poll(index: number, now: number): PollReport {
      const times = tape.items[index] ?? NO_TIMES;
      const before = seen[index] ?? 0;
      // Most polls of a quiet endpoint find nothing.
      if (wasPolled[index] === 1 && !((times[before] ?? Number.POSITIVE_INFINITY) <= now)) {
        return { atSeconds: now, freshTimesSeconds: NOTHING, pageTimesSeconds: NOTHING };
      }
      let end = before;
      while (end < times.length && (times[end] ?? 0) <= now) end += 1;
      const begin = Math.max(before, end - PAGE_SIZE);
      world.overflowLost += begin - before;
      for (let item = begin; item < end; item += 1) delays.push(now - (times[item] ?? 0));
      seen[index] = end;
      // Only an endpoint's first poll uses the rest of its page.
      const isFirst = wasPolled[index] === 0;
      wasPolled[index] = 1;
      return {
        atSeconds: now,
        freshTimesSeconds: begin === end ? NOTHING : Array.from(times.subarray(begin, end)),
        pageTimesSeconds: isFirst
          ? Array.from(times.subarray(Math.max(0, end - PAGE_SIZE), end)).reverse()
          : NOTHING,
      };
    },
  };
  return world;
}

/** Measures waits in fair rounds: each poll adds one divided by the current number of endpoints. */
function createWaits(endpoints: number) {
  const since = new Float64Array(endpoints);
  let rounds = 0;
  let longest = 0;
  const waited = (index: number): number => rounds - (since[index] ?? 0);
  return {
    begin(index: number): void {
      since[index] = rounds;
    },
    polled(index: number, among: number): void {
      rounds += 1 / among;
      longest = Math.max(longest, waited(index));
      since[index] = rounds;
    },
    /** Returns the longest wait, including endpoints that are still waiting. */
    longestRounds: (waiting: readonly number[]): number =>
      Math.max(longest, ...waiting.map(waited)),
  };
}

/**
 * Returns (Σ√λᵢ)² / (2·B·Σλᵢ), the least mean delay that constant frequencies can reach for Poisson
 * arrivals.
 */
export function squareRootBound(rates: Float64Array, pollsPerSecond: number): number {
  let roots = 0;
  let total = 0;
  for (const rate of rates) {
    roots += Math.sqrt(rate);
    total += rate;
  }
  return roots ** 2 / (2 * pollsPerSecond * total);
}

/**
 * Returns the items per second of each endpoint during the simulation: the drawn rate if known,
 * otherwise the counted one.
 */
export function overallRates(tape: Tape): Float64Array {
  return (
    tape.rates ??
    Float64Array.from(tape.items, (times, index) => {
      const counted = times.length - countBefore(times, tape.watchedFrom[index] ?? 0);
      return counted / tape.seconds;
    })
  );
}

export function roundRobin(): Policy {
  const queue: Endpoint[] = [];
  let next = 0;
  return {
    add: (endpoint) => void queue.push(endpoint),
    pick() {
      const endpoint = queue[next % queue.length];
      next = (next + 1) % Math.max(1, queue.length);
      return endpoint === undefined ? [] : [endpoint];
    },
    polled: () => {},
  };
}

/**
 * Creates a policy that knows every endpoint's overall rate and polls at frequencies proportional
 * to the square roots. Each poll moves an endpoint's next turn by 1/√λ, and the earliest turn is
 * next (stride scheduling: Waldspurger & Weihl 1995). Endpoints without a rate are never polled.
 */
export function squareRootOracle(rates: Float64Array): Policy {
  const endpoints: Endpoint[] = [];
  const strides: number[] = [];
  const turns: number[] = [];
  const next = () =>
    turns.reduce((least, turn, index) => (turn < (turns[least] ?? 0) ? index : least), 0);
  return {
    add(endpoint) {
      const rate = rates[indexOf(endpoint)] ?? 0;
      if (!(rate > 0)) return;
      const stride = 1 / Math.sqrt(rate);
      // Somewhere within its first stride, so that endpoints with equal strides don't start in
      // step.
      turns.push((turns[next()] ?? 0) + stride * ((endpoints.length * 0.618_034) % 1));
      strides.push(stride);
      endpoints.push(endpoint);
    },
    pick() {
      const index = next();
      turns[index] = (turns[index] ?? 0) + (strides[index] ?? 0);
      return endpoints.slice(index, index + 1);
    },
    polled: () => {},
  };
}

function countBefore(times: Float64Array, seconds: number): number {
  let count = 0;
  while (count < times.length && (times[count] ?? 0) < seconds) count += 1;
  return count;
}
