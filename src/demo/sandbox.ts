import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import {
  type FakeDiscord,
  type MemberRef,
  startDiscord,
} from '@walletbell/local-discord/discord/fake-discord';
import { plainMessage } from '@walletbell/local-discord/plain';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { createSimulator, type Simulator } from '@walletbell/venue-server/simulator/simulator';
import { pino } from 'pino';
import { errorCode, OperatorError } from '../lib/error.ts';
import { NO_PROGRESS, type Progress } from '../lib/progress.ts';
import { HOUR_MS, HOUR_SECONDS, MINUTE_MS } from '../lib/time.ts';
import { ACCOUNT_LINKS } from './alert-parser.ts';
import { type BotState, type BotSupervisor, createBotSupervisor } from './bot-supervisor.ts';
import { rememberPast } from './past.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Account, createAccount, followMessages } from './reconcile.ts';
import { createVenueSwitch, type VenueSwitch } from './venue-switch.ts';

/** Prefix of the folders with the demo's files, before the process id. */
const FOLDER_PREFIX = 'walletbell-demo-';
const START_LIMIT_MS = 30_000;
/**
 * Maximum time for the bot to alert on the last trades, in ms; if it needs longer, something is
 * wrong.
 */
const DRAIN_LIMIT_MS = 30_000;
/** Delay of #free, in ms; #whales has none. */
const FREE_DELAY_MS = 5 * MINUTE_MS;

/**
 * The whole demo on loopback: a venue with traders, a local Discord, a receiver of signed alerts,
 * and the real bot between them.
 */
export interface Sandbox {
  readonly discord: FakeDiscord;
  readonly venue: VenueSwitch;
  readonly simulator: Simulator;
  readonly account: Account;
  /** Receives the alerts that the bot also delivers outside Discord. */
  readonly receiver: Receiver;
  readonly bot: BotSupervisor;
  readonly guildId: string;
  /** Administrator of the server. */
  readonly admin: MemberRef;
  /** The administrator's direct message with the bot. */
  readonly directId: string;
  /** A member with default permissions. */
  readonly member: MemberRef;
  /**
   * Creates the past of traders and bot, and starts the bot.
   *
   * @throws Error if the bot ends by itself, or is not ready in time
   */
  open(): Promise<void>;
  /**
   * Resolves when the channels show everything that they must, or when the time for that is over.
   */
  drained(): Promise<void>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Port of the local Discord; 0 picks a free one. */
  readonly discordPort: number;
  /** Hours of trading, watched by the channels, before the bot starts. */
  readonly historyHours: number;
  /** Seed of the simulated world; default: a new one each time. */
  readonly seed?: string;
  /** The bot's program, dist/main.js. */
  readonly botMain: string;
  readonly progress?: Progress;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  readonly onBotState?: (state: BotState) => void;
  /** Receives the bot's log, one line at a time. */
  readonly onBotLine?: (line: Readonly<Record<string, unknown>>) => void;
}

/**
 * Creates a folder for this process, and deletes those of killed ones.
 *
 * @throws {OperatorError} if they cannot be written to
 */
async function makeFolder(): Promise<string> {
  try {
    await clearAbandoned();
    return await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  } catch (error) {
    const advice = 'Make room there, or name another one in TMPDIR.';
    throw new OperatorError(
      `The folder for temporary files, ${tmpdir()}, cannot be written (${errorCode(error)}). ${advice}`,
      error,
    );
  }
}

/** @throws Error if the local Discord cannot listen on its port; nothing is left behind then */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const directory = await makeFolder();
  const closers = [() => rm(directory, { recursive: true, force: true, maxRetries: 5 })];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await fillSandbox(options, { directory, closers, closeAll });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Deletes folders of killed demos, whose processes are gone. Folders of other users stay. */
async function clearAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = name.startsWith(FOLDER_PREFIX)
      ? (/^(\d+)-/.exec(name.slice(FOLDER_PREFIX.length)) ?? [])
      : [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

async function fillSandbox(
  options: SandboxOptions,
  {
    directory,
    closers,
    closeAll,
  }: {
    readonly directory: string;
    /** Functions that close the parts, in the order in which the parts were started. */
    readonly closers: (() => Promise<unknown>)[];
    readonly closeAll: () => Promise<void>;
  },
): Promise<Sandbox> {
  const { say, complain, historyHours, progress = NO_PROGRESS } = options;
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  closers.push(() => ledger.close());
  const nowSeconds = () => Date.now() / 1000;
  const account: Account = createAccount({
    channel: (id) =>
      id === directId ? "ada's direct message" : `#${discord.channel(id)?.name ?? id}`,
    wallet: (wallet) =>
      simulator.traders.find(({ address }) => address.toLowerCase() === wallet)?.handle ?? wallet,
  });
  const simulator = createSimulator({
    ledger,
    seed: options.seed ?? Date.now(),
    nowSeconds,
    onRecord: account.expect,
    onError: (error) => say(`The traders have stopped: ${error}`),
  });
  const venue = await createVenueSwitch({ ledger, log, onServed: account.served });
  closers.push(() => venue.close());
  // Secret, because other programs and pages on this machine must not be able to act as the bot.
  const token = randomBytes(24).toString('hex');
  const discord = await startDiscord({ token, port: options.discordPort, log });
  closers.push(() => discord.close());
  const receiver = await startReceiver();
  closers.push(() => receiver.close());
  const botJoinedAtMs = Date.now() - historyHours * HOUR_MS;
  const guild = discord.createGuild({ name: 'Copy traders', botJoinedAtMs });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const channels = ['whales', 'all-wallets', 'free'].map((name) =>
    discord.createChannel(guild.id, { name }),
  );
  const free = channels.find(({ name }) => name === 'free')?.id;
  const member = discord.createMember(guild.id, { name: 'bob' });
  discord.setInstalled(admin.userId, true);
  const { id: directId } = discord.openDm(admin.userId);
  const storeUrl = `sqlite://${join(directory, 'walletbell.sqlite')}`;
  // One person plays a whole server here.
  const often = { commandsPerMinute: 600 };
  const limitsPath = join(directory, 'limits.json');
  await writeFile(limitsPath, JSON.stringify({ defaults: { guilds: often, users: often } }));

  followMessages(account, discord.events);
  discord.events.on('message', (message: SeenMessage) => {
    const channel = discord.channel(message.channelId);
    if (!channel || message.interactionId !== null || !message.author.bot) return;
    say(
      `[${channel.id === directId ? 'to ada' : `#${channel.name}`}] ${plainMessage(message, nowSeconds())}`,
    );
  });
  discord.events.on('rejected', ({ route, reason }) =>
    complain(`Discord refused ${route}: ${reason}`),
  );

  const bot = createBotSupervisor({
    directory,
    main: options.botMain,
    environment: {
      DISCORD_TOKEN: token,
      DISCORD_API_URL: discord.apiUrl,
      VENUE_BASE_URL: venue.url,
      VENUE_API_KEY: DEMO_KEY.key,
      STORE_URL: storeUrl,
      POLL_CRON: '* * * * * *',
      LIMITS_FILE: limitsPath,
      ALERTS_URL: receiver.url,
      ALERTS_SECRET: receiver.secret,
      ALERTS_GUILDS: guild.id,
      ...ACCOUNT_LINKS,
    },
    onState: (state) => options.onBotState?.(state),
    onLine: (line) => {
      options.onBotLine?.(line);
      // A busy machine is not the bot's fault.
      if (line['event'] === 'poll.tick_late') return;
      if (typeof line['level'] !== 'number' || line['level'] >= 40) {
        complain(`bot: ${JSON.stringify(line)}`);
      }
    },
  });
  const closing = new AbortController();
  let past: Promise<void> = Promise.resolve();
  closers.push(
    () => bot.stop(),
    () => simulator.stop(),
    () => {
      closing.abort();
      return past.catch(() => {});
    },
  );

  /** Lets the traders trade and the bot watch them until now. */
  async function makePast(): Promise<void> {
    const beganSeconds = Math.floor(nowSeconds() - historyHours * HOUR_SECONDS);
    if (historyHours > 0) {
      say(`The traders trade for ${historyHours} hours, which takes some seconds.`);
    }
    await simulator.backfill(historyHours, (done) =>
      progress.count('Simulating the past', done, historyHours, 'hours'),
    );
    const watches = simulator.traders.flatMap(({ handle, address, pace }, index) =>
      channels
        .filter((_, place) => (place === 1 ? pace !== 'fast' || index === 0 : pace === 'fast'))
        .map(({ id: channelId }) => ({
          ownerId: guild.id,
          channelId,
          wallet: address,
          label: handle,
          addedBy: admin.userId,
        })),
    );
    const { signal } = closing;
    const sinceSeconds = await rememberPast({
      storeUrl,
      ledger,
      watches,
      delays: free === undefined ? {} : { [free]: FREE_DELAY_MS },
      beganSeconds,
      nowSeconds,
      signal,
      onWallets: (done, total) =>
        progress.count('Letting the bot watch it', done, total, 'wallets'),
    });
    progress.clear();
    for (const { wallet, channelId } of watches) {
      account.watch(wallet, channelId, sinceSeconds, channelId === free ? FREE_DELAY_MS : 0);
    }
  }

  return {
    discord,
    venue,
    simulator,
    account,
    receiver,
    bot,
    guildId: guild.id,
    admin,
    directId,
    member,
    async open() {
      past = makePast();
      await past;
      const ready = once(discord.events, 'commands', {
        signal: AbortSignal.timeout(START_LIMIT_MS),
      });
      bot.start();
      await Promise.race([ready, bot.unexpectedEnd()]);
    },
    async drained() {
      account.end();
      const limit = AbortSignal.timeout(DRAIN_LIMIT_MS);
      const isMissing = () => {
        const { lost, announced } = account.balance();
        return lost > announced;
      };
      while (isMissing() && !limit.aborted) {
        const either = new AbortController();
        const signal = AbortSignal.any([limit, either.signal]);
        // A message may be edited to show one more alert.
        const events = ['message', 'edit'].map((event) => once(discord.events, event, { signal }));
        await Promise.race(events).catch(() => {});
        either.abort();
      }
    },
    close: closeAll,
  };
}
