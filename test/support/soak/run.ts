import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Alert } from '../../../src/alerts/alert.ts';
import type { MessageBody } from '../../../src/delivery/sender.ts';
import { groupBy } from '../../../src/lib/group-by.ts';
import { mean } from '../../bench/figures.ts';
import { seededRandom } from '../random.ts';
import { createSoakAccount } from './account.ts';
import { startSoakBot } from './bot.ts';
import { SoakClock } from './clock.ts';
import { createSoakDiscord } from './discord.ts';
import { startSoakVenue } from './venue.ts';
import { createSoakWorld, LISTS_LIMIT, type SoakWorld } from './world.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-10-01T00:00:00Z');
const REQUESTS_PER_MINUTE = 3;

export interface SoakOptions {
  /** Number of simulated days; the last one may be partial. */
  readonly days: number;
  readonly seed: number;
  /** Factor of the number of changes compared to an ordinary day. Default: 1. */
  readonly churn?: number;
  /** An empty folder. */
  readonly directory: string;
  readonly onDay: (day: SoakDay) => void;
}

/** The state of the process at the end of a simulated day. */
export interface SoakDay {
  readonly day: number;
  readonly heapKb: number;
  readonly resources: Readonly<Record<string, number>>;
  /** Number of the bot's timers on the virtual clock. */
  readonly timers: number;
  readonly storeKb: number;
  readonly documents: Readonly<Record<string, number>>;
  readonly expected: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Simulates busy days in seconds each, and checks memory, handles and store. */
export async function runSoak({ days, seed, churn = 1, directory, onDay }: SoakOptions) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const random = seededRandom(seed);
  const clock = new SoakClock(START_MS);
  const account = createSoakAccount(clock);
  const venue = await startSoakVenue(clock, REQUESTS_PER_MINUTE);
  const included = new WeakMap<MessageBody, readonly Alert[]>();
  const storePath = join(directory, 'soak.sqlite');
  let wallErrorMs = 0;
  const discord = createSoakDiscord({
    clock,
    random,
    alertsOf: (body) => included.get(body) ?? [],
    isPoisoned: ({ event }) =>
      (event.kind === 'activity' || event.kind === 'transfer') &&
      event.item.txHash.startsWith('0xbad'),
    onShown: account.see,
  });
  const bot = await startSoakBot({
    clock,
    wallErrorMs: () => wallErrorMs,
    storePath,
    venueUrl: venue.url,
    discord,
    onRendered: (body, alerts) => void included.set(body, alerts),
    random,
  });
  const setWallError = (errorMs: number) => {
    wallErrorMs = errorMs;
  };
  const world = createSoakWorld({
    clock,
    random,
    bot,
    venue,
    discord,
    account,
    churn,
    setWallError,
  });
  const record: SoakDay[] = [];
  const faults: string[] = [];

  const measure = async (day: number): Promise<SoakDay> => {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    const kinds: string[] = [];
    for await (const [key] of bot.store.entries()) kinds.push(key.split(':')[0] ?? '');
    return {
      day,
      heapKb: kb(process.memoryUsage().heapUsed),
      resources: tally(process.getActiveResourcesInfo()),
      timers: clock.waiting,
      storeKb: kb(statSync(storePath).size),
      documents: tally(kinds),
      expected: account.figures.expected,
      lost: account.figures.lost,
      doubled: account.figures.doubled,
    };
  };

  try {
    await clock.during(world.open());
    for (let day = 1; day < days + 1; day += 1) {
      world.beginDay(day);
      await clock.runUntil(START_MS + Math.min(day, days) * DAY_MS);
      for (const { channelId, wallet } of account.audit())
        faults.push(`day ${day}: lost ${channelId} ${wallet}`);
      const today = await measure(day);
      record.push(today);
      onDay(today);
      faults.push(
        ...unbounded(today, world, bot.registry.size, [...bot.registry.wallets()].length),
      );
    }
    await world.calm();
    await clock.runUntil(clock.nowMs + DAY_MS / 6);
    for (const { channelId, wallet } of account.audit(0))
      faults.push(`at the end: lost ${channelId} ${wallet}`);
  } finally {
    await bot.stop();
    await venue.close();
  }
  const { doubled, unexpected } = account.figures;
  if (doubled > 0) faults.push(`${doubled} alerts were sent twice`);
  if (unexpected > 0) faults.push(`${unexpected} alerts were sent that nobody had asked for`);
  const slope = heapKbPerWeek(record);
  faults.push(...growth(record, slope));
  return {
    days,
    tooManyRequests: venue.refused,
    figures: account.figures,
    heapKbPerWeek: Math.round(slope),
    /** The problems found; empty if there are none. */
    faults,
  };
}

/** Returns the documents that are more numerous than necessary. */
function unbounded(
  { day, documents }: SoakDay,
  world: SoakWorld,
  watches: number,
  wallets: number,
): string[] {
  const limits: Readonly<Record<string, number>> = {
    meta: 1,
    store: 1,
    ratelimit: 1,
    // Limit of stored details across all channels.
    details: 60_000,
    watch: watches,
    wallet: wallets,
    posted: watches,
    schedule: wallets,
    queue: world.channels(),
    channel: world.channelsSet(),
    list: LISTS_LIMIT,
    dead: world.channels() * 100,
  };
  return Object.entries(documents)
    .filter(([kind, count]) => count > (limits[kind] ?? 0))
    .map(
      ([kind, count]) =>
        `day ${day}: ${count} documents "${kind}", at most ${limits[kind] ?? 0} are needed`,
    );
}

/**
 * Longest retention of anything that accumulates, in days: records for Details. By then pools are
 * full and code is compiled, too.
 */
const FILLING_DAYS = 31;
/** Fewest days from which growth can be judged. */
const JUDGED_DAYS = 14;

/** Returns the days in a steady state. */
function settled(record: readonly SoakDay[]): readonly SoakDay[] {
  return record.filter(({ day }) => day > FILLING_DAYS);
}

/** Returns the growth of the heap by least squares. */
function heapKbPerWeek(record: readonly SoakDay[]): number {
  const days = settled(record);
  const [meanDay, meanHeap] = [
    mean(days.map(({ day }) => day)),
    mean(days.map(({ heapKb }) => heapKb)),
  ];
  const above = days.reduce(
    (sum, { day, heapKb }) => sum + (day - meanDay) * (heapKb - meanHeap),
    0,
  );
  const below = days.reduce((sum, { day }) => sum + (day - meanDay) ** 2, 0);
  return below === 0 ? 0 : (7 * above) / below;
}

/** Returns the resources that have grown, if there are enough days to judge. */
function growth(record: readonly SoakDay[], slope: number): string[] {
  const days = settled(record);
  if (days.length < JUDGED_DAYS) return [];
  const half = Math.floor(days.length / 2);
  const hasGrown = (
    of: (day: SoakDay) => number,
    isMore: (late: number, early: number) => boolean,
  ) => isMore(Math.max(...days.slice(half).map(of)), Math.max(...days.slice(0, half).map(of)));
  const handles = ({ resources }: SoakDay) =>
    Object.values(resources).reduce((sum, count) => sum + count, 0);
  const faults: string[] = [];
  if (slope > 500) faults.push(`the heap grows by ${Math.round(slope)} kB a week`);
  if (hasGrown(handles, (late, early) => late > early + 4)) faults.push('handles leak');
  if (
    hasGrown(
      ({ timers }) => timers,
      (late, early) => late > early + 100,
    )
  )
    faults.push('timers leak');
  if (
    hasGrown(
      ({ storeKb }) => storeKb,
      (late, early) => late > 1.3 * early,
    )
  )
    faults.push('the store grows');
  return faults;
}

function kb(bytes: number): number {
  return Math.round(bytes / 1024);
}

function tally(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...groupBy(names, (name) => name)].map(([name, of]) => [name, of.length]),
  );
}
