import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { redemptionOf, type Settlement, settle } from '../../src/domain/settlement.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import {
  type Accounts,
  addToAccounts,
  NO_ACCOUNTS,
} from '../../src/portfolio/accounts/accounts.ts';
import { type CameBackAnswer, cameBackOf } from '../../src/portfolio/came-back.ts';
import type { RecordFill } from '../../src/portfolio/record/first-purchase.ts';
import {
  addToRecord,
  EMPTY_RECORD,
  recordFill,
  type WalletRecord,
} from '../../src/portfolio/record/record.ts';
import { type Standing, standingOf } from '../../src/portfolio/record/standing.ts';
import { isBetterThanLuck } from '../../src/portfolio/record/verdict.ts';
import { PAGE_READERS } from '../../src/venue/read.ts';
import { DEFAULTS } from './defaults.ts';
import { print, progress } from './figures.ts';
import { ANSWERS, type AnswerName } from './record/answers.ts';
import {
  type CameBackOptions,
  checkCameBack,
  PROMISES,
  type Promised,
} from './record/came-back.ts';
import { playChannels } from './record/channels.ts';
import { ENDING_STYLES } from './record/ending-styles.ts';
import { playStyle, STYLES, type Style } from './record/styles.ts';
import { type Random, seededRandom } from './schedule-random.ts';
import { readOptions, UsageError } from './usage.ts';

const DAY_SECONDS = 86_400;
const PAGE_SIZE = 100;
const SEEN_DAYS = [60, 120, 240];
const EDGES = [0.05, 0.1];
/** Numbers of wallets in a channel whose verdicts are judged after every market. */
const CHANNEL_SIZES = [1, 5, 10];
/**
 * Number of wallets from which the one with the luckiest past is chosen, and the length of that
 * past.
 */
const CANDIDATES = 1_000;
const PAST_DAYS = 120;

export const USAGE = `npm run bench -- record [--runs N] [--seed SEED]
  how often the record calls wallets without skill better than luck, and how often it finds an edge, through the real functions:
  a line a style; \`false\`: per cent of the ranked. Then channels that are judged after every market, up to 360: in how
  many a verdict ever began, of how many wallets it stands at the end, how often it changed
npm run bench -- record --came-back [--runs N] [--seed SEED] [--style NAME] [--as RULE]
  how true it is what came back: a line a style, edge, part of the markets that others settle, and days; \`broken\`: what
  does not hold of it. Ends with 1 where something is broken. Defaults: 20 runs, all styles; --as: says instead what a false rule says: ${Object.keys(ANSWERS).slice(1).join(', ')}
npm run bench -- record --records FILE --since SECONDS --now SECONDS [--best-of N] [--settle]
  the record of wallets from a file, one JSON object a line: {"wallet": "0x…", "activity": [records, newest first]}
  --since: the watch begins, Unix seconds; --now: of the question; --best-of: wallets that were ranked;
  --settle: what one wallet redeems settles the markets of the others`;

/** @throws UsageError for invalid options */
export async function run(args: string[]): Promise<void> {
  const { runs, seed, records, since, now, ...options } = readOptions(args, {
    ...DEFAULTS.record,
    runs: args.includes('--came-back') ? 20 : DEFAULTS.record.runs,
  });
  if (options['came-back']) return printCameBack({ runs, seed, ...readRule(options) });
  if (records === '') return simulate(runs, seed);
  const [sinceSeconds, nowSeconds] = [secondsOf('since', since), secondsOf('now', now)];
  // Everything listed by then counts, as if it had been read back.
  const lists = (await readLists(records)).map(({ wallet, activity }) => ({
    wallet,
    listed: activity.filter(({ time }) => time <= nowSeconds),
  }));
  const redemptions = lists.flatMap(({ wallet, listed }) =>
    listed.toReversed().flatMap((item) => redemptionOf(item, wallet) ?? []),
  );
  const ofMarkets = options.settle
    ? [...groupBy(redemptions, ({ market }) => market).values()]
    : [];
  const settlements = ofMarkets.flatMap((ofMarket) => settle(ofMarket, nowSeconds) ?? []);
  for (const { wallet, listed } of lists) {
    const record = recordOfList(listed, sinceSeconds, settlements);
    const standing = standingOf(record, { fromSeconds: sinceSeconds, nowSeconds });
    const { markets, edgeCents, errorCents, isRanked } = standing;
    const figures = isRanked ? { edgeCents, errorCents } : { edgeCents: null, errorCents: null };
    const accounts = accountsOfList(listed, record, sinceSeconds, settlements);
    const question = {
      accounts,
      record,
      fromSeconds: sinceSeconds,
      nowSeconds,
      settlementOf: () => undefined,
    };
    // Not rounded, unlike other figures, so that all digits of the statistic can be verified.
    console.log(
      JSON.stringify({
        wallet,
        markets,
        ...figures,
        isRanked,
        isBetterThanLuck: isBetterThanLuck(standing, options['best-of']),
        ...cameBackFigures(cameBackOf(question)),
      }),
    );
  }
}

/** @throws UsageError for an unknown rule or style */
function readRule({
  as,
  style,
}: {
  readonly as: string;
  readonly style: string;
}): Pick<CameBackOptions, 'as' | 'style'> {
  if (!Object.hasOwn(ANSWERS, as))
    throw new UsageError(`Expected --as to be ${Object.keys(ANSWERS).join(', ')}, got "${as}"`);
  const names = ENDING_STYLES.map(({ name }) => name);
  if (style !== '' && !names.includes(style))
    throw new UsageError(`Expected --style to be ${names.join('; ')}, got "${style}"`);
  return { as: as as AnswerName, style };
}

/**
 * Prints the cells, and finally the promises that are broken in some of them, with an exit code of
 * 1.
 */
function printCameBack(options: CameBackOptions): void {
  const broken = new Map<Promised, number>();
  for (const cell of checkCameBack(options)) {
    print(cell);
    for (const promise of cell.broken) broken.set(promise, (broken.get(promise) ?? 0) + 1);
  }
  for (const [promise, cells] of broken)
    print({ broken: promise, promise: PROMISES[promise], cells });
  if (broken.size > 0) process.exitCode = 1;
}

function cameBackFigures({ cameBack }: CameBackAnswer) {
  if (cameBack === null)
    return { untilSeconds: null, paidUsdc: null, backUsdc: null, withoutEnd: null, sign: '' };
  const { untilSeconds, paidUsdc, backUsdc, withoutEnd, sign } = cameBack;
  const amounts = { paidUsdc: Number(paidUsdc), backUsdc: Number(backUsdc) };
  return { untilSeconds, ...amounts, withoutEnd: withoutEnd.markets, sign };
}

function secondsOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`Expected --${name} to be Unix seconds, got "${text}"`);
}

const lineSchema = z.object({ wallet: walletSchema, activity: z.array(z.unknown()) });
interface List {
  readonly wallet: WalletAddress;
  /** Newest first. */
  readonly activity: readonly ActivityItem[];
}

/** @throws UsageError for a file or a line that cannot be read */
async function readLists(path: string): Promise<List[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(error.message);
  });
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      const { wallet, activity } = lineSchema.parse(JSON.parse(line));
      return { wallet, activity: readRows(wallet, activity) };
    } catch (error) {
      const reason =
        error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      throw new UsageError(`Line ${index + 1} of ${path} cannot be read: ${reason.slice(0, 300)}`);
    }
  });
}

/** Returns the records as the bot reads them from the venue's pages, without unreadable ones. */
function readRows(wallet: WalletAddress, rows: readonly unknown[]): ActivityItem[] {
  const items: ActivityItem[] = [];
  for (let from = 0; from < rows.length; from += PAGE_SIZE) {
    items.push(
      ...PAGE_READERS.activity(
        { items: rows.slice(from, from + PAGE_SIZE), nextCursor: null },
        wallet,
      ).items,
    );
  }
  return items;
}

interface Counts {
  runs: number;
  ranked: number;
  better: number;
}

function simulate(runs: number, seed: number): void {
  for (const style of STYLES) {
    for (const days of SEEN_DAYS) {
      const counts = countRuns(runs, seed, (random) => standingOfPlay(style, random, days, 0));
      print({ style: style.name, days, ...percentages(counts, 'false') });
    }
  }
  const [holds] = STYLES;
  for (const edge of EDGES) {
    const counts = countRuns(runs, seed, (random) => standingOfPlay(holds, random, 240, edge));
    print({ edgeCents: edge * 100, days: 240, ...percentages(counts, 'found') });
  }
  const counts = countRuns(Math.ceil(runs / 20), seed, (random) => luckiest(holds, random));
  print({ style: `luckiest of ${CANDIDATES}, since`, days: 240, ...percentages(counts, 'false') });
  for (const edge of [0, ...EDGES])
    for (const wallets of CHANNEL_SIZES) printChannels(runs, wallets, edge, seed);
}

/**
 * Prints the verdicts of channels that are judged after every market. There are as many wallets in
 * total as runs.
 */
function printChannels(runs: number, wallets: number, edge: number, seed: number): void {
  const channels = Math.ceil(runs / wallets);
  const { channelsWithBetter, found, changes } = playChannels(
    channels,
    wallets,
    edge,
    seededRandom(seed),
  );
  const percent = (share: number) => Math.round(share * 1_000) / 10;
  print({
    channelOf: wallets,
    edgeCents: edge * 100,
    channels,
    everPercent: percent(channelsWithBetter / channels),
    atEndPercent: percent(found / (channels * wallets)),
    changesEach: changes / (channels * wallets),
  });
}

function countRuns(runs: number, seed: number, play: (random: Random) => Standing): Counts {
  const counts: Counts = { runs, ranked: 0, better: 0 };
  for (let nth = 0; nth < runs; nth += 1) {
    progress.count('record', nth, runs, 'runs');
    const standing = play(seededRandom(seed * 1_000_003 + nth * 7919 + 1));
    if (standing.isRanked) counts.ranked += 1;
    if (isBetterThanLuck(standing, 1)) counts.better += 1;
  }
  return counts;
}

function percentages(
  { runs, ranked, better }: Counts,
  name: 'false' | 'found',
): Record<string, number> {
  const of = (count: number, all: number) =>
    all === 0 ? 0 : Math.round((count / all) * 1_000) / 10;
  return {
    runs,
    rankedPercent: of(ranked, runs),
    [name]: of(better, name === 'false' ? ranked : runs),
  };
}

function standingOfPlay(style: Style, random: Random, days: number, edge: number): Standing {
  const record = recordOfList(playStyle(style, { random, days, edge }), 0);
  return standingOf(record, { fromSeconds: 0, nowSeconds: days * DAY_SECONDS });
}

/**
 * Returns the standing of the wallet without skill that has the best past among many, by its later
 * trades only.
 */
function luckiest(style: Style, random: Random): Standing {
  const sinceSeconds = PAST_DAYS * DAY_SECONDS;
  const nowSeconds = (PAST_DAYS + 240) * DAY_SECONDS;
  let [best, bestBound] = [seededRandom(1), Number.NEGATIVE_INFINITY];
  for (let nth = 0; nth < CANDIDATES; nth += 1) {
    const seed = Math.floor(random() * 2 ** 31);
    const past = recordOfList(
      playStyle(style, { random: seededRandom(seed), days: PAST_DAYS, edge: 0 }),
      sinceSeconds,
    );
    const { edgeCents, errorCents } = standingOf(past, { nowSeconds: sinceSeconds });
    const bound = (edgeCents ?? Number.NEGATIVE_INFINITY) - (errorCents ?? 0);
    if (bound > bestBound) [best, bestBound] = [seededRandom(seed), bound];
  }
  const all = recordOfList(
    playStyle(style, { random: best, days: PAST_DAYS + 240, edge: 0 }),
    sinceSeconds,
  );
  return standingOf(all, { fromSeconds: sinceSeconds, nowSeconds });
}

/** @param settlements of its markets and of others, which are added last */
function recordOfList(
  newestFirst: readonly ActivityItem[],
  sinceSeconds: number,
  settlements: readonly Settlement[] = [],
): WalletRecord {
  return addToRecord(EMPTY_RECORD, [...fillsOf(newestFirst), ...settlements], [sinceSeconds]);
}

/** @param record of the same list */
function accountsOfList(
  newestFirst: readonly ActivityItem[],
  { matureToSeconds }: WalletRecord,
  sinceSeconds: number,
  settlements: readonly Settlement[],
): Accounts {
  return addToAccounts(NO_ACCOUNTS, [...fillsOf(newestFirst), ...settlements], matureToSeconds, [
    sinceSeconds,
  ]);
}

function fillsOf(newestFirst: readonly ActivityItem[]): RecordFill[] {
  return newestFirst.toReversed().flatMap((item) => recordFill(item) ?? []);
}
