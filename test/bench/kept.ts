import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { market } from '../../commands/market.ts';
import type { CommandContext } from '../../commands/shared/context.ts';
import { createHeldTogether } from '../../commands/shared/held-together.ts';
import { watchScores } from '../../commands/watch/scores.ts';
import type { SomeWatches } from '../../commands/watch/shared/command.ts';
import { createWalletIndex } from '../../src/alerts/wallets/wallet-index.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { cameBackOf } from '../../src/portfolio/came-back.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addToRecord, EMPTY_RECORD, recordFill } from '../../src/portfolio/record/record.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { newKnowledge, type WalletKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import type { CommandUse, Completion } from '../../src/slash-commands/slash-command.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { watchKey } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { NO_VERDICTS } from '../support/no-verdicts.ts';
import { buy, inMarket, sell } from '../support/records.ts';
import { walletOf } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';
import { DEFAULTS } from './defaults.ts';
import { mean, print, quantiles } from './figures.ts';
import { readOptions } from './usage.ts';

const START_SECONDS = 1_790_000_000;
const HOUR_SECONDS = 3_600;
const RUNS = 30;
const CHANNEL = watchOf().channelId;
/** Number of distinct documents; with more wallets, several share one. */
const DOCUMENTS = 200;

/**
 * Measures the data kept in memory for wallets that have traded in many markets. Prints the
 * processor time of a command over all wallets of a channel, without drawing pictures, compared
 * with parsing their documents; then the bytes per wallet, and the time to load them at the start.
 */
export async function run(args: string[]): Promise<void> {
  const { wallets, markets, start } = readOptions(args, DEFAULTS.kept);
  const documents = Array.from({ length: Math.min(DOCUMENTS, wallets) }, (_, wallet) =>
    JSON.stringify(knowledgeOf(wallet, markets)),
  );
  await answerCommands(documents, wallets, markets);
  takeIn(documents, start);
}

/**
 * Returns the knowledge of one purchase per hour, each in a different market; every second one is
 * sold two hours later.
 */
export function knowledgeOf(wallet: number, markets: number): WalletKnowledge {
  const items = Array.from({ length: markets }, (_, place) => {
    const name = `${1 + ((wallet + place) % (2 * markets))}`;
    const time = START_SECONDS + place * HOUR_SECONDS;
    const where = { ...inMarket(name), marketTitle: `Will number ${name} be drawn this week?` };
    const at = (after: number) => ({
      ...where,
      time: time + after * HOUR_SECONDS,
      txHash: `0x${wallet}-${place}-${after}`,
    });
    const bought = buy(100 + place, 10 + (place % 80), at(0));
    return place % 2 === 0 ? [bought] : [bought, sell(100 + place, 50, at(2))];
  })
    .flat()
    .sort((a, b) => a.time - b.time);
  const nowSeconds = START_SECONDS + markets * HOUR_SECONDS;
  const { portfolio } = addActivity(newPortfolio(START_SECONDS, true), items, nowSeconds);
  const fills = items.map(recordFill).filter((fill) => fill !== undefined);
  return { ...newKnowledge(portfolio), record: addToRecord(EMPTY_RECORD, fills, []) };
}

const parsed = (documents: readonly string[], wallet: number): WalletKnowledge =>
  JSON.parse(documents[wallet % documents.length] ?? '');

/** Creates a bot's memory of this many wallets, all watched in one channel. */
function openMemory(wallets: number, nowSeconds: number) {
  const registry = createRegistry(testMachine(), documentStore());
  for (let index = 0; index < wallets; index += 1) {
    const watch = watchOf({ wallet: walletOf(index), sinceSeconds: START_SECONDS - 1 });
    registry.load(watchKey(watch), watch);
  }
  const index = createWalletIndex({
    isGone: () => false,
    registry,
    channelSettings: { get: () => undefined },
    verdicts: NO_VERDICTS,
    venueNowSeconds: () => nowSeconds,
  });
  return { registry, index };
}

async function answerCommands(documents: readonly string[], wallets: number, markets: number) {
  // Weeks later, so that everything is mature.
  const nowSeconds = START_SECONDS + 2 * markets * HOUR_SECONDS;
  const { registry, index } = openMemory(wallets, nowSeconds);
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    index.load(walletOf(wallet), { knowledge: parsed(documents, wallet) });
  }
  const context = {
    ...index,
    heldTogether: createHeldTogether(index.held),
    registry,
    place: { kind: 'server', ownerId: watchOf().ownerId },
    inTurn: (work: () => Promise<unknown>) => work(),
    knowledge: (wallet: string) =>
      Promise.reject(new Error(`The document of ${wallet} was asked for.`)),
    feed: {
      availability: { trouble: () => null },
      lastPollMs: () => null,
      settlements: async () => [],
    },
    charts: { png: async () => Buffer.alloc(0) },
    links: createLinks({}),
    language: ENGLISH,
    venueNowSeconds: () => nowSeconds,
    nowMs: () => nowSeconds * 1_000,
    log: quietLog(),
  } as unknown as CommandContext;
  const options = { getFocused: () => ({ name: 'market', value: 'number 7' }) };
  const interaction = {
    channelId: CHANNEL,
    channel: { isThread: () => false },
    options,
    editReply: async () => {},
  } as unknown as CommandUse & Completion;
  const [first, ...others] = registry.ofChannel(CHANNEL);
  if (first === undefined) throw new Error('Expected at least one wallet.');
  const watches: SomeWatches = [first, ...others];
  const asked = { watches: [...watches], paused: 0, typed: null };
  const cold = () => ({ ...context, heldTogether: createHeldTogether(index.held) });
  const type = async (within: CommandContext) => market.autocomplete?.(interaction, within);
  const commands = {
    '/watch scores': () => watchScores.execute(interaction, context, watches),
    '/market': () => market.execute(interaction, cold(), asked),
    '/market, again': () => market.execute(interaction, context, asked),
    'the first key typed in /market': () => type(cold()),
    'a further key': () => type(context),
    'a key after a wallet has traded': () => type(context),
  };
  const own = [parsed(documents, 0).portfolio, parsed(documents, 1).portfolio];
  const trade = (nth: number) => index.held.set(walletOf(0), own[nth % 2] ?? { positions: [] });
  const parse = async () => {
    for (const text of documents) JSON.parse(text);
  };
  const parsing = await cpuMsOf(parse);
  print({ what: 'documents parsed', wallets: documents.length, ...parsing });
  const sums = {
    'what came back of all wallets, for the file of /watch scores': async () => {
      for (const [wallet, watch] of watches.entries())
        cameBackOf(index.accountsFor(parsed(documents, wallet), watch));
    },
  };
  for (const [command, answer] of Object.entries({ ...commands, ...sums })) {
    const before = command.includes('has traded') ? trade : undefined;
    const { medianMs, ...rest } = await cpuMsOf(answer, before);
    print({ command, wallets, markets, medianMs, ...rest, ofParsing: medianMs / parsing.medianMs });
  }
}

/** @param before called before each run, untimed */
async function cpuMsOf(work: () => Promise<unknown>, before: (nth: number) => void = () => {}) {
  for (let warm = 0; warm < 10; warm += 1) await work();
  const times: number[] = [];
  for (let count = 0; count < RUNS; count += 1) {
    before(count);
    const since = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(since);
    times.push((user + system) / 1_000);
  }
  const at = quantiles(times);
  return { medianMs: at(0.5), p95Ms: at(0.95), meanMs: mean(times) };
}

function takeIn(documents: readonly string[], wallets: number): void {
  const { index } = openMemory(wallets, START_SECONDS);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  const before = process.memoryUsage().heapUsed;
  let [parsing, taking] = [0, 0];
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    let since = process.cpuUsage();
    const knowledge = parsed(documents, wallet);
    parsing += process.cpuUsage(since).user;
    since = process.cpuUsage();
    index.load(walletOf(wallet), { knowledge });
    taking += process.cpuUsage(since).user;
  }
  collect();
  const bytesAWallet = (process.memoryUsage().heapUsed - before) / wallets;
  // Read once more, so that it is not garbage collected before it has been measured.
  if (index.held.textOf(walletOf(wallets - 1)) === undefined)
    throw new Error('Expected the last wallet to be in memory.');
  print({
    what: 'the start',
    wallets,
    bytesAWallet,
    parsingSeconds: parsing / 1e6,
    takingSeconds: taking / 1e6,
    documentKb: (documents[0]?.length ?? 0) / 1_000,
  });
}
