import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { DEMO_KEY } from '../reference/keys.ts';
import { openLedger } from '../reference/ledger.ts';
import { createSimulator } from '../reference/simulator/simulator.ts';
import { startVenue } from '../reference/venue.ts';
import { type BotProcess, startBot } from './bot-process.ts';
import { type DiscordDouble, startDiscord } from './discord/double.ts';
import { plainMessage } from './plain.ts';
import { ACCOUNT_TX_URL, type Account, createAccount } from './reconcile.ts';

const USAGE = `Usage: npm run demo -- [--headless] [--seconds N] [--port N]
  --headless   print the alerts, end after the seconds, and check them against the venue's ledger
  --seconds N  how long traders trade; 60 with --headless, until Ctrl-C without
  --port N     port of the local Discord; a free one if left out`;
const HEADLESS_SECONDS = 60;
/** The bot may need this long to tell the last trades; if it does, something is wrong. */
const DRAIN_LIMIT_MS = 30_000;
const START_LIMIT_MS = 30_000;
const BACKFILL_HOURS = 6;
const TOKEN = 'sandbox.token.for-the-local-discord';

interface DemoOptions {
  /** Null: until Ctrl-C. */
  readonly seconds: number | null;
  readonly port: number;
}

/** Runs everything on loopback: a venue with traders, a local Discord, and the real bot between them. */
async function demo(options: DemoOptions): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'walletbell-demo-'));
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const nowSeconds = () => Date.now() / 1000;
  const account = createAccount();
  const simulator = createSimulator({
    ledger,
    seed: Date.now(),
    nowSeconds,
    onRecord: account.expect,
    onError: (error) => say(`The traders have stopped: ${error}`),
  });
  await simulator.backfill(BACKFILL_HOURS);
  const venue = await startVenue({ ledger, keys: [DEMO_KEY], log });
  const discord = await startDiscord({ token: TOKEN, port: options.port, log });
  const guild = discord.createGuild({ name: 'Copy desk' });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const channels = ['whales', 'all-desks'].map((name) => discord.createChannel(guild.id, { name }));
  const namesById = new Map(channels.map(({ id, name }) => [id, name]));

  discord.events.on('message', (message) => {
    const name = namesById.get(message.channelId);
    if (name === undefined || message.interactionId !== null || !message.author.bot) return;
    account.see(message);
    say(`[#${name}] ${plainMessage(message, nowSeconds())}`);
  });
  discord.events.on('rejected', ({ route, reason }) => complain(`Discord refused ${route}: ${reason}`));

  let bot: BotProcess | undefined;
  try {
    const ready = once(discord.events, 'commands', { signal: AbortSignal.timeout(START_LIMIT_MS) });
    bot = startBot({
      directory,
      environment: {
        DISCORD_TOKEN: TOKEN,
        DISCORD_API_URL: discord.apiUrl,
        VENUE_BASE_URL: venue.url,
        VENUE_API_KEY: DEMO_KEY.key,
        STORE_URL: `sqlite://${join(directory, 'walletbell.sqlite')}`,
        POLL_CRON: '* * * * * *',
        TX_URL: ACCOUNT_TX_URL,
      },
      onLine: (line) => {
        if (typeof line['level'] !== 'number' || line['level'] >= 40) complain(`bot: ${JSON.stringify(line)}`);
      },
    });
    const unexpectedEnd = once(bot.process, 'exit').then(([code]) => {
      throw new Error(`The bot ended by itself (exit code ${code}).`);
    });
    unexpectedEnd.catch(() => {});
    await Promise.race([ready, unexpectedEnd]);
    for (const [index, { handle, address, pace }] of simulator.traders.entries()) {
      const wanted = channels.filter((_, place) => (place === 0 ? pace === 'fast' : pace !== 'fast' || index === 0));
      for (const { id } of wanted) {
        account.watch(address, id, Math.floor(nowSeconds()));
        const answer = await discord.command(admin, id, 'watch add', { wallet: address, label: handle });
        say(`/watch add ${handle} — ${plainMessage(await answer.reply(), nowSeconds())}`);
      }
    }
    simulator.start();
    say(`Traders trade. The local Discord is ${discord.apiUrl}, the venue ${venue.url}. Ctrl-C ends.`);
    await Promise.race([interrupted(options.seconds), unexpectedEnd]);
    await simulator.stop();
    await drained(discord, account);
  } finally {
    await simulator.stop();
    await bot?.stop();
    await discord.close();
    await venue.close();
    await ledger.close();
    await rm(directory, { recursive: true, force: true });
  }
  const { alerts, duplicates, lost, differences } = account.balance();
  for (const difference of differences) complain(difference);
  say(`${alerts} alerts, ${duplicates} duplicates, ${lost} lost`);
  return alerts > 0 && duplicates === 0 && lost === 0;
}

/** Resolves at Ctrl-C, or when the seconds are over. */
async function interrupted(seconds: number | null): Promise<void> {
  const signals = (['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal));
  await Promise.race([...signals, ...(seconds === null ? [] : [delay(seconds * 1000)])]);
}

/** Resolves when the channels show all that they must, or the time for that is up. */
async function drained(discord: DiscordDouble, account: Account): Promise<void> {
  const limit = AbortSignal.timeout(DRAIN_LIMIT_MS);
  while (account.balance().lost > 0 && !limit.aborted) {
    await once(discord.events, 'message', { signal: limit }).catch(() => {});
  }
}

function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { headless: { type: 'boolean', default: false }, seconds: { type: 'string' }, port: { type: 'string' } },
  });
  const seconds = values.seconds === undefined ? (values.headless ? HEADLESS_SECONDS : null) : Number(values.seconds);
  if (seconds !== null && !(seconds > 0 && seconds <= 86_400)) {
    throw new TypeError(`--seconds is "${values.seconds}". Accepted: a number above 0, up to 86400.`);
  }
  const port = Number(values.port ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`--port is "${values.port}". Accepted: a whole number from 0 to 65535; 0 picks a free one.`);
  }
  return { seconds, port };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function main(): Promise<number> {
  let options: DemoOptions;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    complain(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return 64;
  }
  return (await demo(options)) ? 0 : 1;
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    complain(String(error instanceof Error ? (error.stack ?? error.message) : error));
    process.exit(1);
  },
);
