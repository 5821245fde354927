/** Less would be round-robin, and leave nothing for those that trade. */
const LEAST_ROUNDS = 1.35;
/** A little below four: an expedited endpoint may go before one that is due. */
const MOST_ROUNDS = 3.9;
/** If polls at the cap find nothing at all, the cap grows by this share in a round in which everybody is at it. */
const GAIN = 0.3;
/** One burst counts for as much as so many polls at most. */
const MOST_WORTH = 600;
/** A poll is a surprise that finds this share of a page where at most the other one was expected. */
const SURPRISING_SHARE = 0.3;
const EXPECTED_SHARE = 0.5;
/** The next burst may be somewhat faster than the last. */
const MARGIN = 0.78;
/** A burst for which less than this would be right overflows its page sooner or later whatever the cap. */
const HELPLESS_ROUNDS = 0.9;
const LEAST_SAFE_ROUNDS = 1.15;
/** Calm rounds after which the cap may be a round longer, in a world without surprises, and how many more for each surprise in a round. */
const CALM_ROUNDS = 1.5;
const CALM_ROUNDS_PER_SURPRISE = 180;
/** How often surprises come, before anything is known: so many in so many rounds. */
const FIRST_SURPRISES = 0.5;
const FIRST_ROUNDS = 10;

/** What a poll found, compared with what was forecast. */
export interface Finding {
  readonly items: number;
  readonly expectedItems: number;
  /** From the first of the items to the last, in fair rounds. */
  readonly spanRounds: number;
}

/** How long an endpoint may wait at most, in fair rounds (as many picks as there are endpoints). */
export interface Cap {
  readonly rounds: number;
  /** So much of a fair round has passed. */
  pass(rounds: number): void;
  /**
   * An endpoint was polled only because it was at the cap.
   *
   * @param worth the waiting that this ended, by what an ordinary poll ends
   * @param rounds what a poll takes of a fair round
   */
  repaid(worth: number, rounds: number): void;
  found(finding: Finding): void;
  /** Two figures; `restore` takes them again. */
  figures(): readonly number[];
  restore(figures: readonly number[]): void;
}

/**
 * A forecast may take sleepers for dead. By the forecast an endpoint at the cap is worth less than a poll; if such polls turn out to end
 * more waiting than others, the cap comes too late, and too early if less: it moves until they are worth the same, where the mean delay
 * is least.
 *
 * And silence is no promise: a wallet that never traded may fill a page within a fair round. So when a burst is found where little was
 * expected, the cap tightens to what would have fitted on a page, and is relaxed while there is none. The stricter of the two counts.
 */
export function createCap(pageSize: number): Cap {
  let paying = LEAST_ROUNDS;
  let safe = LEAST_ROUNDS;
  let surprises = FIRST_SURPRISES;
  let passed = FIRST_ROUNDS;
  return {
    get rounds() {
      return Math.min(paying, safe);
    },
    pass(rounds) {
      passed += rounds;
      const calmRounds = CALM_ROUNDS + (CALM_ROUNDS_PER_SURPRISE * surprises) / passed;
      safe = Math.min(MOST_ROUNDS, safe + rounds / calmRounds);
    },
    repaid(worth, rounds) {
      const step = GAIN * (1 - Math.min(MOST_WORTH, worth)) * rounds;
      paying = Math.min(MOST_ROUNDS, Math.max(LEAST_ROUNDS, paying * Math.exp(step)));
    },
    found({ items, expectedItems, spanRounds }) {
      if (items < SURPRISING_SHARE * pageSize || expectedItems > EXPECTED_SHARE * pageSize) return;
      const fits = (MARGIN * pageSize * spanRounds) / items;
      if (fits < HELPLESS_ROUNDS) return;
      surprises += 1;
      safe = Math.min(safe, Math.max(LEAST_SAFE_ROUNDS, fits));
    },
    figures: () => [paying, safe],
    restore([first = LEAST_ROUNDS, second = LEAST_ROUNDS]) {
      paying = Math.min(MOST_ROUNDS, Math.max(LEAST_ROUNDS, first));
      safe = Math.min(MOST_ROUNDS, Math.max(LEAST_SAFE_ROUNDS, second));
    },
  };
}
