import { createLookupShare } from '../../../src/discord/quotas/lookup-share.ts';
import type { Account } from '../../../src/lib/fair-shares/account.ts';
import type { Budget } from '../../../src/venue/rate-limit/budget.ts';
import { testMachine } from '../../support/machine.ts';
import { seededRandom } from '../../support/random.ts';
import { SoakClock } from '../../support/soak/clock.ts';
import {
  ask,
  budgetIn,
  SimulatedVenue,
  startPoller,
  type Traffic,
} from '../../venue/rate-limit/simulated-venue.ts';
import { print } from '../figures.ts';
import { HONEST, WORLDS, type World } from './worlds.ts';

const START_MS = 1_800_000_000_000;
const LENGTH_MS = 20 * 60_000;
/** The venue's limits of requests per minute. */
const VENUE_LIMITS = [60, 600];
const HONEST_LOOK_UP_MS = 20_000;
const HONEST_DETAILS_MS = 30_000;
/** How often each flooding server presses Details, and the number of pages read each time. */
const FLOOD_EVERY_MS = 5_000;
const FLOOD_PAGES = 10;

/**
 * Measures in simulated time how many lookups and Details of an honest server are answered while
 * other servers press Details.
 */
export async function compareLookUps(seed: number): Promise<void> {
  for (const limit of VENUE_LIMITS) {
    for (const [world, servers] of Object.entries(WORLDS)) {
      print({ what: 'look-ups', world, limit, ...(await lookUpIn(servers, limit, seed)) });
    }
  }
}

async function lookUpIn({ floods, honest }: World, limit: number, seed: number) {
  const world = new SoakClock(START_MS);
  const venue = new SimulatedVenue(world, { limit, windowMs: 60_000, kind: 'aligned' });
  const random = seededRandom(seed);
  const budget = budgetIn(world, { share: 0.9, random });
  const traffic: Traffic = { world, venue, budget, random, latencyMs: 40 };
  const machine = testMachine({ nowMs: () => world.nowMs, monotonicMs: () => world.nowMs });
  const lookups = createLookupShare(machine, {
    budget,
    accountOf: () => honest,
    shareOf: () => 0.25,
  })(HONEST);
  startPoller(traffic, 5_000);
  const every = (periodMs: number, offsetMs: number, work: () => void) => {
    const next = () => {
      world.at(world.nowMs + periodMs, next);
      work();
    };
    world.at(START_MS + offsetMs, next);
  };
  const counts = { lookUps: 0, lookUpsAnswered: 0, details: 0, detailsAnswered: 0 };
  const detailsOf = (account: Account) => (priority: Parameters<Budget['acquire']>[0]) =>
    budget.acquire(priority, undefined, account);
  const request = (
    acquire: (priority: Parameters<Budget['acquire']>[0]) => ReturnType<Budget['acquire']>,
  ) =>
    new Promise<boolean>((resolve) => {
      const asked = ask(
        { ...traffic, budget: { ...budget, acquire }, onServed: () => resolve(true) },
        'person',
      );
      void asked.then(() => resolve(false));
    });
  every(HONEST_LOOK_UP_MS, 7_000, async () => {
    counts.lookUps += 1;
    if (await request(lookups.acquire)) counts.lookUpsAnswered += 1;
  });
  every(HONEST_DETAILS_MS, 11_000, async () => {
    counts.details += 1;
    if (await request(detailsOf(honest))) counts.detailsAnswered += 1;
  });
  for (const [index, account] of floods.entries()) {
    every(FLOOD_EVERY_MS, 130 * index, async () => {
      for (let page = 0; page < FLOOD_PAGES; page += 1)
        if (!(await request(detailsOf(account)))) break;
    });
  }
  await world.runUntil(START_MS + LENGTH_MS);
  return { ...counts, refused: venue.refused };
}
