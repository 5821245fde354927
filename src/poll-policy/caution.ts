/** A poll is a surprise that finds more than this share of a page, */
const SURPRISING = 0.3;
/** where at most this share was expected. */
const EXPECTED_AT_MOST = 0.5;
/** The next burst may be somewhat faster than the last. */
const MARGIN = 0.7;
/** Less would be round-robin, and leave nothing for those that trade. */
const LEAST_ROUNDS = 1.1;
/** Before anything is known, nearly so: silence must earn its trust. */
const FIRST_ROUNDS = 1.2;
/** A burst for which less than this would be right overflows its page sooner or later whatever the cap: it is let go. */
const HELPLESS_ROUNDS = 0.9;
/** Calm rounds after which the longest wait may be a fair round longer, in a world without surprises, */
const CALM_ROUNDS = 1.5;
/** and how many more there must be for each surprise that a round brings. */
const CALM_ROUNDS_PER_SURPRISE = 180;
/** How often surprises come, before anything is known: so many in so many rounds. */
const FIRST_SURPRISES = 0.5;
const FIRST_WATCHED_ROUNDS = 10;
const MEMORY_ROUNDS = 150;
/** If overdue polls find nothing at all, the longest wait grows by this share in a round in which everybody was overdue. */
const GAIN = 0.15;
/** What overdue polls find makes nobody go more often: a small room in which everybody trades would be polled in turns. */
const LEAST_PAYING_ROUNDS = 1.35;
/** One burst counts for as much as so many polls at most. */
const MOST_WORTH = 150;

/** How long an endpoint may wait at most, learned from bursts that nothing had announced. */
export interface Caution {
  /** The cap, fair rounds. */
  readonly rounds: number;
  /** So much of a fair round has passed. */
  pass(rounds: number): void;
  /**
   * What the poll of an endpoint was worth that went first only because it had waited: the waiting that it ended, by
   * what a poll usually ends. It took so much of a fair round.
   */
  repaid(worth: number, rounds: number): void;
  /** What a poll found, ascending; `expectedItems` is what was expected, `roundSeconds` a fair round. */
  found(times: readonly number[], expectedItems: number, roundSeconds: number): void;
}

/**
 * Silence is no promise: a wallet that never traded may fill a page within a fair round, and no forecast from its own
 * past can say so. How often that happens differs between worlds, and only the polls tell. So the cap tightens when a
 * burst is found where little was expected, to what would have fitted on a page, and is relaxed while there is none:
 * within a few rounds where such bursts are rare, hardly at all where every round brings one.
 *
 * Nor is a forecast: it may take sleepers for dead. By what was forecast, an endpoint at the cap is worth less than a
 * poll. If such polls turn out to end more waiting than others, the cap comes too late, and too early if less: it moves
 * until they are worth the same, which is where the mean delay is least. The stricter of the two caps counts.
 */
export function createCaution(pageSize: number, maxRounds: number): Caution {
  const least = Math.min(LEAST_ROUNDS, maxRounds);
  let rounds = Math.min(FIRST_ROUNDS, maxRounds);
  const leastPaying = Math.min(LEAST_PAYING_ROUNDS, maxRounds);
  let payingRounds = leastPaying;
  let surprises = FIRST_SURPRISES;
  let watchedRounds = FIRST_WATCHED_ROUNDS;
  return {
    get rounds() {
      return Math.min(rounds, payingRounds);
    },
    pass(passed) {
      const calmRounds = CALM_ROUNDS + (CALM_ROUNDS_PER_SURPRISE * surprises) / watchedRounds;
      rounds = Math.min(maxRounds, rounds + passed / calmRounds);
      const keep = Math.exp(-passed / MEMORY_ROUNDS);
      surprises *= keep;
      watchedRounds = watchedRounds * keep + passed;
    },
    repaid(worth, passed) {
      const step = GAIN * (1 - Math.min(MOST_WORTH, worth)) * passed;
      payingRounds = Math.min(maxRounds, Math.max(leastPaying, payingRounds * Math.exp(step)));
    },
    found(times, expectedItems, roundSeconds) {
      if (times.length < SURPRISING * pageSize || expectedItems > EXPECTED_AT_MOST * pageSize) return;
      const spanSeconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
      const fits = (MARGIN * pageSize * spanSeconds) / times.length / roundSeconds;
      if (fits < HELPLESS_ROUNDS || fits >= maxRounds) return;
      surprises += 1;
      if (fits < rounds) rounds = Math.max(least, fits);
    },
  };
}
