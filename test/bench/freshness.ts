import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { recordsIn } from '../../src/demo/alert-parser.ts';
import { startBot } from '../../src/demo/bot-process.ts';
import { endsWithUs } from '../support/bench-folder.ts';
import { nowSeconds, trade, txHash } from '../support/records.ts';
import { launch, openWorld, storeWatches, type World } from '../support/world.ts';
import { DEFAULTS } from './defaults.ts';
import { mean, print, quantiles } from './figures.ts';
import { seededRandom } from './schedule-random.ts';
import { readOptions } from './usage.ts';

const POLICIES = ['round-robin', 'walletbell'] as const;
const WINDOW_SECONDS = 60;
const SHARE = 0.9;
const TICK_MS = 200;
const DRAIN_LIMIT_MS = 300_000;
/** Number of additional fills of a purchase in pieces, in the same market and on the same side. */
const FURTHER_FILLS = 3;
/** Latest time of the last fill, within two minutes of the first. */
const LAST_FILL_MS = 110_000;

/**
 * Runs two real bots with a small budget each, one with the schedule and one round-robin, on the
 * same wallets and trades at the same time. Prints the measured delay from a record's arrival in
 * the venue to its message in the channel, the 429s, the used share of the allowed requests, and
 * the number of messages of a purchase whose fills are within two minutes. `messagesPerPurchase`
 * counts lines of messages that show several purchases as messages. `newMessagesPerPurchase` counts
 * each message once, and `soundsPerPurchase` each message with a sound. A bot that polls more often
 * posts the first fills sooner, and may post the others separately.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args, DEFAULTS.freshness);
  const { minutes, limit } = options;
  const random = seededRandom(1);
  const parties = await Promise.all(POLICIES.map((policy) => startParty(policy, options)));
  const wallets = (parties[0]?.world.watches ?? []).map(({ wallet }) => ({
    address: wallet,
    // A few wallets trade all the time, most hardly ever.
    perSecond: random.logNormal(1, 1.5) / 60,
    burst: 0,
  }));
  const arrivals = new Map<string, number>();
  const purchases = new Set<string>();
  let fills: readonly Fill[] = [];
  try {
    // The run starts and ends at window boundaries, so that the used share refers to whole windows.
    await delay(WINDOW_SECONDS * 1000 - (Date.now() % (WINDOW_SECONDS * 1000)));
    const startMs = Date.now();
    const before = parties.map(requestsOf);
    while (Date.now() - startMs < minutes * 60_000) {
      for (const wallet of wallets) {
        // Trades come in bursts: each makes more trades likely for about a minute.
        wallet.burst *= Math.exp(-TICK_MS / 90_000);
        if (random() >= (wallet.perSecond * 0.2 + (0.8 * wallet.burst) / 90) * (TICK_MS / 1000))
          continue;
        wallet.burst += 1;
        const hash = txHash();
        const atMs = Date.now();
        fills = [...fills, { hash, address: wallet.address, marketId: hash, atMs }];
        if (random() >= options.purchases) continue;
        purchases.add(hash);
        fills = [
          ...fills,
          ...furtherFills({ address: wallet.address, marketId: hash, atMs }, random),
        ];
      }
      const due = fills.filter(({ atMs }) => atMs <= Date.now());
      fills = fills.filter((fill) => !due.includes(fill));
      for (const { hash, address, marketId } of due) {
        // Fills of a purchase in pieces are not certain to have separate alerts.
        if (!purchases.has(marketId)) arrivals.set(hash, Date.now());
        // Each trade and each purchase is in a separate market, so that each has a separate alert.
        const market = { marketId, conditionId: marketId, tokenId: BigInt(marketId).toString() };
        const item = trade({ txHash: hash, trader: address, time: nowSeconds(), ...market });
        for (const { world } of parties) await world.ledger.addActivity(address, 1, item);
      }
      await delay(TICK_MS);
    }
    // The last purchases are never completed, so they don't count for either bot.
    for (const { marketId } of fills) purchases.delete(marketId);
    const seconds = (Date.now() - startMs) / 1000;
    const used = parties.map((party, index) => requestsOf(party) - (before[index] ?? 0));
    const drain = AbortSignal.timeout(DRAIN_LIMIT_MS);
    const hasShownAll = ({ seen, shownIn }: Party) =>
      [...arrivals.keys()].every((hash) => seen.has(hash)) &&
      [...purchases].every((marketId) => fillsOf(shownIn.get(marketId)) > FURTHER_FILLS);
    while (!parties.every(hasShownAll) && !drain.aborted) await delay(500);
    const means = new Map<string, number>();
    for (const [index, { policy, world, seen, shownIn, heard }] of parties.entries()) {
      const delays = [...arrivals].flatMap(([hash, arrivedMs]) => {
        const shownMs = seen.get(hash);
        return shownMs === undefined ? [] : [(shownMs - arrivedMs) / 1000];
      });
      means.set(policy, mean(delays));
      const at = quantiles(delays);
      const perPurchase = (count: number) => count / Math.max(1, purchases.size);
      const lines = messagesOf(purchases, shownIn);
      const messages = [...new Set(lines)];
      print({
        policy,
        items: arrivals.size,
        alerts: delays.length,
        mean: mean(delays),
        p50: at(0.5),
        p95: at(0.95),
        max: at(1),
        tooManyRequests: world.answers.get(429) ?? 0,
        budgetUsed: (used[index] ?? 0) / ((limit * SHARE * seconds) / WINDOW_SECONDS),
        purchases: purchases.size,
        messagesPerPurchase: perPurchase(lines.length),
        newMessagesPerPurchase: perPurchase(messages.length),
        soundsPerPurchase: perPurchase(messages.filter((id) => heard.has(id)).length),
        newMessages: new Set(
          [...shownIn.values()].flatMap((fillsByMessage) => [...fillsByMessage.keys()]),
        ).size,
        vsRoundRobin: mean(delays) / (means.get('round-robin') ?? Number.NaN),
      });
    }
  } finally {
    await Promise.all(parties.map(({ stop }) => stop()));
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

/** Number of fills that each message currently shows, by market. */
type ShownIn = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Returns the ids of the messages that show purchases; an id is repeated for each purchase that its
 * message shows.
 */
function messagesOf(purchases: ReadonlySet<string>, shownIn: ShownIn): string[] {
  return [...purchases].flatMap((marketId) => [...(shownIn.get(marketId)?.keys() ?? [])]);
}

function fillsOf(fillsByMessage: ReadonlyMap<string, number> = new Map()): number {
  return [...fillsByMessage.values()].reduce((sum, fills) => sum + fills, 0);
}

type Party = Awaited<ReturnType<typeof startParty>>;

const requestsOf = ({ world }: Party) =>
  [...world.answers.values()].reduce((sum, count) => sum + count, 0);

/** Starts a bot with round-robin polling from its sources, because no program in dist/ has it. */
function launchInTurn(
  { environment, directory }: World,
  variables: Readonly<Record<string, string>>,
) {
  const bot = startBot({
    main: fileURLToPath(import.meta.resolve('./in-turn-bot.ts')),
    directory,
    environment: {
      ...environment,
      ...variables,
      NODE_OPTIONS: `--import=${import.meta.resolve('tsx')}`,
    },
    onLine() {},
  });
  return endsWithUs(bot);
}

/** Starts a bot with its own venue and Discord, which watches everything. */
async function startParty(
  policy: (typeof POLICIES)[number],
  { wallets, limit }: { readonly wallets: number; readonly limit: number },
) {
  const world = await openWorld(policy, { servers: 1, wallets, limit });
  const { events } = world.discord;
  const seen = new Map<string, number>();
  const shownIn = new Map<string, Map<string, number>>();
  const heard = new Set<string>();
  // Each trade and each purchase is in a separate market, and a message shows a market once.
  const note = (message: SeenMessage) => {
    if (!message.silent) heard.add(message.id);
    for (const shown of recordsIn(message)) {
      if (shown.kind !== 'fills') continue;
      const fillsByMessage = shownIn.get(shown.marketId) ?? new Map<string, number>();
      shownIn.set(shown.marketId, fillsByMessage.set(message.id, shown.count));
      if (!seen.has(shown.marketId)) seen.set(shown.marketId, Date.now());
    }
  };
  events.on('message', note);
  events.on('edit', note);
  await storeWatches(world);
  const variables = { POLL_CRON: '*/5 * * * * *', BUDGET_SHARE: String(SHARE) };
  const bot = policy === 'walletbell' ? launch(world, variables) : launchInTurn(world, variables);
  await once(events, 'gateway');
  return {
    policy,
    world,
    seen,
    shownIn,
    heard,
    async stop() {
      await bot.stop();
      await world.close();
    },
  };
}
