import { parseArgs } from 'node:util';
import { parseAddress, type WalletAddress } from '../../src/domain/address.ts';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createFairShare } from '../../src/poll-policy/fair-share.ts';
import { createSchedule, type Endpoint, type Schedule } from '../../src/poll-policy/schedule.ts';
import { fairGroupOf } from '../../src/watches/owner.ts';
import { seededRandom } from './schedule-random.ts';
import { UsageError } from './usage.ts';

/** Polls a minute: a key's 60 and 600 requests, less the reserve. */
const BUDGETS = [54, 540];
const HONEST: Population = { guildId: 'honest', wallets: 20, meanGapSeconds: 600 };
const BUSY: Population = { guildId: 'busy', wallets: 200, meanGapSeconds: 20 };

/** A server and the wallets that it watches; each trades at random, so often on average. */
export interface Population {
  readonly guildId: string;
  readonly wallets: number;
  readonly meanGapSeconds: number;
}

export interface Served {
  readonly guildId: string;
  readonly meanSeconds: number;
  readonly worstSeconds: number;
  /** Of all polls. */
  readonly share: number;
}

const WORLDS: Readonly<Record<string, readonly Population[]>> = {
  'honest server alone': [HONEST],
  'beside a flooding one': [HONEST, BUSY],
  'beside two flooding ones': [HONEST, BUSY, { ...BUSY, guildId: 'busy too' }],
  'one wallet beside a flooding one': [{ ...HONEST, wallets: 1 }, BUSY],
  'ten of 5 to 41 wallets': Array.from({ length: 10 }, (_, index) => ({
    guildId: `server ${index}`,
    wallets: 5 + 4 * index,
    meanGapSeconds: 600,
  })),
};

/** How this bench is called. */
export const USAGE = `npm run bench -- fairness [--hours H] [--seed S]   the real schedule, simulated, fair between servers and not: the mean
  delay of a server with ${HONEST.wallets} wallets, alone and beside others with ${BUSY.wallets} busy ones, and of ten of which none floods.
  Defaults: 4 hours, seed 1`;

/** @throws UsageError for options that cannot be understood */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { hours: { type: 'string', default: '4' }, seed: { type: 'string', default: '1' } },
  });
  const [hours, seed] = [Number(values.hours), Number(values.seed)];
  if (!(hours > 0 && hours <= 1_000)) throw new UsageError(`Expected --hours to be above 0, got "${values.hours}"`);
  if (!Number.isInteger(seed)) throw new UsageError(`Expected --seed to be a whole number, got "${values.seed}"`);
  for (const pollsPerMinute of BUDGETS) {
    const [alone] = simulateServers([HONEST], { pollsPerMinute, hours, seed, isFair: false });
    for (const [world, populations] of Object.entries(WORLDS)) {
      for (const isFair of [false, true]) {
        const served = simulateServers(populations, { pollsPerMinute, hours, seed, isFair });
        const figures = figuresOf(served, populations[0] === HONEST ? alone : undefined);
        console.log(JSON.stringify({ world, pollsPerMinute, isFair, ...rounded(figures) }));
      }
    }
  }
}

/** Of the honest server and of the others, if there is one; else of all. */
function figuresOf(served: readonly Served[], alone: Served | undefined): Record<string, number> {
  const [first, ...others] = served;
  if (first?.guildId !== HONEST.guildId) {
    return { meanSeconds: mean(served), worstSeconds: Math.max(...served.map(({ worstSeconds }) => worstSeconds)) };
  }
  return {
    meanSeconds: first.meanSeconds,
    ...(alone === undefined ? {} : { vsAlone: first.meanSeconds / alone.meanSeconds }),
    share: first.share,
    worstSeconds: first.worstSeconds,
    ...(others.length > 0 ? { othersMeanSeconds: mean(others) } : {}),
  };
}

/** Runs the real schedule over servers whose wallets trade as Poisson processes, one poll after the other at equal distances. */
export function simulateServers(
  populations: readonly Population[],
  options: { readonly pollsPerMinute: number; readonly hours: number; readonly seed: number; readonly isFair: boolean },
): Served[] {
  const { pollsPerMinute, hours, seed, isFair } = options;
  const random = seededRandom(seed);
  const guildOf = new Map<WalletAddress, string>();
  const walletsOf = new Map<string, WalletAddress[]>();
  const gapOf = new Map<WalletAddress, number>();
  for (const { guildId, wallets, meanGapSeconds } of populations) {
    for (let index = 0; index < wallets; index += 1) {
      const wallet = address(guildOf.size);
      guildOf.set(wallet, guildId);
      walletsOf.set(guildId, [...(walletsOf.get(guildId) ?? []), wallet]);
      gapOf.set(wallet, meanGapSeconds);
    }
  }
  const plain = createSchedule({ pollMinSeconds: 1 });
  const schedule: Schedule = isFair
    ? createFairShare(plain, {
        guildsOf: (wallet) => [guildOf.get(wallet) ?? ''],
        walletsOf: (guildId) => walletsOf.get(guildId) ?? [],
        guilds: () => walletsOf.keys(),
        groupOf: fairGroupOf,
      })
    : plain;
  const nextItem = new Map<WalletAddress, number>();
  for (const [wallet, gap] of gapOf) {
    nextItem.set(wallet, random.exponential(gap));
    for (const name of ENDPOINT_NAMES) schedule.add({ wallet, name });
  }
  const delays = new Map(populations.map(({ guildId }) => [guildId, { sum: 0, count: 0, worst: 0, polls: 0 }]));
  const seconds = hours * 3_600;
  const everySeconds = 60 / pollsPerMinute;
  for (let now = everySeconds; now < seconds; now += everySeconds) {
    const [endpoint] = schedule.pick(now, 1);
    if (endpoint === undefined) continue;
    const fresh = itemsUntil(endpoint, now, nextItem, () => random.exponential(gapOf.get(endpoint.wallet) ?? 1));
    countPoll(
      delays.get(guildOf.get(endpoint.wallet) ?? ''),
      fresh.map((at) => now - at),
    );
    schedule.polled(endpoint, { atSeconds: now, freshTimesSeconds: fresh, pageTimesSeconds: fresh.toReversed() });
  }
  const polls = [...delays.values()].reduce((sum, each) => sum + each.polls, 0);
  return [...delays].map(([guildId, { sum, count, worst, polls: own }]) => ({
    guildId,
    meanSeconds: sum / Math.max(1, count),
    worstSeconds: worst,
    share: own / Math.max(1, polls),
  }));
}

interface Delays {
  sum: number;
  count: number;
  worst: number;
  polls: number;
}

function countPoll(of: Delays | undefined, delays: readonly number[]): void {
  if (of === undefined) return;
  of.polls += 1;
  for (const delay of delays) {
    of.sum += delay;
    of.count += 1;
    of.worst = Math.max(of.worst, delay);
  }
}

function itemsUntil(
  endpoint: Endpoint,
  now: number,
  nextItem: Map<WalletAddress, number>,
  gap: () => number,
): number[] {
  const items: number[] = [];
  if (endpoint.name !== 'activity') return items;
  let next = nextItem.get(endpoint.wallet) ?? now;
  for (; next <= now; next += gap()) items.push(next);
  nextItem.set(endpoint.wallet, next);
  return items;
}

function address(index: number): WalletAddress {
  const parsed = parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
  if (!parsed.ok) throw new Error(parsed.fault);
  return parsed.address;
}

/** Of the servers, each counted once. */
function mean(served: readonly Served[]): number {
  return served.reduce((sum, { meanSeconds }) => sum + meanSeconds, 0) / served.length;
}

function rounded(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, Math.round(figure * 100) / 100]));
}
