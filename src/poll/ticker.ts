import { setMaxListeners } from 'node:events';
import { createTask } from 'node-cron';
import type { Logger } from 'pino';
import type { WalletAddress } from '../venue/address.ts';
import type { Budget } from '../venue/budget.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import type { Health } from './health.ts';
import type { Poller } from './poller.ts';
import type { Endpoint, Schedule } from './schedule.ts';

/** The schedule is asked again this often within a tick, so that what one poll finds decides on the next. */
const SLICE_MS = 1_000;
/** Polls under way at once at the most: with a slow venue more would only wait. */
const IN_FLIGHT_LIMIT = 32;

export interface TickerDeps {
  readonly cron: string;
  readonly budget: Pick<Budget, 'pollAllowance' | 'venueNowMs'>;
  readonly schedule: Schedule;
  readonly health: Health;
  readonly poll: Poller;
  /** A wallet that is watched, to try a refused endpoint with. */
  readonly anyWallet: () => WalletAddress | undefined;
  readonly nowMs: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
}

/** Spends the poller's share of the budget: each cron tick plans the requests until the next one and paces them. */
export interface Ticker {
  start(): Promise<void>;
  /** Plans no more, and waits for the polls in flight. */
  stop(): Promise<void>;
}

export function createTicker(deps: TickerDeps): Ticker {
  const { schedule, health } = deps;
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  setMaxListeners(IN_FLIGHT_LIMIT * 2, stopping.signal);
  let plan = new AbortController();
  /** Picked, and so in flight for the schedule, but not polled yet: they outlive the plan that picked them. */
  const picked: Endpoint[] = [];

  const launch = (endpoint: Endpoint) => {
    const poll = deps.poll(endpoint, stopping.signal).finally(() => inFlight.delete(poll));
    inFlight.add(poll);
  };

  const probe = () => {
    const wallet = deps.anyWallet();
    if (wallet === undefined) return;
    for (const name of ENDPOINT_NAMES) if (health.isProbeDue(name)) launch({ wallet, name });
  };

  const spend = async (count: number, untilMs: number, signal: AbortSignal) => {
    const startMs = deps.nowMs();
    const spacingMs = Math.max(0, untilMs - startMs) / count;
    const perSlice = Math.max(1, Math.floor(SLICE_MS / Math.max(1, spacingMs)));
    for (let index = 0; index < count; index += 1) {
      await deps.sleep(startMs + index * spacingMs - deps.nowMs(), signal);
      if (signal.aborted) return;
      if (inFlight.size >= IN_FLIGHT_LIMIT) continue;
      if (picked.length === 0) {
        picked.push(...schedule.pick(deps.budget.venueNowMs() / 1000, Math.min(perSlice, count - index)));
      }
      const next = picked.shift();
      if (next !== undefined) launch(next);
    }
  };

  const tick = () => {
    plan.abort();
    plan = new AbortController();
    probe();
    const untilMs = deps.nowMs() + (task.msToNext() ?? SLICE_MS);
    const count = deps.budget.pollAllowance(untilMs);
    if (count < 1) return;
    spend(count, untilMs, plan.signal).catch((error: unknown) =>
      deps.log.error({ event: 'poll.tick_failed', err: error }),
    );
  };

  const cronLog = {
    info: (message: string) => deps.log.debug({ event: 'cron', message }),
    warn: (message: string) => deps.log.warn({ event: 'cron', message }),
    error: (message: string | Error, err?: Error) => deps.log.error({ event: 'cron', message: String(message), err }),
    debug: (message: string | Error) => deps.log.trace({ event: 'cron', message: String(message) }),
  };
  const task = createTask(deps.cron, tick, { name: 'poll', noOverlap: true, logger: cronLog });

  return {
    async start() {
      await task.start();
      tick();
    },
    async stop() {
      await task.destroy();
      plan.abort();
      stopping.abort();
      await Promise.all(inFlight);
    },
  };
}
