import { describe, expect, it } from 'vitest';
import { learnedLimitsSchema } from '../../../src/venue/rate-limit/window-length.ts';
import { seededRandom } from '../../support/random.ts';
import { SoakClock } from '../../support/soak/clock.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { ask, budgetIn, startPoller, TwoWindowVenue } from './simulated-venue.ts';

const START = Date.UTC(2026, 0, 5, 10, 0, 0, 321);
const MINUTE = 60_000;
const SHARE = 0.9;

const PLANS = [
  { perShort: 10, shortSeconds: 1, perMinute: 300 },
  { perShort: 20, shortSeconds: 10, perMinute: 90 },
  { perShort: 5, shortSeconds: 1, perMinute: 60 },
  { perShort: 50, shortSeconds: 1, perMinute: 1_000 },
].slice(0, IS_THOROUGH ? undefined : 1);

/** Minutes in which a process finds out what it needs to know. */
const LEARNING_MINUTES = 5;

type Plan = (typeof PLANS)[number];

function openVenue(
  { perShort, shortSeconds, perMinute }: Plan,
  shows: 'fewest' | 'faster' | 'slower',
) {
  const world = new SoakClock(START);
  const limits = [
    { limit: perShort, windowMs: shortSeconds * 1_000 },
    { limit: perMinute, windowMs: MINUTE },
  ] as const;
  const venue = new TwoWindowVenue(world, limits, shows);
  return { world, venue, random: seededRandom(perMinute) };
}

/** A process that learns, and one after it that is given what the first one knows, or is not. */
async function aRestart(plan: Plan, isGiven: boolean) {
  const { world, venue, random } = openVenue(plan, 'fewest');
  let isEnded = false;
  const first = budgetIn(world, { share: SHARE, random });
  const latencyMs = 75;
  startPoller({ world, venue, budget: first, random, latencyMs }, 1_000, () => isEnded);
  await world.runUntil(START + LEARNING_MINUTES * MINUTE);
  isEnded = true;
  const known = first.learnedLimits();
  const second = budgetIn(world, { share: SHARE, random });
  if (isGiven) second.restoreLimits(learnedLimitsSchema.parse(known));
  const refusedBefore = venue.refusedAtMs.length;
  startPoller({ world, venue, budget: second, random, latencyMs }, 1_000);
  await world.runUntil(START + 2 * LEARNING_MINUTES * MINUTE);
  return {
    known,
    refused: venue.refusedAtMs.length - refusedBefore,
    after: second.learnedLimits(),
  };
}

/** One hour of a poller, and of a person now and then, with a key of two limits. */
async function anHour(plan: Plan, shows: Parameters<typeof openVenue>[1]) {
  const { world, venue, random } = openVenue(plan, shows);
  const budget = budgetIn(world, { share: SHARE, random });
  const traffic = { world, venue, budget, random, latencyMs: 75 };
  startPoller(traffic, 1_000);
  const person = () => {
    void ask(traffic, 'person');
    world.at(world.nowMs + random() * 20_000, person);
  };
  person();
  await world.runUntil(START + 60 * MINUTE);
  const minuteOf = (atMs: number) => Math.floor((atMs - START) / MINUTE);
  const paceMs = MINUTE / (SHARE * plan.perMinute);
  const silent = venue.oursAtMs.filter(
    (atMs, index) => atMs - (venue.oursAtMs[index - 1] ?? START) > 5 * paceMs + 2_000,
  );
  const perMinutes = new Map<number, number>();
  for (const atMs of venue.oursAtMs)
    perMinutes.set(minuteOf(atMs), (perMinutes.get(minuteOf(atMs)) ?? 0) + 1);
  return {
    refusedIn: new Set(venue.refusedAtMs.map(minuteOf)),
    silentIn: new Set(silent.map(minuteOf)),
    perMinutes,
    shown: budget.snapshot(),
  };
}

describe('a key with two limits', () => {
  it.each(PLANS)(
    'is known to the next process, which gets no 429: $perShort in $shortSeconds s, $perMinute a minute',
    async (plan) => {
      const expected = {
        limit: plan.perMinute,
        windowMs: MINUTE,
        faster: { limit: plan.perShort, windowMs: plan.shortSeconds * 1_000 },
      };
      const given = await aRestart(plan, true);
      expect(given).toEqual({ known: expected, refused: 0, after: expected });
    },
  );

  it('gives a process 429s that has to find it out by itself', async () => {
    const [plan] = PLANS;
    expect(plan && (await aRestart(plan, false)).refused).toBeGreaterThan(0);
  });

  it.each(PLANS)(
    'is polled at the slower pace, without a silence and within its share, where responses show the limit with less left: $perShort in $shortSeconds s, $perMinute a minute',
    async (plan) => {
      const { refusedIn, silentIn, perMinutes, shown } = await anHour(plan, 'fewest');
      // While it is learned, and after it has been forgotten: after ten minutes, and after twenty more.
      const learning = (minute: number) =>
        minute < 4 || (minute > 10 && minute < 16) || (minute > 30 && minute < 38);
      expect([...silentIn, ...refusedIn].filter((minute) => !learning(minute))).toEqual([]);
      const allowed = Math.floor(SHARE * plan.perMinute);
      const counts = [...perMinutes]
        .filter(([minute]) => !learning(minute))
        .map(([, count]) => count);
      // The minutes here begin a third of a second after the venue's.
      expect(Math.max(...counts)).toBeLessThanOrEqual(allowed + 3);
      expect(Math.min(...counts)).toBeGreaterThan(0.95 * allowed);
      expect(shown).toMatchObject({ limit: plan.perMinute });
      expect(shown.windowMs).toBeCloseTo(MINUTE, -3);
    },
  );

  it.each(PLANS)(
    'is polled at the slower pace where responses show that one alone: $perShort in $shortSeconds s, $perMinute a minute',
    async (plan) => {
      const { refusedIn, silentIn } = await anHour(plan, 'slower');
      expect([...refusedIn, ...silentIn]).toEqual([]);
    },
  );

  it.each(PLANS)(
    'is measured by its 429s where responses show the faster one alone: $perShort in $shortSeconds s, $perMinute a minute',
    async (plan) => {
      const { refusedIn, silentIn } = await anHour(plan, 'faster');
      // Without the measure in nearly each of the 60.
      expect(refusedIn.size).toBeLessThanOrEqual(25);
      expect(silentIn.size).toBeLessThanOrEqual(25);
    },
  );
});
