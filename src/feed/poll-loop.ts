import type { WalletAddress } from '../domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../domain/records.ts';
import { createSignals } from '../lib/async/signals.ts';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import type { Endpoint, Schedule } from '../poll-policy/schedule.ts';
import { keyOf } from '../poll-policy/types.ts';
import { POLLS_IN_FLIGHT_MOST } from '../venue/http-transport.ts';
import type { Budget } from '../venue/rate-limit/budget.ts';
import type { VenueAvailability } from './availability.ts';
import type { CronTimer } from './cron-timer.ts';
import type { Poller } from './poller.ts';

/**
 * Interval at which the schedule is asked within a tick, in ms, so that the results of polls
 * influence the next ones.
 */
const SLICE_MS = 1_000;
/**
 * Delay before asking the schedule again if nothing can be polled, as a share of the minimum
 * interval.
 */
const IDLE_SHARE = 0.1;
/**
 * Polls that may always be in progress at once. More are allowed if the plan and the response time
 * need them.
 */
const IN_FLIGHT_LEAST = 32;
/** While this process has more urgent work, only one in this many planned polls is made. */
const BUSY_DIVISOR = 4;
/** Weight of the latest response time in the moving average. */
const LATEST_PART = 0.05;

/**
 * Spends the poller's part of the budget. Each cron tick plans and paces the requests until the
 * next tick; unused ones lapse.
 */
export function createPollLoop(
  { nowMs, monotonicMs, sleep }: Machine,
  deps: {
    readonly cronTimer: CronTimer;
    /** Minimum interval between polls of one endpoint of a wallet, in ms. */
    readonly pollMinMs: number;
    readonly budget: Pick<Budget, 'pollAllowance' | 'venueNowMs'>;
    readonly schedule: Schedule;
    readonly availability: VenueAvailability;
    readonly poll: Poller['poll'];
    readonly ops: Pick<Ops, 'ticked'>;
    /** Whether this process has more urgent work. */
    readonly isBusy: () => boolean;
    /** A rejected endpoint is probed with any of them. */
    readonly watched: Iterable<WalletAddress>;
  },
) {
  const { cronTimer, pollMinMs, budget, schedule, availability } = deps;
  const inFlight = new Set<Promise<void>>();
  const signals = createSignals();
  let plan = new AbortController();
  /**
   * Picked, and thus in flight for the schedule, but not polled yet. They outlive the plan that
   * picked them.
   */
  const picked: Endpoint[] = [];
  const intervals = createPollIntervals(monotonicMs, pollMinMs);
  /** Position among the watched wallets where the search for an endpoint's next probe starts. */
  const probePlaces = new Map<EndpointName, number>();
  /** Average duration of a poll, in ms. */
  let pollMs = 0;
  const idleMs = Math.min(SLICE_MS, IDLE_SHARE * pollMinMs);

  const pollAfterInterval = async (endpoint: Endpoint, signal: AbortSignal) => {
    for (let waitMs = intervals.leftMs(endpoint); waitMs > 0; waitMs = intervals.leftMs(endpoint)) {
      await sleep(waitMs, signal);
      if (signal.aborted) return;
    }
    intervals.begin(endpoint);
    const beganMs = monotonicMs();
    await deps.poll(endpoint, signal);
    pollMs += LATEST_PART * (monotonicMs() - beganMs - pollMs);
    intervals.begin(endpoint);
  };

  const launch = (endpoint: Endpoint) => {
    const polling = signals
      .run(({ signal }) => pollAfterInterval(endpoint, signal))
      .finally(() => inFlight.delete(polling));
    inFlight.add(polling);
  };

  const spend = async (count: number, lastsMs: number, signal: AbortSignal) => {
    const startMs = monotonicMs();
    const spacingMs = lastsMs / count;
    const perSlice = Math.max(1, Math.floor(SLICE_MS / Math.max(1, spacingMs)));
    // The number in progress at this pace (Little's law), and as many again for slow responses.
    const needed = Math.ceil((2 * pollMs) / spacingMs);
    const inFlightLimit = Math.min(POLLS_IN_FLIGHT_MOST, Math.max(IN_FLIGHT_LEAST, needed));
    for (let index = 0; index < count; index += 1) {
      await sleep(startMs + index * spacingMs - monotonicMs(), signal);
      if (signal.aborted) return;
      if (inFlight.size >= inFlightLimit) continue;
      if (deps.isBusy() && index % BUSY_DIVISOR !== 0) continue;
      if (picked.length === 0) {
        picked.push(
          ...schedule.pick(budget.venueNowMs() / 1000, Math.min(perSlice, count - index)),
        );
      }
      const next = picked.shift();
      if (next !== undefined) launch(next);
      else index = Math.max(index, Math.floor((monotonicMs() - startMs + idleMs) / spacingMs));
    }
  };

  /**
   * Probes the endpoint, if it is time, with the next wallet that may be polled now. Wallets take
   * turns, because one alone may always get a malformed response.
   */
  const probe = (name: EndpointName): void => {
    const wallets = [...deps.watched];
    const from = probePlaces.get(name) ?? 0;
    const places = wallets.map((_, tried) => (from + tried) % wallets.length);
    for (const place of places) {
      const wallet = wallets[place];
      if (wallet === undefined || intervals.leftMs({ wallet, name }) > 0) continue;
      if (!availability.isProbeDue(name)) return;
      probePlaces.set(name, place + 1);
      launch({ wallet, name });
      return;
    }
  };

  const tick = async () => {
    plan.abort();
    plan = new AbortController();
    for (const name of ENDPOINT_NAMES) {
      if (!availability.isOpen(name)) probe(name);
    }
    const lastsMs = cronTimer.msToNext();
    const untilMs = nowMs() + lastsMs;
    const count = budget.pollAllowance(untilMs);
    deps.ops.ticked(count, untilMs);
    if (count < 1) return;
    await spend(count, lastsMs, plan.signal);
  };

  return {
    start: () => cronTimer.start(tick),
    /** Stops planning, and waits for the polls in flight. */
    async stop(): Promise<void> {
      cronTimer.stop();
      plan.abort();
      signals.abort();
      await Promise.all(inFlight);
    },
  };
}

/**
 * Enforces the minimum interval between two polls of one endpoint. The schedule counts from its
 * pick, by the venue's clock if known, and the request may be sent later; this one is exact.
 */
function createPollIntervals(monotonicMs: () => number, pollMinMs: number) {
  /**
   * Time when each endpoint's last poll began or ended, in monotonic ms, oldest first. Entries are
   * deleted once the endpoint may be polled again.
   */
  const polledMs = new Map<string, number>();
  return {
    /** Time until the endpoint may be polled again, in ms; 0 or less if it may be polled now. */
    leftMs(endpoint: Endpoint): number {
      const now = monotonicMs();
      for (const [key, atMs] of polledMs) {
        if (atMs + pollMinMs > now) break;
        polledMs.delete(key);
      }
      return (polledMs.get(keyOf(endpoint)) ?? Number.NEGATIVE_INFINITY) + pollMinMs - now;
    },
    /** Called when a poll of the endpoint begins, and when it ends. */
    begin(endpoint: Endpoint): void {
      polledMs.delete(keyOf(endpoint));
      polledMs.set(keyOf(endpoint), monotonicMs());
    },
  };
}
