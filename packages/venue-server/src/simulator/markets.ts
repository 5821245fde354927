import { createListing, type Side } from './listing.ts';
import { createRandom, type Random } from './random.ts';

/** How long markets are open. */
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
/** Share of markets that are void: each side is paid 50 cents. It is in the price all the time. */
export const VOID_SHARE = 0.015;
const UNSETTLED_SHARE = 0.01;
/**
 * Seconds from close to settlement: at least, and the mean of what is added, as a share of the
 * market's life.
 */
const SETTLEMENT = { leastSeconds: 2, meanShare: 0.01 };
/** Prices move so many times in a market's life. */
const STEPS = 256;
/** One of so many markets of a place, of minutes, has an awkward title. */
const AWKWARD_EVERY = 8;

/** A place in the list of open markets: one follows the other. */
interface Place {
  readonly number: number;
  readonly term: Term;
  readonly durations: Random;
  /** Number of its markets so far. */
  opened: number;
  opensAtSeconds: number;
  durationSeconds: number;
  /** Made when somebody looks: in months there are a hundred thousand. */
  market: Market | undefined;
}

/** A world of markets that is the same for the same seed; it begins when it is looked at first. */
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
     * Those that are open then, as many of each term. A market that has closed has another open in
     * its place.
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

  /** What of a market is drawn once somebody asks for a price or its listing. */
  function draw() {
    const random = createRandom(seed);
    const listing = createListing(random, options);
    // The opening price and what moved it since, step by step, on the scale of a probit; standard
    // deviation 1 in all.
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
    /** Nobody trades in it from then on. */
    get closesAtSeconds() {
      return closesAtSeconds;
    },
    /** From then on its shares can be redeemed; infinite for a market that is never settled. */
    get settlesAtSeconds() {
      return settledEarlyAtSeconds ?? closesAtSeconds + drawn().lagSeconds;
    },
    /**
     * The fair price of a share: the mean of `endCents` over all ends that are possible after the
     * prices so far, so that buying at any time has a mean result of 0. One decimal.
     */
    priceCents(side: Side, atSeconds: number): number {
      const elapsed = Math.floor(((atSeconds - opensAtSeconds) / durationSeconds) * STEPS);
      const step = Math.min(STEPS - 1, Math.max(0, elapsed));
      // Given the path so far, its end is normal about it with the variance of the steps that are
      // left.
      const yes = normalDistribution((drawn().path[step] ?? 0) / Math.sqrt(1 - step / STEPS));
      const yesCents = Math.round(1000 * ((1 - VOID_SHARE) * yes + VOID_SHARE / 2)) / 10;
      return side === 'Yes' ? yesCents : Math.round((100 - yesCents) * 10) / 10;
    },
    /**
     * What a share of the side ends at. Nobody in the world knows it before the market is settled.
     */
    endCents(side: Side): 0 | 50 | 100 {
      const { isVoid, path } = drawn();
      if (isVoid) return 50;
      return (path[STEPS] ?? 0) > 0 === (side === 'Yes') ? 100 : 0;
    },
    /** Closes and settles it before its time, as it would have been settled anyway. */
    end(atSeconds: number): void {
      settledEarlyAtSeconds = Math.min(
        settledEarlyAtSeconds ?? closesAtSeconds + drawn().lagSeconds,
        atSeconds,
      );
      closesAtSeconds = Math.min(closesAtSeconds, atSeconds);
    },
  };
}

/** A question with two sides, whose end is fixed from the beginning. */
export type Market = ReturnType<typeof createMarket>;

/** Φ, by 7.1.26 of Abramowitz and Stegun; its error is below 10⁻⁷. */
function normalDistribution(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const polynomial =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const upper = (polynomial * Math.exp((-x * x) / 2)) / 2;
  return x < 0 ? upper : 1 - upper;
}
