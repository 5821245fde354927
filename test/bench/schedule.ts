import { basename, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EndpointName } from '../../src/domain/records.ts';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import type { Schedule } from '../../src/poll-policy/schedule.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { NASTY_FAMILIES, nastyTape } from './schedule-nasty.ts';
import { seededRandom } from './schedule-random.ts';
import type { NumberedPolicy, Outcome, Policy } from './schedule-simulation.ts';
import {
  endpointOf,
  numbered,
  overallRates,
  roundRobin,
  simulate,
  squareRootBound,
  squareRootOracle,
} from './schedule-simulation.ts';
import type { Scenario, Tape } from './schedule-tapes.ts';
import { MEAN_ITEMS_AN_HOUR, makeTape, SCENARIOS, shuffled } from './schedule-tapes.ts';
import { readTrace } from './schedule-trace.ts';
import { UsageError } from './usage.ts';

/** A trace is run at a budget that gives round-robin this mean delay, unless told otherwise. */
const TRACE_ROUND_ROBIN_MEAN_SECONDS = 160;
const SIGMAS = [1.5, 2.5];
/** Each figure is the mean over these multiples of the budget: a single one may suit a tape by chance. */
const BUDGET_FACTORS = [0.8, 0.9, 1, 1.12, 1.25];
/** Endpoints of one pick, one pick a second. */
const PICKED = 20;
/** Picks that are timed after the first round. */
const PICKS = 2000;
const SIZES = [1000, 10_000, 100_000];

/** How this bench is called. */
export const USAGE = `npm run bench -- schedule [--scenario ${SCENARIOS.join('|')}] [--sigma S] [--seed S] [--endpoints N]
  [--budget POLLS_PER_SECOND] [--hours H] [--history H]   synthetic arrivals, ${MEAN_ITEMS_AN_HOUR} items an hour and endpoint on average;
  without --scenario all three. Defaults: 400 endpoints, 1 poll a second, 24 h after 168 h of history, seed 1, both sigmas
npm run bench -- schedule --scenario nasty [--seed S]   worlds in which the past misleads, as traces without any history:
  ${Object.keys(NASTY_FAMILIES).join(', ')}
npm run bench -- schedule --trace FILE.csv [--budget POLLS_PER_SECOND] [--seed S]   real arrivals: wallet,time_seconds
  --one-budget: that budget alone, where a tape takes long
  --beside FILE.mjs: another policy, too; the function that the module exports returns add(now), pick(now) and
  polled(number, now, times, page), endpoints being numbered as they are added
npm run bench -- schedule --size   processor time of a pick, in the first round and after it, and memory of an
  endpoint, up to ${SIZES.at(-1)} endpoints
Each figure is the mean over ${BUDGET_FACTORS.length} budgets, ${BUDGET_FACTORS[0]} to ${BUDGET_FACTORS.at(-1)} times the one named; the seed shuffles the wallets.
--history: hours of trading before the bot starts, which an endpoint's first page shows (0: unknown pasts)`;

/**
 * Compares the schedule with round-robin and with an oracle that knows all overall rates, in a simulation without
 * sleeping; one JSON line a policy. Delays in seconds.
 *
 * @throws UsageError for options that cannot be understood, and for a trace that cannot be read
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.size) return printSizes();
  const beside = options.beside === undefined ? undefined : await readYardstick(options.beside);
  const compare = { budgetFactors: options.isOneBudget ? [1] : BUDGET_FACTORS, seed: options.seed, beside };
  if (options.trace !== undefined) return compareOnTrace(options.trace, options.budget, compare);
  if (options.scenario === 'nasty') {
    for (const family of Object.keys(NASTY_FAMILIES)) {
      const tape = nastyTape(family, options.seed);
      printComparison(`nasty:${family}`, null, tape, options.budget ?? traceBudget(tape), compare);
    }
    return;
  }
  for (const scenario of options.scenario === undefined ? SCENARIOS : [options.scenario]) {
    for (const sigma of options.sigma === undefined ? SIGMAS : [options.sigma]) {
      printComparison(scenario, sigma, makeTape(scenario, { ...options, sigma }), options.budget ?? 1, compare);
    }
  }
}

interface Comparison {
  readonly budgetFactors: readonly number[];
  readonly seed: number;
  readonly beside: (() => Policy) | undefined;
}

async function compareOnTrace(file: string, budget: number | undefined, compare: Comparison) {
  const { tape, faults, faultCount } = await readTrace(file).catch((cause: unknown) => {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  });
  for (const fault of faults) console.error(`${file}: ${fault}`);
  if (faultCount > faults.length) console.error(`${file}: ${faultCount - faults.length} more bad lines`);
  printComparison(`trace:${basename(file)}`, null, tape, budget ?? traceBudget(tape), compare);
}

/** @throws UsageError for a module that cannot be loaded, or exports no function */
async function readYardstick(file: string): Promise<() => Policy> {
  const module: unknown = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be loaded: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  const exported = Object.values<unknown>(Object(module));
  const create = exported.find((each): each is () => NumberedPolicy => typeof each === 'function');
  if (create === undefined) throw new UsageError(`Expected ${file} to export a function that returns a policy`);
  return () => numbered(create());
}

function traceBudget(tape: Tape): number {
  return tape.items.length / (2 * TRACE_ROUND_ROBIN_MEAN_SECONDS);
}

function printComparison(scenario: string, sigma: number | null, ordered: Tape, budget: number, compare: Comparison) {
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
      const outcome = simulate(tape, pollsPerSecond, create());
      return { ...outcome, ...comparison(outcome, fair[index] ?? outcome, squareRootBound(rates, pollsPerSecond)) };
    });
    console.log(JSON.stringify({ scenario, sigma, policy, ...rounded(meanOf(runs)) }));
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

/** The mean of each figure; of the longest wait the longest. */
function meanOf(runs: readonly (Outcome & Readonly<Record<string, number>>)[]): Readonly<Record<string, number>> {
  const names = Object.keys(runs[0] ?? {});
  const means = names.map((name) => [name, runs.reduce((sum, run) => sum + (run[name] ?? 0), 0) / runs.length]);
  const longestWaitRounds = Math.max(...runs.map((run) => run.longestWaitRounds));
  return { ...Object.fromEntries(means), longestWaitRounds };
}

function rounded(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, Math.round(figure * 1000) / 1000]));
}

async function printSizes(): Promise<void> {
  const collect = collector();
  for (const names of [ENDPOINT_NAMES, ENDPOINT_NAMES.slice(0, 1)]) {
    for (const endpoints of SIZES) {
      const figures = await sizeOf(endpoints, names, collect);
      console.log(JSON.stringify({ scenario: 'size', namesPerWallet: names.length, endpoints, ...rounded(figures) }));
    }
  }
}

async function sizeOf(endpoints: number, names: readonly EndpointName[], collect: () => void) {
  const before = await usedBytes(collect);
  const schedule = createSchedule();
  for (let index = 0; index < endpoints / names.length; index += 1) {
    const { wallet } = endpointOf(index);
    for (const name of names) schedule.add({ wallet, name });
  }
  const firstRoundSeconds = Math.ceil(endpoints / PICKED);
  const first = timedPicks(schedule, 0, firstRoundSeconds);
  const bytes = (await usedBytes(collect)) - before;
  const later = timedPicks(schedule, firstRoundSeconds, PICKS);
  return {
    firstRoundMedianMs: first.medianMs,
    firstRoundMaxMs: first.maxMs,
    pickMedianMs: later.medianMs,
    pickMaxMs: later.maxMs,
    bytesPerEndpoint: bytes / endpoints,
  };
}

/** The processor time that picks take, not the time that passes: others may be using the machine. */
function timedPicks(schedule: Schedule, fromSeconds: number, count: number) {
  const times = new Float64Array(count);
  for (let turn = 0; turn < count; turn += 1) {
    const now = fromSeconds + turn;
    const from = process.cpuUsage();
    const picked = schedule.pick(now, PICKED);
    const { user, system } = process.cpuUsage(from);
    times[turn] = (user + system) / 1000;
    for (const [index, endpoint] of picked.entries()) {
      const found = (turn + index) % 3 === 0 ? [now - 10] : [];
      schedule.polled(endpoint, { atSeconds: now, freshTimesSeconds: found, pageTimesSeconds: found });
    }
  }
  times.sort();
  return { medianMs: times[count >> 1] ?? 0, maxMs: times.at(-1) ?? 0 };
}

/** The garbage collector, which node hides unless it is asked for. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('Expected node to expose its garbage collector as "gc"');
  return () => void collect();
}

/** Heap and array buffers that are in use. Buffers are given back some time after their owner was collected. */
async function usedBytes(collect: () => void): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await setTimeout(30);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      endpoints: { type: 'string', default: '400' },
      budget: { type: 'string' },
      hours: { type: 'string', default: '24' },
      history: { type: 'string', default: '168' },
      seed: { type: 'string', default: '1' },
      scenario: { type: 'string' },
      sigma: { type: 'string' },
      trace: { type: 'string' },
      beside: { type: 'string' },
      'one-budget': { type: 'boolean', default: false },
      size: { type: 'boolean', default: false },
    },
  });
  return {
    endpoints: Math.ceil(readNumber('endpoints', values.endpoints, 1)),
    budget: values.budget === undefined ? undefined : readNumber('budget', values.budget, 1e-6),
    hours: readNumber('hours', values.hours, 1e-6),
    historyHours: readNumber('history', values.history, 0),
    seed: readNumber('seed', values.seed, 0),
    scenario: values.scenario === undefined ? undefined : readScenario(values.scenario),
    sigma: values.sigma === undefined ? undefined : readNumber('sigma', values.sigma, 0),
    trace: values.trace,
    beside: values.beside,
    isOneBudget: values['one-budget'],
    size: values.size,
  };
}

function readNumber(name: string, text: string, least: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  throw new UsageError(`Expected --${name} to be a number of at least ${least}, got "${text}"`);
}

function readScenario(text: string): Scenario | 'nasty' {
  if (text === 'nasty') return text;
  const found = SCENARIOS.find((scenario) => scenario === text);
  if (found === undefined)
    throw new UsageError(`Expected --scenario to be ${SCENARIOS.join(', ')}, nasty, got "${text}"`);
  return found;
}
