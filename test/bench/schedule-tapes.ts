import { type Random, seededRandom } from './schedule-random.ts';

/** What happens at each endpoint in a simulation: the world that policies are compared in. */
export interface Tape {
  /**
   * Item times by endpoint, seconds, ascending; those before 0 only show on an endpoint's first
   * page.
   */
  readonly items: readonly Float64Array[];
  /** When each endpoint begins to be watched, seconds; nothing of it counts before. */
  readonly watchedFrom: Float64Array;
  readonly seconds: number;
  /** The rates that the items were drawn with, items a second, where the scenario has them. */
  readonly rates?: Float64Array;
}

interface TapeOptions {
  readonly endpoints: number;
  readonly hours: number;
  readonly seed: number;
  /** Spread of the log-normal rates. */
  readonly sigma: number;
  /** How long the endpoints have been trading when the bot starts, hours. */
  readonly historyHours: number;
}

export const SCENARIOS = ['poisson', 'hawkes', 'sessions'] as const;

/**
 * Mean items an hour of an endpoint, over all endpoints; single endpoints differ by the log-normal
 * spread.
 */
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
 * The same wallets in another order. A trace lists them by their first trade, and a family may draw
 * its kinds in turn: that order would tell a policy the future.
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

/** The tape with its clock set so that the bot starts at 0. */
function startedAt(startSeconds: number, tape: Tape): Tape {
  return {
    ...tape,
    items: tape.items.map((times) => times.map((time) => time - startSeconds)),
    watchedFrom: tape.watchedFrom.map((time) => Math.max(0, time - startSeconds)),
    seconds: tape.seconds - startSeconds,
  };
}

/**
 * Log-normal rates, items a second, scaled so that their mean over the endpoints is always the
 * same.
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
 * Clusters: first trades are Poisson, and every trade brings `BRANCHING` more on average, soon
 * after it.
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
 * Wallets with on and off periods. Two fifths trade in sessions of their own, minutes to hours
 * long; two fifths belong to groups that 15-minute rounds switch on and off together; one fifth are
 * new wallets, which turn up at any time after the start, trade for about an hour and fall silent
 * (half of them are watched from the beginning, half from their first hour). Rates differ between
 * the sessions of a wallet. One tenth of the records come in groups with the same second.
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

/** Sessions of minutes to hours, at rates that differ between them. */
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

/** Most of the rounds of a group, at rates that differ between them. */
function groupRounds(rate: number, rounds: readonly number[], random: Random): number[] {
  return rounds.flatMap((from) =>
    random() < 0.2
      ? []
      : poisson(rate * 4 * random.logNormal(0.7, 0.8), from, from + ROUND_SECONDS, random),
  );
}

/**
 * Beginnings of the 15-minute rounds in which a group trades: runs of a few rounds, then a pause.
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

/** Adds records with the second of another, until they are a tenth of all. */
export function withDuplicates(times: number[], random: Random): number[] {
  return times.flatMap((time) =>
    random() < 0.055 ? [time, time, ...(random() < 0.3 ? [time, time] : [])] : [time],
  );
}

/** Whole seconds inside the simulation, ascending. */
export function tidy(times: readonly number[], seconds: number): Float64Array {
  return Float64Array.from(times, Math.floor)
    .filter((time) => time >= 0 && time < seconds)
    .sort();
}
