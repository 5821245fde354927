import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import type { BotProcess, BotProcessOptions } from '../../../src/demo/bot-process.ts';
import { STEPS, type Step } from '../../../src/lib/failpoints.ts';
import { messageChange } from '../../e2e/fixture.ts';
import { startBotHere } from '../bot-here.ts';
import { seededRandom } from '../random.ts';
import { trade, transfer } from '../records.ts';
import { launch, openWorld, type World } from '../world.ts';
import { followChannels } from './channels.ts';
import type { Destination } from './destination.ts';
import { startFailingReceiver } from './failing-receiver.ts';

export interface CrashRunOptions {
  /** Number of kills at random moments. */
  readonly kills: number;
  /** Number of additional kills at each named step of an alert's processing. */
  readonly killsPerStep: number;
  /** Steps to kill at; by default all steps of an alert that is sent without delay. */
  readonly steps?: readonly Step[];
  readonly seed: number;
  /** Whether one of the channels is delayed by a minute. The run then waits for it at the end. */
  readonly hasLater?: boolean;
  /** Called after each kill with the number of kills so far and in total. */
  readonly onKill?: (done: number, all: number) => void;
  /** An empty folder for files. */
  readonly directory: string;
  /** For the bots that are killed; by default the flags of `npm start`. */
  readonly flags?: Pick<BotProcessOptions, 'nodeFlags'>;
}

const WALLETS = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}`);
const PAST_TRADES = 101;
const PAST_SECONDS = 1_600_000_000;
const LONGEST_LIFE_MS = 4_000;
/** If a step is not reached within this time, nothing was in progress and it never will be. */
const STEP_LIMIT_MS = 20_000;
/** Delay of the delayed channel. */
const DELAY_MS = 60_000;
const DRAIN_LIMIT_MS = DELAY_MS + 60_000;
/**
 * Less than a page. On a slow machine trading pauses at this number, because otherwise more would
 * arrive than the bot can ever see.
 */
const UNPOSTED_LIMIT = 90;
/** Number of lines of the bot's log that are shown if it ends by itself. */
const LINES_SHOWN = 20;

/**
 * Runs the real bot with a venue and a fake Discord while trading goes on, kills it with SIGKILL
 * repeatedly, and finally compares what each destination received with the venue's ledger.
 */
export async function crashRun(options: CrashRunOptions) {
  const { kills, killsPerStep, seed, directory, steps = STEPS, hasLater = false } = options;
  let killed = 0;
  const onKill = () => {
    killed += 1;
    options.onKill?.(killed, killsPerStep * steps.length + kills);
  };
  const random = seededRandom(seed);
  const aSecond = { limit: 50, windowMs: 1_000 };
  const rateLimits = { 'message.create': aSecond, 'message.edit': aSecond };
  const world = await openWorld('crash', { directory, limit: 60_000, rateLimits });
  const { discord } = world;
  const guild = discord.createGuild({ name: 'Desk' });
  const channels = followChannels(discord);
  const receiver = await startFailingReceiver(guild.id, seededRandom(seed + 1));
  const destinations = [channels, receiver];
  const bots = startBots(world, receiver.environment, options.flags);
  const playing = new AbortController();
  const { signal } = playing;
  const player = createPlayer(world, destinations, random);
  let killsByStep: Readonly<Record<string, number>> = {};
  try {
    await addWatches(world, guild.id, channels, bots, hasLater);
    const ends = [player.play(channels, signal), receiver.fail(signal)];
    killsByStep = await killAtSteps(bots, { steps, killsPerStep, onKill }, random);
    for (let kill = 0; kill < kills; kill += 1) {
      await killAtRandom(bots, world, random);
      onKill();
    }
    playing.abort();
    await Promise.all(ends);
    bots.startHere();
    await allCome(destinations);
  } finally {
    playing.abort();
    await bots.stop();
    await receiver.close();
    await world.close();
  }
  return {
    kills: killsPerStep * steps.length + kills,
    killsByStep,
    items: player.items(),
    channels: channels.report(),
    receiver: receiver.report(),
  };
}

/** Starts one bot after another; none may end by itself. */
function startBots(
  world: World,
  environment: Readonly<Record<string, string>>,
  flags: CrashRunOptions['flags'],
) {
  let bot: Pick<BotProcess, 'stop'> | undefined;
  let lines: unknown[] = [];
  const own = { WALLETBELL_TEST_POLL_MIN_SECONDS: '0.1', LOG_LEVEL: 'error', ...environment };
  const onLine = (line: unknown) => {
    lines = [...lines.slice(1 - LINES_SHOWN), line];
  };
  return {
    start(variables: Readonly<Record<string, string>> = {}): BotProcess {
      lines = [];
      const started = launch(world, { ...own, ...variables }, onLine, [], flags);
      bot = started;
      return started;
    },
    /** Starts one that is not killed, in this process, which costs less. */
    startHere(): void {
      const variables = { POLL_CRON: '* * * * * *', ...world.environment, ...own };
      ({ bot } = startBotHere(variables, onLine));
    },
    /**
     * Kills a started bot.
     *
     * @throws Error if it has ended otherwise
     */
    async kill(started: BotProcess): Promise<void> {
      await started.kill();
      const { signalCode, exitCode } = started.process;
      if (signalCode === 'SIGKILL') return;
      throw new Error(`The bot has ended by itself (${exitCode}): ${JSON.stringify(lines)}`);
    },
    stop: () => bot?.stop(),
  };
}
type Bots = ReturnType<typeof startBots>;

/** Makes a server and a person watch wallets that have traded before. */
async function addWatches(
  { discord, ledger }: World,
  guildId: string,
  { watch, delay: noteDelay }: ReturnType<typeof followChannels>,
  bots: Bots,
  hasLater: boolean,
): Promise<void> {
  const admin = discord.createMember(guildId, { name: 'ada', admin: true });
  const channels = ['one', 'two'].map((name) => discord.createChannel(guildId, { name }).id);
  // A person watches the server's wallets too.
  const person = discord.createMember(guildId, { name: 'bob' });
  const { id: directId } = discord.openDm(person.userId);
  bots.startHere();
  if (discord.commands().length === 0) await once(discord.events, 'commands');
  for (const [index, wallet] of WALLETS.entries()) {
    // More than a page shows, so that the bot has to query the venue for each market.
    await ledger.addAll(
      Array.from({ length: PAST_TRADES }, (_, past): LedgerRecord => {
        const txHash = `0x${index + 1}f${String(past).padStart(62, '0')}`;
        const item = trade({ txHash, trader: wallet, time: PAST_SECONDS + past });
        return { kind: 'activity', wallet, block: 0, item };
      }),
    );
    for (const channelId of index % 2 === 0 ? channels : channels.slice(0, 1)) {
      watch(wallet, channelId);
      await (await discord.command(admin, channelId, 'watch add', { wallet })).reply();
    }
    if (hasLater && index === 0) {
      const { id: free } = discord.createChannel(guildId, { name: 'free' });
      watch(wallet, free);
      noteDelay(free, DELAY_MS);
      await (await discord.command(admin, free, 'watch add', { wallet })).reply();
      await (await discord.command(admin, free, 'watch channel', { delay: '1m' })).reply();
    }
    if (index % 3 > 0) continue;
    watch(wallet, directId);
    await (await discord.command(person, directId, 'watch add', { wallet })).reply();
  }
  await bots.stop();
}

/** Creates a player that makes the wallets trade. */
function createPlayer(
  { ledger }: World,
  destinations: readonly Destination[],
  random: () => number,
) {
  let items = 0;
  const markets = WALLETS.map(() => 1);
  const playOnce = async () => {
    const place = Math.floor(random() * WALLETS.length);
    const wallet = WALLETS[place] ?? '';
    const fills = 1 + Math.floor(random() * 3);
    // Sometimes another piece of an already alerted purchase, sometimes a new purchase.
    if (random() < 0.25) markets[place] = (markets[place] ?? 0) + 1;
    const records = Array.from({ length: fills }, (_, fill): LedgerRecord => {
      items += 1;
      const isTransfer = fill === 0 && random() < 0.2;
      const txHash = `0x${place + 1}${String(items).padStart(63, '0')}`;
      if (isTransfer)
        return { kind: 'transfer', wallet, item: transfer({ txHash, amount: items }) };
      return {
        kind: 'activity',
        wallet,
        block: items,
        item: trade({
          ...marketNames(place, markets[place] ?? 0),
          txHash,
          trader: wallet,
          quantity: items,
        }),
      };
    });
    const atMs = Date.now();
    await ledger.addAll(records);
    for (const record of records)
      for (const destination of destinations) destination.expect(record, atMs);
  };
  return {
    items: () => items,
    /**
     * Plays until the signal aborts, but pauses while too many records have not arrived at a
     * destination.
     */
    async play({ missing }: Pick<Destination, 'missing'>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        if (missing() < UNPOSTED_LIMIT) await playOnce();
        await delay(200 + random() * 600);
      }
    },
  };
}

/** @returns the number of kills at each step */
async function killAtSteps(
  bots: Bots,
  {
    steps,
    killsPerStep,
    onKill,
  }: {
    readonly steps: readonly Step[];
    readonly killsPerStep: number;
    readonly onKill: () => void;
  },
  random: () => number,
) {
  const killsByStep: Record<string, number> = {};
  for (let round = 0; round < killsPerStep; round += 1) {
    for (const step of steps) {
      const run = bots.start({
        WALLETBELL_TEST_KILL_AT: `${step}:${1 + Math.floor(random() * 3)}`,
      });
      await once(run.process, 'close', { signal: AbortSignal.timeout(STEP_LIMIT_MS) }).catch(
        () => {},
      );
      if (run.process.signalCode === 'SIGKILL') killsByStep[step] = (killsByStep[step] ?? 0) + 1;
      await bots.kill(run);
      onKill();
    }
  }
  return killsByStep;
}

async function killAtRandom(bots: Bots, { discord }: World, random: () => number): Promise<void> {
  const run = bots.start();
  const isAtMessage = random() < 0.3;
  // Kills right after Discord has accepted the message, before its response can have been read: the
  // moment that causes duplicates.
  if (isAtMessage) await Promise.race([messageChange(discord), delay(2 * LONGEST_LIFE_MS)]);
  else await delay(random() * LONGEST_LIFE_MS);
  await bots.kill(run);
}

/** Resolves when nothing is missing at any destination, or the time limit is reached. */
async function allCome(destinations: readonly Destination[]): Promise<void> {
  const limit = AbortSignal.timeout(DRAIN_LIMIT_MS);
  for (const destination of destinations) {
    while (destination.missing() > 0 && !limit.aborted) await destination.change(limit);
  }
}

/**
 * @param place index of the wallet, from 0
 * @param market number of the market, in order of play
 */
function marketNames(place: number, market: number) {
  const marketId = `${place + 1}${String(market).padStart(6, '0')}`;
  return { marketId, conditionId: `0x${marketId.padStart(64, 'c')}` };
}
