import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { redemptionOf, settle } from '../../src/domain/settlement.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { addToRecord, EMPTY_RECORD, recordFill, type WalletRecord } from '../../src/portfolio/record/record.ts';
import { isBetterThanLuck, type Standing, standingOf } from '../../src/portfolio/record/standing.ts';
import { readActivityPage } from '../../src/venue/read.ts';
import { playStyle, STYLES, type Style } from './record/styles.ts';
import { seededRandom } from './schedule-random.ts';
import { UsageError } from './usage.ts';

const DAY_SECONDS = 86_400;
const PAGE_SIZE = 100;
const SEEN_DAYS = [60, 120, 240];
const EDGES = [0.05, 0.1];
/** Wallets of which the luckiest is chosen for its past, and for how long that is. */
const CANDIDATES = 1_000;
const PAST_DAYS = 120;

export const USAGE = `npm run bench -- record [--runs N] [--seed SEED] [--style TEXT]
  how often the record calls wallets without skill better than luck, and how often it finds an edge, through the real functions:
  a line a style; \`false\`: per cent of the ranked. Defaults: 2000 runs, seed 1, all styles
npm run bench -- record --records FILE --since SECONDS --now SECONDS [--best-of K] [--settle]
  the record of wallets from a file, one JSON object a line: {"wallet": "0x…", "activity": [records, newest first]}
  --since: the watch begins, Unix seconds; --now: of the question; --best-of: wallets that were ranked (1);
  --settle: what one wallet redeems settles the markets of the others`;

/** @throws UsageError for options that cannot be understood */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      style: { type: 'string', default: '' },
      records: { type: 'string' },
      since: { type: 'string' },
      now: { type: 'string' },
      'best-of': { type: 'string', default: '1' },
      settle: { type: 'boolean', default: false },
    },
  });
  if (values.records === undefined) {
    const styles = STYLES.filter(({ name }) => name.includes(values.style));
    if (styles.length === 0) throw new UsageError(`No style is called "${values.style}"`);
    simulate(styles, Number(values.runs), Number(values.seed), values.style === '');
    return;
  }
  const [sinceSeconds, nowSeconds] = [secondsOf('since', values.since), secondsOf('now', values.now)];
  const lists = await readLists(values.records).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) throw new UsageError(error.message);
    throw error;
  });
  for (const { wallet, record } of recordsOf(lists, sinceSeconds, nowSeconds, values.settle)) {
    const standing = standingOf(record, { fromSeconds: sinceSeconds, nowSeconds });
    const { markets, edgeCents, errorCents, isRanked } = standing;
    console.log(
      JSON.stringify({
        wallet,
        markets,
        edgeCents: isRanked ? edgeCents : null,
        errorCents: isRanked ? errorCents : null,
        isRanked,
        isBetterThanLuck: isBetterThanLuck(standing, Number(values['best-of'])),
      }),
    );
  }
}

function secondsOf(name: string, text: string | undefined): number {
  const seconds = Number(text);
  if (text === undefined || text.trim() === '' || !Number.isInteger(seconds) || seconds < 0) {
    throw new UsageError(`Expected --${name} to be Unix seconds, got "${text ?? ''}"`);
  }
  return seconds;
}

const lineSchema = z.object({ wallet: walletSchema, activity: z.array(z.unknown()) });
interface List {
  readonly wallet: WalletAddress;
  /** Newest first. */
  readonly activity: readonly ActivityItem[];
}

async function readLists(path: string): Promise<List[]> {
  const lists: List[] = [];
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    try {
      const { wallet, activity } = lineSchema.parse(JSON.parse(text));
      lists.push({ wallet, activity: readRows(wallet, activity) });
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      throw new UsageError(`Line ${line} of ${path} cannot be read: ${reason.slice(0, 300)}`);
    }
  }
  return lists;
}

/** The records as the bot reads them from the venue's pages; what it cannot read is left out, as there. */
function readRows(wallet: WalletAddress, rows: readonly unknown[]): ActivityItem[] {
  const items: ActivityItem[] = [];
  for (let from = 0; from < rows.length; from += PAGE_SIZE) {
    items.push(...readActivityPage({ items: rows.slice(from, from + PAGE_SIZE), nextCursor: null }, wallet).items);
  }
  return items;
}

/** The record of each wallet at a time. Everything that was listed by then counts, as if it had been read back. */
function recordsOf(
  lists: readonly List[],
  sinceSeconds: number,
  nowSeconds: number,
  isSettled: boolean,
): { readonly wallet: string; readonly record: WalletRecord }[] {
  const known = lists.map(({ wallet, activity }) => ({
    wallet,
    items: activity.filter(({ time }) => time <= nowSeconds).toReversed(),
  }));
  const redemptions = isSettled
    ? known.flatMap(({ wallet, items }) => items.flatMap((item) => redemptionOf(item, wallet) ?? []))
    : [];
  const settlements = [...groupBy(redemptions, ({ market }) => market).values()].flatMap(
    (ofMarket) => settle(ofMarket, nowSeconds) ?? [],
  );
  return known.map(({ wallet, items }) => {
    const fills = items.flatMap((item) => recordFill(item) ?? []);
    return { wallet, record: addToRecord(EMPTY_RECORD, [...fills, ...settlements], [sinceSeconds]) };
  });
}

interface Counts {
  runs: number;
  ranked: number;
  better: number;
}

function simulate(styles: readonly Style[], runs: number, seed: number, isAll: boolean): void {
  for (const style of styles) {
    for (const days of SEEN_DAYS) {
      const counts = countRuns(runs, seed, (random) => standingOfPlay(style, random, days, 0));
      console.log(JSON.stringify({ style: style.name, days, ...percentages(counts, 'false') }));
    }
  }
  if (!isAll) return;
  const [holds] = STYLES;
  if (holds === undefined) return;
  for (const edge of EDGES) {
    const counts = countRuns(runs, seed, (random) => standingOfPlay(holds, random, 240, edge));
    console.log(JSON.stringify({ edgeCents: edge * 100, days: 240, ...percentages(counts, 'found') }));
  }
  const counts = countRuns(Math.ceil(runs / 20), seed, (random) => luckiest(holds, random));
  console.log(
    JSON.stringify({ style: `luckiest of ${CANDIDATES}, since`, days: 240, ...percentages(counts, 'false') }),
  );
}

function countRuns(runs: number, seed: number, play: (random: ReturnType<typeof seededRandom>) => Standing): Counts {
  const counts: Counts = { runs, ranked: 0, better: 0 };
  for (let nth = 0; nth < runs; nth += 1) {
    const standing = play(seededRandom(seed * 1_000_003 + nth * 7919 + 1));
    if (standing.isRanked) counts.ranked += 1;
    if (isBetterThanLuck(standing, 1)) counts.better += 1;
  }
  return counts;
}

function percentages({ runs, ranked, better }: Counts, name: 'false' | 'found'): Record<string, number> {
  const of = (count: number, all: number) => (all === 0 ? 0 : Math.round((count / all) * 1_000) / 10);
  return { runs, rankedPercent: of(ranked, runs), [name]: of(better, name === 'false' ? ranked : runs) };
}

function standingOfPlay(style: Style, random: ReturnType<typeof seededRandom>, days: number, edge: number): Standing {
  const record = recordOfList(playStyle(style, { random, days, edge }), 0);
  return standingOf(record, { fromSeconds: 0, nowSeconds: days * DAY_SECONDS });
}

/** Of many wallets without skill the one with the best past, by what came afterwards alone. */
function luckiest(style: Style, random: ReturnType<typeof seededRandom>): Standing {
  const sinceSeconds = PAST_DAYS * DAY_SECONDS;
  const nowSeconds = (PAST_DAYS + 240) * DAY_SECONDS;
  let [best, bestBound] = [seededRandom(1), Number.NEGATIVE_INFINITY];
  for (let nth = 0; nth < CANDIDATES; nth += 1) {
    const seed = Math.floor(random() * 2 ** 31);
    const past = recordOfList(playStyle(style, { random: seededRandom(seed), days: PAST_DAYS, edge: 0 }), sinceSeconds);
    const { edgeCents, errorCents } = standingOf(past, { nowSeconds: sinceSeconds });
    const bound = (edgeCents ?? Number.NEGATIVE_INFINITY) - (errorCents ?? 0);
    if (bound > bestBound) [best, bestBound] = [seededRandom(seed), bound];
  }
  const all = recordOfList(playStyle(style, { random: best, days: PAST_DAYS + 240, edge: 0 }), sinceSeconds);
  return standingOf(all, { fromSeconds: sinceSeconds, nowSeconds });
}

function recordOfList(newestFirst: readonly ActivityItem[], sinceSeconds: number): WalletRecord {
  return addToRecord(
    EMPTY_RECORD,
    newestFirst.toReversed().flatMap((item) => recordFill(item) ?? []),
    [sinceSeconds],
  );
}
