import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WalletAddress } from '../../src/domain/address.ts';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createFairSchedule, type Watchers } from '../../src/poll-policy/fair-schedule.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { DEFAULTS } from './defaults.ts';
import { mean, print, progress, quantiles } from './figures.ts';
import { NASTY_FAMILIES, nastyTape } from './schedule-nasty.ts';
import { seededRandom } from './schedule-random.ts';
import {
  endpointOf,
  type NumberedPolicy,
  numbered,
  type Outcome,
  overallRates,
  type Policy,
  roundRobin,
  simulate,
  squareRootBound,
  squareRootOracle,
} from './schedule-simulation.ts';
import { MEAN_ITEMS_AN_HOUR, makeTape, SCENARIOS, shuffled, type Tape } from './schedule-tapes.ts';
import { readTrace } from './schedule-trace.ts';
import { readOptions, UsageError } from './usage.ts';

/** By default a trace is run at a budget that gives round-robin this mean delay. */
const TRACE_ROUND_ROBIN_MEAN_SECONDS = 160;
const SIGMAS = [1.5, 2.5];
/**
 * Each figure is the mean over these multiples of the budget, because a single one may suit a tape
 * by chance.
 */
const BUDGET_FACTORS = [0.8, 0.9, 1, 1.12, 1.25];
/** Number of wallets, number of their payers, and the servers and wallets of a flooding payer. */
const SIZE = 20_000;
const PAYERS = 10_000;
const FLOOD = { servers: 9, wallets: 1_800 };
/** Endpoints per pick, with one pick per second, as in the poll loop at 10,000 polls per minute. */
const PICKED = 167;
/** Number of picks that are timed after the first round. */
const PICKS = 1_000;

export const USAGE = `npm run bench -- schedule [--scenario ${SCENARIOS.join('|')}] [--seed SEED] [--budget RATE] [--one-budget]
  synthetic arrivals at 400 endpoints, ${MEAN_ITEMS_AN_HOUR} items an hour and endpoint on average, 24 h after 168 h of history; without --scenario all
  three. Without --budget a poll a second
npm run bench -- schedule --scenario nasty [--seed SEED]   worlds in which the past misleads, as traces without any history:
  ${Object.keys(NASTY_FAMILIES).join(', ')}
npm run bench -- schedule --trace FILE.csv [--budget RATE] [--seed SEED]   real arrivals: wallet,time_seconds
  --one-budget: that budget alone, where a tape takes long
  --beside FILE.mjs: another policy, too; the function that the module exports returns add(now), pick(now) and
  polled(number, now, times, page), endpoints being numbered as they are added
npm run bench -- schedule --size   processor time of a pick for ${SIZE} wallets of ${PAYERS} payers beside a flooding one, fair and not
Each figure is the mean over ${BUDGET_FACTORS.length} budgets, ${BUDGET_FACTORS[0]} to ${BUDGET_FACTORS.at(-1)} times the one named; the seed shuffles the wallets.`;

/**
 * Compares the schedule with round-robin and with an oracle that knows all overall rates, in a
 * simulation without sleeping. Prints one JSON line per policy, with delays in seconds.
 *
 * @throws UsageError for invalid options or an unreadable trace
 */
export async function run(args: string[]): Promise<void> {
  const { scenario, seed, budget, trace, size, ...options } = readOptions(args, {
    ...DEFAULTS.schedule,
    // By default the budget of the scenario or tape.
    budget: 0,
  });
  if (size) return [false, true].forEach(printSize);
  const beside = options.beside === '' ? undefined : await readYardstick(options.beside);
  const compare = { budgetFactors: options['one-budget'] ? [1] : BUDGET_FACTORS, seed, beside };
  if (trace !== '') return compareOnTrace(trace, budget, compare);
  if (scenario === 'nasty') {
    for (const family of Object.keys(NASTY_FAMILIES)) {
      const tape = nastyTape(family, seed);
      printComparison(`nasty:${family}`, null, tape, budget || traceBudget(tape), compare);
    }
    return;
  }
  const chosen = SCENARIOS.filter((each) => scenario === '' || each === scenario);
  if (chosen.length === 0)
    throw new UsageError(
      `Expected --scenario to be ${SCENARIOS.join(', ')} or nasty, got "${scenario}"`,
    );
  for (const each of chosen) {
    for (const sigma of SIGMAS) {
      const tape = makeTape(each, { endpoints: 400, hours: 24, historyHours: 168, seed, sigma });
      printComparison(each, sigma, tape, budget || 1, compare);
    }
  }
}

interface Comparison {
  readonly budgetFactors: readonly number[];
  readonly seed: number;
  readonly beside: (() => Policy) | undefined;
}

async function compareOnTrace(file: string, budget: number, compare: Comparison) {
  const { tape, faults, faultCount } = await readTrace(file).catch((cause: unknown) => {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  });
  for (const fault of faults) console.error(`${file}: ${fault}`);
  if (faultCount > faults.length)
    console.error(`${file}: ${faultCount - faults.length} more bad lines`);
  printComparison(`trace:${basename(file)}`, null, tape, budget || traceBudget(tape), compare);
}

function traceBudget(tape: Tape): number {
  return tape.items.length / (2 * TRACE_ROUND_ROBIN_MEAN_SECONDS);
}

/** @throws UsageError for a module that cannot be loaded or does not export a function */
async function readYardstick(file: string): Promise<() => Policy> {
  const module: unknown = await import(pathToFileURL(resolve(file)).href).catch(
    (cause: unknown) => {
      throw new UsageError(
        `${file} cannot be loaded: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      );
    },
  );
  const exported = Object.values<unknown>(Object(module));
  const create = exported.find((each): each is () => NumberedPolicy => typeof each === 'function');
  if (create === undefined)
    throw new UsageError(`Expected ${file} to export a function that returns a policy`);
  return () => numbered(create());
}

function printComparison(
  scenario: string,
  sigma: number | null,
  ordered: Tape,
  budget: number,
  compare: Comparison,
) {
  const { budgetFactors, seed, beside } = compare;
  const tape = shuffled(ordered, seededRandom(seed));
  const rates = overallRates(tape);
  const policies: Readonly<Record<string, () => Policy>> = {
    'round-robin': roundRobin,
    'square-root-oracle': () => squareRootOracle(rates),
    walletbell: () => createSchedule(),
    ...(beside === undefined ? {} : { beside }),
  };
  const budgets = budgetFactors.map((factor) => factor * budget);
  const fair = budgets.map((pollsPerSecond) => simulate(tape, pollsPerSecond, roundRobin()));
  for (const [policy, create] of Object.entries(policies)) {
    const runs = budgets.map((pollsPerSecond, index) => {
      progress.count(policy, index, budgets.length, 'budgets');
      const outcome = simulate(tape, pollsPerSecond, create());
      return {
        ...outcome,
        ...comparison(outcome, fair[index] ?? outcome, squareRootBound(rates, pollsPerSecond)),
      };
    });
    print({ scenario, sigma, policy, ...meanOf(runs) });
  }
}

function comparison(outcome: Outcome, fair: Outcome, bound: number) {
  return {
    vsRoundRobin: outcome.mean / fair.mean,
    vsBound: outcome.mean / bound,
    p99VsRoundRobin: outcome.p99 / fair.p99,
    lostBeyondRoundRobin: outcome.overflowLost - fair.overflowLost,
  };
}

/** Returns the mean of each figure, but the maximum of the longest wait. */
function meanOf(
  runs: readonly (Outcome & Readonly<Record<string, number>>)[],
): Readonly<Record<string, number>> {
  const names = Object.keys(runs[0] ?? {});
  const means = names.map((name) => [name, mean(runs.map((run) => run[name] ?? 0))]);
  const longestWaitRounds = Math.max(...runs.map((run) => run.longestWaitRounds));
  return { ...Object.fromEntries(means), longestWaitRounds };
}

/**
 * Measures the processor time of picks after the first round, instead of the elapsed time, because
 * other processes may be using the machine.
 */
function printSize(isFair: boolean): void {
  const schedule = isFair
    ? createFairSchedule(createSchedule(), watchersOfMany())
    : createSchedule();
  for (let index = 0; index < SIZE; index += 1) {
    for (const name of ENDPOINT_NAMES) schedule.add({ ...endpointOf(index), name });
  }
  const isFloods = new Set(
    Array.from({ length: FLOOD.wallets }, (_, index) => endpointOf(index).wallet),
  );
  const firstRoundSeconds = (SIZE * ENDPOINT_NAMES.length) / PICKED;
  const timesMs: number[] = [];
  for (let now = 0; now < firstRoundSeconds + PICKS; now += 1) {
    const from = process.cpuUsage();
    const picked = schedule.pick(now, PICKED);
    const { user, system } = process.cpuUsage(from);
    if (now >= firstRoundSeconds) timesMs.push((user + system) / 1000);
    for (const [index, endpoint] of picked.entries()) {
      const isNew = isFloods.has(endpoint.wallet) || (now + index) % 3 === 0;
      const found = isNew ? [now - 10] : [];
      schedule.polled(endpoint, {
        atSeconds: now,
        freshTimesSeconds: found,
        pageTimesSeconds: found,
      });
    }
  }
  const at = quantiles(timesMs);
  const figures = { pickMedianMs: at(0.5), pickP99Ms: at(0.99), pickMaxMs: at(1) };
  print({ scenario: 'size', wallets: SIZE, payers: PAYERS, picked: PICKED, isFair, ...figures });
}

/**
 * Returns watchers for many wallets: the first wallets belong to the flooding payer, the others to
 * all payers in turn.
 */
function watchersOfMany(): Watchers {
  const ownerByWallet = new Map<WalletAddress, string>();
  const wallets = new Map<string, WalletAddress[]>();
  for (let index = 0; index < SIZE; index += 1) {
    const { wallet } = endpointOf(index);
    const owner = index < FLOOD.wallets ? `flood ${index % FLOOD.servers}` : `${index % PAYERS}`;
    ownerByWallet.set(wallet, owner);
    wallets.set(owner, [...(wallets.get(owner) ?? []), wallet]);
  }
  return {
    ownersOf: (wallet) => [ownerByWallet.get(wallet) ?? ''],
    walletsOf: (owner) => wallets.get(owner) ?? [],
    owners: () => wallets.keys(),
    accountOf: (owner) => ({ payer: owner.split(' ')[0] ?? owner, owner, weight: 1 }),
  };
}
