/** A little below four: an expedited endpoint may go before one that is due. */
const MOST_ROUNDS = 3.9;
const FIRST_ROUNDS = 1.35;
/** Less is not worth it: such a burst overflows its page sooner or later whatever the cap. */
const LEAST_ROUNDS = 1.15;
const HELPLESS_ROUNDS = 0.9;
/** A poll is a surprise that finds this share of a page where at most the other one was expected. */
const SURPRISING_SHARE = 0.3;
const EXPECTED_SHARE = 0.5;
/** The next burst may be somewhat faster than the last. */
const MARGIN = 0.78;
/** Calm rounds after which the cap may be a round longer, in a world without surprises, and how many more for each surprise in a round. */
const CALM_ROUNDS = 1.5;
const CALM_ROUNDS_PER_SURPRISE = 180;
/** How often surprises come, before anything is known: so many in so many rounds. */
const GUESSED_SURPRISES = 0.5;
const GUESSED_ROUNDS = 10;

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
  found(finding: Finding): void;
}

/**
 * Silence is no promise: a wallet that never traded may fill a page within a fair round. So when a burst is found where little was
 * expected, the cap tightens to what would have fitted on a page, and is relaxed while there is none.
 */
export function createCap(pageSize: number): Cap {
  let capRounds = FIRST_ROUNDS;
  let surprises = GUESSED_SURPRISES;
  let passed = GUESSED_ROUNDS;
  return {
    get rounds() {
      return capRounds;
    },
    pass(rounds) {
      passed += rounds;
      const calmRounds = CALM_ROUNDS + (CALM_ROUNDS_PER_SURPRISE * surprises) / passed;
      capRounds = Math.min(MOST_ROUNDS, capRounds + rounds / calmRounds);
    },
    found({ items, expectedItems, spanRounds }) {
      if (items < SURPRISING_SHARE * pageSize || expectedItems > EXPECTED_SHARE * pageSize) return;
      const fitting = (MARGIN * pageSize * spanRounds) / items;
      if (fitting < HELPLESS_ROUNDS) return;
      surprises += 1;
      capRounds = Math.min(capRounds, Math.max(LEAST_ROUNDS, fitting));
    },
  };
}
