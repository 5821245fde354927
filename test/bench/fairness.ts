import type { WalletAddress } from '../../src/domain/address.ts';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createFairSchedule } from '../../src/poll-policy/fair-schedule.ts';
import { createSchedule, type Schedule } from '../../src/poll-policy/schedule.ts';
import { walletOf } from '../support/wallets.ts';
import { DEFAULTS } from './defaults.ts';
import { compareCommands } from './fairness/commands.ts';
import { compareLookUps } from './fairness/look-ups.ts';
import { compareMessages } from './fairness/messages.ts';
import { print } from './figures.ts';
import { seededRandom } from './schedule-random.ts';
import { readOptions, UsageError } from './usage.ts';

/** Polls per minute: a key's 60 or 600 requests, minus the reserve. */
const BUDGETS = [54, 540];
const HONEST: Population = { guildId: 'honest', wallets: 20, meanGapSeconds: 600 };
const BUSY: Population = { guildId: 'busy', wallets: 200, meanGapSeconds: 20 };

const FLOOD = { wallets: 50, meanGapSeconds: 20 };

/** A server and its watched wallets; each wallet trades at random with this mean gap. */
export interface Population {
  readonly guildId: string;
  /** The payer, such as the person who owns the server; the server itself by default. */
  readonly payer?: string;
  readonly wallets: number;
  readonly meanGapSeconds: number;
}

export interface Served {
  readonly guildId: string;
  readonly meanSeconds: number;
  /** Share of all polls. */
  readonly share: number;
}

const serversOf = (payer: string, count: number): readonly Population[] =>
  Array.from({ length: count }, (_, index) => ({ ...FLOOD, guildId: `${payer} ${index}`, payer }));

const WORLDS: Readonly<Record<string, readonly Population[]>> = {
  'honest server alone': [HONEST],
  'beside a flooding one': [HONEST, BUSY],
  'beside two flooding ones': [HONEST, BUSY, { ...BUSY, guildId: 'busy too' }],
  'beside nine of one person': [HONEST, ...serversOf('one', 9)],
  'beside a hundred of one person': [HONEST, ...serversOf('one', 100)],
  'beside nine persons': [
    HONEST,
    ...Array.from({ length: 9 }, (_, index) => serversOf(`${index}`, 1)).flat(),
  ],
  'of a person who was given a flooding one': [{ ...HONEST, payer: 'one' }, ...serversOf('one', 1)],
};

const KINDS = ['polls', 'look-ups', 'commands', 'messages'];

export const USAGE = `npm run bench -- fairness [--only ${KINDS.join('|')}] [--hours HOURS] [--seed SEED] [--seconds SECONDS]
  an honest server alone, and beside others that take all they can
  polls: the real schedule, simulated, fair and not: the mean delay of a server with ${HONEST.wallets} wallets.
  look-ups: the real budget, simulated: how many of its look-ups and Details are answered
  commands: their turns, simulated: how long one waits and works
  messages: the bot's own REST in real time: how late its messages are`;

export async function run(args: string[]): Promise<void> {
  const { only, seconds, ...options } = readOptions(args, DEFAULTS.fairness);
  if (only !== '' && !KINDS.includes(only))
    throw new UsageError(`Expected --only to be ${KINDS.join(', ')}, got "${only}"`);
  const isRun = (kind: string) => only === '' || only === kind;
  if (isRun('polls')) comparePolls(options);
  if (isRun('look-ups')) await compareLookUps(options.seed);
  if (isRun('commands')) await compareCommands();
  if (isRun('messages')) await compareMessages(seconds);
}

function comparePolls(options: { readonly hours: number; readonly seed: number }): void {
  for (const pollsPerMinute of BUDGETS) {
    const [alone] = simulateServers([HONEST], { ...options, pollsPerMinute, isFair: false });
    for (const [world, populations] of Object.entries(WORLDS)) {
      for (const isFair of [false, true]) {
        const [{ meanSeconds = 0, share = 0 } = {}] = simulateServers(populations, {
          ...options,
          pollsPerMinute,
          isFair,
        });
        const vsAlone = meanSeconds / (alone?.meanSeconds ?? 0);
        print({ what: 'polls', world, pollsPerMinute, isFair, meanSeconds, vsAlone, share });
      }
    }
  }
}

/**
 * Runs the real schedule with servers whose wallets trade as Poisson processes; polls are
 * sequential and equally spaced.
 */
export function simulateServers(
  populations: readonly Population[],
  options: {
    readonly pollsPerMinute: number;
    readonly hours: number;
    readonly seed: number;
    readonly isFair: boolean;
  },
): Served[] {
  const { pollsPerMinute, hours, seed, isFair } = options;
  const random = seededRandom(seed);
  const guildOf = new Map<WalletAddress, string>();
  const walletsOf = new Map<string, WalletAddress[]>();
  const gapOf = new Map<WalletAddress, number>();
  const payers = new Map(populations.map(({ guildId, payer = guildId }) => [guildId, payer]));
  for (const { guildId, wallets, meanGapSeconds } of populations) {
    for (let index = 0; index < wallets; index += 1) {
      const wallet = walletOf(guildOf.size);
      guildOf.set(wallet, guildId);
      walletsOf.set(guildId, [...(walletsOf.get(guildId) ?? []), wallet]);
      gapOf.set(wallet, meanGapSeconds);
    }
  }
  const plain = createSchedule({ pollMinSeconds: 1 });
  const schedule: Schedule = isFair
    ? createFairSchedule(plain, {
        ownersOf: (wallet) => [guildOf.get(wallet) ?? ''],
        walletsOf: (guildId) => walletsOf.get(guildId) ?? [],
        owners: () => walletsOf.keys(),
        accountOf: (owner) => ({ payer: payers.get(owner) ?? owner, owner, weight: 1 }),
      })
    : plain;
  const nextItem = new Map<WalletAddress, number>();
  for (const [wallet, gap] of gapOf) {
    nextItem.set(wallet, random.exponential(gap));
    for (const name of ENDPOINT_NAMES) schedule.add({ wallet, name });
  }
  const counts = new Map(
    populations.map(({ guildId }) => [guildId, { sum: 0, items: 0, polls: 0 }]),
  );
  const seconds = hours * 3_600;
  const everySeconds = 60 / pollsPerMinute;
  let polls = 0;
  for (let now = everySeconds; now < seconds; now += everySeconds) {
    const [endpoint] = schedule.pick(now, 1);
    const count = counts.get(guildOf.get(endpoint?.wallet ?? walletOf(-1)) ?? '');
    if (endpoint === undefined || count === undefined) continue;
    const fresh: number[] = [];
    if (endpoint.name === 'activity') {
      let next = nextItem.get(endpoint.wallet) ?? now;
      for (; next <= now; next += random.exponential(gapOf.get(endpoint.wallet) ?? 1))
        fresh.push(next);
      nextItem.set(endpoint.wallet, next);
    }
    polls += 1;
    count.polls += 1;
    count.items += fresh.length;
    for (const at of fresh) count.sum += now - at;
    schedule.polled(endpoint, {
      atSeconds: now,
      freshTimesSeconds: fresh,
      pageTimesSeconds: fresh.toReversed(),
    });
  }
  return [...counts].map(([guildId, { sum, items, polls: own }]) => ({
    guildId,
    meanSeconds: sum / Math.max(1, items),
    share: own / Math.max(1, polls),
  }));
}
