import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import * as z from 'zod';
import { programFile } from '../../src/build/state.js';
import { ACCOUNT_LINKS } from '../../src/sandbox/alert-parser.ts';
import { startBot } from '../../src/sandbox/bot-process.ts';
import { startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { openLedger } from '../../src/venue-server/ledger.ts';
import { startVenue } from '../../src/venue-server/venue.ts';
import { nowSeconds, trade } from '../e2e/fixture.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { UsageError } from './usage.ts';

const TOKEN = 'bench.token.of-the-local-discord';
/** A full first page for each wallet: the poller's largest. */
const TRADES_PER_WALLET = 100;
const BYTES_PER_MB = 2 ** 20;

/**
 * `npm run bench -- memory [--wallets 20] [--seconds 60]`: the bot as it is shipped, with so many watches, polled each
 * second, and a trade of one of them each second. Prints how long it takes from its start to the gateway, and its memory
 * (resident set size) in the end and at most.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { wallets: { type: 'string', default: '20' }, seconds: { type: 'string', default: '60' } },
  });
  const wallets = wholeNumber('--wallets', values.wallets);
  const seconds = wholeNumber('--seconds', values.seconds);
  const directory = benchFolder('memory');
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const venue = await startVenue({ ledger, keys: [DEMO_KEY], log });
  const discord = await startDiscord({ token: TOKEN, log });
  const guild = discord.createGuild({ name: 'Desk' });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const { id: channelId } = discord.createChannel(guild.id, { name: 'alerts' });
  const addresses = Array.from({ length: wallets }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
  for (const trader of addresses) {
    await ledger.addAll(
      Array.from({ length: TRADES_PER_WALLET }, (_, index) => ({
        kind: 'activity',
        wallet: trader,
        block: 1,
        item: trade({ trader, time: nowSeconds() - 60 * (index + 1) }),
      })),
    );
  }

  const startMs = performance.now();
  let metricsUrl = '';
  const bot = startBot({
    main: programFile('main'),
    directory,
    environment: {
      DISCORD_TOKEN: TOKEN,
      DISCORD_API_URL: discord.apiUrl,
      VENUE_BASE_URL: venue.url,
      VENUE_API_KEY: DEMO_KEY.key,
      STORE_URL: 'sqlite://bot.sqlite',
      POLL_CRON: '* * * * * *',
      HTTP_PORT: '0',
      COMMANDS_PER_MINUTE_USER: '600',
      COMMANDS_PER_MINUTE_GUILD: '600',
      NODE_ENV: 'production',
      ...ACCOUNT_LINKS,
    },
    onLine: (line) => {
      if (line['event'] === 'http.listening') metricsUrl = `${line['url']}/metrics`;
    },
  });
  const ended = once(bot.process, 'close').then(([code]) => {
    throw new Error(`The bot ended by itself (exit code ${code}).`);
  });
  ended.catch(() => {});
  await Promise.race([once(discord.events, 'gateway'), ended]);
  const gatewayMs = performance.now() - startMs;
  if (discord.commands().length === 0) await once(discord.events, 'commands');
  for (const wallet of addresses) {
    await (await discord.command(admin, channelId, 'watch add', { wallet })).reply();
  }
  const rssMb: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const trader = addresses[second % addresses.length] ?? '';
    await ledger.addActivity(trader, second + 2, trade({ trader }));
    await delay(1_000);
    rssMb.push((await residentBytes(metricsUrl)) / BYTES_PER_MB);
  }
  const result = {
    node: process.version,
    wallets,
    gatewaySeconds: round(gatewayMs / 1000),
    rssMb: round(rssMb.at(-1) ?? 0),
    maxRssMb: round(Math.max(...rssMb)),
    messages: discord.messages(channelId).length,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  await bot.stop();
  await discord.close();
  await venue.close();
  await ledger.close();
}

async function residentBytes(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return z.coerce.number().parse(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new UsageError(`Expected ${option} to be a whole number above 0, got "${text}".`);
  }
  return value;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
