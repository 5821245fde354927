import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { programFile } from '../../src/build/state.js';
import { ACCOUNT_LINKS, recordsIn } from '../../src/sandbox/alert-parser.ts';
import { startBot } from '../../src/sandbox/bot-process.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { startDiscord } from '../../src/sandbox/discord/fake-discord.ts';
import { DEMO_KEY } from '../../src/venue-server/keys.ts';
import { openLedger } from '../../src/venue-server/ledger.ts';
import { startVenue } from '../../src/venue-server/venue.ts';
import { nowSeconds, trade, txHash } from '../e2e/fixture.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { startChaosProxy } from '../support/chaos-proxy.ts';
import { seededRandom } from '../support/random.ts';

const POLICIES = ['round-robin', 'walletbell'] as const;
const WINDOW_SECONDS = 60;
const SHARE = 0.9;
const TOKEN = 'bench.token.of-the-local-discord';
const TICK_MS = 200;
const DRAIN_LIMIT_MS = 300_000;
/** A purchase in pieces: so many more fills in the same market and on the same side. */
const FURTHER_FILLS = 3;
/** Within two minutes of the first. */
const LAST_FILL_MS = 110_000;

/**
 * `npm run bench -- freshness [--minutes 5] [--wallets 40] [--limit 60] [--purchases 0.2] [--seed 1]`: two real bots with a small budget
 * each, one with the schedule and one round-robin, on the same venue, wallets and trades at the same time. Prints the
 * measured delay from a record's arrival in the venue to its message in the channel, the 429s, the share of the
 * allowed requests that was used, and in how many messages a purchase came whose fills fell within two minutes: lines of messages
 * that show several count as messages in `messagesPerPurchase`, and each message once in `newMessagesPerPurchase` and, if it makes
 * a sound, in `soundsPerPurchase`. Who polls more often announces the first fills sooner, and may announce the others on their own.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '5' },
      wallets: { type: 'string', default: '40' },
      limit: { type: 'string', default: '60' },
      purchases: { type: 'string', default: '0.2' },
      seed: { type: 'string', default: '1' },
    },
  });
  const minutes = Number(values.minutes);
  const limit = Number(values.limit);
  /** Of all trades: the first of a purchase in pieces. */
  const purchaseShare = Number(values.purchases);
  const random = seededRandom(Number(values.seed));
  const directory = benchFolder('freshness');
  const log = pino({ level: 'silent' });
  const ledger = await openLedger({ path: join(directory, 'venue.sqlite') });
  const keys = POLICIES.map((key) => ({ ...DEMO_KEY, key, limit, windowSeconds: WINDOW_SECONDS }));
  const venue = await startVenue({ ledger, keys, log });
  const wallets = Array.from({ length: Number(values.wallets) }, (_, index) => ({
    address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
    // Log-normal rates: a few wallets trade all the time, most hardly ever.
    perSecond: Math.exp(1.5 * normal(random)) / 60,
    burst: 0,
  }));
  const arrivals = new Map<string, number>();
  const purchases = new Set<string>();
  let fills: readonly Fill[] = [];
  const parties = await Promise.all(
    POLICIES.map((policy) => startParty(policy, { directory, venueUrl: venue.url, wallets })),
  );
  try {
    // From one window's beginning to another's, so that the share of the budget is that of whole windows.
    await delay(WINDOW_SECONDS * 1000 - (Date.now() % (WINDOW_SECONDS * 1000)));
    const startMs = Date.now();
    const before = parties.map(({ requests }) => requests());
    while (Date.now() - startMs < minutes * 60_000) {
      for (const wallet of wallets) {
        // Trades come in bursts: each makes further ones likely for a minute or so.
        wallet.burst *= Math.exp(-TICK_MS / 90_000);
        if (random() >= (wallet.perSecond * 0.2 + (0.8 * wallet.burst) / 90) * (TICK_MS / 1000)) continue;
        wallet.burst += 1;
        const hash = txHash();
        const atMs = Date.now();
        fills = [...fills, { hash, address: wallet.address, marketId: hash, atMs }];
        if (random() >= purchaseShare) continue;
        purchases.add(hash);
        fills = [...fills, ...furtherFills({ address: wallet.address, marketId: hash, atMs }, random)];
      }
      const due = fills.filter(({ atMs }) => atMs <= Date.now());
      fills = fills.filter((fill) => !due.includes(fill));
      for (const { hash, address, marketId } of due) {
        // Of a purchase in pieces no fill has an alert of its own for certain.
        if (!purchases.has(marketId)) arrivals.set(hash, Date.now());
        // Each trade and each purchase is in a market of its own, so that each has an alert of its own.
        const market = { marketId, conditionId: marketId, tokenId: BigInt(marketId).toString() };
        await ledger.addActivity(address, 1, trade({ txHash: hash, trader: address, time: nowSeconds(), ...market }));
      }
      await delay(TICK_MS);
    }
    // The last purchases are never completed: they count for nobody.
    for (const { marketId } of fills) purchases.delete(marketId);
    const seconds = (Date.now() - startMs) / 1000;
    const used = parties.map(({ requests }, index) => requests() - (before[index] ?? 0));
    const drain = AbortSignal.timeout(DRAIN_LIMIT_MS);
    const hasShownAll = ({ seen, shownIn }: Pick<(typeof parties)[number], 'seen' | 'shownIn'>) =>
      [...arrivals.keys()].every((hash) => seen.has(hash)) &&
      [...purchases].every((marketId) => fillsOf(shownIn.get(marketId)) > FURTHER_FILLS);
    while (!parties.every(hasShownAll) && !drain.aborted) await delay(500);
    const means = new Map<string, number>();
    for (const [index, { policy, seen, shownIn, heard, refusals }] of parties.entries()) {
      const delays = [...arrivals].flatMap(([hash, arrivedMs]) => {
        const shownMs = seen.get(hash);
        return shownMs === undefined ? [] : [(shownMs - arrivedMs) / 1000];
      });
      delays.sort((a, b) => a - b);
      const mean = delays.reduce((sum, value) => sum + value, 0) / Math.max(1, delays.length);
      means.set(policy, mean);
      const at = (share: number) => round(delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? 0);
      const perPurchase = (count: number) => round(count / Math.max(1, purchases.size));
      const lines = messagesOf(purchases, shownIn);
      const messages = [...new Set(lines)];
      const result = {
        policy,
        items: arrivals.size,
        alerts: delays.length,
        mean: round(mean),
        p50: at(0.5),
        p95: at(0.95),
        max: at(1),
        tooManyRequests: refusals(),
        budgetUsed: round((used[index] ?? 0) / ((limit * SHARE * seconds) / WINDOW_SECONDS)),
        purchases: purchases.size,
        messagesPerPurchase: perPurchase(lines.length),
        newMessagesPerPurchase: perPurchase(messages.length),
        soundsPerPurchase: perPurchase(messages.filter((id) => heard.has(id)).length),
        newMessages: new Set([...shownIn.values()].flatMap((fillsByMessage) => [...fillsByMessage.keys()])).size,
        vsRoundRobin: round(mean / (means.get('round-robin') ?? mean)),
      };
      process.stdout.write(`${JSON.stringify(result)}\n`);
    }
  } finally {
    await Promise.all(parties.map(({ stop }) => stop()));
    await venue.close();
    await ledger.close();
  }
}

interface Fill {
  readonly hash: string;
  readonly address: string;
  readonly marketId: string;
  readonly atMs: number;
}

function furtherFills(first: Omit<Fill, 'hash'>, random: () => number): Fill[] {
  return Array.from({ length: FURTHER_FILLS }, () => {
    return { ...first, hash: txHash(), atMs: first.atMs + random() * LAST_FILL_MS };
  });
}

/** By market: how many fills each message shows of it now. */
type ShownIn = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The ids of the messages that show purchases: of one that shows several as often. */
function messagesOf(purchases: ReadonlySet<string>, shownIn: ShownIn): string[] {
  return [...purchases].flatMap((marketId) => [...(shownIn.get(marketId)?.keys() ?? [])]);
}

function fillsOf(fillsByMessage: ReadonlyMap<string, number> = new Map()): number {
  return [...fillsByMessage.values()].reduce((sum, fills) => sum + fills, 0);
}

interface PartyOptions {
  readonly directory: string;
  readonly venueUrl: string;
  readonly wallets: readonly { readonly address: string }[];
}

/** A bot with a Discord of its own, and everything watched. */
async function startParty(policy: (typeof POLICIES)[number], { directory, venueUrl, wallets }: PartyOptions) {
  const folder = join(directory, policy);
  await mkdir(folder);
  const counter = await startChaosProxy({ target: venueUrl, random: () => 1, share: 0, harms: [] });
  const discord = await startDiscord({ token: TOKEN, log: pino({ level: 'silent' }) });
  const seen = new Map<string, number>();
  const shownIn = new Map<string, Map<string, number>>();
  const heard = new Set<string>();
  // Each trade and each purchase is in a market of its own, and a message shows a market once.
  const note = (message: SeenMessage) => {
    if (!message.silent) heard.add(message.id);
    for (const shown of recordsIn(message)) {
      if (shown.kind !== 'fills') continue;
      const fillsByMessage = shownIn.get(shown.marketId) ?? new Map<string, number>();
      shownIn.set(shown.marketId, fillsByMessage.set(message.id, shown.count));
      if (!seen.has(shown.marketId)) seen.set(shown.marketId, Date.now());
    }
  };
  discord.events.on('message', note);
  discord.events.on('edit', note);
  const guild = discord.createGuild({ name: policy });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const { id: channelId } = discord.createChannel(guild.id, { name: 'alerts' });
  const environment = {
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_URL: discord.apiUrl,
    VENUE_BASE_URL: counter.url,
    VENUE_API_KEY: policy,
    BUDGET_SHARE: String(SHARE),
    COMMANDS_PER_MINUTE_USER: '600',
    COMMANDS_PER_MINUTE_GUILD: '600',
    STORE_URL: 'sqlite://bot.sqlite',
    ...ACCOUNT_LINKS,
    WALLETBELL_TEST_SCHEDULE: policy,
  };
  // The watches are made with a generous key, so that the measured minutes begin alike for both.
  const generous = startBot({
    main: programFile('main'),
    directory: folder,
    environment: { ...environment, VENUE_API_KEY: 'none' },
    onLine: () => {},
  });
  await once(discord.events, 'commands');
  for (const { address } of wallets) {
    await (await discord.command(admin, channelId, 'watch add', { wallet: address })).reply();
  }
  await generous.stop();
  const bot = startBot({ main: programFile('main'), directory: folder, environment, onLine: () => {} });
  await once(discord.events, 'gateway');
  return {
    policy,
    seen,
    shownIn,
    heard,
    requests: () => [...counter.statuses].reduce((sum, [status, count]) => sum + (status === 401 ? 0 : count), 0),
    refusals: () => counter.statuses.get(429) ?? 0,
    async stop() {
      await bot.stop();
      await discord.close();
      await counter.close();
    },
  };
}

/** A standard normal number (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
