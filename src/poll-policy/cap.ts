import { PAGE_ITEMS } from './types.ts';

/**
 * Maximum cap, in fair rounds; a little below four, because an expedited endpoint may come before a
 * due one.
 */
const MOST_ROUNDS = 3.9;
/**
 * Minimum cap, in fair rounds. A tighter one is useless, because a burst that needs it overflows
 * its page sooner or later anyway.
 */
const LEAST_ROUNDS = 1.15;
const HELPLESS_ROUNDS = 0.9;
/**
 * A poll is a surprise if it finds this share of a page although at most the second share was
 * expected.
 */
const SURPRISING_SHARE = 0.45;
const EXPECTED_SHARE = 0.5;
/** Safety factor, because the next burst may be somewhat faster than the last. */
const MARGIN = 0.78;
/** Rounds without a surprise after which the cap grows by one round. */
const CALM_ROUNDS = 12;
/**
 * Mean delay of round-robin, in fair rounds. It does not depend on arrivals, because an endpoint's
 * turn is independent of when records come.
 */
const ROUND_ROBIN_ROUNDS = 0.5;
/**
 * Delays are compared over about this many recent records, in addition to this many assumed records
 * with no excess delay.
 */
const MEMORY_RECORDS = 500;
const PRIOR_RECORDS = 30;
/**
 * Mean excess delay, in fair rounds, at which the cap falls to less than a round, which means
 * round-robin.
 */
const LATE_ROUNDS = 0.015;
const TURNS_ROUNDS = 0.9;
/**
 * Cap before there is anything to compare, in fair rounds, and the number of records that raise it
 * by one round, because only records show which endpoints may wait.
 */
const FIRST_ROUNDS = 1.35;
const RECORDS_A_ROUND = 100;

/**
 * Caps how long an endpoint may wait, in fair rounds (as many picks as there are endpoints).
 *
 * Silence is no promise: a wallet that never traded may fill a page within a fair round. So if a
 * burst is found where little was expected, the cap tightens to what would have fitted on a page,
 * and relaxes while there are no bursts.
 *
 * A forecast is no promise either: if the last few hundred records were reported later on average
 * than by round-robin, the cap becomes so tight that endpoints take turns. It also starts tight
 * until there were a few hundred records, because silent endpoints may become active.
 */
export function createCap() {
  let capRounds = MOST_ROUNDS;
  let lateRounds = 0;
  let records = PRIOR_RECORDS;
  /** Cap that the comparison with round-robin allows, in fair rounds. */
  let leadRounds = FIRST_ROUNDS;
  return {
    get rounds(): number {
      return Math.min(capRounds, leadRounds);
    },
    /** Records that this many fair rounds have passed. */
    pass(rounds: number): void {
      capRounds = Math.min(MOST_ROUNDS, capRounds + rounds / CALM_ROUNDS);
    },
    /**
     * Records a poll that found items.
     *
     * @param delaysRounds delay of each item, in fair rounds, longest first
     * @param expectedItems number of items that was forecast
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
