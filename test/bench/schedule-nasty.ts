import type { Random } from './schedule-random.ts';
import { seededRandom } from './schedule-random.ts';
import type { Tape } from './schedule-tapes.ts';
import { hawkes, poisson, tidy, withDuplicates } from './schedule-tapes.ts';

/** A family of tapes; `draw` returns the item times of each wallet. */
interface Family {
  readonly hours: number;
  readonly wallets: number;
  draw(wallets: number, seconds: number, random: Random): number[][];
}

const HOUR = 3600;
const ROUND_SECONDS = 900;

/**
 * Worlds in which the past is uninformative or misleading, all with a cold start: problems of real
 * tapes that self-exciting arrivals don't have. Hours and wallets are those of real tapes, except
 * where that would take minutes.
 */
export const NASTY_FAMILIES: Readonly<Record<string, Family>> = {
  /**
   * All wallets are silent at first. A few at a time start at a rate that fills a page in a little
   * more than a fair round.
   */
  'silent-starters': {
    hours: 3,
    wallets: 400,
    draw: (wallets, seconds, random) =>
      rows(wallets, () => {
        const times = poisson(random.logNormal(0.5, 1) / HOUR, 0, seconds, random);
        if (random() < 0.15) {
          const from = random() * seconds;
          times.push(
            ...poisson(0.12 + 0.09 * random(), from, from + 300 + random.exponential(900), random),
          );
        }
        return times;
      }),
  },
  /**
   * An afternoon with heavy tails, sessions of a quarter of an hour to hours, and bursts within
   * them.
   */
  'busy-afternoon': {
    hours: 3,
    wallets: 400,
    draw: (wallets, seconds, random) =>
      rows(wallets, () => {
        const rate = random.logNormal(4, 1.3) / HOUR;
        return onAndOff(
          random,
          seconds,
          random.logNormal(2400, 0.8),
          random.logNormal(3600, 0.8),
          (from, to) =>
            hawkes(
              Math.min(0.2, rate * 2 * random.logNormal(0.7, 0.8)),
              to - from,
              random,
              0.6,
              200,
            ).map((time) => time + from),
        );
      }),
  },
  /**
   * Markets of 15 minutes. Each round draws its wallets from regular and occasional traders, and
   * ends for all at once.
   */
  'fifteen-minute-markets': {
    hours: 12,
    wallets: 500,
    draw(wallets, seconds, random) {
      const times = rows(wallets, () => [] as number[]);
      const regular = times.map(() => random.logNormal(0.08, 1));
      for (let round = 0; round < seconds; round += ROUND_SECONDS) {
        const heat = random.logNormal(1, 0.7);
        for (const [index, row] of times.entries()) {
          if (random() > Math.min(0.7, (regular[index] ?? 0) * heat)) continue;
          const from = round + random() * 400;
          row.push(
            ...poisson(
              random.logNormal(12, 0.9) / ROUND_SECONDS,
              from,
              round + ROUND_SECONDS - 20,
              random,
            ),
          );
        }
      }
      return times;
    },
  },
  /** Wallets that appear, trade for about an hour and never trade again. */
  'one-hour-wonders': {
    hours: 48,
    wallets: 500,
    draw: (wallets, seconds, random) =>
      rows(wallets, () => {
        const from = random() * seconds;
        return poisson(
          random.logNormal(20, 1) / HOUR,
          from,
          from + random.exponential(HOUR),
          random,
        );
      }),
  },
  /**
   * Groups that an event activates together, at rates that are independent of those of the previous
   * event.
   */
  'switched-groups': {
    hours: 24,
    wallets: 400,
    draw(wallets, seconds, random) {
      const events = Array.from({ length: 20 }, () =>
        Array.from({ length: 1 + random.whole(3) }, () => {
          const from = random() * seconds;
          return { from, to: from + random.logNormal(1500, 0.8) };
        }),
      );
      return rows(wallets, () =>
        (events[random.whole(events.length)] ?? []).flatMap(({ from, to }) =>
          poisson(random.logNormal(30, 1.2) / HOUR, from, to, random),
        ),
      );
    },
  },
  /** The busiest fifth of the wallets changes every hour. */
  'changing-guard': {
    hours: 24,
    wallets: 400,
    draw: (wallets, seconds, random) =>
      rows(wallets, () => {
        const times: number[] = [];
        for (let from = 0; from < seconds; from += HOUR) {
          times.push(...poisson((random() < 0.2 ? 20 : 0.3) / HOUR, from, from + HOUR, random));
        }
        return times;
      }),
  },
  /**
   * Very unequal wallets over two weeks, with calm nights and evenings whose news activate the
   * quiet ones.
   */
  'election-weeks': {
    hours: 336,
    wallets: 380,
    draw(wallets, seconds, random) {
      const news = Array.from({ length: 25 }, () => random() * seconds);
      return rows(wallets, () => {
        const rate = random.logNormal(0.25, 2) / HOUR;
        const times = onAndOff(
          random,
          seconds,
          random.logNormal(4 * HOUR, 0.7),
          random.logNormal(9 * HOUR, 0.7),
          (from, to) =>
            hawkes(Math.min(0.1, rate * 3), to - from, random, 0.7, 240).map((time) => time + from),
        );
        for (const from of news) {
          if (random() > 0.15) continue;
          times.push(
            ...hawkes(Math.min(0.15, rate * 20 + 5 / HOUR), 1800, random, 0.6, 120).map(
              (time) => from + time,
            ),
          );
        }
        return times;
      });
    },
  },
  /** Few items, in bursts of minutes with days in between; rates are similar for all. */
  'quiet-weeks': {
    hours: 336,
    wallets: 600,
    draw: (wallets, seconds, random) =>
      rows(wallets, () => hawkes(random.logNormal(0.05, 0.8) / HOUR, seconds, random, 0.85, 300)),
  },
};

/** @throws Error for an unknown family */
export function nastyTape(family: string, seed: number): Tape {
  const found = NASTY_FAMILIES[family];
  if (found === undefined) {
    throw new Error(
      `Expected a family of ${Object.keys(NASTY_FAMILIES).join(', ')}; got "${family}"`,
    );
  }
  const random = seededRandom(seed);
  const seconds = found.hours * HOUR;
  const drawn = found
    .draw(found.wallets, seconds, random)
    .map((times) => tidy(withDuplicates(times, random), seconds));
  // A trace contains only wallets that trade.
  const items = drawn.filter((times) => times.length > 0);
  return { items, watchedFrom: new Float64Array(items.length), seconds };
}

function rows(wallets: number, draw: () => number[]): number[][] {
  return Array.from({ length: wallets }, draw);
}

function onAndOff(
  random: Random,
  seconds: number,
  onSeconds: number,
  offSeconds: number,
  draw: (from: number, to: number) => number[],
): number[] {
  const times: number[] = [];
  for (let from = -random() * (onSeconds + offSeconds); from < seconds; ) {
    const to = from + random.exponential(onSeconds);
    times.push(...draw(from, to).filter((time) => time < to));
    from = to + random.exponential(offSeconds);
  }
  return times;
}
