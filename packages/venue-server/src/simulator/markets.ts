import { createListing, type Side } from './listing.ts';
import { createRandom, type Random } from './random.ts';

/** Classes of how long markets are open. */
const TERM_NAMES = ['minutes', 'hours', 'days', 'weeks'] as const;
export type Term = (typeof TERM_NAMES)[number];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TERMS: Readonly<
  Record<Term, { readonly leastSeconds: number; readonly mostSeconds: number }>
> = {
  minutes: { leastSeconds: 1.5 * MINUTE, mostSeconds: 15 * MINUTE },
  hours: { leastSeconds: 20 * MINUTE, mostSeconds: 4 * HOUR },
  days: { leastSeconds: 3 * HOUR, mostSeconds: 3 * DAY },
  weeks: { leastSeconds: 1 * DAY, mostSeconds: 21 * DAY },
};
/**
 * Share of markets that are void, where each side is paid 50 cents. Prices always include this
 * chance.
 */
export const VOID_SHARE = 0.015;
const UNSETTLED_SHARE = 0.01;
/**
 * Time from close to settlement: the minimum in seconds, and the mean of the additional time as a
 * share of the market's life.
 */
const SETTLEMENT = { leastSeconds: 2, meanShare: 0.01 };
/** Number of price moves in a market's life. */
const STEPS = 256;
/** In a slot of the `minutes` term, one market in this many has an awkward title. */
const AWKWARD_EVERY = 8;

/** A slot in the list of open markets; its markets open one after another. */
interface Place {
  readonly number: number;
  readonly term: Term;
  readonly durations: Random;
  /** Number of markets in this slot so far. */
  opened: number;
  opensAtSeconds: number;
  durationSeconds: number;
  /** Created on first access, because months have a hundred thousand markets. */
  market: Market | undefined;
}

/**
 * Creates a world of markets that is deterministic for a seed. It begins at the first call of
 * `open`.
 */
export function createMarkets(seed: string, size: number) {
  let places: readonly Place[] = [];

  function drawDuration(place: Pick<Place, 'term' | 'durations'>): number {
    const { leastSeconds, mostSeconds } = TERMS[place.term];
    return leastSeconds * (mostSeconds / leastSeconds) ** place.durations.next();
  }

  function firstPlace(number: number, atSeconds: number): Place {
    const term = TERM_NAMES[number % TERM_NAMES.length] ?? 'minutes';
    const durations = createRandom(`${seed} markets ${number}`);
    const durationSeconds = drawDuration({ term, durations });
    const opensAtSeconds = atSeconds - durations.next() * durationSeconds;
    return {
      number,
      term,
      durations,
      opened: 0,
      opensAtSeconds,
      durationSeconds,
      market: undefined,
    };
  }

  function marketOf(place: Place): Market {
    const { number, term, opened, opensAtSeconds, durationSeconds } = place;
    const isAwkward = term === 'minutes' && opened % AWKWARD_EVERY === 0;
    return createMarket(`${seed} market ${number} ${opened}`, {
      term,
      id: 500_000 + (opened * size + number) * 37,
      awkward: isAwkward ? Math.floor(number / TERM_NAMES.length) : -1,
      opensAtSeconds,
      durationSeconds,
    });
  }

  const closesAtSeconds = ({ market, opensAtSeconds, durationSeconds }: Place) =>
    market?.closesAtSeconds ?? opensAtSeconds + durationSeconds;

  return {
    /**
     * Returns the markets open at that time, equally many of each term. When a market closes,
     * another opens in its slot.
     */
    open(atSeconds: number): readonly Market[] {
      if (places.length === 0) {
        places = Array.from({ length: size }, (_, number) => firstPlace(number, atSeconds));
      }
      const open = places.map((place) => {
        while (closesAtSeconds(place) <= atSeconds) {
          place.opensAtSeconds = closesAtSeconds(place);
          place.durationSeconds = drawDuration(place);
          place.opened += 1;
          place.market = undefined;
        }
        place.market ??= marketOf(place);
        return place.market;
      });
      return open.filter(({ opensAtSeconds }) => opensAtSeconds <= atSeconds);
    },
  };
}
export type Markets = ReturnType<typeof createMarkets>;

function createMarket(
  seed: string,
  options: Parameters<typeof createListing>[1] & {
    readonly term: Term;
    readonly durationSeconds: number;
  },
) {
  const { term, opensAtSeconds, durationSeconds } = options;
  let closesAtSeconds = opensAtSeconds + durationSeconds;
  let settledEarlyAtSeconds: number | undefined;
  let known: ReturnType<typeof draw> | undefined;

  /** Draws everything that is needed only once a client reads a price or the listing. */
  function draw() {
    const random = createRandom(seed);
    const listing = createListing(random, options);
    // The opening price and its moves, step by step, on the probit scale. Each of the two parts has
    // standard deviation 1.
    const path = new Float64Array(STEPS + 1);
    path[0] = random.normal();
    for (let step = 1; step <= STEPS; step += 1) {
      path[step] = (path[step - 1] ?? 0) + random.normal() / Math.sqrt(STEPS);
    }
    const lagSeconds = random.chance(UNSETTLED_SHARE)
      ? Number.POSITIVE_INFINITY
      : SETTLEMENT.leastSeconds + random.exponential(SETTLEMENT.meanShare * durationSeconds);
    return { listing, path, lagSeconds, isVoid: random.chance(VOID_SHARE) };
  }
  const drawn = () => {
    known ??= draw();
    return known;
  };

  return {
    term,
    opensAtSeconds,
    get listing() {
      return drawn().listing;
    },
    /** Trading ends at this time. */
    get closesAtSeconds() {
      return closesAtSeconds;
    },
    /**
     * From this time on its shares can be redeemed; infinite for a market that is never settled.
     */
    get settlesAtSeconds() {
      return settledEarlyAtSeconds ?? closesAtSeconds + drawn().lagSeconds;
    },
    /**
     * Returns the fair price of a share: the mean of `endCents` over all outcomes that are possible
     * after the prices so far. So buying at any time has a mean result of 0. Rounded to one
     * decimal.
     */
    priceCents(side: Side, atSeconds: number): number {
      const elapsed = Math.floor(((atSeconds - opensAtSeconds) / durationSeconds) * STEPS);
      const step = Math.min(STEPS - 1, Math.max(0, elapsed));
      // Given the path so far, its end has a normal distribution around the current value, with the
      // variance of the remaining steps.
      const yes = normalDistribution((drawn().path[step] ?? 0) / Math.sqrt(1 - step / STEPS));
      const yesCents = Math.round(1000 * ((1 - VOID_SHARE) * yes + VOID_SHARE / 2)) / 10;
      return side === 'Yes' ? yesCents : Math.round((100 - yesCents) * 10) / 10;
    },
    /**
     * Returns the final value of a share of the side. Before settlement only a trader with an edge
     * trades on it.
     */
    endCents(side: Side): 0 | 50 | 100 {
      const { isVoid, path } = drawn();
      if (isVoid) return 50;
      return (path[STEPS] ?? 0) > 0 === (side === 'Yes') ? 100 : 0;
    },
    /** Closes and settles the market early, with the same outcome. */
    end(atSeconds: number): void {
      settledEarlyAtSeconds = Math.min(
        settledEarlyAtSeconds ?? closesAtSeconds + drawn().lagSeconds,
        atSeconds,
      );
      closesAtSeconds = Math.min(closesAtSeconds, atSeconds);
    },
  };
}

/** A question with two sides whose outcome is fixed from the beginning. */
export type Market = ReturnType<typeof createMarket>;

/** Returns Φ(x), by formula 7.1.26 of Abramowitz and Stegun; the error is below 10⁻⁷. */
function normalDistribution(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const polynomial =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const upper = (polynomial * Math.exp((-x * x) / 2)) / 2;
  return x < 0 ? upper : 1 - upper;
}
