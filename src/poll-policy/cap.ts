import { PAGE_ITEMS } from './types.ts';

/** A little below four: an expedited endpoint may go before one that is due. */
const MOST_ROUNDS = 3.9;
/** Less is not worth it: such a burst overflows its page sooner or later whatever the cap. */
const LEAST_ROUNDS = 1.15;
const HELPLESS_ROUNDS = 0.9;
/**
 * A poll is a surprise that finds this share of a page where at most the other one was expected.
 */
const SURPRISING_SHARE = 0.45;
const EXPECTED_SHARE = 0.5;
/** The next burst may be somewhat faster than the last. */
const MARGIN = 0.78;
/** Rounds without a surprise after which the cap is a round longer. */
const CALM_ROUNDS = 12;
/**
 * Round-robin's mean delay, in fair rounds, whatever arrives: an endpoint's turn says nothing of
 * when records come.
 */
const ROUND_ROBIN_ROUNDS = 0.5;
/**
 * Delays are compared with it over about the last so many records, beside so many that were no
 * later.
 */
const MEMORY_RECORDS = 500;
const PRIOR_RECORDS = 30;
/** So much later on average, in fair rounds, the cap is below a round, which is round-robin. */
const LATE_ROUNDS = 0.015;
const TURNS_ROUNDS = 0.9;
/**
 * The cap with nothing to compare yet, and how many records make it a round longer: only they tell
 * who may wait.
 */
const FIRST_ROUNDS = 1.35;
const RECORDS_A_ROUND = 100;

/**
 * Caps how long an endpoint may wait, in fair rounds (as many picks as there are endpoints).
 *
 * Silence is no promise: a wallet that never traded may fill a page within a fair round. So when a
 * burst is found where little was expected, the cap tightens to what would have fitted on a page,
 * and is relaxed while there is none.
 *
 * Nor is a forecast: while the last few hundred records were reported later on average than
 * round-robin would have, the cap is so tight that all go in turn; also until there were a few
 * hundred: whoever was silent may be loud afterwards.
 */
export function createCap() {
  let capRounds = MOST_ROUNDS;
  let lateRounds = 0;
  let records = PRIOR_RECORDS;
  /** Cap that the comparison with round-robin allows. */
  let leadRounds = FIRST_ROUNDS;
  return {
    get rounds(): number {
      return Math.min(capRounds, leadRounds);
    },
    /** So much of a fair round has passed. */
    pass(rounds: number): void {
      capRounds = Math.min(MOST_ROUNDS, capRounds + rounds / CALM_ROUNDS);
    },
    /**
     * A poll has found items.
     *
     * @param delaysRounds of each, fair rounds, longest first
     * @param expectedItems forecast
     */
    found(delaysRounds: readonly number[], expectedItems: number): void {
      for (const delay of delaysRounds) {
        lateRounds += delay - ROUND_ROBIN_ROUNDS - lateRounds / MEMORY_RECORDS;
        records += 1 - (records - PRIOR_RECORDS) / MEMORY_RECORDS;
      }
      const late = Math.min(1, Math.max(0, lateRounds / records / LATE_ROUNDS));
      const most = Math.min(
        MOST_ROUNDS,
        FIRST_ROUNDS + (records - PRIOR_RECORDS) / RECORDS_A_ROUND,
      );
      leadRounds = most - late * (most - TURNS_ROUNDS);
      const items = delaysRounds.length;
      if (items < SURPRISING_SHARE * PAGE_ITEMS || expectedItems > EXPECTED_SHARE * PAGE_ITEMS) {
        return;
      }
      const spanRounds = (delaysRounds[0] ?? 0) - (delaysRounds.at(-1) ?? 0);
      const fitting = (MARGIN * PAGE_ITEMS * spanRounds) / items;
      if (fitting < HELPLESS_ROUNDS) return;
      capRounds = Math.min(capRounds, Math.max(LEAST_ROUNDS, fitting));
    },
  };
}
