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
 * The schedule is asked again this often within a tick, so that what one poll finds decides on the
 * next.
 */
const SLICE_MS = 1_000;
/**
 * With nothing to poll at this moment the schedule is asked again after this share of the least
 * interval.
 */
const IDLE_SHARE = 0.1;
/**
 * Polls under way at once: so many always may be, and more where the plan and the time of an answer
 * need them.
 */
const IN_FLIGHT_LEAST = 32;
/** One of so many planned polls is made while this process has more urgent work. */
const BUSY_DIVISOR = 4;
/** Weight of the last answer's time in the mean of all. */
const LATEST_PART = 0.05;

/**
 * Spends the poller's part of the budget: each cron tick plans and paces requests until the next;
 * the rest lapses.
 */
export function createPollLoop(
  { nowMs, monotonicMs, sleep }: Machine,
  deps: {
    readonly cronTimer: CronTimer;
    /** No endpoint of a wallet is polled more often than once in this time, ms. */
    readonly pollMinMs: number;
    readonly budget: Pick<Budget, 'pollAllowance' | 'venueNowMs'>;
    readonly schedule: Schedule;
    readonly availability: VenueAvailability;
    readonly poll: Poller['poll'];
    readonly ops: Pick<Ops, 'ticked'>;
    /** Tells whether this process has more urgent work. */
    readonly isBusy: () => boolean;
    /** A refused endpoint is tried with any of them. */
    readonly watched: Iterable<WalletAddress>;
  },
) {
  const { cronTimer, pollMinMs, budget, schedule, availability } = deps;
  const inFlight = new Set<Promise<void>>();
  const signals = createSignals();
  let plan = new AbortController();
  /**
   * Picked, and so in flight for the schedule, but not polled yet: they outlive the plan that
   * picked them.
   */
  const picked: Endpoint[] = [];
  const rests = createRests(monotonicMs, pollMinMs);
  /** Place among the watched wallets at which the next probe of an endpoint looks for one. */
  const probePlaces = new Map<EndpointName, number>();
  /** Mean time from the beginning of a poll to its end. */
  let pollMs = 0;
  const idleMs = Math.min(SLICE_MS, IDLE_SHARE * pollMinMs);

  const pollRested = async (endpoint: Endpoint, signal: AbortSignal) => {
    for (let waitMs = rests.leftMs(endpoint); waitMs > 0; waitMs = rests.leftMs(endpoint)) {
      await sleep(waitMs, signal);
      if (signal.aborted) return;
    }
    rests.begin(endpoint);
    const beganMs = monotonicMs();
    await deps.poll(endpoint, signal);
    pollMs += LATEST_PART * (monotonicMs() - beganMs - pollMs);
    rests.begin(endpoint);
  };

  const launch = (endpoint: Endpoint) => {
    const polling = signals
      .run(({ signal }) => pollRested(endpoint, signal))
      .finally(() => inFlight.delete(polling));
    inFlight.add(polling);
  };

  const spend = async (count: number, lastsMs: number, signal: AbortSignal) => {
    const startMs = monotonicMs();
    const spacingMs = lastsMs / count;
    const perSlice = Math.max(1, Math.floor(SLICE_MS / Math.max(1, spacingMs)));
    // As many as are under way at this pace (Little's law), and as many again for slow answers.
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
   * Polls the next of all wallets that may be polled now, if it is time: one alone may be answered
   * oddly, for ever.
   */
  const probe = (name: EndpointName): void => {
    const wallets = [...deps.watched];
    const from = probePlaces.get(name) ?? 0;
    const places = wallets.map((_, tried) => (from + tried) % wallets.length);
    for (const place of places) {
      const wallet = wallets[place];
      if (wallet === undefined || rests.leftMs({ wallet, name }) > 0) continue;
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
    /** Plans no more, and waits for the polls in flight. */
    async stop(): Promise<void> {
      cronTimer.stop();
      plan.abort();
      signals.abort();
      await Promise.all(inFlight);
    },
  };
}

/**
 * Keeps the least time between two polls of one endpoint. The schedule counts from its pick, by the
 * venue's clock if known, and the request may be sent later: this is exact.
 */
function createRests(monotonicMs: () => number, pollMinMs: number) {
  /**
   * Time at which each endpoint's last poll began or ended, monotonic, oldest first; forgotten once
   * it may be polled again.
   */
  const polledMs = new Map<string, number>();
  return {
    /** Time until the endpoint may be polled again; not above 0 if it may now. */
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
