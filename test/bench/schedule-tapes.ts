import { type Random, seededRandom } from './schedule-random.ts';

/** The items of each endpoint in a simulation, on which policies are compared. */
export interface Tape {
  /**
   * Item times by endpoint, in seconds, ascending. Items before 0 appear only on an endpoint's
   * first page.
   */
  readonly items: readonly Float64Array[];
  /** Time at which each endpoint's watch begins, in seconds; earlier items don't count. */
  readonly watchedFrom: Float64Array;
  readonly seconds: number;
  /** The rates with which the items were drawn, in items per second, if the scenario has them. */
  readonly rates?: Float64Array;
}

interface TapeOptions {
  readonly endpoints: number;
  readonly hours: number;
  readonly seed: number;
  /** Spread of the log-normal rates. */
  readonly sigma: number;
  /** Time that the endpoints have been trading before the bot starts, in hours. */
  readonly historyHours: number;
}

export const SCENARIOS = ['poisson', 'hawkes', 'sessions'] as const;

/** Mean items per hour and endpoint. Individual endpoints differ by the log-normal spread. */
export const MEAN_ITEMS_AN_HOUR = 3;
const BRANCHING = 0.8;
const DECAY_SECONDS = 90;
const ROUND_SECONDS = 900;

export function makeTape(scenario: (typeof SCENARIOS)[number], options: TapeOptions): Tape {
  const random = seededRandom(options.seed);
  const historySeconds = options.historyHours * 3600;
  const seconds = historySeconds + options.hours * 3600;
  const rates = logNormalRates(options, random);
  if (scenario === 'sessions')
    return startedAt(historySeconds, sessions(rates, historySeconds, seconds, random));
  const items = Array.from(rates, (rate) =>
    tidy(
      scenario === 'poisson' ? poisson(rate, 0, seconds, random) : hawkes(rate, seconds, random),
      seconds,
    ),
  );
  return startedAt(historySeconds, {
    items,
    watchedFrom: new Float64Array(options.endpoints),
    seconds,
    rates,
  });
}

/**
 * Returns the tape with its wallets in a random order. A trace lists them by first trade, and a
 * family may draw its kinds in turn, so the original order would reveal the future to a policy.
 */
export function shuffled({ items, watchedFrom, rates, seconds }: Tape, random: Random): Tape {
  const order = items.map((_, index) => index);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.whole(last + 1);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  const reordered = (figures: Float64Array) =>
    Float64Array.from(order, (index) => figures[index] ?? 0);
  return {
    items: order.map((index) => items[index] ?? new Float64Array(0)),
    watchedFrom: reordered(watchedFrom),
    seconds,
    ...(rates === undefined ? {} : { rates: reordered(rates) }),
  };
}

/** Returns the tape with its clock shifted so that the bot starts at 0. */
function startedAt(startSeconds: number, tape: Tape): Tape {
  return {
    ...tape,
    items: tape.items.map((times) => times.map((time) => time - startSeconds)),
    watchedFrom: tape.watchedFrom.map((time) => Math.max(0, time - startSeconds)),
    seconds: tape.seconds - startSeconds,
  };
}

/**
 * Returns log-normal rates in items per second, scaled so that their mean over the endpoints is
 * always the same.
 */
function logNormalRates({ endpoints, sigma }: TapeOptions, random: Random): Float64Array {
  const rates = Float64Array.from({ length: endpoints }, () => random.logNormal(1, sigma));
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / endpoints;
  return rates.map((rate) => (rate / mean) * (MEAN_ITEMS_AN_HOUR / 3600));
}

export function poisson(rate: number, from: number, to: number, random: Random): number[] {
  const times: number[] = [];
  if (rate <= 0) return times;
  for (
    let time = from + random.exponential(1 / rate);
    time < to;
    time += random.exponential(1 / rate)
  )
    times.push(time);
  return times;
}

/**
 * Returns clustered times: initial trades are Poisson, and every trade causes a mean of `branching`
 * more, soon after it.
 */
export function hawkes(
  rate: number,
  seconds: number,
  random: Random,
  branching = BRANCHING,
  decaySeconds = DECAY_SECONDS,
): number[] {
  const warmUp = (5 * decaySeconds) / (1 - branching);
  const times = poisson(rate * (1 - branching), -warmUp, seconds, random);
  for (let parent = 0; parent < times.length; parent += 1) {
    const children = random.poisson(branching);
    for (let child = 0; child < children; child += 1) {
      const time = (times[parent] ?? 0) + random.exponential(decaySeconds);
      if (time < seconds) times.push(time);
    }
  }
  return times;
}

/**
 * Draws wallets with on and off periods. Two fifths trade in sessions of their own, minutes to
 * hours long. Two fifths belong to groups that 15-minute rounds switch on and off together. One
 * fifth are new wallets, which appear at any time after the start, trade for about an hour and fall
 * silent (half of them are watched from the beginning, half from their first hour). Rates differ
 * between the sessions of a wallet. One tenth of the records share their second with others.
 */
function sessions(
  rates: Float64Array,
  startSeconds: number,
  seconds: number,
  random: Random,
): Tape {
  const groups = Array.from({ length: 8 }, () => roundsOn(seconds, random));
  const watchedFrom = new Float64Array(rates.length);
  const items = Array.from(rates, (rate, endpoint) => {
    const kind = random();
    if (kind < 0.4)
      return tidy(withDuplicates(ownSessions(rate, seconds, random), random), seconds);
    if (kind < 0.8) {
      const rounds = groups[random.whole(groups.length)] ?? [];
      return tidy(withDuplicates(groupRounds(rate, rounds, random), random), seconds);
    }
    const from = startSeconds + random() * (seconds - startSeconds);
    const to = from + random.exponential(3600);
    if (endpoint % 2 === 0) watchedFrom[endpoint] = Math.floor(from);
    const times = poisson(Math.min(rate * 24, 0.05), from, to, random);
    return tidy(withDuplicates(times, random), seconds);
  });
  return { items, watchedFrom, seconds };
}

/** Draws sessions of minutes to hours, at rates that differ between them. */
function ownSessions(rate: number, seconds: number, random: Random): number[] {
  const times: number[] = [];
  const onSeconds = random.logNormal(1500, 1);
  const offSeconds = onSeconds * random.logNormal(4, 0.8);
  for (let from = -random() * offSeconds; from < seconds; ) {
    const to = from + random.exponential(onSeconds);
    times.push(...poisson(rate * 5 * random.logNormal(0.7, 0.8), from, to, random));
    from = to + random.exponential(offSeconds);
  }
  return times;
}

/** Draws most of a group's rounds, at rates that differ between them. */
function groupRounds(rate: number, rounds: readonly number[], random: Random): number[] {
  return rounds.flatMap((from) =>
    random() < 0.2
      ? []
      : poisson(rate * 4 * random.logNormal(0.7, 0.8), from, from + ROUND_SECONDS, random),
  );
}

/**
 * Returns the start times of the 15-minute rounds in which a group trades: runs of a few rounds,
 * then a pause.
 */
function roundsOn(seconds: number, random: Random): number[] {
  const rounds: number[] = [];
  let isOn = random() < 0.25;
  for (let from = 0; from < seconds; from += ROUND_SECONDS) {
    if (isOn) rounds.push(from);
    if (random() < (isOn ? 0.35 : 0.12)) isOn = !isOn;
  }
  return rounds;
}

/** Adds records in the same second as others, until they are a tenth of all. */
export function withDuplicates(times: number[], random: Random): number[] {
  return times.flatMap((time) =>
    random() < 0.055 ? [time, time, ...(random() < 0.3 ? [time, time] : [])] : [time],
  );
}

/** Returns the times within the simulation in whole seconds, ascending. */
export function tidy(times: readonly number[], seconds: number): Float64Array {
  return Float64Array.from(times, Math.floor)
    .filter((time) => time >= 0 && time < seconds)
    .sort();
}
